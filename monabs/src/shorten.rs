//! Shorter abstract runs: a search for coverability is quick because it does not look for the shortest run, but refinement pays for
//! each step.
//!
//! With the threads of a given run, all states are visited breadth first, threads in the same state taken for the same, until a target is
//! covered. If that takes too long, the run stays as it is. What is found is replayed by the independent checker before it is used.

use breach::system::{Local, Problem, Shared, State, Transition};
use breach::trace::{Move, Role, Step, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

/// More states are not visited.
const MOST_STATES: usize = 20_000;
/// A step that passive threads can follow in more ways is not tried.
const MOST_WAYS: usize = 64;

/// A run that covers a target with the same threads in fewer steps, if one is found.
pub(crate) fn shorten(problem: &Problem, trace: &Trace) -> Option<Trace> {
    let (steps, target) = Search::new(problem, trace).run(trace.steps.len())?;
    let shorter = Trace { steps: name(problem, &trace.threads, &steps)?, target, ..trace.clone() };
    let is_run = breach::check::replay(&problem.system, &problem.init, &problem.targets, &shorter).is_ok();
    is_run.then_some(shorter)
}

/// The local states of all threads, ascending.
type Threads = Vec<Local>;

/// A transition, and where passive threads went: from and to.
#[derive(Clone)]
struct Taken {
    transition: usize,
    passive: Vec<(Local, Local)>,
}

struct Node {
    shared: Shared,
    threads: Threads,
    depth: usize,
    /// The node before, and the step from there.
    before: Option<(usize, Taken)>,
}

struct Search<'a> {
    problem: &'a Problem,
    /// Transitions with one active thread, by the state that they need.
    enabled: FxHashMap<(Shared, Local), Vec<usize>>,
    nodes: Vec<Node>,
    seen: FxHashSet<(Shared, Threads)>,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, trace: &Trace) -> Search<'a> {
        let mut enabled: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (index, transition) in problem.system.transitions.iter().enumerate() {
            if let (Some(from), Some(_)) = (single(&transition.consume), single(&transition.produce)) {
                enabled.entry((transition.from, from)).or_default().push(index);
            }
        }
        let mut threads = trace.threads.clone();
        threads.sort_unstable();
        let start = Node { shared: trace.shared, threads, depth: 0, before: None };
        let seen = FxHashSet::from_iter([(start.shared, start.threads.clone())]);
        Search { problem, enabled, nodes: vec![start], seen }
    }

    /// The steps to a target, and the target, if there are fewer than that.
    fn run(&mut self, known: usize) -> Option<(Vec<Taken>, State)> {
        let mut next = 0;
        while next < self.nodes.len() && self.nodes.len() < MOST_STATES {
            let (shared, threads) = (self.nodes[next].shared, self.nodes[next].threads.clone());
            if let Some(target) = self.covered(shared, &threads) {
                return Some((self.steps_to(next), target));
            }
            if self.nodes[next].depth + 1 < known {
                self.expand(next, shared, &threads);
            }
            next += 1;
        }
        None
    }

    fn covered(&self, shared: Shared, threads: &[Local]) -> Option<State> {
        let mut targets = self.problem.targets.iter().filter(|target| target.shared == shared).peekable();
        targets.peek()?;
        let state = State::new(shared, threads.iter().copied());
        targets.find(|target| target.covered_by(&state)).cloned()
    }

    fn expand(&mut self, node: usize, shared: Shared, threads: &[Local]) {
        for (position, &local) in threads.iter().enumerate() {
            if position > 0 && threads[position - 1] == local {
                continue;
            }
            for index in self.enabled.get(&(shared, local)).cloned().unwrap_or_default() {
                let transition = &self.problem.system.transitions[index];
                let mut others = threads.to_vec();
                others.remove(position);
                for passive in ways(transition, &others) {
                    let mut after: Threads = passive.iter().map(|&(_, to)| to).collect();
                    after.extend(single(&transition.produce));
                    after.sort_unstable();
                    if self.seen.insert((transition.to, after.clone())) {
                        let before = Some((node, Taken { transition: index, passive }));
                        let depth = self.nodes[node].depth + 1;
                        self.nodes.push(Node { shared: transition.to, threads: after, depth, before });
                    }
                }
            }
        }
    }

    fn steps_to(&self, node: usize) -> Vec<Taken> {
        let mut steps = Vec::new();
        let mut at = node;
        while let Some((before, taken)) = &self.nodes[at].before {
            steps.push(taken.clone());
            at = *before;
        }
        steps.reverse();
        steps
    }
}

fn single(threads: &breach::system::Multiset) -> Option<Local> {
    match threads.pairs() {
        [(local, 1)] => Some(*local),
        _ => None,
    }
}

/// What all passive threads can do together, each from and to; nothing if there is too much of it, or if threads would vanish.
fn ways(transition: &Transition, others: &[Local]) -> Vec<Vec<(Local, Local)>> {
    let mut all: Vec<Vec<(Local, Local)>> = vec![Vec::new()];
    for &local in others {
        let stays = [local];
        let choices = transition.transfer(local).map_or(&stays[..], |rule| &rule.to);
        // Threads in the same state come one after the other: their choices ascend, the order does not matter.
        let longer = |way: &Vec<(Local, Local)>| {
            let least = way.last().filter(|last| last.0 == local).map_or(0, |last| last.1);
            let fitting = choices.iter().filter(move |&&to| to >= least);
            fitting.map(|&to| way.iter().copied().chain([(local, to)]).collect()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
        if all.len() > MOST_WAYS {
            return Vec::new();
        }
    }
    all
}

/// The steps with the identities of threads, which start in these states.
fn name(problem: &Problem, threads: &[Local], steps: &[Taken]) -> Option<Vec<Step>> {
    let mut locals = threads.to_vec();
    let mut named = Vec::new();
    for taken in steps {
        let transition = &problem.system.transitions[taken.transition];
        let (from, to) = (single(&transition.consume)?, single(&transition.produce)?);
        let active = locals.iter().position(|&local| local == from)?;
        let mut moves =
            vec![Move { thread: active as u32, from: Some(from), to: Some(to), role: Role::Active }];
        let mut others: Vec<usize> = (0..locals.len()).filter(|&thread| thread != active).collect();
        for &(from, to) in &taken.passive {
            let position = others.iter().position(|&thread| locals[thread] == from)?;
            let thread = others.remove(position);
            if transition.transfer(from).is_some() {
                let (from, to) = (Some(from), Some(to));
                moves.push(Move { thread: thread as u32, from, to, role: Role::Passive });
            }
        }
        for step in &moves {
            locals[step.thread as usize] = step.to?;
        }
        named.push(Step { transition: taken.transition, moves });
    }
    Some(named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use breach::diagnostics::Source;

    fn problem(text: &str) -> Problem {
        let input = breach::emdr::parse(Source { name: "t", text }).unwrap();
        Problem { system: input.system, init: input.init.unwrap(), targets: input.targets }
    }

    fn active(transition: usize, thread: u32, from: Local, to: Local) -> Step {
        let moves = vec![Move { thread, from: Some(from), to: Some(to), role: Role::Active }];
        Step { transition, moves }
    }

    #[test]
    fn detours_are_left_out() {
        // There and back again, and then to the target; a second thread does the same.
        let problem = problem("#init 0/0\n#target 1|2\n2 3\n0 0 -> 0 1\n0 1 -> 0 0\n0 1 -> 1 2\n");
        let steps = vec![
            active(0, 0, 0, 1),
            active(1, 0, 1, 0),
            active(0, 1, 0, 1),
            active(0, 0, 0, 1),
            active(2, 0, 1, 2),
        ];
        let trace = Trace { shared: 0, threads: vec![0, 0], steps, target: problem.targets[0].clone() };
        breach::check::replay(&problem.system, &problem.init, &problem.targets, &trace).unwrap();
        let shorter = shorten(&problem, &trace).unwrap();
        assert_eq!(shorter.steps, [active(0, 0, 0, 1), active(2, 0, 1, 2)]);
        assert_eq!(shorten(&problem, &shorter), None, "there is no shorter one");
    }

    #[test]
    fn passive_threads_choose() {
        // The first step moves the others to 1 or 2; the target needs one in each, and the active one in 3.
        let text = "#init 0/0\n#target 1|1,2,3\n2 4\n0 0 -> 1 3 0 ~> 1 0 ~> 2\n1 3 -> 0 0\n";
        let problem = problem(text);
        let passive = |thread, to| Move { thread, from: Some(0), to: Some(to), role: Role::Passive };
        let mut first = active(0, 0, 0, 3);
        first.moves.extend([passive(1, 2), passive(2, 1)]);
        // One more step that changes nothing for the target, so that there is something to leave out.
        let mut longer = problem.clone();
        let stay = Transition { to: 1, from: 1, ..problem.system.transitions[1].clone() };
        let stay = Transition { consume: stay.consume.clone(), produce: stay.consume.clone(), ..stay };
        longer.system.transitions.push(stay);
        let steps = vec![first, active(2, 0, 3, 3)];
        let trace = Trace { shared: 0, threads: vec![0, 0, 0], steps, target: problem.targets[0].clone() };
        breach::check::replay(&longer.system, &longer.init, &longer.targets, &trace).unwrap();
        let shorter = shorten(&longer, &trace).unwrap();
        assert_eq!((shorter.steps.len(), shorter.steps[0].moves.len()), (1, 3));
    }
}
