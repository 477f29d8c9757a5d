//! Live locals: those whose value in a location can still matter. The classic backward analysis, with broadcasts.
//!
//! A local matters in a location if an edge from there reads it, if a race there looks at it, or if it matters in the target of an
//! edge that does not assign it. A broadcast reads the copies of passive threads wherever these are, but only to compute others:
//! if it reads `x@P` for a new `y@P`, then `x` matters wherever `y` does. Passive threads do not move, and an assignment by
//! broadcast makes nothing dead, because it can come or not.

use super::{Program, Scope, Target, VariableId, passive};
use rustc_hash::FxHashMap;
use smt::{Symbol, Term};
use std::collections::BTreeSet;

/// Sets `live` of all locations. The program must be valid.
pub fn annotate(program: &mut Program) {
    let analysis = Analysis::new(program);
    let mut live = analysis.at_once(program);
    let mut changed = true;
    while changed {
        changed = false;
        for edge in program.edges.iter().rev() {
            let assigned: BTreeSet<VariableId> = edge.assign.iter().map(|(id, _)| *id).collect();
            let kept: Vec<VariableId> = live[edge.to.index()].difference(&assigned).copied().collect();
            let from = &mut live[edge.from.index()];
            let before = from.len();
            from.extend(kept);
            changed |= from.len() > before;
        }
        for live in &mut live {
            let before = live.len();
            analysis.close(live);
            changed |= live.len() > before;
        }
    }
    for (location, live) in program.locations.iter_mut().zip(live) {
        location.live = live.into_iter().collect();
    }
}

struct Analysis {
    /// Locals by name, and by the name of their passive copy.
    own: FxHashMap<Symbol, VariableId>,
    copies: FxHashMap<Symbol, VariableId>,
    /// (y, x): a broadcast computes a passive y from its x.
    broadcast: BTreeSet<(VariableId, VariableId)>,
}

impl Analysis {
    fn new(program: &Program) -> Analysis {
        let mut analysis =
            Analysis { own: FxHashMap::default(), copies: FxHashMap::default(), broadcast: BTreeSet::new() };
        for (index, variable) in program.variables.iter().enumerate() {
            if variable.scope == Scope::Local {
                analysis.own.insert(variable.name, VariableId(index as u32));
                analysis.copies.insert(passive(variable.name), VariableId(index as u32));
            }
        }
        for edge in &program.edges {
            for (target, term) in &edge.broadcast.assign {
                let read = locals(&analysis.copies, *term);
                analysis.broadcast.extend(read.into_iter().map(|read| (*target, read)));
            }
        }
        analysis
    }

    /// What matters in each location for the very next step.
    fn at_once(&self, program: &Program) -> Vec<BTreeSet<VariableId>> {
        let mut live = vec![BTreeSet::new(); program.locations.len()];
        for edge in &program.edges {
            let terms = edge.assign.iter().chain(&edge.broadcast.assign).map(|(_, term)| *term);
            for term in terms.chain([edge.guard]) {
                live[edge.from.index()].extend(locals(&self.own, term));
            }
        }
        for property in &program.properties {
            if let Target::Race(first, second) = &property.target {
                for access in [first, second] {
                    let index = access.index.map_or_else(Vec::new, |index| locals(&self.own, index));
                    live[access.location.index()].extend(index);
                }
            }
        }
        live
    }

    /// Adds what broadcasts compute the live ones from.
    fn close(&self, live: &mut BTreeSet<VariableId>) {
        loop {
            let before = live.len();
            let read =
                self.broadcast.iter().filter(|(target, _)| live.contains(target)).map(|(_, read)| *read);
            let read: Vec<VariableId> = read.collect();
            live.extend(read);
            if live.len() == before {
                return;
            }
        }
    }
}

fn locals(by_name: &FxHashMap<Symbol, VariableId>, term: Term) -> Vec<VariableId> {
    term.constants()
        .into_iter()
        .filter_map(|constant| by_name.get(&constant.as_constant()?).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text::read;

    fn live(text: &str) -> Vec<Vec<u32>> {
        let mut program = read(&format!("program 1 {text}")).unwrap();
        annotate(&mut program);
        program.locations.iter().map(|location| location.live.iter().map(|id| id.0).collect()).collect()
    }

    #[test]
    fn a_local_is_live_from_its_assignment_to_its_use() {
        let text = "shared s: u8 local l: u8 local m: u8
            location 0 location 1 location 2 location 3 main 0
            edge 0: 0 -> 1 assign l := s
            edge 1: 1 -> 2 assign m := l
            edge 2: 2 -> 1 guard (= m #x00)
            edge 3: 2 -> 3 assign s := m";
        assert_eq!(live(text), [vec![], vec![1], vec![1, 2], vec![]]);
    }

    #[test]
    fn races_look_at_their_index() {
        let text = "local l: u8 location 0 location 1 main 0
            edge 0: 0 -> 1
            property r data-race \"\" race 1 [l] with 1 [l]";
        assert_eq!(live(text), [[0], [0]]);
    }

    #[test]
    fn broadcasts_read_where_their_result_matters() {
        let text = "shared s: u8 local l: u8 local m: u8 local k: u8
            location 0 location 1 location 2 main 0 pool 1
            edge 0: 0 -> 0 passive assign l := (bvadd m@P k)
            edge 1: 1 -> 2 assign s := l";
        assert_eq!(live(text), [vec![3], vec![1, 2], vec![]]);
    }
}
