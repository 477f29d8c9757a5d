//! C names for the program's names.

use rustc_hash::FxHashSet;

/// What variables cannot be called: words of C and of this file.
const RESERVED: [&str; 62] = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "asm",
    "typeof",
    "main",
    "reach_error",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "int128_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint128_t",
    "main_thread",
    "pool_thread",
    "pool_ready",
    "NULL",
    "errno",
    "stdin",
    "stdout",
    "stderr",
    "linux",
    "unix",
    "i386",
    "abs",
    "bool",
    "assert",
];

/// Names that were given out.
pub(super) struct Names {
    used: FxHashSet<String>,
    temporaries: usize,
}

impl Names {
    pub(super) fn new() -> Names {
        Names { used: RESERVED.iter().map(|word| (*word).to_owned()).collect(), temporaries: 0 }
    }

    /// A name that no other variable has, as close to the given one as C lets it.
    pub(super) fn global(&mut self, name: &str) -> String {
        let mut base = String::new();
        for character in name.chars() {
            base.push(if character.is_ascii_alphanumeric() { character } else { '_' });
        }
        let starts_well = base.starts_with(|first: char| first.is_ascii_alphabetic());
        // Names that start with an underscore are the compiler's, `bv_` and `location_` are ours.
        if !starts_well || base.starts_with("bv_") || base.starts_with("location_") {
            base.insert_str(0, "x_");
        }
        let mut candidate = base.clone();
        let mut number = 2;
        while !self.used.insert(candidate.clone()) {
            candidate = format!("{base}_{number}");
            number += 1;
        }
        candidate
    }

    /// A new name for a value on its way.
    pub(super) fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("bv_{}", self.temporaries)
    }
}
