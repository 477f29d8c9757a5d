//! Items with terms: edges, properties, predicates; and the short ones that are left.

use super::super::KINDS;
use super::super::lex::Token;
use super::{Inputs, ReadError, Reader};
use crate::program::{
    Assumption, Broadcast, Edge, Effect, Input, LocationId, NamedAddress, Note, NoteId, Origin, Property,
    RaceAccess, Target, UserPredicate, VariableId,
};
use rustc_hash::FxHashMap;
use smt::smtlib::{ParseError, parse_term};
use smt::{Sort, Symbol, Term};

impl Reader<'_> {
    pub(super) fn edge(&mut self) -> Result<(), ReadError> {
        self.lexer.next()?;
        self.counted(self.program.edges.len())?;
        self.symbol(":")?;
        let from = LocationId(self.number()?);
        self.symbol("->")?;
        let to = LocationId(self.number()?);
        let mut edge = Edge {
            from,
            to,
            guard: Term::tru(),
            assign: Vec::new(),
            inputs: Vec::new(),
            broadcast: Broadcast::default(),
            approximate: None,
            origin: Vec::new(),
        };
        let mut inputs = FxHashMap::default();
        while self.clause(&mut edge, &mut inputs)? {}
        self.program.edges.push(edge);
        Ok(())
    }

    /// Whether there was a clause.
    fn clause(&mut self, edge: &mut Edge, inputs: &mut Inputs) -> Result<bool, ReadError> {
        let Token::Word(word) = self.lexer.peek()? else { return Ok(false) };
        match word.as_str() {
            "input" => edge.inputs.push(self.input(inputs)?),
            "guard" => {
                self.lexer.next()?;
                let guard = self.term(Sort::Bool, inputs)?;
                edge.guard = edge.guard.and(guard);
            }
            "assign" => edge.assign.push(self.assignment(inputs)?),
            "passive" => {
                self.lexer.next()?;
                match self.lexer.peek()? {
                    Token::Word(word) if word == "input" => edge.broadcast.inputs.push(self.input(inputs)?),
                    Token::Word(word) if word == "assign" => {
                        edge.broadcast.assign.push(self.assignment(inputs)?)
                    }
                    _ => return self.expected("`input` or `assign`"),
                }
            }
            "approximate" => {
                self.lexer.next()?;
                edge.approximate = Some(NoteId(self.number()?));
            }
            "origin" => {
                self.lexer.next()?;
                let position = self.position()?;
                let function = self.function()?;
                let text = Symbol::new(&self.string()?);
                edge.origin.push(Origin { position, function, text });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn input(&mut self, inputs: &mut Inputs) -> Result<Input, ReadError> {
        self.lexer.next()?;
        let at = self.lexer.offset();
        let name = Symbol::new(&self.name()?);
        self.symbol(":")?;
        let sort = self.data_type()?.sort();
        if self.constants.contains_key(&name) || inputs.insert(name, sort).is_some() {
            return Err(self.lexer.error(at, format!("`{name}` is declared twice")));
        }
        Ok(Input { name, sort })
    }

    fn assignment(&mut self, inputs: &Inputs) -> Result<(VariableId, Term), ReadError> {
        self.lexer.next()?;
        let id = self.known_variable()?;
        self.symbol(":=")?;
        let sort = self.program.variable(id).data_type.sort();
        Ok((id, self.term(sort, inputs)?))
    }

    fn term(&mut self, sort: Sort, inputs: &Inputs) -> Result<Term, ReadError> {
        let at = self.lexer.offset();
        let term = self.any_term(inputs)?;
        if term.sort() != sort {
            let message = format!("this term has the sort {}, not {sort}", term.sort());
            return Err(self.lexer.error(at, message));
        }
        Ok(term)
    }

    fn any_term(&mut self, inputs: &Inputs) -> Result<Term, ReadError> {
        let at = self.lexer.offset();
        let text = self.lexer.term()?;
        let mut declared = Vec::new();
        for name in names(text) {
            let name = Symbol::new(&name);
            let sort = inputs.get(&name).or_else(|| self.constants.get(&name));
            declared.extend(sort.map(|sort| Term::constant(name, *sort)));
        }
        parse_term(text, declared).map_err(|error| self.moved(at, error))
    }

    /// An error of a term, with its place in the whole text.
    fn moved(&self, at: usize, error: ParseError) -> ReadError {
        let start = self.lexer.error(at, error.problem.to_string());
        let column = if error.line == 1 { start.column + error.column - 1 } else { error.column };
        ReadError { line: start.line + error.line - 1, column, message: start.message }
    }

    pub(super) fn property(&mut self) -> Result<(), ReadError> {
        self.lexer.next()?;
        let name = self.name()?;
        let Token::Word(word) = self.lexer.peek()? else { return self.expected("a kind of property") };
        let Some(&(kind, _)) = KINDS.iter().find(|(_, known)| *known == word) else {
            return self.expected("a kind of property");
        };
        self.lexer.next()?;
        let position = self.position()?;
        let description = self.string()?;
        let target = if self.accept("at")? {
            Target::Location(LocationId(self.number()?))
        } else if self.accept("race")? {
            let first = self.access()?;
            self.keyword("with")?;
            Target::Race(first, self.access()?)
        } else {
            return self.expected("`at` or `race`");
        };
        self.program.properties.push(Property { name, kind, description, position, target });
        Ok(())
    }

    fn access(&mut self) -> Result<RaceAccess, ReadError> {
        let location = LocationId(self.number()?);
        let mut index = None;
        if self.accept_symbol("[")? {
            index = Some(self.any_term(&FxHashMap::default())?);
            self.symbol("]")?;
        }
        let write = self.accept("write")?;
        Ok(RaceAccess { location, index, write })
    }

    pub(super) fn note(&mut self) -> Result<(), ReadError> {
        self.lexer.next()?;
        self.counted(self.program.notes.len())?;
        let Some(effect) = self.one_of(Effect::all(), Effect::word)? else {
            return self.expected("`over`, `under`, `inexact` or `assumption`");
        };
        let kind = match effect {
            Effect::Assumption => self.one_of(Assumption::all(), Assumption::word)?,
            _ => None,
        };
        let position = self.position()?;
        let message = self.string()?;
        let note = Note::new(effect, position, message);
        self.program.notes.push(Note { assumption: kind.or(note.assumption), ..note });
        Ok(())
    }

    /// The one whose word comes next, if one's does.
    fn one_of<T: Copy>(
        &mut self,
        mut all: impl Iterator<Item = T>,
        word: fn(T) -> &'static str,
    ) -> Result<Option<T>, ReadError> {
        let Token::Word(found) = self.lexer.peek()? else { return Ok(None) };
        let one = all.find(|one| word(*one) == found);
        if one.is_some() {
            self.lexer.next()?;
        }
        Ok(one)
    }

    pub(super) fn address(&mut self) -> Result<(), ReadError> {
        self.lexer.next()?;
        let name = Symbol::new(&self.name()?);
        self.symbol("=")?;
        let address = self.number()?;
        self.keyword("size")?;
        let size = self.number()?;
        self.program.addresses.push(NamedAddress { name, address, size });
        Ok(())
    }

    pub(super) fn predicate(&mut self) -> Result<(), ReadError> {
        self.lexer.next()?;
        let position = self.position()?;
        let term = self.term(Sort::Bool, &FxHashMap::default())?;
        self.program.predicates.push(UserPredicate { term, position });
        Ok(())
    }
}

/// The names in the text of a term, so that not all variables have to be declared for each term.
fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(start) =
        rest.find(|character: char| !character.is_whitespace() && !"()".contains(character))
    {
        rest = &rest[start..];
        if let Some(quoted) = rest.strip_prefix('|') {
            let end = quoted.find('|').unwrap_or(quoted.len());
            names.push(decode(&quoted[..end]));
            rest = quoted.get(end + 1..).unwrap_or("");
        } else {
            let end = rest.find(|character: char| character.is_whitespace() || "()|".contains(character));
            let end = end.unwrap_or(rest.len());
            names.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    names
}

/// A quoted name without its escapes: `%` and two hexadecimal digits.
fn decode(quoted: &str) -> String {
    let mut parts = quoted.split('%');
    let mut name = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(u8::is_ascii) {
            Some(code) => {
                name.push(char::from(code));
                name.push_str(&part[2..]);
            }
            None => {
                name.push('%');
                name.push_str(part);
            }
        }
    }
    name
}
