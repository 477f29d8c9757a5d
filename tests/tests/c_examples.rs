//! The C programs under `examples/c/` and `examples/drivers/`: translated with both granularities, explored with few threads.
//!
//! What is said to be unsafe fails in a real run, which is replayed; what is said to be safe does not fail with any
//! number of threads that is tried. A file that needs more threads than are tried says so: `// THREADS: 257`. A few have too many
//! schedules to try them all here; they are translated only.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::lower::Options;
use frontend::preprocess::PreprocessOptions;
use frontend::program::interpret::{ExploreOptions, explore, replay};
use frontend::program::validate::{Rules, validate};
use frontend::program::{Program, PropertyKind};
use frontend::reduce::{self, reduce};
use frontend::translate::{Source, translate_files};
use std::path::{Path, PathBuf};
use tests::repository::{entry_points, environment, root};

const MOST_THREADS: usize = 4;

/// How the names begin of files with too many schedules: most of them join threads in a loop, or make calls later (the drivers). `monabs_examples` checks what is expected of them.
const NOT_EXPLORED: &[&str] = &[
    "accounts",
    "create-join-",
    "freebsd-watchdog",
    "illumos-pool",
    "linux-button",
    "netbsd-poll",
    "openbsd-sensor",
    "philosophers",
    "readers-writers-monitor",
    "ring-monitor",
    "rounds-turns",
    "stack-reserve",
    "work-closing",
    "work-index",
];

fn is_explored(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    !NOT_EXPLORED.iter().any(|start| name.starts_with(start))
}

fn examples() -> Vec<PathBuf> {
    let folders = ["examples/c", "examples/drivers"];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    assert!(files.len() > 50, "only {} examples", files.len());
    files
}

fn small(path: &Path, options: &Options) -> Program {
    let text = std::fs::read_to_string(path).unwrap();
    let preprocess = PreprocessOptions { environment: environment(&text), ..PreprocessOptions::default() };
    let source = Source { path: path.to_owned(), options: preprocess };
    let points = entry_points(&text);
    let translation = translate_files(&[source], options, &[], &points);
    let program = match translation {
        Ok(translation) => translation.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    };
    let (program, _) = reduce(program, &reduce::Options::default());
    assert_eq!(validate(&program, Rules { strictly_asynchronous: true }), [], "{}", path.display());
    program
}

/// Whether a property other than a limit fails in a real run with at most so many threads.
fn fails(program: &Program, path: &Path) -> bool {
    for threads in 1..=MOST_THREADS {
        let mut options = ExploreOptions::default();
        options.limits.states = 20_000;
        let found = explore(program, threads, &options).unwrap();
        for (name, run) in &found.violated {
            let property = program.properties.iter().find(|p| p.name == *name).unwrap();
            assert_ne!(property.kind, PropertyKind::Limit, "{}: {}", path.display(), property.description);
            let outcome = replay(program, run).unwrap();
            assert!(outcome.violated.contains_key(name), "{}: {name}", path.display());
            if outcome.approximate.is_empty() {
                return true;
            }
        }
    }
    false
}

#[test]
fn expectations_hold_with_few_threads() {
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let unsafe_expected = match first.strip_prefix("// EXPECT: ") {
            Some(verdict) => verdict.starts_with("unsafe"),
            None => panic!("{}: the first line says no verdict", path.display()),
        };
        let needed =
            text.lines().find_map(|line| line.strip_prefix("// THREADS: ")?.trim().parse::<usize>().ok());
        let fine = small(&path, &Options::default());
        if is_explored(&path) {
            let findable = unsafe_expected && needed.is_none_or(|n| n <= MOST_THREADS);
            assert_eq!(fails(&fine, &path), findable, "{}", path.display());
        }
        small(&path, &Options { atomic_statements: true, ..Options::default() });
    }
}
