//! Numbers that say which thread a thread is, and who has them.
//!
//! A local that is an *identity* ([`Variable::identity`](frontend::program::Variable)) gets its value in the step that starts the thread, and no two threads have the same. That is one
//! fact. The other is about copies: locks store their owner. A variable is a *carrier* if everything that is ever assigned to it is a literal that is nobody's
//! identity, an identity of the thread that makes the step, or a carrier. Then it holds no identity that no thread has had yet, and what
//! a new thread gets is different from what is in all carriers. It holds by induction over the steps of a run: at the start carriers hold
//! literals, and a step copies what a carrier or its thread has.
//!
//! Carriers are the largest such set of variables: all are supposed to be, and those are taken out that get something else.

use crate::scope::{Extent, Setting};
use frontend::program::{Edge, LocationId, Program, Scope, VariableId};
use rustc_hash::FxHashMap;
use smt::{Op, Term};
use std::collections::BTreeSet;

/// What is known about identities.
#[derive(Clone, Debug, Default)]
pub struct Identities {
    /// The locals that are identities.
    pub own: BTreeSet<VariableId>,
    /// Variables that hold no identity but of threads that have started.
    pub carriers: BTreeSet<VariableId>,
}

impl Identities {
    /// Of a program.
    pub fn new(program: &Program) -> Identities {
        let all = || (0..program.variables.len() as u32).map(VariableId);
        let own: BTreeSet<VariableId> = all().filter(|id| program.variable(*id).identity).collect();
        let Some(&first) = own.first() else { return Identities::default() };
        let sort = program.variable(first).data_type.sort();
        // What the initial thread has is nobody else's.
        let initial = program.variable(first).init.as_ref().map(Term::value);
        let is_old = |literal: Term| {
            Some(literal) == initial || literal.as_bits().is_some_and(|bits| !bits.is_negative())
        };
        let names: FxHashMap<Term, VariableId> = all().map(|id| (program.variable(id).term(), id)).collect();
        let mut carriers: BTreeSet<VariableId> = all()
            .filter(|id| {
                let variable = program.variable(*id);
                let init = variable.init.as_ref().map(Term::value);
                variable.data_type.sort() == sort && !variable.identity && init.is_some_and(is_old)
            })
            .collect();
        let assigned: Vec<(&Edge, VariableId, Term)> = program
            .edges
            .iter()
            .flat_map(|edge| edge.assign.iter().map(move |(id, term)| (edge, *id, *term)))
            .collect();
        for edge in &program.edges {
            edge.broadcast.assign.iter().for_each(|(id, _)| {
                carriers.remove(id);
            });
        }
        loop {
            let fits = |(edge, _, term): &(&Edge, VariableId, Term)| {
                let known = |leaf: Term| {
                    is_old(leaf)
                        || names.get(&leaf).is_some_and(|id| own.contains(id) || carriers.contains(id))
                        || started(program, edge).any(|(_, new)| new == leaf)
                };
                leaves(*term).into_iter().all(known)
            };
            let wrong: BTreeSet<VariableId> =
                assigned.iter().filter(|entry| !fits(entry)).map(|(_, id, _)| *id).collect();
            let before = carriers.len();
            carriers.retain(|id| !wrong.contains(id));
            if carriers.len() == before {
                return Identities { own, carriers };
            }
        }
    }

    /// What a step that starts a thread gives it must not be in these, by role: shared ones, and locals of other threads.
    pub fn fresh<'e>(
        &'e self,
        program: &'e Program,
        edge: &'e Edge,
    ) -> impl Iterator<Item = (Term, VariableId, Scope)> + 'e {
        started(program, edge).flat_map(move |(_, new)| {
            self.carriers.iter().map(move |&id| (new, id, program.variable(id).scope))
        })
    }
}

/// The identities that a step gives to a new thread.
fn started<'e>(program: &'e Program, edge: &'e Edge) -> impl Iterator<Item = (VariableId, Term)> + 'e {
    let starts = Some(edge.from) == program.pool;
    edge.assign.iter().copied().filter(move |(id, _)| starts && program.variable(*id).identity)
}

/// The terms that a choice is made from.
fn leaves(term: Term) -> Vec<Term> {
    match (term.op(), term.args()) {
        (Op::Ite, &[_, then, els]) => leaves(then).into_iter().chain(leaves(els)).collect(),
        _ => vec![term],
    }
}

impl Setting<'_> {
    /// Whether threads in the location have a value of their own in the variable, different from those of all other such threads.
    pub fn is_identity(&self, variable: VariableId, location: LocationId) -> bool {
        self.program.variable(variable).identity
            && Some(location) != self.program.pool
            && self.in_extent(variable, location, Extent::Assigned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::program::text::read;

    #[test]
    fn carriers_hold_what_threads_had() {
        let program = read(
            r#"program 1
            local me: u8 = 128 identity
            shared owner: u8 = 0
            shared copy: u8 = 0
            shared next: u8 = 0
            shared post: u8 = 0
            local seen: u8 = 0
            location 0
            location 1
            location 2
            main 0
            pool 1
            edge 0: 0 -> 0
              assign next := (bvadd next #x01)
              assign post := (bvadd next #x81)
            edge 1: 1 -> 2
              assign me := post
            edge 2: 2 -> 2
              guard (= owner #x00)
              assign owner := me
              assign seen := owner
            edge 3: 2 -> 2
              assign copy := (ite (= seen #x00) seen owner)
            edge 4: 2 -> 2
              assign owner := #x00
            property p assertion "p" at 2
            "#,
        )
        .unwrap();
        let found = Identities::new(&program);
        let names = |set: &BTreeSet<VariableId>| -> Vec<String> {
            set.iter().map(|id| program.variable(*id).name.to_string()).collect()
        };
        assert_eq!(names(&found.own), ["me"]);
        assert_eq!(names(&found.carriers), ["owner", "copy", "seen"]);
        assert_eq!(found.fresh(&program, &program.edges[1]).count(), found.carriers.len());
        assert_eq!(found.fresh(&program, &program.edges[2]).count(), 0);
    }
}
