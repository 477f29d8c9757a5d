//! Inputs of steps: names apart, and none that do not matter.
//!
//! An input stands for "there is a value": the one-point rule removes it where the guard says which value that is. From
//! `i = t`, with no `i` in `t`, follows that `i` can be replaced by `t` everywhere; a guard `i` or `not i` names a
//! truth value in the same way. A guard `not (i = t)` is no restriction if `i` occurs nowhere else, since every sort
//! has at least two values.

use super::symbols::Symbols;
use crate::program::{Edge, Input, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Sort, Substitution, Symbol, Term};

/// Names in use, and new ones.
pub(super) struct Names {
    used: FxHashSet<Symbol>,
    /// The last number that was added to a name.
    last: FxHashMap<Symbol, u32>,
}

impl Names {
    /// The names of variables and of their copies in passive threads.
    pub(super) fn of_variables(program: &Program, symbols: &Symbols) -> Names {
        let mut used: FxHashSet<Symbol> = program.variables.iter().map(|v| v.name).collect();
        let ids = (0..program.variables.len() as u32).map(crate::program::VariableId);
        used.extend(ids.filter_map(|id| symbols.passive(id).as_constant()));
        Names { used, last: FxHashMap::default() }
    }

    /// Makes names free again.
    fn forget(&mut self, names: &[Symbol]) {
        names.iter().for_each(|name| {
            self.used.remove(name);
        });
        self.last.clear();
    }

    /// The name itself if it is free, otherwise with a number that makes it new: `x` becomes `x.2`, and that `x.3`.
    pub(super) fn fresh(&mut self, name: Symbol) -> Symbol {
        if self.used.insert(name) {
            return name;
        }
        let base = base(name);
        let last = self.last.entry(base).or_insert(1);
        loop {
            *last += 1;
            let candidate = Symbol::new(&format!("{base}.{last}"));
            if self.used.insert(candidate) {
                return candidate;
            }
        }
    }
}

/// The name without the number that [`Names::fresh`] adds.
fn base(name: Symbol) -> Symbol {
    match name.as_str().rsplit_once('.') {
        Some((base, number)) if !base.is_empty() && number.parse::<u32>().is_ok() => Symbol::new(base),
        _ => name,
    }
}

/// Gives all inputs of the program different names, so that any edges can be composed. The result has them all.
pub(super) fn make_unique(program: &mut Program, symbols: &Symbols) -> Names {
    let mut names = Names::of_variables(program, symbols);
    for edge in &mut program.edges {
        let mut map = FxHashMap::default();
        for input in edge.inputs.iter_mut().chain(&mut edge.broadcast.inputs) {
            let old = input.term();
            input.name = names.fresh(input.name);
            if input.term() != old {
                map.insert(old, input.term());
            }
        }
        substitute(edge, map);
    }
    names
}

/// Undoes [`make_unique`] as far as possible: names need to be apart within an edge only. So edges that do the same
/// look the same.
pub(super) fn shorten_names(program: &mut Program, symbols: &Symbols) {
    let mut names = Names::of_variables(program, symbols);
    for edge in &mut program.edges {
        let mut map = FxHashMap::default();
        let mut given = Vec::new();
        for input in edge.inputs.iter_mut().chain(&mut edge.broadcast.inputs) {
            let old = input.term();
            input.name = names.fresh(base(input.name));
            given.push(input.name);
            if input.term() != old {
                map.insert(old, input.term());
            }
        }
        substitute(edge, map);
        names.forget(&given);
    }
}

/// Replaces constants in all terms of the edge.
pub(super) fn substitute(edge: &mut Edge, map: FxHashMap<Term, Term>) {
    if map.is_empty() {
        return;
    }
    let mut substitution = Substitution::new(map);
    edge.guard = substitution.apply(edge.guard);
    for (_, term) in edge.assign.iter_mut().chain(&mut edge.broadcast.assign) {
        *term = substitution.apply(*term);
    }
}

/// Removes the inputs of the edge that are determined, or not restricted, by the guard, and those that occur nowhere.
pub(super) fn eliminate(edge: &mut Edge) {
    if edge.broadcast.is_empty() {
        edge.broadcast.inputs.clear();
    }
    if edge.inputs.is_empty() && edge.broadcast.inputs.is_empty() {
        return;
    }
    while solve_one(edge) {}
    if edge.inputs.is_empty() && edge.broadcast.inputs.is_empty() {
        return;
    }
    while drop_free(edge) {}
    drop_satisfied(edge);
    drop_unused(edge);
}

/// Replaces one input whose value the guard says.
fn solve_one(edge: &mut Edge) -> bool {
    let inputs: FxHashSet<Term> = edge.inputs.iter().map(Input::term).collect();
    let conjuncts = edge.guard.conjuncts();
    let solved = conjuncts.iter().enumerate().find_map(|(at, &conjunct)| {
        let (input, value) = point(conjunct, &inputs)?;
        Some((at, input, value))
    });
    let Some((at, input, value)) = solved else { return false };
    let rest = conjuncts.iter().enumerate().filter(|&(index, _)| index != at);
    edge.guard = Term::and_all(rest.map(|(_, &conjunct)| conjunct));
    edge.inputs.retain(|i| i.term() != input);
    substitute(edge, FxHashMap::from_iter([(input, value)]));
    true
}

/// Drops conjuncts that only say of an input, which occurs nowhere else, what it is not.
fn drop_free(edge: &mut Edge) -> bool {
    let inputs: FxHashSet<Term> = edge.inputs.iter().map(Input::term).collect();
    let conjuncts = edge.guard.conjuncts();
    let avoids = |conjunct: Term| match (conjunct.op(), conjunct.args()) {
        (Op::Not, &[inner]) => equation(inner, &inputs),
        _ => None,
    };
    if !conjuncts.iter().any(|conjunct| avoids(*conjunct).is_some()) {
        return false;
    }
    let mut occurrences: FxHashMap<Term, u32> = FxHashMap::default();
    let values = edge.assign.iter().chain(&edge.broadcast.assign).map(|&(_, term)| term);
    for term in conjuncts.iter().copied().chain(values) {
        for constant in term.constants() {
            *occurrences.entry(constant).or_insert(0) += 1;
        }
    }
    let is_free = |conjunct: Term| avoids(conjunct).is_some_and(|(input, _)| occurrences[&input] == 1);
    let kept: Vec<Term> = conjuncts.iter().copied().filter(|&conjunct| !is_free(conjunct)).collect();
    if kept.len() == conjuncts.len() {
        return false;
    }
    edge.guard = Term::and_all(kept);
    true
}

/// Drops conjuncts about an input alone that occurs nowhere else, if some value makes all of them true.
fn drop_satisfied(edge: &mut Edge) {
    let values: Vec<Term> = edge.assign.iter().chain(&edge.broadcast.assign).map(|&(_, term)| term).collect();
    let assigned: FxHashSet<Term> = smt::traverse::constants(values).into_iter().collect();
    let conjuncts = edge.guard.conjuncts();
    let read: Vec<Vec<Term>> = conjuncts.iter().map(|conjunct| conjunct.constants()).collect();
    let mut about: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
    for (at, constants) in read.iter().enumerate() {
        constants.iter().for_each(|constant| about.entry(*constant).or_default().push(at));
    }
    let mut is_dropped = vec![false; conjuncts.len()];
    for input in edge.inputs.iter().map(Input::term).filter(|input| !assigned.contains(input)) {
        let Some(places) = about.get(&input).filter(|all| all.iter().all(|&at| read[at] == [input])) else {
            continue;
        };
        let about: Vec<Term> = places.iter().map(|&at| conjuncts[at]).collect();
        let holds = |value: Term| {
            let map = FxHashMap::from_iter([(input, value)]);
            about.iter().all(|conjunct| conjunct.substitute(&map).is_true())
        };
        if samples(&about, input).into_iter().any(holds) {
            places.iter().for_each(|&at| is_dropped[at] = true);
        }
    }
    if is_dropped.contains(&true) {
        let rest = conjuncts.iter().zip(&is_dropped).filter(|(_, is_dropped)| !**is_dropped);
        edge.guard = Term::and_all(rest.map(|(conjunct, _)| *conjunct));
    }
}

/// Values next to the literals in the terms, and some others.
fn samples(terms: &[Term], input: Term) -> Vec<Term> {
    let Sort::BitVec(width) = input.sort() else { return Vec::new() };
    let one = Term::bv(width, 1);
    let mut found = vec![Term::bv(width, 0)];
    let mut stack: Vec<Term> = terms.to_vec();
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            found.extend((term.sort() == input.sort() && term.as_bits().is_some()).then_some(term));
            stack.extend(term.args());
        }
    }
    found.into_iter().flat_map(|value| [value, value.bv_add(one), value.bv_sub(one)]).collect()
}

/// An input to which the conjunct leaves one value, and that value.
fn point(conjunct: Term, inputs: &FxHashSet<Term>) -> Option<(Term, Term)> {
    if inputs.contains(&conjunct) {
        return Some((conjunct, Term::tru()));
    }
    match (conjunct.op(), conjunct.args()) {
        (Op::Not, [inner]) if inputs.contains(inner) => Some((*inner, Term::fls())),
        _ => equation(conjunct, inputs),
    }
}

/// An input on one side of an equation only, and the other side.
fn equation(term: Term, inputs: &FxHashSet<Term>) -> Option<(Term, Term)> {
    // Truth values that differ are an equation, too.
    let (op @ (Op::Eq | Op::Xor), &[left, right]) = (term.op(), term.args()) else { return None };
    let is_solved = |(side, other): &(Term, Term)| inputs.contains(side) && !other.constants().contains(side);
    let (input, other) = [(left, right), (right, left)].into_iter().find(is_solved)?;
    Some((input, if *op == Op::Xor { other.not() } else { other }))
}

fn drop_unused(edge: &mut Edge) {
    let mut used: FxHashSet<Term> = edge.guard.constants().into_iter().collect();
    for (_, term) in edge.assign.iter().chain(&edge.broadcast.assign) {
        used.extend(term.constants());
    }
    let is_used = |input: &Input| used.contains(&input.term());
    edge.inputs.retain(is_used);
    edge.broadcast.inputs.retain(is_used);
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, edge, two};
    use super::*;
    use crate::program::{LocationId, VariableId};
    use smt::Sort;

    fn input(name: &str) -> Input {
        Input { name: Symbol::new(name), sort: Sort::BitVec(2) }
    }

    fn with(names: &[&str], guard: impl Fn(&[Term]) -> Term, value: impl Fn(&[Term]) -> Term) -> Edge {
        let inputs: Vec<Input> = names.iter().map(|name| input(name)).collect();
        let terms: Vec<Term> = inputs.iter().map(Input::term).collect();
        let mut edge = edge(LocationId(0), LocationId(0));
        (edge.guard, edge.assign) = (guard(&terms), vec![(VariableId(0), value(&terms))]);
        edge.inputs = inputs;
        eliminate(&mut edge);
        edge
    }

    #[test]
    fn a_value_that_the_guard_names_is_put_in() {
        let edge = with(&["i", "j"], |i| i[0].equals(two(3)).and(i[1].equals(i[0])), |i| i[1]);
        assert_eq!((edge.guard, edge.inputs.len()), (Term::tru(), 0));
        assert_eq!(edge.assign[0].1, two(3));
        let edge = with(&["i"], |i| i[0].equals(i[0].bv_mul(i[0])), |i| i[0]);
        assert_eq!(edge.inputs.len(), 1, "that names no value");
    }

    #[test]
    fn a_value_to_avoid_is_no_restriction_unless_it_is_used() {
        let edge = with(&["i"], |i| i[0].distinct(two(3)), |_| two(0));
        assert_eq!((edge.guard, edge.inputs.len()), (Term::tru(), 0));
        let edge = with(&["i"], |i| i[0].distinct(two(3)), |i| i[0]);
        assert_eq!((edge.guard.is_true(), edge.inputs.len()), (false, 1));
    }

    #[test]
    fn a_choice_that_is_only_tested_is_made_if_it_can_be() {
        let edge = with(&["i"], |i| i[0].distinct(two(3)).and(i[0].ult(two(2))), |_| two(0));
        assert_eq!((edge.guard, edge.inputs.len()), (Term::tru(), 0));
        let edge = with(&["i"], |i| i[0].bv_mul(i[0]).equals(two(2)), |_| two(0));
        assert_eq!(edge.inputs.len(), 1, "no square is 2");
        let edge = with(&["i", "j"], |i| i[0].ult(i[1]), |_| two(0));
        assert_eq!(edge.inputs.len(), 2, "two choices at once are left alone");
    }

    #[test]
    fn names_are_made_different_and_short_again() {
        let mut builder = Builder::new();
        builder.shared("i.2", Some(0));
        for _ in 0..2 {
            let edge = builder.edge(LocationId(0), LocationId(0));
            edge.inputs = vec![input("i"), input("j")];
            edge.assign = vec![(VariableId(0), edge.inputs[0].term().bv_xor(edge.inputs[1].term()))];
        }
        let symbols = Symbols::new(&builder.program);
        let before = builder.program.clone();
        make_unique(&mut builder.program, &symbols);
        let names = |program: &Program| -> Vec<String> {
            program.edges.iter().flat_map(|e| &e.inputs).map(|i| i.name.to_string()).collect()
        };
        assert_eq!(names(&builder.program), ["i", "j", "i.3", "j.2"]);
        let second = &builder.program.edges[1];
        assert_eq!(second.assign[0].1, second.inputs[0].term().bv_xor(second.inputs[1].term()));
        shorten_names(&mut builder.program, &symbols);
        assert_eq!(builder.program, before);
    }
}
