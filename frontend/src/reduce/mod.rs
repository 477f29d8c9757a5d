//! Smaller programs with the same violations: passes from programs to programs, in order.
//!
//! Every pass keeps, for each property and each number of threads, whether it can be violated. The proofs stand in the
//! passes. In debug builds each result is validated.
//!
//! | pass | what it does | why here |
//! |---|---|---|
//! | `slice::select` | drops properties that were not asked for | first: fewer reasons to keep anything |
//! | `constants` | puts in known values, drops impossible edges | early: fewer ways for all others to look at |
//! | `ranges` | drops edges whose guard no value satisfies, as far as comparisons with numbers tell, and comparisons that others decide | behind `constants`, which make the numbers known |
//! | `liveness` | drops assignments that are never read | before compositions: they multiply assignments |
//! | `slice` | drops what no property depends on | the same; fewer ways through atomic sections |
//! | `doubt` | drops doubts about values that do not matter | after the first slice; before compositions, which mix edges |
//! | `atomic` | makes the program strictly asynchronous | before the merges, which stop at atomic locations |
//! | `cases` | makes a location for each value of a local that chooses an element of a small array | before the merges, which put what is chosen and the access into one step |
//! | `scalars` | makes a variable for each element of a small array whose indices are known | behind `cases`, which make them known |
//! | `widths` | keeps the last bits of counters of which no others matter | behind `scalars`, which make elements variables |
//! | `words` | makes a variable for each part of a word that is looked at in parts | behind `scalars` and `widths`, whose variables may be such words |
//! | `derived` | replaces locals that are computed from another one, which is needed anyway | in the rounds, before the slice that drops them |
//! | `slice`, `merge`, `constants` | in rounds, until nothing changes | slicing makes steps invisible, so that they merge; merging makes branches parallel, so that slicing joins them; both make values known |
//! | `split` | makes a location for each known value of a local that is tested there | in the rounds, before the merges: fewer ways in each location, and known values |
//! | `prologue` | makes what the initial thread does alone part of the initial values | in the rounds: it makes values known, and needs known ones |
//! | `coalesce` | joins copies of a local | after the merges, which make most of them unnecessary |
//! | `liveness` | says what is live where | after the last change, for the engines |
//! | `tidy` | renumbers | last: all others leave gaps |

mod atomic;
mod cases;
mod coalesce;
mod compose;
mod constants;
mod derived;
#[cfg(test)]
mod differential;
mod domains;
mod doubt;
#[cfg(test)]
mod elements;
#[cfg(test)]
mod flags;
mod formula;
mod graph;
#[cfg(test)]
mod halves;
mod inputs;
mod liveness;
mod locks;
mod merge;
mod prologue;
mod ranges;
#[cfg(test)]
mod samples;
mod scalars;
mod sets;
#[cfg(test)]
mod setups;
mod slice;
mod split;
mod symbols;
#[cfg(test)]
mod tests;
mod tidy;
mod visible;
mod widths;
mod words;

use crate::program::Program;
use crate::program::validate::{Rules, validate};
use crate::watch::Watch;
use atomic::Bounds;
use constants::Copies;
use std::fmt;
use std::time::{Duration, Instant};

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Put in known values and drop what they make impossible.
    pub constants: bool,
    /// Drop what no property depends on.
    pub slice: bool,
    /// Merge steps that no other thread notices with their neighbours.
    pub merge: bool,
    /// The names of the properties to keep; all if there are none given. Limits of what is modelled are always kept.
    pub properties: Option<Vec<String>>,
    /// Atomic sections with more ways through them hold a token instead of becoming single steps.
    pub atomic_paths: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { constants: true, slice: true, merge: true, properties: None, atomic_paths: 1024 }
    }
}

impl Options {
    /// Only what engines cannot do without: no atomic locations, and live variables known.
    pub fn minimal() -> Options {
        Options { constants: false, slice: false, merge: false, ..Options::default() }
    }
}

/// How large a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of locations.
    pub locations: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of variables.
    pub variables: usize,
}

impl Size {
    /// Of a program.
    pub fn of(program: &Program) -> Size {
        Size {
            locations: program.locations.len(),
            edges: program.edges.len(),
            variables: program.variables.len(),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} locations, {} edges, {} variables", self.locations, self.edges, self.variables)
    }
}

/// What one pass did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassStatistics {
    /// Its name.
    pub name: &'static str,
    /// The program afterwards.
    pub after: Size,
    /// How long it took.
    pub time: Duration,
}

/// What all passes did, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The program as it was given.
    pub before: Size,
    /// Pass by pass.
    pub passes: Vec<PassStatistics>,
}

impl Statistics {
    /// The program in the end.
    pub fn after(&self) -> Size {
        self.passes.last().map_or(self.before, |pass| pass.after)
    }
}

/// Slicing and merging are repeated at most this often; what is left to gain then is small.
const ROUNDS: usize = 8;

/// A program with more edges than these is large: each round has to pay.
const LARGE: usize = 1000;
/// A round pays if this part of the program goes.
const PART: usize = 16;

/// Whether another round is worth it. Rounds of large programs get smaller by a constant factor, so that all of them together take not much more than the
/// first.
fn pays(before: Size, after: Size) -> bool {
    let size = |size: Size| size.locations + size.edges;
    after.edges <= LARGE || size(after) * PART <= size(before) * (PART - 1)
}

/// A smaller, strictly asynchronous program in which the same properties can be violated.
pub fn reduce(program: Program, options: &Options) -> (Program, Statistics) {
    reduce_watched(program, options, &Watch::default())
}

/// The same; each pass is told when it begins.
pub fn reduce_watched(program: Program, options: &Options, watch: &Watch) -> (Program, Statistics) {
    let statistics = Statistics { before: Size::of(&program), passes: Vec::new() };
    let marked = tidy::marked_notes(&program);
    let about_values = doubt::about_values(&program);
    let mut run = Run { program, statistics, watch };
    if let Some(names) = &options.properties {
        run.pass("select", |program| slice::select(program, names));
    }
    if options.constants {
        run.pass("constants", |program| constants::run(program, Copies::Keep));
        run.pass("ranges", ranges::run);
    }
    run.pass("liveness", liveness::run);
    if options.slice {
        run.pass("slice", slice::run);
        run.pass("doubt", |program| doubt::drop_void(program, &about_values));
    }
    run.pass("atomic", |program| atomic::run(program, Bounds::of_paths(options.atomic_paths)));
    if options.constants && options.merge {
        run.pass("cases", cases::run);
        run.pass("scalars", scalars::run);
        run.pass("widths", widths::run);
        run.pass("words", words::run);
    }
    for _ in 0..ROUNDS {
        let before = (Size::of(&run.program), run.program.main);
        run.round(options);
        let after = (Size::of(&run.program), run.program.main);
        if after == before || !pays(before.0, after.0) {
            break;
        }
    }
    if options.merge {
        run.pass("coalesce", coalesce::run);
    }
    run.pass("liveness", liveness::run);
    run.pass("tidy", |program| {
        tidy::run(program);
        tidy::drop_notes(program, &marked);
    });
    (run.program, run.statistics)
}

/// A strictly asynchronous program in which every step is still a step of its own and no assignment to a shared variable is missing: only what is impossible goes. What holds
/// at a location holds whenever a thread is about to do what stands at its place in the source.
pub fn observable(program: Program) -> Program {
    let statistics = Statistics { before: Size::of(&program), passes: Vec::new() };
    let mut run = Run { program, statistics, watch: &Watch::default() };
    run.pass("constants", |program| constants::run(program, Copies::Keep));
    run.pass("ranges", ranges::run);
    run.pass("liveness", liveness::run);
    run.pass("atomic", |program| atomic::run(program, Bounds::of_paths(Options::default().atomic_paths)));
    run.pass("liveness", liveness::run);
    run.pass("tidy", tidy::run);
    run.program
}

struct Run<'w> {
    program: Program,
    statistics: Statistics,
    watch: &'w Watch,
}

impl Run<'_> {
    fn round(&mut self, options: &Options) {
        if options.constants && options.merge {
            self.pass("derived", derived::run);
        }
        if options.slice {
            self.pass("slice", slice::run);
        }
        if options.merge {
            self.pass("split", split::run);
            self.pass("merge", merge::run);
        }
        if options.constants {
            self.pass("constants", |program| constants::run(program, Copies::Replace));
            self.pass("ranges", ranges::run);
            self.pass("prologue", prologue::run);
        }
    }

    fn pass(&mut self, name: &'static str, pass: impl FnOnce(&mut Program)) {
        self.watch.begin(name);
        let started = Instant::now();
        pass(&mut self.program);
        let time = started.elapsed();
        debug_assert_eq!(validate(&self.program, Rules::default()), [], "{name} broke the program");
        self.statistics.passes.push(PassStatistics { name, after: Size::of(&self.program), time });
    }
}
