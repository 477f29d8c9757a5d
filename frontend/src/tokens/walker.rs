//! A walk over the tokens of a translation unit that knows declarations, statements and expressions.
//!
//! It does not check syntax. Where the text is not what it expects, it goes on at the next semicolon: the parser will
//! complain at the right place.

use super::code::Code;
use super::edits::Edits;
use super::keywords::{Word, word};
use super::lexer::Kind;
use super::scopes::Scopes;
use super::{Remark, SHADOW};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The walk, and what it has to know on its way.
pub(super) struct Walker<'a, 't> {
    pub code: &'a Code<'t>,
    pub scopes: Scopes<'t>,
    /// What names with characters that the parser does not know become.
    given: &'a FxHashMap<&'t str, String>,
    edits: &'a mut Edits,
    found: Walked,
}

/// What a walk found.
#[derive(Default)]
pub(super) struct Walked {
    pub remarks: Vec<Remark>,
    /// Places and what is not modelled there.
    pub doubts: Vec<(usize, String)>,
    /// What is probably wrong if the parser cannot read the text.
    pub suspicion: Option<Remark>,
    /// Whether parameters were declared again.
    pub shadows: bool,
    /// Labels of blocks: their name in the function, and how they are written.
    pub local_labels: Vec<(String, String)>,
}

/// Where a declaration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Outside of functions.
    File,
    /// In a block, or between the parentheses of `for`.
    Block,
    /// In a structure.
    Record,
    /// In the parentheses of a function, or in a type name.
    Parameter,
}

impl<'a, 't> Walker<'a, 't> {
    /// Walks over a whole text.
    pub(super) fn walk(
        code: &'a Code<'t>,
        given: &'a FxHashMap<&'t str, String>,
        edits: &'a mut Edits,
    ) -> Walked {
        let mut walker = Walker { code, scopes: Scopes::new(), given, edits, found: Walked::default() };
        let mut index = 0;
        while index < code.len() {
            let next = walker.external(index);
            index = next.max(index + 1);
        }
        walker.found
    }

    /// Something outside of functions.
    fn external(&mut self, index: usize) -> usize {
        match self.code.at(index) {
            ";" => {
                self.blank(index, index);
                index + 1
            }
            "__asm__" => {
                let end = self.code.find(index, &[";"]);
                self.blank(index, end);
                let message = "assembler code outside of functions is not modelled".to_owned();
                self.found.doubts.push((self.code.start(index) as usize, message));
                end + 1
            }
            "_Static_assert" => self.static_assert(index),
            _ => self.declaration(index, Place::File),
        }
    }

    /// `_Static_assert(e, "text");`, or without the text.
    pub(super) fn static_assert(&mut self, index: usize) -> usize {
        let open = index + 1;
        let close = self.code.partner(open);
        if self.code.at(open) == "(" {
            self.expression(open + 1, close);
            if self.code.commas(open).is_empty() {
                self.insert_before(close, ", \"\"");
            }
        }
        self.skip_to_semicolon(index + 1)
    }

    /// The body of a function, with the names of its parameters.
    pub(super) fn function_body(&mut self, open: usize, parameters: &[&'t str]) -> usize {
        for &name in parameters {
            if self.scopes.is_type(name) {
                self.insert_after(open, format!(" {SHADOW} {};", self.spelled(name)));
                self.found.shadows = true;
            }
        }
        self.scopes.enter();
        for &name in parameters {
            self.scopes.declare(name, false);
        }
        let end = self.compound(open);
        self.scopes.leave();
        end
    }

    /// The index behind the next semicolon of this level, or the bracket that closes the level.
    pub(super) fn skip_to_semicolon(&self, index: usize) -> usize {
        let end = self.code.find(index, &[";"]);
        end + usize::from(self.code.at(end) == ";")
    }

    pub(super) fn word(&self, index: usize) -> Option<Word> {
        (self.code.kind(index) == Some(Kind::Word)).then(|| word(self.code.at(index)))
    }

    pub(super) fn is_name(&self, index: usize) -> bool {
        self.word(index) == Some(Word::Name)
    }

    /// Whether a name of a type stands here that was defined by the text.
    pub(super) fn is_defined_type(&self, index: usize) -> bool {
        self.is_name(index) && self.scopes.is_type(self.code.at(index))
    }

    /// Whether a type name or a declaration begins here.
    pub(super) fn starts_type(&self, index: usize) -> bool {
        self.word(index).is_some_and(Word::starts_type) || self.is_defined_type(index)
    }

    /// Whether a label begins here: `name :`.
    pub(super) fn is_label(&self, index: usize) -> bool {
        self.is_name(index) && self.code.at(index + 1) == ":"
    }

    /// The first index from `index` on that is not an attribute.
    pub(super) fn skip_attributes(&self, mut index: usize) -> usize {
        while self.word(index) == Some(Word::Attribute) {
            index = if self.code.at(index + 1) == "(" { self.code.after(index + 1) } else { index + 1 };
        }
        index
    }

    /// Takes attributes of a statement away and returns the index behind them. Those that change nothing are gone already.
    pub(super) fn drop_attributes(&mut self, index: usize) -> usize {
        let end = self.skip_attributes(index);
        if end > index {
            self.blank(index, end - 1);
            let message = "this attribute of a statement is not modelled".to_owned();
            self.found.doubts.push((self.code.start(index) as usize, message));
        }
        end
    }

    /// Gives a label that is local to a block a name of its own.
    pub(super) fn declare_label(&mut self, label: &'t str) {
        let name = format!("{}__monabs_{}", self.spelled(label), self.found.local_labels.len());
        self.found.local_labels.push((name.clone(), label.to_owned()));
        self.scopes.declare_label(label, name);
    }

    /// A word with characters that the parser knows.
    pub(super) fn spelled<'s>(&'s self, word: &'s str) -> &'s str {
        self.given.get(word).map_or(word, String::as_str)
    }

    pub(super) fn remark(&mut self, remark: Remark) {
        self.found.remarks.push(remark);
    }

    pub(super) fn suspicion(&mut self, remark: Remark) {
        self.found.suspicion.get_or_insert(remark);
    }

    pub(super) fn insert_before(&mut self, index: usize, text: impl Into<Cow<'static, str>>) {
        self.edits.insert(self.code.start(index), text);
    }

    pub(super) fn insert_after(&mut self, index: usize, text: impl Into<Cow<'static, str>>) {
        self.edits.insert(self.code.end(index), text);
    }

    /// Writes a token anew.
    pub(super) fn replace(&mut self, index: usize, text: impl Into<Cow<'static, str>>) {
        self.edits.replace(self.code.start(index), self.code.end(index), text);
    }

    /// Takes the tokens from `first` to `last` away.
    pub(super) fn blank(&mut self, first: usize, last: usize) {
        self.edits.blank(self.code.start(first), self.code.end(last.max(first)));
    }
}
