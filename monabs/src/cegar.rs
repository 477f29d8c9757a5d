//! The loop of figure 26 of the thesis: abstract, close, check, simulate, refine.

use crate::abstraction::explore::explore;
use crate::abstraction::system::{Abstraction, close};
use crate::abstraction::{Abstractor, Source};
use crate::bound::{Bound, HYPOTHESIS};
use crate::certificate::certified;
use crate::limits::{Raise, Stop};
use crate::path::{Feasibility, Path, simulate};
use crate::predicate::{Chosen, PredicateId, Store};
use crate::refine::{Origin, Reach, Refiner};
use crate::scope::{Extent, Setting};
use crate::shorten::shorten;
use crate::verify::{Doing, Observer, Options, Outcome, Reason, Statistics};
use breach::limits::Limits as BreachLimits;
use breach::proof::Proof;
use breach::trace::{Role, Trace};
use certify::abstraction::Abstraction as Certified;
use engine::bug::Bug;
use engine::limits::Limit;
use frontend::program::infix::Infix;
use frontend::program::interpret::replay;
use frontend::program::trust::{self, Doubt};
use frontend::program::{Program, Run, Target};
use rustc_hash::FxHashSet;
use smt::{Config, Term};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use terminal::words::plural;

/// So many of the last predicates are told.
const RECENT: usize = 6;

/// How the loop ended.
pub(crate) enum Ended {
    /// No target is coverable.
    Safe(Proof),
    /// A real run.
    Unsafe(Bug),
    /// No answer.
    Unknown(Reason),
}

/// What a refinement found that looked at numbers of threads first.
enum Supposed {
    /// Predicates.
    Found(Vec<PredicateId>, Origin),
    /// None; where to look then.
    Nothing(Reach),
}

/// The loop.
pub(crate) struct Verifier<'v, 'a> {
    setting: Setting<'a>,
    store: Store,
    chosen: Chosen,
    abstractor: Abstractor,
    refiner: Refiner,
    options: &'v Options,
    /// Somebody else has an answer, or a limit is reached.
    over: &'v AtomicBool,
    breach_interrupt: Arc<AtomicBool>,
    config: Config,
    /// Properties that are still in question.
    wanted: Vec<bool>,
    /// Why some are not, if that is no good news.
    given_up: Option<Reason>,
    /// Paths that were refined before.
    seen: FxHashSet<Path>,
    statistics: Statistics,
    abstraction: Option<Abstraction>,
    bound: Bound<'a>,
    doing: Doing,
    /// What refinements found, the newest last.
    recent: Vec<Term>,
}

impl<'v, 'a> Verifier<'v, 'a> {
    pub(crate) fn new(
        setting: Setting<'a>,
        options: &'v Options,
        over: &'v AtomicBool,
        config: Config,
    ) -> Verifier<'v, 'a> {
        let program = setting.program;
        let bound = Bound::new(&setting, options.max_live_threads);
        let abstractor = Abstractor::new(&options.solver, &config, options.abstractor, options.threads);
        let refiner = Refiner::new(&setting, options.solver.clone(), config.clone());
        Verifier {
            setting,
            store: Store::default(),
            chosen: Chosen::default(),
            abstractor,
            refiner,
            options,
            over,
            breach_interrupt: Arc::new(AtomicBool::new(false)),
            config,
            wanted: vec![true; program.properties.len()],
            given_up: None,
            seen: FxHashSet::default(),
            statistics: Statistics::default(),
            abstraction: None,
            bound,
            doing: Doing::default(),
            recent: Vec::new(),
        }
    }

    /// What is known, whatever happened.
    pub(crate) fn report(mut self, outcome: &mut Outcome) {
        let search_time = outcome.statistics.search_time;
        outcome.statistics =
            Statistics { search_time, questions: self.abstractor.questions, ..self.statistics };
        let described = |id| (self.store.get(id).class, self.store.get(id).term);
        outcome.predicates = self.chosen.iter().map(described).collect();
        outcome.doing = self.doing;
        outcome.recent = self.recent.split_off(self.recent.len().saturating_sub(RECENT));
        outcome.live_threads = self.bound.assumed();
        let counts = self.setting.counting.counts.iter();
        let name = |variable| self.setting.program.variable(variable).name;
        outcome.counts = counts.map(|count| (name(count.variable), count.locations.clone())).collect();
        outcome.abstraction = self.abstraction;
        outcome.chosen = self.chosen;
        outcome.store = self.store;
    }

    /// The certificate of a proof.
    pub(crate) fn certified(&self, original: &Program, proof: &Proof) -> Option<Certified> {
        let abstraction = self.abstraction.as_ref()?;
        Some(certified(original, &self.setting, (&self.store, &self.chosen), abstraction, proof))
    }

    pub(crate) fn run(&mut self, observer: &mut dyn Observer) -> Result<Ended, Stop> {
        self.initial_predicates();
        loop {
            self.check_limits()?;
            if self.statistics.iterations >= self.options.iterations {
                return Ok(Ended::Unknown(Reason::Iterations(self.options.iterations)));
            }
            self.statistics.iterations += 1;
            let iteration = self.statistics.iterations;
            observer.round(iteration, &self.statistics, &self.store, &self.chosen);
            let abstraction = self.abstract_program()?;
            observer.abstraction(iteration, &abstraction, &self.store, &self.chosen);
            let checked = self.check(&abstraction)?;
            let trace = match checked {
                Checked::Uncoverable(proof) => {
                    self.abstraction = Some(abstraction);
                    if let Some(reason) = self.given_up.take() {
                        return Ok(Ended::Unknown(reason));
                    }
                    match self.without_bound(proof)? {
                        Some(proof) => return Ok(Ended::Safe(proof)),
                        None => continue,
                    }
                }
                Checked::Coverable(trace) => shorten(&abstraction.problem, &trace).unwrap_or(trace),
            };
            observer.run(iteration, &abstraction, &self.store, &self.chosen, &trace);
            let (path, property) = self.path(&abstraction, &trace)?;
            self.abstraction = Some(abstraction);
            let started = Instant::now();
            for (thread, edge) in &path.steps {
                log::debug!("thread {thread} takes edge {}", edge.0);
            }
            self.doing = Doing::Simulating;
            let feasibility = simulate(&self.setting, &path, &self.options.solver, &self.config);
            self.statistics.simulate_time += started.elapsed();
            match feasibility? {
                Feasibility::Real(run) => {
                    observer.path(iteration, &path, None);
                    if let Some(bug) = self.judge(run, property)? {
                        return Ok(Ended::Unsafe(bug));
                    }
                }
                Feasibility::Infeasible(steps) => {
                    observer.path(iteration, &path, Some(steps));
                    if self.refine_transitions(&trace)? {
                        continue;
                    }
                    let steps = steps.min(path.steps.len());
                    if !self.refine(observer, &path, steps)? && !self.look_closer() {
                        return Ok(Ended::Unknown(Reason::NoPredicates));
                    }
                }
                // Perhaps there are predicates that exclude it all the same.
                Feasibility::Open(reason) => {
                    let steps = path.steps.len();
                    observer.path(iteration, &path, Some(steps));
                    if !self.refine_transitions(&trace)? && !self.refine(observer, &path, steps)? {
                        return Err(Stop::Solver(reason));
                    }
                }
            }
        }
    }

    /// A proof under a bound on the threads alive at once: one without it, if the same predicates do without; the same if the bound is the
    /// user's; nothing if it was only supposed, and the loop has to go on without it.
    fn without_bound(&mut self, proof: Proof) -> Result<Option<Proof>, Stop> {
        if !self.setting.counting.is_bounded() {
            return Ok(Some(proof));
        }
        let bounded = self.setting.counting.clone();
        self.setting.counting = bounded.bounded(None);
        self.forget_answers();
        let abstraction = self.abstract_program()?;
        if let Checked::Uncoverable(proof) = self.check(&abstraction)? {
            self.abstraction = Some(abstraction);
            return Ok(Some(proof));
        }
        if self.bound.is_users() {
            self.setting.counting = bounded;
            self.bound.used();
            return Ok(Some(proof));
        }
        log::info!("safe if at most {} threads are alive at once", HYPOTHESIS);
        self.bound.refuted(self.options.limits.elapsed());
        Ok(None)
    }

    /// What was asked under other assumptions is not known any more.
    fn forget_answers(&mut self) {
        let options = self.options;
        self.abstractor = Abstractor::new(&options.solver, &self.config, options.abstractor, options.threads);
    }

    /// What there is to say without an answer: that a bound on the threads would give one.
    pub(crate) fn without_answer(&self, result: Result<Ended, Stop>) -> Result<Ended, Stop> {
        match result {
            Err(Stop::Bug(message)) => Err(Stop::Bug(message)),
            Err(_) | Ok(Ended::Unknown(Reason::NoPredicates | Reason::Iterations(_)))
                if self.bound.is_refuted() =>
            {
                Ok(Ended::Unknown(Reason::LiveThreads(HYPOTHESIS)))
            }
            result => result,
        }
    }

    fn check_limits(&self) -> Result<(), Stop> {
        self.options.limits.check()?;
        if self.bound.is_over(self.options.limits.elapsed()) {
            return Err(Stop::from(Limit::Time));
        }
        if self.over.load(Ordering::Relaxed) { Err(Stop::from(Limit::Interrupted)) } else { Ok(()) }
    }

    /// Predicates of the user, and what the properties themselves say.
    fn initial_predicates(&mut self) {
        let mut found: Vec<_> = self.options.predicates.clone();
        found.extend(self.setting.program.predicates.iter().map(|predicate| predicate.term));
        for edge in &self.setting.program.edges {
            if self.setting.is_error(edge.to) {
                crate::refine::atoms::atoms(edge.guard, &mut found);
            }
        }
        for term in found {
            if let Some(id) = self.store.add(&self.setting, term, Extent::Live) {
                self.chosen.insert(&self.store, id);
            }
        }
    }

    fn abstract_program(&mut self) -> Result<Abstraction, Stop> {
        self.doing = Doing::Abstracting;
        let started = Instant::now();
        let source = Source { setting: &self.setting, store: &self.store, chosen: &self.chosen };
        let stop = || self.options.limits.check().is_err() || self.over.load(Ordering::Relaxed);
        let template = explore(source, &mut self.abstractor, &stop, self.options.max_transitions);
        self.statistics.abstract_time += started.elapsed();
        let abstraction = close(&self.setting, template?, &self.wanted);
        self.statistics.shared_states = abstraction.template.shared.len();
        self.statistics.local_states = abstraction.template.locals.len();
        self.statistics.transitions = abstraction.edges.len();
        let transitions = &abstraction.template.transitions;
        let (mut passive, mut closed) = (0, 0);
        for transition in transitions {
            passive += usize::from(!transition.passive.is_empty());
            closed += usize::from(transition.passive.iter().any(|(_, after)| after.is_empty()));
        }
        (self.statistics.passive_transitions, self.statistics.closed_transitions) = (passive, closed);
        log::info!(
            "iteration {}: {}, {} shared and {} local states, {} in {:.2} s; {}",
            self.statistics.iterations,
            plural(self.chosen.len(), "predicate"),
            self.statistics.shared_states,
            self.statistics.local_states,
            plural(self.statistics.transitions, "transition"),
            started.elapsed().as_secs_f64(),
            self.abstractor.questions,
        );
        Ok(abstraction)
    }

    fn check(&mut self, abstraction: &Abstraction) -> Result<Checked, Stop> {
        self.doing = Doing::Checking;
        let started = Instant::now();
        let limits = BreachLimits {
            timeout: self.options.limits.left(),
            memory: self.options.limits.memory,
            interrupt: Some(self.breach_interrupt.clone()),
        };
        let options = breach::Options { proof: true, limits, ..breach::Options::default() };
        // The flag of breach is its own; someone has to pass on that everything is over.
        let done = AtomicBool::new(false);
        let outcome = std::thread::scope(|scope| {
            let _ended = Raise(&done);
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    if self.over.load(Ordering::Relaxed) {
                        self.breach_interrupt.store(true, Ordering::Relaxed);
                    }
                    std::thread::park_timeout(Duration::from_millis(5));
                }
            });
            breach::check_coverability(&abstraction.problem, &options)
        });
        self.statistics.check_time += started.elapsed();
        log::debug!("checked in {:?}", started.elapsed());
        match outcome.map_err(|error| Stop::Bug(error.to_string()))?.verdict {
            breach::Verdict::Coverable(trace) => Ok(Checked::Coverable(trace)),
            breach::Verdict::Unknown(reason) => Err(reason.into()),
            breach::Verdict::Uncoverable(None) => Err(Stop::Bug("an answer without proof".into())),
            breach::Verdict::Uncoverable(Some(proof)) => {
                breach::check::verify_problem(&abstraction.problem, &proof)
                    .map_err(|flaw| Stop::Bug(format!("the proof has a flaw: {flaw}")))?;
                self.statistics.proof_size = proof.elements.len() + proof.invariants.len();
                self.statistics.proof_threads = proof.max_threads();
                Ok(Checked::Uncoverable(proof))
            }
        }
    }

    /// What a real run means. A run to the end of what is modelled, or with steps that reality may not have, is no bug, but its
    /// property is given up.
    fn judge(&mut self, run: Run, property: usize) -> Result<Option<Bug>, Stop> {
        let program = self.setting.program;
        let outcome = replay(program, &run).map_err(|error| Stop::Bug(error.to_string()))?;
        let details = &program.properties[property];
        let Some(after) = outcome.violated.get(&details.name) else {
            return Err(Stop::Bug(format!("a run to {} does not violate it", details.name)));
        };
        let reason = match trust::doubt(details, *after, &outcome.approximate) {
            None => return Ok(Some(Bug { run, property })),
            Some(Doubt::Limit) => Reason::Limit(property),
            Some(Doubt::Step(note)) => Reason::Approximate(property, note),
        };
        self.given_up.get_or_insert(reason);
        self.wanted[property] = false;
        Ok(None)
    }

    /// Excludes steps of an abstract run that the exact template does not have.
    fn refine_transitions(&mut self, trace: &Trace) -> Result<bool, Stop> {
        let Some(abstraction) = &self.abstraction else { return Ok(false) };
        let started = Instant::now();
        let source = Source { setting: &self.setting, store: &self.store, chosen: &self.chosen };
        let spurious = self.abstractor.spurious_steps(source, abstraction, trace)?;
        self.statistics.refine_time += started.elapsed();
        if spurious > 0 {
            log::info!("{spurious} of {} spurious", plural(trace.steps.len(), "step"));
            self.statistics.transition_refinements += 1;
        }
        Ok(spurious > 0)
    }

    fn refine(&mut self, observer: &mut dyn Observer, path: &Path, steps: usize) -> Result<bool, Stop> {
        let started = Instant::now();
        self.doing = Doing::Refining;
        // A path that comes again was not excluded by what a guess said.
        let guess = self.seen.insert(path.clone());
        let mut found = match self.suppose(path, steps, guess)? {
            Supposed::Found(new, origin) => Ok(Some((new, origin))),
            Supposed::Nothing(reach) => {
                let how = (guess, reach);
                self.refiner.refine(&self.setting, &mut self.store, &self.chosen, path, steps, how)
            }
        };
        let useless = match &found {
            Ok(Some((new, _))) => new.iter().all(|&id| self.chosen.contains(id)),
            Ok(None) => true,
            Err(_) => false,
        };
        if guess && useless {
            let how = (false, Reach::All);
            found = self.refiner.refine(&self.setting, &mut self.store, &self.chosen, path, steps, how);
        }
        self.statistics.refine_time += started.elapsed();
        let Some((new, origin)) = found? else { return Ok(false) };
        observer.refined(self.statistics.iterations, &self.store, &new, origin);
        self.statistics.refinements += 1;
        log::info!(
            "the program cannot make {}; {} among {origin} in {:.2} s",
            first_steps(steps, path.steps.len()),
            plural(new.len(), "new predicate"),
            started.elapsed().as_secs_f64()
        );
        let mut progress = false;
        if log::log_enabled!(log::Level::Info) {
            let infix = Infix::for_people(self.setting.program);
            for id in &new {
                log::info!("  {} {}", self.store.get(*id).class, infix.term(self.store.get(*id).term));
            }
        }
        for id in new {
            if self.chosen.insert(&self.store, id) {
                progress = true;
                self.recent.push(self.store.get(id).term);
            }
        }
        Ok(progress)
    }

    /// Asks more of each step, if that is possible; old answers stay right, and new ones say more.
    fn look_closer(&mut self) -> bool {
        let before = std::mem::replace(&mut self.setting.thorough, true);
        !before && !self.setting.counting.is_empty()
    }

    /// Supposes that the number of threads is bounded, if what the program says itself excludes the path then and not otherwise. Whether it is needed in the
    /// end is found out when there is a proof.
    fn suppose(&mut self, path: &Path, steps: usize, guess: bool) -> Result<Supposed, Stop> {
        let Some(bounded) = self.bound.open() else { return Ok(Supposed::Nothing(Reach::All)) };
        let how = (guess, Reach::Numbers);
        let (store, chosen) = (&mut self.store, &self.chosen);
        let useful = |found: Option<(Vec<PredicateId>, Origin)>| {
            found.filter(|(new, _)| new.iter().any(|&id| !chosen.contains(id)))
        };
        let found = useful(self.refiner.refine(&self.setting, store, chosen, path, steps, how)?);
        if let Some((new, origin)) = found {
            return Ok(Supposed::Found(new, origin));
        }
        let found = useful(self.refiner.refine(bounded, store, chosen, path, steps, how)?);
        let Some((new, origin)) = found else { return Ok(Supposed::Nothing(Reach::Beyond)) };
        log::info!("supposing that at most {HYPOTHESIS} threads are alive at once");
        self.setting.counting = bounded.counting.clone();
        self.forget_answers();
        self.bound.supposed();
        Ok(Supposed::Found(new, origin))
    }

    /// The path of an abstract run, and the property at its end.
    fn path(&self, abstraction: &Abstraction, trace: &Trace) -> Result<(Path, usize), Stop> {
        let bug = || Stop::Bug("an abstract run has no meaning".into());
        let main = trace.threads.iter().position(|&local| local == abstraction.main);
        // The initial thread is number 0; the others follow in the order of their first steps.
        let mut numbers: Vec<Option<usize>> = vec![None; trace.threads.len()];
        if let Some(main) = main {
            numbers[main] = Some(0);
        }
        let mut threads = 1;
        let mut steps = Vec::new();
        for step in &trace.steps {
            let active = step.moves.iter().find(|step| step.role == Role::Active).ok_or_else(bug)?;
            let slot = numbers.get_mut(active.thread as usize).ok_or_else(bug)?;
            let Some(edge) = abstraction.edges[step.transition] else { continue };
            let number = *slot.get_or_insert_with(|| {
                threads += 1;
                threads - 1
            });
            steps.push((number, edge));
        }
        // Threads of a race need not have moved.
        let idle = |local: &u32| {
            let local = abstraction.template.locals.get(*local as usize);
            local.is_some_and(|local| Some(local.location) == self.setting.program.pool)
        };
        let still = trace.target.threads.pairs().iter().filter(|(local, _)| idle(local));
        threads += still.map(|(_, count)| *count as usize).sum::<usize>();
        let path = Path { threads, steps, race: None };
        self.property_of(path).ok_or_else(bug)
    }

    fn property_of(&self, mut path: Path) -> Option<(Path, usize)> {
        let locations = path.locations(&self.setting, path.steps.len());
        for (index, property) in self.setting.program.properties.iter().enumerate() {
            if !self.wanted[index] {
                continue;
            }
            match &property.target {
                Target::Location(location) if locations.contains(location) => return Some((path, index)),
                Target::Location(_) => {}
                Target::Race(first, second) => {
                    let at = |place, other| {
                        (0..path.threads).find(|&thread| locations[thread] == place && Some(thread) != other)
                    };
                    if let Some(one) = at(first.location, None)
                        && let Some(two) = at(second.location, Some(one))
                    {
                        path.race = Some((one, two, index));
                        return Some((path, index));
                    }
                }
            }
        }
        None
    }
}

enum Checked {
    Coverable(Trace),
    Uncoverable(breach::proof::Proof),
}

/// The steps up to the last that cannot be made, in words.
fn first_steps(number: usize, all: usize) -> String {
    match number {
        1 => format!("the first of {}", plural(all, "step")),
        more => format!("the first {more} of {}", plural(all, "step")),
    }
}
