//! Operands of the statement: outputs, inputs and clobbers, and where the compiler puts them.
//!
//! Registers that the compiler chooses are different from each other here. Where it may choose the same one twice, and that
//! would show, `execution` says so. Numbers and addresses are evaluated once, from left to right, and copied: what the template
//! does later does not change them.

use super::Statement;
use super::execution::{Binding, Execution, Home};
use super::machine::Machine;
use crate::assembly::{Class, Constraint, Instruction, Operand, Syntax, register};
use crate::lower::context::{Lowered, Lowerer, unsupported};
use crate::lower::expression::Place;
use crate::lower::expression::bits_of;
use crate::lower::expression::literal::string_bytes;
use crate::types::Type;
use lang_c::ast;
use lang_c::span::Node;
use std::collections::BTreeSet;

fn text(operand: &Node<ast::GnuAsmOperand>) -> String {
    String::from_utf8_lossy(&string_bytes(&operand.node.constraints.node)).into_owned()
}

/// Whether the operand is read and written.
pub(super) fn is_both(operand: &Node<ast::GnuAsmOperand>) -> bool {
    text(operand).contains('+')
}

fn constraint(operand: &Node<ast::GnuAsmOperand>, syntax: Syntax) -> Lowered<Constraint> {
    let text = text(operand);
    match Constraint::parse(&text, syntax) {
        Some(constraint) => Ok(constraint),
        None => unsupported(
            operand.span,
            format!("inline assembly that is not modelled: the constraint \"{text}\""),
        ),
    }
}

/// The type of a scalar that a register can hold.
fn scalar(operand: &Node<ast::GnuAsmOperand>, ty: &Type) -> Lowered<Type> {
    let ty = ty.unatomic().clone();
    if ty.is_scalar() {
        return Ok(ty);
    }
    unsupported(operand.span, "inline assembly that is not modelled: a struct in a register")
}

impl<'a> Lowerer<'a> {
    /// Evaluates the operands, and puts them where the template finds them.
    pub(super) fn bind_assembly<'l>(
        &'l mut self,
        statement: &Statement<'a>,
        syntax: Syntax,
        jumps: bool,
        instructions: &[Instruction],
    ) -> Lowered<Execution<'l, 'a>> {
        let machine = Machine::new(syntax, self.pointer_width(), jumps);
        if syntax == Syntax::Aarch64 && machine.width != 64 {
            return unsupported(
                statement.span,
                "inline assembly that is not modelled: AArch64 with pointers of 32 bits",
            );
        }
        let mut execution = Execution {
            lower: self,
            machine,
            bindings: Vec::new(),
            memory_clobber: statement.has_memory_clobber(),
            clobbers: BTreeSet::new(),
            written: BTreeSet::new(),
            span: statement.span,
        };
        execution.clobbers(&statement.clobbers)?;
        for output in statement.outputs {
            execution.output(output)?;
        }
        for input in statement.inputs {
            execution.input(input)?;
        }
        execution.fill(instructions);
        Ok(execution)
    }
}

impl<'a> Execution<'_, 'a> {
    fn clobbers(&mut self, clobbers: &[String]) -> Lowered<()> {
        for clobber in clobbers {
            match (clobber.as_str(), register(clobber, self.machine.syntax)) {
                ("memory" | "cc" | "flags" | "redzone", _) => {}
                (_, Some(Operand::Register(name, ..))) => {
                    self.clobbers.insert(name.to_owned());
                }
                _ => return self.unknown(format!("the clobber \"{clobber}\"")),
            }
        }
        Ok(())
    }

    fn output(&mut self, output: &'a Node<ast::GnuAsmOperand>) -> Lowered<()> {
        let constraint = constraint(output, self.machine.syntax)?;
        let place = self.lower.place(&output.node.variable_name)?;
        let place = self.steady(place);
        let index = self.bindings.len();
        let fixed = matches!(constraint.class, Class::Fixed(_));
        let home = match constraint.class {
            Class::Memory => Home::Memory(place.clone()),
            Class::Register => Home::Register(format!("%{index}")),
            Class::Fixed(name) => Home::Register(name.to_owned()),
            Class::Pair(low, high) => self.pair(low, high, &place.ty),
            Class::Flag(condition) => Home::Flag(condition),
            Class::Immediate | Class::Same(_) => return self.unknown("an output that is a number"),
        };
        let in_memory = matches!(home, Home::Memory(_));
        let ty = if in_memory { place.ty.unatomic().clone() } else { scalar(output, &place.ty)? };
        let mut value = None;
        if constraint.both && !in_memory {
            let now = self.lower.read(&place);
            let bits = self.bits(&now);
            value = Some(self.snapshot(bits));
        }
        let (input, early) = (constraint.both, constraint.early);
        self.bindings.push(Binding { home, ty, output: Some(place), input, early, fixed, value });
        Ok(())
    }

    /// A place whose address later side effects do not change.
    fn steady(&mut self, place: Place) -> Place {
        use crate::lower::expression::PlaceKind;
        use crate::lower::graph::Address;
        match place.kind {
            PlaceKind::Memory(Address::Pointer { address, bit }) => {
                let address = self.snapshot(address);
                Place { kind: PlaceKind::Memory(Address::Pointer { address, bit }), ..place }
            }
            _ => place,
        }
    }

    /// Half of the value in either register; on a machine of 64 bits, one register is enough for all that fits.
    fn pair(&self, low: &str, high: &str, ty: &Type) -> Home {
        if self.lower.types.width(ty) > self.machine.width {
            Home::Pair(low.to_owned(), high.to_owned())
        } else {
            Home::Register(low.to_owned())
        }
    }

    fn input(&mut self, input: &'a Node<ast::GnuAsmOperand>) -> Lowered<()> {
        let constraint = constraint(input, self.machine.syntax)?;
        let expression = &input.node.variable_name;
        let index = self.bindings.len();
        let binding = |home, ty, fixed, value| Binding {
            home,
            ty,
            output: None,
            input: true,
            early: false,
            fixed,
            value,
        };
        if constraint.class == Class::Memory {
            let place = self.lower.place(expression)?;
            let place = self.steady(place);
            let ty = place.ty.unatomic().clone();
            self.bindings.push(binding(Home::Memory(place), ty, false, None));
            return Ok(());
        }
        if let Class::Same(other) = constraint.class
            && let Some(Home::Memory(place)) = self.bindings.get(other).map(|b| b.home.clone())
        {
            self.lower.effect(expression)?;
            let ty = place.ty.unatomic().clone();
            self.bindings.push(binding(Home::Memory(place), ty, false, None));
            return Ok(());
        }
        let value = self.lower.rvalue(expression)?;
        let ty = scalar(input, &value.ty)?;
        let bits = self.bits(&value);
        let bits = self.snapshot(bits);
        let fixed = matches!(constraint.class, Class::Fixed(_));
        let home = match constraint.class {
            Class::Immediate => Home::Number(bits),
            Class::Register => Home::Register(format!("%{index}")),
            Class::Fixed(name) => Home::Register(name.to_owned()),
            Class::Pair(low, high) => self.pair(low, high, &ty),
            Class::Same(other) => match self.bindings.get(other) {
                Some(output) if matches!(output.home, Home::Register(_) | Home::Pair(..)) => {
                    output.home.clone()
                }
                _ => return self.unknown("a constraint that names no register"),
            },
            Class::Memory | Class::Flag(_) => return self.unknown("a flag as an input"),
        };
        self.bindings.push(binding(home, ty, fixed, Some(bits)));
        Ok(())
    }

    /// Registers get their values at the start.
    fn fill(&mut self, instructions: &[Instruction]) {
        self.count_bits(instructions);
        for binding in self.bindings.clone() {
            match (binding.home, binding.value) {
                (Home::Register(name), Some(value)) => self.machine.start(self.lower, &name, value),
                (Home::Pair(low, high), Some(value)) => {
                    let half = self.machine.width;
                    self.machine.start(self.lower, &low, value.extract(half - 1, 0));
                    self.machine.start(self.lower, &high, value.extract(2 * half - 1, half));
                }
                _ => {}
            }
        }
        self.machine.start_rest(self.lower);
    }

    /// How much of which register the template may use.
    fn count_bits(&mut self, instructions: &[Instruction]) {
        for binding in &self.bindings {
            let width = self.lower.types.width(&binding.ty);
            match &binding.home {
                Home::Register(name) => self.machine.uses(name, width),
                Home::Pair(low, high) => {
                    self.machine.uses(low, self.machine.width);
                    self.machine.uses(high, self.machine.width);
                }
                _ => {}
            }
        }
        for operand in instructions.iter().flat_map(|i| &i.operands) {
            self.count_bits_of(operand);
        }
        if self.machine.syntax == Syntax::X86 && !instructions.is_empty() {
            // What instructions use without naming it.
            let all = self.machine.width;
            let is_wide = |i: &Instruction| i.name.starts_with("cmpxchg") || i.name == "syscall";
            if instructions.iter().any(is_wide) {
                ["a", "b", "c", "d", "si"].iter().for_each(|name| self.machine.uses(name, all));
            }
        }
    }

    fn count_bits_of(&mut self, operand: &Operand) {
        match operand {
            Operand::Register(name, width, high) => self.machine.uses(name, if *high { 16 } else { *width }),
            Operand::Reference(index, modifier) => {
                let width = self.register_width(operand).unwrap_or(self.machine.width);
                let width = if *modifier == Some('h') { 16 } else { width };
                if let Some(Home::Register(name)) = self.bindings.get(*index).map(|b| b.home.clone()) {
                    self.machine.uses(&name, width);
                }
            }
            Operand::Memory(memory) => {
                let index = memory.index.as_ref().map(|(index, _)| index);
                for part in memory.base.iter().chain(index) {
                    if let Operand::Reference(index, _) = **part
                        && let Some(Home::Register(name)) = self.bindings.get(index).map(|b| b.home.clone())
                    {
                        self.machine.uses(&name, self.machine.width);
                    } else {
                        self.count_bits_of(part);
                    }
                }
            }
            Operand::Number(_) | Operand::Name(_) => {}
        }
    }

    /// Gives the outputs their values.
    pub(super) fn finish(&mut self) -> Lowered<()> {
        let mut results = Vec::new();
        for binding in self.bindings.clone() {
            let Some(place) = binding.output else { continue };
            let width = self.type_width(&place.ty);
            let value = match &binding.home {
                Home::Memory(_) | Home::Number(_) => continue,
                Home::Register(name) if width <= self.machine.width => {
                    self.machine.read(self.lower, name, width, false)
                }
                Home::Register(_) => return self.unknown("an output that is wider than a register"),
                Home::Pair(low, high) => {
                    let low = self.machine.read_whole(self.lower, low);
                    self.machine.read_whole(self.lower, high).concat(low)
                }
                Home::Flag(name) => match self.machine.condition(self.lower, name) {
                    Some(condition) => bits_of(condition, width),
                    None => return self.unknown(format!("the condition '{name}'")),
                },
            };
            let value = self.stored(&place.ty, value);
            results.push((place, value));
        }
        let many = results.len() > 1;
        for (place, value) in &mut results {
            if many && !value.sort().is_bool() {
                *value = self.snapshot(*value);
            } else if many {
                let copy = self.lower.temporary(&Type::Bool);
                self.lower.set(copy, *value);
                *value = self.lower.register_term(copy);
            }
            debug_assert!(place.ty.is_scalar());
        }
        for (place, value) in results {
            self.lower.write(&place, value);
        }
        Ok(())
    }
}
