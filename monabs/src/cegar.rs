//! The loop of figure 26 of the thesis: abstract, close, check, simulate, refine.

use crate::abstraction::explore::explore;
use crate::abstraction::system::{Abstraction, close};
use crate::abstraction::{Abstractor, Source};
use crate::limits::{Limits, Stop};
use crate::path::{Feasibility, Path, simulate};
use crate::predicate::{Chosen, PredicateId, Store};
use crate::refine::{Origin, Refiner};
use crate::scope::Setting;
use breach::trace::{Role, Trace};
use frontend::program::{Program, PropertyKind, Run, Target};
use smt::{Config, SolverChoice};

/// How to verify.
pub struct Options {
    /// The solver.
    pub solver: SolverChoice,
    /// When to give up.
    pub limits: Limits,
    /// The largest number of rounds.
    pub iterations: usize,
    /// The largest number of transitions of an abstraction.
    pub max_transitions: usize,
}

/// The answer.
pub enum Verdict {
    /// No property can be violated, by however many threads.
    Safe(Box<Abstraction>, Option<breach::proof::Proof>),
    /// A run, and the property that it violates.
    Unsafe(Run, usize),
    /// No answer.
    Unknown(String),
}

/// The loop.
pub struct Verifier<'a> {
    /// The program.
    pub setting: Setting<'a>,
    /// All predicates.
    pub store: Store,
    /// Those in use.
    pub chosen: Chosen,
    abstractor: Abstractor,
    refiner: Refiner,
    options: Options,
    config: Config,
    wanted: Vec<bool>,
    /// Rounds so far.
    pub iterations: usize,
}

impl<'a> Verifier<'a> {
    /// For a program.
    pub fn new(program: &'a Program, options: Options) -> Verifier<'a> {
        let setting = Setting::new(program);
        let config = Config::default();
        let abstractor = Abstractor::new(options.solver.clone(), config.clone());
        let refiner = Refiner::new(&setting, options.solver.clone(), config.clone());
        let wanted = vec![true; program.properties.len()];
        Verifier {
            setting,
            store: Store::default(),
            chosen: Chosen::default(),
            abstractor,
            refiner,
            options,
            config,
            wanted,
            iterations: 0,
        }
    }

    /// Runs the loop.
    pub fn run(&mut self) -> Result<Verdict, Stop> {
        self.initial_predicates();
        loop {
            self.options.limits.check()?;
            if self.iterations >= self.options.iterations {
                return Ok(Verdict::Unknown("iterations".into()));
            }
            self.iterations += 1;
            let source = Source { setting: &self.setting, store: &self.store, chosen: &self.chosen };
            let start = std::time::Instant::now();
            let template = explore(source, &mut self.abstractor, &self.options.limits, self.options.max_transitions)?;
            let abstraction = close(&self.setting, template, &self.wanted);
            log::info!(
                "iteration {}: {} predicates, {} shared states, {} local states, {} transitions, {:?}; {:?}",
                self.iterations,
                self.chosen.len(),
                abstraction.template.shared.len(),
                abstraction.template.locals.len(),
                abstraction.edges.len(),
                start.elapsed(),
                self.abstractor.questions,
            );
            let start = std::time::Instant::now();
            let options = breach::Options { proof: true, ..breach::Options::default() };
            let outcome = breach::check_coverability(&abstraction.problem, &options)
                .map_err(|error| Stop::Bug(error.to_string()))?;
            log::info!("  checked in {:?}", start.elapsed());
            let trace = match outcome.verdict {
                breach::Verdict::Uncoverable(proof) => return Ok(Verdict::Safe(Box::new(abstraction), proof)),
                breach::Verdict::Unknown(reason) => return Err(reason.into()),
                breach::Verdict::Coverable(trace) => trace,
            };
            let (path, property) = self.path(&abstraction, &trace)?;
            log::info!("  path of {} threads, {} steps", path.threads, path.steps.len());
            for (thread, edge) in &path.steps {
                log::debug!("    {thread} takes {} : {:?}", edge.0, self.setting.program.edge(*edge).origin.first().map(|o| o.text));
            }
            let steps = match simulate(&self.setting, &path, &self.options.solver, &self.config)? {
                Feasibility::Real(run) => {
                    return Ok(Verdict::Unsafe(run, property));
                }
                Feasibility::Infeasible(steps) => steps,
            };
            let start = std::time::Instant::now();
            let steps = steps.min(path.steps.len());
            let Some((new, origin)) =
                self.refiner.refine(&self.setting, &mut self.store, &self.chosen, &path, steps)?
            else {
                return Ok(Verdict::Unknown("no predicates".into()));
            };
            log::info!("  infeasible at {steps}; {} new predicates ({origin:?}) in {:?}", new.len(), start.elapsed());
            let mut progress = false;
            for id in new {
                log::info!("    {} {}", self.store.get(id).class, self.store.get(id).term);
                progress |= self.chosen.insert(&self.store, id);
            }
            if !progress {
                return Ok(Verdict::Unknown("no progress".into()));
            }
        }
    }

    fn initial_predicates(&mut self) {
        let mut found = Vec::new();
        for edge in &self.setting.program.edges {
            if self.setting.is_error(edge.to) {
                crate::refine::atoms::atoms(edge.guard, &mut found);
            }
        }
        for atom in found {
            if let Some(id) = self.store.add(&self.setting, atom, crate::scope::Extent::Live) {
                self.chosen.insert(&self.store, id);
            }
        }
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
        let program = self.setting.program;
        let mut path = Path { threads, steps, race: None };
        let locations = path.locations(&self.setting, path.steps.len());
        for (index, property) in program.properties.iter().enumerate() {
            if !self.wanted[index] {
                continue;
            }
            match &property.target {
                Target::Location(location) => {
                    if locations.contains(location) {
                        return Ok((path, index));
                    }
                }
                Target::Race(first, second) => {
                    for one in 0..threads {
                        for two in 0..threads {
                            if one != two && locations[one] == first.location && locations[two] == second.location {
                                path.race = Some((one, two, index));
                                return Ok((path, index));
                            }
                        }
                    }
                }
            }
        }
        Err(bug())
    }
}

