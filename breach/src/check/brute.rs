//! The answer by trying everything with few threads: what the differential tests compare with.

use crate::system::{InitialStates, Local, Multiset, Problem, State, Transition};
use rustc_hash::FxHashSet;

/// Explores forward from every initial state with at most `max_threads` threads, through states with at most
/// `max_threads` threads.
///
/// - `Some(true)`: a target is coverable, for certain.
/// - `Some(false)`: no target is coverable with so few threads; with more, one may be.
/// - `None`: there are more than `max_states` states.
pub fn coverable_within(problem: &Problem, max_threads: u32, max_states: usize) -> Option<bool> {
    let mut open = initial_states(&problem.init, max_threads, max_states)?;
    let mut seen: FxHashSet<State> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        if problem.targets.iter().any(|target| target.covered_by(&state)) {
            return Some(true);
        }
        for t in &problem.system.transitions {
            for next in successors(&state, t, max_states)? {
                if next.threads.size() <= u64::from(max_threads) && !seen.contains(&next) {
                    seen.insert(next.clone());
                    open.push(next);
                }
            }
        }
        if seen.len() > max_states {
            return None;
        }
    }
    Some(false)
}

/// The initial states with at most `max_threads` threads.
fn initial_states(init: &InitialStates, max_threads: u32, max_states: usize) -> Option<Vec<State>> {
    let Some(free) = u64::from(max_threads).checked_sub(init.bounded.size()) else {
        return Some(Vec::new());
    };
    let mut all = vec![init.bounded.clone()];
    for &local in &init.unbounded {
        let mut more = Vec::new();
        for threads in &all {
            let left = free - (threads.size() - init.bounded.size());
            for count in 0..=left as u32 {
                more.push(with(threads, local, count));
                if more.len() > max_states {
                    return None;
                }
            }
        }
        all = more;
    }
    Some(all.into_iter().map(|threads| State { shared: init.shared, threads }).collect())
}

/// All states after one step by `t`; none if it is not possible; `None` if there are too many.
pub(super) fn successors(state: &State, t: &Transition, max_states: usize) -> Option<Vec<State>> {
    if state.shared != t.from || !t.consume.included_in(&state.threads) {
        return Some(Vec::new());
    }
    // The outcomes so far; passive threads are added one after the other.
    let mut outcomes: FxHashSet<Multiset> = [t.produce.clone()].into_iter().collect();
    for &(local, count) in state.threads.pairs() {
        for _ in t.consume.count(local)..count {
            let to = match t.transfer(local) {
                Some(rule) if rule.to.is_empty() => continue,
                Some(rule) => &rule.to[..],
                None => &[local],
            };
            outcomes = outcomes.iter().flat_map(|o| to.iter().map(|&to| with(o, to, 1))).collect();
            if outcomes.len() > max_states {
                return None;
            }
        }
    }
    Some(outcomes.into_iter().map(|threads| State { shared: t.to, threads }).collect())
}

fn with(threads: &Multiset, local: Local, count: u32) -> Multiset {
    let mut more = threads.clone();
    more.add(local, count);
    more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Source;
    use crate::emdr;

    fn ask(text: &str, init: &str, target: &str, max_threads: u32) -> Option<bool> {
        let system = emdr::parse(Source { name: "t", text }).unwrap().system;
        let init = emdr::parse_init(Source { name: "--init", text: init }, &system).unwrap();
        let target = emdr::parse_target(Source { name: "--target", text: target }, &system).unwrap();
        coverable_within(&Problem { system, init, targets: vec![target] }, max_threads, 10_000)
    }

    #[test]
    fn local_states_that_are_only_transfer_targets() {
        let text = "3 6\n0 0 -> 1 0 1 ~> 2\n1 0 -> 2 0 2 ~> 3 4 ~> 5\n";
        assert_eq!(ask(text, "0|0,1", "2|3", 2), Some(true));
        assert_eq!(ask(text, "0|0,1", "1|1", 2), Some(false));
        assert_eq!(ask(text, "0|0,1", "2|3", 1), Some(false), "the initial state has two threads");
    }

    #[test]
    fn the_running_example_needs_more_than_it_can_get() {
        let text = "4 3\n1 2 -> 2 0\n0 2 -> 1 0\n3 2 -> 0 0\n3 1 -> 3 2\n0 0 -> 3 1\n";
        assert_eq!(ask(text, "0/0", "2|", 5), Some(false));
        assert_eq!(ask(text, "0/0", "3|2", 1), Some(true));
        assert_eq!(ask(text, "0/0", "3|1,1", 5), Some(false));
    }

    #[test]
    fn each_passive_thread_chooses_for_itself() {
        let text = "2 4\n0 0 -> 1 0 1 ~> 2 1 ~> 3\n";
        assert_eq!(ask(text, "0|0/1", "1|2,3", 3), Some(true));
        assert_eq!(ask(text, "0|0/1", "1|1", 5), Some(false));
    }

    #[test]
    fn spawned_threads_count_and_states_are_limited() {
        let text = "1 2\n0 0 +> 0 1\n";
        assert_eq!(ask(text, "0|0", "0|1^3", 3), Some(false));
        assert_eq!(ask(text, "0|0", "0|1^3", 4), Some(true));
        let system = emdr::parse(Source { name: "t", text }).unwrap().system;
        let init = InitialStates::new(0, [], vec![0, 1]);
        let problem = Problem { system, init, targets: vec![State::new(0, [0; 9])] };
        assert_eq!(coverable_within(&problem, 8, 10), None);
        assert_eq!(coverable_within(&problem, 8, 1_000), Some(false));
    }
}
