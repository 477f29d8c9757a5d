//! Terms from text, with an explicit stack.

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::bits::Bits;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::Term;

use super::apply::{Function, Head};
use super::lex::{Lexer, Place, Token};

/// The largest width of a bit-vector that is read. A term has no limit, but a text could make a vector of a gigabyte with
/// a few characters.
pub const MAXIMAL_WIDTH: u32 = 1 << 16;

/// The deepest nesting of array sorts that is read.
const MAXIMAL_NESTING: usize = 64;

/// What is wrong with a text, and where. Lines and columns start at one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}:{column}: {problem}")]
pub struct ParseError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// The text ends too early.
    #[error("the text ends unexpectedly")]
    End,
    /// A quote without an end.
    #[error("this quotation does not end")]
    Unterminated,
    /// Something that does not fit here.
    #[error("unexpected '{0}'")]
    Unexpected(String),
    /// A constant that was not declared.
    #[error("unknown constant '{0}'")]
    UnknownConstant(String),
    /// An operator that does not exist or is not supported.
    #[error("unknown operator '{0}'")]
    UnknownOperator(String),
    /// A sort that does not exist or is not supported.
    #[error("unknown sort '{0}'")]
    UnknownSort(String),
    /// A second declaration.
    #[error("'{0}' is declared twice")]
    Redeclared(String),
    /// An operator with arguments of wrong number or sort.
    #[error("'{0}' does not take these arguments")]
    Arguments(String),
    /// A term of another sort than announced.
    #[error("expected a term of sort {expected}, found one of sort {found}")]
    Sort {
        /// What the context needs.
        expected: Sort,
        /// What is there.
        found: Sort,
    },
    /// A literal that is no number, or too large for its width.
    #[error("'{0}' is not a bit-vector")]
    Literal(String),
    /// Something beyond the limits.
    #[error("{0}")]
    Limit(&'static str),
    /// A value that is not a literal.
    #[error("not a value")]
    NotAValue,
}

/// Reads a term over declared constants.
pub fn parse_term(text: &str, declared: impl IntoIterator<Item = Term>) -> Result<Term, ParseError> {
    let mut parser = Parser::new(text);
    for constant in declared {
        if let Some(name) = constant.as_constant() {
            parser.bind(name, Binding::Term(constant));
        }
    }
    let term = parser.term()?;
    match parser.lexer.next()? {
        None => Ok(term),
        Some((token, place)) => Err(place.error(Problem::Unexpected(token.text()))),
    }
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Binding {
    Term(Term),
    Function(std::rc::Rc<Function>),
}

/// What waits for a term.
enum Frame {
    Application {
        head: Head,
        args: Vec<Term>,
        place: Place,
    },
    /// The bindings of a `let` so far, and the name that the term is for.
    Bindings {
        bound: Vec<(Symbol, Term)>,
        name: Symbol,
    },
    /// The body of a `let` that binds these names.
    Body {
        names: Vec<Symbol>,
    },
}

/// The text and what its names mean at the present place.
pub(super) struct Parser<'a> {
    pub(super) lexer: Lexer<'a>,
    /// Innermost meaning last.
    names: FxHashMap<Symbol, Vec<Binding>>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Parser<'a> {
        Parser { lexer: Lexer::new(text), names: FxHashMap::default() }
    }

    pub(super) fn bind(&mut self, name: Symbol, binding: Binding) {
        self.names.entry(name).or_default().push(binding);
    }

    pub(super) fn unbind(&mut self, name: Symbol) {
        if let Some(bindings) = self.names.get_mut(&name) {
            bindings.pop();
        }
    }

    pub(super) fn meaning(&self, name: Symbol) -> Option<&Binding> {
        self.names.get(&name).and_then(|bindings| bindings.last())
    }

    pub(super) fn open(&mut self) -> Result<Place, ParseError> {
        self.exactly(Token::Open)
    }

    pub(super) fn close(&mut self) -> Result<Place, ParseError> {
        self.exactly(Token::Close)
    }

    fn exactly(&mut self, expected: Token<'_>) -> Result<Place, ParseError> {
        let (token, place) = self.lexer.expect()?;
        if token == expected { Ok(place) } else { Err(place.error(Problem::Unexpected(token.text()))) }
    }

    /// Takes the next token if it is a parenthesis of this kind.
    pub(super) fn taken(&mut self, parenthesis: Token<'_>) -> Result<bool, ParseError> {
        let fits = self.lexer.peek()? == Some(parenthesis);
        if fits {
            self.lexer.next()?;
        }
        Ok(fits)
    }

    pub(super) fn symbol(&mut self) -> Result<(Symbol, Place), ParseError> {
        match self.lexer.expect()? {
            (Token::Symbol(name), place) => Ok((name, place)),
            (token, place) => Err(place.error(Problem::Unexpected(token.text()))),
        }
    }

    pub(super) fn number(&mut self) -> Result<u32, ParseError> {
        match self.lexer.expect()? {
            (Token::Numeral(digits), place) => {
                digits.parse().map_err(|_| place.error(Problem::Limit("a number beyond 32 bits")))
            }
            (token, place) => Err(place.error(Problem::Unexpected(token.text()))),
        }
    }

    fn width(&mut self, place: Place) -> Result<u32, ParseError> {
        match self.number()? {
            0 => Err(place.error(Problem::Limit("a bit-vector without bits"))),
            width if width > MAXIMAL_WIDTH => {
                Err(place.error(Problem::Limit("a bit-vector with too many bits")))
            }
            width => Ok(width),
        }
    }

    /// Reads a sort.
    pub(super) fn sort(&mut self) -> Result<Sort, ParseError> {
        self.nested_sort(0)
    }

    fn nested_sort(&mut self, nesting: usize) -> Result<Sort, ParseError> {
        let (token, place) = self.lexer.expect()?;
        if let Token::Symbol(name) = token {
            return match name.as_str() {
                "Bool" => Ok(Sort::Bool),
                _ => Err(place.error(Problem::UnknownSort(name.to_string()))),
            };
        }
        if token != Token::Open {
            return Err(place.error(Problem::Unexpected(token.text())));
        }
        if nesting > MAXIMAL_NESTING {
            return Err(place.error(Problem::Limit("a sort with too deep nesting")));
        }
        let (name, _) = self.symbol()?;
        let sort = match name.as_str() {
            "_" => {
                let (family, place) = self.symbol()?;
                if family.as_str() != "BitVec" {
                    return Err(place.error(Problem::UnknownSort(family.to_string())));
                }
                Sort::BitVec(self.width(place)?)
            }
            "Array" => {
                let index = self.nested_sort(nesting + 1)?;
                if index.width().is_none() {
                    return Err(place.error(Problem::Limit("an array whose indices are not bit-vectors")));
                }
                Sort::array(index, self.nested_sort(nesting + 1)?)
            }
            _ => return Err(place.error(Problem::UnknownSort(name.to_string()))),
        };
        self.close()?;
        Ok(sort)
    }

    /// Reads a term.
    pub(super) fn term(&mut self) -> Result<Term, ParseError> {
        let mut stack = Vec::new();
        loop {
            // A term, or a frame that waits for one.
            let Some(mut value) = self.begin(&mut stack)? else { continue };
            // Frames that have all they need.
            loop {
                let Some(frame) = stack.pop() else { return Ok(value) };
                match self.give(frame, value, &mut stack)? {
                    Some(result) => value = result,
                    None => break,
                }
            }
        }
    }

    /// Reads an atom, or the beginning of a term with parts.
    fn begin(&mut self, stack: &mut Vec<Frame>) -> Result<Option<Term>, ParseError> {
        let (token, place) = self.lexer.expect()?;
        if token != Token::Open {
            return self.atom(token, place).map(Some);
        }
        let (token, inner) = self.lexer.expect()?;
        let head = match token {
            Token::Open => self.qualified_head()?,
            Token::Symbol(name) => match name.as_str() {
                "let" => {
                    self.open()?;
                    self.open()?;
                    let (name, _) = self.symbol()?;
                    stack.push(Frame::Bindings { bound: Vec::new(), name });
                    return Ok(None);
                }
                "_" => return self.decimal_literal().map(Some),
                _ => self.named_head(name),
            },
            token => return Err(inner.error(Problem::Unexpected(token.text()))),
        };
        stack.push(Frame::Application { head, args: Vec::new(), place });
        Ok(None)
    }

    /// Gives a term to the frame that waits for it: a larger term, if that was all it needed.
    fn give(
        &mut self,
        frame: Frame,
        value: Term,
        stack: &mut Vec<Frame>,
    ) -> Result<Option<Term>, ParseError> {
        match frame {
            Frame::Application { head, mut args, place } => {
                args.push(value);
                if self.taken(Token::Close)? {
                    return head.apply(&args).map(Some).map_err(|problem| place.error(problem));
                }
                stack.push(Frame::Application { head, args, place });
            }
            Frame::Bindings { mut bound, name } => {
                bound.push((name, value));
                self.close()?;
                if self.taken(Token::Open)? {
                    let (name, _) = self.symbol()?;
                    stack.push(Frame::Bindings { bound, name });
                } else {
                    self.close()?;
                    bound.iter().for_each(|&(name, term)| self.bind(name, Binding::Term(term)));
                    stack.push(Frame::Body { names: bound.into_iter().map(|(name, _)| name).collect() });
                }
            }
            Frame::Body { names } => {
                self.close()?;
                names.into_iter().for_each(|name| self.unbind(name));
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn atom(&self, token: Token<'_>, place: Place) -> Result<Term, ParseError> {
        let literal = |base: u32, digits: &str, bits: usize| {
            let width =
                u32::try_from(digits.len().saturating_mul(bits)).ok().filter(|&width| width <= MAXIMAL_WIDTH);
            let width =
                width.ok_or_else(|| place.error(Problem::Limit("a bit-vector with too many bits")))?;
            let bits = Bits::from_digits(width, base, digits);
            bits.map(Term::bits).ok_or_else(|| place.error(Problem::Literal(token.text())))
        };
        match token {
            Token::Binary(digits) => literal(2, digits, 1),
            Token::Hexadecimal(digits) => literal(16, digits, 4),
            Token::Symbol(name) => match (name.as_str(), self.meaning(name)) {
                (_, Some(Binding::Term(term))) => Ok(*term),
                ("true", _) => Ok(Term::tru()),
                ("false", _) => Ok(Term::fls()),
                _ => Err(place.error(Problem::UnknownConstant(name.to_string()))),
            },
            token => Err(place.error(Problem::Unexpected(token.text()))),
        }
    }

    /// `bv5 8)` after `(_`.
    fn decimal_literal(&mut self) -> Result<Term, ParseError> {
        let (name, place) = self.symbol()?;
        let unknown = || place.error(Problem::UnknownConstant(name.to_string()));
        let digits = name.as_str().strip_prefix("bv").ok_or_else(unknown)?;
        let width = self.width(place)?;
        self.close()?;
        let bits = Bits::from_digits(width, 10, digits);
        bits.map(Term::bits).ok_or_else(|| place.error(Problem::Literal(name.to_string())))
    }

    fn named_head(&self, name: Symbol) -> Head {
        match self.meaning(name) {
            Some(Binding::Function(function)) => Head::Function(function.clone()),
            _ => Head::Named(name),
        }
    }

    /// `_ extract 7 0)` or `as const SORT)` after an opening parenthesis.
    fn qualified_head(&mut self) -> Result<Head, ParseError> {
        let (kind, place) = self.symbol()?;
        let (name, name_place) = self.symbol()?;
        let head = match (kind.as_str(), name.as_str()) {
            ("as", "const") => Head::ConstArray(self.sort()?),
            ("_", "extract") => Head::Extract { high: self.number()?, low: self.number()? },
            ("_", _) => Head::Indexed(name, self.number()?),
            ("as", _) => return Err(name_place.error(Problem::UnknownOperator(name.to_string()))),
            _ => return Err(place.error(Problem::Unexpected(kind.to_string()))),
        };
        self.close()?;
        Ok(head)
    }
}

#[cfg(test)]
mod tests;
