//! Sees to it that the program ends when it should: time limit, memory limit, Ctrl-C; and on how many cores it runs.
//!
//! The verifier looks at limits by itself and stops with what it knows. This module is for the rest, which does not look: translation,
//! checks of answers. A limit that has been reached for some time without an answer ends the process from another thread, with
//! an UNKNOWN like any other.

use crate::args::LimitArgs;
use console::deadline::{Deadline, Ender};
use console::report::Report;
use console::{Console, exit};
use engine::limits::{Limit, Limits};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the verifier may take to notice a limit by itself.
const GRACE: Duration = Duration::from_secs(2);
/// How often the memory is looked at.
const MEMORY_POLL: Duration = Duration::from_millis(50);

/// Starts the clock and takes over Ctrl-C. The report is what is said if nothing else can be.
pub fn start(args: &LimitArgs, cores: Option<u16>, report: Report, console: Console) -> (Deadline, Limits) {
    if let Some(cores) = cores {
        use_cores(cores.into(), console);
    }
    let mut limits = Limits::none();
    limits.time = args.timeout;
    limits.memory = args.memory_limit.map(|megabytes| megabytes << 20);
    let deadline = Deadline::start(args.timeout, GRACE, report);
    handle_interrupts(&deadline.ender(), &limits.interrupt, console);
    if let Some(limit) = limits.memory {
        deadline.ender().in_background(move |ender| watch_memory(&ender, limit));
    }
    (deadline, limits)
}

fn handle_interrupts(ender: &Ender, interrupt: &Arc<AtomicBool>, console: Console) {
    let (ender, interrupt) = (ender.clone(), Arc::clone(interrupt));
    let handler = move || {
        if interrupt.swap(true, Ordering::SeqCst) {
            frontend::preprocess::exit(exit::KILLED.into());
        }
        ender.in_background(|ender| {
            std::thread::sleep(GRACE);
            ender.give_up(&Limit::Interrupted.to_string());
        });
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        console.note(&format!("warning: Ctrl-C will end the process without an answer: {error}"));
    }
}

fn watch_memory(ender: &Ender, limit: u64) {
    let mut over_since = None;
    while !ender.is_answered() {
        std::thread::sleep(MEMORY_POLL);
        if terminal::memory::resident().is_none_or(|used| used < limit) {
            over_since = None;
        } else if over_since.get_or_insert_with(Instant::now).elapsed() >= GRACE {
            ender.give_up(&Limit::Memory.to_string());
        }
    }
}

/// All threads that are started from now on, in this process and its children, share so many cores.
#[cfg(target_os = "linux")]
fn use_cores(number: usize, console: Console) {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;
    let this = Pid::from_raw(0);
    let chosen = sched_getaffinity(this).and_then(|allowed| {
        let mut chosen = CpuSet::new();
        let cores = (0..CpuSet::count()).filter(|&core| allowed.is_set(core) == Ok(true));
        for core in cores.take(number) {
            chosen.set(core)?;
        }
        sched_setaffinity(this, &chosen)
    });
    if let Err(error) = chosen {
        console.note(&format!("warning: all cores are used: {error}"));
    }
}

#[cfg(not(target_os = "linux"))]
fn use_cores(_: usize, console: Console) {
    console.note("warning: all cores are used: the number can be chosen on Linux only");
}
