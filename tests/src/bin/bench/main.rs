//! Measures the release `breach` and `monabs` from outside, as a user would run them. `scripts/bench` builds and calls this.
//!
//! - [`coverability`]: a set of systems with known answers: time, memory, sizes of proofs, a check of every answer.
//! - [`algorithms`]: the same set with parts switched off: which part earns its keep?
//! - [`scale`]: random systems of growing size.
//! - [`thesis`], [`table7`], [`figures`]: the programs of the thesis, its numbers beside ours, and its drawings anew.
//! - [`proofs`]: proving the programs of the thesis, and checking the proofs.
//! - [`svcomp`]: local copies of task folders of SV-COMP, with points.
//! - [`programs`]: whole programs: translated or not, limits by kind, races.
//! - [`cseq`]: bounded search with the bounds of a published table; [`impara`]: the tables of another paper.
//! - [`edges`]: abstraction time against the number of edges of a program.
//!
//! - [`set`], [`csv`], [`task`], [`yaml`]: what is read.   [`process`], [`tool`], [`monabs`]: what is run.
//! - [`summary`], [`score`], [`done`]: what comes of it.
//! - [`table`], [`report`], [`plot`], [`svg`]: what is written.   [`machine`]: where it was measured.
//!
//! Children run one after the other, so that none disturbs another one's time; only [`svcomp`] counts more than it measures.

mod algorithms;
mod coverability;
mod cseq;
mod csv;
mod done;
mod edges;
mod figures;
mod growth;
mod impara;
mod machine;
mod monabs;
mod plot;
mod process;
mod programs;
mod proofs;
mod report;
mod scale;
mod score;
mod set;
mod summary;
mod svcomp;
mod svg;
mod table;
mod table7;
mod task;
mod thesis;
mod tool;
mod yaml;

use clap::{Args, Parser, Subcommand};
use report::Results;
use std::path::PathBuf;
use std::process::ExitCode;
use tool::Tool;

/// Measures breach and monabs
#[derive(Parser, Debug)]
#[command(name = "bench")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// The breach to measure (default: the one beside this program)
    #[arg(long, global = true, value_name = "FILE")]
    breach: Option<PathBuf>,
    /// The asyncc to measure (default: the one beside this program)
    #[arg(long, global = true, value_name = "FILE")]
    asyncc: Option<PathBuf>,
    /// The cseq to measure (default: the one beside this program)
    #[arg(long, global = true, value_name = "FILE")]
    cseq: Option<PathBuf>,
    /// The impara to measure (default: the one beside this program)
    #[arg(long, global = true, value_name = "FILE")]
    impara: Option<PathBuf>,
    /// The monabs to measure (default: the one beside this program)
    #[arg(long, global = true, value_name = "FILE")]
    monabs: Option<PathBuf>,
    /// Where results go (default, in the repository: target/bench for thesis, proofs, svcomp, programs and edges, otherwise bench-results)
    #[arg(long, global = true, value_name = "DIR", alias = "results")]
    out: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Time, memory and checked answers on a set of systems with known answers
    Coverability(SetArgs),
    /// The same set by each algorithm and with parts of the tool switched off
    Algorithms(SetArgs),
    /// Time and memory on random systems of growing size
    Scale(ScaleArgs),
    /// The programs of the thesis: its table 7 beside our numbers, and figures 22, 25 and 33
    Thesis(ThesisArgs),
    /// The safe programs of the thesis: time to prove, and to check the proofs
    Proofs(ProofsArgs),
    /// Task folders of SV-COMP: points, and wrong answers
    Svcomp(SvcompArgs),
    /// Whole programs, each in one file: translated or not, time, memory, limits by kind, races
    Programs(ProgramsArgs),
    /// Violations of SV-COMP with the bounds of table 4.1 of the thesis on lazy sequentialization
    Cseq(CseqArgs),
    /// Tables I and II of the paper on Impact for threads: four configurations
    Impara(CseqArgs),
    /// Abstraction time of programs with more and more edges and the same predicates
    Edges(EdgesArgs),
}

/// Which systems, and how often.
#[derive(Args, Debug)]
struct SetArgs {
    /// A folder with index.csv and maybe reference.csv, or with systems whose first line is `# EXPECT: ..`
    /// (default: ../shared/bench where it exists, otherwise examples)
    dir: Option<PathBuf>,
    /// Only files whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// How often each system is run; the best time counts (default: 3 for coverability, 1 for algorithms)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// Seconds for each run (default: 60 for coverability, 10 for algorithms)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

/// How large.
#[derive(Args, Debug)]
struct ScaleArgs {
    /// The largest number of thread states
    #[arg(long, value_name = "N", default_value_t = 35_000)]
    most: u32,
    /// Random systems of each size
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    seeds: u32,
    /// Seconds for each run
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

/// Which programs.
#[derive(Args, Debug)]
struct ThesisArgs {
    /// Only files whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Seconds for each program
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Print table 7 only; do not draw figures 22, 25 and 33
    #[arg(long)]
    no_figures: bool,
    /// Seconds for each method of figure 33 and all abstractions of a program
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    method_limit: u32,
}

/// Which programs, and who checks.
#[derive(Args, Debug)]
struct ProofsArgs {
    /// Only files whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Seconds for each program; checking its proof may take twice as long
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Check each proof with this solver, too, as for `monabs check --solver`; may be repeated
    #[arg(long = "solver", value_name = "SOLVER", default_value = "sat")]
    solvers: Vec<String>,
    /// Show each twin so many damaged proofs
    #[arg(long, value_name = "N", default_value_t = 10)]
    damages: u32,
}

/// Which tasks, and how many at once.
#[derive(Args, Debug)]
struct SvcompArgs {
    /// Folders; every .yml in or below them is a task definition
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Only definitions whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Tasks that run at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Seconds for each task
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Run all tasks again, also those that are done
    #[arg(long)]
    fresh: bool,
}

/// Which programs, and how long.
#[derive(Args, Debug)]
struct ProgramsArgs {
    /// A folder; every .c and .i in or below it is a program
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Only files whose paths contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Seconds for each translation
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Seconds to look for races in each program; 0 does not look for them
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    race_limit: u32,
}

/// Which tasks of the table.
#[derive(Args, Debug)]
struct CseqArgs {
    /// Folders of SV-COMP: pthread, pthread-atomic, pthread-ext
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Seconds for each task
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

/// How many edges.
#[derive(Args, Debug)]
struct EdgesArgs {
    /// The largest number of copies of the section
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    most: u32,
    /// How often each program is run; the best time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Seconds for each run
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// True if nothing is wrong with the answers.
fn run(cli: &Cli) -> anyhow::Result<bool> {
    let results = |default| Results::open(cli.out.as_deref(), default);
    let breach = || anyhow::Ok((Tool::find("breach", cli.breach.as_deref())?, results("bench-results")?));
    let monabs = || anyhow::Ok((Tool::find("monabs", cli.monabs.as_deref())?, results("target/bench")?));
    match &cli.command {
        Command::Coverability(args) => breach().and_then(|(tool, out)| coverability::run(&tool, &out, args)),
        Command::Algorithms(args) => breach().and_then(|(tool, out)| algorithms::run(&tool, &out, args)),
        Command::Scale(args) => breach().and_then(|(tool, out)| scale::run(&tool, &out, args)),
        Command::Thesis(args) => {
            let (monabs, out) = monabs()?;
            thesis::run((&monabs, &Tool::find("breach", cli.breach.as_deref())?), &out, args)
        }
        Command::Proofs(args) => {
            let (monabs, out) = monabs()?;
            proofs::run((&monabs, &Tool::find("asyncc", cli.asyncc.as_deref())?), &out, args)
        }
        Command::Svcomp(args) => monabs().and_then(|(tool, out)| svcomp::run(&tool, &out, args)),
        Command::Programs(args) => {
            let (monabs, out) = monabs()?;
            programs::run((&Tool::find("asyncc", cli.asyncc.as_deref())?, &monabs), &out, args)
        }
        Command::Cseq(args) => {
            cseq::run(&Tool::find("cseq", cli.cseq.as_deref())?, &results("target/bench")?, args)
        }
        Command::Impara(args) => {
            impara::run(&Tool::find("impara", cli.impara.as_deref())?, &results("target/bench")?, args)
        }
        Command::Edges(args) => monabs().and_then(|(tool, out)| edges::run(&tool, &out, args)),
    }
}
