//! `bench svcomp`: local copies of task folders of SV-COMP, some tasks at the same time, with points.
//!
//! Every pair of a task definition and one of its properties is a task. What cannot be run is reported and costs no points.
//! Results go to a file at once; what is in it is not run again.

use super::SvcompArgs;
use super::done::{Done, Key, Record};
use super::machine;
use super::monabs::Verdict;
use super::report::Results;
use super::score::{Grade, Score};
use super::table::{Table, number, text};
use super::task::{DataModel, Definition, Property};
use super::tool::{self, Tool};
use ::tests::repository::files_below;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A task: a definition and one of its properties.
#[derive(Clone, Debug, PartialEq)]
struct Task {
    definition: String,
    property: String,
    expected: Option<bool>,
    /// How it is run, or why it cannot be.
    call: Result<Call, String>,
}

/// What `monabs` is told.
#[derive(Clone, Debug, PartialEq)]
struct Call {
    input: PathBuf,
    property: PathBuf,
    data_model: DataModel,
    expected: bool,
}

impl Call {
    fn arguments(&self, limit: Duration) -> Vec<OsString> {
        vec![
            "--spec".into(),
            self.property.clone().into(),
            self.data_model.option().into(),
            tool::timeout(limit),
            "--check".into(),
            self.input.clone().into(),
        ]
    }
}

/// Runs the command. True if no answer is wrong.
pub(crate) fn run(monabs: &Tool, results: &Results, args: &SvcompArgs) -> Result<bool> {
    let tasks = collect(&args.dirs, &args.only);
    if tasks.is_empty() {
        bail!("there is no task definition (*.yml) in these folders");
    }
    let key = |task: &Task| (task.definition.clone(), task.property.clone(), args.limit);
    let chosen: BTreeSet<Key> = tasks.iter().map(key).collect();
    let done =
        Done::open(&results.path("svcomp.csv"), |record| args.fresh && chosen.contains(&record.key()))?;
    let (old, open): (Vec<_>, Vec<_>) = tasks.into_iter().partition(|task| done.find(&key(task)).is_some());
    let mut records: Vec<Record> = old.iter().filter_map(|task| done.find(&key(task)).cloned()).collect();
    let commit = machine::commit();
    println!("{} tasks to run, limit {} s, {} at the same time", open.len(), args.limit, args.jobs);
    print_old(&records, &commit);
    let runner = Runner { monabs, done: &done, limit: args.limit, commit };
    records.extend(runner.run_all(&open, args.jobs.into())?);
    records.sort_by_key(Record::key);
    let table = layout();
    let rows = rows(&records);
    println!("\n{}", table.header());
    rows.iter().for_each(|row| println!("{}", table.row(row)));
    let wrong: Vec<String> = records.iter().filter(|record| record.grade.is_wrong()).map(describe).collect();
    println!("\n{} wrong answers", wrong.len());
    wrong.iter().for_each(|line| println!("{line}"));
    let mut body = format!("{}\n{} wrong answers\n\n", table.markdown(&rows), wrong.len());
    body.extend(wrong.iter().map(|line| format!("- {line}\n")));
    results.write_markdown("svcomp.md", "Tasks of SV-COMP", &body)?;
    Ok(wrong.is_empty())
}

fn print_old(records: &[Record], commit: &str) {
    let others: BTreeSet<&str> = records.iter().map(|record| &*record.commit).collect();
    if !records.is_empty() {
        let commits: Vec<_> = others.iter().copied().collect();
        println!(
            "{} tasks are done already, by commit {}; now it is {commit}",
            records.len(),
            commits.join(", ")
        );
        println!("(--fresh runs them again)");
    }
}

/// The tasks of folders, in order. Problems with folders are printed.
fn collect(folders: &[PathBuf], only: &str) -> Vec<Task> {
    let mut definitions = BTreeSet::new();
    for folder in folders {
        match folder.canonicalize().and_then(|folder| files_below(&folder)) {
            Ok(files) => definitions.extend(files.into_iter().filter(|file| is_definition(file, only))),
            Err(error) => println!("PROBLEM {}: {error}", folder.display()),
        }
    }
    definitions.iter().flat_map(|definition| tasks_of(definition)).collect()
}

fn is_definition(file: &Path, only: &str) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".yml") && name.contains(only)
}

/// The tasks of one definition; a broken one is a task that cannot be run.
fn tasks_of(path: &Path) -> Vec<Task> {
    let name = path.to_string_lossy().into_owned();
    let broken = |message: String| {
        vec![Task { definition: name.clone(), property: String::new(), expected: None, call: Err(message) }]
    };
    let definition = match Definition::read(path) {
        Ok(definition) => definition,
        Err(message) => return broken(message),
    };
    definition.notes.iter().for_each(|note| println!("NOTE {name}: {note}"));
    if definition.properties.is_empty() {
        return broken("no property is asked for".to_owned());
    }
    let folder = path.parent().unwrap_or(path);
    let task = |property: &Property| Task {
        definition: name.clone(),
        property: property.to_string(),
        expected: property.expected,
        call: call(folder, &definition, property),
    };
    definition.properties.iter().map(task).collect()
}

fn call(folder: &Path, definition: &Definition, property: &Property) -> Result<Call, String> {
    let expected = property.expected.ok_or("no expected_verdict, so this is no verification task")?;
    let existing = |file: &Path| {
        let path = folder.join(file);
        if path.is_file() { Ok(path) } else { Err(format!("{}: there is no such file", file.display())) }
    };
    let (input, property) = (existing(&definition.input)?, existing(&property.file)?);
    Ok(Call { input, property, data_model: definition.data_model, expected })
}

/// What all tasks share.
struct Runner<'a> {
    monabs: &'a Tool,
    done: &'a Done,
    limit: u32,
    commit: String,
}

impl Runner<'_> {
    /// Runs tasks, some at the same time.
    fn run_all(&self, tasks: &[Task], jobs: usize) -> Result<Vec<Record>> {
        let next = AtomicUsize::new(0);
        let records = Mutex::new(Vec::new());
        let work = |number: usize| -> Result<()> {
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let record = self.run(task, number);
                let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
                self.done.add(&record)?;
                records.push(record.clone());
                println!("[{}/{}] {}", records.len(), tasks.len(), describe(&record));
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|number| scope.spawn(move || work(number))).collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(result) => result,
                Err(_) => bail!("a worker panicked"),
            })
        })?;
        Ok(records.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn run(&self, task: &Task, number: usize) -> Record {
        let (grade, wall, message) = match &task.call {
            Ok(call) => self.answer(call, number),
            Err(message) => (Grade::Failed, 0.0, message.clone()),
        };
        Record {
            task: task.definition.clone(),
            property: task.property.clone(),
            expected: task.expected,
            grade,
            wall,
            limit: self.limit,
            commit: self.commit.clone(),
            message,
        }
    }

    fn answer(&self, call: &Call, number: usize) -> (Grade, f64, String) {
        let limit = Duration::from_secs(self.limit.into());
        match self.monabs.call_beside(&call.arguments(limit), limit, number) {
            Ok(finished) => {
                let verdict = Verdict::of_text(&finished);
                let message = verdict.reason().unwrap_or_default().to_owned();
                (Grade::of(&verdict, call.expected), finished.wall.as_secs_f64(), message)
            }
            Err(error) => (Grade::Failed, 0.0, format!("{error:#}")),
        }
    }
}

/// A task and what came of it, on one line.
fn describe(record: &Record) -> String {
    let (folder, name) = split(&record.task);
    let mut line = format!("{folder}/{name} {}: {}, {:.1} s", record.property, record.grade, record.wall);
    if !record.message.is_empty() {
        line.push_str(&format!(": {}", record.message));
    }
    line
}

/// The names of a definition's folder and of the definition itself.
fn split(task: &str) -> (String, String) {
    let path = Path::new(task);
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    (path.parent().map(name).unwrap_or_default(), name(path))
}

fn layout() -> Table {
    Table(vec![
        text("folder", 24),
        text("property", 16),
        number("tasks", 5),
        number("true", 5),
        number("false", 5),
        number("unknown", 7),
        number("failed", 6),
        number("wrong", 5),
        number("points", 6),
        number("of", 5),
        number("wall s", 8),
    ])
}

/// A row for each folder and property, and the sum.
fn rows(records: &[Record]) -> Vec<Vec<String>> {
    let mut groups: BTreeMap<(String, &str), Score> = BTreeMap::new();
    let mut sum = Score::default();
    for record in records {
        let group = groups.entry((split(&record.task).0, &record.property)).or_default();
        for score in [group, &mut sum] {
            score.add(record.grade, record.expected, record.wall);
        }
    }
    let rows = groups.into_iter().map(|((folder, property), score)| fields(folder, property, &score));
    rows.chain([fields("sum".to_owned(), "", &sum)]).collect()
}

fn fields(folder: String, property: &str, score: &Score) -> Vec<String> {
    let mut fields = vec![folder, property.to_owned()];
    let counts = [score.tasks, score.right_true, score.right_false, score.unknown, score.failed, score.wrong];
    fields.extend(counts.map(|count| count.to_string()));
    fields.extend([score.points.to_string(), score.most.to_string(), format!("{:.1}", score.wall)]);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(property: &str, expected: &str) -> String {
        format!(
            "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: {property}\n{expected}"
        )
    }

    #[test]
    fn problems_become_tasks_that_cannot_be_run() {
        let folder = std::env::temp_dir().join(format!("bench-svcomp-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("a.i", "");
        write("u.prp", "");
        write("broken.yml", "a: {b: c}\n");
        write("fine.yml", &definition("u.prp", "    expected_verdict: false\n"));
        write("missing.yml", &definition("v.prp", "    expected_verdict: false\n"));
        write("tests.yml", &definition("u.prp", ""));
        write("empty.yml", "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n");
        let tasks = collect(&[folder.clone(), folder.clone(), folder.join("none")], "");
        let calls: Vec<_> = tasks.iter().map(|task| (split(&task.definition).1, task.call.clone())).collect();
        let folder_there = folder.canonicalize().unwrap();
        let fine = Call {
            input: folder_there.join("a.i"),
            property: folder_there.join("u.prp"),
            data_model: DataModel::Ilp32,
            expected: false,
        };
        let failed = |name: &str, message: &str| (name.to_owned(), Err(message.to_owned()));
        assert_eq!(
            calls,
            [
                failed("broken.yml", "no format_version"),
                failed("empty.yml", "no property is asked for"),
                ("fine.yml".to_owned(), Ok(fine.clone())),
                failed("missing.yml", "v.prp: there is no such file"),
                failed("tests.yml", "no expected_verdict, so this is no verification task"),
            ]
        );
        assert_eq!(fine.arguments(Duration::from_secs(7))[2..5], ["--32", "--timeout=7", "--check"]);
        assert_eq!(collect(std::slice::from_ref(&folder), "fine").len(), 1);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_row_for_each_folder_and_property() {
        let record = |task: &str, property: &str, grade| Record {
            task: task.to_owned(),
            property: property.to_owned(),
            expected: Some(true),
            grade,
            wall: 1.0,
            limit: 60,
            commit: String::new(),
            message: "why".to_owned(),
        };
        let records = [
            record("c/locks/a.yml", "unreach-call", Grade::RightTrue),
            record("c/locks/b.yml", "unreach-call", Grade::WrongFalse),
            record("c/locks/b.yml", "no-data-race", Grade::Unknown),
        ];
        let rows = rows(&records);
        assert!(rows.iter().all(|row| row.len() == layout().0.len()));
        assert_eq!(rows[0][..4], ["locks", "no-data-race", "1", "0"]);
        assert_eq!(rows[1], ["locks", "unreach-call", "2", "1", "0", "0", "0", "1", "-14", "4", "2.0"]);
        assert_eq!(rows[2][8..], ["-14", "6", "3.0"]);
        assert_eq!(describe(&records[1]), "locks/b.yml unreach-call: WRONG false, 1.0 s: why");
    }
}
