//! Inline assembly (GCC manual, extended asm): what is known is translated instruction by instruction, everything else does anything to its outputs.
//!
//! | file | what |
//! |---|---|
//! | `operands` | operands of the statement: registers, memory, numbers, flags |
//! | `execution` | operands of an instruction: reads and writes |
//! | `permission` | what constraints forbid |
//! | `machine` | registers and flags of the processor as terms |
//! | `x86`, `bits`, `arm` | what instructions do |
//!
//! A template is tried as x86 and then as AArch64, first without keeping the operations. Their instructions have different names, so at most
//! one fits. What fits neither has any value in its outputs, if its constraints say all there is to say: with a `memory` clobber, with
//! a pointer among its operands, with labels to jump to, or without operands at all it may do more, and is a limit.
//! `docs/ASSEMBLY.md` has the table of what is known; a test runs each on the processor and compares.

mod arm;
mod bits;
mod exchange;
mod execution;
mod machine;
mod operands;
mod permission;
#[cfg(test)]
mod tests;
mod x86;

use super::context::{Lowered, Lowerer, unsupported};
use super::graph::{NodeId, Op};
use crate::assembly::{Instruction, Operand, Syntax, instructions, statements};
use crate::program::Effect;
use crate::tokens::ASM_GOTO;
use execution::Execution;
use lang_c::ast;
use lang_c::span::{Node, Span};
use permission::BROKEN;
use smt::Term;

/// A statement, basic or extended.
struct Statement<'a> {
    template: String,
    /// Whether it has colons: only then `%` is special.
    extended: bool,
    outputs: &'a [Node<ast::GnuAsmOperand>],
    inputs: &'a [Node<ast::GnuAsmOperand>],
    clobbers: Vec<String>,
    labels: Vec<String>,
    span: Span,
}

impl<'a> Statement<'a> {
    fn new(asm: &'a ast::AsmStatement, span: Span) -> Statement<'a> {
        let text = |literal: &ast::StringLiteral| {
            String::from_utf8_lossy(&super::expression::literal::string_bytes(literal)).into_owned()
        };
        match asm {
            ast::AsmStatement::GnuBasic(template) => Statement {
                template: text(&template.node),
                extended: false,
                outputs: &[],
                inputs: &[],
                clobbers: Vec::new(),
                labels: Vec::new(),
                span,
            },
            ast::AsmStatement::GnuExtended(asm) => {
                let all = asm.clobbers.iter().map(|clobber| text(&clobber.node));
                let (labels, clobbers): (Vec<String>, Vec<String>) =
                    all.partition(|c| c.starts_with(ASM_GOTO));
                let labels = labels.iter().map(|label| label[ASM_GOTO.len()..].to_owned()).collect();
                let (outputs, inputs) = (asm.outputs.as_slice(), asm.inputs.as_slice());
                Statement {
                    template: text(&asm.template.node),
                    extended: true,
                    outputs,
                    inputs,
                    clobbers,
                    labels,
                    span,
                }
            }
        }
    }

    fn has_memory_clobber(&self) -> bool {
        self.clobbers.iter().any(|clobber| clobber == "memory")
    }

    /// The names by which the template may call its operands and labels.
    fn names(&self) -> Vec<Option<String>> {
        let operands = self.outputs.iter().chain(self.inputs);
        let named = operands.map(|o| o.node.symbolic_name.as_ref().map(|name| name.node.name.clone()));
        named.chain(self.labels.iter().map(|label| Some(label.clone()))).collect()
    }
}

/// What a template is for a processor, with the places of its labels.
struct Code {
    instructions: Vec<Instruction>,
    nodes: Vec<NodeId>,
    /// Instructions from a load-exclusive to its store-exclusive that are one step.
    pairs: Vec<(usize, usize)>,
}

impl<'a> Lowerer<'a> {
    /// Translates `asm`.
    pub(crate) fn assembly(&mut self, asm: &'a ast::AsmStatement, span: Span) -> Lowered<()> {
        let statement = Statement::new(asm, span);
        let names = statement.names();
        let parts = match statements(&statement.template, statement.extended.then_some(names.as_slice())) {
            Ok(parts) => parts,
            Err(reason) => return self.guarded(|s| s.unknown_assembly(&statement, &reason)),
        };
        if parts.is_empty() {
            // The machine is the one of the constraints: an empty template has both.
            let known = self.dry(|s| s.execute(&statement, Vec::new(), Syntax::X86)).is_ok();
            let syntax = if known { Syntax::X86 } else { Syntax::Aarch64 };
            return self.guarded(|s| s.execute(&statement, Vec::new(), syntax));
        }
        let mut reasons = Vec::new();
        for syntax in [Syntax::X86, Syntax::Aarch64] {
            let attempt = match instructions(&parts, syntax) {
                Ok(read) => self.dry(|s| s.execute(&statement, read.clone(), syntax)).map(|()| read),
                Err(reason) => unsupported(span, reason),
            };
            match attempt {
                Ok(read) => return self.guarded(|s| s.execute(&statement, read, syntax)),
                Err(refusal) if refusal.error => return Err(refusal),
                Err(refusal) => reasons.push(refusal.message),
            }
        }
        if let Some(broken) = reasons.iter().find(|reason| reason.starts_with(BROKEN)) {
            self.limit(span.start, broken);
            return Ok(());
        }
        let reason = most_telling(&reasons);
        self.guarded(|s| s.unknown_assembly(&statement, &reason))
    }

    /// The outputs have any value, if nothing else can have changed.
    fn unknown_assembly(&mut self, statement: &Statement<'a>, reason: &str) -> Lowered<()> {
        let message = format!("{reason}; replace it by C or by an atomic built-in");
        if statement.has_memory_clobber() || !statement.labels.is_empty() || !statement.extended {
            return unsupported(statement.span, message);
        }
        for input in statement.inputs {
            let value = self.operand(&input.node.variable_name)?;
            if let super::expression::Operand::Scalar(value) = value
                && value.ty.is_pointer()
            {
                return unsupported(statement.span, message);
            }
        }
        for output in statement.outputs {
            let target = &output.node.variable_name;
            let place = self.place(target)?;
            if !place.ty.is_scalar() || place.ty.is_pointer() {
                return unsupported(statement.span, message);
            }
            let ty = place.ty.unatomic().clone();
            let value = self.guess(&ty, "an output of inline assembly");
            self.write(&place, value);
        }
        let remark = format!("{reason}: its outputs have any value");
        self.remark(Effect::Over, statement.span.start, remark);
        Ok(())
    }

    fn execute(
        &mut self,
        statement: &Statement<'a>,
        instructions: Vec<Instruction>,
        syntax: Syntax,
    ) -> Lowered<()> {
        let jumps = instructions.iter().any(|i| is_jump(i, syntax));
        let pairs = if syntax == Syntax::Aarch64 { exclusive_pairs(&instructions) } else { Vec::new() };
        let mut execution = self.bind_assembly(statement, syntax, jumps, &instructions)?;
        let nodes = instructions.iter().map(|_| execution.lower.node()).collect();
        let code = Code { instructions, nodes, pairs };
        execution.run(&code, statement)
    }
}

/// The reason of the processor that is meant: the one that did not stumble over the first name.
fn most_telling(reasons: &[String]) -> String {
    let told = reasons.iter().find(|r| !r.contains(": '") && r.contains("inline assembly"));
    let reason = told.or(reasons.first()).cloned().unwrap_or_default();
    if reason.contains("inline assembly") {
        reason
    } else {
        format!("inline assembly that is not modelled: {reason}")
    }
}

/// Where an instruction may jump to, and under which condition: an operand of it.
fn is_jump(instruction: &Instruction, syntax: Syntax) -> bool {
    let name = instruction.name.as_str();
    match syntax {
        Syntax::X86 => name.starts_with('j'),
        Syntax::Aarch64 => {
            matches!(name, "b" | "cbz" | "cbnz" | "tbz" | "tbnz") || name.starts_with("b.") || is_branch(name)
        }
    }
}

/// `bne` for `b.ne`.
fn is_branch(name: &str) -> bool {
    let conditions =
        ["eq", "ne", "cs", "cc", "hs", "lo", "hi", "ls", "mi", "pl", "vs", "vc", "lt", "ge", "le", "gt"];
    name.strip_prefix('b').is_some_and(|rest| conditions.contains(&rest))
}

/// Pairs of exclusive accesses with nothing but arithmetic and jumps between them, and no way into the middle.
fn exclusive_pairs(instructions: &[Instruction]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (start, instruction) in instructions.iter().enumerate() {
        if !arm::is_load_exclusive(instruction) {
            continue;
        }
        let behind = &instructions[start + 1..];
        let next = behind.iter().position(|i| arm::accesses_memory(i) || !i.labels.is_empty());
        if let Some(length) = next
            && arm::is_store_exclusive(&behind[length])
            && behind[length].labels.is_empty()
            && same_memory(instruction, &behind[length])
        {
            pairs.push((start, start + 1 + length));
        }
    }
    pairs
}

fn same_memory(load: &Instruction, store: &Instruction) -> bool {
    let width = |name: &str| name.chars().last().filter(|c| matches!(c, 'b' | 'h'));
    load.operands.last() == store.operands.last() && width(&load.name) == width(&store.name)
}

impl Execution<'_, '_> {
    fn run(&mut self, code: &Code, statement: &Statement<'_>) -> Lowered<()> {
        let syntax = self.machine.syntax;
        for (index, instruction) in code.instructions.iter().enumerate() {
            self.lower.join(code.nodes[index]);
            let pair = code.pairs.iter().find(|(from, to)| (*from..=*to).contains(&index));
            let is_end = pair.is_some_and(|(from, to)| *from == index || *to == index);
            if is_jump(instruction, syntax) {
                self.jump(instruction, index, code, statement, pair.is_some())?;
            } else if syntax == Syntax::X86 {
                self.x86(instruction)?;
            } else {
                self.arm(instruction, is_end)?;
            }
        }
        self.finish()
    }

    /// A jump inside of the template, or to a label of C.
    fn jump(
        &mut self,
        instruction: &Instruction,
        index: usize,
        code: &Code,
        statement: &Statement<'_>,
        exclusive: bool,
    ) -> Lowered<()> {
        let condition = self.jump_condition(instruction)?;
        let Some(target) = instruction.operands.last() else {
            return self.unknown(format!("'{}'", instruction.text));
        };
        let (yes, no) = (self.lower.node(), self.lower.node());
        self.lower.emit_branch(Op::Assume(condition), yes);
        self.lower.emit_branch(Op::Assume(condition.not()), no);
        self.lower.continue_at(yes);
        self.lower.emit_if(exclusive, Op::AtomicEnd);
        match target {
            Operand::Name(name) => match find_label(name, index, &code.instructions) {
                Some(to) => self.lower.emit_branch(Op::Skip, code.nodes[to]),
                None => return self.unknown(format!("the label '{name}'")),
            },
            Operand::Reference(number, Some('l')) => {
                let both = statement.outputs.iter().any(operands::is_both);
                let named = statement.labels.get(number.wrapping_sub(self.bindings.len()));
                let Some(label) = named.filter(|_| !both || instruction.text.contains('[')).cloned() else {
                    return self.unknown("a label by its number");
                };
                self.finish()?;
                self.lower.goto_label(&label, statement.span);
            }
            _ => return self.unknown(format!("'{}'", instruction.text)),
        }
        self.lower.continue_at(no);
        Ok(())
    }

    fn jump_condition(&mut self, instruction: &Instruction) -> Lowered<Term> {
        let name = instruction.name.as_str();
        if self.machine.syntax == Syntax::Aarch64
            && let ("cbz" | "cbnz" | "tbz" | "tbnz", [register, rest @ ..]) =
                (name, instruction.operands.as_slice())
        {
            let width = self.arm_width(register, instruction)?;
            let mut value = self.read_operand(register, width)?;
            if let [Operand::Number(bit), _] = rest {
                let Some(bit) = u32::try_from(*bit).ok().filter(|bit| *bit < width) else {
                    return self.unknown(format!("'{}'", instruction.text));
                };
                value = value.extract(bit, bit);
            }
            let zero = value.equals(Term::bv(value.width(), 0));
            return Ok(if name.ends_with("nz") { zero.not() } else { zero });
        }
        let condition = match (self.machine.syntax, name) {
            (Syntax::X86, "jmp") | (Syntax::Aarch64, "b") => return Ok(Term::tru()),
            (Syntax::X86, _) => &name[1..],
            (Syntax::Aarch64, _) => name[1..].trim_start_matches('.'),
        };
        match self.machine.condition(self.lower, condition) {
            Some(condition) => Ok(condition),
            None => self.unknown(format!("'{}'", instruction.text)),
        }
    }
}

/// The instruction that a label stands at: `1b` is the last `1` before, `1f` the next one.
fn find_label(name: &str, at: usize, instructions: &[Instruction]) -> Option<usize> {
    let has = |label: &str| {
        let all = instructions.iter().enumerate();
        all.filter(|(_, i)| i.labels.iter().any(|l| l == label)).map(|(index, _)| index).collect::<Vec<_>>()
    };
    let number = |suffix: char| name.strip_suffix(suffix).filter(|n| n.chars().all(|c| c.is_ascii_digit()));
    if let Some(label) = number('b').filter(|l| !l.is_empty()) {
        return has(label).into_iter().rfind(|index| *index <= at);
    }
    if let Some(label) = number('f').filter(|l| !l.is_empty()) {
        return has(label).into_iter().find(|index| *index > at);
    }
    match has(name).as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}
