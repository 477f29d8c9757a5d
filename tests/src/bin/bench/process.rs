//! Runs a child process and measures it: wall time, processor time, output.
//!
//! The processor time is the difference of what all children together have used, which the system adds up when a
//! child has ended. This is exact while there is only one at a time.

use anyhow::{Context as _, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike as _;
use nix::unistd::Pid;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What a child did.
#[derive(Debug)]
pub(crate) struct Finished {
    /// `None` if a signal ended it.
    pub(crate) exit_code: Option<i32>,
    /// Whether it was killed for taking too long.
    pub(crate) killed: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

/// Runs a command to its end, or for `limit` at most. Its stderr goes to a file on the way, so that it never waits
/// for a reader.
pub(crate) fn run(command: &mut Command, limit: Duration, stderr: &Path) -> Result<Finished> {
    let mut errors = File::options().create(true).truncate(true).read(true).write(true).open(stderr)?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors.try_clone()?);
    let cpu_before = children_cpu()?;
    let start = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let pid = Pid::from_raw(i32::try_from(child.id())?);
    let mut stdout = Vec::new();
    // The watchdog ends before the child is waited for: until then the number of the process is not used again.
    let (read, killed) = thread::scope(|scope| {
        let (done, ended) = channel();
        let watchdog = scope.spawn(move || kill_after(pid, limit, &ended));
        let read = child.stdout.take().map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut stdout));
        drop(done);
        (read, watchdog.join().unwrap_or(false))
    });
    read.context("cannot read what the child prints")?;
    let status = child.wait()?;
    let wall = start.elapsed();
    let cpu = children_cpu()?.saturating_sub(cpu_before);
    let mut message = Vec::new();
    errors.rewind()?;
    errors.read_to_end(&mut message)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Finished {
        exit_code: status.code(),
        killed,
        stdout: text(&stdout),
        stderr: text(&message),
        wall,
        cpu,
    })
}

/// Kills a process unless the channel is closed in time.
fn kill_after(pid: Pid, limit: Duration, ended: &Receiver<()>) -> bool {
    let late = ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
    late && kill(pid, Signal::SIGKILL).is_ok()
}

/// The processor time of all children that have ended.
fn children_cpu() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(u64::try_from(microseconds)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Mutex, PoisonError};

    /// Children of tests that run at the same time would be added to each other's time.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    fn shell(script: &str, limit: Duration) -> Finished {
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let stderr = std::env::temp_dir().join(format!("bench-process-{}", std::process::id()));
        let finished = run(Command::new("sh").args(["-c", script]), limit, &stderr).unwrap();
        std::fs::remove_file(stderr).unwrap();
        finished
    }

    #[test]
    fn output_and_exit_code() {
        let finished = shell("echo out; echo err >&2; exit 10", Duration::from_secs(60));
        assert_eq!((finished.exit_code, finished.killed), (Some(10), false));
        assert_eq!((&*finished.stdout, &*finished.stderr), ("out\n", "err\n"));
    }

    #[test]
    fn processor_time_is_that_of_the_child() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let [idle, busy] = ["sleep 0.05", busy].map(|script| shell(script, Duration::from_secs(60)));
        assert!(idle.wall >= Duration::from_millis(50) && idle.cpu < busy.cpu, "{idle:?}, {busy:?}");
    }

    #[test]
    fn what_takes_too_long_is_killed() {
        let finished = shell("exec sleep 600", Duration::from_millis(50));
        assert_eq!((finished.exit_code, finished.killed), (None, true));
    }
}
