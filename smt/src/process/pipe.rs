//! A running program and the two pipes to it.
//!
//! One thread writes and one reads, so that neither a program that does not read nor one that does not answer can keep
//! this one from noticing that time is up.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::text::Splitter;
use crate::child;
use crate::solver::{Limits, Reason, SolverError};

/// How often whoever waits looks at the interrupt.
const GLANCE: Duration = Duration::from_millis(10);

/// A program that is ended with this.
pub(super) struct Pipe {
    child: Child,
    to: Sender<String>,
    from: Receiver<String>,
}

/// What happens next.
pub(super) enum Event {
    Reply(String),
    /// No reply, and no time to wait for one.
    Cut(Reason),
    /// The program closed its output.
    Ended,
}

impl Pipe {
    pub(super) fn open(command: &[String]) -> Result<Pipe, SolverError> {
        let start = |error| SolverError::Start { command: command.join(" "), error };
        let (program, arguments) =
            command.split_first().ok_or_else(|| start(std::io::ErrorKind::NotFound.into()))?;
        let mut solver = child::command(program);
        solver.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let (to, texts) = channel();
        let (replies, from) = channel();
        let (started, starting) = channel();
        // Who starts it must live as long as it does, so the one who reads does it.
        let run = move || {
            let mut child = solver.spawn();
            let output = child.as_mut().ok().and_then(|child| child.stdout.take());
            if started.send(child).is_ok()
                && let Some(output) = output
            {
                read(output, &replies);
            }
        };
        thread::Builder::new().spawn(run).map_err(start)?;
        let ended = || std::io::Error::other("the thread that starts it has ended");
        let mut child = starting.recv().map_err(|_| start(ended()))?.map_err(start)?;
        if let Some(input) = child.stdin.take() {
            thread::Builder::new().spawn(move || write(input, &texts)).map_err(start)?;
        }
        Ok(Pipe { child, to, from })
    }

    /// Sends text, without waiting. If nobody reads it any more, that shows when the reply is asked for.
    pub(super) fn send(&self, text: String) {
        let _gone = self.to.send(text);
    }

    pub(super) fn receive(&self, limits: &Limits) -> Event {
        loop {
            let left =
                limits.deadline.map_or(GLANCE, |deadline| deadline.saturating_duration_since(Instant::now()));
            match self.from.recv_timeout(left.min(GLANCE)) {
                Ok(reply) => return Event::Reply(reply),
                Err(RecvTimeoutError::Disconnected) => return Event::Ended,
                Err(RecvTimeoutError::Timeout) if limits.interrupt.is_stopped() => {
                    return Event::Cut(Reason::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Event::Cut(Reason::TimeLimit),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the program ended.
    pub(super) fn ending(mut self) -> String {
        let _ended_already = self.child.kill();
        self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _status = self.child.wait();
    }
}

/// Writes until there is nothing more to write, or nobody who reads it.
fn write(mut input: ChildStdin, texts: &Receiver<String>) {
    while let Ok(text) = texts.recv() {
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Reads replies until there are none, or nobody waits for them.
fn read(output: ChildStdout, replies: &Sender<String>) {
    let mut splitter = Splitter::default();
    for byte in BufReader::new(output).bytes() {
        let Ok(byte) = byte else { return };
        if let Some(reply) = splitter.push(byte)
            && replies.send(reply).is_err()
        {
            return;
        }
    }
    if let Some(reply) = splitter.finish() {
        let _nobody_waits = replies.send(reply);
    }
}
