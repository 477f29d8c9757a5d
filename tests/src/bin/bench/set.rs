//! The systems to run: from the `index.csv` of a folder, or all systems of a folder with what their first lines say.

use super::csv::{Csv, Row};
use ::tests::repository::{files_below, root};
use anyhow::{Context as _, Result, bail};
use breach::input::Format;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// The two answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Coverable,
    Uncoverable,
}

impl Answer {
    fn parse(text: &str) -> Option<Answer> {
        match text {
            "coverable" => Some(Answer::Coverable),
            "uncoverable" => Some(Answer::Uncoverable),
            _ => None,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Answer::Coverable => "coverable",
            Answer::Uncoverable => "uncoverable",
        })
    }
}

/// What another tool did. Times in seconds, memory in megabytes of 2^20 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reference {
    /// `None` if it had no answer.
    pub(crate) answer: Option<Answer>,
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
    pub(crate) memory: f64,
}

/// A question with its known answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Instance {
    /// The name that is shown, relative to the folder.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// Initial states and target if they are not in the file.
    pub(crate) init: Option<String>,
    pub(crate) target: Option<String>,
    pub(crate) expected: Option<Answer>,
    pub(crate) reference: Option<Reference>,
}

impl Instance {
    /// The folder that the system is in, for sums.
    pub(crate) fn folder(&self) -> &str {
        self.name.rsplit_once('/').map_or(".", |(folder, _)| folder)
    }
}

/// All questions of a folder.
#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) folder: PathBuf,
    pub(crate) instances: Vec<Instance>,
    /// What is wrong with the folder: rows that cannot be read, files that are missing.
    pub(crate) problems: Vec<String>,
}

impl Set {
    /// The folder as seen from the repository, if it is in reach.
    pub(crate) fn name(&self) -> String {
        self.folder.strip_prefix(root()).unwrap_or(&self.folder).display().to_string()
    }

    /// Reads a folder; without one, the first of the usual places that exists.
    pub(crate) fn read(folder: Option<&Path>, only: &str) -> Result<Set> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => {
                let shared = root().join("../shared/bench");
                if shared.is_dir() { shared } else { root().join("examples") }
            }
        };
        if !folder.is_dir() {
            bail!("{}: there is no such folder", folder.display());
        }
        let index = folder.join("index.csv");
        let mut set = if index.is_file() { Set::indexed(folder, &index)? } else { Set::of_examples(folder)? };
        set.instances.retain(|instance| instance.name.contains(only));
        if set.instances.is_empty() && set.problems.is_empty() {
            bail!("{}: no system to run", set.folder.display());
        }
        Ok(set)
    }

    fn indexed(folder: PathBuf, index: &Path) -> Result<Set> {
        let mut set = Set { folder, instances: vec![], problems: vec![] };
        let csv = read_csv(index)?;
        let column = |name| csv.column(name).map_err(|e| anyhow::anyhow!("{}: {e}", index.display()));
        let columns = [column("file")?, column("init")?, column("target")?, column("expected")?];
        let references = set.references();
        for row in &csv.rows {
            match row.as_ref().map_err(String::clone).and_then(|row| set.instance(row, columns)) {
                Ok(mut instance) => {
                    instance.reference = references.get(&instance.name).copied();
                    set.instances.push(instance);
                }
                Err(problem) => set.problems.push(format!("index.csv: {problem}")),
            }
        }
        Ok(set)
    }

    fn instance(&self, row: &Row, [file, init, target, expected]: [usize; 4]) -> Result<Instance, String> {
        let fail = |what: &str| format!("line {}: {what}", row.line);
        let name = row.get(file);
        if name.is_empty() {
            return Err(fail("no file"));
        }
        let path = self.folder.join(name);
        if !path.is_file() {
            return Err(fail(&format!("there is no file {name}")));
        }
        let expected = match row.get(expected) {
            "" | "unknown" => None,
            text => Some(Answer::parse(text).ok_or_else(|| fail(&format!("'{text}' is no answer")))?),
        };
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (init, target) = (given(row.get(init)), given(row.get(target)));
        Ok(Instance { name: name.to_owned(), path, init, target, expected, reference: None })
    }

    /// What `reference.csv` says, by file. It may be missing.
    fn references(&mut self) -> BTreeMap<String, Reference> {
        let path = self.folder.join("reference.csv");
        if !path.is_file() {
            return BTreeMap::new();
        }
        let (references, problems) = match read_csv(&path) {
            Ok(csv) => references(&csv),
            Err(error) => (BTreeMap::new(), vec![format!("{error:#}")]),
        };
        self.problems.extend(problems.iter().map(|problem| format!("reference.csv: {problem}")));
        references
    }

    /// Every system below a folder that says itself what is asked.
    fn of_examples(folder: PathBuf) -> Result<Set> {
        let mut set = Set { folder, instances: vec![], problems: vec![] };
        for path in files_below(&set.folder)? {
            if Format::of_path(&path).is_none() {
                continue;
            }
            let name = path.strip_prefix(&set.folder).unwrap_or(&path).to_string_lossy().into_owned();
            match expectation(&path) {
                Ok(expected) => {
                    set.instances.push(Instance {
                        name,
                        path,
                        init: None,
                        target: None,
                        expected,
                        reference: None,
                    });
                }
                Err(error) => set.problems.push(format!("{name}: {error}")),
            }
        }
        Ok(set)
    }
}

/// The answer that the first line promises.
fn expectation(path: &Path) -> std::io::Result<Option<Answer>> {
    let mut first = String::new();
    BufReader::new(std::fs::File::open(path)?).read_line(&mut first)?;
    Ok(first.strip_prefix("# EXPECT:").and_then(|text| Answer::parse(text.trim())))
}

fn read_csv(path: &Path) -> Result<Csv> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Csv::parse(&text).map_err(|e| anyhow::anyhow!("{}: {e}", path.display()))
}

/// The rows of a reference table that can be read, and what is wrong with the others.
fn references(csv: &Csv) -> (BTreeMap<String, Reference>, Vec<String>) {
    let names = ["file", "answer", "wall_s", "cpu_s", "peak_mb"];
    let mut columns = [0; 5];
    for (column, name) in columns.iter_mut().zip(names) {
        match csv.column(name) {
            Ok(found) => *column = found,
            Err(problem) => return (BTreeMap::new(), vec![problem]),
        }
    }
    let [file, answer, wall, cpu, memory] = columns;
    let (mut references, mut problems) = (BTreeMap::new(), vec![]);
    for row in &csv.rows {
        let read = row.as_ref().map_err(String::clone).and_then(|row| {
            let number = |column: usize| {
                let text = row.get(column);
                let number = text.parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
                number.ok_or_else(|| {
                    format!("line {}: '{text}' is no {}", row.line, csv_name(column, columns, names))
                })
            };
            let answer = Answer::parse(row.get(answer));
            let reference =
                Reference { answer, wall: number(wall)?, cpu: number(cpu)?, memory: number(memory)? };
            Ok((row.get(file).to_owned(), reference))
        });
        match read {
            Ok((file, reference)) => drop(references.insert(file, reference)),
            Err(problem) => problems.push(problem),
        }
    }
    (references, problems)
}

fn csv_name(column: usize, columns: [usize; 5], names: [&'static str; 5]) -> &'static str {
    columns.iter().position(|&c| c == column).map_or("number", |index| names[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let folder = std::env::temp_dir().join(format!("bench-set-{name}-{}", std::process::id()));
            std::fs::create_dir_all(folder.join("sub")).unwrap();
            for (file, text) in files {
                std::fs::write(folder.join(file), text).unwrap();
            }
            Scratch(folder)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn an_index_with_a_reference() {
        let scratch = Scratch::new(
            "index",
            &[
                ("sub/a.tts", ""),
                ("b.spec", ""),
                (
                    "index.csv",
                    "file,init,target,expected,known_from\nsub/a.tts,0/0,\"0|1,1\",coverable,us\nb.spec,,,,\n\
                     gone.tts,0/0,1|1,coverable,us\nsub/a.tts,0/0,1|1,perhaps,us\nb.spec\n",
                ),
                (
                    "reference.csv",
                    "file,answer,wall_s,cpu_s,peak_mb\nsub/a.tts,TIMEOUT,60.1,30,5.5\nb.spec,coverable,x,1,1\n",
                ),
            ],
        );
        let set = Set::read(Some(&scratch.0), "").unwrap();
        let [a, b] = &set.instances[..] else { panic!("{set:?}") };
        assert_eq!((&*a.name, a.folder(), a.expected), ("sub/a.tts", "sub", Some(Answer::Coverable)));
        assert_eq!((a.init.as_deref(), a.target.as_deref()), (Some("0/0"), Some("0|1,1")));
        let reference = Reference { answer: None, wall: 60.1, cpu: 30.0, memory: 5.5 };
        assert_eq!(a.reference, Some(reference));
        assert_eq!(
            (b.folder(), &b.init, &b.target, b.expected, b.reference),
            (".", &None, &None, None, None)
        );
        assert_eq!(
            set.problems,
            [
                "reference.csv: line 3: 'x' is no wall_s",
                "index.csv: line 4: there is no file gone.tts",
                "index.csv: line 5: 'perhaps' is no answer",
                "index.csv: line 6: 1 fields where the header has 5",
            ]
        );
        assert_eq!(Set::read(Some(&scratch.0), "spec").unwrap().instances.len(), 1);
    }

    #[test]
    fn a_folder_of_examples() {
        let scratch = Scratch::new(
            "examples",
            &[("sub/a.emdr", "# EXPECT: uncoverable\n1 1\n"), ("b.tts", "1 1\n"), ("README.md", "no system")],
        );
        let set = Set::read(Some(&scratch.0), "").unwrap();
        let found: Vec<_> = set.instances.iter().map(|i| (&*i.name, i.expected)).collect();
        assert_eq!(found, [("b.tts", None), ("sub/a.emdr", Some(Answer::Uncoverable))]);
    }

    #[test]
    fn folders_that_cannot_be_used() {
        let error = |folder: &Path| Set::read(Some(folder), "").unwrap_err().to_string();
        assert!(error(Path::new("no-such-folder")).ends_with("there is no such folder"));
        let scratch = Scratch::new("empty", &[]);
        assert!(error(&scratch.0).ends_with("no system to run"));
        let scratch = Scratch::new("columns", &[("index.csv", "file,init\n")]);
        assert!(error(&scratch.0).ends_with("no column 'target' among file,init"));
    }
}
