//! Programs that we start and that must not outlive us.
//!
//! Each is in a process group of its own, so that Ctrl-C on the terminal reaches this process alone, which then decides. When the thread that
//! started one ends, in whatever way, the kernel kills it: `setpriv`, a part of every Linux distribution, arranges for that in between, because
//! to do it ourselves would take unsafe code. Where there is no such program, who is killed may leave a child that works until its
//! next read or write.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What runs a program such that it ends with the thread that started it.
const GUARDIAN: [&str; 4] = ["setpriv", "--pdeathsig", "KILL", "--"];

/// A command that runs a program, to be completed with its arguments. The thread that spawns it must live as long as it should run.
pub fn command(program: &str) -> Command {
    let mut command = if has_guardian() && is_there(program) {
        let mut command = Command::new(GUARDIAN[0]);
        command.args(&GUARDIAN[1..]).arg(program);
        command
    } else {
        // Also for programs that do not exist, so that the error is theirs.
        Command::new(program)
    };
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Whether there is a guardian that knows what it is asked for.
fn has_guardian() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let probe = || {
        let mut probe = Command::new(GUARDIAN[0]);
        probe.args(&GUARDIAN[1..]).arg("true");
        probe.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    *FOUND.get_or_init(probe)
}

/// Whether the system would find the program.
fn is_there(program: &str) -> bool {
    if program.contains('/') {
        return is_executable(Path::new(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| is_executable(&folder.join(program)))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_run_and_missing_ones_are_errors() {
        let output = command("sh").args(["-c", "echo $0 $1", "--", "-x"]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "-- -x\n");
        assert_eq!(command("no-such-program").output().unwrap_err().kind(), std::io::ErrorKind::NotFound);
        assert!(command("/dev/null").output().is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_ends_with_its_thread() {
        if !has_guardian() {
            return;
        }
        let spawn = || {
            let child = command("sleep").arg("600").spawn().unwrap();
            // The guardian has done its part as soon as the program itself runs.
            let name = format!("/proc/{}/comm", child.id());
            while std::fs::read_to_string(&name).unwrap().trim() != "sleep" {
                std::thread::yield_now();
            }
            child
        };
        // The thread is gone when it has been joined, and the child with it.
        let mut child = std::thread::spawn(spawn).join().unwrap();
        assert!(!child.wait().unwrap().success());
    }
}
