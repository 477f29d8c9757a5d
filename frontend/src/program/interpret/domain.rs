//! Which values are tried where a step or the start may choose freely.
//!
//! If all combinations of a step's choices are few, all are tried. Otherwise each choice gets a sample: 0, 1, -1, the literals
//! of its width in the program, the smallest and the largest signed number, in this order; for arrays, those that have
//! one sampled value everywhere. Samples are cut so that the combinations stay within the same limit. Whoever uses a sample
//! has not seen everything, and is told.

use super::expand::Combination;
use super::layout::{Cell, is_small};
use super::lazy::Plan;
use crate::program::{Edge, Program, Target};
use rustc_hash::FxHashSet;
use smt::{ArrayValue, Bits, Op, Sort, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many values are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputDomain {
    /// Combinations of all inputs in one step, those of passive threads included.
    pub max_input_values: usize,
    /// Combinations of all unknown initial values.
    pub max_initial_states: usize,
}

impl Default for InputDomain {
    fn default() -> InputDomain {
        InputDomain { max_input_values: 256, max_initial_states: 4096 }
    }
}

/// Values for a list of choices.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// For each choice, what is tried.
    pub(super) lists: Vec<Vec<Cell>>,
    /// Whether these are all values.
    pub(super) complete: bool,
}

/// Values for the inputs of an edge.
#[derive(Clone, Debug)]
pub(super) struct EdgeDomain {
    pub(super) inputs: Vec<Vec<Cell>>,
    /// For each passive thread.
    pub(super) passive: Vec<Vec<Cell>>,
    pub(super) complete: bool,
}

/// Literals by width.
pub(super) type Literals = BTreeMap<u32, BTreeSet<Bits>>;

/// The values to try for each edge, when there are this many passive threads.
/// Inputs that the plan leaves open are zero.
pub(super) fn of_edges(
    program: &Program,
    domain: &InputDomain,
    passive_threads: usize,
    plan: Option<&Plan>,
) -> Vec<EdgeDomain> {
    let literals = literals(program);
    let edges = program.edges.iter().enumerate();
    let masks = |index| plan.map_or(&[][..], |plan| plan.inputs(index));
    edges.map(|(index, edge)| of_edge(edge, domain, passive_threads, &literals, masks(index))).collect()
}

fn of_edge(
    edge: &Edge,
    domain: &InputDomain,
    passive_threads: usize,
    literals: &Literals,
    masks: &[Option<Cell>],
) -> EdgeDomain {
    let own = edge.inputs.len();
    let mut used = used_constants(edge);
    for (input, _) in edge.inputs.iter().zip(masks).filter(|(_, mask)| mask.is_some()) {
        used.remove(&input.name);
    }
    let wanted = |name: Symbol, sort: Sort| used.contains(&name).then_some(sort);
    let mut sorts: Vec<(Sort, Option<Sort>)> =
        edge.inputs.iter().map(|input| (input.sort, wanted(input.name, input.sort))).collect();
    for _ in 0..passive_threads {
        sorts.extend(edge.broadcast.inputs.iter().map(|input| (input.sort, wanted(input.name, input.sort))));
    }
    let needed: Vec<Sort> = sorts.iter().filter_map(|(_, wanted)| *wanted).collect();
    let chosen = values(&needed, domain.max_input_values, literals);
    let mut lists = chosen.lists.into_iter();
    // What the edge does not look at needs one value only.
    let mut all: Vec<Vec<Cell>> = sorts
        .iter()
        .map(|(sort, wanted)| {
            let list = if wanted.is_some() { lists.next() } else { None };
            list.unwrap_or_else(|| vec![Cell::new(&Value::zero(*sort))])
        })
        .collect();
    let passive = all.split_off(own).into_iter().take(edge.broadcast.inputs.len()).collect();
    EdgeDomain { inputs: all, passive, complete: chosen.complete }
}

/// The names of the constants in an edge's terms.
pub(super) fn used_constants(edge: &Edge) -> FxHashSet<Symbol> {
    let broadcast = edge.broadcast.assign.iter().map(|(_, term)| *term);
    let terms = edge.assign.iter().map(|(_, term)| *term).chain(broadcast).chain([edge.guard]);
    terms.flat_map(Term::constants).filter_map(Term::as_constant).collect()
}

/// Values for choices of these sorts, at most `limit` combinations.
pub(super) fn values(sorts: &[Sort], limit: usize, literals: &Literals) -> Values {
    let total = sorts.iter().try_fold(1_usize, |product, sort| product.checked_mul(cardinality(*sort)?));
    if total.is_some_and(|total| total <= limit) {
        return Values { lists: sorts.iter().map(|sort| all(*sort)).collect(), complete: true };
    }
    let mut lists: Vec<Vec<Cell>> = sorts.iter().map(|sort| sample(*sort, literals)).collect();
    let mut longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    while longest > 1 && product(&lists).is_none_or(|total| total > limit) {
        longest -= 1;
        for list in &mut lists {
            list.truncate(longest);
        }
    }
    Values { lists, complete: false }
}

fn product(lists: &[Vec<Cell>]) -> Option<usize> {
    lists.iter().try_fold(1_usize, |product, list| product.checked_mul(list.len()))
}

/// How many values a sort has, if they can be counted and tried.
pub(super) fn cardinality(sort: Sort) -> Option<usize> {
    match sort {
        Sort::Bool => Some(2),
        Sort::BitVec(width) => 1_usize.checked_shl(width),
        Sort::Array(array) => {
            let length = 1_usize.checked_shl(array.index.width()?)?;
            cardinality(array.element)?.checked_pow(u32::try_from(length).ok()?)
        }
    }
}

fn all(sort: Sort) -> Vec<Cell> {
    let Sort::Array(array) = sort else {
        return (0..cardinality(sort).unwrap_or(0)).map(|value| Cell::Small(value as u128)).collect();
    };
    let width = array.index.width().unwrap_or(1);
    let elements = all(array.element);
    let lists = vec![elements; 1 << width];
    let mut combination = Combination::new(&lists, 1);
    let mut found = Vec::new();
    loop {
        let zero = ArrayValue::constant(array.index, Value::zero(array.element));
        let cells = combination.cells.iter().enumerate();
        let value = cells.fold(zero, |value, (index, cell)| {
            value.into_stored(Bits::new(width, index as u128), cell.value(array.element))
        });
        found.push(Cell::new(&Value::Array(value)));
        if !combination.advance() {
            return found;
        }
    }
}

fn sample(sort: Sort, literals: &Literals) -> Vec<Cell> {
    match sort {
        Sort::Bool => all(sort),
        Sort::BitVec(width) => {
            let known = literals.get(&width).into_iter().flatten().cloned();
            let mut list: Vec<Bits> = Vec::new();
            let always = [Bits::zero(width), Bits::one(width), Bits::ones(width)];
            let extreme = [Bits::signed_min(width), Bits::signed_max(width)];
            for value in always.into_iter().chain(known).chain(extreme) {
                if !list.contains(&value) {
                    list.push(value);
                }
            }
            list.into_iter().map(|bits| Cell::new(&Value::Bits(bits))).collect()
        }
        Sort::Array(array) => {
            let elements = if is_small(array.element) { sample(array.element, literals) } else { Vec::new() };
            elements
                .iter()
                .map(|cell| ArrayValue::constant(array.index, cell.value(array.element)))
                .map(|array| Cell::new(&Value::Array(array)))
                .chain(elements.is_empty().then(|| Cell::new(&Value::zero(sort))))
                .collect()
        }
    }
}

/// All literals in the program's terms.
pub(super) fn literals(program: &Program) -> Literals {
    let mut found = Literals::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack: Vec<Term> = Vec::new();
    for edge in &program.edges {
        stack.push(edge.guard);
        stack.extend(edge.assign.iter().chain(&edge.broadcast.assign).map(|(_, term)| *term));
    }
    for property in &program.properties {
        if let Target::Race(first, second) = &property.target {
            stack.extend(first.index.iter().chain(&second.index));
        }
    }
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend(term.args());
            if let Op::Bits(bits) = term.op() {
                found.entry(bits.width()).or_default().insert(bits.clone());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_combinations_are_all_tried() {
        let chosen = values(&[Sort::BitVec(2), Sort::Bool], 8, &Literals::new());
        assert!(chosen.complete);
        assert_eq!(product(&chosen.lists), Some(8));
        assert!(values(&[], 0, &Literals::new()).lists.is_empty());
    }

    #[test]
    fn samples_are_cut_to_the_limit() {
        let literals = Literals::from([(32, BTreeSet::from([Bits::new(32, 7)]))]);
        let one = values(&[Sort::BitVec(32)], 8, &literals);
        let tried: Vec<Value> = one.lists[0].iter().map(|cell| cell.value(Sort::BitVec(32))).collect();
        let expected = [0, 1, -1, 7, i128::from(i32::MIN), i128::from(i32::MAX)];
        assert_eq!(tried, expected.map(|value| Value::Bits(Bits::from_i128(32, value))));
        let two = values(&[Sort::BitVec(32), Sort::BitVec(32)], 8, &literals);
        assert!(!two.complete);
        assert_eq!(product(&two.lists), Some(4));
        let many = values(&[Sort::BitVec(64); 200], 8, &literals);
        assert_eq!(product(&many.lists), Some(1));
    }

    #[test]
    fn arrays_are_sampled() {
        let sort = Sort::array(Sort::BitVec(2), Sort::Bool);
        let chosen = values(&[sort], 8, &Literals::new());
        assert!(!chosen.complete);
        assert_eq!(chosen.lists[0].len(), 2);
    }
}
