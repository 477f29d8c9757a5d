//! What the constraints allow a template to do.
//!
//! The compiler believes the constraints, so they decide what the template may do: an operand that is only an input must not change, memory
//! that no operand names is only accessed under a `memory` clobber, a register is only changed if it is an output or a clobber. A template that
//! does otherwise means something else in each program that it is compiled into, and is a limit. So is one that reads an input behind the
//! first write of an output without `&`, because both may be in one register.

use super::execution::{Binding, Execution, Home};
use crate::assembly::Operand;
use crate::lower::context::{Lowered, unsupported};
use crate::lower::expression::{Place, PlaceKind};
use crate::lower::graph::Address;
use crate::program::Assumption;

/// How the reason begins if a template does what its constraints forbid: then nothing is known behind it.
pub(super) const BROKEN: &str = "inline assembly that does more than its constraints say";

/// Whether a `memory` clobber means it: not a variable by its name, which may be one that nothing else points to.
fn is_pointed_to(home: &Home) -> bool {
    matches!(home, Home::Memory(Place { kind: PlaceKind::Memory(Address::Pointer { .. }), .. }))
}

fn in_one_register(a: &Home, b: &Home) -> bool {
    matches!((a, b), (Home::Register(a), Home::Register(b)) if a == b)
}

impl Execution<'_, '_> {
    /// The template does what its constraints forbid.
    pub(super) fn broken<T>(&self, what: impl std::fmt::Display) -> Lowered<T> {
        unsupported(self.span, format!("{BROKEN}: {what}"))
    }

    /// An input must not be read when an output that may share its register has been written.
    pub(super) fn check_read(&self, operand: &Operand) -> Lowered<()> {
        let Operand::Reference(index, _) = operand else { return Ok(()) };
        let Some(read) = self.bindings.get(*index) else { return Ok(()) };
        let may_share = |written: &&usize| {
            let output = &self.bindings[**written];
            let is_other = match (&read.home, &output.home) {
                (Home::Register(a), Home::Register(b)) => a != b,
                (Home::Memory(Place { kind: PlaceKind::Memory(_), .. }), Home::Register(_)) => true,
                _ => false,
            };
            let holds = self.bindings.iter().find(|b| b.input && in_one_register(&b.home, &output.home));
            // Who has the register at the start shares it only with an equal value.
            let may = holds.is_none_or(|holds| read.value.is_some() && holds.value == read.value);
            is_other && !(read.fixed && output.fixed) && may && **written != *index
        };
        let is_pure_input = read.output.is_none() || matches!(read.home, Home::Memory(_));
        if is_pure_input && self.written.iter().any(|w| may_share(&w)) {
            return self.broken(format!(
                "operand {index} is read after an output without '&' is written: both may be in one register"
            ));
        }
        Ok(())
    }

    /// Notes that an operand is written, if it may be.
    pub(super) fn check_write(&mut self, operand: &Operand) -> Lowered<()> {
        match operand {
            Operand::Reference(index, _) => {
                let Some(binding) = self.bindings.get(*index) else {
                    return self.unknown("a label as an operand");
                };
                let is_memory = matches!(binding.home, Home::Memory(_));
                let shares = |other: &Binding| match (&binding.home, &other.home) {
                    (Home::Register(a), Home::Register(b)) => a == b && other.output.is_some(),
                    _ => false,
                };
                let is_clobbered = self.memory_clobber && is_pointed_to(&binding.home);
                let may = binding.output.is_some() || is_clobbered || self.bindings.iter().any(shares);
                if !may {
                    return self.broken(format!("it changes operand {index}, which is an input"));
                }
                if !binding.early && !is_memory {
                    self.written.insert(*index);
                }
                Ok(())
            }
            Operand::Register(name, ..) => {
                let is_output = |b: &Binding| match &b.home {
                    Home::Register(own) => own == name && b.output.is_some(),
                    Home::Pair(low, high) => (low == name || high == name) && b.output.is_some(),
                    _ => false,
                };
                if *name == "zr" || self.clobbers.contains(*name) || self.bindings.iter().any(is_output) {
                    let outputs = self.bindings.iter().enumerate();
                    let late = outputs.filter(|(_, b)| is_output(b) && !b.early).map(|(index, _)| index);
                    self.written.extend(late.collect::<Vec<_>>());
                    return Ok(());
                }
                self.broken(format!(
                    "it changes the register '{name}', which is neither an output nor a clobber"
                ))
            }
            Operand::Memory(_) => Ok(()),
            Operand::Number(_) | Operand::Name(_) => self.unknown("a number is written"),
        }
    }

    /// Memory that is only an output has no defined content before. Where a pointer points to it and all memory is clobbered, compilers keep
    /// what was stored if the access is volatile, and much code relies on that: an assumption.
    pub(super) fn check_modified(&mut self, operand: &Operand) -> Lowered<()> {
        let Operand::Reference(index, _) = operand else { return Ok(()) };
        let Some(binding) = self.bindings.get(*index) else { return Ok(()) };
        let same = |other: &Binding| match (&binding.home, &other.home) {
            (Home::Memory(a), Home::Memory(b)) => {
                other.input && format!("{:?}", a.kind) == format!("{:?}", b.kind)
            }
            _ => false,
        };
        let is_memory = matches!(binding.home, Home::Memory(_));
        if !is_memory || binding.input || self.bindings.iter().any(same) {
            return Ok(());
        }
        if self.memory_clobber && is_pointed_to(&binding.home) {
            let message = "an output of inline assembly that is read has the value that was stored before";
            self.lower.assuming(Assumption::Other, self.span.start, message);
            return Ok(());
        }
        self.broken(format!("it reads operand {index}, which is an output only"))
    }
}
