//! Lazy abstraction against brute force: random programs with few threads, all configurations.
//!
//! What is called safe must have no violation, and the proof, written and read again, is accepted. Bugs were replayed. Where brute force has seen everything,
//! the answer must be there, but for limits and doubtful steps. What a proof says about places must hold in every state that the interpreter reaches. `cseq` and the loop of `monabs` must
//! not disagree. `ENGINES_DIFFERENTIAL=5000` looks at that many programs, with all configurations; `ENGINES_FROM=1000` begins with another one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::lower;
use frontend::program::Program;
use frontend::program::interpret::{Exploration, ExploreOptions, explore};
use frontend::program::text::print as show;
use frontend::reduce::{self, reduce};
use frontend::translate::translate_text;
use impara::check::check;
use impara::explain::Interpolants;
use impara::modular::pair;
use impara::places::{Place, places};
use impara::proof::Proof;
use impara::{Options, Order, Reduction, Unknown, Verdict, verify};
use smt::{Config, SolverChoice, Term};
use tests::programs::{creators, states};

fn seeds(few: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let first = number("ENGINES_FROM").unwrap_or(0);
    first..first + number("ENGINES_DIFFERENTIAL").unwrap_or(few)
}

/// Each part switched off, one after the other, and some together.
fn configurations() -> Vec<(&'static str, Options)> {
    let all = Options { max_threads: 4, max_nodes: 400, ..Options::default() };
    let base = Options { modular: false, ..all.clone() };
    vec![
        ("default", all),
        ("tree", base.clone()),
        ("no force", Options { force_limit: 0, ..base.clone() }),
        ("no reduction", Options { reduction: Reduction::None, ..base.clone() }),
        ("static", Options { reduction: Reduction::Static, force_limit: 1, ..base.clone() }),
        ("bfs", Options { order: Order::BreadthFirst, ..base.clone() }),
        ("spacer", Options { interpolants: Interpolants::Spacer, max_nodes: 60, ..base.clone() }),
        ("contexts", Options { context_bound: Some(2), ..base.clone() }),
        ("bfs, no force", Options { order: Order::BreadthFirst, force_limit: 0, ..base }),
    ]
}

#[derive(Default, Debug)]
struct Count {
    safe: usize,
    bugs: usize,
    open: usize,
    covers: usize,
    by_alias: usize,
    /// Proofs without a tree.
    modular: usize,
    /// States in which something was claimed.
    states: usize,
    /// Answers of the other engines.
    others: usize,
    /// Why there is no answer.
    reasons: std::collections::BTreeMap<String, usize>,
}

/// Everything that few threads can do, if it could be tried.
fn brute(program: &Program) -> Option<Exploration> {
    let mut options = ExploreOptions::default();
    options.limits.states = 30_000;
    explore(program, 4, &options).ok()
}

fn examine(
    program: &Program,
    (name, options): &(&str, Options),
    seed: u64,
    expected: Option<&Exploration>,
    count: &mut Count,
) -> Option<bool> {
    let about = || format!("seed {seed}, {name}\n{}", show(program));
    let outcome = verify(program, options, false).unwrap_or_else(|error| panic!("{error} for {}", about()));
    count.covers += outcome.statistics.by_cover;
    count.by_alias += outcome.statistics.skipped_by_alias;
    match outcome.verdict {
        // It was replayed.
        Verdict::Bug(_) => {
            count.bugs += 1;
            Some(false)
        }
        Verdict::Safe(proof) => {
            count.safe += 1;
            count.modular += usize::from(proof.modular.is_some());
            let violated: Vec<&String> = expected.iter().flat_map(|found| found.violated.keys()).collect();
            assert!(violated.is_empty(), "safe, but {violated:?} for {}", about());
            let read = Proof::read(&proof.write(), program)
                .unwrap_or_else(|error| panic!("{error} for {}", about()));
            assert_eq!(read, proof, "{}", about());
            check(program, &read, &SolverChoice::default(), &Config::default())
                .unwrap_or_else(|error| panic!("{error} for {}\n{}", about(), proof.write()));
            count.states += in_all_states(program, &proof, &about);
            Some(true)
        }
        Verdict::Unknown(reason) => {
            count.open += 1;
            *count.reasons.entry(format!("{reason:?}")).or_default() += 1;
            let excused = matches!(
                reason,
                Unknown::Limit(_)
                    | Unknown::Doubtful(_)
                    | Unknown::Threads(_)
                    | Unknown::Nodes(_)
                    | Unknown::Obstacle(_)
                    | Unknown::Contexts(_)
                    | Unknown::Under(_)
            );
            assert!(excused, "{reason:?} for {}", about());
            None
        }
    }
}

/// What a proof says about places holds in all states that the interpreter reaches, or in so many of them; how many these were.
fn in_all_states(program: &Program, proof: &Proof, about: &dyn Fn() -> String) -> usize {
    const STATES: usize = 1500;
    let Some(places) = places(program, proof) else { return 0 };
    let mut count = 0;
    let modular = proof.modular.as_ref();
    // Threads of a tree start as soon as they are created.
    states::each(program, 4, modular.is_none(), STATES, |seen| {
        let locations = seen.locations();
        if modular.is_none() && seen.waits() {
            return;
        }
        count += 1;
        let all = modular.is_none().then(|| seen.of_all());
        for (thread, &location) in locations.iter().enumerate() {
            if modular.is_none() && Some(location) == program.pool {
                continue;
            }
            let is_here =
                |place: &&Place| place.location == location && place.thread.is_none_or(|of| of == thread);
            let model = all.clone().unwrap_or_else(|| seen.of_thread(thread));
            let holds = |label: &Vec<Term>| label.iter().all(|part| model.satisfies(*part).unwrap());
            let place = places.iter().find(is_here);
            let is_right = place.is_some_and(|place| place.labels.iter().any(holds));
            assert!(is_right, "thread {thread} of {locations:?}: {place:?}\n{model:?}\n{}", about());
            for other in &locations[..thread] {
                let is_together =
                    modular.is_none_or(|found| found.together.contains(&pair(*other, location)));
                assert!(is_together, "{other:?} and {location:?} for {}", about());
            }
        }
    });
    count
}

/// What the other engines say, each with little effort.
fn others(program: &Program) -> Vec<(&'static str, bool)> {
    let mut answers = Vec::new();
    let options = cseq::Options { threads: 4, ..cseq::Options::default() };
    let mut questions = 0;
    let bounded = cseq::verify(program, &options, &Config::default(), &mut |_, _| {
        questions += 1;
        questions < 4
    });
    match bounded.map(|outcome| outcome.verdict) {
        Ok(cseq::Verdict::Bug(_)) => answers.push(("cseq", false)),
        Ok(cseq::Verdict::Safe(_)) => answers.push(("cseq", true)),
        _ => {}
    }
    let options =
        monabs::Options { iterations: 6, max_transitions: 5_000, threads: 1, ..monabs::Options::alone() };
    match monabs::verify(program, &options, &mut monabs::verify::Nobody).map(|outcome| outcome.verdict) {
        Ok(monabs::Verdict::Unsafe(_)) => answers.push(("monabs", false)),
        Ok(monabs::Verdict::Safe(_)) => answers.push(("monabs", true)),
        _ => {}
    }
    answers
}

/// One program with all configurations in long runs, with two otherwise.
fn compare(program: &Program, seed: u64, count: &mut Count) {
    let expected = brute(program);
    let all = configurations();
    let is_long = std::env::var_os("ENGINES_DIFFERENTIAL").is_some();
    let rotating = 1 + seed as usize % (all.len() - 1);
    let mut answers = Vec::new();
    for (number, configuration) in all.iter().enumerate() {
        if is_long || number == 0 || number == rotating {
            let answer = examine(program, configuration, seed, expected.as_ref(), count);
            answers.extend(answer.map(|answer| (configuration.0, answer)));
        }
    }
    if is_long || seed.is_multiple_of(5) {
        let others = others(program);
        count.others += others.len();
        answers.extend(others);
    }
    if let Some(found) = &expected {
        let is_error = |name: &String| {
            let kind = program.properties.iter().find(|property| property.name == *name).map(|one| one.kind);
            kind.is_some_and(|kind| kind != frontend::program::PropertyKind::Limit)
        };
        answers.extend(found.violated.keys().any(is_error).then_some(("brute force", false)));
    }
    let is_agreed = answers.iter().all(|(_, answer)| *answer == answers[0].1);
    assert!(is_agreed, "seed {seed}: {answers:?}\n{}", show(program));
}

#[test]
fn programs_that_create_threads() {
    let mut count = Count::default();
    for seed in seeds(30) {
        compare(&creators::program(seed, !seed.is_multiple_of(3)), seed, &mut count);
    }
    println!("{count:?}");
    assert!(count.safe > 10 && count.bugs > 10 && count.covers > 0, "{count:?}");
    assert!(count.modular > 0 && count.states > 100 && count.others > 0, "{count:?}");
    assert!(count.open < count.safe + count.bugs, "{count:?}");
}

#[test]
fn random_c() {
    let mut count = Count::default();
    for seed in seeds(4) {
        let text = tests::random_threads::program(seed);
        let program = translate_text("random.c", &text, &lower::Options::default(), &[]).unwrap().program;
        let (program, _) = reduce(program, &reduce::Options::default());
        compare(&program, seed, &mut count);
    }
    println!("{count:?}");
    assert!(count.safe + count.bugs > 0, "{count:?}");
}
