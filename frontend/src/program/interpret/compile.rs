//! From the terms of edges and races to code, once for each interpreter.

use super::layout::{Layout, Slot, is_small};
use super::machine::{Binary, Instruction, Owner, Register};
use crate::program::{Broadcast, Edge, Input, LocationId, Program, Scope, VariableId, passive};
use rustc_hash::FxHashMap;
use smt::{Op, Sort, Symbol, Term};
use std::sync::Arc;

/// Straight-line code and the registers it needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) instructions: Vec<Instruction>,
    pub(super) numbers: u32,
    pub(super) large: u32,
}

impl Code {
    /// Masks of the variables that it reads.
    fn masks(&self) -> Vec<(Owner, Slot)> {
        let loads = self.instructions.iter().filter_map(|instruction| match *instruction {
            Instruction::Load { owner, mask: Some(mask), .. } => Some((owner, mask)),
            _ => None,
        });
        loads.collect()
    }
}

/// A variable's new value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) owner: Owner,
    pub(super) slot: Slot,
    /// Where the variable's mask lies, if it has one.
    pub(super) mask: Option<Slot>,
    pub(super) register: Register,
}

/// What happens to each passive thread.
#[derive(Clone, Debug)]
pub(super) struct CompiledBroadcast {
    pub(super) code: Code,
    /// Masks of the variables that the code reads.
    pub(super) masks: Vec<(Owner, Slot)>,
    pub(super) writes: Vec<Write>,
}

/// An edge ready to run.
#[derive(Clone, Debug)]
pub(super) struct CompiledEdge {
    pub(super) to: LocationId,
    pub(super) code: Code,
    /// How many instructions the guard needs.
    pub(super) guard_end: usize,
    pub(super) guard: u32,
    /// Masks of the variables that the code reads.
    pub(super) masks: Vec<(Owner, Slot)>,
    pub(super) writes: Vec<Write>,
    pub(super) broadcast: Option<CompiledBroadcast>,
}

/// A term over one thread's variables, ready to run.
#[derive(Clone, Debug)]
pub(super) struct CompiledTerm {
    pub(super) code: Code,
    pub(super) register: Register,
}

/// Where a constant's value comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Variable(Owner, Slot, Option<Slot>),
    Input(Owner, u32),
}

/// Knows where all variables are.
pub(super) struct Compiler<'a> {
    program: &'a Program,
    layout: &'a Layout,
    sources: FxHashMap<Symbol, Source>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(program: &'a Program, layout: &'a Layout) -> Compiler<'a> {
        let mut sources = FxHashMap::default();
        for (index, variable) in program.variables.iter().enumerate() {
            let id = VariableId(index as u32);
            let source = |owner| Source::Variable(owner, layout.slot(id), layout.mask(id));
            match variable.scope {
                Scope::Shared => {
                    sources.insert(variable.name, source(Owner::Shared));
                }
                Scope::Local => {
                    sources.insert(variable.name, source(Owner::Active));
                    sources.insert(passive(variable.name), source(Owner::Passive));
                }
            }
        }
        Compiler { program, layout, sources }
    }

    pub(super) fn edge(&self, edge: &Edge) -> CompiledEdge {
        let mut builder = Builder::new(self);
        builder.inputs(&edge.inputs, Owner::Active);
        let guard = builder.number(edge.guard);
        let guard_end = builder.code.instructions.len();
        let writes = self.writes(&mut builder, &edge.assign, false);
        let broadcast = (!edge.broadcast.is_empty()).then(|| self.broadcast(&edge.inputs, &edge.broadcast));
        let masks = builder.code.masks();
        CompiledEdge { to: edge.to, code: builder.code, guard_end, guard, masks, writes, broadcast }
    }

    fn broadcast(&self, inputs: &[Input], broadcast: &Broadcast) -> CompiledBroadcast {
        let mut builder = Builder::new(self);
        builder.inputs(inputs, Owner::Active);
        builder.inputs(&broadcast.inputs, Owner::Passive);
        let writes = self.writes(&mut builder, &broadcast.assign, true);
        let masks = builder.code.masks();
        CompiledBroadcast { code: builder.code, masks, writes }
    }

    fn writes(&self, builder: &mut Builder<'_>, assign: &[(VariableId, Term)], passive: bool) -> Vec<Write> {
        let mut writes = Vec::with_capacity(assign.len());
        for &(variable, term) in assign {
            let owner = match self.program.variable(variable).scope {
                Scope::Shared => Owner::Shared,
                Scope::Local if passive => Owner::Passive,
                Scope::Local => Owner::Active,
            };
            let register = builder.term(term);
            let (slot, mask) = (self.layout.slot(variable), self.layout.mask(variable));
            writes.push(Write { owner, slot, mask, register });
        }
        writes
    }

    pub(super) fn term(&self, term: Term) -> CompiledTerm {
        let mut builder = Builder::new(self);
        let register = builder.term(term);
        CompiledTerm { code: builder.code, register }
    }
}

/// Code while it is made.
struct Builder<'a> {
    sources: &'a FxHashMap<Symbol, Source>,
    inputs: FxHashMap<Symbol, Source>,
    done: FxHashMap<Term, Register>,
    code: Code,
}

impl<'a> Builder<'a> {
    fn new(compiler: &'a Compiler<'_>) -> Builder<'a> {
        Builder {
            sources: &compiler.sources,
            inputs: FxHashMap::default(),
            done: FxHashMap::default(),
            code: Code::default(),
        }
    }

    fn inputs(&mut self, inputs: &[Input], owner: Owner) {
        for (index, input) in inputs.iter().enumerate() {
            self.inputs.insert(input.name, Source::Input(owner, index as u32));
        }
    }

    fn fresh(&mut self, sort: Sort) -> Register {
        if is_small(sort) {
            Register::Small(self.fresh_number())
        } else {
            Register::Large(self.fresh_large())
        }
    }

    fn fresh_number(&mut self) -> u32 {
        self.code.numbers += 1;
        self.code.numbers - 1
    }

    fn fresh_large(&mut self) -> u32 {
        self.code.large += 1;
        self.code.large - 1
    }

    fn emit(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
    }

    /// The register of a small term.
    fn number(&mut self, term: Term) -> u32 {
        match self.term(term) {
            Register::Small(register) => register,
            Register::Large(_) => self.fresh_number(),
        }
    }

    /// The register of a term; sub-terms first, without recursion since terms can be deep.
    fn term(&mut self, root: Term) -> Register {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(term.args().iter().copied().filter(|argument| !self.done.contains_key(argument)));
            if stack.len() == before {
                stack.pop();
                let register = self.node(term);
                self.done.insert(term, register);
            }
        }
        self.done[&root]
    }

    /// A term whose arguments are done.
    fn node(&mut self, term: Term) -> Register {
        if let Some(value) = term.as_value() {
            return self.constant(&value);
        }
        if let Some(name) = term.as_constant() {
            return self.load(name, term.sort());
        }
        let registers: Option<Vec<u32>> = term.args().iter().map(|argument| self.small(*argument)).collect();
        match registers {
            Some(registers) if is_small(term.sort()) => self.scalar(term, &registers),
            _ => self.large(term),
        }
    }

    fn small(&self, term: Term) -> Option<u32> {
        match self.done.get(&term) {
            Some(Register::Small(register)) => Some(*register),
            _ => None,
        }
    }

    fn constant(&mut self, value: &smt::Value) -> Register {
        match super::layout::small(value) {
            Some(number) => {
                let target = self.fresh_number();
                self.emit(Instruction::Constant { target, value: number });
                Register::Small(target)
            }
            None => {
                let target = self.fresh_large();
                self.emit(Instruction::LargeConstant { target, value: Arc::new(value.clone()) });
                Register::Large(target)
            }
        }
    }

    fn load(&mut self, name: Symbol, sort: Sort) -> Register {
        let target = self.fresh(sort);
        match self.inputs.get(&name).or_else(|| self.sources.get(&name)) {
            Some(&Source::Variable(owner, slot, mask)) => {
                self.emit(Instruction::Load { target, owner, slot, mask });
            }
            Some(&Source::Input(owner, index)) => self.emit(Instruction::Input { target, owner, index }),
            None => debug_assert!(false, "validation lets no other constants pass"),
        }
        target
    }

    /// An operation on numbers.
    fn scalar(&mut self, term: Term, registers: &[u32]) -> Register {
        let argument_width =
            |index: usize| term.args().get(index).map_or(1, |argument| width(argument.sort()));
        let result_width = width(term.sort());
        let target = match (term.op(), registers) {
            (Op::Not | Op::BvNot, &[operand]) => {
                let target = self.fresh_number();
                self.emit(Instruction::Not { target, width: result_width, operand });
                target
            }
            (Op::BvNeg, &[operand]) => {
                let target = self.fresh_number();
                self.emit(Instruction::Negate { target, width: result_width, operand });
                target
            }
            (Op::ZeroExtend(_), &[operand]) => operand,
            (Op::SignExtend(_), &[operand]) => {
                let target = self.fresh_number();
                let (from, to) = (argument_width(0), result_width);
                self.emit(Instruction::SignExtend { target, operand, from, to });
                target
            }
            (&Op::Extract { low, .. }, &[operand]) => {
                let target = self.fresh_number();
                self.emit(Instruction::Extract { target, operand, low, width: result_width });
                target
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let target = self.fresh_number();
                self.emit(Instruction::Choose { target, condition, then, otherwise });
                target
            }
            (Op::Implies, &[premise, conclusion]) => {
                let negated = self.fresh_number();
                self.emit(Instruction::Not { target: negated, width: 1, operand: premise });
                self.binary(Binary::Or, 1, negated, conclusion)
            }
            (op, &[first, ref rest @ ..]) => match binary(op) {
                Some(operation) => rest.iter().enumerate().fold(first, |sum, (index, &next)| {
                    self.binary(operation, argument_width(index + 1), sum, next)
                }),
                None => return self.large(term),
            },
            _ => return self.large(term),
        };
        Register::Small(target)
    }

    fn binary(&mut self, operation: Binary, width: u32, first: u32, second: u32) -> u32 {
        let target = self.fresh_number();
        self.emit(Instruction::Binary { target, operation, width, first, second });
        target
    }

    /// An operation with arrays or wide numbers.
    fn large(&mut self, term: Term) -> Register {
        if let (Op::Select, &[array, index]) = (term.op(), term.args())
            && let (Some(&Register::Large(array)), Some(index_register)) =
                (self.done.get(&array), self.small(index))
            && is_small(term.sort())
        {
            let target = self.fresh_number();
            let width = width(index.sort());
            self.emit(Instruction::Select { target, array, index: index_register, width });
            return Register::Small(target);
        }
        let operands = term
            .args()
            .iter()
            .filter_map(|argument| Some((*self.done.get(argument)?, argument.sort())))
            .collect();
        let target = self.fresh(term.sort());
        self.emit(Instruction::General { target, operation: term.op(), sort: term.sort(), operands });
        target
    }
}

/// Bits of a small sort.
fn width(sort: Sort) -> u32 {
    sort.width().unwrap_or(1)
}

/// The machine's operation for those of `smt` with two or more arguments.
fn binary(op: &Op) -> Option<Binary> {
    Some(match op {
        Op::And | Op::BvAnd => Binary::And,
        Op::Or | Op::BvOr => Binary::Or,
        Op::Xor | Op::BvXor => Binary::Xor,
        Op::Eq => Binary::Equal,
        Op::BvAdd => Binary::Add,
        Op::BvSub => Binary::Sub,
        Op::BvMul => Binary::Mul,
        Op::BvUdiv => Binary::Udiv,
        Op::BvUrem => Binary::Urem,
        Op::BvSdiv => Binary::Sdiv,
        Op::BvSrem => Binary::Srem,
        Op::BvShl => Binary::Shl,
        Op::BvLshr => Binary::Lshr,
        Op::BvAshr => Binary::Ashr,
        Op::BvUlt => Binary::Ult,
        Op::BvUle => Binary::Ule,
        Op::BvSlt => Binary::Slt,
        Op::BvSle => Binary::Sle,
        Op::Concat => Binary::Concat,
        _ => return None,
    })
}
