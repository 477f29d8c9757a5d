//! Scripts and models.

use std::fmt;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::eval;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::term::Term;
use crate::traverse::constants;
use crate::value::Value;

use super::apply::{Function, is_operator};
use super::lex::{Place, Token};
use super::parse::{Binding, ParseError, Parser, Problem};
use super::print::declaration;

/// Declarations and assertions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// The uninterpreted constants.
    pub declarations: Vec<Term>,
    /// What is asserted.
    pub assertions: Vec<Term>,
}

impl Script {
    /// Asserts terms and declares the constants in them, in the order of first occurrence. Constants with the same name
    /// should have the same sort: SMT-LIB does not know others.
    pub fn new(assertions: Vec<Term>) -> Script {
        Script { declarations: constants(assertions.iter().copied()), assertions }
    }
}

/// As text that a solver reads; the last command is `check-sat`.
impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for text in self.declarations.iter().filter_map(|constant| declaration(*constant)) {
            writeln!(f, "{text}")?;
        }
        self.assertions.iter().try_for_each(|term| writeln!(f, "(assert {term})"))?;
        writeln!(f, "(check-sat)")
    }
}

/// Reads a script of `declare-const`, `declare-fun` without arguments, `define-fun`, `assert` and `check-sat`. Definitions are
/// replaced by their bodies. Settings, and commands that ask for results, are skipped.
pub fn parse_script(text: &str) -> Result<Script, ParseError> {
    let mut parser = Parser::new(text);
    let mut script = Script::default();
    while let Some((token, place)) = parser.lexer.next()? {
        if token != Token::Open {
            return Err(place.error(Problem::Unexpected(token.text())));
        }
        let (command, place) = parser.symbol()?;
        match command.as_str() {
            "declare-const" | "declare-fun" => {
                let constant = declare(&mut parser, command.as_str() == "declare-fun")?;
                script.declarations.push(constant);
            }
            "define-fun" => {
                define(&mut parser)?;
            }
            "assert" => {
                let term = parser.term()?;
                if !term.sort().is_bool() {
                    return Err(place.error(Problem::Sort { expected: Sort::Bool, found: term.sort() }));
                }
                parser.close()?;
                script.assertions.push(term);
            }
            "set-logic" | "set-option" | "set-info" | "check-sat" | "get-model" | "get-value" | "exit" => {
                skip(&mut parser)?;
            }
            _ => return Err(place.error(Problem::Unexpected(command.to_string()))),
        }
    }
    Ok(script)
}

/// Reads a model as solvers print it: a list of `define-fun`, maybe after the word `model`. Auxiliary functions with arguments
/// are understood, but are not part of the result.
pub fn parse_model(text: &str) -> Result<Vec<(Symbol, Value)>, ParseError> {
    let mut parser = Parser::new(text);
    let mut model = Vec::new();
    parser.open()?;
    if parser.lexer.peek()? == Some(Token::Symbol(Symbol::new("model"))) {
        parser.lexer.next()?;
    }
    while parser.taken(Token::Open)? {
        let (command, place) = parser.symbol()?;
        if command.as_str() != "define-fun" {
            return Err(place.error(Problem::Unexpected(command.to_string())));
        }
        if let Some((name, term)) = define(&mut parser)? {
            let nothing: FxHashMap<Symbol, Value> = FxHashMap::default();
            model.push((name, eval(term, &nothing).map_err(|_| place.error(Problem::NotAValue))?));
        }
    }
    parser.close()?;
    match parser.lexer.next()? {
        None => Ok(model),
        Some((token, place)) => Err(place.error(Problem::Unexpected(token.text()))),
    }
}

/// A new name.
fn fresh_name(parser: &mut Parser<'_>) -> Result<(Symbol, Place), ParseError> {
    let (name, place) = parser.symbol()?;
    if parser.meaning(name).is_some() {
        return Err(place.error(Problem::Redeclared(name.to_string())));
    }
    Ok((name, place))
}

/// The rest of a declaration.
fn declare(parser: &mut Parser<'_>, function: bool) -> Result<Term, ParseError> {
    let (name, place) = fresh_name(parser)?;
    if function {
        parser.open()?;
        if !parser.taken(Token::Close)? {
            return Err(place.error(Problem::Limit("an uninterpreted function with arguments")));
        }
    }
    let constant = Term::constant(name, parser.sort()?);
    parser.close()?;
    parser.bind(name, Binding::Term(constant));
    Ok(constant)
}

/// The rest of a definition; its body, if it has no parameters.
fn define(parser: &mut Parser<'_>) -> Result<Option<(Symbol, Term)>, ParseError> {
    let (name, place) = fresh_name(parser)?;
    let mut parameters = Vec::new();
    let mut names = FxHashSet::default();
    parser.open()?;
    while parser.taken(Token::Open)? {
        let (parameter, place) = parser.symbol()?;
        if !names.insert(parameter) {
            return Err(place.error(Problem::Redeclared(parameter.to_string())));
        }
        let sort = parser.sort()?;
        parser.close()?;
        parameters.push((parameter, Term::constant(unused_name(parser, parameter, place), sort)));
    }
    parser.close()?;
    let sort = parser.sort()?;
    parameters.iter().for_each(|&(name, term)| parser.bind(name, Binding::Term(term)));
    let body = parser.term()?;
    parameters.iter().for_each(|&(name, _)| parser.unbind(name));
    parser.close()?;
    if body.sort() != sort {
        return Err(place.error(Problem::Sort { expected: sort, found: body.sort() }));
    }
    if parameters.is_empty() {
        parser.bind(name, Binding::Term(body));
        return Ok(Some((name, body)));
    }
    if is_operator(name.as_str()) {
        return Err(place.error(Problem::Redeclared(name.to_string())));
    }
    let parameters = parameters.into_iter().map(|(_, term)| term).collect();
    parser.bind(name, Binding::Function(Rc::new(Function { name, parameters, body })));
    Ok(None)
}

/// A name for a parameter that nothing declared so far has. Parameters are known by their places: two of the same function
/// are different.
fn unused_name(parser: &Parser<'_>, parameter: Symbol, place: Place) -> Symbol {
    let mut name = format!("{parameter} at {}:{}", place.line, place.column);
    while parser.meaning(Symbol::new(&name)).is_some() {
        name.push('\'');
    }
    Symbol::new(&name)
}

/// Skips the rest of a command.
fn skip(parser: &mut Parser<'_>) -> Result<(), ParseError> {
    let mut depth = 1_usize;
    while depth > 0 {
        match parser.lexer.expect()?.0 {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_read_back() {
        let (x, y) = (
            Term::constant(Symbol::new("x y"), Sort::BitVec(8)),
            Term::constant(Symbol::new("y"), Sort::Bool),
        );
        let script = Script::new(vec![y.implies(x.ult(Term::bv(8, 9))), y]);
        let text = script.to_string();
        assert!(
            text.starts_with("(declare-const y Bool)\n(declare-const |x y| (_ BitVec 8))\n(assert "),
            "{text}"
        );
        assert_eq!(parse_script(&text), Ok(script));
    }

    #[test]
    fn definitions_stand_for_their_bodies() {
        let text = "(set-logic QF_BV) (declare-fun x () (_ BitVec 8)) ; comment
            (define-fun two () (_ BitVec 8) #x02)
            (define-fun half ((x (_ BitVec 8)) (by (_ BitVec 8))) (_ BitVec 8) (bvudiv x by))
            (assert (= (half (half x two) x) two)) (check-sat) (get-value (x (half x x))) (exit)";
        let x = Term::constant(Symbol::new("x"), Sort::BitVec(8));
        let two = Term::bv(8, 2);
        let script = parse_script(text).unwrap();
        assert_eq!(script.assertions, [x.bv_udiv(two).bv_udiv(x).equals(two)]);
        assert_eq!(script.declarations, [x]);
    }

    #[test]
    fn models() {
        let text = "(model (define-fun |a b| () Bool true)
            (define-fun twice ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x x))
            (define-fun m () (Array (_ BitVec 8) (_ BitVec 8))
              (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00) #x01 (twice #x21))))";
        let model = parse_model(text).unwrap();
        let names: Vec<String> = model.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let array = "(store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00) #x01 #x42)";
        assert_eq!(names, ["a b=true".to_owned(), format!("m={array}")]);
        assert_eq!(parse_model("()"), Ok(Vec::new()));
    }

    #[test]
    fn errors_have_places() {
        let cases = [
            ("(assert\n x)", (2, 2), "unknown constant 'x'"),
            ("(declare-const x Bool)\n(declare-const x Bool)", (2, 16), "'x' is declared twice"),
            ("(assert #b1)", (1, 2), "expected a term of sort Bool, found one of sort (_ BitVec 1)"),
            ("(declare-fun f (Bool) Bool)", (1, 14), "an uninterpreted function with arguments"),
            ("(define-fun f ((x Bool) (x Bool)) Bool x)", (1, 26), "'x' is declared twice"),
            ("(define-fun and ((x Bool)) Bool x)", (1, 13), "'and' is declared twice"),
            (
                "(define-fun f () Bool #b1)",
                (1, 13),
                "expected a term of sort Bool, found one of sort (_ BitVec 1)",
            ),
            ("(push 1)", (1, 2), "unexpected 'push'"),
            ("(check-sat", (1, 11), "the text ends unexpectedly"),
            ("check-sat", (1, 1), "unexpected 'check-sat'"),
        ];
        for (text, place, message) in cases {
            let error = parse_script(text).unwrap_err();
            assert_eq!(
                ((error.line, error.column), error.problem.to_string()),
                (place, message.to_owned()),
                "{text}"
            );
        }
        assert!(parse_model("((define-fun x () Bool y))").is_err());
        assert!(parse_model("((assert true))").is_err());
        assert!(parse_model("() ()").is_err());
    }
}
