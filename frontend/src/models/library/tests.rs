//! No function of the standard headers is forgotten, and the documentation says what becomes of each.

use super::{BUILT_IN, EXACT_NUMBERS, Treatment, treatment};
use crate::models::MODELS;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A line for each header: its name and the functions that it declares.
const HEADERS: &str = include_str!("headers.txt");

/// What the comments above the models say, by function.
fn modelled() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for model in MODELS {
        let mut comment = String::new();
        for line in model.text.lines() {
            if let Some(text) = line.strip_prefix("// ") {
                comment = if comment.is_empty() { text.to_owned() } else { format!("{comment} {text}") };
                continue;
            }
            let is_head =
                !line.starts_with([' ', '}', '#', '/']) && line.contains('(') && !line.starts_with("static ");
            if is_head && !line.ends_with(';') {
                // The first name in front of a parenthesis.
                let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
                let mut words = line.split('(').map(|part| part.rsplit(|c| !is_word(c)).next().unwrap_or(""));
                if let Some(name) = words.find(|word| !word.is_empty()) {
                    found.insert(name.to_owned(), comment.clone());
                }
            }
            comment.clear();
        }
    }
    found
}

/// What becomes of a call, in words.
fn outcome(name: &str, modelled: &BTreeMap<String, String>) -> Option<String> {
    if let Some(comment) = modelled.get(name) {
        let comment = comment.split(". ").next().unwrap_or(comment).trim_end_matches('.');
        return Some(comment.to_owned());
    }
    if let Some((how, _)) = BUILT_IN.iter().find(|(_, names)| names.contains(&name)) {
        return Some(format!("Built in: {how}"));
    }
    if EXACT_NUMBERS.contains(&name) {
        return Some("Built in: exact; in code for 32 bits, over-approximated".to_owned());
    }
    Some(match treatment(name)? {
        Treatment::Any => "Exact: changes nothing that the program can see".to_owned(),
        Treatment::Guess => "Over-approximated: any value".to_owned(),
        Treatment::Limit(reason) => format!("No answer: {reason}"),
    })
}

fn page() -> (String, Vec<String>) {
    let modelled = modelled();
    let mut missing = Vec::new();
    let mut page = String::from(
        "# What becomes of library functions\n\n\
         Made by a test of `frontend/src/models/library` from the models, the built-in functions and the table there:\n\
         `UPDATE_DOCS=1 cargo test -p frontend library` writes it anew.\n\n\
         *Exact*: the calls do what the library does, or, for input, what it may do. *Over-approximated*: more than reality; a run that\n\
         depends on it is not shown as real. *No answer*: UNKNOWN, if control can get there. Other functions without a definition are\n\
         the user's: see `--undefined`. A definition in the program or in a `--model` wins.\n",
    );
    for line in HEADERS.lines() {
        let (header, names) = line.split_once(':').unwrap();
        let _ = write!(page, "\n## {header}\n\n| function | |\n|---|---|\n");
        let mut names: Vec<&str> = names.split_whitespace().collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            match outcome(name, &modelled) {
                Some(outcome) => {
                    let _ = writeln!(page, "| `{name}` | {} |", outcome.replace('|', "\\|"));
                }
                None => missing.push(format!("{header}: {name}")),
            }
        }
    }
    (page, missing)
}

#[test]
fn no_function_of_the_headers_is_forgotten() {
    let (_, missing) = page();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_documentation_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/LIBRARY.md");
    let (page, _) = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap();
    assert_eq!(written, page, "run UPDATE_DOCS=1 cargo test -p frontend library");
}

#[test]
fn no_function_has_two_treatments() {
    let modelled = modelled();
    let mut seen = Vec::new();
    for (name, _) in super::table() {
        assert!(!modelled.contains_key(name), "{name} has a model");
        assert!(!seen.contains(&name), "{name} is there twice");
        seen.push(name);
    }
    for name in BUILT_IN.iter().flat_map(|(_, names)| *names) {
        assert!(!modelled.contains_key(*name), "{name} has a model and is built in");
        assert!(treatment(name).is_none(), "{name} is built in and in the table");
    }
}

/// Functions of the models: name, comment and body.
fn functions() -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for model in MODELS {
        let (mut comment, mut name, mut body) = (String::new(), None, String::new());
        for line in model.text.lines() {
            match &name {
                Some(_) if line == "}" => {
                    found.extend(name.take().map(|name| (name, comment.clone(), body.clone())));
                    comment.clear();
                    body.clear();
                }
                Some(_) => body += line,
                None if line.starts_with("// ") => comment += line,
                None if line.ends_with('{') && line.contains('(') => {
                    // The name stands right in front of a parenthesis.
                    let mut parts = line.split('(');
                    let head = parts.find(|part| part.ends_with(|last: char| last.is_ascii_alphanumeric()));
                    let word = head.unwrap_or(line).rsplit([' ', '*']).next().unwrap_or(line);
                    name = Some(word.to_owned());
                }
                None => comment.clear(),
            }
        }
    }
    found
}

/// What a comment calls more than reality must not count as real.
#[test]
fn over_approximations_are_marked() {
    let functions = functions();
    let marks = ["approximate", "guess_int", "guess_long", "limit"];
    let mut marked: Vec<String> = marks.map(|mark| format!("__monabs_{mark}")).to_vec();
    // Functions that call a marked one are marked; chains are short.
    for _ in 0..5 {
        for (name, _, body) in &functions {
            let mut words = body.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            if !marked.contains(name) && words.any(|word| marked.iter().any(|other| other == word)) {
                marked.push(name.clone());
            }
        }
    }
    // What is said about texts and the environment is marked in getenv; cv_signal does what some systems permit.
    let exceptions = ["__monabs_text", "setenv", "unsetenv", "clearenv", "cv_signal"];
    let is_over = |comment: &str| comment.to_lowercase().contains("over-approximated");
    let silent: Vec<&String> = functions
        .iter()
        .filter(|(name, comment, _)| is_over(comment) && !marked.contains(name))
        .map(|(name, _, _)| name)
        .filter(|name| !exceptions.contains(&name.as_str()))
        .collect();
    assert!(silent.is_empty(), "{silent:?}");
    assert!(functions.len() > 300 && marked.len() > 30, "{} functions", functions.len());
}
