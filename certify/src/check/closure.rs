//! What occurs is closed under transitions, and violations are above targets: no formulas are needed for it.

use super::Rejected;
use super::abstraction::Judge;
use breach::system::State;
use frontend::program::{LocationId, Target};
use std::collections::{BTreeMap, BTreeSet};

impl Judge<'_> {
    /// Whatever follows from what occurs occurs.
    pub(super) fn closure(&self) -> Result<(), Rejected> {
        let occurs = |shared: u32, local: u32| {
            let with = self.certificate.occurs.get(shared as usize);
            with.is_some_and(|with| with.contains(&local))
        };
        // Whoever is in a state that means nothing has stood in the way of a step: there is no such run.
        let means = |local: &u32| (*local as usize) < self.certificate.locals.len();
        let errors = self.program.errors();
        let lost = |shared: u32, local: u32| {
            Rejected::new(format!("local state {local} is missing beside shared state {shared}"))
        };
        for beginning in self.beginnings()? {
            for &local in beginning.pool.iter().chain([&beginning.main]).filter(|local| means(local)) {
                if !occurs(beginning.shared, local) {
                    return Err(lost(beginning.shared, local));
                }
            }
        }
        for (number, edge) in self.certificate.edges.iter().enumerate() {
            let (step, from, to) = self.transition(number)?;
            if edge.is_none() || step.to == self.certificate.error || !occurs(step.from, from) {
                continue;
            }
            if !occurs(step.to, to) {
                return Err(lost(step.to, to));
            }
            for local in &self.certificate.occurs[step.from as usize] {
                // Runs are looked at up to the first violation: nobody has been at one before.
                if errors[self.local(*local)?.location.index()] {
                    continue;
                }
                let rule = step.transfer(*local).map_or(std::slice::from_ref(local), |rule| &rule.to);
                if let Some(local) =
                    rule.iter().filter(|local| means(local)).find(|local| !occurs(step.to, **local))
                {
                    return Err(lost(step.to, *local));
                }
            }
        }
        Ok(())
    }

    /// Every violation is above a target.
    pub(super) fn targets(&self) -> Result<(), Rejected> {
        let targets = &self.certificate.problem.targets;
        let demand = |shared: u32, threads: &[u32], name: &str| {
            let state = State::new(shared, threads.iter().copied());
            let is_target = targets.iter().any(|target| target.covered_by(&state));
            is_target
                .then_some(())
                .ok_or_else(|| Rejected::new(format!("{state} violates {name} and is no target")))
        };
        let mut named: BTreeMap<LocationId, &str> = BTreeMap::new();
        for property in &self.program.properties {
            match &property.target {
                Target::Location(location) => {
                    named.insert(*location, &property.name);
                }
                Target::Race(first, second) => {
                    let at = |location: LocationId, with: &BTreeSet<u32>| -> Vec<u32> {
                        let there = self.there.get(&location).into_iter().flatten().copied();
                        there.filter(|local| with.contains(local)).collect()
                    };
                    for (shared, with) in self.certificate.occurs.iter().enumerate() {
                        for one in at(first.location, with) {
                            for other in at(second.location, with) {
                                demand(shared as u32, &[one, other], &property.name)?;
                            }
                        }
                    }
                }
            }
        }
        for (number, edge) in self.certificate.edges.iter().enumerate() {
            let (step, _, to) = self.transition(number)?;
            let location = edge.map(|edge| self.program.edge(edge).to);
            match location.and_then(|location| named.get(&location)) {
                Some(name) => demand(step.to, &[to], name)?,
                None if step.to == self.certificate.error => {
                    return Err(Rejected::new(format!(
                        "transition {number} is taken for a violation and is none"
                    )));
                }
                None => {}
            }
        }
        for beginning in self.beginnings()? {
            for &local in beginning.pool.iter().chain([&beginning.main]) {
                if let Some(name) = self.local(local).ok().and_then(|local| named.get(&local.location)) {
                    demand(beginning.shared, &[local], name)?;
                }
            }
        }
        Ok(())
    }
}
