//! The abstraction that `monabs` computes, step by step compared with what trying all values gives.
//!
//! `monabs` lists thread states that can occur, and steps between them. So for each shared and thread state that occurs, the steps along each
//! edge must be those of [`Brute`]; and for each such step and each other thread state that occurs with the same shared state, what a
//! passive thread becomes must be the same, too. What is not listed for a passive thread means that it stays as it is. After an
//! error nothing is said about passive threads.

use super::brute::{Bits, Brute};
use frontend::program::{EdgeId, Program, Target};
use monabs::abstraction::explore::{Template, explore};
use monabs::abstraction::table::Method;
use monabs::abstraction::{Abstractor, Source};
use monabs::predicate::{Chosen, Store};
use monabs::scope::{Extent, Setting};
use smt::{Config, SolverChoice, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Pairs of a shared and a thread state that occur.
    pub states: usize,
    /// Steps of active threads.
    pub steps: usize,
    /// Steps as passive threads see them.
    pub passive: usize,
    /// Those of them that change the passive thread.
    pub changes: usize,
    /// Those of them in which the passive thread stands in the way.
    pub blocked: usize,
}

/// Why two abstractions are not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Too large to try all values.
    TooLarge,
    /// No answer.
    Failed(String),
    /// A step is missing: verdicts can be wrong.
    Missing(String),
    /// There is a step too much: the abstraction is coarser than it should be.
    Extra(String),
}

/// The template of a program with predicates, in the order of their bits: shared ones, those of threads.
pub fn template(
    program: &Program,
    predicates: &[Term],
    method: Method,
) -> Result<(Template, Vec<Term>, Vec<Term>), String> {
    let setting = Setting::new(program);
    let (mut store, mut chosen) = (Store::default(), Chosen::default());
    for &predicate in predicates {
        if let Some(id) = store.add(&setting, predicate, Extent::Live) {
            chosen.insert(&store, id);
        }
    }
    let mut abstractor = Abstractor::new(&SolverChoice::default(), &Config::default(), method, 2);
    let source = Source { setting: &setting, store: &store, chosen: &chosen };
    let template = explore(source, &mut abstractor, &|| false, 100_000).map_err(|stop| stop.to_string())?;
    let terms = |ids: &[monabs::predicate::PredicateId]| ids.iter().map(|&id| store.get(id).term).collect();
    Ok((template, terms(&chosen.shared), terms(&chosen.thread)))
}

/// Compares all steps of a program. A missing step is found even if there are others too much.
pub fn compare(
    program: &Program,
    predicates: &[Term],
    method: Method,
    limit: usize,
) -> Result<Compared, Mismatch> {
    let (template, shared, thread) = template(program, predicates, method).map_err(Mismatch::Failed)?;
    let brute = Brute::new(program, shared, thread, limit).ok_or(Mismatch::TooLarge)?;
    let compared = Compared::default();
    let mut comparison = Comparison { program, template: &template, brute: &brute, compared, extra: None };
    comparison.beginnings()?;
    comparison.states_and_steps()?;
    comparison.extra.map_or(Ok(comparison.compared), |text| Err(Mismatch::Extra(text)))
}

struct Comparison<'c, 'a> {
    program: &'a Program,
    template: &'c Template,
    brute: &'c Brute<'a>,
    compared: Compared,
    /// The first step too much.
    extra: Option<String>,
}

/// What passive threads with some bits become, by everything else in a step.
type Becomes = BTreeMap<([Bits; 3], [Bits; 2]), BTreeSet<Bits>>;

impl Comparison<'_, '_> {
    fn bits(&self, (shared, local): (u32, u32)) -> [Bits; 2] {
        [self.template.shared[shared as usize], self.template.locals[local as usize].bits]
    }

    fn same<T: Ord + std::fmt::Debug>(
        &mut self,
        found: &BTreeSet<T>,
        expected: &BTreeSet<T>,
        what: impl Fn() -> String,
    ) -> Result<(), Mismatch> {
        let text = || format!("{}: {found:?} instead of {expected:?}", what());
        if !expected.is_subset(found) {
            return Err(Mismatch::Missing(text()));
        }
        if found != expected {
            self.extra.get_or_insert_with(text);
        }
        Ok(())
    }

    fn beginnings(&mut self) -> Result<(), Mismatch> {
        let mut found: BTreeSet<[Bits; 3]> = BTreeSet::new();
        for beginning in &self.template.beginnings {
            let [shared, main] = self.bits((beginning.shared, beginning.main));
            if self.program.pool.is_none() {
                found.insert([shared, main, 0]);
            }
            let pool = beginning.pool.iter().map(|&local| self.template.locals[local as usize].bits);
            found.extend(pool.map(|bits| [shared, main, bits]));
        }
        // A start without threads in the pool is one with them as far as shared state and main thread are concerned.
        let expected = self.brute.initial(None);
        self.same(&found, &expected, || "start".to_owned())
    }

    fn states_and_steps(&mut self) -> Result<(), Mismatch> {
        let mut pairs: Vec<(u32, u32)> = self.template.occurring.iter().copied().collect();
        pairs.sort_unstable();
        self.compared.states = pairs.len();
        for number in 0..self.program.edges.len() as u32 {
            let edge = EdgeId(number);
            self.active_steps(edge, &pairs)?;
            self.passive_steps(edge, &pairs)?;
        }
        Ok(())
    }

    fn is_error(&self, local: u32) -> bool {
        let location = self.template.locals[local as usize].location;
        self.program.properties.iter().any(|property| property.target == Target::Location(location))
    }

    fn active_steps(&mut self, edge: EdgeId, pairs: &[(u32, u32)]) -> Result<(), Mismatch> {
        let from = self.program.edge(edge).from;
        let expected = self.brute.active(edge, None);
        for &pair in pairs {
            if self.template.locals[pair.1 as usize].location != from || self.is_error(pair.1) {
                continue;
            }
            let before = self.bits(pair);
            let expected: BTreeSet<[Bits; 2]> =
                expected.iter().filter(|step| step.0 == before).map(|step| step.1).collect();
            let steps =
                self.template.transitions.iter().filter(|step| step.edge == edge && step.from == pair);
            let found: BTreeSet<[Bits; 2]> = steps.map(|step| self.bits(step.to)).collect();
            self.compared.steps += found.len();
            self.same(&found, &expected, || format!("edge {}, {before:?} becomes", edge.0))?;
        }
        Ok(())
    }

    fn passive_steps(&mut self, edge: EdgeId, pairs: &[(u32, u32)]) -> Result<(), Mismatch> {
        if self.program.pool.is_none() {
            return Ok(());
        }
        let mut tables: BTreeMap<(Bits, Bits), Becomes> = BTreeMap::new();
        for step in self.template.transitions.iter().filter(|step| step.edge == edge) {
            if self.is_error(step.to.1) {
                continue;
            }
            for &(shared, passive) in pairs.iter().filter(|pair| pair.0 == step.from.0) {
                if self.is_error(passive) {
                    continue;
                }
                let location = self.template.locals[passive as usize].location;
                let table = tables.entry(self.brute.kind(location)).or_insert_with(|| {
                    let mut table = Becomes::new();
                    for step in self.brute.passive(edge, location, None) {
                        let [shared, active, passive] = step.after;
                        table.entry((step.before, [shared, active])).or_default().insert(passive);
                    }
                    table
                });
                let [_, own] = self.bits((shared, passive));
                let [shared_bits, active] = self.bits(step.from);
                let key = ([shared_bits, active, own], self.bits(step.to));
                let expected = table.get(&key).cloned().unwrap_or_default();
                let listed = step.passive.iter().find(|(thread, _)| *thread == passive);
                let found: BTreeSet<Bits> = match listed {
                    Some((_, after)) => {
                        after.iter().map(|&l| self.template.locals[l as usize].bits).collect()
                    }
                    None => BTreeSet::from([own]),
                };
                self.compared.passive += 1;
                self.compared.blocked += usize::from(found.is_empty());
                self.compared.changes += usize::from(found != BTreeSet::from([own]));
                self.same(&found, &expected, || {
                    format!("edge {}, beside {key:?} a passive thread in {} becomes", edge.0, location.0)
                })?;
            }
        }
        Ok(())
    }
}
