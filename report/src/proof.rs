//! `--proof`: the file around an engine's proof, and whether the source is still the one that it was made from.

use crate::answer::Answer;
use crate::task::Job;
use crate::witness::sha256;
use console::args::InputArgs;
use console::assumptions;
use engine::document::{Head, printed};
use frontend::preprocess::display_name;
use std::path::{Path, PathBuf};

/// The whole file; `proof` is what the engine has to say, in lines.
pub fn text(job: &Job<'_>, answer: &Answer<'_>, proof: &str) -> String {
    head(job, answer).write(proof)
}

/// What a file says about the program.
pub fn head(job: &Job<'_>, answer: &Answer<'_>) -> Head {
    let program = &job.loaded.program;
    Head {
        program: printed(program),
        sources: sources(&job.args.input),
        assumptions: assumptions::lines(program, &answer.assumed),
    }
}

/// The hashes of the files that can be read again, with their names.
fn sources(input: &InputArgs) -> Vec<(String, String)> {
    let hashed = files(input).into_iter().filter_map(|path| {
        let content = path.is_file().then(|| std::fs::read(&path).ok()).flatten()?;
        Some((sha256(&content), display_name(&path).to_string()))
    });
    hashed.collect()
}

/// The files of the program, those of a compilation database included.
pub(crate) fn files(input: &InputArgs) -> Vec<PathBuf> {
    let of_project = console::options::sources(input).ok().filter(|_| !input.is_program());
    match of_project {
        Some(sources) => sources.into_iter().map(|source| source.path).collect(),
        None => input.files.clone(),
    }
}

/// Which files are not those that a proof was made from, in words. Files that cannot be read twice, such as stdin, may be any of them.
pub fn changed(head: &Head, input: &InputArgs) -> Option<String> {
    let given = sources(input);
    let unread = files(input).len().saturating_sub(given.len());
    differences(&head.sources, &given, unread)
}

fn differences(expected: &[(String, String)], given: &[(String, String)], unread: usize) -> Option<String> {
    let is_there = |(hash, _): &&(String, String)| given.iter().any(|(own, _)| own == hash);
    let missing: Vec<&str> =
        expected.iter().filter(|source| !is_there(source)).map(|(_, name)| name.as_str()).collect();
    if missing.len() <= unread {
        return None;
    }
    let of_name =
        |name: &str| given.iter().find(|(_, own)| Path::new(own).file_name() == Path::new(name).file_name());
    let words = missing.iter().map(|name| match of_name(name) {
        Some((_, own)) => format!("{own} has changed since the proof was written"),
        None => format!("no file is as {name} was when the proof was written"),
    });
    Some(words.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_the_same_by_content() {
        let source = |hash: &str, name: &str| (hash.to_owned(), name.to_owned());
        let (a, b) = (source("1", "a.c"), source("2", "b.c"));
        let moved = source("1", "else/x.c");
        assert_eq!(differences(&[a.clone(), b.clone()], &[b.clone(), moved], 0), None);
        let edited = source("3", "else/a.c");
        let words = differences(&[a.clone(), b.clone()], &[edited, b.clone()], 0).unwrap();
        assert_eq!(words, "else/a.c has changed since the proof was written");
        let words = differences(std::slice::from_ref(&a), &[b], 0).unwrap();
        assert_eq!(words, "no file is as a.c was when the proof was written");
        assert_eq!(differences(&[a], &[], 1), None);
    }
}
