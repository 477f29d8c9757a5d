//! From text to programs.
//!
//! Errors are those of the notation: unknown words, names and sorts. Whether numbers of locations and the like exist is for
//! `validate` to say.

mod edges;

use super::lex::{Lexer, Token};
use crate::program::{
    DataType, FileId, Location, LocationId, Position, Program, Scope, Variable, VariableId, passive,
};
use rustc_hash::FxHashMap;
use smt::smtlib::MAXIMAL_WIDTH;
use smt::{ArrayValue, Bits, Sort, Symbol, Value};
use std::str::FromStr;

/// Why a text is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ReadError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads the text of a program.
pub fn read(text: &str) -> Result<Program, ReadError> {
    let mut reader = Reader::new(text);
    reader.keyword("program")?;
    let version: u32 = reader.number()?;
    if version != 1 {
        return Err(reader.lexer.error(0, format!("version {version} is not known, only 1")));
    }
    while reader.lexer.peek()? != Token::End {
        reader.item()?;
    }
    let Some(main) = reader.main else {
        return Err(reader.lexer.error(text.len(), "`main` is missing"));
    };
    reader.program.main = main;
    Ok(reader.program)
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    program: Program,
    main: Option<LocationId>,
    variables: FxHashMap<Symbol, VariableId>,
    /// Variables and passive copies.
    constants: FxHashMap<Symbol, Sort>,
}

/// The inputs that an edge's terms can mention.
type Inputs = FxHashMap<Symbol, Sort>;

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader {
            lexer: Lexer::new(text),
            program: Program::empty(),
            main: None,
            variables: FxHashMap::default(),
            constants: FxHashMap::default(),
        }
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ReadError> {
        Err(self.lexer.error(self.lexer.offset(), message))
    }

    fn expected<T>(&self, what: &str) -> Result<T, ReadError> {
        self.error(format!("expected {what}, found {}", self.lexer.peek()?.describe()))
    }

    fn item(&mut self) -> Result<(), ReadError> {
        let Token::Word(word) = self.lexer.peek()? else { return self.expected("a declaration") };
        match word.as_str() {
            "file" => self.file(),
            "shared" => self.variable(Scope::Shared),
            "local" => self.variable(Scope::Local),
            "location" => self.location(),
            "main" => {
                self.lexer.next()?;
                self.main = Some(LocationId(self.number()?));
                Ok(())
            }
            "pool" => {
                self.lexer.next()?;
                self.program.pool = Some(LocationId(self.number()?));
                Ok(())
            }
            "edge" => self.edge(),
            "property" => self.property(),
            "note" => self.note(),
            "address" => self.address(),
            "predicate" => self.predicate(),
            _ => self.expected("a declaration"),
        }
    }

    /// Takes the word if it comes next.
    fn accept(&mut self, word: &str) -> Result<bool, ReadError> {
        let found = self.lexer.peek()? == Token::Word(word.to_owned());
        if found {
            self.lexer.next()?;
        }
        Ok(found)
    }

    fn keyword(&mut self, word: &str) -> Result<(), ReadError> {
        if self.accept(word)? { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn accept_symbol(&mut self, symbol: &'static str) -> Result<bool, ReadError> {
        let found = self.lexer.peek()? == Token::Symbol(symbol);
        if found {
            self.lexer.next()?;
        }
        Ok(found)
    }

    fn symbol(&mut self, symbol: &'static str) -> Result<(), ReadError> {
        if self.accept_symbol(symbol)? { Ok(()) } else { self.expected(&format!("`{symbol}`")) }
    }

    fn number<T: FromStr>(&mut self) -> Result<T, ReadError> {
        match self.lexer.peek()? {
            Token::Word(word) if word.starts_with(|first: char| first.is_ascii_digit() || first == '-') => {
                let Ok(number) = word.parse() else {
                    return self.error("this number is too large or malformed");
                };
                self.lexer.next()?;
                Ok(number)
            }
            _ => self.expected("a number"),
        }
    }

    /// The next number of a sequence that counts up.
    fn counted(&mut self, next: usize) -> Result<(), ReadError> {
        let at = self.lexer.offset();
        let number: usize = self.number()?;
        if number == next {
            Ok(())
        } else {
            Err(self.lexer.error(at, format!("the number should be {next}, not {number}")))
        }
    }

    fn string(&mut self) -> Result<String, ReadError> {
        match self.lexer.peek()? {
            Token::Text(text) => {
                self.lexer.next()?;
                Ok(text)
            }
            _ => self.expected("a string"),
        }
    }

    fn name(&mut self) -> Result<String, ReadError> {
        match self.lexer.peek()? {
            Token::Word(text) | Token::Text(text) => {
                self.lexer.next()?;
                Ok(text)
            }
            _ => self.expected("a name"),
        }
    }

    /// The function after `in`, if there is one.
    fn function(&mut self) -> Result<Symbol, ReadError> {
        Ok(Symbol::new(&if self.accept("in")? { self.name()? } else { String::new() }))
    }

    fn position(&mut self) -> Result<Position, ReadError> {
        if !self.accept_symbol("@")? {
            return Ok(Position::NONE);
        }
        let file = FileId(self.number()?);
        self.symbol(":")?;
        let line = self.number()?;
        self.symbol(":")?;
        Ok(Position { file, line, column: self.number()? })
    }

    fn file(&mut self) -> Result<(), ReadError> {
        self.lexer.next()?;
        self.counted(self.program.files.len())?;
        let file = self.string()?;
        self.program.files.push(file);
        Ok(())
    }

    fn variable(&mut self, scope: Scope) -> Result<(), ReadError> {
        self.lexer.next()?;
        let at = self.lexer.offset();
        let name = Symbol::new(&self.name()?);
        self.symbol(":")?;
        let data_type = self.data_type()?;
        let init = if self.accept_symbol("=")? { Some(self.value(&data_type)?) } else { None };
        let identity = scope == Scope::Local && self.accept("identity")?;
        let position = self.position()?;
        let sort = data_type.sort();
        let copy = (scope == Scope::Local).then(|| passive(name));
        for constant in [name].into_iter().chain(copy) {
            if self.constants.insert(constant, sort).is_some() {
                return Err(self.lexer.error(at, format!("`{constant}` is declared twice")));
            }
        }
        self.variables.insert(name, VariableId(self.program.variables.len() as u32));
        self.program.variables.push(Variable { name, scope, data_type, init, identity, position });
        Ok(())
    }

    fn data_type(&mut self) -> Result<DataType, ReadError> {
        if self.accept_symbol("[")? {
            // Each level takes a character of the text; a type of a variable has at most one.
            if self.lexer.peek()? == Token::Symbol("[") {
                return self.error("arrays have one dimension");
            }
            let element = Box::new(self.data_type()?);
            let length = if self.accept_symbol(";")? { Some(self.number()?) } else { None };
            self.keyword("by")?;
            let DataType::Int { width: index_width, signed: false } = self.data_type()? else {
                return self.error("the index of an array is unsigned");
            };
            self.symbol("]")?;
            return Ok(DataType::Array { index_width, length, element });
        }
        let Token::Word(word) = self.lexer.peek()? else { return self.expected("a type") };
        let width =
            |digits: &str| digits.parse::<u32>().ok().filter(|width| (1..=MAXIMAL_WIDTH).contains(width));
        let data_type = match word.as_bytes() {
            b"bool" => Some(DataType::Bool),
            [b'i', ..] => width(&word[1..]).map(|width| DataType::Int { width, signed: true }),
            [b'u', ..] => width(&word[1..]).map(|width| DataType::Int { width, signed: false }),
            _ => None,
        };
        match data_type {
            Some(data_type) => {
                self.lexer.next()?;
                Ok(data_type)
            }
            None => self.expected("a type"),
        }
    }

    fn value(&mut self, data_type: &DataType) -> Result<Value, ReadError> {
        match data_type {
            DataType::Bool if self.accept("true")? => Ok(Value::Bool(true)),
            DataType::Bool if self.accept("false")? => Ok(Value::Bool(false)),
            DataType::Bool => self.expected("`true` or `false`"),
            DataType::Int { width, signed } => Ok(Value::Bits(self.bits(*width, *signed)?)),
            DataType::Array { index_width, element, .. } => {
                self.symbol("{")?;
                let mut entries = Vec::new();
                while !self.accept("else")? {
                    let index = self.bits(*index_width, false)?;
                    self.symbol(":")?;
                    entries.push((index, self.value(element)?));
                    self.symbol(",")?;
                }
                let array = ArrayValue::constant(Sort::BitVec(*index_width), self.value(element)?);
                self.symbol("}")?;
                Ok(Value::Array(
                    entries.into_iter().fold(array, |array, (index, value)| array.store(index, value)),
                ))
            }
        }
    }

    /// A number that fits the width.
    fn bits(&mut self, width: u32, signed: bool) -> Result<Bits, ReadError> {
        let Token::Word(word) = self.lexer.peek()? else { return self.expected("a number") };
        let bits = if let Some(digits) = word.strip_prefix("#x") {
            let fits = width as usize == 4 * digits.len();
            Bits::from_digits(width, 16, digits).filter(|_| fits)
        } else if let Some(digits) = word.strip_prefix("#b") {
            Bits::from_digits(width, 2, digits).filter(|_| width as usize == digits.len())
        } else if signed {
            let value: i128 = self.parsed(&word)?;
            Some(Bits::from_i128(width, value)).filter(|bits| bits.to_i128() == Some(value))
        } else {
            let value: u128 = self.parsed(&word)?;
            Some(Bits::new(width, value)).filter(|bits| bits.to_u128() == Some(value))
        };
        match bits {
            Some(bits) => {
                self.lexer.next()?;
                Ok(bits)
            }
            None => self.error(format!("this is no number of {width} bits")),
        }
    }

    fn parsed<T: FromStr>(&self, word: &str) -> Result<T, ReadError> {
        word.parse().or_else(|_| self.expected("a number"))
    }

    fn location(&mut self) -> Result<(), ReadError> {
        self.lexer.next()?;
        self.counted(self.program.locations.len())?;
        let function = self.function()?;
        let position = self.position()?;
        let atomic = self.accept("atomic")?;
        let may_end = smt::Term::bool(self.accept("may_end")?);
        let mut live = Vec::new();
        if self.accept("live")? {
            live.push(self.known_variable()?);
            while self.accept_symbol(",")? {
                live.push(self.known_variable()?);
            }
        }
        self.program.locations.push(Location { function, position, live, atomic, may_end });
        Ok(())
    }

    fn known_variable(&mut self) -> Result<VariableId, ReadError> {
        let at = self.lexer.offset();
        let name = self.name()?;
        let known = self.variables.get(&Symbol::new(&name)).copied();
        known.ok_or_else(|| self.lexer.error(at, format!("there is no variable `{name}`")))
    }
}
