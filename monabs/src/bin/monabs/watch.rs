//! Watches the loop: a line on the terminal, and `--dump`.
//!
//! Into the folder go, for each iteration N: `N.predicates` it begins with, `N.emdr` its abstraction, `N.path` the abstract run that was
//! found, with the first part that cannot be run, and `N.new` the predicates that exclude it. After an error nothing more
//! is written; it is reported at the end.

use console::deadline::Deadline;
use console::{Failure, Result};
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
        Watch { program, infix, deadline, start: Instant::now(), folder, failure: None, rounds: Vec::new() }
    }

    /// Whether everything could be written; what was seen.
    pub(super) fn finish(self) -> Result<Vec<Round>> {
        self.failure.map_or(Ok(self.rounds), Err)
    }

    fn write(&mut self, iteration: usize, kind: &str, text: impl FnOnce(&Self) -> String) {
        let Some(folder) = self.folder.as_ref().filter(|_| self.failure.is_none()) else { return };
        let path = folder.join(format!("{iteration:04}.{kind}"));
        if let Err(error) = std::fs::write(&path, text(self)) {
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
    fn round(&mut self, iteration: usize, statistics: &Statistics, store: &Store, chosen: &Chosen) {
        let (seconds, predicates) = (self.start.elapsed().as_secs_f64(), chosen.len());
        let states = statistics.shared_states + statistics.local_states;
        self.deadline.progress().show(|| {
            format!("{seconds:.1} s: iteration {iteration}, {predicates} predicates, {states} states before")
        });
        self.write(iteration, "predicates", |watch| watch.predicates(store, chosen.iter()));
    }

    fn abstraction(&mut self, iteration: usize, abstraction: &Abstraction, store: &Store, chosen: &Chosen) {
        let (seconds, predicates) = (self.start.elapsed().as_secs_f64(), chosen.len());
        let states = abstraction.template.shared.len() + abstraction.template.locals.len();
        let transitions = abstraction.edges.len();
        self.rounds.push(Round { predicates, states, transitions, abstracted: self.start.elapsed() });
        self.deadline.progress().show(|| {
            format!(
                "{seconds:.1} s: iteration {iteration}, {predicates} predicates, {states} states, {transitions} transitions"
            )
        });
        self.write(iteration, "emdr", |watch| {
            emit::emdr(watch.program, abstraction, store, chosen)
                .unwrap_or_else(|error| format!("# {error}\n"))
        });
    }

    fn path(&mut self, iteration: usize, path: &AbstractPath, infeasible: Option<usize>) {
        self.write(iteration, "path", |watch| watch.path_text(path, infeasible));
    }

    fn refined(&mut self, iteration: usize, store: &Store, new: &[PredicateId], origin: Origin) {
        self.write(iteration, "new", |watch| {
            format!("# {origin:?}\n{}", watch.predicates(store, new.iter().copied()))
        });
    }
}
