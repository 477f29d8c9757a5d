//! Sequence interpolants: why a chain of formulas cannot be true together, told step by step.
//!
//! For parts `A_0, ..., A_n` that contradict each other, there are formulas `I_1, ..., I_n` such that `A_0` implies `I_1`,
//! `I_i` and `A_i` imply `I_(i+1)`, and `I_n` contradicts `A_n`; `I_i` speaks only of constants that occur both before
//! and after the place between `A_(i-1)` and `A_i`.
//!
//! First the parts are reduced to an unsatisfiable core. Then Z3's Spacer is asked, with one unknown relation per place
//! and one Horn clause per part: it generalises, and finds the same fact again and again where a loop is unrolled. It
//! gets an amount of work that is counted, not timed. If it gives up, constants are eliminated from the end of the chain
//! to its beginning (weakest preconditions), or from the beginning to the end (strongest postconditions). The last resort
//! is to collect cubes.
//!
//! Whatever the method, a sequence is given out only after a solver has confirmed every implication, for the parts as
//! they came.

mod enumerate;
mod project;
#[cfg(feature = "z3")]
mod spacer;

use rustc_hash::FxHashSet;
use thiserror::Error;

use self::project::project;
use crate::solver::{Answer, Config, Model, Reason, Solver, SolverChoice, SolverError, create};
use crate::term::Term;
use crate::traverse::constants;

/// How interpolants are looked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who finds cores and confirms implications.
    pub solver: SolverChoice,
    /// For that solver.
    pub config: Config,
    /// How much Spacer may do, in Z3's units; a million is about a second. Zero means that it is not asked.
    pub spacer_work: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { solver: SolverChoice::default(), config: Config::default(), spacer_work: 1_000_000 }
    }
}

/// How a sequence was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// By Z3's solver for Horn clauses.
    Spacer,
    /// From the end of the chain.
    WeakestPreconditions,
    /// From the beginning of the chain.
    StrongestPostconditions,
    /// From models and cores, one cube at a time.
    Cubes,
}

/// What became of a chain.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The parts contradict each other: the formulas between them, one less than there are parts.
    Interpolants(Vec<Term>, Method),
    /// All parts can be true together.
    Satisfiable(Model),
    /// Nothing that could be confirmed was found.
    Unknown(Failure),
}

/// Why there are no interpolants.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failure {
    /// The solver does not know whether the parts contradict each other.
    #[error("the chain is undecided: {0}")]
    Undecided(Reason),
    /// No method worked. What Spacer said, if it was asked.
    #[error("no interpolants found{}", .0.as_ref().map(|text| format!("; Spacer: {text}")).unwrap_or_default())]
    NotFound(Option<String>),
}

/// Finds interpolants for a chain.
pub fn sequence_interpolants(parts: &[Term], options: &Options) -> Result<Outcome, SolverError> {
    let mut solver = create(&options.solver, &options.config)?;
    let conjuncts: Vec<Vec<Term>> = parts.iter().map(|&part| part.conjuncts()).collect();
    let all: Vec<Term> = conjuncts.iter().flatten().copied().collect();
    match solver.check_assuming(&all)? {
        Answer::Sat => return Ok(Outcome::Satisfiable(solver.model()?)),
        Answer::Unknown(reason) => return Ok(Outcome::Unknown(Failure::Undecided(reason))),
        Answer::Unsat => {}
    }
    let core: FxHashSet<Term> = minimal_core(solver.as_mut())?.into_iter().collect();
    let needed = |part: &Vec<Term>| part.iter().copied().filter(|conjunct| core.contains(conjunct)).collect();
    let chain = Chain { parts, needed: conjuncts.iter().map(needed).collect() };
    chain.interpolants(solver.as_mut(), options)
}

/// The last core, without assumptions that are easily found to be superfluous.
fn minimal_core(solver: &mut dyn Solver) -> Result<Vec<Term>, SolverError> {
    /// Questions for one core.
    const PATIENCE: usize = 100;
    let mut core = solver.unsat_core()?;
    let mut kept = 0;
    for _ in 0..PATIENCE {
        if kept >= core.len() {
            break;
        }
        let mut fewer = core.clone();
        fewer.remove(kept);
        if solver.check_assuming(&fewer)?.is_unsat() {
            // What was found to be necessary is necessary in smaller sets, too, so it stays in front.
            let smaller = solver.unsat_core()?;
            core = fewer.into_iter().filter(|term| smaller.contains(term)).collect();
        } else {
            kept += 1;
        }
    }
    Ok(core)
}

/// A chain that has no model.
struct Chain<'a> {
    parts: &'a [Term],
    /// What of each part the contradiction needs.
    needed: Vec<Vec<Term>>,
}

impl Chain<'_> {
    fn interpolants(&self, solver: &mut dyn Solver, options: &Options) -> Result<Outcome, SolverError> {
        let said = match self.spacer(options)? {
            Ok(terms) if self.confirmed(solver, &terms)? => {
                return Ok(Outcome::Interpolants(terms, Method::Spacer));
            }
            Ok(_) => Some("a wrong answer".to_owned()),
            Err(said) => said,
        };
        let methods = [
            (Method::WeakestPreconditions, Self::backward as fn(&Self) -> Option<Vec<Term>>),
            (Method::StrongestPostconditions, Self::forward),
        ];
        for (method, find) in methods {
            if let Some(terms) = find(self)
                && self.confirmed(solver, &terms)?
            {
                return Ok(Outcome::Interpolants(terms, method));
            }
        }
        if let Some(terms) = self.cubes(options)?
            && self.confirmed(solver, &terms)?
        {
            return Ok(Outcome::Interpolants(terms, Method::Cubes));
        }
        if options.config.interrupt.is_stopped() {
            return Ok(Outcome::Unknown(Failure::Undecided(Reason::Interrupted)));
        }
        Ok(Outcome::Unknown(Failure::NotFound(said)))
    }

    /// What Spacer finds, or what it says instead.
    #[cfg(feature = "z3")]
    fn spacer(&self, options: &Options) -> Result<Result<Vec<Term>, Option<String>>, SolverError> {
        if options.spacer_work == 0 {
            return Ok(Err(None));
        }
        let parts = self.needed_parts();
        let places: Vec<Vec<Term>> = (1..parts.len()).map(|place| shared(&parts, place)).collect();
        Ok(spacer::solve(&parts, &places, options)?.map_err(Some))
    }

    #[cfg(not(feature = "z3"))]
    fn spacer(&self, _options: &Options) -> Result<Result<Vec<Term>, Option<String>>, SolverError> {
        Ok(Err(None))
    }

    /// Eliminates constants from the end: what must not be, for the rest of the chain to be impossible.
    fn backward(&self) -> Option<Vec<Term>> {
        let mut rest: Vec<Term> = Vec::new();
        let mut terms = Vec::new();
        for place in (1..self.needed.len()).rev() {
            rest.extend(&self.needed[place]);
            rest = project(rest, &self.shared(place))?;
            terms.push(Term::and_all(rest.iter().copied()).not());
        }
        terms.reverse();
        Some(terms)
    }

    /// Eliminates constants from the beginning: what is certain after each part.
    fn forward(&self) -> Option<Vec<Term>> {
        let mut state: Vec<Term> = Vec::new();
        let mut terms = Vec::new();
        for place in 1..self.needed.len() {
            state.extend(&self.needed[place - 1]);
            state = project(state, &self.shared(place))?;
            terms.push(Term::and_all(state.iter().copied()));
        }
        Some(terms)
    }

    /// Collects cubes at each place, from the beginning.
    fn cubes(&self, options: &Options) -> Result<Option<Vec<Term>>, SolverError> {
        let parts = self.needed_parts();
        let mut terms: Vec<Term> = Vec::new();
        for place in 1..parts.len() {
            let mut first: Vec<Term> = terms.last().copied().into_iter().collect();
            first.push(parts[place - 1]);
            let shared = shared(&parts, place);
            let found =
                enumerate::between(&first, &parts[place..], &shared, &options.solver, &options.config)?;
            let Some(term) = found else { return Ok(None) };
            terms.push(term);
        }
        Ok(Some(terms))
    }

    fn needed_parts(&self) -> Vec<Term> {
        self.needed.iter().map(|part| Term::and_all(part.iter().copied())).collect()
    }

    /// The constants on both sides of a place, of what is needed.
    fn shared(&self, place: usize) -> FxHashSet<Term> {
        shared(&self.needed_parts(), place).into_iter().collect()
    }

    /// Whether these are interpolants of the parts as they came.
    fn confirmed(&self, solver: &mut dyn Solver, terms: &[Term]) -> Result<bool, SolverError> {
        confirm(solver, self.parts, terms)
    }
}

/// Whether formulas are interpolants of a chain: their number, their constants, and every implication.
pub fn confirm(solver: &mut dyn Solver, parts: &[Term], terms: &[Term]) -> Result<bool, SolverError> {
    if terms.len() + 1 != parts.len() {
        return Ok(false);
    }
    for (place, term) in terms.iter().enumerate() {
        let allowed = shared(parts, place + 1);
        if !term.constants().iter().all(|constant| allowed.contains(constant)) {
            return Ok(false);
        }
    }
    for (place, &part) in parts.iter().enumerate() {
        let before =
            place.checked_sub(1).and_then(|place| terms.get(place)).copied().unwrap_or_else(Term::tru);
        let after = terms.get(place).copied().unwrap_or_else(Term::fls);
        if !solver.check_assuming(&[before, part, after.not()])?.is_unsat() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The constants on both sides of a place, in the order of first occurrence.
fn shared(parts: &[Term], place: usize) -> Vec<Term> {
    let after: FxHashSet<Term> = constants(parts[place..].iter().copied()).into_iter().collect();
    let before = constants(parts[..place].iter().copied());
    before.into_iter().filter(|constant| after.contains(constant)).collect()
}
