//! Who may depend on whom, and what every file has: the rules of ARCHITECTURE.md, enforced.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::repository::{files_below, root};

/// The members of the workspace and the members that each may depend on.
const MAY_USE: [(&str, &[&str]); 13] = [
    ("terminal", &[]),
    ("smt", &[]),
    ("breach", &["terminal"]),
    ("frontend", &["smt"]),
    ("console", &["terminal", "smt", "frontend"]),
    ("asyncc", &["terminal", "smt", "frontend", "console"]),
    ("engine", &["terminal", "smt", "frontend"]),
    ("report", &["terminal", "smt", "frontend", "console", "engine"]),
    ("cseq", &["terminal", "smt", "frontend", "console", "engine", "report"]),
    ("impara", &["terminal", "smt", "frontend", "console", "engine", "report"]),
    ("certify", &["terminal", "smt", "breach", "frontend", "engine", "cseq", "impara"]),
    (
        "monabs",
        &[
            "terminal", "smt", "breach", "frontend", "console", "engine", "report", "cseq", "impara",
            "certify",
        ],
    ),
    ("tests", &["smt", "breach", "frontend", "console", "engine", "cseq", "impara", "certify", "monabs"]),
];

/// Modules of breach that find answers; the checker must not use them, not even by way of others.
const SEARCH: [&str; 8] =
    ["search", "oracle", "reduce", "invariant", "net", "antichain", "run", "coverability"];

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn members_depend_only_on_what_they_may() {
    let members = list_of(&read(root().join("Cargo.toml")), "members");
    let known: BTreeSet<_> = MAY_USE.iter().map(|m| m.0.to_owned()).collect();
    assert_eq!(members.iter().cloned().collect::<BTreeSet<_>>(), known, "a new member needs a rule");
    for (member, allowed) in MAY_USE {
        for dependency in dependencies(&read(root().join(member).join("Cargo.toml"))) {
            let is_member = known.contains(&dependency);
            assert!(!is_member || allowed.contains(&dependency.as_str()), "{member} uses {dependency}");
        }
    }
}

/// Members come after those that they may use.
#[test]
fn members_are_listed_in_dependency_order() {
    let members = list_of(&read(root().join("Cargo.toml")), "members");
    for (index, member) in members.iter().enumerate() {
        for dependency in dependencies(&read(root().join(member).join("Cargo.toml"))) {
            let position = members.iter().position(|m| *m == dependency);
            assert!(position.is_none_or(|p| p < index), "{member} comes before {dependency}");
        }
    }
}

#[test]
fn the_checker_shares_no_algorithm_with_the_search() {
    let uses = uses_of_modules(&root().join("breach/src"));
    assert!(uses["check"].contains("system") && uses["search"].contains("net"), "{uses:?}");
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec!["check"];
    while let Some(module) = open.pop() {
        if reached.insert(module) {
            open.extend(uses[module].iter().map(String::as_str));
        }
    }
    let shared: Vec<_> = SEARCH.iter().filter(|m| reached.contains(*m)).collect();
    assert!(shared.is_empty(), "the checker uses {shared:?}, itself or by way of {reached:?}");
    for module in SEARCH {
        assert!(uses.contains_key(module), "there is no module {module} any more");
    }
}

#[test]
fn only_the_command_line_uses_libraries_for_command_lines() {
    // Members that are made for command lines may use them everywhere, others in these places.
    for (source, command_line) in [
        ("smt/src", &[][..]),
        ("breach/src", &["cli", "main.rs"]),
        ("frontend/src", &[]),
        ("monabs/src", &["bin"]),
    ] {
        let source = root().join(source);
        let mut users = 0;
        for file in rust_files(&source) {
            let path = file.strip_prefix(&source).unwrap();
            let is_command_line = command_line.iter().any(|part| path.starts_with(part));
            let code = code_of(&read(&file));
            let libraries = ["clap", "clap_complete", "clap_mangen", "console", "anyhow"];
            let found = libraries.into_iter().find(|library| words(&code).any(|w| w == *library));
            users += u32::from(found.is_some());
            assert!(is_command_line || found.is_none(), "{} uses {found:?}", file.display());
        }
        let is_used = users > 0;
        assert_eq!(is_used, !command_line.is_empty(), "{}: is this test still right?", source.display());
    }
}

#[test]
fn every_module_says_what_it_is() {
    let mut number = 0;
    for (member, _) in MAY_USE {
        for file in rust_files(&root().join(member)) {
            number += 1;
            let text = read(&file);
            let first = text.lines().next().unwrap_or_default();
            let says = first.strip_prefix("//! ").is_some_and(|doc| doc.len() > 10);
            assert!(says, "{} does not start with a module doc", file.display());
        }
    }
    assert!(number > 50, "only {number} files");
}

#[test]
fn files_are_small_and_know_no_machine() {
    // Written so that this file does not contain them.
    let absolute = ["work", "home", "root", "Users"].map(|folder| format!("/{folder}/"));
    for file in repository_files() {
        let Ok(content) = fs::read(root().join(&file)) else { continue };
        assert!(content.len() <= 1_000_000, "{file} has {} bytes", content.len());
        let text = String::from_utf8_lossy(&content);
        for (number, line) in text.lines().enumerate() {
            let found = absolute.iter().find(|path| mentions(line, path));
            assert!(found.is_none(), "{file}:{}: {}", number + 1, line.trim());
        }
    }
}

/// True if the path is in the line and does not merely continue a relative one.
fn mentions(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '.' && c != '_' && c != '-' && c != '}')
    })
}

/// The files that git knows or would add; without git, all.
fn repository_files() -> Vec<String> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = Command::new("git").args(arguments).current_dir(root()).output();
    match listed {
        Ok(output) if output.status.success() => {
            let list = String::from_utf8_lossy(&output.stdout).into_owned();
            let files: Vec<_> = list.split_terminator('\0').map(str::to_owned).collect();
            assert!(files.len() > 50, "git lists only {} files", files.len());
            files
        }
        _ => {
            let relative = |path: PathBuf| path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            files_below(&root()).unwrap().into_iter().map(relative).collect()
        }
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let files = files_below(folder).unwrap();
    files.into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

/// The strings of `key = ["a", "b"]` in a TOML file.
fn list_of(toml: &str, key: &str) -> Vec<String> {
    let line = toml.lines().find(|line| line.split('=').next().is_some_and(|k| k.trim() == key));
    let list = line.and_then(|line| line.split_once('=')).unwrap_or_else(|| panic!("no list {key}")).1;
    assert!(list.trim().ends_with(']'), "this test reads lists on one line");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The names in all dependency tables of a TOML file.
fn dependencies(toml: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_dependencies = false;
    for line in toml.lines().map(str::trim) {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            is_dependencies = table.ends_with("dependencies");
            // [dependencies.name]
            if let Some((parent, name)) = table.rsplit_once('.')
                && parent.ends_with("dependencies")
            {
                names.push(name.to_owned());
            }
        } else if is_dependencies && !line.is_empty() && !line.starts_with('#') {
            let name: String =
                line.chars().take_while(|c| c.is_alphanumeric() || "-_".contains(*c)).collect();
            names.push(name);
            // { package = "name" }
            if let Some((_, rest)) = line.split_once("package") {
                names.extend(rest.split('"').nth(1).map(str::to_owned));
            }
        }
    }
    names
}

/// For each module below the root of a crate the modules that it names in paths.
fn uses_of_modules(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let exported = exports(&code_of(&read(source.join("lib.rs"))));
    for file in rust_files(source) {
        let path = file.strip_prefix(source).unwrap().with_extension("");
        let path: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let code = code_of(&read(&file));
        let depth = path.iter().filter(|part| *part != "mod").count();
        let mut names = BTreeSet::new();
        for start in starts_of_root_paths(&code, depth) {
            first_names(&code[start..], &mut names);
        }
        let names = names.into_iter().map(|name| exported.get(&name).cloned().unwrap_or(name));
        uses.entry(path[0].clone()).or_default().extend(names);
    }
    // In an inline module, what looks like a path to the root can lead to an item of the file.
    let modules: BTreeSet<String> = uses.keys().cloned().collect();
    uses.values_mut().for_each(|names| names.retain(|name| modules.contains(name)));
    uses
}

/// Names that the root has from modules: `use a::b;` and `use a::{b, c};`.
fn exports(root: &str) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for statement in root.split(';').filter_map(|s| Some(s.split_once("use ")?.1)) {
        let mut names = words(statement);
        let module = names.next().unwrap_or_default().to_owned();
        exports.extend(names.map(|name| (name.to_owned(), module.clone())));
    }
    exports
}

/// The places right behind a prefix that leads to the root of the crate from a module of this depth, or from
/// an inline module in it.
fn starts_of_root_paths(code: &str, depth: usize) -> Vec<usize> {
    let deeper = "super::".repeat(depth + 1);
    let mut starts = Vec::new();
    for prefix in ["crate::", &deeper[7..], &deeper] {
        for (at, _) in code.match_indices(prefix) {
            let before = &code[..at];
            let is_start =
                !before.ends_with("::") && !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let end = at + prefix.len();
            if is_start && !code[end..].starts_with("super::") {
                starts.push(end);
            }
        }
    }
    starts
}

/// The first names of the paths in `a::b`, `{a::b, c::{d, e}}`.
fn first_names(code: &str, names: &mut BTreeSet<String>) {
    let Some(list) = code.strip_prefix('{') else {
        if code.starts_with(|c: char| c.is_alphabetic()) {
            names.extend(words(code).next().map(str::to_owned));
        }
        return;
    };
    let (mut depth, mut is_start) = (0, true);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return,
            '}' => depth -= 1,
            ',' if depth == 0 => is_start = true,
            c if is_start && depth == 0 && c.is_alphabetic() => {
                is_start = false;
                names.extend(words(&list[at..]).next().map(str::to_owned));
            }
            _ => {}
        }
    }
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The text without comments and strings.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines() {
        let mut is_string = false;
        let mut previous = ' ';
        let mut kept = String::new();
        for c in line.chars() {
            match c {
                '"' if previous != '\\' && previous != '\'' => is_string = !is_string,
                '/' if previous == '/' && !is_string => {
                    kept.pop();
                    break;
                }
                c if !is_string => kept.push(c),
                _ => {}
            }
            previous = if previous == '\\' && c == '\\' { ' ' } else { c };
        }
        code.push_str(&kept);
        code.push('\n');
    }
    code
}

#[test]
fn the_reader_of_sources_works() {
    let mut names = BTreeSet::new();
    let code = code_of("use crate::{a::b, c::{d, e}, f}; // crate::g\nlet x = \"crate::h\"; crate::i::j();");
    for start in starts_of_root_paths(&code, 1) {
        first_names(&code[start..], &mut names);
    }
    assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), ["a", "c", "f", "i"]);
    let mut names = BTreeSet::new();
    for start in starts_of_root_paths("use super::a; use super::super::b; mod t { use super::super::c; }", 1)
    {
        first_names(
            &"use super::a; use super::super::b; mod t { use super::super::c; }"[start..],
            &mut names,
        );
    }
    assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), ["a", "b", "c"]);
    let toml =
        "[dependencies]\na = 1\nb.workspace = true\n[lints]\nx = 1\n[dev-dependencies.c]\npath = \"c\"\n";
    assert_eq!(dependencies(toml), ["a", "b", "c"]);
    assert!(mentions("see /ho".to_owned().as_str(), "/ho") && !mentions("../ho/ho", "/ho"));
}
