//! What the file needs besides the program: declarations, signed operations, literals.

use super::{CError, container};
use smt::Bits;
use std::collections::BTreeSet;

/// The vocabulary of verifiers.
pub(super) const DECLARATIONS: &str = "\
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
";

const WIDE: &str = "typedef __int128 int128_t;\ntypedef unsigned __int128 uint128_t;\n";

/// An operation on signed numbers that takes more than an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    Sdiv,
    Srem,
    Ashr,
}

/// What was used.
#[derive(Default)]
pub(super) struct Helpers {
    operations: BTreeSet<(Operation, u32)>,
    wide: bool,
}

impl Helpers {
    /// The name of the function for an operation on numbers of this width.
    pub(super) fn operation(&mut self, operation: Operation, width: u32) -> String {
        self.operations.insert((operation, width));
        name(operation, width)
    }

    /// Takes note of a type.
    pub(super) fn needs(&mut self, width: u32) {
        self.wide |= width > 64;
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if self.wide {
            text.push_str(WIDE);
        }
        for &(operation, width) in &self.operations {
            if let Ok(function) = function(operation, width) {
                text.push('\n');
                text.push_str(&function);
            }
        }
        text
    }
}

fn name(operation: Operation, width: u32) -> String {
    let operation = match operation {
        Operation::Sdiv => "sdiv",
        Operation::Srem => "srem",
        Operation::Ashr => "ashr",
    };
    format!("bv_{operation}_{width}")
}

/// Signs are handled apart, so that everything is computed unsigned.
fn function(operation: Operation, width: u32) -> Result<String, CError> {
    let kind = format!("uint{}_t", container(width)?);
    let ones = literal(&Bits::ones(width))?;
    let negative = |operand: &str| format!("(({operand} >> {}) & 1) != 0", width - 1);
    let body = match operation {
        Operation::Sdiv => format!(
            "    _Bool negative = ({}) != ({});\n    \
             {kind} dividend = {} ? ({kind})((0 - a) & {ones}) : a;\n    \
             {kind} divisor = {} ? ({kind})((0 - b) & {ones}) : b;\n    \
             {kind} quotient = divisor == 0 ? {ones} : dividend / divisor;\n    \
             return negative ? ({kind})((0 - quotient) & {ones}) : quotient;\n",
            negative("a"),
            negative("b"),
            negative("a"),
            negative("b"),
        ),
        Operation::Srem => format!(
            "    {kind} dividend = {} ? ({kind})((0 - a) & {ones}) : a;\n    \
             {kind} divisor = {} ? ({kind})((0 - b) & {ones}) : b;\n    \
             {kind} rest = divisor == 0 ? dividend : dividend % divisor;\n    \
             return {} ? ({kind})((0 - rest) & {ones}) : rest;\n",
            negative("a"),
            negative("b"),
            negative("a"),
        ),
        Operation::Ashr => format!(
            "    {kind} fill = {} ? {ones} : 0;\n    \
             return b < {width} ? ({kind})((a >> b) | (fill & ~({ones} >> b))) : fill;\n",
            negative("a"),
        ),
    };
    Ok(format!("static inline {kind} {}({kind} a, {kind} b) {{\n{body}}}\n", name(operation, width)))
}

/// A number as C text, unsigned and of the right type.
pub(super) fn literal(bits: &Bits) -> Result<String, CError> {
    let too_wide = CError::TooWide(bits.width());
    let Some(value) = bits.to_u128().filter(|_| bits.width() <= 128) else { return Err(too_wide) };
    let number = |value: u64, suffix: &str| {
        if value < 1 << 16 { format!("{value}{suffix}") } else { format!("{value:#x}{suffix}") }
    };
    Ok(match container(bits.width())? {
        8 | 16 | 32 => number(value as u64, "u"),
        64 => number(value as u64, "ull"),
        _ => {
            let (high, low) = ((value >> 64) as u64, value as u64);
            if high == 0 {
                format!("(uint128_t){}", number(low, "ull"))
            } else {
                format!("((uint128_t){} << 64 | {})", number(high, "ull"), number(low, "ull"))
            }
        }
    })
}
