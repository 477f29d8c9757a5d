//! Terms over shared variables, and by how much each edge changes them.
//!
//! Observed are shared numbers, flags as numbers (that a thread is to be started), and the parts of numbers that the program takes out (the two halves of a word). The change along an edge is
//! a constant if the solver says so under the edge's guard: `x = x + 1`, but also `x = old + 1` after a test that `x` is `old`.

use frontend::program::{EdgeId, Program, Scope, Variable, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Config, Op, Solver, SolverChoice, Sort, Symbol, Term, create};
use std::collections::BTreeSet;
use std::time::Duration;

/// A term over one shared variable.
#[derive(Clone, Debug)]
pub struct Observable {
    /// The term.
    pub term: Term,
    /// Its variable.
    pub variable: VariableId,
    /// Its value at the start.
    pub initial: Term,
    /// By edge: the change; nothing if it depends on data.
    pub changes: Vec<Option<i128>>,
    /// By edge: whether the change is only what it would be if nobody else wrote the variable since the thread read it.
    guesses: Vec<bool>,
    /// What has to hold for the guesses to be right: that a local is what it was copied from.
    pub premises: Vec<Term>,
}

impl Observable {
    /// How many bits it has.
    pub fn width(&self) -> u32 {
        self.term.width()
    }

    /// Whether it is a flag as a number.
    pub fn is_flag(&self) -> bool {
        matches!(self.term.op(), Op::Ite)
    }

    /// The same flag as a number of another width, to be added to counters.
    fn resized(&self, width: u32) -> Observable {
        let resize = |term: Term| {
            term.args().first().map_or(term, |flag| flag.ite(Term::bv(width, 1), Term::bv(width, 0)))
        };
        let initial = self.initial.resize_unsigned(width);
        Observable { term: resize(self.term), initial, ..self.clone() }
    }

    /// Whether some changes are guessed.
    pub fn is_guessed(&self) -> bool {
        self.guesses.contains(&true)
    }

    /// Whether some change is known and not guessed: what nobody counts in one step is data.
    pub fn counts(&self) -> bool {
        let known = self.changes.iter().zip(&self.guesses);
        known.into_iter().any(|(change, guess)| !guess && change.is_some_and(|change| change != 0))
    }

    /// Whether all changes are known, or guessed.
    pub fn is_steady(&self) -> bool {
        self.changes.iter().all(Option::is_some)
    }
}

/// The width of the number for a flag alone: wider than any number of threads, so that equations are about numbers and not about remainders.
pub(super) const FLAG: u32 = 64;
/// Variables that more edges write are no counters.
const MAX_WRITES: usize = 60;
/// So many variables are looked at.
const MAX_VARIABLES: usize = 40;
/// The time for one question.
const PATIENCE: Duration = Duration::from_millis(200);

/// Everything that some edge changes by a constant.
pub fn observables(program: &Program, solver: &SolverChoice, config: &Config) -> Vec<Observable> {
    let Ok(mut solver) = create(solver, config) else { return Vec::new() };
    solver.set_time_limit(Some(PATIENCE));
    let (writes, parts, copies) = (writes(program), parts(program), copies(program));
    let mut found = Vec::new();
    let mut looked_at = 0;
    for (index, declared) in program.variables.iter().enumerate() {
        let id = VariableId(index as u32);
        let width = match declared.data_type.sort() {
            Sort::BitVec(width @ 2..=64) => width,
            Sort::Bool => FLAG,
            _ => continue,
        };
        let Some(initial) = declared.init.as_ref().map(Term::value) else { continue };
        let writes = &writes[index];
        if declared.scope != Scope::Shared || !may_count(program, id, writes) {
            continue;
        }
        looked_at += 1;
        if looked_at > MAX_VARIABLES {
            break;
        }
        let whole = declared.term();
        let parts = parts.get(&whole).into_iter().flatten().filter(|part| part.width() < width);
        let number =
            if whole.sort() == Sort::Bool { whole.ite(Term::bv(FLAG, 1), Term::bv(FLAG, 0)) } else { whole };
        for &term in [number].iter().chain(parts) {
            let start = term.substitute(&FxHashMap::from_iter([(whole, initial)]));
            let mut guesses = vec![false; program.edges.len()];
            let mut changes = vec![Some(0); program.edges.len()];
            let mut premises = Vec::new();
            for &(edge, new) in writes {
                let known = change(&mut *solver, program.edge(edge).guard, whole, new, term);
                changes[edge.index()] = known.or_else(|| {
                    let guess = change(&mut *solver, Term::tru(), whole, new.substitute(&copies), term)?;
                    guesses[edge.index()] = true;
                    let locals = new.constants().into_iter();
                    premises.extend(locals.filter_map(|local| Some(local.equals(*copies.get(&local)?))));
                    Some(guess)
                });
            }
            premises.dedup();
            let is_changed = changes.iter().any(|change| change.is_some_and(|change| change != 0));
            let observable = Observable { term, variable: id, initial: start, changes, guesses, premises };
            // A flag that is set without a test counts nothing.
            let is_known = !observable.is_flag() || (!observable.is_guessed() && observable.is_steady());
            if is_changed && is_known {
                found.push(observable);
            }
        }
    }
    let widths: BTreeSet<u32> = found.iter().filter(|one| !one.is_flag()).map(Observable::width).collect();
    let flags: Vec<Observable> = found.iter().filter(|one| one.is_flag()).cloned().collect();
    for width in widths.into_iter().filter(|width| *width != FLAG) {
        found.extend(flags.iter().map(|flag| flag.resized(width)));
    }
    // Flags first: they are what sums do with or without.
    found.sort_by_key(|one| !one.is_flag());
    found
}

/// Whether a variable may be a counter: it is not written too often, and a number is not only set to literals; a flag is tested whenever it is set.
fn may_count(program: &Program, id: VariableId, writes: &[(EdgeId, Term)]) -> bool {
    let flag = program.variable(id).term();
    let is_tested = |(edge, new): &(EdgeId, Term)| {
        let parts = program.edge(*edge).guard.conjuncts();
        new.as_bool().is_some() && (parts.contains(&flag) || parts.contains(&flag.not()))
    };
    (1..=MAX_WRITES).contains(&writes.len())
        && match flag.sort() {
            Sort::Bool => writes.iter().all(is_tested),
            _ => writes.iter().any(|(_, new)| new.as_value().is_none()),
        }
}

/// By variable: the edges that write it, and what.
fn writes(program: &Program) -> Vec<Vec<(EdgeId, Term)>> {
    let mut writes = vec![Vec::new(); program.variables.len()];
    for (index, edge) in program.edges.iter().enumerate() {
        edge.assign.iter().for_each(|(id, term)| writes[id.index()].push((EdgeId(index as u32), *term)));
    }
    writes
}

/// Locals that are only ever assigned one term over shared variables, with that term: what they are as long as nobody writes these.
fn copies(program: &Program) -> FxHashMap<Term, Term> {
    let mut copies: FxHashMap<VariableId, Option<Term>> = FxHashMap::default();
    let variables = program.variables.iter().filter(|variable| variable.scope == Scope::Shared);
    let names: FxHashSet<Term> = variables.map(Variable::term).collect();
    let shared = |term: Term| term.constants().iter().all(|constant| names.contains(constant));
    for edge in &program.edges {
        for (variable, term) in &edge.assign {
            if program.variable(*variable).scope == Scope::Local {
                let term = Some(*term).filter(|term| shared(*term));
                let known = copies.entry(*variable).or_insert(term);
                if *known != term {
                    *known = None;
                }
            }
        }
        edge.broadcast.assign.iter().for_each(|(variable, _)| {
            copies.insert(*variable, None);
        });
    }
    copies
        .into_iter()
        .filter_map(|(variable, term)| Some((program.variable(variable).term(), term?)))
        .collect()
}

/// Slices of variables that the program looks at.
fn parts(program: &Program) -> FxHashMap<Term, Vec<Term>> {
    let mut terms = FxHashSet::default();
    for edge in &program.edges {
        crate::refine::atoms::sub_terms(edge.guard, &mut terms);
        edge.assign.iter().for_each(|(_, term)| crate::refine::atoms::sub_terms(*term, &mut terms));
    }
    let mut parts: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    for term in terms {
        if let (Op::Extract { .. }, &[whole]) = (term.op(), term.args())
            && whole.as_constant().is_some()
            && term.width() > 1
        {
            parts.entry(whole).or_default().push(term);
        }
    }
    parts.values_mut().for_each(|list| list.sort_by(|one, two| one.cmp_structural(*two)));
    parts
}

/// By how much a step changes a term over a variable, if that is always the same.
fn change(solver: &mut dyn Solver, guard: Term, whole: Term, new: Term, term: Term) -> Option<i128> {
    let after = term.substitute(&FxHashMap::from_iter([(whole, new)]));
    let difference = after.bv_sub(term);
    if let Some(bits) = difference.as_bits() {
        return bits.to_i128();
    }
    // Only what a guard says about everything in it can make the difference constant.
    let tested: FxHashSet<Term> = guard.constants().into_iter().collect();
    if !difference.constants().iter().all(|constant| tested.contains(constant)) {
        return None;
    }
    solver.push().ok()?;
    let result = constant(solver, guard, difference);
    solver.pop().ok()?;
    result
}

fn constant(solver: &mut dyn Solver, guard: Term, difference: Term) -> Option<i128> {
    solver.assert(guard).ok()?;
    // A name for it, so that the model has a value.
    let name = Term::constant(Symbol::new("counting.change"), difference.sort());
    solver.assert(name.equals(difference)).ok()?;
    match solver.check().ok()? {
        // The step cannot be made.
        Answer::Unsat => return Some(0),
        Answer::Unknown(_) => return None,
        Answer::Sat => {}
    }
    let value = solver.model().ok()?.eval(name).ok()?;
    let value = Term::value(&value);
    solver.assert(name.distinct(value)).ok()?;
    match solver.check().ok()? {
        Answer::Unsat => value.as_bits()?.to_i128(),
        Answer::Sat | Answer::Unknown(_) => None,
    }
}
