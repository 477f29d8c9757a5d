//! The judge: gcc with its sanitizers.

use std::path::Path;
use std::process::Command;

/// Flags under which our programs have no undefined behaviour: wrong addresses and the rest of it end the run.
pub const SANITIZERS: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-sanitize=signed-integer-overflow,shift,alignment",
    "-fwrapv",
];
/// Flags that find races.
pub const RACES: &[&str] = &["-fsanitize=thread"];

/// How a compiled program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Well, with this output.
    Well(String),
    /// With a message of a sanitizer, or a signal.
    Fault(String),
}

/// Compiles and runs a program; none without a compiler. The program may be run several times: a fault of one run is one.
pub fn run(folder: &Path, name: &str, text: &str, flags: &[&str], runs: usize) -> Option<End> {
    let (source, binary) = (folder.join(format!("{name}.gcc.c")), folder.join(format!("{name}.bin")));
    std::fs::write(&source, text).ok()?;
    let mut build = Command::new("gcc");
    build.args(["-std=gnu11", "-w", "-O0", "-fno-strict-aliasing", "-fno-builtin", "-pthread"]).args(flags);
    let built = build.arg("-o").arg(&binary).arg(&source).output().ok()?;
    if !built.status.success() {
        return Some(End::Fault(format!("not compiled: {}", String::from_utf8_lossy(&built.stderr))));
    }
    let mut end = None;
    for _ in 0..runs {
        let mut command = Command::new(&binary);
        command.env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1");
        let output = command.output().ok()?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() || messages.contains("Sanitizer") || messages.contains("runtime error") {
            end = Some(End::Fault(messages));
            break;
        }
        end = Some(End::Well(String::from_utf8_lossy(&output.stdout).into_owned()));
    }
    let _ = std::fs::remove_file(&binary);
    end
}
