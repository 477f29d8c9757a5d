//! Data races as targets: two threads, each about to access the same variable, at least one to write it.

use crate::program::{LocationId, Position, Program, Property, PropertyKind, RaceAccess, Target, VariableId};
use smt::Term;
use std::collections::BTreeMap;

/// A place just before an access to shared memory that is not atomic.
#[derive(Clone, Debug)]
pub(crate) struct RaceSite {
    pub location: LocationId,
    pub variable: VariableId,
    pub index: Option<Term>,
    /// The first bit of the scalar, and the one behind the last.
    pub bits: (u32, u32),
    pub write: bool,
    pub position: Position,
    /// The code that the thread runs.
    pub root: u32,
}

/// One property for each pair of conflicting places.
pub(crate) fn properties(program: &mut Program, sites: &[RaceSite]) {
    let mut by_variable: BTreeMap<VariableId, Vec<&RaceSite>> = BTreeMap::new();
    for site in sites {
        by_variable.entry(site.variable).or_default().push(site);
    }
    let mut count = 0;
    for (variable, sites) in by_variable {
        for (index, first) in sites.iter().enumerate() {
            for second in &sites[index..] {
                // The initial thread is alone in its code.
                let overlap = first.bits.0 < second.bits.1 && second.bits.0 < first.bits.1;
                if !overlap || !(first.write || second.write) || (first.root == 0 && second.root == 0) {
                    continue;
                }
                count += 1;
                let name = program.variable(variable).name;
                let access = |site: &RaceSite| RaceAccess {
                    location: site.location,
                    index: site.index,
                    write: site.write,
                };
                program.properties.push(Property {
                    name: format!("race.{count}"),
                    kind: PropertyKind::DataRace,
                    description: format!("data race on {name}"),
                    position: first.position,
                    target: Target::Race(access(first), access(second)),
                });
            }
        }
    }
}
