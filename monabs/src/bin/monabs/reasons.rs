//! Why there is no answer, and what to try: for each reason that the library has.

use console::notes::{note_text, place};
use console::{obstacles, plural};
use engine::limits::Limit;
use frontend::program::infix::Infix;
use frontend::program::{NoteId, Program, Property};
use monabs::limits::Stop;
use monabs::verify::Doing;
use monabs::{Options, Outcome, Reason};
use smt::Term;

/// What is said.
#[derive(Debug)]
pub(super) struct Explanation {
    /// One line.
    pub(super) reason: String,
    /// What may help, most promising first.
    pub(super) advice: Vec<String>,
}

impl Explanation {
    /// For a reason of the verifier.
    pub(super) fn new(
        program: &Program,
        options: &Options,
        reason: &Reason,
        outcome: &Outcome,
    ) -> Explanation {
        match reason {
            Reason::Stop(stop) => stopped(program, stop, options, outcome),
            Reason::Iterations(number) => Explanation {
                reason: format!(
                    "{} {} not enough; --iterations sets the limit",
                    plural(*number, "iteration"),
                    if *number == 1 { "was" } else { "were" }
                ),
                advice: vec![
                    "--predicates FILE with relations that hold between variables of different threads".to_owned(),
                    "--dump DIR to see which predicates were found and why".to_owned(),
                ],
            },
            Reason::NoPredicates => Explanation {
                reason: "a run of the abstraction is not one of the program, but no predicate was found that excludes it"
                    .to_owned(),
                advice: vec![
                    "--predicates FILE, or __CPROVER_predicate(e) in the source, with what must hold there".to_owned(),
                    "--dump DIR to see the run".to_owned(),
                    "another --solver".to_owned(),
                ],
            },
            Reason::Limit(property) => limit(program, *property),
            Reason::Approximate(property, note) => approximate(program, *property, *note),
            Reason::Under(note) => Explanation {
                reason: format!("no violation, but the source may do more: {}", note_text(program, *note)),
                advice: vec!["replace what is named there by something that is modelled, or give a --model for it".to_owned()],
            },
            Reason::LiveThreads(bound) => Explanation {
                reason: format!("safe as long as at most {} are alive at once, by a proof; with more, a counter wraps around", threads(*bound)),
                advice: vec![format!("--max-live-threads {} if there are never more", power(*bound))],
            },
            Reason::TooManyAlive => Explanation {
                reason: "a run violates a property, but more threads are alive at once in it than --max-live-threads says; none was found with fewer".to_owned(),
                advice: vec!["leave out --max-live-threads to see the run".to_owned()],
            },
            Reason::NotProved => not_proved(program, options),
        }
    }
}

/// That no more threads than these are alive.
pub(super) fn live_threads(bound: u128) -> String {
    format!("at most {} are alive at once (--max-live-threads)", threads(bound))
}

/// A number of threads in words.
pub(super) fn threads(number: u128) -> String {
    format!("{} {}", power(number), if number == 1 { "thread" } else { "threads" })
}

/// A number, as a power of two if it is a large one.
fn power(number: u128) -> String {
    if number.is_power_of_two() && number > 1024 {
        format!("2^{}", number.ilog2())
    } else {
        number.to_string()
    }
}

/// Where the work stood, and whether more of it has a chance.
fn stopped(program: &Program, stop: &Stop, options: &Options, outcome: &Outcome) -> Explanation {
    let mut advice = after_stop(stop, options);
    let doing = match outcome.doing {
        Doing::Starting => return Explanation { reason: stop.to_string(), advice },
        Doing::Abstracting => "asking what steps do to the predicates",
        Doing::Checking => "looking for a run of the abstraction",
        Doing::Simulating => "looking whether a run of the abstraction is real",
        Doing::Refining => "looking for predicates that exclude a run of the abstraction",
    };
    let reason = format!("{stop}; it was {doing}, in iteration {}", outcome.statistics.iterations);
    if let Some(similar) = similar(&outcome.recent) {
        let infix = Infix::for_people(program);
        let shown: Vec<String> = similar.iter().map(|term| format!("`{}`", infix.term(*term))).collect();
        let shown = shown.join(", ");
        // More of the same takes no end.
        advice.retain(|advice| !advice.contains("--timeout"));
        advice.insert(0, format!("--predicates FILE with a relation that says of all values what these say of one each: {shown}"));
    }
    Explanation { reason, advice }
}

/// Predicates among the last ones that differ in their numbers only.
fn similar(recent: &[Term]) -> Option<Vec<Term>> {
    let shape = |term: Term| {
        let literals = literals(term);
        let map = literals.into_iter().map(|literal| (literal, Term::bv(literal.width(), 0))).collect();
        term.substitute(&map)
    };
    let last = shape(*recent.last()?);
    let similar: Vec<Term> = recent.iter().copied().filter(|term| shape(*term) == last).collect();
    (similar.len() >= 3).then_some(similar)
}

/// The numbers in a term.
fn literals(term: Term) -> Vec<Term> {
    match term.as_bits() {
        Some(_) => vec![term],
        None => term.args().iter().flat_map(|arg| literals(*arg)).collect(),
    }
}

fn after_stop(stop: &Stop, options: &Options) -> Vec<String> {
    let smaller = || "--property for one property at a time".to_owned();
    match stop {
        Stop::Limit(Limit::Time) => vec!["a larger --timeout".to_owned(), smaller()],
        Stop::Limit(Limit::Memory) => vec!["a larger --memory-limit".to_owned(), smaller()],
        Stop::Limit(Limit::Interrupted) | Stop::Bug(_) => Vec::new(),
        Stop::Solver(_) => {
            vec![format!("another --solver than {}", options.solver), smaller()]
        }
        Stop::TooManyPredicates(_) => vec![smaller()],
        Stop::TooLarge(_) => vec!["a larger --max-transitions".to_owned(), smaller()],
        Stop::NoEvidence(_) => vec!["a larger --timeout".to_owned(), smaller()],
    }
}

/// A limit that an option raises names it.
fn limit(program: &Program, property: usize) -> Explanation {
    let property = program.properties.get(property);
    let named = property.map(|property| obstacles::options(&property.description)).unwrap_or_default();
    let described = property.map(|property| described(program, property));
    Explanation {
        reason: format!("the end of what is modelled is reachable: {}", described.unwrap_or_default()),
        advice: named.into_iter().map(obstacles::advice).collect(),
    }
}

fn approximate(program: &Program, property: usize, note: NoteId) -> Explanation {
    let name = program.properties.get(property).map(|property| property.name.as_str()).unwrap_or_default();
    Explanation {
        reason: format!("the run to {name} may not exist: {}", note_text(program, note)),
        advice: vec![
            "replace what is named there by something that is modelled, or give a --model for it".to_owned(),
        ],
    }
}

fn not_proved(program: &Program, options: &Options) -> Explanation {
    // The search does not say that it was stopped.
    if let Err(stop) = options.limits.check().map_err(Stop::from) {
        return Explanation { reason: stop.to_string(), advice: after_stop(&stop, options) };
    }
    if !options.few_threads {
        let engines: Vec<&str> = options.engines.iter().map(|engine| engine.name()).collect();
        return Explanation {
            reason: format!("neither a proof nor a violation was found by {}", engines.join(", ")),
            advice: vec!["leave out --engine: then all engines that suit the program are used".to_owned()],
        };
    }
    let threads = if program.pool.is_some() { options.search_threads.max(2) } else { 1 };
    let threads = if threads == 1 { "1 thread".to_owned() } else { format!("up to {threads} threads") };
    Explanation {
        reason: format!("no violation was found with {threads}; this is no proof"),
        advice: vec!["leave out --max-threads: then a proof is looked for".to_owned()],
    }
}

fn described(program: &Program, property: &Property) -> String {
    let place = place(program, property.position).map(|place| format!(" ({place})")).unwrap_or_default();
    format!("{}{place}: {}", property.name, property.description)
}
