//! Operands of instructions, in AT&T's syntax for x86 and in Arm's for AArch64.

use super::text::{CLOSE, OPEN};

/// Whose instructions they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    X86,
    Aarch64,
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// An operand of the C statement, with the letter between `%` and its number.
    Reference(usize, Option<char>),
    /// A register of the machine: its name without a width, its bits, and whether it is the second byte (`%ah`).
    Register(&'static str, u32, bool),
    Number(i128),
    Memory(Memory),
    /// A label, a condition, a register of the system.
    Name(String),
}

/// An address in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// `%fs`, `%gs`.
    pub segment: Option<String>,
    pub displacement: i128,
    pub base: Option<Box<Operand>>,
    /// An index and what it is multiplied with.
    pub index: Option<(Box<Operand>, u32)>,
}

const X86_NAMED: [(&str, [&str; 4]); 8] = [
    ("a", ["al", "ax", "eax", "rax"]),
    ("b", ["bl", "bx", "ebx", "rbx"]),
    ("c", ["cl", "cx", "ecx", "rcx"]),
    ("d", ["dl", "dx", "edx", "rdx"]),
    ("si", ["sil", "si", "esi", "rsi"]),
    ("di", ["dil", "di", "edi", "rdi"]),
    ("bp", ["bpl", "bp", "ebp", "rbp"]),
    ("sp", ["spl", "sp", "esp", "rsp"]),
];
const X86_NUMBERED: [&str; 8] = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];
const ARM_NUMBERED: [&str; 31] = [
    "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
    "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30",
];

/// A register by its name, with or without `%`.
pub(crate) fn register(name: &str, syntax: Syntax) -> Option<Operand> {
    let name = name.trim_start_matches('%').to_ascii_lowercase();
    if syntax == Syntax::Aarch64 {
        let width = if name.starts_with('w') { 32 } else { 64 };
        return match name.as_str() {
            "xzr" | "wzr" => Some(Operand::Register("zr", width, false)),
            "sp" | "wsp" => Some(Operand::Register("sp", width, false)),
            "lr" => Some(Operand::Register("x30", 64, false)),
            _ => {
                let number: usize = name.strip_prefix(['x', 'w'])?.parse().ok()?;
                Some(Operand::Register(ARM_NUMBERED.get(number)?, width, false))
            }
        };
    }
    for (plain, names) in X86_NAMED {
        if let Some(at) = names.iter().position(|n| *n == name) {
            return Some(Operand::Register(plain, 8 << at, false));
        }
        if plain.len() == 1 && name == format!("{plain}h") {
            return Some(Operand::Register(plain, 8, true));
        }
    }
    let plain = *X86_NUMBERED
        .iter()
        .find(|n| name.strip_prefix(**n).is_some_and(|s| ["", "d", "w", "b"].contains(&s)))?;
    let width = match &name[plain.len()..] {
        "d" => 32,
        "w" => 16,
        "b" => 8,
        _ => 64,
    };
    Some(Operand::Register(plain, width, false))
}

/// Reads operands with commas between them.
pub(super) fn operands(text: &str, syntax: Syntax) -> Result<Vec<Operand>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for character in text.chars() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(character);
        }
    }
    let read = |part: &String| {
        let operand = match syntax {
            Syntax::X86 => x86(part.trim()),
            Syntax::Aarch64 => arm(part.trim()),
        };
        operand.ok_or_else(|| format!("'{}'", part.trim().replace([OPEN, CLOSE], "")))
    };
    parts.iter().map(read).collect()
}

/// A number, with the prefixes of C.
fn number(text: &str) -> Option<i128> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let value = match lower.strip_prefix("0x") {
        Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16).ok()?,
        None if lower.len() > 1 && lower.starts_with('0') => i128::from_str_radix(&lower, 8).ok()?,
        None => lower.parse().ok()?,
    };
    Some(sign * value)
}

/// A reference to an operand, and nothing else.
fn reference(text: &str) -> Option<Operand> {
    let inside = text.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    let modifier = inside.chars().next()?;
    Some(Operand::Reference(inside[1..].parse().ok()?, (modifier != '-').then_some(modifier)))
}

fn x86(text: &str) -> Option<Operand> {
    if let Some(rest) = text.strip_prefix('$') {
        return reference(rest).or_else(|| number(rest).map(Operand::Number));
    }
    if let Some(reference) = reference(text) {
        return Some(reference);
    }
    if let Some((segment, rest)) = text.strip_prefix('%').and_then(|t| t.split_once(':')) {
        let inner = match x86(rest)? {
            Operand::Memory(memory) => memory,
            Operand::Number(displacement) => Memory { displacement, ..Memory::default() },
            other @ (Operand::Reference(..) | Operand::Register(..)) => {
                Memory { base: Some(Box::new(other)), ..Memory::default() }
            }
            Operand::Name(_) => Memory::default(),
        };
        return Some(Operand::Memory(Memory { segment: Some(segment.to_owned()), ..inner }));
    }
    if text.starts_with('%') {
        return register(text, Syntax::X86);
    }
    if let Some((displacement, inside)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) {
        let displacement = if displacement.trim().is_empty() { 0 } else { number(displacement)? };
        let mut parts = inside.split(',').map(str::trim);
        let base = parts.next().filter(|p| !p.is_empty()).map(|p| x86(p).map(Box::new));
        let base = match base {
            Some(found) => Some(found?),
            None => None,
        };
        let index = match parts.next() {
            Some(index) => {
                let scale =
                    parts.next().map_or(Some(1), |s| number(s).and_then(|s| u32::try_from(s).ok()))?;
                Some((Box::new(x86(index)?), scale))
            }
            None => None,
        };
        return Some(Operand::Memory(Memory { segment: None, displacement, base, index }));
    }
    if let Some((displacement, rest)) = text.split_once('+')
        && let (Some(displacement), Some(base)) = (number(displacement), reference(rest.trim()))
    {
        return Some(Operand::Memory(Memory {
            displacement,
            base: Some(Box::new(base)),
            ..Memory::default()
        }));
    }
    if let Some(number) = number(text) {
        return Some(Operand::Number(number));
    }
    name(text)
}

fn arm(text: &str) -> Option<Operand> {
    if let Some(rest) = text.strip_prefix('#') {
        return reference(rest).or_else(|| number(rest).map(Operand::Number));
    }
    if let Some(reference) = reference(text) {
        return Some(reference);
    }
    if let Some(inside) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        let mut parts = inside.split(',').map(str::trim);
        let base = arm(parts.next()?)?;
        let (displacement, index) = match parts.next().map(arm) {
            None => (0, None),
            Some(Some(Operand::Number(displacement))) => (displacement, None),
            Some(Some(index @ (Operand::Reference(..) | Operand::Register(_, 64, _)))) => {
                (0, Some((Box::new(index), 1)))
            }
            Some(_) => return None,
        };
        if parts.next().is_some() {
            return None;
        }
        return Some(Operand::Memory(Memory {
            segment: None,
            displacement,
            base: Some(Box::new(base)),
            index,
        }));
    }
    register(text, Syntax::Aarch64).or_else(|| number(text).map(Operand::Number)).or_else(|| name(text))
}

fn name(text: &str) -> Option<Operand> {
    let is_name = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.$".contains(c));
    is_name.then(|| Operand::Name(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_have_names_and_widths() {
        assert_eq!(register("%al", Syntax::X86), Some(Operand::Register("a", 8, false)));
        assert_eq!(register("ah", Syntax::X86), Some(Operand::Register("a", 8, true)));
        assert_eq!(register("rsi", Syntax::X86), Some(Operand::Register("si", 64, false)));
        assert_eq!(register("%r10d", Syntax::X86), Some(Operand::Register("r10", 32, false)));
        assert_eq!(register("w7", Syntax::Aarch64), Some(Operand::Register("x7", 32, false)));
        assert_eq!(register("r1", Syntax::X86), None);
    }

    #[test]
    fn addresses() {
        let found = operands("-8(%rbp,\u{1}-1\u{2},4), %gs:0x10, $-1", Syntax::X86).unwrap();
        let Operand::Memory(memory) = &found[0] else { panic!("{found:?}") };
        assert_eq!((memory.displacement, memory.index.as_ref().map(|i| i.1)), (-8, Some(4)));
        let Operand::Memory(memory) = &found[1] else { panic!("{found:?}") };
        assert_eq!((memory.segment.as_deref(), memory.displacement), (Some("gs"), 16));
        assert_eq!(found[2], Operand::Number(-1));
        let found = operands("w1, [\u{1}-0\u{2}, #8]", Syntax::Aarch64).unwrap();
        let Operand::Memory(memory) = &found[1] else { panic!("{found:?}") };
        assert_eq!((memory.displacement, memory.base.as_deref()), (8, Some(&Operand::Reference(0, None))));
    }
}
