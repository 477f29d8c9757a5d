//! Pragmas. Compilers ignore those that they do not know, and so does this pass, except for those that change what the program does.
//!
//! `#pragma pack` is followed exactly: it bounds the alignment of members of structures that end behind it. Others that matter are
//! doubts: what they do is not modelled, so "safe" must not be said.

use super::Remark;
use std::ops::Range;

/// What the pragmas of a text say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pragmas {
    /// From where on which bound holds, in bytes; 0 for none.
    pub packs: Vec<(usize, u64)>,
    /// Places and what is not modelled there.
    pub doubts: Vec<(usize, String)>,
    /// Errors.
    pub remarks: Vec<Remark>,
}

/// Reads the pragmas among the directives of a text.
pub(super) fn read(text: &str, directives: &[Range<usize>]) -> Pragmas {
    let mut found = Pragmas::default();
    let mut stack = Vec::new();
    for range in directives {
        let line = &text[range.clone()];
        let line = line.strip_prefix("%:").or(line.strip_prefix('#')).unwrap_or(line);
        let Some(pragma) = line.trim_start().strip_prefix("pragma") else { continue };
        let words = words(pragma);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["pack", arguments @ ..] => {
                let now = found.packs.last().map_or(0, |(_, pack)| *pack);
                match pack(arguments, now, &mut stack) {
                    Some(pack) => found.packs.push((range.start, pack)),
                    None => {
                        let remark = Remark::error(range.start, "this `#pragma pack` is not understood");
                        found.remarks.push(remark.hint("write pack(N), pack(push, N), pack(pop) or pack()"));
                    }
                }
            }
            [
                kind @ ("omp" | "acc" | "weak" | "redefine_extname" | "scalar_storage_order" | "ms_struct"),
                ..,
            ]
            | ["GCC" | "clang", kind @ ("omp" | "weak" | "redefine_extname" | "scalar_storage_order"), ..] => {
                found.doubts.push((range.start, format!("`#pragma {kind}` is not modelled")));
            }
            _ => {}
        }
    }
    found
}

/// Words, numbers and signs, one by one.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut before = ' ';
    for c in line.chars() {
        match words.last_mut() {
            Some(word) if is_part(c) && is_part(before) => word.push(c),
            _ if !c.is_whitespace() => words.push(c.to_string()),
            _ => {}
        }
        before = c;
    }
    words
}

/// The bound after `pack(...)`; none if it cannot be understood.
fn pack(arguments: &[&str], now: u64, stack: &mut Vec<(Option<String>, u64)>) -> Option<u64> {
    let inner = arguments.strip_prefix(&["("])?.strip_suffix(&[")"])?;
    let parts: Vec<&str> = match inner {
        [] => Vec::new(),
        list => {
            let parts: Vec<&[&str]> = list.split(|word| *word == ",").collect();
            parts
                .iter()
                .map(|part| if let [word] = part { Some(*word) } else { None })
                .collect::<Option<_>>()?
        }
    };
    // Compilers ignore numbers that are not alignments.
    let bound = |word: &str| {
        let number = word.parse::<u64>().ok()?;
        Some(if matches!(number, 0 | 1 | 2 | 4 | 8 | 16) { number } else { now })
    };
    let is_name = |word: &str| word.parse::<u64>().is_err();
    match parts.as_slice() {
        [] => Some(0),
        ["push"] => {
            stack.push((None, now));
            Some(now)
        }
        ["push", name] if is_name(name) => {
            stack.push((Some((*name).to_owned()), now));
            Some(now)
        }
        ["push", number] => {
            stack.push((None, now));
            bound(number)
        }
        ["push", name, number] if is_name(name) => {
            stack.push((Some((*name).to_owned()), now));
            bound(number)
        }
        ["pop"] => Some(stack.pop().map_or(now, |(_, before)| before)),
        ["pop", name] if is_name(name) => {
            let Some(at) = stack.iter().rposition(|(known, _)| known.as_deref() == Some(*name)) else {
                return Some(now);
            };
            let before = stack[at].1;
            stack.truncate(at);
            Some(before)
        }
        [number] => bound(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    fn packs(text: &str) -> Vec<u64> {
        read(text, &lex(text).directives).packs.into_iter().map(|(_, pack)| pack).collect()
    }

    #[test]
    fn bounds_are_pushed_and_popped() {
        let text = "#pragma pack(push, 1)\n#pragma pack(2)\n#pragma pack( pop )\n# pragma pack(push,a,4)\n\
                    #pragma pack(push)\n#pragma pack(3)\n#pragma pack(pop,a)\n#pragma pack()";
        assert_eq!(packs(text), [1, 2, 0, 4, 4, 4, 0, 0]);
    }

    #[test]
    fn what_is_not_known_is_refused_or_doubted() {
        let all = |text: &str| {
            let found = read(text, &lex(text).directives);
            (found.remarks.len(), found.doubts.len(), found.packs.len())
        };
        assert_eq!(all("#pragma pack(show, x, y)"), (1, 0, 0));
        assert_eq!(all("#pragma omp parallel for"), (0, 1, 0));
        assert_eq!(all("#pragma weak f = g\n#pragma redefine_extname a b"), (0, 2, 0));
        assert_eq!(
            all("#pragma GCC diagnostic push\n#pragma once\n#pragma STDC FP_CONTRACT ON\n#line 3"),
            (0, 0, 0)
        );
    }
}
