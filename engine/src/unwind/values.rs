//! Values that are known at a node, of one thread's private variables.

use frontend::program::locks::Lock;
use frontend::program::{EdgeId, LocationId, Program, Scope, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Substitution, Symbol, Term};

use super::{at_start, chosen};
use crate::threads;

/// Values by variable.
pub(super) type Values = FxHashMap<VariableId, Term>;

/// By variable, whether some lock is held wherever the program mentions it.
///
/// While a thread is where it holds the lock, nobody else mentions the variable ([`Lock`]): no step of another thread sees what the thread does with it, or changes what it finds. So steps on such variables
/// can be made at once, as those on private ones: they change places with all steps of others that come before them. The lock itself is taken from where it is not held, and stays visible.
fn protected(program: &Program, mentioned: &[FxHashSet<VariableId>]) -> Vec<bool> {
    let locks = Lock::all(program);
    let mut protected = vec![false; program.variables.len()];
    for lock in &locks {
        let mut is_protected = vec![true; program.variables.len()];
        let outside = program.edges.iter().zip(mentioned).filter(|(edge, _)| !lock.held[edge.from.index()]);
        for variable in outside.flat_map(|(_, mentioned)| mentioned) {
            is_protected[variable.index()] = false;
        }
        protected.iter_mut().zip(is_protected).for_each(|(all, one)| *all |= one);
    }
    protected
}

/// What values can be known about.
pub(super) struct Knowledge<'a> {
    program: &'a Program,
    /// By edge, its variables that can be known.
    private: Vec<Vec<VariableId>>,
    /// By edge, whether it has a variable that others may use at the same time.
    visible: Vec<bool>,
    names: FxHashMap<Symbol, VariableId>,
    heard: FxHashSet<VariableId>,
    /// Shared variables that only the initial thread touches.
    pub(super) owned: FxHashSet<VariableId>,
}

impl<'a> Knowledge<'a> {
    pub(super) fn new(program: &'a Program) -> Knowledge<'a> {
        let names = threads::names(program);
        let heard = threads::heard(program, &names);
        let mentioned: Vec<FxHashSet<VariableId>> =
            program.edges.iter().map(|edge| threads::mentioned(&names, edge)).collect();
        let by_others = program.reachable(program.pool);
        let mut owned: FxHashSet<VariableId> = FxHashSet::default();
        for (index, variable) in program.variables.iter().enumerate() {
            if variable.scope == Scope::Shared {
                owned.insert(VariableId(index as u32));
            }
        }
        for (edge, mentioned) in program.edges.iter().zip(&mentioned) {
            if by_others[edge.from.index()] {
                owned.retain(|variable| !mentioned.contains(variable));
            }
        }
        let is_private = |variable: &VariableId| {
            let is_local = program.variable(*variable).scope == Scope::Local;
            (is_local && !heard.contains(variable)) || owned.contains(variable)
        };
        let split = mentioned.iter().map(|all| all.iter().partition(|variable| is_private(variable)));
        let split: Vec<(Vec<VariableId>, Vec<VariableId>)> = split.collect();
        let protected = protected(program, &mentioned);
        let broadcasts = program.edges.iter().map(|edge| !edge.broadcast.is_empty());
        let is_seen =
            |other: &[VariableId], loud| loud || other.iter().any(|variable| !protected[variable.index()]);
        let visible = split.iter().zip(broadcasts).map(|((_, other), loud)| is_seen(other, loud)).collect();
        let private = split.into_iter().map(|(private, _)| private).collect();
        Knowledge { program, private, visible, names, heard, owned }
    }

    /// Whether the values of a variable can be known.
    pub(super) fn is_private(&self, variable: VariableId) -> bool {
        let is_local = self.program.variable(variable).scope == Scope::Local;
        (is_local && !self.heard.contains(&variable)) || self.owned.contains(&variable)
    }

    /// Whether others can see a step along the edge.
    pub(super) fn is_visible(&self, edge: EdgeId) -> bool {
        self.visible[edge.index()]
    }

    /// What is known at the start of a thread before its first step.
    pub(super) fn at_start(&self, thread: usize) -> Values {
        let variables = (0..self.program.variables.len()).map(|index| VariableId(index as u32));
        let known =
            variables.filter(|variable| self.is_private(*variable)).filter_map(|variable| {
                match self.program.variable(variable).scope {
                    Scope::Local => Some((variable, at_start(self.program, variable, Some(thread)))),
                    Scope::Shared if thread == 0 => Some((variable, at_start(self.program, variable, None))),
                    Scope::Shared => None,
                }
            });
        known.collect()
    }

    /// Whether a term over the variables of a thread depends on known values only.
    pub(super) fn is_known(&self, term: Term, values: &Values) -> bool {
        let names = term.constants().into_iter().filter_map(Term::as_constant);
        names.filter_map(|name| self.names.get(&name)).all(|variable| values.contains_key(variable))
    }

    /// Puts known values, and names for what is chosen, into the terms of an edge.
    pub(super) fn substitution(
        &self,
        id: EdgeId,
        values: &Values,
        place: (usize, usize, usize),
    ) -> Substitution {
        let edge = self.program.edge(id);
        let private = self.private[id.index()].iter();
        let known = private
            .filter_map(|variable| Some((self.program.variable(*variable).term(), *values.get(variable)?)));
        let inputs = edge.inputs.iter().map(|input| (input.term(), chosen(input, place)));
        Substitution::new(known.chain(inputs).collect())
    }

    /// Puts known values into a term.
    pub(super) fn apply(&self, term: Term, values: &Values) -> Term {
        let constants = term.constants().into_iter();
        let map = constants.filter_map(|constant| {
            let variable = self.names.get(&constant.as_constant()?)?;
            Some((constant, *values.get(variable)?))
        });
        term.substitute(&map.collect())
    }

    /// Forgets what does not matter at a location.
    pub(super) fn forget(&self, values: &mut Values, location: LocationId) {
        let live = &self.program.location(location).live;
        values.retain(|variable, _| self.owned.contains(variable) || live.binary_search(variable).is_ok());
    }

    /// Whether a variable matters at a location.
    pub(super) fn matters(&self, variable: VariableId, location: LocationId) -> bool {
        self.program.variable(variable).scope == Scope::Shared
            || self.program.location(location).live.binary_search(&variable).is_ok()
    }
}

/// A guard without what its own parts decide: `(a or b) and b` is `b`, `not (a or b) and b` is false. Known values leave such guards behind, and then steps seem to look at more than they do.
pub(super) fn absorbed(guard: Term) -> Term {
    let parts = guard.conjuncts();
    let given: FxHashSet<Term> = parts.iter().copied().collect();
    let rest = |choice: Term| {
        let disjuncts = choice.disjuncts();
        let holds = disjuncts.iter().any(|part| given.contains(part));
        let open = disjuncts.into_iter().filter(|part| !given.contains(&part.not()));
        if holds { Term::tru() } else { Term::or_all(open) }
    };
    Term::and_all(parts.into_iter().map(|part| match (part.op(), part.args()) {
        (Op::Or, _) => rest(part),
        (Op::Not, &[inner]) if *inner.op() == Op::Or => rest(inner).not(),
        _ => part,
    }))
}

/// Keeps what both know.
pub(super) fn meet(values: &mut Values, other: &Values) {
    values.retain(|variable, value| other.get(variable) == Some(value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Sort;

    #[test]
    fn guards_are_decided_by_their_parts() {
        let [a, b, c] = ["a", "b", "c"].map(|name| Term::constant(Symbol::new(name), Sort::Bool));
        assert_eq!(absorbed(a.or(b).and(b)), b);
        assert!(absorbed(a.or(b).not().and(b)).is_false());
        assert_eq!(absorbed(a.or(b).and(b.not())), a.and(b.not()));
        assert_eq!(absorbed(a.or(b).not().and(c)), a.or(b).not().and(c));
        assert_eq!(absorbed(a.or(b).and(c)), a.or(b).and(c));
    }
}
