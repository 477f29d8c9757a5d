//! From FILE to the program that is asked for: read or translate, select properties, reduce, validate.

use crate::args::InputArgs;
use crate::console::Console;
use crate::failure::{Failure, Result};
use crate::options;
use frontend::diagnostics::{Diagnostic, Diagnostics, Place, Severity};
use frontend::entry::EntryPoints;
use frontend::lower;
use frontend::parse::Unit;
use frontend::preprocess::display_name;
use frontend::program::validate::{self, Rules};
use frontend::program::{Note, NoteId, Program, PropertyKind, text};
use frontend::reduce::{self, Size};
use frontend::translate::{Translation, UserModel, translate_files};
use frontend::watch::Watch;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A program, and how it was made.
#[derive(Debug)]
pub struct Loaded {
    /// The name of FILE in messages.
    pub name: String,
    /// At the stage that is asked for.
    pub program: Program,
    /// The C text with its places, unless FILE is a program.
    pub unit: Option<Unit>,
    /// How many properties the source has, limits of what is modelled apart, whether they are asked for or not.
    pub written: usize,
    /// Whether a proof says that there is no data race: all of them are properties.
    pub races_are_checked: bool,
    /// Notes that bore on steps, all of which are gone.
    settled: BTreeSet<NoteId>,
    /// What created threads run, if any are created; reductions may have found that they do not matter.
    pub thread_functions: Option<Vec<String>>,
    /// The size before all reductions.
    pub before: Size,
    /// What each pass of the reductions did.
    pub passes: Vec<reduce::PassStatistics>,
    /// How long each stage took.
    pub times: Times,
}

impl Loaded {
    /// Reads FILE, lets `prepare` change the program, and brings it to the stage that is asked for.
    pub fn load(
        args: &InputArgs,
        stage: &Stage,
        console: Console,
        prepare: impl FnOnce(&mut Program) -> Result<()>,
    ) -> Result<Loaded> {
        let path = args.path();
        let name = display_name(path).into_owned();
        let start = Instant::now();
        let stages = Stages::default();
        let (what, mut program, unit) = if args.is_program() {
            ("reading", read_program(path)?, None)
        } else {
            let Translation { program, unit } = translate(args, stages.watch(&name, console))?;
            ("translating", program, Some(unit))
        };
        let before = Size::of(&program);
        console.progress(|| format!("{what} {name}: {before}"));
        let mut times = stages.times();
        times.push((what, start.elapsed()));
        let races = |program: &Program| count(program, |kind| kind == PropertyKind::DataRace);
        let (written, all_races) = (count(&program, |kind| kind != PropertyKind::Limit), races(&program));
        select(&mut program, &args.properties.property)?;
        prepare(&mut program)?;
        let races_are_checked = args.properties.data_race_check && races(&program) == all_races;
        let (mut settled, thread_functions) = (approximations(&program), thread_functions(&program));
        // A list of properties or loops is about the source, not about what is left of it.
        let is_list = args.properties.show_properties || args.properties.show_loops;
        let stage = if is_list { &Stage::Lowered } else { stage };
        let (program, passes) = bring_to_stage(program, stage, &mut times)?;
        for pass in &passes {
            console.progress(|| format!("{}: {}", pass.name, pass.after));
        }
        let left = approximations(&program);
        settled.retain(|note| !left.contains(note));
        Ok(Loaded {
            name,
            program,
            unit,
            written,
            races_are_checked,
            settled,
            thread_functions,
            before,
            passes,
            times,
        })
    }

    /// What is not exact, except where it has turned out not to matter.
    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        let notes = self.program.notes.iter().enumerate();
        notes.filter(|(number, _)| !self.settled.contains(&NoteId(*number as u32))).map(|(_, note)| note)
    }
}

fn count(program: &Program, is_counted: impl Fn(PropertyKind) -> bool) -> usize {
    program.properties.iter().filter(|property| is_counted(property.kind)).count()
}

/// Times of stages by name.
pub type Times = Vec<(&'static str, Duration)>;

/// How far to go.
#[derive(Clone, Debug)]
pub enum Stage {
    /// As translated or read, with atomic sections.
    Lowered,
    /// Strictly asynchronous: after these reductions.
    Reduced(reduce::Options),
}

/// When each stage of the translation began.
#[derive(Clone, Debug, Default)]
struct Stages(Arc<Mutex<Vec<(&'static str, Instant)>>>);

impl Stages {
    /// Notes when stages begin, and says it.
    fn watch(&self, name: &str, console: Console) -> Watch {
        let (stages, name) = (self.clone(), name.to_owned());
        Watch::new(move |stage| {
            stages.list().push((stage, Instant::now()));
            console.progress(|| format!("translating {name}: {stage}"));
            terminal::progress::show(|| format!("translating {name}: {stage}"));
        })
    }

    fn list(&self) -> MutexGuard<'_, Vec<(&'static str, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long they took, if the last one ends now.
    fn times(&self) -> Times {
        let list = self.list();
        let ends = list.iter().skip(1).map(|(_, began)| *began).chain([Instant::now()]);
        let mut times: Times = Vec::new();
        for ((stage, began), end) in list.iter().zip(ends) {
            match times.iter_mut().find(|(known, _)| known == stage) {
                Some((_, time)) => *time += end - *began,
                None => times.push((stage, end - *began)),
            }
        }
        times
    }
}

fn bring_to_stage(
    program: Program,
    stage: &Stage,
    times: &mut Times,
) -> Result<(Program, Vec<reduce::PassStatistics>)> {
    let Stage::Reduced(options) = stage else {
        validate(&program, Rules::default(), times)?;
        return Ok((program, Vec::new()));
    };
    let start = Instant::now();
    let size = Size::of(&program);
    let watch = Watch::new(move |pass| {
        terminal::progress::show(|| format!("making the program smaller ({size}): {pass}"));
    });
    let (program, statistics) = reduce::reduce_watched(program, options, &watch);
    times.push(("reducing", start.elapsed()));
    validate(&program, Rules { strictly_asynchronous: true }, times)?;
    Ok((program, statistics.passes))
}

/// A program that was read has been validated; any other one that is not valid is a bug.
fn validate(program: &Program, rules: Rules, times: &mut Times) -> Result<()> {
    let start = Instant::now();
    validate::check(program, rules)
        .map_err(|flaws| Failure::Internal(format!("the program is not valid:\n{flaws}")))?;
    times.push(("validating", start.elapsed()));
    Ok(())
}

fn translate(args: &InputArgs, watch: Watch) -> Result<Translation> {
    let mut models = Vec::new();
    for model in &args.translation.model {
        models.push(UserModel { name: display_name(model).into_owned(), text: read_text(model)? });
    }
    let sources = options::sources(args)?;
    let mut translation = lower::Options { watch, ..options::translation(args) };
    if let Some(first) = sources.first() {
        translation.data_model = first.options.data_model;
    }
    if let Some(other) = sources.iter().find(|source| source.options.data_model != translation.data_model) {
        let (first, other) = (display_name(&sources[0].path), display_name(&other.path));
        let message =
            format!("is not compiled for the same number of bits as {first}; choose files with --only");
        return Err(Failure::about_file(other, message));
    }
    let points = EntryPoints { entries: args.project.entry.clone(), inits: args.project.init.clone() };
    Ok(translate_files(&sources, &translation, &models, &points)?)
}

/// Reads and validates a printed program.
fn read_program(path: &Path) -> Result<Program> {
    let name = display_name(path);
    let content = read_text(path)?;
    let program = text::read(&content).map_err(|error| {
        let line = content.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Failure::from(Diagnostic {
            severity: Severity::Error,
            position: Place {
                file: name.to_string(),
                line: number(error.line),
                column: number(error.column),
            },
            message: error.message,
            hint: None,
            source_line: line.to_owned(),
        })
    })?;
    let flaws = validate::validate(&program, Rules::default());
    if flaws.is_empty() {
        return Ok(program);
    }
    let about = |flaw: &validate::Invalid| Diagnostic::about_file(Severity::Error, &*name, flaw.to_string());
    Err(Failure::Input(flaws.iter().map(about).collect::<Diagnostics>()))
}

/// Reads a file of UTF-8; `-` is stdin.
pub fn read_text(path: &Path) -> Result<String> {
    let name = display_name(path);
    let mut bytes = Vec::new();
    let read = if is_stdin(path) {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = read.map_err(|error| {
        Failure::about_file(&*name, format!("cannot be read: {}", frontend::diagnostics::reason(&error)))
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.as_bytes()[error.utf8_error().valid_up_to()];
        Failure::about_file(&*name, format!("byte 0x{byte:02x} is not UTF-8; is this a text file?"))
    })
}

/// Keeps the properties that are asked for. Limits of what is modelled stay: they say when not to trust an answer.
fn select(program: &mut Program, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    if let Some(name) = names.iter().find(|name| program.properties.iter().all(|p| p.name != **name)) {
        let advice = "--show-properties lists them, with the same checks";
        return Err(Failure::Usage(format!("there is no property '{name}'; {advice}")));
    }
    program.properties.retain(|p| p.kind == PropertyKind::Limit || names.contains(&p.name));
    Ok(())
}

/// The notes that steps refer to.
fn approximations(program: &Program) -> BTreeSet<NoteId> {
    program.edges.iter().filter_map(|edge| edge.approximate).collect()
}

/// The functions that threads of the pool start in, each once, in order.
fn thread_functions(program: &Program) -> Option<Vec<String>> {
    let pool = program.pool?;
    let mut functions: Vec<String> = Vec::new();
    for edge in program.edges.iter().filter(|edge| edge.from == pool) {
        let function = program.location(edge.to).function.as_str();
        if !function.is_empty() && functions.iter().all(|known| known != function) {
            functions.push(function.to_owned());
        }
    }
    Some(functions)
}

/// Whether a path means stdin (or stdout).
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
