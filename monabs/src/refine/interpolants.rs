//! Interpolants along an infeasible path: facts between its steps that lead from the start to the contradiction.
//!
//! The path is a chain of formulas, one for each step, over numbered versions of the variables; a new version is made when a step writes the
//! variable. What an interpolant says is over the versions that are current at its place, so it is a fact about the threads there, and
//! its atoms are candidates like those of weakest preconditions.

use super::atoms::atoms;
use super::wp::local_of;
use crate::limits::Stop;
use crate::path::Path;
use crate::scope::Setting;
use frontend::program::VariableId;
use rustc_hash::FxHashMap;
use smt::interpolate::{Options, Outcome, sequence_interpolants};
use smt::{Config, SolverChoice, Substitution, Symbol, Term};
use std::time::Duration;

/// How much Spacer may do for one path.
const WORK: u32 = 300_000;
/// The time for one question about it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Atoms by position, as [`super::wp::preconditions`] gives them; empty if no interpolants were found.
pub fn interpolants(
    setting: &Setting<'_>,
    path: &Path,
    steps: usize,
    solver: &SolverChoice,
    config: &Config,
) -> Result<Vec<Vec<Term>>, Stop> {
    let mut chain = Chain::new(setting, path.threads);
    for (number, &(thread, edge)) in path.steps[..steps].iter().enumerate() {
        chain.step(number, thread, edge);
    }
    let config = Config { time_limit: Some(PATIENCE), ..config.clone() };
    let options = Options { solver: solver.clone(), config, spacer_work: WORK };
    let found = match sequence_interpolants(&chain.parts, &options) {
        Ok(Outcome::Interpolants(found, _)) => found,
        Ok(_) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let mut positions = Vec::new();
    for (formula, names) in found.into_iter().zip(chain.names) {
        let mut own = Vec::new();
        atoms(Substitution::new(names).apply(formula), &mut own);
        positions.push(own);
    }
    Ok(positions)
}

struct Chain<'c, 'a> {
    setting: &'c Setting<'a>,
    /// The version of each variable; locals by thread.
    shared: FxHashMap<VariableId, Term>,
    locals: Vec<FxHashMap<VariableId, Term>>,
    versions: usize,
    parts: Vec<Term>,
    /// After each part: what the versions are called in atoms.
    names: Vec<FxHashMap<Term, Term>>,
}

impl<'c, 'a> Chain<'c, 'a> {
    /// The chain of the initial states.
    fn new(setting: &'c Setting<'a>, threads: usize) -> Chain<'c, 'a> {
        let mut chain = Chain {
            setting,
            shared: FxHashMap::default(),
            locals: vec![FxHashMap::default(); threads],
            versions: 0,
            parts: Vec::new(),
            names: Vec::new(),
        };
        let mut known = Vec::new();
        for (index, declared) in setting.program.variables.iter().enumerate() {
            let variable = VariableId(index as u32);
            let copies: Vec<Option<usize>> =
                if setting.is_shared(variable) { vec![None] } else { (0..threads).map(Some).collect() };
            for thread in copies {
                let version = chain.fresh(variable);
                chain.set(variable, thread, version);
                known.extend(declared.init.as_ref().map(|value| version.equals(Term::value(value))));
            }
        }
        chain.finish(Term::and_all(known));
        chain
    }

    fn fresh(&mut self, variable: VariableId) -> Term {
        self.versions += 1;
        let declared = self.setting.program.variable(variable);
        let name = format!("{}!{}", declared.name, self.versions);
        Term::constant(Symbol::new(&name), declared.data_type.sort())
    }

    fn set(&mut self, variable: VariableId, thread: Option<usize>, version: Term) {
        match thread {
            None => self.shared.insert(variable, version),
            Some(thread) => self.locals[thread].insert(variable, version),
        };
    }

    fn finish(&mut self, part: Term) {
        self.parts.push(part);
        let program = self.setting.program;
        let mut names: FxHashMap<Term, Term> = self
            .shared
            .iter()
            .map(|(&variable, &version)| (version, program.variable(variable).term()))
            .collect();
        for (thread, locals) in self.locals.iter().enumerate() {
            let named = |(&variable, &version)| (version, local_of(self.setting, variable, thread));
            names.extend(locals.iter().map(named));
        }
        self.names.push(names);
    }

    fn reading(&self, thread: usize, passive: Option<usize>) -> FxHashMap<Term, Term> {
        let program = self.setting.program;
        let own = self.shared.iter().chain(&self.locals[thread]);
        let mut map: FxHashMap<Term, Term> =
            own.map(|(&variable, &version)| (program.variable(variable).term(), version)).collect();
        if let Some(passive) = passive {
            let other = self.locals[passive].iter();
            map.extend(
                other.map(|(&variable, &version)| (program.variable(variable).passive_term(), version)),
            );
        }
        map
    }

    fn step(&mut self, number: usize, thread: usize, edge: frontend::program::EdgeId) {
        let edge = self.setting.program.edge(edge);
        let input = |name: Symbol, sort, whose: usize| {
            Term::constant(Symbol::new(&format!("{name}!in.{number}.{whose}")), sort)
        };
        let inputs: Vec<(Term, Term)> = edge
            .inputs
            .iter()
            .map(|choice| (choice.term(), input(choice.name, choice.sort, thread)))
            .collect();
        let mut map = self.reading(thread, None);
        map.extend(inputs.iter().copied());
        let mut substitution = Substitution::new(map);
        let mut formulas = vec![substitution.apply(edge.guard)];
        let mut new: Vec<(VariableId, Option<usize>, Term)> = Vec::new();
        for (variable, term) in &edge.assign {
            let whose = (!self.setting.is_shared(*variable)).then_some(thread);
            new.push((*variable, whose, substitution.apply(*term)));
        }
        if !edge.broadcast.is_empty() {
            for other in (0..self.locals.len()).filter(|&other| other != thread) {
                let mut map = self.reading(thread, Some(other));
                map.extend(inputs.iter().copied());
                let own = edge.broadcast.inputs.iter();
                map.extend(own.map(|choice| (choice.term(), input(choice.name, choice.sort, other))));
                let mut substitution = Substitution::new(map);
                let values = edge.broadcast.assign.iter();
                new.extend(
                    values.map(|(variable, term)| (*variable, Some(other), substitution.apply(*term))),
                );
            }
        }
        for (variable, whose, value) in new {
            let version = self.fresh(variable);
            formulas.push(version.equals(value));
            self.set(variable, whose, version);
        }
        self.finish(Term::and_all(formulas));
    }
}
