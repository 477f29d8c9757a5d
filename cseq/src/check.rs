//! The question for given bounds.

use engine::bug::{Bug, believe};
use engine::unwind::Unwinding;
use frontend::program::{Choice, InitialValue, Program, Run};
use smt::{Answer, Config, Model, Reason, Size, Solver, SolverChoice, SolverError, Term, create};

use std::time::{Duration, Instant};

use crate::encode::{Formula, encode};
use crate::schedule::Schedule;

/// What was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explored {
    /// Undecided rounds of each loop.
    pub unwind: u32,
    /// Turns of each thread.
    pub rounds: usize,
    /// Threads, the initial one included.
    pub threads: usize,
}

impl Explored {
    /// It, as what a file of a proof says, if the bounds have all runs.
    pub fn certificate(self) -> String {
        format!("kind bounds {} {} {}\n", self.unwind, self.rounds, self.threads)
    }
}

/// One question: its bounds, its size, and what became of it.
#[derive(Clone, Debug)]
pub struct Level {
    /// What was looked at.
    pub explored: Explored,
    /// Copies of locations.
    pub nodes: usize,
    /// Formulas.
    pub constraints: usize,
    /// Steps that may be taken, counted in each round.
    pub steps: usize,
    /// Variables and clauses, if the solver works with them.
    pub size: Option<Size>,
    /// How long it took.
    pub time: Duration,
    /// The answer.
    pub answered: Answered,
}

/// The answer for given bounds.
#[derive(Clone, Debug)]
pub enum Answered {
    /// A real run, replayed, and the property that it violates.
    Bug(Bug),
    /// Nothing within the bounds, and there is nothing beyond them.
    Safe,
    /// Nothing within the bounds.
    Nothing,
    /// Nothing within the bounds but a run that reality may not have.
    Doubtful,
    /// The solver has no answer.
    Open(Reason),
}

/// How far a question goes.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    /// Undecided rounds of each loop.
    pub unwind: u32,
    /// Turns of each thread.
    pub rounds: usize,
    /// Which schedules.
    pub schedule: &'a Schedule,
    /// Whether runs beyond what is unrolled do not count.
    pub assume: bool,
}

/// What is asked, as formulas: those that hold in all schedules, and that a property is violated by steps that reality has.
pub(crate) fn question(program: &Program, unwinding: &Unwinding, bound: Bound<'_>) -> Vec<Term> {
    let formula = encode(program, unwinding, bound.rounds, bound.schedule);
    let violated = Term::or_all(formula.errors.iter().map(|(_, when)| *when));
    let exact = Term::and_all(formula.approximate.iter().map(|step| step.not()));
    formula.constraints.into_iter().chain([violated, exact]).collect()
}

/// Asks about so many rounds.
pub fn ask(
    program: &Program,
    unwinding: &Unwinding,
    bound: Bound<'_>,
    choice: &SolverChoice,
    config: &Config,
) -> Result<Level, SolverError> {
    let start = Instant::now();
    let Bound { unwind, rounds, schedule, .. } = bound;
    let explored = Explored { unwind, rounds, threads: unwinding.threads.len() };
    let formula = encode(program, unwinding, rounds, schedule);
    let mut solver = create(choice, config)?;
    for constraint in &formula.constraints {
        solver.assert(*constraint)?;
    }
    let violated = Term::or_all(formula.errors.iter().map(|(_, when)| *when));
    let exact = Term::and_all(formula.approximate.iter().map(|step| step.not()));
    let answer =
        if violated.is_false() { Answer::Unsat } else { solver.check_assuming(&[violated, exact])? };
    let answered = match answer {
        Answer::Sat => {
            let (run, property) = run(program, unwinding, &formula, &solver.model()?)?;
            let bug = believe(program, &program.properties[property].name, run);
            bug.map(Answered::Bug).ok_or_else(|| SolverError::Protocol {
                solver: "lazy sequentialization".to_owned(),
                message: "a run of the formula cannot be replayed".to_owned(),
            })?
        }
        Answer::Unknown(reason) => Answered::Open(reason),
        Answer::Unsat => rest(&mut *solver, unwinding, &formula, violated, bound)?,
    };
    let (nodes, constraints, steps) = (unwinding.nodes(), formula.constraints.len(), formula.steps.len());
    let (size, time) = (solver.size(), start.elapsed());
    Ok(Level { explored, nodes, constraints, steps, size, time, answered })
}

/// No real run: whether there is nothing else either.
fn rest(
    solver: &mut dyn Solver,
    unwinding: &Unwinding,
    formula: &Formula,
    violated: Term,
    bound: Bound<'_>,
) -> Result<Answered, SolverError> {
    let beyond = if bound.assume { &[][..] } else { &formula.beyond };
    let end = formula.limits.iter().chain(beyond).copied();
    let any = Term::or_all(end.chain([violated]));
    let enough = bound.rounds >= rounds_needed(unwinding) && !bound.schedule.restricts();
    if !any.is_false() && (enough || !formula.approximate.is_empty()) {
        match solver.check_assuming(&[violated])? {
            Answer::Sat => return Ok(Answered::Doubtful),
            Answer::Unknown(reason) => return Ok(Answered::Open(reason)),
            Answer::Unsat => {}
        }
        if enough {
            match solver.check_assuming(&[any])? {
                Answer::Sat => return Ok(Answered::Nothing),
                Answer::Unknown(reason) => return Ok(Answered::Open(reason)),
                Answer::Unsat => {}
            }
        }
    }
    Ok(if enough && unwinding.fused { Answered::Safe } else { Answered::Nothing })
}

/// So many rounds have all schedules. A schedule is a sequence of turns of different threads; a new round begins where the number of the thread becomes
/// smaller. There is no turn without a visible step, so this happens at most once for each visible step of a thread that is not the last one, and
/// likewise for one that is not the first.
pub fn rounds_needed(unwinding: &Unwinding) -> usize {
    let lengths = unwinding.lengths();
    let all: usize = lengths.iter().sum();
    let without = |length: Option<&usize>| all - length.copied().unwrap_or(0);
    1 + without(lengths.first()).min(without(lengths.last()))
}

/// The run that a model describes, and a property that it violates.
fn run(
    program: &Program,
    unwinding: &Unwinding,
    formula: &Formula,
    model: &Model,
) -> Result<(Run, usize), SolverError> {
    let value = |term: Term| model.eval(term).map_err(|error| SolverError::Unsupported(error.to_string()));
    let holds = |term: Term| Ok::<bool, SolverError>(value(term)? == smt::Value::Bool(true));
    let mut initial = Vec::new();
    for (variable, thread, term) in &formula.open {
        initial.push(InitialValue { variable: *variable, thread: *thread, value: value(*term)? });
    }
    let mut steps = Vec::new();
    for step in &formula.steps {
        if !holds(step.taken)? {
            continue;
        }
        let values = |terms: &[Term]| terms.iter().map(|term| value(*term)).collect::<Result<Vec<_>, _>>();
        let inputs = values(&step.inputs)?;
        let passive_inputs = step.passive_inputs.iter().map(|own| values(own)).collect::<Result<_, _>>()?;
        steps.push(Choice { thread: step.thread, edge: step.edge, inputs, passive_inputs });
    }
    let mut property = 0;
    for (number, when) in &formula.errors {
        if holds(*when)? {
            property = *number;
            break;
        }
    }
    let threads = if program.pool.is_some() { unwinding.threads.len() } else { 1 };
    Ok((Run { threads, initial, steps }, property))
}
