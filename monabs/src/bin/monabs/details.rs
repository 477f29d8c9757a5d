//! What the page of `--html` shows beside the answer: predicates, what holds where, and how the loop went.
//!
//! What holds at a location comes from the abstraction: its thread states are all that a thread can be in together with the shared state, whatever the
//! others do, and those that the proof of uncoverability excludes are left out.

use super::statistics;
use super::watch::Round;
use breach::proof::Proof;
use breach::system::State;
use console::plural;
use frontend::program::{LocationId, Program};
use impara::places;
use monabs::abstraction::Bits;
use monabs::abstraction::system::Abstraction;
use monabs::predicate::{self, Class};
use monabs::scope::Extent;
use monabs::verify::Evidence;
use monabs::{Outcome, Verdict};
use report::Job;
use report::html::{Curve, Details, Formula, Invariant, Invariants, Predicate};
use smt::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// More states of threads are not described.
const MOST: usize = 100_000;

/// Everything that the page can show.
pub(super) fn details(
    job: &Job<'_>,
    outcome: &Outcome,
    rounds: &[Round],
    check: Option<Duration>,
    total: Duration,
) -> Details {
    let mut predicates = match &outcome.verdict {
        Verdict::Safe(Evidence::Tree(proof)) => Predicate::of_labels(proof.labels()),
        _ => Vec::new(),
    };
    // An answer that came without the loop has nothing to do with its predicates.
    let is_by_loop = matches!(outcome.verdict, Verdict::Safe(Evidence::Proof(_)) | Verdict::Unknown(_));
    let chosen = outcome.chosen.iter().filter(|_| is_by_loop);
    for id in chosen {
        let predicate = outcome.store.get(id);
        let (class, formula) = (predicate.class.to_string(), formula(predicate));
        if predicates.iter().all(|known| known.formula != formula) {
            predicates.push(Predicate { class, formula });
        }
    }
    let times = statistics::times(job.loaded, &outcome.statistics, check, total);
    Details {
        glossary: if is_by_loop { glossary(&job.loaded.program, outcome) } else { Vec::new() },
        predicates,
        invariants: invariants(&job.loaded.program, outcome),
        curves: curves(rounds),
        times: times.into_iter().map(|(name, time)| (name.to_owned(), time)).collect(),
        figures: figures(outcome),
    }
}

/// A predicate with those that it speaks of.
fn formula(predicate: &predicate::Predicate) -> Formula {
    let among = match (predicate.class, predicate.extent) {
        (Class::InterThread, Extent::Live) => "that may still use the variable",
        (Class::InterThread, Extent::Assigned) => "that have given it a value",
        (Class::InterThread, Extent::Counted(_)) => "that hold a ticket",
        _ => "",
    };
    Formula { term: predicate.term, among }
}

/// What added variables count, if predicates speak of them.
pub(super) fn glossary(program: &Program, outcome: &Outcome) -> Vec<(String, String)> {
    let names = outcome.predicates.iter().flat_map(|(_, term)| term.constants());
    let names: BTreeSet<String> =
        names.filter_map(Term::as_constant).map(|name| name.as_str().to_owned()).collect();
    let counted = outcome.counts.iter().filter(|(name, _)| names.contains(name.as_str()));
    counted.map(|(name, locations)| (name.to_string(), part(program, locations))).collect()
}

/// The lines of some locations.
fn part(program: &Program, locations: &BTreeSet<LocationId>) -> String {
    let places = locations.iter().filter_map(|location| program.locations.get(location.index()));
    let lines: BTreeMap<(u32, u32), String> = places
        .filter(|location| location.position.is_some())
        .map(|location| {
            ((location.position.file.0, location.position.line), location.position.line.to_string())
        })
        .collect();
    let list: Vec<String> = lines.into_values().collect();
    match list.len() {
        0 => "the number of threads in a part of the program".to_owned(),
        1 => format!("the number of threads in line {}", list[0]),
        _ => format!("the number of threads in lines {}", list.join(", ")),
    }
}

fn invariants(program: &Program, outcome: &Outcome) -> Invariants {
    match (&outcome.verdict, &outcome.abstraction) {
        (Verdict::Safe(Evidence::Proof(_)), Some(abstraction)) if abstraction.template.occurring.len() > MOST => {
            Invariants::Unknown("the abstraction has too many states to describe them".to_owned())
        }
        (Verdict::Safe(Evidence::Proof(proof)), Some(abstraction)) => {
            Invariants::Known(per_location(program, outcome, abstraction, proof))
        }
        (Verdict::Safe(Evidence::Exhausted(_) | Evidence::Orders(_)), _) => Invariants::Unknown(
            "all states were seen one by one, and no formula was needed; `--no-search` asks for a proof with predicates".to_owned(),
        ),
        (Verdict::Safe(Evidence::Bounded(_)), _) => Invariants::Unknown(
            "one formula about all schedules has no solution, and none about single places was needed; `--no-search` asks for a proof with \
             predicates"
                .to_owned(),
        ),
        (Verdict::Safe(Evidence::Tree(proof)), _) => of_tree(program, proof),
        _ => Invariants::default(),
    }
}

/// What the tree of impara says.
fn of_tree(program: &Program, proof: &impara::proof::Proof) -> Invariants {
    let Some(places) = places::places(program, proof) else {
        return Invariants::Unknown(
            "the proof lets threads go first where nobody sees it, and says nothing about the states that this leaves out".to_owned(),
        );
    };
    let known = places.iter().map(|place| {
        let labels: Vec<&[Term]> = place.labels.iter().map(Vec::as_slice).collect();
        Invariant::of_labels(place.location, place.thread, &labels)
    });
    Invariants::Known(known.collect())
}

/// The thread states of each location, as values of predicates.
fn per_location(
    program: &Program,
    outcome: &Outcome,
    abstraction: &Abstraction,
    proof: &Proof,
) -> Vec<Invariant> {
    let (template, store, chosen) = (&abstraction.template, &outcome.store, &outcome.chosen);
    // The proof may exclude a shared state, or one with a thread in it.
    let excluded: BTreeSet<&State> =
        proof.elements.iter().filter(|element| element.threads.size() <= 1).collect();
    let is_possible = |shared: u32, local: u32| {
        !excluded.contains(&State::new(shared, [])) && !excluded.contains(&State::new(shared, [local]))
    };
    let mut pairs: BTreeMap<LocationId, Vec<(u32, u32)>> = BTreeMap::new();
    for &(shared, local) in template.occurring.iter().filter(|(shared, local)| is_possible(*shared, *local)) {
        pairs.entry(template.locals[local as usize].location).or_default().push((shared, local));
    }
    let holds = |bits: Bits, bit: usize| bits.checked_shr(bit as u32).is_some_and(|bits| bits & 1 == 1);
    let mut invariants = Vec::new();
    // Counting threads tells apart where they end; the program does not have these locations.
    let known = pairs.into_iter().filter(|(location, _)| location.index() < program.locations.len());
    for (location, pairs) in known {
        let thread: Vec<usize> = (0..chosen.thread.len())
            .filter(|bit| store.get(chosen.thread[*bit]).in_scope(location))
            .collect();
        let own = thread.iter().map(|bit| &chosen.thread[*bit]);
        let formulas = chosen.shared.iter().chain(own).map(|id| formula(store.get(*id))).collect();
        let rows: BTreeSet<Vec<Option<bool>>> = pairs
            .iter()
            .map(|(shared, local)| {
                let (global, bits) =
                    (template.shared[*shared as usize], template.locals[*local as usize].bits);
                let shared = (0..chosen.shared.len()).map(|bit| Some(holds(global, bit)));
                shared.chain(thread.iter().map(|bit| Some(holds(bits, *bit)))).collect()
            })
            .collect();
        invariants.push(Invariant { location, thread: None, formulas, rows: rows.into_iter().collect() });
    }
    invariants
}

fn curves(rounds: &[Round]) -> Vec<Curve> {
    let curve = |title: &str, unit, value: &dyn Fn(&Round) -> f64| Curve {
        title: title.to_owned(),
        over: "iteration".to_owned(),
        points: rounds.iter().map(value).collect(),
        unit,
    };
    if rounds.is_empty() {
        return Vec::new();
    }
    let mut before = 0.0;
    let mut seconds = Vec::new();
    for round in rounds {
        let now = round.abstracted.as_secs_f64();
        seconds.push(now - before);
        before = now;
    }
    let time = Curve {
        title: "Seconds up to the next abstraction".to_owned(),
        over: "iteration".to_owned(),
        points: seconds,
        unit: " s",
    };
    vec![
        curve("Predicates", "", &|round| round.predicates as f64),
        curve("Abstract states", "", &|round| round.states as f64),
        curve("Abstract transitions", "", &|round| round.transitions as f64),
        time,
    ]
}

fn figures(outcome: &Outcome) -> Vec<(String, String)> {
    let statistics = &outcome.statistics;
    let mut figures: Vec<(String, String)> = Vec::new();
    let mut row = |name: &str, value: String| figures.push((name.to_owned(), value));
    match &outcome.verdict {
        Verdict::Safe(Evidence::Exhausted(exhausted)) => {
            row("threads that were run", exhausted.threads.to_string());
            row("states that were seen", exhausted.states.to_string());
        }
        Verdict::Safe(Evidence::Orders(orders)) => {
            row("threads", orders.threads.to_string());
            row("states that were seen", orders.states.to_string());
        }
        Verdict::Safe(Evidence::Bounded(explored)) => {
            row("threads", explored.threads.to_string());
            row("turns of each", explored.rounds.to_string());
        }
        Verdict::Safe(Evidence::Tree(proof)) if proof.modular.is_some() => {}
        Verdict::Safe(Evidence::Tree(proof)) => {
            row("threads", proof.threads().to_string());
            row("nodes of the tree", proof.nodes.len().to_string());
        }
        Verdict::Safe(Evidence::Proof(_)) => {
            row("iterations", statistics.iterations.to_string());
            row("elements of the proof", statistics.proof_size.to_string());
            row("threads in an element", format!("at most {}", statistics.proof_threads));
        }
        Verdict::Unsafe(_) => {}
        Verdict::Unknown(_) => row("tried", plural(statistics.iterations, "iteration")),
    }
    if statistics.questions.solver > 0 {
        row("questions to the solver", statistics.questions.solver.to_string());
    }
    figures
}
