//! Structures, unions and enumerations: their members, and attributes where the parser does not expect them.

use super::lexer::Kind;
use super::walker::{Place, Walker};

impl Walker<'_, '_> {
    /// In structures the parser knows the attribute, but not `_Alignas`.
    pub(super) fn alignment(&mut self, index: usize, place: Place) -> usize {
        let open = index + 1;
        if self.code.at(open) != "(" {
            return open;
        }
        let close = self.code.partner(open);
        let is_type = self.starts_type(open + 1);
        let in_record = place == Place::Record;
        if in_record && is_type {
            self.insert_after(open, "_Alignof(");
        }
        if is_type {
            self.type_name(open + 1, close)
        } else {
            self.expression(open + 1, close)
        }
        if in_record {
            self.replace(index, "__attribute__((aligned");
            self.insert_after(close, if is_type { ")))" } else { "))" });
        }
        close + 1
    }

    /// `struct s { ... }`; attributes in front of the name go behind the body.
    pub(super) fn record(&mut self, index: usize) -> usize {
        let open = self.tag(index);
        if self.code.at(open) != "{" {
            return open;
        }
        let close = self.code.partner(open);
        let mut member = open + 1;
        while member < close {
            let next = match self.code.at(member) {
                ";" => {
                    self.blank(member, member);
                    member + 1
                }
                "_Static_assert" => self.static_assert(member),
                _ => self.declaration(member, Place::Record),
            };
            member = next.max(member + 1);
        }
        close + 1
    }

    pub(super) fn enumeration(&mut self, index: usize) -> usize {
        let open = self.tag(index);
        if self.code.at(open) != "{" {
            return open;
        }
        let close = self.code.partner(open);
        let mut enumerator = open + 1;
        while enumerator < close {
            let end = self.code.find(enumerator, &[","]).min(close);
            if self.is_name(enumerator) {
                self.scopes.declare(self.code.at(enumerator), false);
            }
            self.expression(enumerator, end);
            enumerator = end + 1;
        }
        close + 1
    }

    /// The optional name behind `struct`, `union` or `enum`; returns the index behind it.
    fn tag(&mut self, index: usize) -> usize {
        let before = self.skip_attributes(index + 1);
        let name = before + usize::from(self.is_name(before));
        let open = self.skip_attributes(name);
        let has_body = self.code.at(open) == "{";
        for (first, end) in [(index + 1, before), (name, open)] {
            if first < end && (has_body || first < name) {
                if has_body {
                    let moved = self.closed_up(first, end);
                    self.insert_after(self.code.partner(open), moved);
                }
                self.blank(first, end - 1);
            }
        }
        if has_body { open } else { name }
    }

    /// The text of attributes without blanks between brackets, as the parser wants it.
    fn closed_up(&self, first: usize, end: usize) -> String {
        let mut text = String::from(" ");
        for index in first..end {
            if self.code.kind(index) != Some(Kind::Sign) && !text.ends_with(['(', ',', ' ']) {
                text.push(' ');
            }
            text.push_str(self.spelled(self.code.at(index)));
        }
        text
    }
}
