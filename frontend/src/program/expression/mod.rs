//! Expressions in C's notation over the variables of a program: for predicates that users write.
//!
//! Operators, precedence and conversions are those of C for integers: operands narrower than 32 bits become `int`, then both get the
//! type of the wider one, unsigned if that is. Names are those of the program; `x` also means `f::x` where that is the only local
//! of this name. A name with other characters is put between double quotes. `&x` is the address of `x`, `a[i]` an element,
//! `__CPROVER_passive(x)` a passive thread's copy. There are no casts, calls or assignments.

mod tokens;

use super::{DataType, Program, Scope, Variable};
use smt::Term;
use tokens::{Kind, Token, tokens};

/// What is wrong, and where: a column in characters, from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct ExpressionError {
    /// Where.
    pub column: usize,
    /// What.
    pub message: String,
}

/// The truth of an expression, as a term over the program's variables and their passive copies.
pub fn parse(text: &str, program: &Program) -> Result<Term, ExpressionError> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0, program };
    let operand = parser.conditional()?;
    match &parser.tokens[parser.next] {
        Token { kind: Kind::End, .. } => parser.truth(operand),
        Token { kind, .. } => Err(parser.error(format!("expected an operator, found {}", kind.shown()))),
    }
}

/// Deeper expressions are taken for a mistake.
const DEPTH: usize = 200;

/// A value with its type.
#[derive(Clone, Debug)]
struct Operand {
    term: Term,
    data_type: DataType,
}

struct Parser<'a> {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    program: &'a Program,
}

type Parsed = Result<Operand, ExpressionError>;

/// Binary operators by precedence, weakest first; && and || are not among them.
const BINARY: [&[&str]; 8] = [
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser<'_> {
    fn error(&self, message: impl Into<String>) -> ExpressionError {
        ExpressionError { column: self.tokens[self.next].column, message: message.into() }
    }

    /// Takes one of these symbols, if it is the next one.
    fn accept(&mut self, symbols: &[&'static str]) -> Option<&'static str> {
        match self.tokens[self.next].kind {
            Kind::Symbol(symbol) if symbols.contains(&symbol) => {
                self.next += 1;
                Some(symbol)
            }
            _ => None,
        }
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), ExpressionError> {
        match self.accept(&[symbol]) {
            Some(_) => Ok(()),
            None => {
                let found = self.tokens[self.next].kind.shown();
                Err(self.error(format!("expected '{symbol}', found {found}")))
            }
        }
    }

    fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("this nests too deep"));
        }
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn conditional(&mut self) -> Parsed {
        let condition = self.disjunction()?;
        if self.accept(&["?"]).is_none() {
            return Ok(condition);
        }
        let condition = self.truth(condition)?;
        let then = self.nested(Self::conditional)?;
        self.expect(":")?;
        let otherwise = self.nested(Self::conditional)?;
        let (then, otherwise, data_type) = self.usual(then, otherwise)?;
        Ok(Operand { term: condition.ite(then, otherwise), data_type })
    }

    fn disjunction(&mut self) -> Parsed {
        let mut left = self.conjunction()?;
        while self.accept(&["||"]).is_some() {
            let right = self.conjunction()?;
            left = boolean(self.truth(left)?.or(self.truth(right)?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.binary(0)?;
        while self.accept(&["&&"]).is_some() {
            let right = self.binary(0)?;
            left = boolean(self.truth(left)?.and(self.truth(right)?));
        }
        Ok(left)
    }

    fn binary(&mut self, level: usize) -> Parsed {
        let Some(symbols) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(symbol) = self.accept(symbols) {
            let right = self.binary(level + 1)?;
            left = self.apply(symbol, left, right)?;
        }
        Ok(left)
    }

    fn apply(&self, symbol: &str, left: Operand, right: Operand) -> Parsed {
        if let "<<" | ">>" = symbol {
            let (left, right) = (self.promoted(left)?, self.promoted(right)?);
            let (width, signed) = int_type(&left.data_type);
            let amount = right.term.resize_unsigned(width);
            let term = match (symbol, signed) {
                ("<<", _) => left.term.bv_shl(amount),
                (_, true) => left.term.bv_ashr(amount),
                (_, false) => left.term.bv_lshr(amount),
            };
            return Ok(Operand { term, data_type: left.data_type });
        }
        if let "==" | "!=" = symbol
            && let Some(equal) = equal_truths(&left, &right)
        {
            return Ok(boolean(if symbol == "==" { equal } else { equal.not() }));
        }
        let (a, b, data_type) = self.usual(left, right)?;
        let signed = int_type(&data_type).1;
        let truth = match (symbol, signed) {
            ("==", _) => Some(a.equals(b)),
            ("!=", _) => Some(a.distinct(b)),
            ("<", true) => Some(a.slt(b)),
            ("<", false) => Some(a.ult(b)),
            ("<=", true) => Some(a.sle(b)),
            ("<=", false) => Some(a.ule(b)),
            (">", true) => Some(a.sgt(b)),
            (">", false) => Some(a.ugt(b)),
            (">=", true) => Some(a.sge(b)),
            (">=", false) => Some(a.uge(b)),
            _ => None,
        };
        if let Some(truth) = truth {
            return Ok(boolean(truth));
        }
        let term = match (symbol, signed) {
            ("+", _) => a.bv_add(b),
            ("-", _) => a.bv_sub(b),
            ("*", _) => a.bv_mul(b),
            ("/", true) => a.bv_sdiv(b),
            ("/", false) => a.bv_udiv(b),
            ("%", true) => a.bv_srem(b),
            ("%", false) => a.bv_urem(b),
            ("&", _) => a.bv_and(b),
            ("^", _) => a.bv_xor(b),
            _ => a.bv_or(b),
        };
        Ok(Operand { term, data_type })
    }

    fn unary(&mut self) -> Parsed {
        let Some(symbol) = self.accept(&["!", "~", "-", "+", "&"]) else { return self.postfix() };
        if symbol == "&" {
            return self.address();
        }
        let operand = self.nested(Self::unary)?;
        if symbol == "!" {
            return Ok(boolean(self.truth(operand)?.not()));
        }
        let Operand { term, data_type } = self.promoted(operand)?;
        let term = match symbol {
            "~" => term.bv_not(),
            "-" => term.bv_neg(),
            _ => term,
        };
        Ok(Operand { term, data_type })
    }

    /// `&x`: numbers that the program knows by name.
    fn address(&mut self) -> Parsed {
        let Kind::Name(name) = self.tokens[self.next].kind.clone() else {
            return Err(self.error("expected a name after '&'"));
        };
        let wanted = format!("&{name}");
        let found = self.program.addresses.iter().find(|known| known.name.as_str() == wanted);
        let found = found.ok_or_else(|| self.error(format!("the address of '{name}' is not known")))?;
        self.next += 1;
        Ok(integer(Term::bv(64, found.address.into()), 64, false))
    }

    fn postfix(&mut self) -> Parsed {
        let mut operand = self.primary()?;
        while self.accept(&["["]).is_some() {
            let DataType::Array { index_width, element, .. } = operand.data_type else {
                self.next -= 1;
                return Err(self.error("only an array has elements"));
            };
            let index = self.nested(Self::conditional)?;
            let index = self.promoted(index)?;
            self.expect("]")?;
            let index = if int_type(&index.data_type).1 {
                index.term.resize_signed(index_width)
            } else {
                index.term.resize_unsigned(index_width)
            };
            operand = Operand { term: operand.term.select(index), data_type: *element };
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Parsed {
        if self.accept(&["("]).is_some() {
            let operand = self.nested(Self::conditional)?;
            self.expect(")")?;
            return Ok(operand);
        }
        match self.tokens[self.next].kind.clone() {
            Kind::Number { value, unsigned } => {
                self.next += 1;
                Ok(literal(value, unsigned))
            }
            Kind::Name(name) if name == "true" || name == "false" => {
                self.next += 1;
                Ok(boolean(Term::bool(name == "true")))
            }
            Kind::Name(name) if name == "__CPROVER_passive" => {
                self.next += 1;
                self.expect("(")?;
                let variable = self.variable()?;
                if variable.scope != Scope::Local {
                    return Err(
                        self.error(format!("'{}' is shared: there is no passive copy", variable.name))
                    );
                }
                let operand =
                    Operand { term: variable.passive_term(), data_type: variable.data_type.clone() };
                self.next += 1;
                self.expect(")")?;
                Ok(operand)
            }
            Kind::Name(_) => {
                let variable = self.variable()?;
                let operand = Operand { term: variable.term(), data_type: variable.data_type.clone() };
                self.next += 1;
                Ok(operand)
            }
            other => Err(self.error(format!("expected a variable or a number, found {}", other.shown()))),
        }
    }

    /// The variable that the next token names.
    fn variable(&self) -> Result<&Variable, ExpressionError> {
        let Kind::Name(name) = &self.tokens[self.next].kind else {
            return Err(self.error("expected the name of a variable"));
        };
        let variables = &self.program.variables;
        if let Some(found) = variables.iter().find(|variable| variable.name.as_str() == name) {
            return Ok(found);
        }
        let is_local = |variable: &&Variable| {
            variable.name.as_str().strip_suffix(name.as_str()).is_some_and(|rest| rest.ends_with("::"))
        };
        let found: Vec<&Variable> = variables.iter().filter(is_local).collect();
        match found[..] {
            [one] => Ok(one),
            [] => Err(self.error(format!("there is no variable '{name}'"))),
            [one, two, ..] => {
                Err(self.error(format!("'{name}' is not clear: it can be '{}' or '{}'", one.name, two.name)))
            }
        }
    }

    fn truth(&self, operand: Operand) -> Result<Term, ExpressionError> {
        match operand.data_type {
            DataType::Bool => Ok(operand.term),
            DataType::Int { width, .. } => Ok(operand.term.distinct(Term::bv(width, 0))),
            DataType::Array { .. } => Err(self.error("a whole array is no value; '[' is missing")),
        }
    }

    /// With at least 32 bits.
    fn promoted(&self, operand: Operand) -> Parsed {
        match operand.data_type {
            DataType::Bool => Ok(integer(operand.term.ite(Term::bv(32, 1), Term::bv(32, 0)), 32, true)),
            DataType::Int { width, signed } if width < 32 => {
                let wider =
                    if signed { operand.term.resize_signed(32) } else { operand.term.resize_unsigned(32) };
                Ok(integer(wider, 32, true))
            }
            DataType::Int { .. } => Ok(operand),
            DataType::Array { .. } => Err(self.error("a whole array is no value; '[' is missing")),
        }
    }

    /// Both with the same type.
    fn usual(&self, left: Operand, right: Operand) -> Result<(Term, Term, DataType), ExpressionError> {
        let (left, right) = (self.promoted(left)?, self.promoted(right)?);
        let ((a, a_signed), (b, b_signed)) = (int_type(&left.data_type), int_type(&right.data_type));
        let width = a.max(b);
        let signed = match a.cmp(&b) {
            std::cmp::Ordering::Less => b_signed,
            std::cmp::Ordering::Greater => a_signed,
            std::cmp::Ordering::Equal => a_signed && b_signed,
        };
        let wider =
            |term: Term, signed| if signed { term.resize_signed(width) } else { term.resize_unsigned(width) };
        Ok((wider(left.term, a_signed), wider(right.term, b_signed), DataType::Int { width, signed }))
    }
}

/// Truth values compared with each other, or with 0 and 1: no numbers are needed.
fn equal_truths(left: &Operand, right: &Operand) -> Option<Term> {
    match (&left.data_type, &right.data_type) {
        (DataType::Bool, DataType::Bool) => Some(left.term.equals(right.term)),
        (DataType::Int { .. }, DataType::Bool) => equal_truths(right, left),
        (DataType::Bool, DataType::Int { .. }) => match right.term.as_bits()?.to_u128()? {
            0 => Some(left.term.not()),
            1 => Some(left.term),
            _ => None,
        },
        _ => None,
    }
}

fn boolean(term: Term) -> Operand {
    Operand { term, data_type: DataType::Bool }
}

fn integer(term: Term, width: u32, signed: bool) -> Operand {
    Operand { term, data_type: DataType::Int { width, signed } }
}

/// The first of int, long, unsigned long that has room; unsigned int comes in between if the suffix says so.
fn literal(value: u128, unsigned: bool) -> Operand {
    let (width, signed) = match (value, unsigned) {
        (..=0x7fff_ffff, false) => (32, true),
        (..=0xffff_ffff, true) => (32, false),
        (..=0x7fff_ffff_ffff_ffff, false) => (64, true),
        _ => (64, false),
    };
    integer(Term::bv(width, value), width, signed)
}

/// Width and sign of an integer. Only promoted operands come here.
fn int_type(data_type: &DataType) -> (u32, bool) {
    match data_type {
        DataType::Int { width, signed } => (*width, *signed),
        DataType::Bool | DataType::Array { .. } => (32, true),
    }
}

#[cfg(test)]
mod tests;
