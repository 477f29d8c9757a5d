//! C programs that state by assertions what C means: compiled and run, none fails; interpreted, none fails either, and the end is reached.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::lower::Options;
use frontend::preprocess::PreprocessOptions;
use frontend::program::PropertyKind;
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::reduce::{self, reduce};
use frontend::translate::translate_file;
use std::path::Path;
use std::process::Command;
use tests::repository::{files_below, root};

/// The compiled program ends well.
fn compiled_holds(path: &Path) -> bool {
    let binary = std::env::temp_dir().join(format!("c-semantics-{}", std::process::id()));
    let built =
        Command::new("cc").args(["-std=gnu11", "-w", "-fwrapv", "-o"]).arg(&binary).arg(path).output();
    let Ok(built) = built else {
        println!("skipped: there is no compiler");
        return true;
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&binary).output().unwrap();
    std::fs::remove_file(&binary).unwrap();
    run.status.success()
}

#[test]
fn c_means_what_the_compiler_says() {
    let files = files_below(&root().join("tests/semantics")).unwrap();
    assert!(!files.is_empty());
    for path in files {
        assert!(compiled_holds(&path), "{}: fails when compiled", path.display());
        let translation = translate_file(&path, &PreprocessOptions::default(), &Options::default(), &[]);
        let program = match translation {
            Ok(translation) => translation.program,
            Err(errors) => {
                panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
            }
        };
        let (program, _) = reduce(program, &reduce::Options::default());
        let found = explore(&program, 1, &ExploreOptions::default()).unwrap();
        for name in found.violated.keys() {
            let property = program.properties.iter().find(|p| p.name == *name).unwrap();
            let line = property.position.line;
            assert_eq!(
                property.kind,
                PropertyKind::ErrorFunction,
                "{}:{line}: {}",
                path.display(),
                property.description
            );
        }
        assert_eq!(found.violated.len(), 1, "{}: the end is not reached", path.display());
    }
}
