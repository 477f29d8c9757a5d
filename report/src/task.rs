//! The way from FILE to a program that an engine can work on, and back to what is printed.

use crate::args::TaskArgs;
use crate::limits;
use crate::outputs::Outputs;
use crate::specification::Specification;
use crate::usage;
use console::deadline::Deadline;
use console::input::{Loaded, Stage};
use console::report::Report;
use console::{Console, Result, Tool, listing, notes, runs};
use engine::limits::Limits;
use frontend::preprocess::display_name;
use frontend::program::{Program, PropertyKind};
use frontend::reduce::Size;

/// Everything that the verification of one program depends on, whatever the engine.
pub struct Job<'a> {
    /// The program that runs.
    pub tool: &'a Tool,
    /// What was asked.
    pub args: &'a TaskArgs,
    /// The program to verify.
    pub loaded: &'a Loaded,
    /// The property file.
    pub specification: Option<&'a Specification>,
    /// The terminal.
    pub console: Console,
}

impl Job<'_> {
    /// The answer in the words of SV-COMP, as a line.
    pub fn answer_line(&self, safe: Option<bool>, violated: Option<PropertyKind>) -> String {
        answer_line(self.specification, safe, violated)
    }
}

fn answer_line(
    specification: Option<&Specification>,
    safe: Option<bool>,
    violated: Option<PropertyKind>,
) -> String {
    specification.map_or_else(String::new, |given| format!("{}\n", given.answer(safe, violated)))
}

/// What an engine's program adds to the common options.
#[derive(Debug, Default)]
pub struct Task {
    /// How many processor cores to use.
    pub cores: Option<u16>,
}

/// The clock, Ctrl-C, and the line of progress.
pub struct Watch<'a> {
    /// Whoever claims it gives the answer.
    pub deadline: &'a Deadline,
    /// What the engine looks at.
    pub limits: Limits,
    /// The files that all programs write.
    pub outputs: Outputs,
}

impl Task {
    /// Does everything around the engine: `prepare` may change the program before it is reduced, `work` verifies it and fills the report.
    pub fn run(
        self,
        tool: &Tool,
        mut args: TaskArgs,
        console: Console,
        prepare: impl FnOnce(&mut Program) -> Result<()>,
        work: impl FnOnce(&Job<'_>, &mut Report, Watch<'_>) -> Result<()>,
    ) -> Result {
        usage::check(&args)?;
        let specification = args.question.spec.as_deref().map(Specification::read).transpose()?;
        if let Some(specification) = &specification {
            specification.apply(&mut args.input);
        }
        let specification = specification.as_ref();
        let mut report = Report::new(tool, console, &display_name(args.input.path()), args.output.json);
        report.fail_on.clone_from(&args.output.fail_on);
        let mut unknown = Report { result: answer_line(specification, None, None), ..report.clone() };
        unknown.field("answer", || "unknown".into());
        let (deadline, limits) = limits::start(&args.limits, self.cores, unknown, console);
        let outputs = Outputs::open(&args)?;
        let name = display_name(args.input.path());
        deadline.progress().show(|| format!("reading and translating {name}"));
        let loaded = load(&args, specification, console, |program| {
            deadline.progress().show(|| format!("making the program smaller ({})", Size::of(program)));
            prepare(program)
        })?;
        deadline
            .progress()
            .show(|| format!("looking for an error or a proof: {}", Size::of(&loaded.program)));
        let properties = &args.input.properties;
        if properties.show_properties || properties.show_loops {
            deadline.claim();
            list(&mut report, &loaded, properties.show_loops);
        } else if let Some(path) = &args.question.replay {
            let answer = console::replay::replay(&loaded.program, path)?;
            deadline.claim();
            let shown = match args.evidence.form(console) {
                None => answer.violated,
                Some(form) => runs::text(&answer.recorded, form),
            };
            report.text.push_str(&shown);
            report.text.push_str(&answer.text);
            report.field("runs", || runs::list(&answer.recorded));
            report.verdict = Some(answer.verdict);
        } else {
            console.remarks(notes::nothing_to_check(&loaded).as_slice());
            let job = Job { tool, args: &args, loaded: &loaded, specification, console };
            work(&job, &mut report, Watch { deadline: &deadline, limits, outputs })?;
        }
        // The process ends here; to free large programs piece by piece would only take time.
        std::mem::forget(loaded);
        report.print()
    }
}

fn load(
    args: &TaskArgs,
    specification: Option<&Specification>,
    console: Console,
    prepare: impl FnOnce(&mut Program) -> Result<()>,
) -> Result<Loaded> {
    let stage = Stage::Reduced(frontend::reduce::Options::default());
    let loaded = Loaded::load(&args.input, &stage, console, |program| {
        if let Some(specification) = specification {
            specification.select(program, &args.input.properties);
        }
        prepare(program)
    })?;
    console.remarks(&notes::inexact(&loaded));
    Ok(loaded)
}

/// `--show-properties`, `--show-loops`.
fn list(report: &mut Report, loaded: &Loaded, loops: bool) {
    let program = &loaded.program;
    if loops {
        report.text = listing::loops_text(program);
        report.field("loops", || listing::loops_json(program));
    } else {
        report.text = listing::properties_text(program);
        report.field("properties", || listing::properties_json(program));
    }
}
