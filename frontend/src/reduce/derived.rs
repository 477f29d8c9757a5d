//! Locals that are computed from another local which is needed anyway.
//!
//! `lock(&locks[i])` hands on an address, `&locks + 4 * i`. The parameter says nothing that `i` does not say, as long as neither of the two
//! changes; but whoever proves something about it has to find out what it has to do with `i`, and that it is a multiple of four.
//! So it is replaced by the term.
//!
//! A local that no broadcast assigns or reads is its own thread's business. A forward data-flow analysis finds, for each location, such
//! locals that equal a term over one other such local, whichever way the thread came. A step that assigns neither keeps the fact; one that assigns the local a
//! simple term makes one, in the values that hold after the step: where the step assigns another local, too, and that one's term is a part of the first one's, the part
//! is that other local. Ways that disagree make the fact unknown. By induction over the steps of a run, facts hold in every state.
//!
//! Terms are sums and multiples of the other local, and conversions: what is as easy to compute as to remember. The local is replaced only where the other one is live, so
//! that no thread remembers more than before.

use super::coalesce::in_broadcasts;
use super::liveness::{self, Liveness};
use super::symbols::{Reading, Symbols};
use super::{compose, graph};
use crate::program::{Edge, EdgeId, LocationId, Program, Scope, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::{Op, Substitution, Symbol, Term};

/// Larger terms are worth remembering.
const SIZE: usize = 12;

/// What is known at a location: locals and the terms that they equal, sorted by local.
type Facts = Vec<(VariableId, Term)>;

/// Replaces what is computed from others.
pub(super) fn run(program: &mut Program) {
    let symbols = Symbols::new(program);
    let liveness = liveness::analyse(program, &symbols);
    let facts = Analysis::new(program, &symbols, &liveness).solve();
    for edge in &mut program.edges {
        let Some(known) = replacement(&symbols, &facts[edge.from.index()]) else { continue };
        rewrite(&symbols, known, edge);
    }
    for property in &mut program.properties {
        let Target::Race(first, second) = &mut property.target else { continue };
        for access in [first, second] {
            if let Some(index) = &mut access.index
                && let Some(mut known) = replacement(&symbols, &facts[access.location.index()])
            {
                *index = known.apply(*index);
            }
        }
    }
}

fn rewrite(symbols: &Symbols, mut known: Substitution, edge: &mut Edge) {
    edge.guard = known.apply(edge.guard);
    for (_, term) in edge.assign.iter_mut().chain(&mut edge.broadcast.assign) {
        *term = known.apply(*term);
    }
    compose::drop_identities(symbols, edge);
}

/// The facts as a replacement; nothing if there are none.
fn replacement(symbols: &Symbols, facts: &Option<Facts>) -> Option<Substitution> {
    let facts = facts.as_ref().filter(|facts| !facts.is_empty())?;
    Some(Substitution::new(facts.iter().map(|&(id, term)| (symbols.own(id), term)).collect()))
}

struct Analysis<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    liveness: &'a Liveness,
    /// By variable: a local of one number or truth value that has nothing to do with broadcasts.
    is_tracked: Vec<bool>,
    /// By location; nothing where no thread has been seen yet.
    facts: Vec<Option<Facts>>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, symbols: &'a Symbols, liveness: &'a Liveness) -> Analysis<'a> {
        let broadcasts = in_broadcasts(program, symbols);
        let is_tracked = program.variables.iter().enumerate().map(|(index, variable)| {
            let is_scalar = variable.data_type.sort().index().is_none();
            let is_local = variable.scope == Scope::Local && !variable.identity;
            is_local && is_scalar && !broadcasts.contains(&VariableId(index as u32))
        });
        let is_tracked = is_tracked.collect();
        Analysis { program, symbols, liveness, is_tracked, facts: vec![None; program.locations.len()] }
    }

    fn solve(mut self) -> Vec<Option<Facts>> {
        let program = self.program;
        for start in program.pool.into_iter().chain([program.main]) {
            self.facts[start.index()] = Some(Facts::new());
        }
        graph::until_stable(program, |edge| {
            self.after(edge).is_some_and(|after| self.meet(program.edge(edge).to, after))
        });
        self.facts
    }

    /// What is known after the edge, of what is live then.
    fn after(&self, id: EdgeId) -> Option<Facts> {
        let edge = self.program.edge(id);
        let before = self.facts[edge.from.index()].as_ref()?;
        let is_changed = |id: VariableId| edge.assign.iter().any(|(changed, _)| *changed == id);
        let is_kept = |&&(id, term): &&(VariableId, Term)| {
            !is_changed(id) && !self.source(term).is_none_or(is_changed) && self.is_wanted(id, term, edge.to)
        };
        let mut facts: Facts = before.iter().filter(is_kept).copied().collect();
        let assigned: Vec<(VariableId, Term)> =
            edge.assign.iter().copied().filter(|(id, _)| self.is_tracked[id.index()]).collect();
        if assigned.is_empty() {
            return Some(facts);
        }
        let mut known = replacement(self.symbols, &self.facts[edge.from.index()]).unwrap_or_default();
        let assigned: Vec<(VariableId, Term)> =
            assigned.into_iter().map(|(id, term)| (id, known.apply(term))).collect();
        for &(id, term) in &assigned {
            let own = self.source(term).filter(|&source| !is_changed(source) && source != id);
            let term = match own {
                Some(_) => Some(term),
                None => self.in_terms_of_another(id, term, &assigned),
            };
            facts.extend(term.filter(|term| self.is_wanted(id, *term, edge.to)).map(|term| (id, term)));
        }
        facts.sort_unstable_by_key(|fact| fact.0);
        Some(facts)
    }

    /// The term in values that hold after the step, if it is made from what the step assigns to another local.
    fn in_terms_of_another(
        &self,
        id: VariableId,
        term: Term,
        assigned: &[(VariableId, Term)],
    ) -> Option<Term> {
        assigned.iter().find_map(|&(other, part)| {
            if other == id || part == term || part.args().is_empty() {
                return None;
            }
            // What is left of the values before the step, maybe the other one's own, would be a second constant beside this one.
            let marker = Term::constant(Symbol::new("<other>"), part.sort());
            let map = |from: Term, to: Term| -> FxHashMap<Term, Term> { [(from, to)].into_iter().collect() };
            let replaced = term.substitute(&map(part, marker));
            if replaced.constants() != [marker] {
                return None;
            }
            let replaced = replaced.substitute(&map(marker, self.symbols.own(other)));
            (self.source(replaced) == Some(other)).then_some(replaced)
        })
    }

    /// The one local that a term is made of, if it is simple enough.
    fn source(&self, term: Term) -> Option<VariableId> {
        let mut constants = term.constants().into_iter();
        let (first, rest) = (constants.next()?, constants.next());
        let source = match self.symbols.reading(first)? {
            Reading::Own(id) if self.is_tracked[id.index()] => id,
            _ => return None,
        };
        (rest.is_none() && term.size() <= SIZE && is_simple(term)).then_some(source)
    }

    /// Whether the fact is of use there: the local is live, and what it is made of is, too. Copies are found by others.
    fn is_wanted(&self, id: VariableId, term: Term, location: LocationId) -> bool {
        let is_live = |id: VariableId| self.liveness.is_live(id, location);
        !term.args().is_empty() && is_live(id) && self.source(term).is_some_and(is_live)
    }

    /// Keeps what both know at a location; true if that changed something.
    fn meet(&mut self, location: LocationId, other: Facts) -> bool {
        let Some(facts) = &mut self.facts[location.index()] else {
            self.facts[location.index()] = Some(other);
            return true;
        };
        let before = facts.len();
        facts.retain(|(id, term)| {
            other.binary_search_by_key(id, |fact| fact.0).is_ok_and(|at| other[at].1 == *term)
        });
        facts.len() < before
    }
}

/// Sums, multiples and conversions.
fn is_simple(term: Term) -> bool {
    let is_literal = |term: &Term| term.as_bits().is_some();
    let here = match term.op() {
        Op::Const(_) | Op::Bits(_) => true,
        Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvNot | Op::Concat => true,
        Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) => true,
        Op::BvMul => term.args().iter().any(is_literal),
        Op::BvShl => term.args().last().is_some_and(is_literal),
        _ => false,
    };
    here && term.args().iter().all(|part| is_simple(*part))
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, two};
    use super::*;

    #[test]
    fn what_is_computed_from_a_local_is_replaced_until_one_of_the_two_changes() {
        let mut builder = Builder::new();
        let (i, p) = (builder.local("i", None), builder.local("p", Some(0)));
        let s = builder.shared("s", Some(0));
        let [a, b, c, d, e] = builder.locations();
        builder.assign(LocationId(0), a, p.0, i.1.bv_add(two(1)));
        builder.assign(a, b, s.0, p.1);
        builder.assign(b, c, i.0, i.1.bv_mul(two(3)));
        builder.assign(c, d, s.0, p.1);
        builder.assign(d, e, s.0, i.1);
        run(&mut builder.program);
        assert_eq!(builder.program.edges[1].assign, [(s.0, i.1.bv_add(two(1)))]);
        assert_eq!(builder.program.edges[3].assign, [(s.0, p.1)], "i is another one now");
    }

    #[test]
    fn one_step_may_assign_both() {
        let mut builder = Builder::new();
        let (i, p) = (builder.local("i", None), builder.local("p", Some(0)));
        let s = builder.shared("s", Some(0));
        let [a, b, c] = builder.locations();
        let new = s.1.bv_add(i.1);
        builder.edge(LocationId(0), a).assign = vec![(i.0, new), (p.0, new.bv_mul(two(3)))];
        builder.assign(a, b, s.0, p.1);
        builder.assign(b, c, s.0, i.1);
        run(&mut builder.program);
        assert_eq!(builder.program.edges[1].assign, [(s.0, i.1.bv_mul(two(3)))]);
    }

    #[test]
    fn a_value_of_before_the_step_is_not_that_of_after() {
        let mut builder = Builder::new();
        let (i, p) = (builder.local("i", None), builder.local("p", Some(0)));
        let s = builder.shared("s", Some(0));
        let [a, b, c] = builder.locations();
        // p is one more than the old i.
        builder.edge(LocationId(0), a).assign = vec![(i.0, i.1.bv_mul(two(3))), (p.0, i.1.bv_add(two(1)))];
        builder.assign(a, b, s.0, p.1);
        builder.assign(b, c, s.0, i.1);
        run(&mut builder.program);
        assert_eq!(builder.program.edges[1].assign, [(s.0, p.1)]);
    }

    #[test]
    fn ways_that_meet_have_to_agree() {
        let program = |first: u128, second: u128| {
            let mut builder = Builder::new();
            let (i, p) = (builder.local("i", None), builder.local("p", Some(0)));
            let s = builder.shared("s", None);
            let [a, b, c] = builder.locations();
            builder.assign(LocationId(0), a, p.0, i.1.bv_add(two(first)));
            builder.assign(LocationId(0), a, p.0, i.1.bv_add(two(second)));
            builder.assign(a, b, s.0, p.1);
            builder.assign(b, c, s.0, i.1);
            run(&mut builder.program);
            builder.program.edges[2].assign == [(s.0, i.1.bv_add(two(first)))]
        };
        assert!(program(1, 1));
        assert!(!program(1, 2));
    }

    #[test]
    fn what_is_not_needed_anyway_is_not_kept_alive() {
        let mut builder = Builder::new();
        let (i, p) = (builder.local("i", None), builder.local("p", Some(0)));
        let s = builder.shared("s", None);
        let [a, b] = builder.locations();
        builder.assign(LocationId(0), a, p.0, i.1.bv_add(two(1)));
        builder.assign(a, b, s.0, p.1);
        run(&mut builder.program);
        assert_eq!(builder.program.edges[1].assign, [(s.0, p.1)]);
    }

    #[test]
    fn what_others_assign_is_not_known() {
        let mut builder = Builder::new();
        let (i, p) = (builder.local("i", None), builder.local("p", Some(0)));
        let s = builder.shared("s", None);
        let ([a, b, c], pool) = (builder.locations(), builder.pool());
        builder.assign(LocationId(0), a, p.0, i.1.bv_add(two(1)));
        builder.assign(a, b, s.0, p.1);
        builder.assign(b, c, s.0, i.1);
        builder.edge(pool, pool).broadcast.assign = vec![(i.0, two(1))];
        run(&mut builder.program);
        assert_eq!(builder.program.edges[1].assign, [(s.0, p.1)]);
    }
}
