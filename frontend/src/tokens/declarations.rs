//! Declarations: which names they introduce, and what the parser cannot read in them.

use super::keywords::Word;
use super::walker::{Place, Walker};
use super::{INT128, Remark, UINT128};

/// What comes before the declarators.
#[derive(Default)]
struct Specifiers {
    /// The index behind them.
    end: usize,
    is_typedef: bool,
    has_type: bool,
    int128: Option<usize>,
    /// The last `signed` or `unsigned`.
    signedness: Option<usize>,
}

/// A declared name with everything around it.
#[derive(Default)]
struct Declarator<'t> {
    /// The index behind it.
    end: usize,
    name: Option<&'t str>,
    /// Whether it is a function, rather than a pointer to one.
    is_function: bool,
    /// Whether anything but a name and parentheses is in it.
    is_derived: bool,
    parameters: Parameters<'t>,
}

/// The parameters of a function.
#[derive(Default)]
struct Parameters<'t> {
    names: Vec<&'t str>,
    /// Whether there are names only, and declarations may follow.
    is_old_style: bool,
}

impl<'t> Walker<'_, 't> {
    /// A declaration or a function; returns the index behind it.
    pub(super) fn declaration(&mut self, index: usize, place: Place) -> usize {
        let specifiers = self.specifiers(index, place);
        self.implicit_int(&specifiers, index, place);
        let mut index = specifiers.end;
        loop {
            let declarator = self.declarator(index);
            if let Some(name) = declarator.name
                && place != Place::Record
            {
                self.scopes.declare(name, specifiers.is_typedef);
            }
            index = self.after_declarator(declarator.end);
            match self.code.at(index) {
                "{" if declarator.is_function => {
                    return match place {
                        Place::File => self.function_body(index, &declarator.parameters.names),
                        _ => self.nested_function(index),
                    };
                }
                "=" => index = self.initializer(index + 1),
                ":" if place == Place::Record => {
                    let end = self.code.find(index + 1, &[",", ";"]);
                    self.expression(index + 1, end);
                    index = end;
                }
                _ if place == Place::File
                    && declarator.parameters.is_old_style
                    && self.starts_type(index) =>
                {
                    return self.old_style_function(index, &declarator.parameters);
                }
                _ => {}
            }
            match self.code.at(index) {
                "," => index += 1,
                ";" => return index + 1,
                _ => {
                    self.suspect(index, specifiers.has_type, &declarator);
                    return self.skip_to_semicolon(index);
                }
            }
        }
    }

    /// Nothing that can follow a declarator follows this one. If the parser stumbles, this will have been the reason.
    fn suspect(&mut self, index: usize, has_type: bool, declarator: &Declarator<'t>) {
        let next = self.code.at(index);
        match declarator.name {
            Some(name) if !has_type && (self.is_name(index) || next == "*") => {
                let message = format!("`{name}` is not the name of a type");
                let remark = Remark::error(self.code.start(index - 1) as usize, message);
                self.suspicion(remark.hint("a header may be missing, or a typedef further up"));
            }
            None if !has_type => {}
            _ => {
                let found =
                    if next.is_empty() { "the end of the file".to_owned() } else { format!("`{next}`") };
                let message = format!("expected `;` before {found}");
                self.suspicion(Remark::error(self.code.end(index.saturating_sub(1)) as usize, message));
            }
        }
    }

    fn nested_function(&mut self, open: usize) -> usize {
        let remark =
            Remark::error(self.code.start(open) as usize, "functions inside functions are not supported");
        self.remark(remark.hint("move the function to the file's level and pass the variables that it uses"));
        self.code.after(open)
    }

    /// `f(a, b) int a; char b; { ... }`, from the first declaration on.
    fn old_style_function(&mut self, mut index: usize, parameters: &Parameters<'t>) -> usize {
        self.scopes.enter();
        while self.starts_type(index) {
            index = self.declaration(index, Place::Block);
        }
        self.scopes.leave();
        if self.code.at(index) != "{" {
            return index;
        }
        self.scopes.enter();
        for name in &parameters.names {
            self.scopes.declare(name, false);
        }
        // The parser has seen in the declarations that these are variables.
        let end = self.function_body(index, &[]);
        self.scopes.leave();
        end
    }

    /// Asm labels and attributes behind a declarator.
    fn after_declarator(&self, index: usize) -> usize {
        let mut index = self.skip_attributes(index);
        if self.code.at(index) == "__asm__" && self.code.at(index + 1) == "(" {
            index = self.code.after(index + 1);
        }
        self.skip_attributes(index)
    }

    fn initializer(&mut self, index: usize) -> usize {
        let end = self.code.find(index, &[",", ";"]);
        self.expression(index, end);
        end
    }

    /// `static x;` declares an integer.
    fn implicit_int(&mut self, specifiers: &Specifiers, start: usize, place: Place) {
        let index = specifiers.end;
        let possible = match place {
            Place::File => true,
            Place::Block | Place::Parameter => index > start,
            Place::Record => false,
        };
        let after_name = ["(", "=", ";", ",", "[", ")", "__attribute__", "__asm__"];
        let named = self.is_name(index) && after_name.contains(&self.code.at(index + 1));
        let nested = matches!(self.code.at(index), "*" | "(") && place != Place::Parameter;
        if possible && !specifiers.has_type && (named || nested) {
            self.insert_before(index, "int ");
        }
    }

    fn specifiers(&mut self, start: usize, place: Place) -> Specifiers {
        let mut found = Specifiers { end: start, ..Specifiers::default() };
        while let Some(word) = self.word(found.end) {
            let index = found.end;
            found.end = match word {
                Word::Typedef => {
                    found.is_typedef = true;
                    index + 1
                }
                Word::Storage | Word::Qualifier => index + 1,
                Word::Atomic if self.code.at(index + 1) != "(" => index + 1,
                Word::Attribute => self.skip_attributes(index),
                Word::Alignment => self.alignment(index, place),
                Word::Name if found.has_type || !self.is_defined_type(index) => break,
                Word::StaticAssert | Word::Keyword => break,
                _ => {
                    found.has_type = true;
                    self.type_specifier(index, word, &mut found)
                }
            };
        }
        self.int128(&found);
        found
    }

    fn type_specifier(&mut self, index: usize, word: Word, found: &mut Specifiers) -> usize {
        match word {
            Word::Atomic | Word::TypeOf => self.type_in_parentheses(index, word),
            Word::Record => self.record(index),
            Word::Enum => self.enumeration(index),
            Word::Int128 => {
                found.int128 = Some(index);
                index + 1
            }
            Word::Signedness => {
                found.signedness = Some(index);
                index + 1
            }
            _ => index + 1,
        }
    }

    fn int128(&mut self, found: &Specifiers) {
        let Some(index) = found.int128 else { return };
        let unsigned = found.signedness.is_some_and(|sign| self.code.at(sign) == "unsigned");
        self.replace(index, if unsigned { UINT128 } else { INT128 });
        if let Some(sign) = found.signedness {
            self.blank(sign, sign);
        }
    }

    /// `_Atomic(T)`, `typeof(T)`, `typeof(e)`
    fn type_in_parentheses(&mut self, index: usize, word: Word) -> usize {
        let open = index + 1;
        if self.code.at(open) != "(" {
            return open;
        }
        let close = self.code.partner(open);
        if self.starts_type(open + 1) {
            if word == Word::TypeOf {
                self.mark_as_type(open + 1);
            }
            self.type_name(open + 1, close);
        } else {
            self.expression(open + 1, close);
        }
        close + 1
    }

    /// Where the parser would try an expression first, an attribute without content tells it that a type begins.
    pub(super) fn mark_as_type(&mut self, index: usize) {
        if self.is_defined_type(index) || self.word(index) == Some(Word::TypeOf) {
            self.insert_before(index, "__attribute__(()) ");
        }
    }

    /// A type name: `const T *[3]`.
    pub(super) fn type_name(&mut self, index: usize, end: usize) {
        let specifiers = self.specifiers(index, Place::Parameter);
        if !specifiers.has_type && specifiers.end > index {
            self.insert_before(specifiers.end, " int ");
        }
        if specifiers.end < end {
            let declarator = self.declarator(specifiers.end);
            self.expression(declarator.end, end);
        }
    }

    fn declarator(&mut self, mut index: usize) -> Declarator<'t> {
        let mut found = Declarator::default();
        loop {
            index = self.skip_attributes(index);
            match self.code.at(index) {
                "*" | "^" => found.is_derived = true,
                _ if self.word(index).is_some_and(Word::is_qualifier) => {}
                _ => break,
            }
            index += 1;
        }
        let mut direct = !found.is_derived;
        if self.is_name(index) {
            found.name = Some(self.code.at(index));
            direct = true;
            index += 1;
        } else if self.code.at(index) == "(" && !self.starts_parameters(index + 1) {
            let is_derived = found.is_derived;
            found = self.declarator(index + 1);
            direct = !found.is_derived && found.name.is_some();
            found.is_derived |= is_derived;
            index = self.code.after(index);
        }
        self.suffixes(index, direct, found)
    }

    /// Whether what stands in parentheses where a declarator is expected is a list of parameters.
    fn starts_parameters(&self, index: usize) -> bool {
        let word = self.word(index);
        matches!(self.code.at(index), ")" | "...")
            || (self.starts_type(index)
                && word != Some(Word::Attribute)
                && !word.is_some_and(Word::is_qualifier))
    }

    /// `[3]`, `(int a)` behind a name. If `direct`, the first one says what the name is.
    fn suffixes(&mut self, mut index: usize, mut direct: bool, mut found: Declarator<'t>) -> Declarator<'t> {
        loop {
            match self.code.at(index) {
                "[" => self.expression(index + 1, self.code.partner(index)),
                "(" => {
                    let parameters = self.parameters(index);
                    if direct {
                        found.is_function = true;
                        found.parameters = parameters;
                    }
                }
                _ => break,
            }
            direct = false;
            found.is_derived = true;
            index = self.code.after(index);
        }
        found.end = index;
        found
    }

    /// The parameters between parentheses.
    fn parameters(&mut self, open: usize) -> Parameters<'t> {
        let close = self.code.partner(open);
        let mut found = Parameters { names: Vec::new(), is_old_style: open + 1 < close };
        self.scopes.enter();
        let mut index = open + 1;
        while index < close {
            if self.starts_type(index) {
                found.is_old_style = false;
                let specifiers = self.specifiers(index, Place::Parameter);
                self.implicit_int(&specifiers, index, Place::Parameter);
                let declarator = self.declarator(specifiers.end);
                found.names.extend(declarator.name);
                index = self.skip_attributes(declarator.end);
            } else if self.is_name(index) {
                found.names.push(self.code.at(index));
            }
            if let Some(name) = found.names.last() {
                self.scopes.declare(name, false);
            }
            index = self.code.find(index, &[","]) + 1;
        }
        self.scopes.leave();
        found
    }
}
