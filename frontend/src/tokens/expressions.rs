//! Expressions: type names in parentheses, blocks as values, and operators that the parser does not know.

use super::lexer::Kind;
use super::walker::Walker;
use super::{ELVIS, IMAGINARY, LABEL, REAL};

impl Walker<'_, '_> {
    /// The tokens of an expression, an initialiser, or anything else that may contain expressions.
    pub(super) fn expression(&mut self, start: usize, end: usize) {
        let mut index = start;
        while index < end {
            let next = match self.code.at(index) {
                "(" => self.parenthesis(index),
                "[" | "{" => {
                    self.expression(index + 1, self.code.partner(index));
                    self.code.after(index)
                }
                "?" if self.code.at(index + 1) == ":" => {
                    self.insert_after(index, format!(" {ELVIS} "));
                    index + 2
                }
                "&&" if self.is_prefix(index, start) && self.is_name(index + 1) => self.label_address(index),
                "_Generic" => self.generic(index),
                "__builtin_types_compatible_p" => self.compared_types(index),
                "_Alignof" | "__alignof" | "__alignof__" => self.alignment_of(index),
                "__real__" | "__real" | "__imag__" | "__imag" => self.part_of_complex(index),
                _ => index + 1,
            };
            index = next.max(index + 1);
        }
    }

    /// A parenthesis: a cast, a compound literal, a block with a value, arguments, or just an expression.
    fn parenthesis(&mut self, open: usize) -> usize {
        let close = self.code.partner(open);
        if self.code.at(open + 1) == "{" {
            self.compound(open + 1);
            return close + 1;
        }
        if !self.starts_type(open + 1) {
            self.arguments(open);
            return close + 1;
        }
        self.type_name(open + 1, close);
        match self.code.at(close + 1) {
            "{" => self.compound_literal(open),
            // Behind a size there is a value, and `&&` combines it with the next one.
            "&&" if self.is_name(close + 2) && !self.is_size(open) => self.label_address(close + 1),
            _ => close + 1,
        }
    }

    /// Whether a type in parentheses is one that is measured.
    fn is_size(&self, open: usize) -> bool {
        open.checked_sub(1).is_some_and(|before| {
            matches!(self.code.at(before), "sizeof" | "_Alignof" | "__alignof" | "__alignof__")
        })
    }

    /// `(T){...}`
    fn compound_literal(&mut self, open: usize) -> usize {
        let close = self.code.partner(open);
        let end = self.code.partner(close + 1);
        self.expression(close + 2, end);
        if end == close + 2 {
            self.insert_before(end, "0");
        }
        if open > 0 && self.code.at(open - 1) == "sizeof" {
            self.insert_before(open, "(");
            self.insert_after(end, ")");
        }
        end + 1
    }

    /// Expressions between commas. Some built-in functions take types among them.
    fn arguments(&mut self, open: usize) {
        let close = self.code.partner(open);
        let mut start = open + 1;
        while start < close {
            let end = self.code.find(start, &[","]).min(close);
            if self.starts_type(start) {
                self.type_name(start, end)
            } else {
                self.expression(start, end)
            }
            start = end + 1;
        }
    }

    /// Whether an operator has no left operand.
    fn is_prefix(&self, index: usize, start: usize) -> bool {
        let Some(before) = index.checked_sub(1).filter(|&before| before >= start) else { return true };
        match self.code.kind(before) {
            Some(Kind::Sign) => !matches!(self.code.at(before), ")" | "]" | "}" | "++" | "--"),
            Some(Kind::Word) => matches!(self.code.at(before), "return" | "sizeof" | "case" | "else" | "do"),
            _ => false,
        }
    }

    fn label_address(&mut self, index: usize) -> usize {
        let written = self.code.at(index + 1);
        let name = self.scopes.label(written).unwrap_or_else(|| self.spelled(written)).to_owned();
        self.blank(index, index);
        self.replace(index + 1, format!("{LABEL}(\"{name}\")"));
        index + 2
    }

    /// `_Generic(e, T: e, default: e)`
    fn generic(&mut self, index: usize) -> usize {
        let open = index + 1;
        if self.code.at(open) != "(" {
            return open;
        }
        let close = self.code.partner(open);
        let mut start = open + 1;
        while start < close {
            let end = self.code.find(start, &[","]).min(close);
            let colon = if start == open + 1 { start } else { self.code.find(start, &[":"]) };
            if colon > start && colon < end && self.starts_type(start) {
                self.type_name(start, colon);
                self.expression(colon + 1, end);
            } else {
                self.expression(start, end);
            }
            start = end + 1;
        }
        close + 1
    }

    /// `__builtin_types_compatible_p(T, U)`: the parser can read a type as an argument of `sizeof`.
    fn compared_types(&mut self, index: usize) -> usize {
        let open = index + 1;
        if self.code.at(open) != "(" {
            return open;
        }
        let close = self.code.partner(open);
        let commas = self.code.commas(open);
        let starts = std::iter::once(open).chain(commas.iter().copied());
        let ends = commas.iter().copied().chain([close]);
        for (before, end) in starts.zip(ends) {
            self.insert_after(before, "sizeof(");
            self.type_name(before + 1, end);
            self.insert_before(end, ")");
        }
        close + 1
    }

    /// GNU C asks expressions, too, for their alignment.
    fn alignment_of(&mut self, index: usize) -> usize {
        let open = index + 1;
        if self.code.at(open) == "(" && self.starts_type(open + 1) {
            return open;
        }
        self.around_operand(index, "(__typeof__(", "))")
    }

    /// `__real__ e`
    fn part_of_complex(&mut self, index: usize) -> usize {
        let is_real = self.code.at(index).starts_with("__real");
        self.replace(index, if is_real { REAL } else { IMAGINARY });
        self.around_operand(index, "(", ")")
    }

    /// Puts the operand of the operator at `index` into parentheses; returns the index behind it.
    fn around_operand(&mut self, index: usize, before: &'static str, after: &'static str) -> usize {
        let mut end = self.code.after(index + 1);
        loop {
            end = match self.code.at(end) {
                "[" | "(" => self.code.after(end),
                "." | "->" => end + 2,
                _ => break,
            };
        }
        self.insert_before(index + 1, before);
        self.expression(index + 1, end);
        self.insert_after(end - 1, after);
        end
    }
}
