//! A bound on the depth of syntax trees.
//!
//! Parser, translation and even the release of a tree go down by recursion. How deep the tree of a text can be is estimated
//! from the tokens: brackets, and operators and keywords that stand in one statement, because `a + b + c`
//! and `case 1: case 2:` are nested in the tree, too; so are up to [`CHAIN`] links of `else if`. Commas and semicolons make lists, which are flat.

use super::Remark;
use super::code::Code;
use super::lexer::Kind;

/// The deepest nesting that is taken. Hand-written programs stay below 100; chains of `else if` in generated ones
/// are longer. The parser's time grows with the square of the depth: seconds at this bound.
pub(crate) const DEEPEST: usize = 2_000;

/// So many links of a chain of `else if` are nested in the tree; the walker cuts longer ones.
pub(super) const CHAIN: usize = 100;

/// Refuses text that is nested too deeply.
pub(super) fn check(code: &Code<'_>) -> Result<(), Remark> {
    // For each open bracket the depth outside, and what the current statement or list item adds.
    let mut outer: Vec<usize> = Vec::new();
    let mut depth = 0;
    // For each level the links of the chain of `else if` that stands there.
    let mut links: Vec<usize> = vec![0];
    for index in 0..code.len() {
        match code.at(index) {
            "(" | "[" | "{" => {
                depth += 1;
                outer.push(depth);
                links.push(0);
            }
            ")" | "]" | "}" => {
                let open = code.partner(index);
                links.truncate(links.len().saturating_sub(1).max(1));
                depth = outer.pop().unwrap_or(1) - usize::from(is_condition(code, open));
                if code.at(index) == "}" && code.at(index + 1) != "else" && !is_literal(code, open) {
                    depth = outer.last().copied().unwrap_or(0);
                }
            }
            ";" if code.at(index + 1) == "else" => {}
            "else" if code.at(index + 1) == "if" => {
                let here = links.last_mut();
                let count = here.map_or(0, |count| {
                    *count += 1;
                    *count
                });
                if count.is_multiple_of(CHAIN) {
                    depth = outer.last().copied().unwrap_or(0);
                }
            }
            ";" | "," => {
                depth = outer.last().copied().unwrap_or(0);
                if let Some(count) = links.last_mut() {
                    *count = 0;
                }
            }
            other => depth += usize::from(deepens(code.kind(index), other)),
        }
        if depth > DEEPEST {
            let message = format!("this is nested more than {DEEPEST} levels deep");
            let hint = "split the expression, or put parts of it into functions";
            return Err(Remark::error(code.start(index) as usize, message).hint(hint));
        }
    }
    Ok(())
}

/// Whether the parenthesis at `open` belongs to a statement.
fn is_condition(code: &Code<'_>, open: usize) -> bool {
    open > 0 && code.at(open) == "(" && matches!(code.at(open - 1), "if" | "while" | "for" | "switch")
}

/// Whether the brace at `open` belongs to an expression, `(T){...}`, rather than to a statement.
fn is_literal(code: &Code<'_>, open: usize) -> bool {
    let Some(close) = open.checked_sub(1).filter(|&before| code.at(before) == ")") else { return false };
    let Some(before) = code.partner(close).checked_sub(1) else { return false };
    match code.kind(before) {
        Some(Kind::Sign) => code.at(before) != ")",
        _ => matches!(code.at(before), "return" | "sizeof" | "case" | "else" | "do"),
    }
}

/// Whether a token makes a new level of the tree below or above what is around it.
fn deepens(kind: Option<Kind>, spelled: &str) -> bool {
    match kind {
        Some(Kind::Sign) => true,
        Some(Kind::Word) => {
            matches!(spelled, "if" | "while" | "for" | "do" | "switch" | "sizeof")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    fn refused(text: &str) -> bool {
        check(&Code::new(text, lex(text).tokens).unwrap()).is_err()
    }

    #[test]
    fn deep_trees_are_refused() {
        let deep = DEEPEST + 1;
        assert!(refused(&("(".repeat(deep) + &")".repeat(deep))));
        assert!(refused(&format!("x = 1{};", " + 1".repeat(deep))));
        assert!(refused(&format!("x = {}1;", "!".repeat(deep))));
        assert!(refused(&format!("{{ {} ; }}", "case 1: ".repeat(deep))));
        assert!(refused(&format!("x = (T){{1}}{};", " * (T){1}".repeat(deep))));
        assert!(refused(
            &"struct { ".repeat(deep).to_string().chars().chain("}".repeat(deep).chars()).collect::<String>()
        ));
    }

    #[test]
    fn long_texts_are_not_deep() {
        let long = 3 * DEEPEST;
        assert!(!refused(&format!("int a[] = {{ {} }};", "-1 + 2, ".repeat(long))));
        assert!(!refused(&"void f() { if (a) { x = y + 1; } else { z(-1); } }".repeat(long)));
        assert!(!refused(&format!(
            "void f() {{ {} }}",
            "if (a) { x = y + 1; } while (b) { c(); }".repeat(long)
        )));
        assert!(!refused(&"struct s { int a : 3; };".repeat(long)));
        assert!(!refused(&format!("{{ if (a) ; {} }}", "else if (b) ; ".repeat(long))));
        assert!(!refused(&format!("{{ if (a) {{}} {} }}", "else if (b) {} ".repeat(long))));
    }
}
