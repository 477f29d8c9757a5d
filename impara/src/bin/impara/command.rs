//! `impara FILE`: verify, check the answer, print it. `impara check PROOF FILE`: judge a proof.

use super::args::{CheckArgs, InterpolantsArg, MainArgs, PorArg, SearchArg, SearchArgs};
use super::{TOOL, details};
use console::input::{Loaded, Stage, read_text};
use console::outputs::Output;
use console::report::Report;
use console::statistics::Table;
use console::{Console, Failure, Result, exit, plural};
use engine::document::{Head, Lines, OTHER_PROGRAM, is_document, printed};
use engine::limits::Limit;
use frontend::preprocess::display_name;
use frontend::program::Program;
use frontend::program::infix::Infix;
use impara::divergence::repeated;
use impara::explain::Interpolants;
use impara::proof::Proof;
use impara::{Options, Order, Outcome, Reduction, Statistics, Unknown, Verdict, verify};
use report::answer::{Answer, Found};
use report::outputs::{why_not, write_or_note};
use report::proof::changed;
use report::usage::{check_lists, check_paths};
use report::{Job, Task, assumed, task};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// Files that only this program writes.
struct Files {
    proof: Option<Output>,
    dot: Option<Output>,
}

/// Runs the command.
pub(super) fn run(mut args: MainArgs, console: Console) -> Result {
    let common = std::mem::take(&mut args.task);
    let (proof, dot) = (args.search.proof.as_deref(), args.search.dot.as_deref());
    check_lists(&common, &[(proof.is_some(), "--proof"), (dot.is_some(), "--dot")])?;
    check_paths(&common, &[], &[("--proof", proof), ("--dot", dot)])?;
    let open = |path: &Option<std::path::PathBuf>| path.as_deref().map(Output::open).transpose();
    let files = Files { proof: open(&args.search.proof)?, dot: open(&args.search.dot)? };
    let options = options(&args.search);
    Task::default().run(
        &TOOL,
        common,
        console,
        |_| Ok(()),
        |job, report, watch| work(options, job, report, watch, files),
    )
}

fn options(args: &SearchArgs) -> Options {
    let mut options = Options::default();
    options.reduction = match args.por {
        Some(PorArg::None) => Reduction::None,
        Some(PorArg::Static) => Reduction::Static,
        Some(PorArg::Monotonic) | None => Reduction::Monotonic,
    };
    options.force_limit = args.force_limit.unwrap_or(if args.no_force { 0 } else { options.force_limit });
    options.prune = !args.no_prune;
    // Whoever asks for the tree wants one.
    options.modular = !args.no_modular && args.dot.is_none();
    options.context_bound = args.context_bound;
    if args.search == Some(SearchArg::Bfs) {
        options.order = Order::BreadthFirst;
    }
    if args.interpolants == Some(InterpolantsArg::Spacer) {
        options.interpolants = Interpolants::Spacer;
    }
    options.max_threads = args.max_threads.unwrap_or(options.max_threads);
    options.max_nodes = args.max_nodes.unwrap_or(options.max_nodes);
    options
}

fn work(
    mut options: Options,
    job: &Job<'_>,
    report: &mut Report,
    task: task::Watch<'_>,
    files: Files,
) -> Result<()> {
    let program = &job.loaded.program;
    let over = AtomicBool::new(false);
    task.deadline.progress().show(|| "unwinding the program into a tree of labelled nodes".to_owned());
    let outcome = task.limits.watched(&over, |interrupt| {
        options.config.interrupt = interrupt.clone();
        verify(program, &options, files.dot.is_some())
    });
    let outcome = outcome.map_err(|error| Failure::Internal(error.to_string()))?;
    let limit = task.limits.check().err();
    let found = match &outcome.verdict {
        Verdict::Bug(bug) => Found::Unsafe(bug.clone()),
        Verdict::Safe(proof) => {
            let words = match &proof.modular {
                Some(_) => format!("{}, whatever other threads do\n", proof.summary()),
                None => {
                    let threads = plural(outcome.statistics.threads, "thread");
                    format!("a complete tree of {} for {threads}\n", plural(proof.nodes.len(), "node"))
                }
            };
            Found::Safe { proof: words, assumed: assumed::by_proof(job, &task.limits) }
        }
        Verdict::Unknown(why) => unknown(program, why, &outcome, limit),
    };
    let mut answer = Answer::new(job, found)?;
    answer.why = why(&outcome);
    let checked = if job.args.evidence.check { check_again(job, &outcome, &answer)? } else { None };
    task.deadline.claim();
    answer.fill(job, report, checked.as_deref());
    if job.args.output.stats {
        report.statistics = statistics(job.loaded, &outcome, task.limits.elapsed());
        report.field("statistics", || numbers(&outcome.statistics));
    }
    if let Some(output) = files.dot {
        write_or_note(output, outcome.dot.clone(), "tree", "there is none", job.console)?;
    }
    if let Some(output) = files.proof {
        let proof = match &outcome.verdict {
            Verdict::Safe(proof) => Some(report::proof::text(job, &answer, &proof.section())),
            _ => None,
        };
        write_or_note(output, proof, "proof", why_not(&answer), job.console)?;
    }
    let details = || details::details(job.loaded, &outcome, task.limits.elapsed());
    task.outputs.write(job, &answer, details, impara::observed::claims)
}

/// `--explain`: what the tree shows, in sentences.
fn why(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Bug(_) => String::new(),
        Verdict::Safe(proof) if proof.modular.is_some() => {
            "Each location has formulas about the shared variables and about those of the thread that is there. They hold at the beginning, every step of a \
             thread leads to those of its next location, and no step of another thread that can be made meanwhile breaks them; where errors are, they \
             cannot hold."
                .to_owned()
        }
        Verdict::Safe(proof) => format!(
            "The program was unwound into a tree of {} for {}, each with a formula over the variables. No open node is left: every one is expanded, has \
             no state, or has only states that an older node has, too, and no error is in the tree.",
            plural(proof.nodes.len(), "node"),
            plural(outcome.statistics.threads, "thread")
        ),
        Verdict::Unknown(_) => "The tree that the program was unwound into is not complete.".to_owned(),
    }
}

fn statistics(loaded: &Loaded, outcome: &Outcome, total: std::time::Duration) -> String {
    let mut text = outcome.statistics.text();
    let mut table = Table(&mut text);
    loaded.times.iter().for_each(|(name, time)| table.time(name, *time));
    table.time("in total", total);
    if let Some(bytes) = terminal::memory::peak() {
        table.row("peak memory", format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)));
    }
    text
}

/// The numbers for `--json`.
fn numbers(statistics: &Statistics) -> Value {
    json!({
        "nodes": statistics.nodes,
        "by_cover": statistics.by_cover,
        "refinements": statistics.refinements,
        "covers": statistics.covers,
        "forced": statistics.forced.0,
        "force_attempts": statistics.forced.1,
        "skipped": statistics.skipped,
        "skipped_by_alias": statistics.skipped_by_alias,
        "implications": statistics.implications.solver,
        "threads": statistics.threads,
        "depth": statistics.depth,
    })
}

fn unknown(program: &Program, why: &Unknown, outcome: &Outcome, limit: Option<Limit>) -> Found {
    let mut advice = Vec::new();
    let reason = match (why, limit) {
        (Unknown::Stopped | Unknown::Path, Some(limit)) => limit.to_string(),
        (Unknown::Threads(_), _) => format!("{}; --max-threads allows more", why.text(program)),
        (Unknown::Nodes(_), _) => format!("{}; --max-nodes allows more", why.text(program)),
        _ => why.text(program),
    };
    match why {
        Unknown::Stopped | Unknown::Nodes(_) | Unknown::Path => {
            advice.push("--interpolants spacer, which finds other formulas".to_owned());
            advice.push("cseq, which looks for bugs within bounds".to_owned());
        }
        Unknown::Obstacle(_) | Unknown::Threads(_) => {
            advice.push("monabs, which proves programs with any number of threads".to_owned());
        }
        _ => {}
    }
    let infix = Infix::for_people(program);
    if let Some((formula, count)) = repeated(&outcome.longest).first() {
        advice.insert(
            0,
            format!(
                "a smaller bound of the loop that counts: {count} formulas on the longest path differ from `{}` in numbers only",
                infix.term(*formula)
            ),
        );
    }
    let known: String = outcome.longest.iter().map(|part| format!("  {}\n", infix.term(*part))).collect();
    let known = if known.is_empty() { known } else { format!("formulas on the longest path:\n{known}") };
    Found::Unknown { reason, advice, known }
}

/// `--check`: a run is read from its text and replayed, a proof is read from its text and judged.
fn check_again(job: &Job<'_>, outcome: &Outcome, answer: &Answer<'_>) -> Result<Option<String>> {
    match &outcome.verdict {
        Verdict::Bug(_) => answer.check_run(&job.loaded.name).map(Some),
        Verdict::Unknown(_) => Ok(None),
        Verdict::Safe(proof) => {
            let program = &job.loaded.program;
            let read = Proof::read(&proof.write(), program)
                .map_err(|message| Failure::Internal(format!("the proof cannot be read again: {message}")))?;
            judge(program, &read).map_err(|rejected| {
                Failure::Internal(format!("the proof that was found is none: {rejected}"))
            })?;
            Ok(Some(format!("{}, read from text", read.summary())))
        }
    }
}

fn judge(program: &Program, proof: &Proof) -> std::result::Result<(), impara::check::Rejected> {
    let options = Options::default();
    impara::check::check(program, proof, &options.solver, &options.config)
}

/// `impara check`.
pub(super) fn check(args: &CheckArgs, console: Console) -> Result {
    let text = read_text(&args.proof)?;
    let stage = Stage::Reduced(frontend::reduce::Options::default());
    let loaded = Loaded::load(&args.input, &stage, console, |_| Ok(()))?;
    let name = display_name(&args.proof);
    let (head, proof) =
        read(&text, &loaded.program).map_err(|message| Failure::about_file(&*name, message))?;
    let is_other = !head.program.is_empty() && head.program != printed(&loaded.program);
    let other = is_other.then(|| OTHER_PROGRAM.to_owned());
    if let Some(words) = other.or_else(|| changed(&head, &args.input)) {
        console::console::print(&format!("PROOF REJECTED: {words}\n"))?;
        return Ok(exit::REJECTED);
    }
    match judge(&loaded.program, &proof) {
        Ok(()) => {
            console::console::print("PROOF ACCEPTED\n")?;
            Ok(exit::SUCCESSFUL)
        }
        Err(rejected) => {
            console::console::print(&format!("PROOF REJECTED: {rejected}\n"))?;
            Ok(exit::REJECTED)
        }
    }
}

/// A proof, alone or in the file that all programs write.
fn read(text: &str, program: &Program) -> std::result::Result<(Head, Proof), String> {
    if !is_document(text) {
        return Ok((Head::default(), Proof::read(text, program)?));
    }
    let mut lines = Lines::new(text);
    let found = Head::read(&mut lines).and_then(|head| match lines.rest("kind ") {
        Some("tree") => Ok((head, lines.section("tree")?)),
        Some(other) => {
            let kind = other.split(' ').next().unwrap_or(other);
            Err(format!("this is a proof by {kind}, which 'monabs check' judges"))
        }
        None => Err("the kind of the proof is missing".to_owned()),
    });
    let (head, tree) = found.map_err(|message| lines.here(message))?;
    lines.end().map_err(|message| lines.here(message))?;
    Ok((head, Proof::read(&tree, program)?))
}
