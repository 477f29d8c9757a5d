//! An interpolant between two formulas, one cube at a time.
//!
//! Every model of the first formula gives a cube: what it says about the atoms of both formulas, and about the bits of the
//! constants that they share. The second formula contradicts the cube; a core of that is a cube with few literals. The
//! interpolant is the disjunction of these cubes, once no model of the first formula is outside. This works without
//! solving equations, and always in theory: there are finitely many cubes. It is the last resort because there may be
//! many.

use rustc_hash::FxHashSet;

use super::minimal_core;
use crate::solver::{Answer, Config, Model, Solver, SolverChoice, SolverError, create};
use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::traverse::constants;

/// More cubes than this explain nothing.
const LARGEST: usize = 64;
/// Atoms that are looked at.
const ATOMS: usize = 64;

/// A formula over the shared constants that follows from the first and contradicts the second, if one is found soon.
pub(super) fn between(
    first: &[Term],
    second: &[Term],
    shared: &[Term],
    choice: &SolverChoice,
    config: &Config,
) -> Result<Option<Term>, SolverError> {
    if shared.iter().any(|constant| matches!(constant.sort(), Sort::Array(_))) {
        return Ok(None);
    }
    let mut inside = create(choice, config)?;
    first.iter().try_for_each(|&conjunct| inside.assert(conjunct))?;
    shared.iter().try_for_each(|&constant| inside.declare(constant))?;
    let mut against = create(choice, config)?;
    second.iter().try_for_each(|&conjunct| against.assert(conjunct))?;
    let atoms = atoms(first.iter().chain(second).copied(), shared);
    let mut cubes = Vec::new();
    while cubes.len() < LARGEST {
        match inside.check()? {
            Answer::Unsat => return Ok(Some(Term::or_all(cubes))),
            Answer::Unknown(_) => return Ok(None),
            Answer::Sat => {}
        }
        let model = inside.model()?;
        let Some(cube) = refuted(against.as_mut(), &atoms, shared, &model)? else { return Ok(None) };
        inside.assert(cube.not())?;
        cubes.push(cube);
    }
    Ok(None)
}

/// A cube that is true in the model and impossible for the solver: of atoms, or of atoms and bits.
fn refuted(
    against: &mut dyn Solver,
    atoms: &[Term],
    shared: &[Term],
    model: &Model,
) -> Result<Option<Term>, SolverError> {
    let true_in_model = |atom: Term| match model.satisfies(atom) {
        Ok(true) => Ok(atom),
        Ok(false) => Ok(atom.not()),
        Err(error) => Err(SolverError::IllSorted(error.to_string())),
    };
    let mut literals = atoms.iter().map(|&atom| true_in_model(atom)).collect::<Result<Vec<Term>, _>>()?;
    let bits = shared.iter().flat_map(|&constant| bits(constant));
    let bits = bits.map(true_in_model).collect::<Result<Vec<Term>, _>>()?;
    for more in [Vec::new(), bits] {
        literals.extend(more);
        match against.check_assuming(&literals)? {
            Answer::Unsat => return Ok(Some(Term::and_all(minimal_core(against)?))),
            Answer::Unknown(_) => return Ok(None),
            Answer::Sat => {}
        }
    }
    Ok(None)
}

/// Each bit of a constant, as a formula.
fn bits(constant: Term) -> Vec<Term> {
    let one = Term::bv(1, 1);
    match constant.sort() {
        Sort::BitVec(width) => (0..width).map(|bit| constant.extract(bit, bit).equals(one)).collect(),
        Sort::Bool | Sort::Array(_) => vec![constant],
    }
}

/// Formulas inside the given ones that speak of shared constants only, and are no connectives.
fn atoms(formulas: impl Iterator<Item = Term>, shared: &[Term]) -> Vec<Term> {
    let mut stack: Vec<Term> = formulas.collect();
    stack.reverse();
    let mut seen = FxHashSet::default();
    let mut atoms = Vec::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || atoms.len() >= ATOMS {
            continue;
        }
        let connective = matches!(term.op(), Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Ite);
        if term.sort().is_bool() && !connective && term.as_bool().is_none() {
            let constants = constants([term]);
            if constants.iter().all(|constant| shared.contains(constant)) {
                atoms.push(term);
            }
        }
        stack.extend(term.args().iter().rev());
    }
    atoms
}
