//! Watches the loop: a line on the terminal, and `--dump`.
//!
//! Into the folder go, for each iteration N: `N.predicates` it begins with, `N.emdr` its abstraction, `N.run` the run of it that was found, with the
//! predicates that hold after each step, `N.path` the same run in the program, with the first part that cannot be run, and `N.new` the predicates that
//! exclude it. `README` says so. After an error nothing more is written; it is reported at the end.

use console::deadline::Deadline;
use console::{Failure, Result, plural};
use frontend::program::Program;
use frontend::program::infix::Infix;
use monabs::abstraction::system::Abstraction;
use monabs::emit;
use monabs::path::Path as AbstractPath;
use monabs::predicate::{Chosen, PredicateId, Store};
use monabs::refine::Origin;
use monabs::verify::{Observer, Statistics};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What one round of the loop had.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Round {
    pub(super) predicates: usize,
    pub(super) states: usize,
    pub(super) transitions: usize,
    /// Since the beginning of the loop.
    pub(super) abstracted: Duration,
}

/// What is in the folder.
const README: &str = "\
What monabs did, one iteration after the other. The number of the iteration is in front of each name.

N.predicates  the predicates that iteration N begins with, with their classes: shared (over shared variables), local (over a thread's own),
              single-thread (over both), inter-thread (also over other threads' variables; x@P is the other thread's x)
N.emdr        the abstraction: a finite system for any number of threads; comments say what its numbers mean, and `breach N.emdr` checks it
N.run         a run of the abstraction to an error, with the predicates that hold (!(...): that do not hold) after each step
N.path        the same steps in the source, and how far the program itself can go
N.new         the predicates that exclude this run from the next iteration; the first line says among which ones they were found

If the last iteration has no N.run, its abstraction has no error: the program is safe. If N.path ends with \"can be run\", the program is not.
";

/// The watcher.
pub(super) struct Watch<'a> {
    program: &'a Program,
    infix: Infix<'a>,
    deadline: &'a Deadline,
    start: Instant,
    folder: Option<PathBuf>,
    failure: Option<Failure>,
    rounds: Vec<Round>,
}

impl<'a> Watch<'a> {
    /// Writes into the folder, which exists.
    pub(super) fn new(program: &'a Program, deadline: &'a Deadline, folder: Option<&Path>) -> Watch<'a> {
        let infix = Infix::new(program);
        let folder = folder.map(Path::to_owned);
        let readme = folder.as_ref().map(|folder| folder.join("README"));
        let failure = readme.and_then(|readme| {
            let error = terminal::files::replace(&readme, README).err()?;
            Some(Failure::cannot_write(&readme, &error))
        });
        Watch { program, infix, deadline, start: Instant::now(), folder, failure, rounds: Vec::new() }
    }

    /// Whether everything could be written; what was seen.
    pub(super) fn finish(self) -> Result<Vec<Round>> {
        self.failure.map_or(Ok(self.rounds), Err)
    }

    fn say(&self, text: impl FnOnce() -> String) {
        self.deadline.progress().show(text);
    }

    fn write(&mut self, iteration: usize, kind: &str, text: impl FnOnce(&Self) -> String) {
        let Some(folder) = self.folder.as_ref().filter(|_| self.failure.is_none()) else { return };
        let path = folder.join(format!("{iteration:04}.{kind}"));
        if let Err(error) = terminal::files::replace(&path, &text(self)) {
            self.failure = Some(Failure::cannot_write(&path, &error));
        }
    }

    fn predicates(&self, store: &Store, ids: impl Iterator<Item = PredicateId>) -> String {
        let line = |id| {
            let predicate = store.get(id);
            format!("{:<14}{}\n", predicate.class.to_string(), self.infix.term(predicate.term))
        };
        ids.map(line).collect()
    }

    fn path_text(&self, path: &AbstractPath, infeasible: Option<usize>) -> String {
        let mut text = format!("threads {}\n", path.threads);
        for (index, &(thread, edge)) in path.steps.iter().enumerate() {
            let edge = self.program.edge(edge);
            // Writing to a string cannot fail, here and below.
            let _ =
                writeln!(text, "{:>4} thread {thread}: location {} to {}", index + 1, edge.from.0, edge.to.0);
            for origin in &edge.origin {
                let file = self.program.files.get(origin.position.file.index()).map_or("", String::as_str);
                let _ = writeln!(
                    text,
                    "       {file}:{} in {}: {}",
                    origin.position.line, origin.function, origin.text
                );
            }
            if infeasible == Some(index + 1) {
                text.push_str("     cannot be run up to here\n");
            }
        }
        text.push_str(if infeasible.is_none() { "can be run\n" } else { "cannot be run\n" });
        text
    }
}

impl Observer for Watch<'_> {
    fn round(&mut self, iteration: usize, _: &Statistics, store: &Store, chosen: &Chosen) {
        let predicates = plural(chosen.len(), "predicate");
        self.say(|| format!("iteration {iteration}: asking what each step does to {predicates}"));
        self.write(iteration, "predicates", |watch| watch.predicates(store, chosen.iter()));
    }

    fn abstraction(&mut self, iteration: usize, abstraction: &Abstraction, store: &Store, chosen: &Chosen) {
        let (states, transitions) =
            (abstraction.template.shared.len() + abstraction.template.locals.len(), abstraction.edges.len());
        let abstracted = self.start.elapsed();
        self.rounds.push(Round { predicates: chosen.len(), states, transitions, abstracted });
        let (states, transitions) = (plural(states, "state"), plural(transitions, "transition"));
        self.say(|| format!("iteration {iteration}: looking for an error among {states} and {transitions}"));
        self.write(iteration, "emdr", |watch| {
            emit::emdr(watch.program, abstraction, store, chosen)
                .unwrap_or_else(|error| format!("# {error}\n"))
        });
    }

    fn run(
        &mut self,
        iteration: usize,
        abstraction: &Abstraction,
        store: &Store,
        chosen: &Chosen,
        trace: &breach::trace::Trace,
    ) {
        let steps = plural(trace.steps.len(), "step");
        self.say(|| format!("iteration {iteration}: asking whether a run of {steps} is real"));
        self.write(iteration, "run", |watch| emit::run(watch.program, abstraction, store, chosen, trace));
    }

    fn path(&mut self, iteration: usize, path: &AbstractPath, infeasible: Option<usize>) {
        let steps = plural(path.steps.len(), "step");
        if infeasible.is_some() {
            self.say(|| {
                format!("iteration {iteration}: looking for predicates that exclude a run of {steps}")
            });
        }
        self.write(iteration, "path", |watch| watch.path_text(path, infeasible));
    }

    fn refined(&mut self, iteration: usize, store: &Store, new: &[PredicateId], origin: Origin) {
        self.write(iteration, "new", |watch| {
            format!("# found among {origin}\n{}", watch.predicates(store, new.iter().copied()))
        });
    }
}
