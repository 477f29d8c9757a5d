//! From `main` to the command: what every program around an engine does first and last.

use crate::args::{Command, SHORT};
use clap::{Command as Table, CommandFactory, FromArgMatches};
use console::args::{ColorArg, ConsoleArgs, InputArgs};
use console::{Console, Failure, Result, Tool};
use frontend::parse::on_large_stack;
use std::io::IsTerminal as _;
use std::process::ExitCode;

/// A command line: everything but the engine's own options.
pub trait Cli: CommandFactory + FromArgMatches + Send {
    /// The program's own options that the short help shows, by the names of their fields.
    const SHORT: &'static [&'static str];
    /// Where the order of `-D` and `-U` is kept.
    fn input(&mut self) -> &mut InputArgs;
    /// About the terminal.
    fn console(&self) -> &ConsoleArgs;
    /// What is asked for beside FILE.
    fn command(&self) -> Option<&Command>;
}

/// Reads the command line, and runs the command where there is room for deep programs. A panic is an internal error.
pub fn main<C: Cli>(tool: &Tool, run: impl FnOnce(C, Console) -> Result + Send) -> ExitCode {
    let cli = match read::<C>() {
        Ok(cli) => cli,
        Err(error) => {
            let failure = Failure::from(console::usage::explain(tool, error));
            return failure.report(tool, &Console::plain()).into();
        }
    };
    terminal::messages::keep();
    let console = Console::open(cli.console());
    start_log(cli.console());
    let command = || match Cli::command(&cli) {
        None => on_large_stack(|| run(cli, console)),
        Some(Command::Completions { shell }) => console::args::completions(*shell, table::<C>()),
        Some(Command::Man { command }) => console::args::man(table::<C>(), command.as_deref()),
    };
    let result = terminal::panics::catch(command, Failure::Internal);
    result.unwrap_or_else(|failure| failure.report(tool, &console)).into()
}

fn table<C: Cli>() -> Table {
    let shown: Vec<&str> = SHORT.iter().chain(C::SHORT).copied().collect();
    // Commands have few options of their own, and many of the program's.
    let own = |command: Table| {
        terminal::help::shorten(command, &["proof", "files", "spec", "solver", "timeout", "shell", "command"])
    };
    terminal::help::shorten(<C as CommandFactory>::command(), &shown).mut_subcommands(own)
}

fn read<C: Cli>() -> std::result::Result<C, clap::Error> {
    let mut table = table::<C>();
    let matches = table.try_get_matches_from_mut(std::env::args_os())?;
    let mut cli = C::from_arg_matches(&matches).map_err(|error| error.format(&mut table))?;
    // Commands that read C have macros of their own.
    let of_command = matches.subcommand().map(|(_, own)| own);
    let own = of_command.filter(|own| own.try_contains_id("define").is_ok());
    cli.input().preprocessor.order_macros(own.unwrap_or(&matches));
    Ok(cli)
}

fn start_log(args: &ConsoleArgs) {
    let level = match args.verbose {
        0 => log::LevelFilter::Off,
        1 => log::LevelFilter::Info,
        2 => log::LevelFilter::Debug,
        _ => log::LevelFilter::Trace,
    };
    let style = match args.color {
        ColorArg::Auto => env_logger::WriteStyle::Auto,
        ColorArg::Always => env_logger::WriteStyle::Always,
        ColorArg::Never => env_logger::WriteStyle::Never,
    };
    let style = match style {
        env_logger::WriteStyle::Auto if std::io::stderr().is_terminal() => env_logger::WriteStyle::Always,
        style => style,
    };
    let target = env_logger::Target::Pipe(Box::new(terminal::messages::stderr()));
    // It fails only if it is already running.
    let _ = env_logger::Builder::new().filter_level(level).write_style(style).target(target).try_init();
}
