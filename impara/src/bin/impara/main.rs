//! The `impara` program: what users type, and what they get.

mod args;

use args::{Cli, Command, InterpolantsArg, MainArgs, PorArg, SearchArg};
use clap::CommandFactory as _;
use console::args::InputArgs;
use console::deadline::{Deadline, GRACE};
use console::input::{Loaded, Stage, read_text};
use console::outputs::Output;
use console::report::Report;
use console::runs::{self, Recorded};
use console::verdict::Verdict;
use console::{Console, Failure, Result, Tool, assumptions, exit, notes, panics};
use frontend::parse::on_large_stack;
use frontend::preprocess::display_name;
use impara::explain::Interpolants;
use impara::proof::Proof;
use impara::{Options, Order, Outcome, Reduction};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Who we are.
const TOOL: Tool = Tool { name: "impara", version: env!("CARGO_PKG_VERSION"), command: Cli::command };

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            let failure = Failure::from(console::usage::explain(&TOOL, error));
            return failure.report(&TOOL, &Console::plain()).into();
        }
    };
    let console = match &cli.command {
        None => Console::open(&cli.main.console),
        Some(Command::Check { console, .. }) => Console::open(console),
    };
    // Programs nest as deep as their source: everything runs where there is room for that.
    let result = panics::catch(|| on_large_stack(|| run(&cli, console)));
    result.unwrap_or_else(|failure| failure.report(&TOOL, &console)).into()
}

fn run(cli: &Cli, console: Console) -> Result {
    match &cli.command {
        None => verify(&cli.main, console),
        Some(Command::Check { proof, input, .. }) => check(proof, input, console),
    }
}

fn load(input: &InputArgs, console: Console) -> Result<Loaded> {
    console::usage::check_program(input)?;
    Loaded::load(input, &Stage::Reduced(frontend::reduce::Options::default()), console, |_| Ok(()))
}

/// `impara FILE`.
fn verify(args: &MainArgs, console: Console) -> Result {
    let start = Instant::now();
    let mut report = Report::new(&TOOL, console, &display_name(args.input.path()), false);
    let deadline = Deadline::start(args.search.timeout, GRACE, report.clone());
    let outputs = [&args.output.proof, &args.output.dot];
    let [proof, dot] = outputs.map(|path| path.as_deref().map(Output::open).transpose());
    let (proof, dot) = (proof?, dot?);
    deadline.note_created(proof.iter().chain(&dot).filter_map(Output::created));
    let loaded = load(&args.input, console)?;
    console.remarks(&notes::inexact(&loaded));
    let mut options = options(args);
    options.deadline = deadline.left().map(|left| Instant::now() + left);
    options.config.time_limit = deadline.left();
    let outcome = impara::verify(&loaded.program, &options, dot.is_some());
    let outcome = outcome.map_err(|error| Failure::Internal(error.to_string()))?;
    deadline.claim();
    if args.output.stats {
        let time = start.elapsed().as_secs_f64();
        report.statistics = format!("{}time: {time:.2} s\n", outcome.statistics.text());
    }
    if let (Some(output), Some(drawing)) = (dot, &outcome.dot) {
        output.write(drawing)?;
    }
    if let (Some(output), impara::Verdict::Safe(found)) = (proof, &outcome.verdict) {
        output.write(&found.write())?;
    }
    answer(&mut report, &loaded, &outcome, args.input.assumptions.strict)?;
    report.print()
}

fn options(args: &MainArgs) -> Options {
    let mut options = Options::default();
    let search = &args.search;
    options.reduction = match search.por {
        Some(PorArg::None) => Reduction::None,
        Some(PorArg::Static) => Reduction::Static,
        Some(PorArg::Monotonic) | None => Reduction::Monotonic,
    };
    options.force_limit = search.force_limit.unwrap_or(if search.no_force { 0 } else { options.force_limit });
    options.prune = !search.no_prune;
    options.context_bound = search.context_bound;
    if search.search == Some(SearchArg::Bfs) {
        options.order = Order::BreadthFirst;
    }
    if search.interpolants == Some(InterpolantsArg::Spacer) {
        options.interpolants = Interpolants::Spacer;
    }
    options.max_threads = search.max_threads.unwrap_or(options.max_threads);
    options.max_nodes = search.max_nodes.unwrap_or(options.max_nodes);
    options
}

fn answer(report: &mut Report, loaded: &Loaded, outcome: &Outcome, strict: bool) -> Result<()> {
    let program = &loaded.program;
    let (verdict, assumed) = match &outcome.verdict {
        impara::Verdict::Safe(proof) => {
            report.text.push_str(&format!("a proof of {}\n", console::report::plural(proof.nodes.len(), "node")));
            (Verdict::Successful, assumptions::of_proof(program))
        }
        impara::Verdict::Bug(bug) => {
            let goal = program.properties[bug.property].name.clone();
            let recorded =
                Recorded::new(program, Some(goal), bug.run.clone()).map_err(Failure::Internal)?;
            let assumed = assumptions::of_run(program, &recorded);
            report.text.push_str(&runs::text(&[recorded]));
            (Verdict::Failed, assumed)
        }
        impara::Verdict::Unknown(reason) => (Verdict::Unknown(reason.text(program)), Vec::new()),
    };
    let verdict = assumptions::judge(verdict, &assumed, program, strict);
    report.result.push_str(&assumptions::text(program, &assumed));
    report.verdict = Some(verdict);
    Ok(())
}

/// `impara check`.
fn check(path: &Path, input: &InputArgs, console: Console) -> Result {
    let text = read_text(path)?;
    let loaded = load(input, console)?;
    let name = display_name(path);
    let proof = Proof::read(&text, &loaded.program).map_err(|message| Failure::about_file(&*name, message))?;
    let options = Options::default();
    match impara::check::check(&loaded.program, &proof, &options.solver, &options.config) {
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
