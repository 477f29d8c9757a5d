//! From a program and predicates to a system that `breach` checks: sections 3.1 to 3.3 of the thesis.
//!
//! - [`instance`]: one step as a formula over bits, with witnesses for the threads that nobody looks at.
//! - [`shift`]: the same formula where only differences of numbers matter.
//! - [`table`]: questions about such formulas.   `workers`: asked on several threads, each once.
//! - [`plan`]: which bits a step can change, and which bits that depends on.
//! - [`confirm`]: which steps of an abstract run the exact template does not have.
//! - [`explore`]: thread states that can occur, and the transitions between them.
//! - [`system`]: the monotone closure, as an EMDR program with what its numbers mean.

pub mod confirm;
pub mod explore;
pub mod instance;
pub mod plan;
pub mod shift;
pub mod system;
pub mod table;
mod workers;

use crate::limits::Stop;
use crate::predicate::{Chosen, Store};
use crate::scope::Setting;
use frontend::program::LocationId;
use plan::Plan;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Config, SolverChoice};
use std::rc::Rc;
use table::{Context, Formula, Key, Method, Questions};
use workers::{Reply, Workers};

/// Values of predicates; the bit of a predicate is its position in [`Chosen`]; those out of scope are zero.
pub type Bits = u128;

/// Answers questions about steps, and remembers them from one set of predicates to the next.
pub struct Abstractor {
    workers: Workers,
    numbers: FxHashMap<Key, usize>,
    /// By table: what is known.
    answers: Vec<FxHashMap<Context, Rc<[u128]>>>,
    /// What was asked.
    pub questions: Questions,
}

impl Abstractor {
    /// One that knows nothing yet, with so many threads to ask on.
    pub fn new(solver: &SolverChoice, config: &Config, method: Method, threads: usize) -> Abstractor {
        Abstractor {
            workers: Workers::new(threads, solver, config, method),
            numbers: FxHashMap::default(),
            answers: Vec::new(),
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
        let number = self.workers.create(Formula::new(setting, store, &key, passive))?;
        self.questions.tables += 1;
        self.answers.push(FxHashMap::default());
        self.numbers.insert(key, number);
        Ok(number)
    }

    /// Asks everything that is not known yet, at the same time.
    fn prefetch<'p>(&mut self, asked: impl Iterator<Item = (&'p Plan, plan::Known)>) -> Result<(), Stop> {
        let mut open = FxHashSet::default();
        for (plan, states) in asked {
            let context = plan.context(&states);
            if !self.answers[plan.table].contains_key(&context) && open.insert((plan.table, context)) {
                self.workers.ask_values(plan.table, context)?;
            }
        }
        // All answers are taken, also after one that is none, so that later ones are not mistaken for others.
        let mut failed = None;
        for _ in 0..open.len() {
            match self.workers.reply() {
                Ok((Reply::Values(table, context, values), questions)) => {
                    self.questions += questions;
                    self.answers[table].insert(context, Rc::from(values));
                }
                Ok((Reply::Confirmed(_), _)) => {
                    failed = Some(Stop::Bug("an answer to another question".into()))
                }
                Err(stop) => failed = Some(stop),
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// What the bits that a plan asks for can be.
    fn values(&mut self, plan: &Plan, states: &plan::Known) -> Result<Rc<[u128]>, Stop> {
        let context = plan.context(states);
        if let Some(values) = self.answers[plan.table].get(&context) {
            self.questions.remembered += 1;
            return Ok(values.clone());
        }
        self.prefetch(std::iter::once((plan, *states)))?;
        let values = self.answers[plan.table].get(&context);
        values.cloned().ok_or_else(|| Stop::Bug("a question without answer".into()))
    }

    /// Whether the bits that a plan asks for can really become what they are in these states.
    fn confirm(&mut self, plan: &Plan, states: &plan::Known, after: (Bits, Bits)) -> Result<bool, Stop> {
        let value = plan.value(after.0, after.1);
        self.workers.ask_confirmation(plan.table, plan.context(states), value)?;
        let (reply, questions) = self.workers.reply()?;
        self.questions += questions;
        match reply {
            Reply::Confirmed(None) => Ok(true),
            Reply::Confirmed(Some(part)) => {
                self.answers[plan.table].retain(|context, _| !part.matches(*context));
                Ok(false)
            }
            Reply::Values(..) => Err(Stop::Bug("an answer to another question".into())),
        }
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
