//! What edges do that are taken one after the other, as one parallel assignment.

use super::{System, input, open_value};
use frontend::program::{EdgeId, Scope, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};

/// Steps of edges, one after the other, as one.
pub(super) struct Effect<'s, 'a> {
    system: &'s System<'a>,
    pub(super) values: FxHashMap<Term, Term>,
    pub(super) guards: Vec<Term>,
    pub(super) inputs: Vec<Term>,
}

impl<'s, 'a> Effect<'s, 'a> {
    /// Nothing is done yet.
    pub(super) fn new(system: &'s System<'a>) -> Self {
        Effect { system, values: FxHashMap::default(), guards: Vec::new(), inputs: Vec::new() }
    }

    fn value(&self, variable: VariableId, thread: usize) -> Term {
        let slot = self.system.slot(variable, thread);
        self.values.get(&slot).copied().unwrap_or(slot)
    }

    /// What the constants of some terms stand for.
    fn reading(&self, terms: &[Term], thread: usize, passive: Option<usize>) -> FxHashMap<Term, Term> {
        let mut map = FxHashMap::default();
        for constant in smt::traverse::constants(terms.iter().copied()) {
            let Some(name) = constant.as_constant() else { continue };
            if let Some(&variable) = self.system.names.get(&name) {
                map.insert(constant, self.value(variable, thread));
            } else if let (Some(other), Some(&variable)) = (passive, self.system.passive.get(&name)) {
                map.insert(constant, self.value(variable, other));
            }
        }
        map
    }

    /// An edge is taken; `threads` hear its broadcast.
    pub(super) fn take(&mut self, edge: EdgeId, number: usize, thread: usize, threads: usize) {
        let edge = self.system.program.edge(edge);
        let chosen: Vec<(Term, Term)> =
            edge.inputs.iter().map(|choice| (choice.term(), input(number, choice, None))).collect();
        self.inputs.extend(chosen.iter().map(|(_, value)| *value));
        let terms: Vec<Term> = edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]).collect();
        let mut map = self.reading(&terms, thread, None);
        map.extend(chosen.iter().copied());
        self.guards.push(edge.guard.substitute(&map));
        let mut new: Vec<(Term, Term)> = Vec::new();
        for (variable, term) in &edge.assign {
            new.push((self.system.slot(*variable, thread), term.substitute(&map)));
        }
        let terms: Vec<Term> = edge.broadcast.assign.iter().map(|(_, term)| *term).collect();
        for other in (0..threads).filter(|&other| other != thread && !terms.is_empty()) {
            let own = edge.broadcast.inputs.iter();
            let own: Vec<(Term, Term)> =
                own.map(|choice| (choice.term(), input(number, choice, Some(other)))).collect();
            self.inputs.extend(own.iter().map(|(_, value)| *value));
            let mut map = self.reading(&terms, thread, Some(other));
            map.extend(chosen.iter().chain(&own).copied());
            for (variable, term) in &edge.broadcast.assign {
                new.push((self.system.slot(*variable, other), term.substitute(&map)));
            }
        }
        self.values.extend(new);
    }

    /// A thread has its first values.
    pub(super) fn begin(&mut self, thread: usize) {
        let program = self.system.program;
        for (index, variable) in program.variables.iter().enumerate() {
            if variable.scope == Scope::Shared {
                continue;
            }
            let id = VariableId(index as u32);
            let value = match &variable.init {
                Some(value) => Term::value(value),
                None => {
                    let open = open_value(program, id, thread);
                    self.inputs.push(open);
                    open
                }
            };
            self.values.insert(self.system.slot(id, thread), value);
        }
    }

    /// Nobody starts by this edge. Where that depends on what the thread would choose or on its locals, nothing is demanded.
    pub(super) fn nobody(&mut self, start: EdgeId) {
        let edge = self.system.program.edge(start);
        let shared: FxHashSet<Symbol> = self
            .system
            .program
            .variables
            .iter()
            .filter(|variable| variable.scope == Scope::Shared)
            .map(|variable| variable.name)
            .collect();
        let constants = edge.guard.constants();
        if constants.iter().filter_map(|constant| constant.as_constant()).all(|name| shared.contains(&name)) {
            let map = self.reading(&[edge.guard], 0, None);
            self.guards.push(edge.guard.substitute(&map).not());
        }
    }
}
