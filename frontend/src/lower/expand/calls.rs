//! Calls and starts of threads: who may be called, how arguments and results are passed.

use super::known::{Known, is_closed};
use super::{Expander, Instance, Source};
use crate::lower::graph::{
    Access, Address, Argument, CallResult, Callee, Check, FunctionId, MemoryOrder, NodeId, Op, Parameter,
    RegisterId,
};
use crate::types::{FunctionType, Type, Types};
use smt::Term;

/// Where a call or the start of a thread stands.
#[derive(Clone, Copy)]
pub(super) struct CallSite {
    pub from: NodeId,
    pub to: NodeId,
    pub source: Source,
    /// Inside of a model whose accesses are not the user's.
    pub model: bool,
    /// How many atomic sections are open.
    pub depth: u32,
}

impl Expander<'_, '_> {
    /// The functions that a call may reach, each with the condition under which it does.
    fn candidates(&mut self, callee: &Callee) -> Vec<(Term, FunctionId)> {
        match callee {
            Callee::Direct(function) => vec![(Term::tru(), *function)],
            Callee::Indirect(term, ty) => {
                let address = |s: &Self, function: FunctionId| {
                    s.code.object_address(s.code.functions[function.index()].object)
                };
                let is_known = is_closed(*term);
                let mut taken = self.by_type.taken().iter();
                if let Some(known) = taken.find(|f| is_known && address(self, **f) == *term) {
                    return vec![(Term::tru(), *known)];
                }
                let found = self.by_type.candidates(self.code, ty).to_vec();
                found.into_iter().map(|f| (term.equals(address(self, f)), f)).collect()
            }
        }
    }

    /// Expands a call; the depth of atomic sections behind it.
    pub(super) fn calls(
        &mut self,
        callee: &Callee,
        arguments: &[Argument],
        result: &CallResult,
        site: CallSite,
    ) -> u32 {
        let mut behind = None;
        let mut none = Term::tru();
        for (condition, function) in self.candidates(callee) {
            none = none.and(condition.not());
            let here = self.under(condition, site);
            let level = match &self.sharing {
                Some(sharing) => sharing.level(function),
                None => self.depth.get(&function).copied().unwrap_or(0),
            };
            if level > self.code.options.unwind_recursion {
                let name = self.code.shown_name(function);
                let most = self.code.options.unwind_recursion;
                let message =
                    format!("'{name}' calls itself more than {most} times; raise --unwind-recursion");
                self.stop_at(here, message);
                continue;
            }
            match self.instance(function, level) {
                Some(instance) => {
                    let after = self.call(function, &instance, arguments, result, here);
                    behind.get_or_insert(after);
                }
                None => {
                    let name = self.code.shown_name(function);
                    let message = format!("'{name}' is called through a pointer and has no definition");
                    self.stop_at(here, message);
                }
            }
        }
        self.unresolved(callee, none, site);
        behind.unwrap_or(site.depth)
    }

    /// The site behind a condition.
    fn under(&mut self, condition: Term, site: CallSite) -> CallSite {
        if condition.is_true() {
            return site;
        }
        let start = self.node(site.source);
        self.step(site.from, start, Op::Assume(condition), site.source, site.model);
        CallSite { from: start, ..site }
    }

    /// Control gets no further than here.
    fn stop_at(&mut self, site: CallSite, message: String) {
        let nowhere = self.node(site.source);
        self.step(site.from, nowhere, Op::Limit(message), site.source, site.model);
    }

    /// What happens if a function pointer is none of the known functions: a violation if pointers are checked and there are such functions, or if it is
    /// null; otherwise nothing is known.
    fn unresolved(&mut self, callee: &Callee, none: Term, site: CallSite) {
        if none.is_false() {
            return;
        }
        let is_checked = self.code.options.pointer_check;
        let mut otherwise = none;
        if let (Callee::Indirect(pointer, _), true) = (callee, is_checked && none.is_true()) {
            let null = pointer.equals(Term::bv(self.code.pointer_width(), 0));
            let fail = self.wrong_call("a function is called through a null pointer", site);
            self.fallen(null, fail, site);
            otherwise = null.not();
        }
        let op = if none.is_true() || !is_checked {
            let message = "this pointer may be none of the known functions of its type: nothing is known about such a call";
            Op::Limit(message.to_owned())
        } else {
            self.wrong_call("a function is called through a pointer that is none of its type", site)
        };
        self.fallen(otherwise, op, site);
    }

    /// A step from which control does not go on.
    fn fallen(&mut self, condition: Term, op: Op, site: CallSite) {
        if condition.is_false() {
            return;
        }
        let (start, nowhere) = (self.node(site.source), self.node(site.source));
        self.step(site.from, start, Op::Assume(condition), site.source, site.model);
        self.step(start, nowhere, op, site.source, site.model);
    }

    fn wrong_call(&mut self, description: &str, site: CallSite) -> Op {
        Op::Fail(self.code.add_check(Check {
            kind: crate::program::PropertyKind::Pointer,
            description: description.to_owned(),
            function: site.source.function,
            offset: site.source.span.0 as usize,
            model: false,
        }))
    }

    /// Passes the arguments, goes through the body, takes the result.
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        instance: &Instance,
        arguments: &[Argument],
        result: &CallResult,
        site: CallSite,
    ) -> u32 {
        let CallSite { source, model, depth, .. } = site;
        let (at, known) = self.pass_arguments(instance, arguments, site);
        let end = self.node(source);
        let callee_is_model = self.code.functions[function.index()].model;
        let depth = if self.sharing.as_ref().is_some_and(|sharing| sharing.is_shared(function)) {
            self.through_shared(function, instance, (at, end), depth, source, model)
        } else {
            let place = callee_is_model.then_some(source);
            self.copy(function, instance, (at, end), known, place, depth)
        };
        self.take_result(instance, result, CallSite { from: end, ..site });
        depth
    }

    /// Parameters get their values: where control is then, and what is known of them.
    fn pass_arguments(
        &mut self,
        instance: &Instance,
        arguments: &[Argument],
        site: CallSite,
    ) -> (NodeId, Known) {
        let CallSite { source, model, .. } = site;
        let mut at = site.from;
        let mut known = Known::default();
        for (argument, (parameter, ty)) in arguments.iter().zip(&instance.body.parameters) {
            let mut add = |s: &mut Self, op: Op| {
                let next = s.node(source);
                s.step(at, next, op, source, model);
                at = next;
            };
            match (argument, parameter) {
                (Argument::Scalar(term, _), Parameter::Register(register)) => {
                    let term = self.fit(*term, *register);
                    if is_closed(term) && !instance.assigned.contains(register) {
                        known.insert(self.code.register_term(*register), term);
                    }
                    add(self, Op::Let(*register, term));
                }
                (Argument::Scalar(term, _), Parameter::Object(object)) => {
                    let access = Access::of(self.code.types.width(ty), ty.clone(), Some(MemoryOrder::SeqCst));
                    let address = Address::object(*object);
                    add(self, Op::Forget(*object));
                    add(self, Op::Store(address, access, *term));
                }
                (Argument::Aggregate(source_address, ty), Parameter::Object(object)) => {
                    add(self, Op::Forget(*object));
                    for op in self.copy_object(source_address.clone(), Address::object(*object), ty) {
                        add(self, op);
                    }
                }
                (Argument::Aggregate(..), Parameter::Register(register)) => add(self, Op::Havoc(*register)),
            }
        }
        if let Some(slots) = instance.body.variable {
            let rest = arguments.get(instance.body.parameters.len()..).unwrap_or_default();
            for op in self.variable_arguments(slots, rest) {
                let next = self.node(source);
                self.step(at, next, op, source, model);
                at = next;
            }
        }
        (at, known)
    }

    /// A value in the sort of the parameter that takes it.
    fn fit(&self, term: Term, register: RegisterId) -> Term {
        let sort = self.code.registers[register.index()].sort;
        match (sort.width(), term.sort().width()) {
            (Some(width), Some(other)) if width != other => term.resize_unsigned(width),
            (Some(width), None) => crate::lower::expression::bits_of(term, width),
            (None, Some(width)) => term.distinct(Term::bv(width, 0)),
            _ => term,
        }
    }

    fn take_result(&mut self, instance: &Instance, result: &CallResult, site: CallSite) {
        let CallSite { from: end, to, source, model, .. } = site;
        match (result, &instance.body.result) {
            (CallResult::Scalar(register, _), CallResult::Scalar(value, _)) => {
                let term = self.fit(self.code.register_term(*value), *register);
                self.step(end, to, Op::Let(*register, term), source, model);
            }
            (CallResult::Scalar(register, _), _) => self.step(end, to, Op::Havoc(*register), source, model),
            (CallResult::Aggregate(object), CallResult::Aggregate(value)) => {
                let ty = self.code.objects[object.index()].ty.clone();
                let mut at = end;
                for op in self.copy_object(Address::object(*value), Address::object(*object), &ty) {
                    let next = self.node(source);
                    self.step(at, next, op, source, model);
                    at = next;
                }
                self.step(at, to, Op::Skip, source, model);
            }
            _ => self.step(end, to, Op::Skip, source, model),
        }
    }

    /// Loads and stores that copy a struct.
    pub(super) fn copy_object(&mut self, from: Address, to: Address, ty: &Type) -> Vec<Op> {
        use crate::lower::expression::{Place, PlaceKind};
        let span = lang_c::span::Span { start: 0, end: 0 };
        let Ok(scalars) = self.code.scalars(ty, span) else {
            return vec![Op::Limit("this struct is too large to be passed by value".to_owned())];
        };
        let (from, to) = (Place::memory(from, ty.clone()), Place::memory(to, ty.clone()));
        let mut ops = Vec::new();
        for (offset, indices, leaf) in scalars {
            let access = Access::plain(leaf.width, leaf.ty.clone())
                .of_bit_field(leaf.bit_field)
                .of_own(leaf.thread_local);
            let register = self.code.temporary(&leaf.ty);
            self.code.registers[register.index()].sort = access.sort();
            let term = self.code.register_term(register);
            let source = self.code.part(&from, offset, &indices, &leaf);
            let target = self.code.part(&to, offset, &indices, &leaf);
            if let (PlaceKind::Memory(source), PlaceKind::Memory(target)) = (source.kind, target.kind) {
                ops.push(Op::Load(register, source, access.clone()));
                ops.push(Op::Store(target, access, term));
            }
        }
        ops
    }

    /// Starts a thread with each function that it may be.
    pub(super) fn spawns(&mut self, callee: &Callee, arguments: &[Argument], record: Term, site: CallSite) {
        let mut none = Term::tru();
        for (condition, function) in self.candidates(callee) {
            none = none.and(condition.not());
            let here = self.under(condition, site);
            if self.code.functions[function.index()].body.is_none() {
                let name = self.code.shown_name(function);
                self.stop_at(here, format!("'{name}' has no definition to run in a thread"));
                continue;
            }
            if !self.roots.contains_key(&function) {
                self.roots.insert(function, self.roots.len() as u32 + 1);
                self.queue.push(function);
            }
            let spawn = Op::Spawn(Callee::Direct(function), arguments.to_vec(), record);
            self.step(here.from, here.to, spawn, here.source, here.model);
        }
        self.unresolved(callee, none, site);
    }
}

/// Whether a function may be called through a pointer of this type.
pub(crate) fn compatible(types: &Types, function: &Type, called: &Type) -> bool {
    let (Type::Function(a), Type::Function(b)) = (function, called) else { return false };
    let same = |x: &Type, y: &Type| {
        x == y
            || (x.is_scalar()
                && y.is_scalar()
                && !x.is_float()
                && !y.is_float()
                && types.width(x) == types.width(y))
    };
    let FunctionType { result, parameters, variadic } = &**a;
    (*result == b.result
        || (result.is_scalar() && b.result.is_scalar())
        || *result == Type::Void
        || b.result == Type::Void)
        && (parameters.len() == b.parameters.len() || *variadic || b.variadic)
        && parameters.iter().zip(&b.parameters).all(|(x, y)| same(x, y))
}
