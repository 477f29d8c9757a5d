//! The writer: one function for each form of term.

use super::{Infix, SIGN_DEPTH, Sign};
use smt::{Op, Term};

/// Terms are cut after so many characters,
const MAX_LENGTH: usize = 400;
/// and below so many operators.
const MAX_DEPTH: usize = 60;

/// C's levels of precedence, tightest last.
mod level {
    pub(super) const CONDITIONAL: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const BIT_OR: u8 = 4;
    pub(super) const BIT_XOR: u8 = 5;
    pub(super) const BIT_AND: u8 = 6;
    pub(super) const EQUALITY: u8 = 7;
    pub(super) const ORDER: u8 = 8;
    pub(super) const SHIFT: u8 = 9;
    pub(super) const SUM: u8 = 10;
    pub(super) const PRODUCT: u8 = 11;
    pub(super) const UNARY: u8 = 12;
    pub(super) const PRIMARY: u8 = 13;
}

/// A comparison, also when it is negated.
struct Comparison {
    symbol: &'static str,
    sign: Sign,
}

fn comparison(op: &Op, negated: bool) -> Option<Comparison> {
    let (symbol, sign) = match (op, negated) {
        (Op::Eq, false) => ("==", None),
        (Op::Eq, true) => ("!=", None),
        (Op::BvUlt, false) => ("<", Some(false)),
        (Op::BvUlt, true) => (">=", Some(false)),
        (Op::BvUle, false) => ("<=", Some(false)),
        (Op::BvUle, true) => (">", Some(false)),
        (Op::BvSlt, false) => ("<", Some(true)),
        (Op::BvSlt, true) => (">=", Some(true)),
        (Op::BvSle, false) => ("<=", Some(true)),
        (Op::BvSle, true) => (">", Some(true)),
        _ => return None,
    };
    Some(Comparison { symbol, sign })
}

/// Symbol, level, and how the operands are taken.
fn binary(op: &Op) -> Option<(&'static str, u8, Sign)> {
    Some(match op {
        Op::And => ("&&", level::AND, None),
        Op::Or => ("||", level::OR, None),
        Op::Xor => ("^", level::BIT_XOR, None),
        Op::BvAnd => ("&", level::BIT_AND, None),
        Op::BvOr => ("|", level::BIT_OR, None),
        Op::BvXor => ("^", level::BIT_XOR, None),
        Op::BvAdd => ("+", level::SUM, None),
        Op::BvSub => ("-", level::SUM, None),
        Op::BvMul => ("*", level::PRODUCT, None),
        Op::BvUdiv => ("/", level::PRODUCT, Some(false)),
        Op::BvUrem => ("%", level::PRODUCT, Some(false)),
        Op::BvSdiv => ("/", level::PRODUCT, Some(true)),
        Op::BvSrem => ("%", level::PRODUCT, Some(true)),
        Op::BvShl => ("<<", level::SHIFT, None),
        Op::BvLshr => (">>", level::SHIFT, Some(false)),
        Op::BvAshr => (">>", level::SHIFT, Some(true)),
        _ => return None,
    })
}

/// Text while it is written.
pub(super) struct Writer<'w, 'a> {
    infix: &'w Infix<'a>,
    text: String,
    cut: bool,
}

impl<'w, 'a> Writer<'w, 'a> {
    pub(super) fn new(infix: &'w Infix<'a>) -> Writer<'w, 'a> {
        Writer { infix, text: String::new(), cut: false }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    pub(super) fn push(&mut self, text: &str) {
        if self.cut {
            return;
        }
        if self.text.len() > MAX_LENGTH {
            self.text.push_str("...");
            self.cut = true;
        } else {
            self.text.push_str(text);
        }
    }

    /// A term in a place that needs at least this level, where literals have this sign.
    pub(super) fn term(&mut self, term: Term, needed: u8, sign: Sign, depth: usize) {
        if self.cut {
            return;
        }
        if depth > MAX_DEPTH {
            self.push("...");
            return;
        }
        let own = precedence(term);
        if own < needed {
            self.push("(");
        }
        self.node(term, sign, depth + 1);
        if own < needed {
            self.push(")");
        }
    }

    fn node(&mut self, term: Term, sign: Sign, depth: usize) {
        let arguments = term.args();
        match (term.op(), arguments) {
            (Op::True, _) => self.push("true"),
            (Op::False, _) => self.push("false"),
            (Op::Bits(bits), _) => self.push(&self.infix.number(bits, sign)),
            (Op::Const(name), _) => self.push(self.infix.name(*name)),
            (Op::Not, &[inner]) => match comparison(inner.op(), true) {
                Some(comparison) => self.comparison(comparison, inner.args(), depth),
                None => self.prefix("!", inner, sign, depth),
            },
            (Op::Implies, &[premise, conclusion]) => {
                self.prefix("!", premise, None, depth);
                self.push(" || ");
                self.term(conclusion, level::OR, None, depth);
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                self.term(condition, level::OR, None, depth);
                self.push(" ? ");
                self.term(then, level::OR, sign, depth);
                self.push(" : ");
                self.term(otherwise, level::CONDITIONAL, sign, depth);
            }
            (Op::BvNot, &[inner]) => self.prefix("~", inner, sign, depth),
            (Op::BvNeg, &[inner]) => self.prefix("-", inner, sign, depth),
            (Op::ZeroExtend(_), &[inner]) => self.cast('u', Some(false), term.width(), inner, depth),
            (Op::SignExtend(_), &[inner]) => self.cast('i', Some(true), term.width(), inner, depth),
            (Op::Extract { low, .. }, &[inner]) => self.extract(*low, term.width(), inner, depth),
            (Op::Concat, _) => self.call("concat", arguments, depth),
            (Op::Select, &[array, index]) => {
                self.term(array, level::PRIMARY, None, depth);
                self.push("[");
                self.term(index, 0, Some(false), depth);
                self.push("]");
            }
            (Op::Store, &[array, index, value]) => {
                self.term(array, level::PRIMARY, None, depth);
                self.push("[");
                self.term(index, 0, Some(false), depth);
                self.push(" := ");
                self.term(value, 0, self.infix.sign(array, SIGN_DEPTH), depth);
                self.push("]");
            }
            (Op::ConstArray(_), _) => self.call("all", arguments, depth),
            (Op::BvAdd, _) => self.sum(arguments, sign, depth),
            (op, _) => match (comparison(op, false), binary(op)) {
                (Some(comparison), _) => self.comparison(comparison, arguments, depth),
                (_, Some((symbol, level, operands))) => {
                    self.chain(symbol, level, operands, arguments, sign, depth);
                }
                _ => self.push("?"),
            },
        }
    }

    fn prefix(&mut self, symbol: &str, inner: Term, sign: Sign, depth: usize) {
        self.push(symbol);
        self.term(inner, level::UNARY, sign, depth);
    }

    fn call(&mut self, name: &str, arguments: &[Term], depth: usize) {
        self.push(name);
        self.push("(");
        for (index, argument) in arguments.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            self.term(*argument, 0, None, depth);
        }
        self.push(")");
    }

    /// A wider or narrower number; the inner one is taken as signed or unsigned.
    fn cast(&mut self, letter: char, taken: Sign, width: u32, inner: Term, depth: usize) {
        self.push(&format!("({letter}{width})"));
        self.operand(inner, level::UNARY, taken, None, depth);
    }

    fn extract(&mut self, low: u32, width: u32, inner: Term, depth: usize) {
        self.push(&format!("(u{width})"));
        if low == 0 {
            self.term(inner, level::UNARY, None, depth);
        } else {
            self.push("(");
            self.operand(inner, level::SHIFT, Some(false), None, depth);
            self.push(&format!(" >> {low})"));
        }
    }

    fn comparison(&mut self, comparison: Comparison, arguments: &[Term], depth: usize) {
        let found = arguments.iter().find_map(|argument| self.infix.sign(*argument, SIGN_DEPTH));
        let level = if matches!(comparison.symbol, "==" | "!=") { level::EQUALITY } else { level::ORDER };
        let (symbol, arguments) = literal_last(comparison.symbol, arguments);
        for (index, argument) in arguments.into_iter().enumerate() {
            if index > 0 {
                self.push(&format!(" {symbol} "));
            }
            self.operand(argument, level + 1, comparison.sign, found, depth);
        }
    }

    /// An operand that is taken as signed or unsigned, with a cast if it is not declared like that.
    fn operand(&mut self, term: Term, needed: u8, taken: Sign, hint: Sign, depth: usize) {
        let declared = self.infix.sign(term, SIGN_DEPTH);
        match (taken, declared) {
            (Some(taken), Some(declared)) if taken != declared => {
                self.push(&format!("({}{})", if taken { 'i' } else { 'u' }, term.width()));
                self.term(term, level::UNARY, Some(taken), depth);
            }
            _ => self.term(term, needed, taken.or(hint), depth),
        }
    }

    fn chain(&mut self, symbol: &str, level: u8, taken: Sign, arguments: &[Term], sign: Sign, depth: usize) {
        let hint =
            sign.or_else(|| arguments.iter().find_map(|argument| self.infix.sign(*argument, SIGN_DEPTH)));
        for (index, argument) in arguments.iter().enumerate() {
            if index > 0 {
                self.push(&format!(" {symbol} "));
            }
            // A shift's second operand is a plain number, whatever the first is.
            let (taken, hint) =
                if level == level::SHIFT && index > 0 { (None, Some(false)) } else { (taken, hint) };
            self.operand(*argument, level + u8::from(index > 0), taken, hint, depth);
        }
    }

    /// A sum, literals last, and with minus where that is shorter.
    fn sum(&mut self, arguments: &[Term], sign: Sign, depth: usize) {
        let hint =
            sign.or_else(|| arguments.iter().find_map(|argument| self.infix.sign(*argument, SIGN_DEPTH)));
        let (literals, others): (Vec<Term>, Vec<Term>) =
            arguments.iter().partition(|argument| argument.as_bits().is_some());
        for (index, &term) in others.iter().chain(&literals).enumerate() {
            let negative = match (term.op(), term.args()) {
                (Op::Bits(bits), _) if bits.is_negative() && index > 0 => Some(Term::bits(bits.neg())),
                (Op::BvNeg, &[inner]) if index > 0 => Some(inner),
                _ => None,
            };
            self.push(match (index, negative) {
                (0, _) => "",
                (_, Some(_)) => " - ",
                (_, None) => " + ",
            });
            let needed = level::SUM + u8::from(index > 0);
            self.term(negative.unwrap_or(term), needed, hint, depth);
        }
    }
}

/// The comparison with a literal on the right, where people expect it.
fn literal_last(symbol: &'static str, arguments: &[Term]) -> (&'static str, Vec<Term>) {
    match *arguments {
        [first, second] if first.as_value().is_some() && second.as_value().is_none() => {
            let mirrored = match symbol {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                ">=" => "<=",
                other => other,
            };
            (mirrored, vec![second, first])
        }
        _ => (symbol, arguments.to_vec()),
    }
}

fn precedence(term: Term) -> u8 {
    match term.op() {
        Op::Not => match term.args() {
            [inner] if matches!(inner.op(), Op::Eq) => level::EQUALITY,
            [inner] if comparison(inner.op(), true).is_some() => level::ORDER,
            _ => level::UNARY,
        },
        Op::Implies => level::OR,
        Op::Ite => level::CONDITIONAL,
        Op::Eq => level::EQUALITY,
        Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => level::ORDER,
        Op::BvNot | Op::BvNeg | Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Extract { .. } => level::UNARY,
        op => binary(op).map_or(level::PRIMARY, |(_, level, _)| level),
    }
}
