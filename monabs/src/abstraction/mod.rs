//! From a program and predicates to a system that `breach` checks: sections 3.1 to 3.3 of the thesis.
//!
//! - [`instance`]: one step as a formula over bits, with witnesses for the threads that nobody looks at.
//! - [`table`]: questions about such formulas, each asked once.
//! - [`plan`]: which bits a step can change, and which bits that depends on.
//! - [`confirm`]: which steps of an abstract run the exact template does not have.
//! - [`explore`]: thread states that can occur, and the transitions between them.
//! - [`system`]: the monotone closure, as an EMDR program with what its numbers mean.

pub mod confirm;
pub mod explore;
pub mod instance;
pub mod plan;
pub mod system;
pub mod table;

use crate::limits::Stop;
use crate::predicate::{Chosen, Store};
use crate::scope::Setting;
use frontend::program::LocationId;
use plan::Plan;
use rustc_hash::FxHashMap;
use smt::{Config, SolverChoice};
use std::rc::Rc;
use table::{Key, Method, Questions, Table};

/// Values of predicates; the bit of a predicate is its position in [`Chosen`]; those out of scope are zero.
pub type Bits = u128;

/// Answers questions about steps, and remembers them from one set of predicates to the next.
pub struct Abstractor {
    tables: Vec<Table>,
    numbers: FxHashMap<Key, usize>,
    solver: SolverChoice,
    config: Config,
    method: Method,
    /// What was asked.
    pub questions: Questions,
}

impl Abstractor {
    /// One that knows nothing yet.
    pub fn new(solver: SolverChoice, config: Config, method: Method) -> Abstractor {
        Abstractor {
            tables: Vec::new(),
            numbers: FxHashMap::default(),
            solver,
            config,
            method,
            questions: Questions::default(),
        }
    }

    /// The number of a table, old or new.
    fn table(
        &mut self,
        setting: &Setting<'_>,
        store: &Store,
        key: Key,
        passive: Option<LocationId>,
    ) -> Result<usize, Stop> {
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let table = Table::new(setting, store, &key, passive, (&self.solver, &self.config), self.method)?;
        self.questions.tables += 1;
        self.tables.push(table);
        self.numbers.insert(key, self.tables.len() - 1);
        Ok(self.tables.len() - 1)
    }

    /// What the bits that a plan asks for can be.
    fn values(&mut self, plan: &Plan, states: &plan::Known) -> Result<Rc<[u128]>, Stop> {
        let context = plan.context(states);
        self.tables[plan.table].values(context, &mut self.questions)
    }

    /// Whether the bits that a plan asks for can really become what they are in these states.
    fn confirm(&mut self, plan: &Plan, states: &plan::Known, after: (Bits, Bits)) -> Result<bool, Stop> {
        let value = plan.value(after.0, after.1);
        self.tables[plan.table].confirm(plan.context(states), value, &mut self.questions)
    }
}

/// What an abstraction is made from.
#[derive(Clone, Copy)]
pub struct Source<'s, 'a> {
    /// The program.
    pub setting: &'s Setting<'a>,
    /// All predicates.
    pub store: &'s Store,
    /// Those in use.
    pub chosen: &'s Chosen,
}
