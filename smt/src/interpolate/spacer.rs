//! A chain as Horn clauses, for Z3's Spacer.
//!
//! The unknowns are relations over the constants that are shared at each place. Z3 would inline them all, because each
//! occurs once, and then there is nothing left to find; so that is switched off. The model of the relations is read back
//! by applying each to fresh constants, evaluating that, and reading Z3's text.

use std::time::Instant;

use ::z3::ast::{Ast, Bool, Dynamic, forall_const};
use ::z3::{FuncDecl, Model, Params, SatResult, Solver as Z3Solver, Sort as Z3Sort};
use rustc_hash::FxHashMap;

use super::Options;
use crate::smtlib::parse_term;
use crate::solver::{Alarm, Limits, SolverError};
use crate::symbol::Symbol;
use crate::term::Term;
use crate::traverse::constants;
use crate::z3::{Translator, watch, z3_sort};

/// Interpolants over these constants at each place, or what Z3 says instead.
pub(super) fn solve(
    parts: &[Term],
    places: &[Vec<Term>],
    options: &Options,
) -> Result<Result<Vec<Term>, String>, SolverError> {
    let Some(solver) = Z3Solver::new_for_logic("HORN") else {
        return Ok(Err("not part of the linked libz3".to_owned()));
    };
    configure(&solver, options.spacer_work);
    let relations: Vec<FuncDecl> =
        places.iter().enumerate().map(|(place, shared)| relation(place, shared)).collect();
    let mut translator = Translator::default();
    for (place, &part) in parts.iter().enumerate() {
        let before = place.checked_sub(1);
        let mut bound: Vec<Term> = vec![part];
        bound.extend(before.map(|before| places[before].as_slice()).unwrap_or_default());
        bound.extend(places.get(place).map(Vec::as_slice).unwrap_or_default());
        let mut body = vec![translator.formula(part)?];
        if let Some(before) = before {
            body.push(apply(&relations[before], &translated(&mut translator, &places[before])?)?);
        }
        let head = match places.get(place) {
            Some(shared) => apply(&relations[place], &translated(&mut translator, shared)?)?,
            None => Bool::from_bool(false),
        };
        let bound = translated(&mut translator, &constants(bound))?;
        let bound: Vec<&dyn Ast> = bound.iter().map(|constant| constant as &dyn Ast).collect();
        solver.assert(forall_const(&bound, &[], &Bool::and(&body).implies(&head)));
    }
    let deadline = options.config.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let limits = Limits { deadline, interrupt: options.config.interrupt.clone() };
    let (result, alarm) = watch(&solver, &limits, || solver.check());
    match (result, alarm) {
        (SatResult::Sat, _) => {
            let Some(model) = solver.get_model() else { return Ok(Err("no model".to_owned())) };
            let pairs = relations.iter().zip(places);
            pairs
                .map(|(relation, shared)| read(relation, shared, &model))
                .collect::<Result<Result<_, _>, _>>()
        }
        (SatResult::Unsat, _) => Ok(Err("the chain has a model".to_owned())),
        (SatResult::Unknown, Alarm::Finished) => Ok(Err(solver.get_reason_unknown().unwrap_or_default())),
        (SatResult::Unknown, _) => Ok(Err("out of time".to_owned())),
    }
}

/// Nothing is inlined, and Ctrl-C stays with the program.
fn configure(solver: &Z3Solver, work: u32) {
    let mut parameters = Params::new();
    parameters.set_u32("rlimit", work);
    for feature in ["xform.inline_linear", "xform.inline_eager", "xform.slice", "ctrl_c"] {
        parameters.set_bool(feature, false);
    }
    solver.set_params(&parameters);
}

/// The unknown at a place.
fn relation(place: usize, shared: &[Term]) -> FuncDecl {
    let sorts: Vec<Z3Sort> = shared.iter().map(|constant| z3_sort(constant.sort())).collect();
    let sorts: Vec<&Z3Sort> = sorts.iter().collect();
    FuncDecl::new(format!("interpolant!{place}"), &sorts, &Z3Sort::bool())
}

fn translated(translator: &mut Translator, terms: &[Term]) -> Result<Vec<Dynamic>, SolverError> {
    terms.iter().map(|&term| translator.dynamic(term)).collect()
}

fn apply(relation: &FuncDecl, arguments: &[Dynamic]) -> Result<Bool, SolverError> {
    let arguments: Vec<&dyn Ast> = arguments.iter().map(|argument| argument as &dyn Ast).collect();
    relation.apply(&arguments).as_bool().ok_or_else(|| SolverError::Unsupported("relations in Z3".to_owned()))
}

/// The meaning of a relation, over the shared constants of its place; what is wrong with it otherwise.
fn read(relation: &FuncDecl, shared: &[Term], model: &Model) -> Result<Result<Term, String>, SolverError> {
    // Names that need no quoting.
    let name = |(position, constant): (usize, &Term)| {
        Term::constant(Symbol::new(&format!("argument!{position}")), constant.sort())
    };
    let arguments: Vec<Term> = shared.iter().enumerate().map(name).collect();
    let application = apply(relation, &translated(&mut Translator::default(), &arguments)?)?;
    let Some(meaning) = model.eval(&application, false) else { return Ok(Err("no relation".to_owned())) };
    Ok(match parse_term(&meaning.to_string(), arguments.iter().copied()) {
        Ok(term) => {
            let actual: FxHashMap<Term, Term> = arguments.into_iter().zip(shared.iter().copied()).collect();
            Ok(term.substitute(&actual))
        }
        Err(error) => Err(format!("an answer that cannot be read: {error}")),
    })
}
