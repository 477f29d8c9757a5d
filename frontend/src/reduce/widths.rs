//! Counters of which only the last bits matter: `place = next++ % 4` needs two bits of `next`.
//!
//! The last k bits of a sum, a difference, a product or a mask depend on nothing but the last k bits of its parts, so what a program needs of its variables can be
//! computed backward: all bits of what is compared, what chooses an element, what a property or a predicate of the user asks about; of what is assigned, as many
//! bits as the variable needs. A variable of which fewer bits are needed than it has keeps only these. Two states that differ in the other bits take the same steps to states that differ in nothing else, so
//! the same violations can be reached.
//!
//! This is done for variables that may have many values ([`super::domains`]): a counter that runs through all numbers becomes one that has a few values, and all states can be seen. The
//! new variable's name says what its value is: `next % 4`.

use super::domains::Domains;
use super::symbols::Symbols;
use crate::program::{DataType, Program, RaceAccess, Target, Variable, VariableId};
use rustc_hash::FxHashMap;
use smt::{Op, Sort, Symbol, Term, Value};

/// Variables keep at most so many bits; a counter with more has too many values all the same.
const MOST: u32 = 6;

/// Shortens what can be shortened.
pub(super) fn run(program: &mut Program) {
    let symbols = Symbols::new(program);
    let needed = needed(program, &symbols);
    let domains = Domains::new(program, &symbols);
    let mut short: FxHashMap<VariableId, Variable> = FxHashMap::default();
    for (index, variable) in program.variables.iter().enumerate() {
        let (id, bits) = (VariableId(index as u32), needed[index]);
        let Sort::BitVec(width) = variable.data_type.sort() else { continue };
        if 0 < bits && bits < width && bits <= MOST && domains.variable(id).is_none() {
            short.extend(shortened(variable, bits).map(|variable| (id, variable)));
        }
    }
    if !short.is_empty() {
        replace(program, &symbols, &short);
    }
}

/// The variable with its last bits only.
fn shortened(variable: &Variable, bits: u32) -> Option<Variable> {
    let init = match &variable.init {
        None => None,
        Some(value) => Some(Value::Bits(Term::value(value).extract(bits - 1, 0).as_bits()?.clone())),
    };
    let name = Symbol::new(&format!("{} % {}", variable.name, 1u32 << bits));
    let data_type = DataType::Int { width: bits, signed: false };
    Some(Variable { name, data_type, init, ..variable.clone() })
}

/// Puts the short variables in the place of the long ones.
fn replace(program: &mut Program, symbols: &Symbols, short: &FxHashMap<VariableId, Variable>) {
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    for (id, new) in short {
        let width = symbols.own(*id).width();
        map.insert(symbols.own(*id), new.term().resize_unsigned(width));
        if symbols.passive(*id) != symbols.own(*id) {
            map.insert(symbols.passive(*id), new.passive_term().resize_unsigned(width));
        }
    }
    for edge in &mut program.edges {
        edge.guard = edge.guard.substitute(&map);
        for (id, term) in edge.assign.iter_mut().chain(&mut edge.broadcast.assign) {
            *term = term.substitute(&map);
            if let Some(new) = short.get(id) {
                *term = term.extract(new.term().width() - 1, 0);
            }
        }
    }
    for location in &mut program.locations {
        location.may_end = location.may_end.substitute(&map);
    }
    for property in &mut program.properties {
        if let Target::Race(first, second) = &mut property.target {
            let indices = [first, second].into_iter().filter_map(|access| access.index.as_mut());
            indices.for_each(|index| *index = index.substitute(&map));
        }
    }
    program.predicates.iter_mut().for_each(|predicate| predicate.term = predicate.term.substitute(&map));
    for (id, new) in short {
        program.variables[id.index()] = new.clone();
    }
}

/// By variable: how many of its last bits matter; all bits of what is no number.
fn needed(program: &Program, symbols: &Symbols) -> Vec<u32> {
    let mut needs = Needs {
        symbols,
        bits: vec![0; program.variables.len()],
        terms: FxHashMap::default(),
        open: Vec::new(),
    };
    for (index, variable) in program.variables.iter().enumerate() {
        if variable.identity {
            needs.whole(variable.term());
        }
        if matches!(variable.data_type, DataType::Array { .. }) {
            needs.bits[index] = u32::MAX;
        }
    }
    for property in &program.properties {
        if let Target::Race(first, second) = &property.target {
            [first, second]
                .into_iter()
                .filter_map(|access: &RaceAccess| access.index)
                .for_each(|t| needs.whole(t));
        }
    }
    program.predicates.iter().for_each(|predicate| needs.whole(predicate.term));
    program.locations.iter().for_each(|location| needs.whole(location.may_end));
    program.edges.iter().for_each(|edge| needs.whole(edge.guard));
    loop {
        needs.settle();
        let before = needs.bits.clone();
        for edge in &program.edges {
            for (id, term) in edge.assign.iter().chain(&edge.broadcast.assign) {
                match needs.bits[id.index()] {
                    0 => {}
                    u32::MAX => needs.whole(*term),
                    bits => needs.need(*term, bits),
                }
            }
        }
        needs.settle();
        if needs.bits == before {
            return needs.bits;
        }
    }
}

struct Needs<'s> {
    symbols: &'s Symbols,
    /// By variable.
    bits: Vec<u32>,
    /// By term: how many of its last bits are known to be needed.
    terms: FxHashMap<Term, u32>,
    open: Vec<(Term, u32)>,
}

impl Needs<'_> {
    fn whole(&mut self, term: Term) {
        let bits = term.sort().width().unwrap_or(u32::MAX);
        self.need(term, bits);
    }

    fn need(&mut self, term: Term, bits: u32) {
        let bits = bits.min(term.sort().width().unwrap_or(u32::MAX));
        let known = self.terms.entry(term).or_insert(0);
        if *known < bits {
            *known = bits;
            self.open.push((term, bits));
        }
    }

    fn settle(&mut self) {
        while let Some((term, bits)) = self.open.pop() {
            self.parts(term, bits);
        }
    }

    /// What the last bits of a term need of its parts.
    fn parts(&mut self, term: Term, bits: u32) {
        let literal = |term: Term| term.as_bits().and_then(|bits| bits.to_u128());
        match (term.op(), term.args()) {
            (Op::Const(_), _) => {
                if let Some(reading) = self.symbols.reading(term) {
                    let known = &mut self.bits[reading.variable().index()];
                    *known = (*known).max(bits);
                }
            }
            (Op::BvAnd, &[one, other]) => {
                let of_mask =
                    |mask: Term| literal(mask).map_or(bits, |mask| bits.min(128 - mask.leading_zeros()));
                self.need(one, of_mask(other));
                self.need(other, of_mask(one));
            }
            (Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvOr | Op::BvXor | Op::BvNot | Op::BvNeg, parts) => {
                parts.iter().for_each(|&part| self.need(part, bits));
            }
            (Op::BvUrem, &[number, divisor]) if literal(divisor).is_some_and(u128::is_power_of_two) => {
                self.need(number, bits.min(literal(divisor).map_or(bits, u128::trailing_zeros)));
            }
            (Op::Extract { low, .. }, &[number]) => self.need(number, bits.saturating_add(*low)),
            (Op::ZeroExtend(_) | Op::SignExtend(_), &[number]) => self.need(number, bits),
            (Op::Concat, &[high, low]) => {
                self.need(low, bits);
                self.need(high, bits.saturating_sub(low.width()));
            }
            (Op::Ite, &[condition, then, els]) if term.sort().width().is_some() => {
                self.whole(condition);
                self.need(then, bits);
                self.need(els, bits);
            }
            (_, parts) => parts.iter().for_each(|&part| self.whole(part)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text::read;

    #[test]
    fn counters_keep_what_is_looked_at() {
        let mut program = read(
            "program 1
            shared next: u32 = 5
            shared compared: u32 = 0
            local old: u32 = 0
            local place: u32 = 0
            location 0 live old
            location 1 live place
            main 0
            edge 0: 0 -> 1
              assign old := next
              assign next := (bvadd next #x00000001)
              assign compared := (bvadd compared #x00000001)
            edge 1: 1 -> 0
              guard (bvult compared #x00000007)
              assign place := (bvurem old #x00000004)
            edge 2: 0 -> 1
              guard (= place #x00000002)
            property p assertion \"p\" at 1
            ",
        )
        .unwrap();
        run(&mut program);
        let names: Vec<String> = program.variables.iter().map(|variable| variable.name.to_string()).collect();
        assert_eq!(names, ["next % 4", "compared", "old % 4", "place"]);
        assert_eq!(program.variables[0].init, Some(Value::bits(2, 1)));
        assert_eq!(crate::program::validate::validate(&program, Default::default()), []);
    }
}
