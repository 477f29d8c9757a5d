//! From a run of the reduced system to a trace of the user's, with thread identities.
//!
//! A reduced run says which steps to take and what is required after each. Here threads get numbers, merged
//! steps become the user's transitions, threads that were taken to be at the end of their forced steps
//! make these steps just in time, and passive threads choose among the places that a transfer allows such
//! that the requirement is met.

use crate::net::{Net, Pairs};
use crate::reduce::Lift;
use crate::system::{Local, Problem, Shared, Transition};
use crate::trace::{Move, Role, Step, Trace};

/// A run of the reduced system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// What is required at the start; an initial state covers it.
    pub(crate) initial: Pairs,
    /// Steps, each with what is required after it.
    pub(crate) steps: Vec<(u32, Pairs)>,
}

/// Runs with more threads than this are not built.
const MAX_THREADS: u64 = 1_000_000;

/// Why there is no trace.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum NoTrace {
    /// The run cannot be followed: a bug in this program.
    #[error("internal error: the run found by the search cannot be followed at step {0}")]
    Broken(usize),
    /// More threads than can be written down.
    #[error("the run has more than {MAX_THREADS} threads")]
    TooManyThreads,
}

/// Builds the trace of a run that covers target number `target` of the problem.
pub(crate) fn build_trace(
    problem: &Problem,
    net: &Net,
    lift: &Lift,
    run: &Run,
    target: usize,
) -> Result<Trace, NoTrace> {
    if crate::antichain::size(&run.initial) + problem.init.bounded.size() > MAX_THREADS {
        return Err(NoTrace::TooManyThreads);
    }
    let mut builder = Builder::start(problem, lift, run);
    let trace_start = builder.threads.iter().map(|l| l.unwrap_or_default()).collect();
    for (step, required) in &run.steps {
        builder.net_step(net, *step, required)?;
    }
    let target = problem.targets[target].clone();
    for &(l, c) in target.threads.pairs() {
        builder.gather(l, c as usize)?;
    }
    Ok(Trace { shared: problem.init.shared, threads: trace_start, steps: builder.steps, target })
}

struct Builder<'a> {
    problem: &'a Problem,
    lift: &'a Lift,
    shared: Shared,
    /// Where each thread is; `None` once it has vanished.
    threads: Vec<Option<Local>>,
    /// The threads in each local state; the last one is taken first.
    at: Vec<Vec<u32>>,
    /// The local states from which forced steps lead to a given one.
    before: Vec<Vec<Local>>,
    steps: Vec<Step>,
}

impl<'a> Builder<'a> {
    fn start(problem: &'a Problem, lift: &'a Lift, run: &Run) -> Self {
        let locals = problem.system.local_states as usize;
        let mut before = vec![Vec::new(); locals];
        for l in 0..locals as Local {
            let end = lift.end_of_forced(l);
            if end != l {
                before[end as usize].push(l);
            }
        }
        let mut builder = Builder {
            problem,
            lift,
            shared: problem.init.shared,
            threads: Vec::new(),
            at: vec![Vec::new(); locals],
            before,
            steps: Vec::new(),
        };
        for l in problem.init.bounded.threads() {
            builder.new_thread(l);
        }
        for &(number, required) in &run.initial {
            let end = lift.local(number);
            let already = builder.class(end).map(|l| builder.at[l as usize].len()).sum::<usize>();
            let source = builder.class(end).find(|l| problem.init.unbounded.binary_search(l).is_ok());
            if let Some(source) = source {
                for _ in already..required as usize {
                    builder.new_thread(source);
                }
            }
        }
        builder
    }

    /// A local state and those from which forced steps lead to it.
    fn class(&self, end: Local) -> impl Iterator<Item = Local> + '_ {
        [end].into_iter().chain(self.before[end as usize].iter().copied())
    }

    fn new_thread(&mut self, l: Local) -> u32 {
        let id = self.threads.len() as u32;
        self.threads.push(Some(l));
        self.at[l as usize].push(id);
        id
    }

    fn broken(&self) -> NoTrace {
        NoTrace::Broken(self.steps.len())
    }

    /// One reduced step: all its transitions.
    fn net_step(&mut self, net: &Net, step: u32, required: &Pairs) -> Result<(), NoTrace> {
        let step = &net.steps[step as usize];
        let problem = self.problem;
        if step.transfers.is_some() {
            self.finish_forced_steps()?;
        }
        for &id in &step.path {
            let t = &problem.system.transitions[id as usize];
            if t.from != self.shared {
                return Err(self.broken());
            }
            for &(l, c) in t.consume.pairs() {
                self.gather(l, c as usize)?;
            }
            let needed = crate::net::subtract(required, step.produce.pairs());
            self.fire(id as usize, t, &needed)?;
        }
        Ok(())
    }

    /// Sees to it that at least `count` threads are in `l`, by forced steps where needed.
    fn gather(&mut self, l: Local, count: usize) -> Result<(), NoTrace> {
        while self.at[l as usize].len() < count {
            let source = self.before[l as usize].iter().find(|&&m| !self.at[m as usize].is_empty());
            let thread = source.and_then(|&m| self.at[m as usize].last().copied());
            self.force(thread.ok_or_else(|| self.broken())?, l)?;
        }
        Ok(())
    }

    /// Moves one thread by forced steps to the end of its chain.
    fn force(&mut self, thread: u32, end: Local) -> Result<(), NoTrace> {
        while let Some(l) = self.threads[thread as usize].filter(|&l| l != end) {
            let id = self.lift.forced_step(self.shared, l).ok_or_else(|| self.broken())?;
            self.unlist(thread, l);
            // Threads that cannot matter may be affected even by a forced step.
            self.fire_with(id, vec![thread], &Pairs::new())?;
        }
        Ok(())
    }

    /// Before a transfer, every thread should be where the reduced system believes it to be.
    fn finish_forced_steps(&mut self) -> Result<(), NoTrace> {
        for l in 0..self.at.len() as Local {
            let end = self.lift.end_of_forced(l);
            while end != l
                && let Some(&thread) = self.at[l as usize].last()
            {
                self.force(thread, end)?;
            }
        }
        Ok(())
    }

    /// Takes a thread out of the list of its local state; mostly it is the last one there.
    fn unlist(&mut self, thread: u32, l: Local) {
        let list = &mut self.at[l as usize];
        if let Some(index) = list.iter().rposition(|&other| other == thread) {
            list.remove(index);
        }
    }

    /// Moves a thread that is in no list.
    fn relocate(&mut self, thread: u32, to: Option<Local>, role: Role) -> Move {
        let from = std::mem::replace(&mut self.threads[thread as usize], to);
        if let Some(to) = to {
            self.at[to as usize].push(thread);
        }
        Move { thread, from, to, role }
    }

    /// Fires one transition of the user; `needed` is what passive threads must provide, in reduced numbers.
    fn fire(&mut self, id: usize, t: &Transition, needed: &Pairs) -> Result<(), NoTrace> {
        let mut active: Vec<u32> = Vec::new();
        for &(l, c) in t.consume.pairs() {
            let list = &mut self.at[l as usize];
            let rest = list.len().checked_sub(c as usize).ok_or(NoTrace::Broken(self.steps.len()))?;
            active.extend(list.split_off(rest));
        }
        self.fire_with(id, active, needed)
    }

    /// Fires a transition with these active threads, which are already out of `at`.
    fn fire_with(&mut self, id: usize, active: Vec<u32>, needed: &Pairs) -> Result<(), NoTrace> {
        let problem = self.problem;
        let t = &problem.system.transitions[id];
        let passive = if t.transfers.is_empty() { Vec::new() } else { self.passive_moves(t, needed)? };
        let mut moves = Vec::new();
        let mut produce = t.produce.clone();
        // A thread that can stay stays; the others take what is left in order.
        let mut others = Vec::new();
        for thread in active {
            match self.threads[thread as usize] {
                Some(l) if produce.remove(l, 1) == 1 => moves.push((thread, Some(l))),
                _ => others.push(thread),
            }
        }
        let mut left = produce.threads().collect::<Vec<_>>().into_iter();
        moves.extend(others.into_iter().map(|thread| (thread, left.next())));
        self.unlist_all(&passive);
        let mut done: Vec<Move> =
            moves.into_iter().map(|(thread, to)| self.relocate(thread, to, Role::Active)).collect();
        done.extend(passive.into_iter().map(|(thread, to)| self.relocate(thread, to, Role::Passive)));
        for l in left {
            let thread = self.new_thread(l);
            done.push(Move { thread, from: None, to: Some(l), role: Role::Active });
        }
        done.sort_by_key(|m| m.role == Role::Passive);
        self.shared = t.to;
        self.steps.push(Step { transition: id, moves: done });
        Ok(())
    }

    /// Takes passive threads that move, ascending, out of the lists.
    fn unlist_all(&mut self, moves: &[(u32, Option<Local>)]) {
        let mut left: Vec<Local> = moves.iter().filter_map(|m| self.threads[m.0 as usize]).collect();
        left.sort_unstable();
        left.dedup();
        for l in left {
            self.at[l as usize].retain(|thread| moves.binary_search_by_key(thread, |m| m.0).is_err());
        }
    }

    /// Chooses where passive threads go. Active threads are already out of `at`.
    fn passive_moves(&self, t: &Transition, needed: &Pairs) -> Result<Vec<(u32, Option<Local>)>, NoTrace> {
        let mut matching = Matching::default();
        for list in &self.at {
            for &thread in list {
                let Some(l) = self.threads[thread as usize] else { continue };
                let stay = [l];
                let places = t.transfer(l).map_or(&stay[..], |rule| &rule.to[..]);
                let choices = places.iter().map(|&p| (p, self.lift.net_local(p))).collect();
                matching.threads.push((thread, l, choices, None));
            }
        }
        for &(number, count) in needed {
            for _ in 0..count {
                let mut visited = vec![false; matching.threads.len()];
                if !matching.provide(number, &mut visited) {
                    return Err(self.broken());
                }
            }
        }
        let mut moves = Vec::new();
        for (thread, l, choices, chosen) in matching.threads {
            let preferred = choices.iter().position(|c| c.0 == l).unwrap_or(0);
            let to = choices.get(chosen.unwrap_or(preferred)).map(|c| c.0);
            if to != Some(l) {
                moves.push((thread, to));
            }
        }
        moves.sort_unstable();
        Ok(moves)
    }
}

/// A passive thread, where it is, where it can go (also in reduced numbers), and what it was chosen for.
type Passive = (u32, Local, Vec<(Local, Option<u32>)>, Option<usize>);

/// Threads and requirements, matched by augmenting paths.
#[derive(Default)]
struct Matching {
    threads: Vec<Passive>,
}

impl Matching {
    /// Finds a thread for one more requirement, moving others if needed.
    fn provide(&mut self, number: u32, visited: &mut [bool]) -> bool {
        for index in 0..self.threads.len() {
            if visited[index] {
                continue;
            }
            let (_, _, choices, chosen) = &self.threads[index];
            let Some(choice) = choices.iter().position(|c| c.1 == Some(number)) else { continue };
            let previous = chosen.map(|c| choices[c].1);
            if previous == Some(Some(number)) {
                continue;
            }
            visited[index] = true;
            let free = match previous {
                None => true,
                Some(Some(other)) => self.provide(other, visited),
                Some(None) => false,
            };
            if free {
                self.threads[index].3 = Some(choice);
                return true;
            }
        }
        false
    }
}
