//! Where threads begin and end: the arguments of `main`, the end of the process, the model's record of a thread that has finished.

use super::calls::CallSite;
use super::known::Known;
use super::{Expander, Instance, Root, Source};
use crate::lower::graph::{
    Access, Address, Argument, CallResult, FunctionId, Index, MemoryOrder, NodeId, Op, Parameter, Storage,
};
use crate::types::Type;
use rustc_hash::FxHashMap;
use smt::Term;

/// More than the number of arguments of any process: the array of their addresses has room for so many.
const MAX_ARGUMENTS: u64 = crate::lower::layout::UNKNOWN_SIZE / 8;
impl Expander<'_, '_> {
    pub(super) fn root(&mut self, thread: Option<FunctionId>, function: FunctionId) {
        self.root = self.out.roots.len() as u32;
        let name = self.code.shown_name(function);
        let source = Source { span: self.head(function), function: name };
        let entry = self.node(source);
        let end = self.node(source);
        let Some(instance) = self.instance(function, 0) else { return };
        let parameters = instance.body.parameters.clone();
        self.out.roots.push(Root { function: thread, entry, parameters: parameters.clone() });
        let mut start = entry;
        if thread.is_none() {
            start = self.main_parameters(&parameters, start, source);
        }
        if let Some(slots) = instance.body.variable {
            for op in self.variable_arguments(slots, &[]) {
                let next = self.node(source);
                self.step(start, next, op, source, false);
                start = next;
            }
        }
        self.copy(function, &instance, (start, end), Known::default(), None, 0);
        match thread {
            Some(_) => self.finish_thread(&instance, end, source),
            None => self.finish_process(end, source),
        }
    }

    pub(crate) fn head(&self, function: FunctionId) -> (u32, u32) {
        let name = self.code.functions[function.index()].name;
        self.code.definitions.get(&name).map_or((0, 0), |d| {
            let span = d.node.declarator.span;
            (span.start as u32, span.end as u32)
        })
    }

    /// `argc` is not negative; `argv` points to as many strings that may hold anything, and a null pointer behind them.
    fn main_parameters(
        &mut self,
        parameters: &[(Parameter, Type)],
        mut at: NodeId,
        source: Source,
    ) -> NodeId {
        let mut count = None;
        for (index, (parameter, ty)) in parameters.iter().enumerate() {
            let (register, object) = match parameter {
                Parameter::Register(register) => (*register, None),
                Parameter::Object(object) => (self.code.temporary(ty), Some(*object)),
            };
            let term = self.code.register_term(register);
            let mut ops = Vec::new();
            if index > 0 && ty.is_pointer() {
                let (address, end) = self.argument_strings(count);
                ops.extend(end);
                ops.push(Op::Let(register, address));
            } else {
                ops.push(Op::Havoc(register));
                if index == 0 && term.width() > 17 {
                    // No system gives a program more arguments than fit into the memory for them.
                    let most = Term::bv(term.width(), u128::from(MAX_ARGUMENTS));
                    ops.push(Op::Assume(Term::bv(term.width(), 0).sle(term).and(term.slt(most))));
                    count = Some(term);
                }
            }
            if let Some(object) = object {
                let access = Access::of(self.code.types.width(ty), ty.clone(), Some(MemoryOrder::SeqCst));
                ops.push(Op::Forget(object));
                ops.push(Op::Store(Address::object(object), access, term));
            }
            for op in ops {
                let next = self.node(source);
                self.step(at, next, op, source, false);
                at = next;
            }
        }
        at
    }

    /// An array of pointers to a string of any length and content, and the operation that ends it.
    fn argument_strings(&mut self, count: Option<Term>) -> (Term, Option<Op>) {
        let string = Type::Array(crate::types::CHAR.into(), None);
        let text = self.code.new_object("argv.text", string, Storage::Static, 0);
        self.code.objects[text.index()].init = None;
        self.code.objects[text.index()].writes = crate::lower::graph::Writes::Limit;
        let pointer = crate::types::CHAR.pointer();
        let vector =
            self.code.new_object("argv", Type::Array(pointer.clone().into(), None), Storage::Static, 0);
        self.code.objects[vector.index()].everywhere = Some(self.code.object_address(text));
        let end = count.map(|count| {
            let width = self.code.pointer_width();
            let index =
                Index { term: count.resize_unsigned(width), stride: u64::from(width / 8), count: None };
            let address = Address::Object { object: vector, offset: 0, indices: vec![index] };
            Op::Store(address, Access::of(width, pointer, Some(MemoryOrder::SeqCst)), Term::bv(width, 0))
        });
        (self.code.object_address(vector), end)
    }

    /// When `main` returns, the process ends, and so does every use of its locals.
    fn finish_process(&mut self, end: NodeId, source: Source) {
        let (mut leaving, mut into): (FxHashMap<NodeId, u32>, FxHashMap<NodeId, Vec<usize>>) =
            Default::default();
        for (index, step) in self.out.steps.iter().enumerate() {
            *leaving.entry(step.from).or_insert(0) += 1;
            into.entry(step.to).or_default().push(index);
        }
        let mut open = vec![end];
        while let Some(node) = open.pop() {
            for index in into.remove(&node).unwrap_or_default() {
                let step = &mut self.out.steps[index];
                if !matches!(step.op, Op::Dead(_) | Op::Skip) {
                    continue;
                }
                step.op = Op::Skip;
                let count = leaving.entry(step.from).or_insert(1);
                *count -= 1;
                if *count == 0 {
                    open.push(step.from);
                }
            }
        }
        let nowhere = self.node(source);
        self.step(end, nowhere, Op::Exit, source, false);
    }

    /// When a thread's function has returned, the model records that.
    fn finish_thread(&mut self, instance: &Instance, end: NodeId, source: Source) {
        let Some(finish) = self.code.finish else { return };
        let Some(target) = self.instance(finish, 0) else { return };
        let width = self.code.pointer_width();
        let value = match &instance.body.result {
            CallResult::Scalar(register, ty) => {
                let term = crate::lower::expression::bits_of(self.code.register_term(*register), width);
                if self.code.types.signed(ty) {
                    term.resize_signed(width)
                } else {
                    term.resize_unsigned(width)
                }
            }
            _ => Term::bv(width, 0),
        };
        let after = self.node(source);
        let arguments = [Argument::Scalar(value, Type::Void.pointer())];
        let site = CallSite { from: end, to: after, source, model: false, depth: 0 };
        self.call(finish, &target, &arguments, &CallResult::None, site);
    }
}
