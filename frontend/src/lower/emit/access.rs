//! Accesses to memory: one edge for each cell that the address may be, and an end for every other address.
//!
//! No path ends in silence: an address that is no cell, an object that does not live, a literal that is written, and an object that is not
//! modelled exactly are violations where pointers are checked, and limits otherwise.

use super::Emitter;
use crate::lower::AFTER_LIFETIME;
use crate::lower::expand::{Step, Trust};
use crate::lower::expression::bits_of;
use crate::lower::graph::{Access, Address, Writes};
use crate::lower::memory::{Case, insert};
use crate::program::{Broadcast, Input, LocationId, Origin, PropertyKind, Scope, VariableId, passive};
use rustc_hash::FxHashMap;
use smt::{Sort, Symbol, Term};

const INVALID: &str = "this pointer may be null, dangling or out of bounds, or point to what is not modelled; --memory-safety-check tells which";

impl Emitter<'_, '_, '_> {
    /// The cases of an access, each with the location from which it is unconditional, and when it is none of them.
    pub(super) fn access(
        &mut self,
        step: &Step,
        address: &Address,
        access: &Access,
        write: bool,
        inside: bool,
    ) -> (Vec<(LocationId, Case)>, Term) {
        let cases = self.memory.cases(address, access, step.from);
        let from = LocationId(step.from.0);
        let mut result = Vec::new();
        let mut none = Term::tru();
        let races = self.may_race(step) && !access.padding;
        let count = cases.len();
        for mut case in cases {
            case.condition = self.term(case.condition);
            // Records of threads are looked at after their release by who joins twice, and say the same then.
            case.alive = if step.trust >= Trust::Numbers { Term::tru() } else { self.term(case.alive) };
            case.index = case.index.map(|index| self.term(index));
            none = none.and(case.condition.not());
            if self.is_refused(step, &case, write) {
                continue;
            }
            self.dead(step, case.condition.and(case.alive.not()));
            let mut condition = case.condition.and(case.alive);
            if !write && let Some(trap) = self.trap(&case, access) {
                self.limit(
                    step,
                    condition.and(trap),
                    "a byte is read as a truth value that is neither 0 nor 1",
                );
                condition = condition.and(trap.not());
            }
            let is_shared = self.memory.variables.get(case.variable).scope == Scope::Shared;
            let is_certain = condition.is_true();
            if is_certain && count == 1 {
                self.surroundings.is_certain(step.from);
            }
            let watched = races && is_shared;
            let checked = watched && self.code.options.race_check;
            let entrance =
                if checked && inside && is_certain { self.entrance(step, case.index) } else { None };
            let start = if is_certain && (!checked || entrance.is_some()) {
                from
            } else {
                self.branch(step, condition)
            };
            if watched {
                self.race_site(step, entrance.unwrap_or(start), &case, access, write);
            }
            result.push((start, case));
        }
        if !access.padding {
            let old = self.memory.old_addresses(address);
            let old = self.term(old);
            self.dead(step, none.and(old));
            self.invalid(none.and(old.not()), address, step);
        }
        (result, none)
    }

    /// Padding of objects that are no bytes is nowhere: a write goes on, a read yields anything. Whether the address is valid is asked by the
    /// accesses to the scalars around it.
    pub(super) fn no_padding(
        &mut self,
        step: &Step,
        none: Term,
        access: &Access,
        read: Option<VariableId>,
        origin: Vec<Origin>,
    ) {
        let (mut assign, mut inputs) = (Vec::new(), Vec::new());
        if let Some(variable) = read {
            let input = self.input(access.sort());
            assign.push((variable, input.term()));
            inputs.push(input);
        }
        self.edge(LocationId(step.from.0), LocationId(step.to.0), none, assign, inputs, origin);
    }

    /// A location behind a condition.
    pub(super) fn branch(&mut self, step: &Step, condition: Term) -> LocationId {
        let from = LocationId(step.from.0);
        let start = self.new_location(step.source);
        self.program.locations[start.index()].atomic = self.program.locations[from.index()].atomic;
        let origin = self.origin(step.source);
        self.edge(from, start, condition, Vec::new(), Vec::new(), origin);
        start
    }

    /// Accesses that are not done: what must not be written, and what is not modelled.
    fn is_refused(&mut self, step: &Step, case: &Case, write: bool) -> bool {
        let about = &self.code.objects[case.object.index()];
        if !case.direct && self.conflicts.contains(&case.object) {
            let message = format!(
                "other threads can reach '{}', of which each thread has its own: this is not modelled; make it global, or allocate it",
                about.name
            );
            self.limit(step, case.condition, &message);
            return true;
        }
        match about.writes {
            Writes::Violation if write => {
                self.pointer_violation(
                    step,
                    case.condition,
                    "a constant is written: a string literal, or an object that is declared const",
                );
                true
            }
            Writes::Limit if write => {
                let message =
                    "writing the strings that the program is started with is not modelled; copy them first";
                self.limit(step, case.condition, message);
                true
            }
            _ => false,
        }
    }

    /// An object that does not live any more.
    fn dead(&mut self, step: &Step, condition: Term) {
        self.pointer_violation(step, condition, AFTER_LIFETIME);
    }

    /// A library function writes what it reads.
    pub(super) fn overlap(&mut self, step: &Step, condition: Term) {
        self.pointer_violation(
            step,
            condition,
            "a library function is given objects that overlap, which C leaves undefined",
        );
    }

    /// A violation where pointers are checked, otherwise a limit.
    fn pointer_violation(&mut self, step: &Step, condition: Term, what: &str) {
        if condition.is_false() {
            return;
        }
        if self.code.options.pointer_check {
            self.violation(step, condition, PropertyKind::Pointer, what);
        } else {
            self.limit(step, condition, &format!("{what}; --memory-safety-check makes this a violation"));
        }
    }

    /// A dereference of something that is none of the known objects.
    fn invalid(&mut self, none: Term, address: &Address, step: &Step) {
        if none.is_false() || step.trust == Trust::Pointers {
            return;
        }
        if !self.code.options.pointer_check {
            return self.limit(step, none, INVALID);
        }
        let mut other = none;
        if let Address::Pointer { address, .. } = address {
            let pointer = self.term(*address);
            let null = none.and(pointer.equals(Term::bv(pointer.width(), 0)));
            self.violation(step, null, PropertyKind::Pointer, "a null pointer is dereferenced");
            other = none.and(pointer.distinct(Term::bv(pointer.width(), 0)));
        }
        self.violation(
            step,
            other,
            PropertyKind::Pointer,
            "a pointer is dereferenced that points to no object",
        );
    }

    /// The bytes of an access as one number, the first byte the least significant.
    fn bytes(&self, case: &Case, access: &Access) -> Term {
        let whole = self.memory.variables.term(case.variable);
        let byte = |element: u32| {
            let index = case.index.unwrap_or_else(|| Term::bv(32, 0));
            whole.select(index.bv_add(Term::bv(index.width(), u128::from(element))))
        };
        (1..case.elements(access)).fold(byte(0), |low, element| byte(element).concat(low))
    }

    /// What the variable, or the bytes of it, held before.
    fn old(&self, case: &Case, access: &Access) -> Term {
        if case.bytes {
            return self.bytes(case, access);
        }
        let whole = self.memory.variables.term(case.variable);
        case.index.map_or(whole, |index| whole.select(index))
    }

    /// When bytes are read as a truth value that are none.
    fn trap(&self, case: &Case, access: &Access) -> Option<Term> {
        if access.sort() != Sort::Bool || access.bit_field {
            return None;
        }
        let value = self.old(case, access);
        if value.sort() == Sort::Bool {
            return None;
        }
        let byte = value.extract((case.low + 7).min(value.width() - 1), case.low);
        Some(Term::bv(byte.width(), 1).ult(byte))
    }

    /// The value that an access reads.
    pub(super) fn read(&self, case: &Case, access: &Access) -> Term {
        let value = self.old(case, access);
        let stored = access.stored_bits();
        match (value.sort(), access.sort()) {
            (Sort::Bool, _) => value,
            (_, Sort::Bool) => {
                let bits = value.extract((case.low + stored - 1).min(value.width() - 1), case.low);
                bits.distinct(Term::bv(bits.width(), 0))
            }
            _ if value.width() == access.width => value,
            _ => value.extract(case.low + access.width - 1, case.low),
        }
    }

    /// The whole variable after an access has written.
    pub(super) fn written(&self, case: &Case, access: &Access, value: Term) -> Term {
        let old = self.old(case, access);
        let new = match (old.sort(), access.sort()) {
            (Sort::Bool, _) => value,
            (_, Sort::Bool) => insert(old, bits_of(value, access.stored_bits()), case.low),
            _ => insert(old, value, case.low),
        };
        let mut whole = self.memory.variables.term(case.variable);
        let Some(index) = case.index else { return new };
        if !case.bytes {
            return whole.store(index, new);
        }
        for element in 0..case.elements(access) {
            let at = index.bv_add(Term::bv(index.width(), u128::from(element)));
            whole = whole.store(at, new.extract(8 * element + 7, 8 * element));
        }
        whole
    }

    /// All other threads' copies of a thread-local scalar are assigned.
    pub(super) fn broadcast(
        &mut self,
        step: &Step,
        address: &Address,
        access: &Access,
        value: Term,
        choices: &[Term],
        origin: Vec<Origin>,
    ) {
        let value = self.term(value);
        let value = self.symbolic(value);
        let choices = choices.iter().filter_map(|c| Some(Input { name: c.as_constant()?, sort: c.sort() }));
        let inputs: Vec<Input> = choices.collect();
        let mut none = Term::tru();
        for case in self.memory.cases(address, access, step.from) {
            let condition = self.term(case.condition);
            none = none.and(condition.not());
            let variable = self.memory.variables.get(case.variable);
            if variable.scope == Scope::Shared || case.bytes {
                self.limit(step, condition, "a broadcast needs a thread-local variable");
                continue;
            }
            let own = Term::constant(passive(variable.name), variable.data_type.sort());
            let old = case.index.map_or(own, |index| own.select(index));
            let mut before = FxHashMap::default();
            before.insert(Term::constant(Symbol::new(crate::lower::graph::OWN), old.sort()), old);
            let value = value.substitute(&before);
            let new = case.index.map_or(value, |index| own.store(index, value));
            let broadcast = Broadcast { assign: vec![(case.variable, new)], inputs: inputs.clone() };
            let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
            self.push(from, to, condition, Vec::new(), Vec::new(), origin.clone()).broadcast = broadcast;
        }
        self.invalid(none, address, step);
    }
}
