//! Why something holds at the end of a path: formulas for the nodes on it, each of which leads to the next.
//!
//! A path begins in a node with a label and has transitions. If label, guards and the negation of a *claim* contradict each other, the claim holds whenever the path has been
//! taken (a claim `false` says that it cannot be taken). Then each place between two transitions gets a formula: the label implies the first, each is carried to the next by the transition between them, the
//! last one implies the claim.
//!
//! Weakest preconditions: from the claim backward, a transition's assignments are put in, and those parts of guards stay as premises that the contradiction needs (the
//! unsatisfiable core). What mentions a value that the step chooses must hold for all choices: parts of a disjunction that do not mention it are
//! enough, and if this is too much to ask, sequence interpolants are computed ([`smt::interpolate`]), which checks them.

use crate::facts::{Facts, no_answer};
use crate::system::Transition;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::interpolate::{Options, Outcome, sequence_interpolants};
use smt::{Answer, Config, Model, SolverChoice, SolverError, Substitution, Symbol, Term};
use std::rc::Rc;

/// How formulas are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolants {
    /// Weakest preconditions; others where these do not work.
    #[default]
    Preconditions,
    /// Weakest preconditions or nothing.
    OnlyPreconditions,
    /// Sequence interpolants.
    Spacer,
}

/// What became of a claim.
pub enum Explained {
    /// It holds: what holds before each transition but the first, and at the end.
    Holds(Vec<Term>),
    /// It does not; the values that the first state has, and the choices of each step.
    Fails(Box<Model>),
    /// Nobody knows.
    Unknown,
}

/// A path.
pub struct Path<'p> {
    /// What holds where it begins.
    pub label: &'p [Term],
    /// What is done.
    pub transitions: &'p [Rc<Transition>],
    /// The parts of the guards of each, as they are in the transition and in values at the beginning.
    pub guards: Vec<Rc<Guard>>,
    /// The values at the end.
    pub values: Rc<Values>,
    /// The values after each transition, where they are at hand.
    pub along: Vec<Rc<Values>>,
}

/// Parts of a guard, as they are in a transition and in values at the beginning of a path.
pub type Guard = Vec<(Term, Term)>;

impl<'p> Path<'p> {
    /// A path of these transitions.
    pub fn new(label: &'p [Term], transitions: &'p [Rc<Transition>]) -> Path<'p> {
        let mut values = Values::known(label);
        let steps = transitions.iter().enumerate();
        let guards = steps.map(|(number, step)| Rc::new(values.step(step, number))).collect();
        Path { label, transitions, guards, values: Rc::new(values), along: Vec::new() }
    }
}

/// An input as it is called in the step with this number of a path.
pub fn chosen(input: Term, step: usize) -> Term {
    let name = input.as_constant().map_or("", Symbol::as_str);
    Term::constant(Symbol::new(&format!("{name}@{step}")), input.sort())
}

/// Values of variables as terms over those at the beginning of a path.
#[derive(Clone, Debug, Default)]
pub struct Values(FxHashMap<Term, Term>);

impl Values {
    /// Where some constants are known to be literals.
    pub fn known(label: &[Term]) -> Values {
        let literals = label.iter().flat_map(|part| part.conjuncts()).filter_map(|part| {
            let &[one, other] = part.args() else { return None };
            let is_equation = *part.op() == smt::Op::Eq;
            match (one.as_constant(), other.as_constant()) {
                (Some(_), None) if is_equation && other.as_value().is_some() => Some((one, other)),
                (None, Some(_)) if is_equation && one.as_value().is_some() => Some((other, one)),
                _ => None,
            }
        });
        let mut map: FxHashMap<Term, Term> = literals.collect();
        for part in label.iter().flat_map(|part| part.conjuncts()) {
            // Truth values are equal to true, which is not written.
            if part.as_constant().is_some() {
                map.insert(part, Term::tru());
            } else if *part.op() == smt::Op::Not && part.args()[0].as_constant().is_some() {
                map.insert(part.args()[0], Term::fls());
            }
        }
        Values(map)
    }

    /// The term in these values.
    pub fn apply(&self, term: Term) -> Term {
        term.substitute(&self.0)
    }

    /// Takes the step with this number; returns the parts of its guard, as they are in the transition and in these values.
    pub fn step(&mut self, transition: &Transition, number: usize) -> Guard {
        let mut map = self.0.clone();
        map.extend(transition.inputs.iter().map(|&input| (input, chosen(input, number))));
        let mut substitution = Substitution::new(map);
        let parts = transition.guard.conjuncts().into_iter();
        let guard = parts.map(|part| (part, substitution.apply(part))).collect();
        let new: Vec<(Term, Term)> =
            transition.assign.iter().map(|(slot, value)| (*slot, substitution.apply(*value))).collect();
        self.0.extend(new);
        guard
    }
}

/// Explains why a claim holds at the end of a path.
pub fn explain(
    facts: &mut Facts,
    path: &Path<'_>,
    claim: Term,
    method: Interpolants,
    (choice, config): (&SolverChoice, &Config),
) -> Result<Explained, SolverError> {
    let goal = path.values.apply(claim).not();
    let Some(core) = core(facts, path, goal)? else { return Ok(Explained::Unknown) };
    let core = match core {
        Ok(core) => core,
        Err(model) => return Ok(Explained::Fails(model)),
    };
    if method != Interpolants::Spacer {
        let claim = if core.contains(&goal) { claim } else { Term::fls() };
        if let Some(formulas) = preconditions(facts, path, &core, claim)? {
            return Ok(Explained::Holds(formulas));
        }
        if method == Interpolants::OnlyPreconditions {
            return Ok(Explained::Unknown);
        }
    }
    interpolants(path, claim, choice, config)
}

/// What contradicts itself: parts of guards in values, and the goal. A model if nothing does.
type Core = Result<FxHashSet<Term>, Box<Model>>;

fn core(facts: &mut Facts, path: &Path<'_>, goal: Term) -> Result<Option<Core>, SolverError> {
    if let Some((_, part)) =
        path.guards.iter().flat_map(|guard| guard.iter()).find(|(_, part)| part.is_false())
    {
        return Ok(Some(Ok(FxHashSet::from_iter([*part]))));
    }
    if goal.is_false() {
        return Ok(Some(Ok(FxHashSet::from_iter([goal]))));
    }
    let mut assumptions = path.label.to_vec();
    assumptions.extend(
        path.guards
            .iter()
            .flat_map(|guard| guard.iter())
            .map(|(_, part)| *part)
            .filter(|part| !part.is_true()),
    );
    assumptions.push(goal);
    match facts.solver.check_assuming(&assumptions)? {
        Answer::Sat => Ok(Some(Err(Box::new(facts.solver.model()?)))),
        Answer::Unknown(reason) => no_answer(reason).map(|()| None),
        Answer::Unsat => Ok(Some(Ok(minimal(facts, path.label)?))),
    }
}

/// The last core without parts that are easily found to be superfluous; what the label says is always allowed.
fn minimal(facts: &mut Facts, label: &[Term]) -> Result<FxHashSet<Term>, SolverError> {
    /// Questions for one core.
    const PATIENCE: usize = 12;
    let core = facts.solver.unsat_core()?;
    let (given, mut needed): (Vec<Term>, Vec<Term>) = core.into_iter().partition(|part| label.contains(part));
    let mut kept = 0;
    for _ in 0..PATIENCE {
        if kept >= needed.len() || needed.len() == 1 {
            break;
        }
        // The latest go first, so that the contradiction is found early on the path.
        let place = needed.len() - 1 - kept;
        let mut fewer = needed.clone();
        fewer.remove(place);
        let all: Vec<Term> = given.iter().chain(&fewer).copied().collect();
        if facts.solver.check_assuming(&all)?.is_unsat() {
            let smaller = facts.solver.unsat_core()?;
            let tail: Vec<Term> = fewer.split_off(place);
            fewer.retain(|part| smaller.contains(part));
            fewer.extend(tail);
            needed = fewer;
        } else {
            kept += 1;
        }
    }
    Ok(needed.into_iter().collect())
}

/// Formulas by weakest preconditions, if they work.
fn preconditions(
    facts: &mut Facts,
    path: &Path<'_>,
    core: &FxHashSet<Term>,
    claim: Term,
) -> Result<Option<Vec<Term>>, SolverError> {
    let mut formulas = vec![claim];
    let mut after = claim;
    for (number, (transition, guard)) in path.transitions.iter().zip(&path.guards).enumerate().rev() {
        if after.is_true() {
            formulas.push(after);
            continue;
        }
        let premises = guard.iter().filter(|(_, part)| core.contains(part)).map(|(part, _)| *part);
        let premise = Term::and_all(premises);
        let map: FxHashMap<Term, Term> = transition.assign.iter().copied().collect();
        after = premise.implies(after.substitute(&map));
        if !transition.inputs.is_empty() {
            after = for_all(facts, after, &transition.inputs)?;
        }
        if let Some(values) = number.checked_sub(1).and_then(|before| path.along.get(before)) {
            after = with_known_indices(after, values);
        }
        formulas.push(after);
    }
    let first = formulas.pop().unwrap_or(after);
    for part in first.conjuncts() {
        if !facts.implies(path.label, part)? {
            return Ok(None);
        }
    }
    formulas.reverse();
    Ok(Some(formulas))
}

/// A formula that implies another where variables have these values: whether an element that is read is one that was written is decided by the values of the indices, where these are literals, and not left open. Otherwise
/// each step back over a write would double the cases.
fn with_known_indices(formula: Term, values: &Values) -> Term {
    let mut formula = formula;
    loop {
        let known = undecided(formula).into_iter().filter_map(|constant| {
            let value = values.apply(constant);
            value.as_value().is_some().then_some((constant, value))
        });
        let known: FxHashMap<Term, Term> = known.collect();
        if known.is_empty() {
            return formula;
        }
        let mut parts = vec![formula.substitute(&known)];
        parts.extend(known.iter().map(|(constant, value)| constant.equals(*value)));
        parts[1..].sort_by(|one, other| one.cmp_structural(*other));
        formula = Term::and_all(parts);
    }
}

/// Constants in indices of elements that are read from an array just written.
fn undecided(formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let (smt::Op::Select, &[array, index]) = (term.op(), term.args())
            && let (smt::Op::Store, &[_, place, _]) = (array.op(), array.args())
        {
            found.extend(index.constants());
            found.extend(place.constants());
        }
        open.extend(term.args());
    }
    found.retain(|constant| !matches!(constant.sort(), smt::Sort::Array(_)));
    found
}

/// A formula without inputs that implies another for all their values.
fn for_all(facts: &mut Facts, formula: Term, inputs: &[Term]) -> Result<Term, SolverError> {
    let mut parts = Vec::new();
    for part in formula.conjuncts() {
        let mentions = |term: &Term| term.constants().iter().any(|constant| inputs.contains(constant));
        if !mentions(&part) {
            parts.push(part);
            continue;
        }
        let (choosing, rest): (Vec<Term>, Vec<Term>) = part.disjuncts().into_iter().partition(mentions);
        if !facts.implies(&[], Term::or_all(choosing))? {
            parts.push(Term::or_all(rest));
        }
    }
    Ok(Term::and_all(parts))
}

/// How much Spacer may do for one path.
const WORK: u32 = 300_000;

/// Formulas by sequence interpolants.
fn interpolants(
    path: &Path<'_>,
    claim: Term,
    choice: &SolverChoice,
    config: &Config,
) -> Result<Explained, SolverError> {
    let mut versions = Versions::default();
    let mut parts = vec![versions.read(Term::and_all(path.label.iter().copied()))];
    let mut names = Vec::new();
    for (number, transition) in path.transitions.iter().enumerate() {
        names.push(versions.names());
        parts.push(versions.step(transition, number));
    }
    names.push(versions.names());
    parts.push(versions.read(claim).not());
    let options = Options { solver: choice.clone(), config: config.clone(), spacer_work: WORK };
    match sequence_interpolants(&parts, &options)? {
        Outcome::Interpolants(found, _) => {
            let named = found.into_iter().zip(names).map(|(formula, names)| formula.substitute(&names));
            // The first one is about the beginning.
            Ok(Explained::Holds(named.skip(1).collect()))
        }
        Outcome::Satisfiable(model) => Ok(Explained::Fails(Box::new(model))),
        Outcome::Unknown(_) => Ok(Explained::Unknown),
    }
}

/// Constants by version.
#[derive(Default)]
struct Versions {
    current: FxHashMap<Term, Term>,
    count: usize,
}

impl Versions {
    fn read(&mut self, term: Term) -> Term {
        for constant in term.constants() {
            self.current.entry(constant).or_insert(constant);
        }
        term.substitute(&self.current)
    }

    fn names(&self) -> FxHashMap<Term, Term> {
        self.current.iter().map(|(constant, version)| (*version, *constant)).collect()
    }

    fn step(&mut self, transition: &Transition, number: usize) -> Term {
        let choices: FxHashMap<Term, Term> =
            transition.inputs.iter().map(|&input| (input, chosen(input, number))).collect();
        let mut read = |term: Term| self.read(term.substitute(&choices));
        let mut parts = vec![read(transition.guard)];
        let values: Vec<(Term, Term)> =
            transition.assign.iter().map(|(slot, value)| (*slot, read(*value))).collect();
        for choice in choices.values() {
            self.current.remove(choice);
        }
        for (slot, value) in values {
            self.count += 1;
            let name = slot.as_constant().map_or("", Symbol::as_str);
            let version = Term::constant(Symbol::new(&format!("{name}!{}", self.count)), slot.sort());
            self.current.insert(slot, version);
            parts.push(version.equals(value));
        }
        Term::and_all(parts)
    }
}
