//! Tables on several threads: questions about different steps are answered at the same time.
//!
//! A solver belongs to the thread that created it. So each table lives on one worker, and gets its questions in the order in which they were asked,
//! whatever the other workers do: answers do not depend on the number of workers.

use super::table::{Context, Cube, Formula, Method, Questions, Table};
use crate::limits::Stop;
use rustc_hash::FxHashMap;
use smt::{Config, SolverChoice};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

enum Request {
    Create(usize, Box<Formula>),
    Values(usize, Context),
    Confirm(usize, Context, u128),
}

/// An answer.
pub(super) enum Reply {
    /// To a question for values.
    Values(usize, Context, Vec<u128>),
    /// To a question for confirmation: the part of the context that makes it impossible.
    Confirmed(Option<Cube>),
}

type Answer = Result<(Reply, Questions), Stop>;

struct Worker {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

/// Some threads with tables.
pub(super) struct Workers {
    workers: Vec<Worker>,
    replies: Receiver<Answer>,
    tables: usize,
}

impl Workers {
    pub(super) fn new(number: usize, solver: &SolverChoice, config: &Config, method: Method) -> Workers {
        let (send, replies) = channel();
        let workers = (0..number.max(1)).map(|_| {
            let (requests, inbox) = channel();
            let (send, solver, config) = (send.clone(), solver.clone(), config.clone());
            let work = move || serve(&inbox, &send, &solver, &config, method);
            Worker { requests: Some(requests), thread: std::thread::Builder::new().spawn(work).ok() }
        });
        Workers { workers: workers.collect(), replies, tables: 0 }
    }

    /// A new table; its number.
    pub(super) fn create(&mut self, formula: Formula) -> Result<usize, Stop> {
        let number = self.tables;
        self.tables += 1;
        self.send(number, Request::Create(number, Box::new(formula)))?;
        Ok(number)
    }

    fn send(&self, table: usize, request: Request) -> Result<(), Stop> {
        let worker = &self.workers[table % self.workers.len()];
        let sent = worker.requests.as_ref().is_some_and(|requests| requests.send(request).is_ok());
        if sent { Ok(()) } else { Err(Stop::Bug("a worker has ended".into())) }
    }

    /// Asks for values; the answer comes later.
    pub(super) fn ask_values(&self, table: usize, context: Context) -> Result<(), Stop> {
        self.send(table, Request::Values(table, context))
    }

    /// Asks for confirmation; the answer comes later.
    pub(super) fn ask_confirmation(&self, table: usize, context: Context, value: u128) -> Result<(), Stop> {
        self.send(table, Request::Confirm(table, context, value))
    }

    /// The next answer.
    pub(super) fn reply(&self) -> Answer {
        self.replies.recv().unwrap_or_else(|_| Err(Stop::Bug("all workers have ended".into())))
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            worker.requests = None;
        }
        for worker in &mut self.workers {
            if let Some(thread) = worker.thread.take() {
                // A worker that panicked has said so.
                let _ = thread.join();
            }
        }
    }
}

fn serve(
    inbox: &Receiver<Request>,
    replies: &Sender<Answer>,
    solver: &SolverChoice,
    config: &Config,
    method: Method,
) {
    let mut tables: FxHashMap<usize, Result<Table, Stop>> = FxHashMap::default();
    while let Ok(request) = inbox.recv() {
        let answer = match request {
            Request::Create(number, formula) => {
                tables.insert(number, Table::new(*formula, (solver, config), method));
                continue;
            }
            Request::Values(number, context) => with(&mut tables, number, |table| {
                let values = table.values(context)?;
                Ok((Reply::Values(number, context, values), table.take_questions()))
            }),
            Request::Confirm(number, context, value) => with(&mut tables, number, |table| {
                let part = table.confirm(context, value)?;
                Ok((Reply::Confirmed(part), table.take_questions()))
            }),
        };
        if replies.send(answer).is_err() {
            return;
        }
    }
}

fn with(
    tables: &mut FxHashMap<usize, Result<Table, Stop>>,
    number: usize,
    action: impl FnOnce(&mut Table) -> Answer,
) -> Answer {
    match tables.get_mut(&number) {
        Some(Ok(table)) => action(table),
        Some(Err(stop)) => Err(stop.clone()),
        None => Err(Stop::Bug("a table does not exist".into())),
    }
}
