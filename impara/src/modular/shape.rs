//! The shapes of formulas: bounds of numbers, bounds of differences between numbers that are counted or compared with each other, truth values.
//!
//! Bounds are literals of the program and their neighbours, so there are few, and a bound that has to give way does so a few times only. A number that has had one value only is equal to
//! it. The last bits of a number are known as long as all values have had them: an index that grows by two stays odd, so that the end of an array of odd length is never passed.

use frontend::program::{DataType, LocationId, Program, Scope, VariableId};
use rustc_hash::FxHashSet;
use smt::{Bits, Op, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// More pairs of numbers are not looked at.
const PAIRS: usize = 60;

/// More literals are no bounds.
const LITERALS: usize = 40;

/// More last bits are not looked at: each may give way once.
const LAST_BITS: u32 = 4;

/// Bounds of a difference.
const NEAR: [i128; 3] = [-1, 0, 1];

/// Something that has a value in a state.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Over the names of the program.
    pub(super) term: Term,
    variables: Vec<VariableId>,
    is_difference: bool,
}

/// What is known about a shape at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Its truth value.
    Truth(bool),
    /// Its signed value has at least one of these bounds, or known last bits.
    Number(Range),
    /// Nothing.
    Nothing,
}

/// What is known about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    low: Option<i128>,
    high: Option<i128>,
    /// One of its values, and how many of the last bits all others share with it.
    sample: i128,
    last_bits: u32,
}

impl Range {
    fn one(number: i128) -> Range {
        Range { low: Some(number), high: Some(number), sample: number, last_bits: LAST_BITS }
    }

    /// One more value, which moves the bounds to the next of these.
    fn join(self, number: i128, bounds: &[i128]) -> Known {
        let low = self.low.and_then(|low| match low <= number {
            true => Some(low),
            false => bounds.iter().rev().copied().find(|bound| *bound <= number),
        });
        let high = self.high.and_then(|high| match number <= high {
            true => Some(high),
            false => bounds.iter().copied().find(|bound| number <= *bound),
        });
        let last_bits = self.last_bits.min((self.sample ^ number).trailing_zeros());
        match low.is_none() && high.is_none() && last_bits == 0 {
            true => Known::Nothing,
            // The sample is looked at by its last bits only, so that what is known is equal if it says the same.
            false => {
                Known::Number(Range { low, high, sample: self.sample & ((1 << last_bits) - 1), last_bits })
            }
        }
    }

    /// The bounds as a condition of C. They are bounds of the signed value; an unsigned one has them if it is small.
    fn in_c(self, name: &str, is_signed: bool) -> Option<String> {
        if !is_signed && self.low.is_none_or(|low| low < 0) {
            return None;
        }
        let fits = |bound: &i128| (-LARGEST..=LARGEST).contains(bound);
        let (low, high) = (self.low.filter(fits), self.high.filter(fits));
        match (low, high) {
            (Some(low), Some(high)) if low == high => Some(format!("{name} == {low}")),
            (Some(low), Some(high)) => Some(format!("{name} >= {low} && {name} <= {high}")),
            // Every unsigned number is at least zero.
            (Some(0), None) if !is_signed => None,
            (Some(low), None) => Some(format!("{name} >= {low}")),
            (None, Some(high)) => Some(format!("{name} <= {high}")),
            (None, None) => None,
        }
    }

    fn formula(self, term: Term) -> Term {
        let literal = |number: i128| Term::bv_signed(term.width(), number);
        if let (Some(low), Some(high)) = (self.low, self.high)
            && low == high
        {
            return term.equals(literal(low));
        }
        let low = self.low.map(|low| literal(low).sle(term));
        let high = self.high.map(|high| term.sle(literal(high)));
        let bits = self.last_bits.min(term.width());
        let last = (bits > 0).then(|| {
            let sample = Term::bv_signed(term.width(), self.sample);
            term.extract(bits - 1, 0).equals(sample.extract(bits - 1, 0))
        });
        Term::and_all(low.into_iter().chain(high).chain(last))
    }
}

/// All shapes of a program.
pub(super) struct Shapes {
    all: Vec<Shape>,
    /// By width of numbers.
    bounds: BTreeMap<u32, Vec<i128>>,
    /// By location: those that a thread there has.
    at: Vec<Vec<usize>>,
}

impl Shapes {
    pub(super) fn new(program: &Program) -> Shapes {
        let mut all = Vec::new();
        let ids: Vec<VariableId> = (0..program.variables.len() as u32).map(VariableId).collect();
        for &id in &ids {
            let variable = program.variable(id);
            if matches!(variable.data_type, DataType::Bool | DataType::Int { width: 1..=64, .. }) {
                all.push(Shape { term: variable.term(), variables: vec![id], is_difference: false });
            }
        }
        for (one, other) in related(program, &ids) {
            let term = program.variable(one).term().bv_sub(program.variable(other).term());
            all.push(Shape { term, variables: vec![one, other], is_difference: true });
        }
        let at = (0..program.locations.len() as u32).map(LocationId);
        let at = at.map(|location| {
            let live = &program.location(location).live;
            let is_here = |id: &VariableId| program.variable(*id).scope == Scope::Shared || live.contains(id);
            (0..all.len()).filter(|&number| all[number].variables.iter().all(is_here)).collect()
        });
        Shapes { at: at.collect(), bounds: bounds(program), all }
    }

    /// The shapes at a location.
    pub(super) fn at(&self, location: LocationId) -> impl Iterator<Item = &Shape> {
        self.at[location.index()].iter().map(|&number| &self.all[number])
    }

    /// What is known when one more value is possible.
    pub(super) fn join(&self, shape: &Shape, known: Option<Known>, value: &Value) -> Known {
        let range = match (known, value) {
            (None, Value::Bool(value)) => return Known::Truth(*value),
            (Some(Known::Truth(known)), Value::Bool(value)) if known == *value => return Known::Truth(known),
            (None, Value::Bits(bits)) => {
                return bits.to_i128().map_or(Known::Nothing, |number| Known::Number(Range::one(number)));
            }
            (Some(Known::Number(range)), Value::Bits(_)) => range,
            _ => return Known::Nothing,
        };
        let Some(number) = value.as_bits().and_then(Bits::to_i128) else { return Known::Nothing };
        let bounds = match shape.is_difference {
            true => &NEAR[..],
            false => self.bounds.get(&shape.term.width()).map_or(&[][..], Vec::as_slice),
        };
        range.join(number, bounds)
    }
}

/// Numbers beyond are addresses or masks, which say nothing to a reader, or do not fit into an `int`.
const LARGEST: i128 = i32::MAX as i128;

impl Shape {
    /// What is known, as a condition of C about a variable that `name` has a name for; nothing if it cannot be said.
    pub(super) fn in_c(
        &self,
        known: Known,
        program: &Program,
        name: &dyn Fn(VariableId) -> Option<String>,
    ) -> Option<String> {
        let &[id] = self.variables.as_slice() else { return None };
        let name = name(id)?;
        match known {
            Known::Nothing => None,
            Known::Truth(value) => Some(format!("{name} == {}", u8::from(value))),
            Known::Number(range) => {
                let is_signed = matches!(program.variable(id).data_type, DataType::Int { signed: true, .. });
                range.in_c(&name, is_signed)
            }
        }
    }

    /// What is known, as a formula.
    pub(super) fn formula(&self, known: Known) -> Term {
        match known {
            Known::Nothing => Term::tru(),
            Known::Truth(true) => self.term,
            Known::Truth(false) => self.term.not(),
            Known::Number(range) => range.formula(self.term),
        }
    }
}

/// All terms of a program that decide what it does.
fn terms(program: &Program) -> impl Iterator<Item = Term> {
    program.edges.iter().flat_map(|edge| {
        let broadcast = edge.broadcast.assign.iter().map(|(_, term)| *term);
        edge.assign.iter().map(|(_, term)| *term).chain(broadcast).chain([edge.guard])
    })
}

/// All parts of all terms, each once.
fn parts(program: &Program) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut open: Vec<Term> = terms(program).collect();
    let mut parts = Vec::new();
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            parts.push(term);
            open.extend(term.args());
        }
    }
    parts
}

/// Literals and their neighbours, by width.
fn bounds(program: &Program) -> BTreeMap<u32, Vec<i128>> {
    let mut literals: BTreeMap<u32, BTreeSet<i128>> = BTreeMap::new();
    let initial = program.variables.iter().filter_map(|variable| variable.init.as_ref()?.as_bits().cloned());
    for bits in parts(program).into_iter().filter_map(|part| part.as_bits().cloned()).chain(initial) {
        if let (1..=64, Some(number)) = (bits.width(), bits.to_i128()) {
            literals.entry(bits.width()).or_default().insert(number);
        }
    }
    let bounds = literals.into_iter().map(|(width, numbers)| {
        let mut numbers: Vec<i128> = numbers.into_iter().collect();
        // Small numbers say more than masks and addresses.
        numbers.sort_by_key(|number| number.unsigned_abs());
        numbers.truncate(LITERALS);
        let near: BTreeSet<i128> =
            numbers.iter().flat_map(|number| NEAR.map(|by| number + by)).chain(NEAR).collect();
        let (least, most) = (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1);
        (width, near.into_iter().filter(|number| (least..=most).contains(number)).collect())
    });
    bounds.collect()
}

/// Pairs of numbers of the same width that are both counted, copied from one to the other, or compared.
fn related(program: &Program, ids: &[VariableId]) -> Vec<(VariableId, VariableId)> {
    let mut counted: BTreeSet<VariableId> = BTreeSet::new();
    let mut pairs: BTreeSet<(VariableId, VariableId)> = BTreeSet::new();
    let is_number =
        |id: &VariableId| matches!(program.variable(*id).data_type, DataType::Int { width: 8..=64, .. });
    let named = |term: Term| ids.iter().copied().find(|id| program.variable(*id).term() == term);
    let mut add = |one: Option<VariableId>, other: Option<VariableId>| {
        if let (Some(one), Some(other)) = (one, other)
            && one != other
        {
            pairs.insert((one.min(other), one.max(other)));
        }
    };
    for edge in &program.edges {
        for (id, term) in &edge.assign {
            if term.constants().contains(&program.variable(*id).term()) {
                counted.insert(*id);
            }
            add(Some(*id), named(*term));
        }
    }
    for part in parts(program) {
        if let (Op::Eq | Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle, &[one, other]) =
            (part.op(), part.args())
        {
            add(named(one), named(other));
        }
    }
    for (place, &one) in counted.iter().enumerate() {
        counted.iter().skip(place + 1).for_each(|&other| add(Some(one), Some(other)));
    }
    let width = |id: VariableId| program.variable(id).term().width();
    let fits = |(one, other): &(VariableId, VariableId)| {
        is_number(one) && is_number(other) && width(*one) == width(*other)
    };
    pairs.into_iter().filter(fits).take(PAIRS).collect()
}
