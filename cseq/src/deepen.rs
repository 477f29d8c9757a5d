//! The entry: one question with given bounds, or questions with deeper and deeper ones.

use engine::bug::Bug;
use engine::unwind::{Bounds, Unwinding, unwind};
use frontend::program::{LocationId, NoteId, Program, PropertyKind, trust};
use smt::sat::SatChoice;
use smt::{Config, Reason, SolverChoice, SolverError, Term};

use crate::check::{Answered, Bound, Explored, Level, ask, question, rounds_needed};
use crate::schedule::Schedule;

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who answers.
    pub solver: SolverChoice,
    /// Undecided rounds of loops; deeper and deeper if not given.
    pub unwind: Option<u32>,
    /// Other numbers for some loops, by the location of their head.
    pub of_loops: Vec<(LocationId, u32)>,
    /// Turns of each thread; more and more if not given.
    pub rounds: Option<usize>,
    /// Threads at most, the initial one included.
    pub threads: usize,
    /// Copies of locations at most.
    pub nodes: usize,
    /// Which schedules.
    pub schedule: Schedule,
    /// Whether runs beyond the bounds on loops and threads do not count, so that bounds may be a proof: an assumption.
    pub assume: bool,
}

impl Default for Options {
    fn default() -> Options {
        // Bits from the start: the formulas are large, and nothing in them is about numbers.
        let solver = SolverChoice::Sat(SatChoice::default());
        let schedule = Schedule::default();
        let (unwind, rounds, of_loops) = (None, None, Vec::new());
        Options { solver, unwind, of_loops, rounds, threads: 20, nodes: 20_000, schedule, assume: false }
    }
}

impl Options {
    fn bounds(&self, rounds: u32) -> Bounds {
        Bounds { rounds, of_loops: self.of_loops.clone(), threads: self.threads, nodes: self.nodes }
    }

    fn bound(&self, unwind: u32, rounds: usize) -> Bound<'_> {
        Bound { unwind, rounds, schedule: &self.schedule, assume: self.assume }
    }
}

/// The formulas of the first question: satisfiable if and only if a real run within the bounds violates a property.
pub fn formulas(program: &Program, options: &Options) -> Vec<Term> {
    let (unwind_bound, rounds) = ladder(options).first().copied().unwrap_or((1, 1));
    let unwinding = unwind(program, &options.bounds(unwind_bound));
    question(program, &unwinding, options.bound(unwind_bound, rounds))
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// A real run, replayed, and the property that it violates.
    Bug(Bug),
    /// Nothing can be violated: these bounds have all runs.
    Safe(Explored),
    /// Nothing was found, for this reason.
    Unknown(Unknown),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The bounds were looked at, and there is more beyond.
    Bounded,
    /// Only runs that reality may not have were found.
    Doubtful,
    /// The program may do less than its source: this note.
    Under(NoteId),
    /// The solver did not answer.
    Solver(Reason),
}

/// Everything that is known at the end.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// All questions.
    pub levels: Vec<Level>,
}

/// The bounds that are tried one after the other: undecided rounds of loops, and turns.
fn ladder(options: &Options) -> Vec<(u32, usize)> {
    let given = options.schedule.rounds.as_ref().map(Vec::len);
    match (options.unwind, given.or(options.rounds)) {
        (Some(unwind), Some(rounds)) => vec![(unwind, rounds)],
        (Some(unwind), None) => (1..=32).map(|rounds| (unwind, rounds)).collect(),
        (None, Some(rounds)) => (0..=10).map(|power| (1 << power, rounds)).collect(),
        (None, None) => (0..=20).map(|power: u32| (1 << power.min(10), power as usize + 1)).collect(),
    }
}

/// Searches; `watch` is told what is about to be asked, and may say that it is enough.
pub fn verify(
    program: &Program,
    options: &Options,
    config: &Config,
    watch: &mut dyn FnMut(&Unwinding, Explored) -> bool,
) -> Result<Outcome, SolverError> {
    let mut levels: Vec<Level> = Vec::new();
    let mut known: Option<(u32, Unwinding)> = None;
    let mut reason = Unknown::Bounded;
    for (unwind_bound, rounds) in ladder(options) {
        let same = known.take().filter(|(bound, known)| *bound == unwind_bound || known.is_complete());
        let unwinding = match same {
            Some((_, unwinding)) => unwinding,
            None => unwind(program, &options.bounds(unwind_bound)),
        };
        // More rounds than all schedules need are in vain, fewer too if the next question is as large.
        let rounds =
            if options.schedule.restricts() { rounds } else { rounds.min(rounds_needed(&unwinding)) };
        let explored = Explored { unwind: unwind_bound, rounds, threads: unwinding.threads.len() };
        let is_done = levels.last().is_some_and(|last| {
            last.explored.rounds == rounds && last.nodes == unwinding.nodes() && unwinding.is_complete()
        });
        if is_done || !watch(&unwinding, explored) {
            break;
        }
        let bound = options.bound(unwind_bound, rounds);
        let level = ask(program, &unwinding, bound, &options.solver, config)?;
        let answered = level.answered.clone();
        levels.push(level);
        match answered {
            Answered::Bug(bug) => return Ok(Outcome { verdict: Verdict::Bug(bug), levels }),
            Answered::Safe => {
                let verdict = match trust::may_be_safe(program) {
                    Ok(_) => Verdict::Safe(explored),
                    Err(note) => Verdict::Unknown(Unknown::Under(note)),
                };
                return Ok(Outcome { verdict, levels });
            }
            Answered::Open(why) => {
                return Ok(Outcome { verdict: Verdict::Unknown(Unknown::Solver(why)), levels });
            }
            Answered::Doubtful => reason = Unknown::Doubtful,
            Answered::Nothing => {}
        }
        known = Some((unwind_bound, unwinding));
    }
    Ok(Outcome { verdict: Verdict::Unknown(reason), levels })
}

/// Whether there is something to find.
pub fn has_errors(program: &Program) -> bool {
    program.properties.iter().any(|property| property.kind != PropertyKind::Limit)
}
