//! Thread states that can occur, and the abstract transitions between them.
//!
//! A thread state is a shared state with the state of one thread. Starting from the initial ones, a thread state is added for each
//! step that its thread can make, and for each step that another thread with the same shared state can make beside
//! it. How many threads there are does not matter here; `breach` counts.

use super::plan::{Known, Plan};
use super::{Abstractor, Bits, Source};
use crate::limits::Stop;
use engine::limits::Limit;
use frontend::program::{EdgeId, LocationId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state of a thread: where it is, and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local {
    /// Where it is.
    pub location: LocationId,
    /// Its bits; those out of scope are zero.
    pub bits: Bits,
}

/// A step of an active thread, and what it does to passive ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The edge; none for the step that chooses an initial state.
    pub edge: EdgeId,
    /// Shared state and active thread before: numbers.
    pub from: (u32, u32),
    /// And after.
    pub to: (u32, u32),
    /// For passive threads in these states: what they can become; nothing means that they stand in the way.
    pub passive: Vec<(u32, Vec<u32>)>,
}

/// A possible beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// The shared state.
    pub shared: u32,
    /// The main thread.
    pub main: u32,
    /// Threads in the pool.
    pub pool: Vec<u32>,
}

/// A dual-reference program with explicit states.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// Shared states by number.
    pub shared: Vec<Bits>,
    /// Thread states by number.
    pub locals: Vec<Local>,
    /// All steps.
    pub transitions: Vec<Transition>,
    /// Where it begins.
    pub beginnings: Vec<Beginning>,
    /// Pairs of shared and thread state that may occur.
    pub occurring: FxHashSet<(u32, u32)>,
}

struct Explorer<'s, 'a> {
    source: Source<'s, 'a>,
    abstractor: &'s mut Abstractor,
    stop: &'s dyn Fn() -> bool,
    template: Template,
    shared_numbers: FxHashMap<Bits, u32>,
    local_numbers: FxHashMap<Local, u32>,
    /// By shared state: thread states that occur with it, and transitions from it.
    threads: Vec<Vec<u32>>,
    steps: Vec<Vec<usize>>,
    work: Vec<(u32, u32)>,
    active: FxHashMap<EdgeId, Plan>,
    passive: FxHashMap<(EdgeId, LocationId), Option<Plan>>,
    max_transitions: usize,
}

/// Everything that can occur with these predicates.
pub fn explore(
    source: Source<'_, '_>,
    abstractor: &mut Abstractor,
    stop: &dyn Fn() -> bool,
    max_transitions: usize,
) -> Result<Template, Stop> {
    if source.chosen.shared.len().max(source.chosen.thread.len()) > crate::predicate::Chosen::CAPACITY {
        return Err(Stop::TooManyPredicates(crate::predicate::Chosen::CAPACITY));
    }
    let explorer = Explorer {
        source,
        abstractor,
        stop,
        template: Template::default(),
        shared_numbers: FxHashMap::default(),
        local_numbers: FxHashMap::default(),
        threads: Vec::new(),
        steps: Vec::new(),
        work: Vec::new(),
        active: FxHashMap::default(),
        passive: FxHashMap::default(),
        max_transitions,
    };
    explorer.run()
}

impl Explorer<'_, '_> {
    fn run(mut self) -> Result<Template, Stop> {
        self.begin()?;
        let mut next = 0;
        while next < self.work.len() {
            if (self.stop)() {
                return Err(Stop::from(Limit::Interrupted));
            }
            // In rounds: all new thread states make their steps, then all new pairs of a step and a passive thread are looked at.
            let new: Vec<(u32, u32)> = self.work[next..].to_vec();
            next = self.work.len();
            self.ask_active(&new)?;
            let mut pairs = Vec::new();
            for (shared, local) in new {
                pairs.extend(self.steps[shared as usize].iter().map(|&step| (step, local)));
                self.threads[shared as usize].push(local);
                self.move_thread(shared, local, &mut pairs)?;
            }
            pairs.retain(|&(step, thread)| self.is_pair(step, thread));
            self.ask_passive(&pairs)?;
            for (number, (step, thread)) in pairs.into_iter().enumerate() {
                if number.is_multiple_of(4096) && (self.stop)() {
                    return Err(Stop::from(Limit::Interrupted));
                }
                self.accompany(step, thread)?;
            }
        }
        for transition in &mut self.template.transitions {
            transition.passive.sort_unstable();
        }
        Ok(self.template)
    }

    fn begin(&mut self) -> Result<(), Stop> {
        let program = self.source.setting.program;
        let (main_plan, pool_plan) = self.abstractor.start_plans(self.source)?;
        let values = self.abstractor.values(&main_plan, &Known::default())?;
        for &value in values.iter() {
            let (shared, active) = main_plan.after(0, 0, value);
            let mut pool = Vec::new();
            let shared_number = self.shared(shared);
            if let (Some(plan), Some(location)) = (&pool_plan, program.pool) {
                let known = Known { shared, active, ..Known::default() };
                for &value in self.abstractor.values(plan, &known)?.iter() {
                    let bits = plan.after(0, 0, value).1;
                    pool.push(self.local(Local { location, bits }));
                }
            }
            let main = self.local(Local { location: program.main, bits: active });
            self.occurs(shared_number, main);
            pool.iter().for_each(|&thread| self.occurs(shared_number, thread));
            self.template.beginnings.push(Beginning { shared: shared_number, main, pool });
        }
        Ok(())
    }

    fn shared(&mut self, bits: Bits) -> u32 {
        *self.shared_numbers.entry(bits).or_insert_with(|| {
            self.template.shared.push(bits);
            self.threads.push(Vec::new());
            self.steps.push(Vec::new());
            self.template.shared.len() as u32 - 1
        })
    }

    fn local(&mut self, local: Local) -> u32 {
        *self.local_numbers.entry(local).or_insert_with(|| {
            self.template.locals.push(local);
            self.template.locals.len() as u32 - 1
        })
    }

    fn occurs(&mut self, shared: u32, local: u32) {
        if self.template.occurring.insert((shared, local)) {
            self.work.push((shared, local));
        }
    }

    /// Asks for all steps of threads at once.
    fn ask_active(&mut self, new: &[(u32, u32)]) -> Result<(), Stop> {
        let mut asked = Vec::new();
        for &(shared, local) in new {
            let Local { location, bits } = self.template.locals[local as usize];
            if self.source.setting.is_error(location) {
                continue;
            }
            for &edge in &self.source.setting.edges_from[location.index()] {
                if !self.active.contains_key(&edge) {
                    let plan = self.abstractor.active_plan(self.source, edge)?;
                    self.active.insert(edge, plan);
                }
                let known =
                    Known { shared: self.template.shared[shared as usize], active: bits, ..Known::default() };
                asked.push((edge, known));
            }
        }
        self.abstractor.prefetch(asked.iter().map(|(edge, known)| (&self.active[edge], *known)))
    }

    /// Whether a step can do anything to a thread, or the thread can be in its way.
    fn is_pair(&self, step: usize, thread: u32) -> bool {
        let after = self.template.locals[self.template.transitions[step].to.1 as usize].location;
        let location = self.template.locals[thread as usize].location;
        // Nothing matters after an error.
        !self.source.setting.is_error(location) && !self.source.setting.is_error(after)
    }

    /// Asks for what steps do to passive threads, all at once.
    fn ask_passive(&mut self, pairs: &[(usize, u32)]) -> Result<(), Stop> {
        for &(step, thread) in pairs {
            let key = (self.template.transitions[step].edge, self.template.locals[thread as usize].location);
            if !self.passive.contains_key(&key) {
                let plan = self.abstractor.passive_plan(self.source, key.0, key.1)?;
                self.passive.insert(key, plan);
            }
        }
        let asked = pairs.iter().filter_map(|&(step, thread)| {
            let key = (self.template.transitions[step].edge, self.template.locals[thread as usize].location);
            Some((self.passive[&key].as_ref()?, known(&self.template, step, thread)))
        });
        self.abstractor.prefetch(asked)
    }

    /// All steps of a thread; what they do to passive ones is left to do.
    fn move_thread(&mut self, shared: u32, local: u32, pairs: &mut Vec<(usize, u32)>) -> Result<(), Stop> {
        let Local { location, bits } = self.template.locals[local as usize];
        if self.source.setting.is_error(location) {
            return Ok(());
        }
        for edge in self.source.setting.edges_from[location.index()].clone() {
            let plan = &self.active[&edge];
            let before = self.template.shared[shared as usize];
            let known = Known { shared: before, active: bits, ..Known::default() };
            let to = self.source.setting.program.edge(edge).to;
            let values = self.abstractor.values(plan, &known)?;
            let after: Vec<(Bits, Bits)> =
                values.iter().map(|&value| plan.after(before, bits, value)).collect();
            for (shared_after, bits_after) in after {
                let after = Local { location: to, bits: bits_after };
                let step = self.add_transition(edge, (shared, local), shared_after, after)?;
                pairs.extend(self.threads[shared as usize].iter().map(|&thread| (step, thread)));
            }
        }
        Ok(())
    }

    fn add_transition(
        &mut self,
        edge: EdgeId,
        from: (u32, u32),
        shared: Bits,
        local: Local,
    ) -> Result<usize, Stop> {
        let to = (self.shared(shared), self.local(local));
        self.occurs(to.0, to.1);
        let number = self.template.transitions.len();
        if number >= self.max_transitions {
            return Err(Stop::TooLarge(self.max_transitions));
        }
        self.template.transitions.push(Transition { edge, from, to, passive: Vec::new() });
        self.steps[from.0 as usize].push(number);
        Ok(number)
    }

    /// What a step does to a passive thread.
    fn accompany(&mut self, step: usize, thread: u32) -> Result<(), Stop> {
        let Transition { edge, to, .. } = self.template.transitions[step];
        let Local { location, bits } = self.template.locals[thread as usize];
        let Some(plan) = &self.passive[&(edge, location)] else {
            self.occurs(to.0, thread);
            return Ok(());
        };
        let known = known(&self.template, step, thread);
        let values = self.abstractor.values(plan, &known)?;
        let after: Vec<Bits> = values.iter().map(|&value| plan.after(0, bits, value).1).collect();
        let after: Vec<u32> = after.into_iter().map(|bits| self.local(Local { location, bits })).collect();
        for &thread in &after {
            self.occurs(to.0, thread);
        }
        if after != [thread] {
            self.template.transitions[step].passive.push((thread, after));
        }
        Ok(())
    }
}

/// What is known about a step beside a passive thread.
fn known(template: &Template, step: usize, thread: u32) -> Known {
    let Transition { from, to, .. } = template.transitions[step];
    Known {
        shared: template.shared[from.0 as usize],
        active: template.locals[from.1 as usize].bits,
        passive: template.locals[thread as usize].bits,
        shared_after: template.shared[to.0 as usize],
        active_after: template.locals[to.1 as usize].bits,
    }
}
