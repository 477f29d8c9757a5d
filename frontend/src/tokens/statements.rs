//! Statements: labels before declarations and closing braces, labels of blocks, and jumps that are refused.

use super::nesting::CHAIN;
use super::walker::{Place, Walker};
use super::{ASM_GOTO, COMPUTED_GOTO};

impl Walker<'_, '_> {
    /// A block; returns the index behind it.
    pub(super) fn compound(&mut self, open: usize) -> usize {
        let close = self.code.partner(open);
        self.scopes.enter();
        let mut index = open + 1;
        while index < close {
            let next = self.block_item(index);
            index = next.max(index + 1);
        }
        self.scopes.leave();
        close + 1
    }

    fn block_item(&mut self, index: usize) -> usize {
        match self.code.at(index) {
            "__label__" => self.local_labels(index),
            "_Static_assert" => self.static_assert(index),
            "__attribute__" => {
                let end = self.skip_attributes(index);
                if self.starts_type(end) {
                    self.declaration(index, Place::Block)
                } else {
                    self.drop_attributes(index)
                }
            }
            _ if self.starts_type(index) && !self.is_label(index) => self.declaration(index, Place::Block),
            _ => self.statement(index),
        }
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self, index: usize) -> usize {
        let end = self.code.find(index, &[";"]);
        for label in index + 1..end {
            if self.is_name(label) {
                self.declare_label(self.code.at(label));
            }
        }
        self.blank(index, end);
        end + 1
    }

    /// A statement; returns the index behind it.
    fn statement(&mut self, index: usize) -> usize {
        match self.code.at(index) {
            "{" => self.compound(index),
            ";" => index + 1,
            "if" => self.if_chain(index),
            "while" | "switch" => self.controlled(index),
            "for" => self.for_loop(index),
            "do" => {
                let end = self.statement(index + 1);
                self.expression_statement(end)
            }
            "goto" => self.goto(index),
            "case" => self.case(index),
            "default" if self.code.at(index + 1) == ":" => self.after_label(index + 1),
            "__asm__" => self.assembler(index),
            "__attribute__" => self.drop_attributes(index),
            _ if self.is_label(index) => {
                self.rename_label(index);
                self.after_label(index + 1)
            }
            _ => self.expression_statement(index),
        }
    }

    /// `if (e) s`, with what follows `else`. Each `else if` is one level deeper in the tree; every now and then a chain is cut, so that it can have
    /// any length: what comes then stands behind the statement, and is jumped to.
    fn if_chain(&mut self, start: usize) -> usize {
        let (mut at, mut links) = (start, 0usize);
        let end = loop {
            let end = self.controlled(at);
            match (self.code.at(end), self.code.at(end + 1)) {
                ("else", "if") => at = end + 1,
                ("else", _) => break self.statement(end + 1),
                _ => break end,
            }
            links += 1;
            if links.is_multiple_of(CHAIN) {
                let next = format!("__monabs_else_{at}");
                self.replace(end, format!("else goto {next}; goto __monabs_end_{start}; {next}:;"));
            }
        };
        if links >= CHAIN {
            self.insert_before(start, "{");
            self.insert_after(end - 1, format!(" __monabs_end_{start}:;}}"));
        }
        end
    }

    /// Anything up to a semicolon.
    fn expression_statement(&mut self, index: usize) -> usize {
        let end = self.code.find(index, &[";"]);
        self.expression(index, end);
        end + usize::from(self.code.at(end) == ";")
    }

    /// `while (e) s` and its relatives.
    fn controlled(&mut self, index: usize) -> usize {
        let open = index + 1;
        if self.code.at(open) != "(" {
            return open;
        }
        self.expression(open + 1, self.code.partner(open));
        self.statement(self.code.after(open))
    }

    fn for_loop(&mut self, index: usize) -> usize {
        let open = index + 1;
        if self.code.at(open) != "(" {
            return open;
        }
        let close = self.code.partner(open);
        self.scopes.enter();
        let mut rest = open + 1;
        if self.starts_type(rest) {
            self.mark_as_type(rest);
            rest = self.declaration(rest, Place::Block);
        }
        self.expression(rest, close);
        let end = self.statement(close + 1);
        self.scopes.leave();
        end
    }

    fn goto(&mut self, index: usize) -> usize {
        if self.code.at(index + 1) == "*" {
            let end = self.code.find(index, &[";"]);
            self.replace(index, COMPUTED_GOTO);
            self.replace(index + 1, "(");
            self.expression(index + 2, end);
            self.insert_before(end, ")");
        } else {
            self.rename_label(index + 1);
        }
        self.skip_to_semicolon(index)
    }

    /// `case e:`, `case e ... e:`
    fn case(&mut self, index: usize) -> usize {
        let mut open_conditions = 0;
        let mut colon = index + 1;
        loop {
            colon = self.code.find(colon, &["?", ":", ";"]);
            match self.code.at(colon) {
                "?" => open_conditions += 1,
                ":" if open_conditions > 0 => open_conditions -= 1,
                ":" => break,
                _ => return colon,
            }
            colon += 1;
        }
        self.expression(index + 1, colon);
        self.after_label(colon)
    }

    /// What follows the colon of a label: a statement, which the parser wants to have.
    fn after_label(&mut self, colon: usize) -> usize {
        let index = self.drop_attributes(colon + 1);
        let declaration =
            self.code.at(index) == "_Static_assert" || (self.starts_type(index) && !self.is_label(index));
        if declaration || self.code.at(index) == "}" || self.code.at(index) == "__label__" {
            self.insert_after(colon, ";");
            return index;
        }
        self.statement(index)
    }

    fn rename_label(&mut self, index: usize) {
        if let Some(name) = self.scopes.label(self.code.at(index)) {
            let name = name.to_owned();
            self.replace(index, name);
        }
    }

    /// `asm volatile ("..." : "=r" (x) : : "memory");`
    fn assembler(&mut self, index: usize) -> usize {
        let mut next = index + 1;
        let mut is_goto = false;
        while self.code.at(next) != "(" && next < self.code.len() && self.code.at(next) != ";" {
            match self.code.at(next) {
                "goto" => {
                    self.blank(next, next);
                    is_goto = true;
                }
                "inline" | "__inline" | "__inline__" => self.blank(next, next),
                _ => {}
            }
            next += 1;
        }
        if is_goto {
            self.labels_as_clobbers(next);
        }
        self.expression_statement(next)
    }

    /// The labels of `asm goto` stand behind the fourth colon; the parser reads them as clobbers.
    fn labels_as_clobbers(&mut self, open: usize) {
        let close = self.code.partner(open);
        let mut colons = Vec::new();
        let mut at = open + 1;
        while at < close {
            match self.code.at(at) {
                "(" | "[" => at = self.code.after(at),
                ":" | "::" => {
                    colons.push(at);
                    at += 1;
                }
                _ => at += 1,
            }
        }
        let [.., before, last] = colons.as_slice() else { return };
        let (before, last) = (*before, *last);
        self.replace(last, if last > before + 1 { "," } else { " " });
        for label in (last + 1..close).filter(|at| self.code.at(*at) != ",") {
            let name = self.scopes.label(self.code.at(label)).unwrap_or(self.code.at(label)).to_owned();
            self.replace(label, format!("\"{ASM_GOTO}{name}\""));
        }
    }
}
