//! The results of tasks in a file that grows while they run, so that a run can be stopped and go on later.
//!
//! A row has everything about its task. Rows that cannot be read, and tasks that failed, count as not done.

use super::csv::{self, Csv};
use super::report::csv_head;
use super::score::Grade;
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Which run: the definition's path, the name of the property, the limit in seconds.
pub(crate) type Key = (String, String, u32);

/// What came of a task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// The path of the definition.
    pub(crate) task: String,
    /// The name of the property; empty if there is none.
    pub(crate) property: String,
    pub(crate) expected: Option<bool>,
    pub(crate) grade: Grade,
    /// Seconds.
    pub(crate) wall: f64,
    /// Seconds.
    pub(crate) limit: u32,
    pub(crate) commit: String,
    /// Why there is no answer.
    pub(crate) message: String,
}

const COLUMNS: [&str; 9] =
    ["task", "property", "expected", "grade", "points", "wall_s", "limit_s", "commit", "message"];

impl Record {
    pub(crate) fn key(&self) -> Key {
        (self.task.clone(), self.property.clone(), self.limit)
    }

    fn line(&self) -> String {
        csv::line(&[
            self.task.clone(),
            self.property.clone(),
            self.expected.map_or_else(String::new, |expected| expected.to_string()),
            self.grade.to_string(),
            self.grade.points().to_string(),
            format!("{:.3}", self.wall),
            self.limit.to_string(),
            self.commit.clone(),
            self.message.clone(),
        ])
    }
}

/// The rows of a file that can be read.
fn read(text: &str) -> Result<Vec<Record>, String> {
    let csv = Csv::parse(text)?;
    let [task, property, expected, grade, _, wall, limit, commit, message] =
        COLUMNS.map(|column| csv.column(column));
    let (task, property, expected, grade) = (task?, property?, expected?, grade?);
    let (wall, limit, commit, message) = (wall?, limit?, commit?, message?);
    let record = |row: &csv::Row| {
        Some(Record {
            task: row.get(task).to_owned(),
            property: row.get(property).to_owned(),
            expected: row.get(expected).parse().ok(),
            grade: Grade::named(row.get(grade))?,
            wall: row.get(wall).parse().ok()?,
            limit: row.get(limit).parse().ok()?,
            commit: row.get(commit).to_owned(),
            message: row.get(message).to_owned(),
        })
    };
    Ok(csv.rows.iter().flatten().filter_map(record).collect())
}

/// The file.
#[derive(Debug)]
pub(crate) struct Done {
    file: Mutex<File>,
    /// What was there before.
    before: BTreeMap<Key, Record>,
}

impl Done {
    /// Opens the file to go on. What `again` accepts counts as not done.
    pub(crate) fn open(path: &Path, again: impl Fn(&Record) -> bool) -> Result<Done> {
        let fail = || format!("cannot go on with {}", path.display());
        let mut before = BTreeMap::new();
        if path.exists() {
            let text = std::fs::read(path).with_context(fail)?;
            let records =
                read(&String::from_utf8_lossy(&text)).map_err(anyhow::Error::msg).with_context(fail)?;
            let keep = |record: &Record| record.grade != Grade::Failed && !again(record);
            before.extend(records.into_iter().filter(keep).map(|record| (record.key(), record)));
        }
        // The new file takes the place of the old one when it is complete: nothing is lost if this is stopped.
        let new = path.with_extension("csv.new");
        let mut file = File::create(&new).with_context(fail)?;
        let rows: String = before.values().map(Record::line).collect();
        file.write_all((csv_head(&COLUMNS) + &rows).as_bytes()).with_context(fail)?;
        std::fs::rename(&new, path).with_context(fail)?;
        Ok(Done { file: Mutex::new(file), before })
    }

    /// The result of an earlier run.
    pub(crate) fn find(&self, key: &Key) -> Option<&Record> {
        self.before.get(key)
    }

    /// Adds a row.
    pub(crate) fn add(&self, record: &Record) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(record.line().as_bytes()).context("cannot write the results")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(task: &str, grade: Grade) -> Record {
        Record {
            task: task.to_owned(),
            property: "unreach-call".to_owned(),
            expected: Some(true),
            grade,
            wall: 1.5,
            limit: 60,
            commit: "abc with changes".to_owned(),
            message: "a \"quoted\", message".to_owned(),
        }
    }

    #[test]
    fn a_run_goes_on_where_it_was_stopped() {
        let path = std::env::temp_dir().join(format!("bench-done-{}.csv", std::process::id()));
        let (right, failed) = (record("a.yml", Grade::RightTrue), record("b.yml", Grade::Failed));
        let done = Done::open(&path, |_| false).unwrap();
        assert_eq!(done.find(&right.key()), None);
        done.add(&right).unwrap();
        done.add(&failed).unwrap();
        // The last row was cut off.
        let text = std::fs::read_to_string(&path).unwrap() + "c.yml,unreach-call,true,right tr";
        std::fs::write(&path, text).unwrap();
        let done = Done::open(&path, |_| false).unwrap();
        assert_eq!(done.find(&right.key()), Some(&right));
        assert_eq!((done.find(&failed.key()), done.before.len()), (None, 1));
        assert_eq!(done.find(&("a.yml".to_owned(), "unreach-call".to_owned(), 10)), None);
        done.add(&record("d.yml", Grade::Unknown)).unwrap();
        let done = Done::open(&path, |record| record.task == "a.yml").unwrap();
        assert_eq!(done.before.keys().map(|key| &*key.0).collect::<Vec<_>>(), ["d.yml"]);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn other_files_are_not_overwritten() {
        let path = std::env::temp_dir().join(format!("bench-other-{}.csv", std::process::id()));
        std::fs::write(&path, "name,age\n").unwrap();
        assert!(Done::open(&path, |_| false).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "name,age\n");
        std::fs::remove_file(path).unwrap();
    }
}
