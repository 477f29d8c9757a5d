//! Properties of random terms.
//!
//! Expressions are built from random choices as plain trees, evaluated by a reference that knows neither terms nor
//! [`Bits`](crate::Bits), and built again with the smart constructors. Everything that is done with terms must agree with the
//! reference.

#[cfg(any(feature = "cadical", feature = "batsat"))]
mod clauses;
mod deep;
mod exhaustive;
mod expression;
mod reference;

use std::collections::BTreeMap;

use proptest::prelude::*;
use rustc_hash::FxHashMap;

use crate::eval::eval;
use crate::smtlib::{Script, parse_script, parse_term};
use crate::symbol::Symbol;
use crate::term::Term;
use crate::traverse::constants;
use crate::value::Value;
use expression::{Choices, Expression, random_expression, random_sort, random_value};

type Model = BTreeMap<Symbol, Value>;

fn choices() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(any::<u32>(), 0..120)
}

fn random_model(choices: &mut Choices<'_>, terms: &[Term]) -> Model {
    let name = |constant: &Term| constant.as_constant().unwrap();
    constants(terms.iter().copied()).iter().map(|it| (name(it), random_value(choices, it.sort()))).collect()
}

/// An expression and the term for it.
fn built(data: &[u32]) -> (Expression, Term) {
    let mut choices = Choices::new(data);
    let sort = random_sort(&mut choices);
    let expression = random_expression(&mut choices, sort);
    let term = expression.build();
    (expression, term)
}

fn subterms(term: Term) -> Vec<Term> {
    let mut all = vec![term];
    let mut next = 0;
    while next < all.len() {
        all.extend(all[next].args().iter().filter(|arg| !all.contains(arg)).collect::<Vec<_>>());
        next += 1;
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn simplified_terms_mean_the_same(data in choices(), values in choices()) {
        let (expression, term) = built(&data);
        prop_assert_eq!(term.sort(), expression.sort);
        let model = expression.model(&mut Choices::new(&values));
        let expected = reference::evaluate(&expression, &model);
        let value = eval(term, &model);
        prop_assert_eq!(value.clone().map(|value| reference::from_value(&value)), Ok(expected), "{}", term);
        if let Some(literal) = term.as_value() {
            prop_assert_eq!(value, Ok(literal));
        }
    }

    #[test]
    fn terms_are_stable(data in choices()) {
        let (_, term) = built(&data);
        for part in subterms(term) {
            prop_assert_eq!(part.rebuild(part.args()), part);
            if part.sort().is_bool() {
                prop_assert_eq!(part.not().not(), part);
                prop_assert_eq!(part.and(part.not()), Term::fls());
                prop_assert_eq!(part.xor(part.not()), Term::tru());
            }
        }
    }

    #[test]
    fn texts_are_read_back(data in choices()) {
        let (expression, term) = built(&data);
        prop_assert_eq!(parse_term(&term.to_string(), term.constants()), Ok(term), "{}", term);
        let constants = expression.constants();
        prop_assert_eq!(parse_term(&expression.text(), constants), Ok(term), "{}", expression.text());
        if term.sort().is_bool() {
            let script = Script::new(vec![term]);
            prop_assert_eq!(parse_script(&script.to_string()), Ok(script));
        }
    }

    #[test]
    fn damaged_texts_are_read_or_refused(data in choices(), cut in any::<usize>(), byte in any::<char>()) {
        let (expression, _) = built(&data);
        let mut characters: Vec<char> = expression.text().chars().collect();
        let place = cut % characters.len();
        characters[place] = byte;
        let text: String = characters.into_iter().collect();
        let _ = parse_term(&text, expression.constants());
        let truncated: String = expression.text().chars().take(place).collect();
        prop_assert!(parse_term(&truncated, expression.constants()).is_err() || !expression.text().starts_with('('));
    }

    #[test]
    fn substitution_commutes_with_evaluation(data in choices(), others in choices(), values in choices()) {
        let (_, term) = built(&data);
        let mut choices = Choices::new(&others);
        let map: FxHashMap<Term, Term> = term
            .constants()
            .into_iter()
            .filter_map(|constant| {
                let other = random_expression(&mut choices, constant.sort()).build();
                (choices.below(4) != 0).then_some((constant, other))
            })
            .collect();
        let replacements: Vec<Term> = term.constants().iter().filter_map(|it| map.get(it).copied()).collect();
        let model = random_model(&mut Choices::new(&values), &[&[term], &replacements[..]].concat());
        let mut inner = model.clone();
        for constant in term.constants() {
            if let Some(other) = map.get(&constant) {
                inner.insert(constant.as_constant().unwrap(), eval(*other, &model).unwrap());
            }
        }
        let mut outer = model;
        let substituted = term.substitute(&map);
        for constant in substituted.constants() {
            outer.entry(constant.as_constant().unwrap()).or_insert_with(|| Value::zero(constant.sort()));
        }
        prop_assert_eq!(eval(substituted, &outer), eval(term, &inner));
    }

    #[test]
    fn renaming_there_and_back_changes_nothing(data in choices()) {
        let (_, term) = built(&data);
        let there = term.rename(&mut |name| Some(Symbol::new(&format!("{name}@1"))));
        let back = there.rename(&mut |name| name.as_str().strip_suffix("@1").map(Symbol::new));
        prop_assert_eq!(back, term);
    }

    #[test]
    fn values_are_literals(data in choices()) {
        let mut choices = Choices::new(&data);
        let sort = random_sort(&mut choices);
        let value = random_value(&mut choices, sort);
        let literal = Term::value(&value);
        prop_assert_eq!(literal.as_value(), Some(value.clone()));
        prop_assert_eq!(eval(literal, &Model::new()), Ok(value.clone()));
        prop_assert_eq!(parse_term(&value.to_string(), []), Ok(literal));
    }
}
