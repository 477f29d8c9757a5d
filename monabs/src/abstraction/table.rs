//! Answers about one kind of step: given these bits, which values can those have? Each question is asked once.
//!
//! A table belongs to a formula ([`super::instance`]), not to a set of predicates: a new predicate that has nothing to do with an edge
//! leaves the edge's tables as they are. A context that is found impossible is generalised by the solver's core, so
//! that other contexts with the same contradiction need no question.

use super::instance::{Bit, Subject, constraints};
use crate::limits::Stop;
use crate::predicate::{PredicateId, Store};
use crate::scope::Setting;
use frontend::program::LocationId;
use rustc_hash::FxHashMap;
use smt::{Answer, Config, Solver, SolverChoice, Term, create};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a table is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The step.
    pub subject: Subject,
    /// With a passive thread: the inter-thread predicates that concern it.
    pub passive: Option<Vec<PredicateId>>,
    /// Bits that are given.
    pub given: Vec<Bit>,
    /// Bits that are asked for.
    pub asked: Vec<Bit>,
}

/// Values of the given bits, the first one lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Context(pub u128, pub u128);

impl Context {
    /// How many bits there can be.
    pub const CAPACITY: usize = 256;

    /// Sets a bit.
    pub fn set(&mut self, number: usize) {
        if number < 128 { self.0 |= 1 << number } else { self.1 |= 1 << (number - 128) }
    }

    fn get(self, number: usize) -> bool {
        (if number < 128 { self.0 >> number } else { self.1 >> (number - 128) }) & 1 == 1
    }

    fn agrees(self, mask: Context, value: Context) -> bool {
        self.0 & mask.0 == value.0 && self.1 & mask.1 == value.1
    }
}

/// Counts for the statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    /// Asked of the solver.
    pub solver: u64,
    /// Answered from memory.
    pub remembered: u64,
    /// Tables made.
    pub tables: u64,
}

/// The answers of one kind of step.
pub struct Table {
    given: Vec<Term>,
    asked: Vec<Term>,
    solver: Box<dyn Solver>,
    answers: FxHashMap<Context, Rc<[u128]>>,
    impossible: Vec<(Context, Context)>,
}

impl Table {
    /// An empty table. The passive thread's location only matters for what concerns it.
    pub fn new(
        setting: &Setting<'_>,
        store: &Store,
        key: &Key,
        passive: Option<LocationId>,
        solver: (&SolverChoice, &Config),
    ) -> Result<Table, Stop> {
        let bits: BTreeSet<Bit> = key.given.iter().chain(&key.asked).copied().collect();
        let mut own = create(solver.0, solver.1)?;
        for term in constraints(setting, store, key.subject, passive, &bits) {
            own.assert(term)?;
        }
        let terms = |bits: &[Bit]| bits.iter().map(|bit| bit.term()).collect();
        Ok(Table {
            given: terms(&key.given),
            asked: terms(&key.asked),
            solver: own,
            answers: FxHashMap::default(),
            impossible: Vec::new(),
        })
    }

    /// All values that the asked bits can have in the context, ascending; none if the context is impossible.
    pub fn values(&mut self, context: Context, questions: &mut Questions) -> Result<Rc<[u128]>, Stop> {
        if let Some(values) = self.answers.get(&context) {
            questions.remembered += 1;
            return Ok(values.clone());
        }
        let values: Rc<[u128]> =
            if self.impossible.iter().any(|&(mask, value)| context.agrees(mask, value)) {
                questions.remembered += 1;
                Rc::from([])
            } else {
                Rc::from(self.ask(context, questions)?)
            };
        self.answers.insert(context, values.clone());
        Ok(values)
    }

    fn ask(&mut self, context: Context, questions: &mut Questions) -> Result<Vec<u128>, Stop> {
        let literal = |(number, &bit): (usize, &Term)| if context.get(number) { bit } else { bit.not() };
        let literals: Vec<Term> = self.given.iter().enumerate().map(literal).collect();
        let mut values = Vec::new();
        self.solver.push()?;
        loop {
            questions.solver += 1;
            match self.solver.check_assuming(&literals)? {
                Answer::Sat => {}
                Answer::Unsat => break,
                Answer::Unknown(reason) => {
                    self.solver.pop()?;
                    return Err(Stop::Solver(reason));
                }
            }
            if self.asked.is_empty() {
                values.push(0);
                break;
            }
            let model = self.solver.model()?;
            let mut value = 0u128;
            let mut different = Vec::with_capacity(self.asked.len());
            for (number, &bit) in self.asked.iter().enumerate() {
                let truth = model.satisfies(bit).map_err(|error| Stop::Bug(error.to_string()))?;
                value |= u128::from(truth) << number;
                different.push(if truth { bit.not() } else { bit });
            }
            values.push(value);
            self.solver.assert(Term::or_all(different))?;
        }
        if values.is_empty() {
            let core = self.solver.unsat_core()?;
            let (mut mask, mut value) = (Context::default(), Context::default());
            for (number, literal) in literals.iter().enumerate() {
                if core.contains(literal) {
                    mask.set(number);
                    if context.get(number) {
                        value.set(number);
                    }
                }
            }
            self.impossible.push((mask, value));
        }
        self.solver.pop()?;
        values.sort_unstable();
        Ok(values)
    }
}
