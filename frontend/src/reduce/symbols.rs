//! Which variable a constant of a term stands for: the active thread's view, or a passive thread's own copy.

use crate::program::{Program, Scope, VariableId};
use rustc_hash::FxHashMap;
use smt::Term;

/// What a constant of a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// A shared variable, or the active thread's local.
    Own(VariableId),
    /// A passive thread's local.
    Passive(VariableId),
}

impl Reading {
    /// The variable, whoever has it.
    pub(super) fn variable(self) -> VariableId {
        match self {
            Reading::Own(id) | Reading::Passive(id) => id,
        }
    }
}

/// The variables of a program as terms, and back.
pub(super) struct Symbols {
    own: Vec<Term>,
    /// For shared variables the same as `own`: there is but one copy.
    passive: Vec<Term>,
    readings: FxHashMap<Term, Reading>,
}

impl Symbols {
    /// Those of a program. They stay right as long as no variable is added, removed or renumbered.
    pub(super) fn new(program: &Program) -> Symbols {
        let own: Vec<Term> = program.variables.iter().map(|v| v.term()).collect();
        let passive = program.variables.iter().map(|v| match v.scope {
            Scope::Local => v.passive_term(),
            Scope::Shared => v.term(),
        });
        let passive: Vec<Term> = passive.collect();
        let mut readings = FxHashMap::default();
        for (index, (&own, &copy)) in own.iter().zip(&passive).enumerate() {
            let id = VariableId(index as u32);
            readings.insert(copy, Reading::Passive(id));
            readings.insert(own, Reading::Own(id));
        }
        Symbols { own, passive, readings }
    }

    /// The variable as the active thread sees it.
    pub(super) fn own(&self, id: VariableId) -> Term {
        self.own[id.index()]
    }

    /// A passive thread's copy.
    pub(super) fn passive(&self, id: VariableId) -> Term {
        self.passive[id.index()]
    }

    /// What the constant stands for; nothing if it is an input.
    pub(super) fn reading(&self, constant: Term) -> Option<Reading> {
        self.readings.get(&constant).copied()
    }

    /// The variable that the term is, as the active thread sees it.
    pub(super) fn own_reading(&self, term: Term) -> Option<VariableId> {
        match self.reading(term) {
            Some(Reading::Own(id)) => Some(id),
            _ => None,
        }
    }

    /// All variables and copies that occur in the term; inputs are left out.
    pub(super) fn readings(&self, term: Term) -> impl Iterator<Item = Reading> {
        term.constants().into_iter().filter_map(|constant| self.reading(constant))
    }

    /// The shared variables and active thread's locals in the term.
    pub(super) fn reads(&self, term: Term) -> impl Iterator<Item = VariableId> {
        self.readings(term).filter_map(|reading| match reading {
            Reading::Own(id) => Some(id),
            Reading::Passive(_) => None,
        })
    }
}
