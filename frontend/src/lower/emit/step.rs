//! One operation, one edge, or one for each case.

use super::{Emitter, heap};
use crate::lower::expand::Step;
use crate::lower::graph::{Access, Address, Callee, CheckId, Op, Origin as Allocator, RegisterId};
use crate::program::{Effect, LocationId, Origin};
use smt::Term;

impl Emitter<'_, '_, '_> {
    pub(super) fn step(&mut self, index: usize, step: &Step, depths: &[u32]) {
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        let origin = self.origin(step.source);
        let plain =
            |s: &mut Self, guard: Term, origin| s.edge(from, to, guard, Vec::new(), Vec::new(), origin);
        match &step.op {
            Op::Skip | Op::AtomicEnd => plain(self, Term::tru(), origin),
            Op::AtomicBegin => {
                self.surroundings.begins(step.from, self.program.edges.len());
                plain(self, Term::tru(), origin);
            }
            Op::Assume(guard) => {
                let guard = self.term(*guard);
                plain(self, guard, origin);
            }
            Op::Let(register, value) => {
                let value = self.term(*value);
                let variable = self.register(*register);
                self.edge(from, to, Term::tru(), vec![(variable, value)], Vec::new(), origin);
            }
            Op::Havoc(register) => self.havoc(*register, step, origin),
            Op::Load(register, address, access) => {
                let inside = depths[step.from.index()] > 0;
                self.load(*register, address, access, step, inside);
            }
            Op::Store(address, access, value) => {
                let inside = depths[step.from.index()] > 0;
                self.store(address, access, *value, step, inside);
            }
            Op::Broadcast(address, access, value, choices) => {
                self.broadcast(step, address, access, *value, choices, origin)
            }
            Op::Clear(object) => self.birth(*object, step, true, origin),
            Op::Forget(object) => self.birth(*object, step, false, origin),
            Op::Measure(object, size) => self.measure(*object, *size, step, origin),
            Op::Dead(object) => self.death(*object, step, origin),
            Op::Allocate { register, size, zeroed, origin: from_where, .. } => {
                let fallible = *from_where == Allocator::Record;
                let request = heap::Request { register: *register, size: *size, zeroed: *zeroed, fallible };
                match self.sites.get(&index).cloned() {
                    Some(site) => self.allocate(&site, &request, step, origin),
                    None => self.limit(step, Term::tru(), "an allocation of more than 1 GB is not modelled"),
                }
            }
            Op::Free(pointer) => self.free(*pointer, step, origin),
            Op::Valid(pointer) => self.valid(*pointer, step, origin),
            Op::Apart(ranges) => self.apart(*ranges, step, origin),
            Op::ForgetPointed(pointer) => self.forget_pointed(*pointer, step, origin),
            Op::ObjectSize(register, pointer) => self.object_size(*register, *pointer, step, origin),
            Op::Spawn(Callee::Direct(function), arguments, record) => {
                self.spawn(*function, arguments, *record, step, origin)
            }
            Op::Approximate(reason) => {
                let note = self.note(Effect::Over, step.source, reason);
                self.push(from, to, Term::tru(), Vec::new(), Vec::new(), origin).approximate = Some(note);
            }
            Op::Fail(check) => self.fail(*check, step, origin),
            Op::Limit(message) => self.limit(step, Term::tru(), &crate::lower::shown::name(message)),
            Op::Outside(message) if depths[step.from.index()] > 1 => self.limit(step, Term::tru(), message),
            Op::Outside(_) => plain(self, Term::tru(), origin),
            Op::Exit => self.leaks(step, from),
            Op::Stop(_) => self.left_behind(step),
            // Calls are expanded, and spawns through pointers are dispatched before.
            Op::Call(..) | Op::Spawn(Callee::Indirect(..), ..) => {
                self.limit(step, Term::tru(), "this call is not modelled");
            }
        }
    }

    fn havoc(&mut self, register: RegisterId, step: &Step, origin: Vec<Origin>) {
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        let variable = self.register(register);
        let input = self.value_of(register);
        let assign = vec![(variable, input.term())];
        let guess = self.code.registers[register.index()].guess;
        let note = guess.map(|reason| self.note(Effect::Over, step.source, reason.as_str()));
        self.push(from, to, Term::tru(), assign, vec![input], origin).approximate = note;
    }

    fn load(&mut self, register: RegisterId, address: &Address, access: &Access, step: &Step, inside: bool) {
        let (to, origin) = (LocationId(step.to.0), self.origin(step.source));
        let variable = self.register(register);
        let (cases, none) = self.access(step, address, access, false, inside);
        for (start, case) in cases {
            let value = self.read(&case, access);
            self.edge(start, to, Term::tru(), vec![(variable, value)], Vec::new(), origin.clone());
        }
        if access.padding {
            self.no_padding(step, none, access, Some(variable), origin);
        }
    }

    fn store(&mut self, address: &Address, access: &Access, value: Term, step: &Step, inside: bool) {
        let (to, origin) = (LocationId(step.to.0), self.origin(step.source));
        let value = self.term(value);
        let (cases, none) = self.access(step, address, access, true, inside);
        for (start, case) in cases {
            let new = self.written(&case, access, value);
            self.edge(start, to, Term::tru(), vec![(case.variable, new)], Vec::new(), origin.clone());
        }
        if access.padding {
            self.no_padding(step, none, access, None, origin);
        }
    }

    fn fail(&mut self, check: CheckId, step: &Step, origin: Vec<Origin>) {
        let check = &self.code.checks[check.index()];
        let place = if check.model { step.source.span.0 } else { check.offset as u32 };
        let function = if check.model { step.source.function } else { check.function };
        let target = self.target(check.kind, &check.description, function, place, step.source);
        self.edge(LocationId(step.from.0), target, Term::tru(), Vec::new(), Vec::new(), origin);
    }
}
