//! Makes a question that is answered wrongly as small as possible.
//!
//! Greedy: of all simpler questions the first that still fails replaces the question, until none does. Simpler is
//! to drop targets, transitions, rules, threads, to identify two states, and to leave out states that nothing mentions.

use breach::input::Input;
use breach::system::{InitialStates, Local, Multiset, Problem, Shared, State, System, Transfer, Transition};
use std::time::{Duration, Instant};

/// Shrinks a question as long as `fails` holds, for at most as long as `patience`.
pub fn shrink(problem: &Problem, patience: Duration, mut fails: impl FnMut(&Problem) -> bool) -> Problem {
    let start = Instant::now();
    let mut smallest = problem.clone();
    loop {
        let simpler = simpler(&smallest);
        let next = simpler.into_iter().find(|p| start.elapsed() < patience && fails(p));
        match next {
            Some(problem) => smallest = problem,
            None => return smallest,
        }
    }
}

/// The question as an EMDR file, or in a similar notation if EMDR cannot express it.
pub fn show(problem: &Problem) -> String {
    let input = Input {
        system: problem.system.clone(),
        init: Some(problem.init.clone()),
        targets: problem.targets.clone(),
    };
    if let Ok(text) = breach::emdr::print(&input) {
        return text;
    }
    let mut text = format!("#init {}\n", breach::emdr::show_init(&problem.init, |l| l.to_string()));
    for target in &problem.targets {
        text.push_str(&format!("#target {target}\n"));
    }
    let system = &problem.system;
    text.push_str(&format!("{} {}   (this is not EMDR)\n", system.shared_states, system.local_states));
    for id in 0..system.transitions.len() {
        text.push_str(&system.show_transition(id));
        text.push('\n');
    }
    text
}

/// All questions that are a bit simpler, those that drop most first.
fn simpler(problem: &Problem) -> Vec<Problem> {
    let mut all = Vec::new();
    all.extend(without_unused_states(problem));
    drop_parts(problem, &mut all);
    identify_states(problem, &mut all);
    drop_threads(problem, &mut all);
    all
}

fn drop_parts(problem: &Problem, all: &mut Vec<Problem>) {
    for id in 0..problem.system.transitions.len() {
        all.push(edited(problem, |p| {
            p.system.transitions.remove(id);
            if id < p.system.lines.len() {
                p.system.lines.remove(id);
            }
        }));
    }
    if problem.targets.len() > 1 {
        for id in 0..problem.targets.len() {
            all.push(edited(problem, |p| {
                p.targets.remove(id);
            }));
        }
    }
    for (id, t) in problem.system.transitions.iter().enumerate() {
        for rule in 0..t.transfers.len() {
            all.push(edited(problem, |p| {
                p.system.transitions[id].transfers.remove(rule);
            }));
        }
        for (rule, Transfer { to, .. }) in t.transfers.iter().enumerate() {
            for choice in (0..to.len()).filter(|_| to.len() > 1) {
                all.push(edited(problem, |p| {
                    p.system.transitions[id].transfers[rule].to.remove(choice);
                }));
            }
        }
    }
}

fn drop_threads(problem: &Problem, all: &mut Vec<Problem>) {
    for (id, t) in problem.system.transitions.iter().enumerate() {
        for &(l, _) in t.consume.pairs() {
            all.push(edited(problem, |p| {
                p.system.transitions[id].consume.remove(l, 1);
            }));
            all.push(edited(problem, |p| {
                let t = &mut p.system.transitions[id];
                if t.produce.remove(l, 1) == 1 {
                    t.consume.remove(l, 1);
                }
            }));
        }
        for &(l, _) in t.produce.pairs() {
            all.push(edited(problem, |p| {
                p.system.transitions[id].produce.remove(l, 1);
            }));
        }
        all.push(edited(problem, |p| p.system.transitions[id].to = t.from));
    }
    for &(l, _) in problem.init.bounded.pairs() {
        all.push(edited(problem, |p| {
            p.init.bounded.remove(l, 1);
        }));
    }
    for index in 0..problem.init.unbounded.len() {
        all.push(edited(problem, |p| {
            p.init.unbounded.remove(index);
        }));
        all.push(edited(problem, |p| {
            let l = p.init.unbounded.remove(index);
            p.init.bounded.add(l, 1);
        }));
    }
    for (id, target) in problem.targets.iter().enumerate() {
        for &(l, _) in target.threads.pairs() {
            all.push(edited(problem, |p| {
                p.targets[id].threads.remove(l, 1);
            }));
        }
    }
    // Only what changes something, otherwise it never ends.
    all.retain(|p| p != problem);
}

fn identify_states(problem: &Problem, all: &mut Vec<Problem>) {
    let (shared, locals) = (problem.system.shared_states, problem.system.local_states);
    for (a, b) in pairs(shared) {
        all.push(renamed(problem, (shared, locals), |s| if s == b { a } else { s }, |l| l));
    }
    for (a, b) in pairs(locals) {
        all.push(renamed(problem, (shared, locals), |s| s, |l| if l == b { a } else { l }));
    }
    all.retain(|p| p != problem);
}

fn pairs(number: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..number).flat_map(move |a| (a + 1..number).map(move |b| (a, b)))
}

/// States that nothing mentions are left out.
fn without_unused_states(problem: &Problem) -> Option<Problem> {
    let mut shared = vec![false; problem.system.shared_states as usize];
    let mut locals = vec![false; problem.system.local_states as usize];
    mention(problem, |s| shared[s as usize] = true, |l| locals[l as usize] = true);
    // There must be one of each.
    shared[problem.init.shared as usize] = true;
    if !locals.contains(&true) {
        locals[0] = true;
    }
    if !shared.contains(&false) && !locals.contains(&false) {
        return None;
    }
    let number = |used: &[bool], state: u32| used[..state as usize].iter().filter(|u| **u).count() as u32;
    let sizes = (number(&shared, shared.len() as u32), number(&locals, locals.len() as u32));
    Some(renamed(problem, sizes, |s| number(&shared, s), |l| number(&locals, l)))
}

fn mention(problem: &Problem, mut shared: impl FnMut(Shared), mut local: impl FnMut(Local)) {
    let mut threads = |m: &Multiset| m.pairs().iter().for_each(|p| local(p.0));
    threads(&problem.init.bounded);
    for t in &problem.system.transitions {
        threads(&t.consume);
        threads(&t.produce);
    }
    for target in &problem.targets {
        threads(&target.threads);
        shared(target.shared);
    }
    problem.init.unbounded.iter().for_each(|&l| local(l));
    for t in &problem.system.transitions {
        shared(t.from);
        shared(t.to);
        for rule in &t.transfers {
            local(rule.from);
            rule.to.iter().for_each(|&l| local(l));
        }
    }
}

/// The question with other numbers for the states.
fn renamed(
    problem: &Problem,
    (shared_states, local_states): (u32, u32),
    shared: impl Fn(Shared) -> Shared,
    local: impl Fn(Local) -> Local,
) -> Problem {
    let threads = |m: &Multiset| -> Multiset { m.threads().map(&local).collect() };
    let transition = |t: &Transition| {
        let mut transfers: Vec<Transfer> = Vec::new();
        for rule in &t.transfers {
            let from = local(rule.from);
            let at = transfers.iter().position(|r| r.from == from).unwrap_or(transfers.len());
            if at == transfers.len() {
                transfers.push(Transfer { from, to: Vec::new() });
            }
            transfers[at].to.extend(rule.to.iter().map(|&l| local(l)));
        }
        transfers.sort_by_key(|rule| rule.from);
        for rule in &mut transfers {
            rule.to.sort_unstable();
            rule.to.dedup();
        }
        Transition {
            from: shared(t.from),
            to: shared(t.to),
            consume: threads(&t.consume),
            produce: threads(&t.produce),
            transfers,
        }
    };
    let init = &problem.init;
    let target = |t: &State| State { shared: shared(t.shared), threads: threads(&t.threads) };
    Problem {
        system: System {
            shared_states,
            local_states,
            transitions: problem.system.transitions.iter().map(transition).collect(),
            lines: Vec::new(),
            local_names: Vec::new(),
        },
        init: InitialStates::new(
            shared(init.shared),
            threads(&init.bounded).threads(),
            init.unbounded.iter().map(|&l| local(l)).collect(),
        ),
        targets: problem.targets.iter().map(target).collect(),
    }
}

fn edited(problem: &Problem, edit: impl FnOnce(&mut Problem)) -> Problem {
    let mut copy = problem.clone();
    edit(&mut copy);
    copy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Family;

    #[test]
    fn what_does_not_matter_goes() {
        for family in Family::ALL {
            for seed in 0..20 {
                let problem = family.problems(seed).remove(0);
                let smallest =
                    shrink(&problem, Duration::from_secs(10), |p| !p.system.transitions.is_empty());
                assert_eq!(
                    smallest.system.transitions.len(),
                    usize::from(!problem.system.transitions.is_empty())
                );
                assert_eq!((smallest.system.shared_states, smallest.system.local_states), (1, 1));
                assert_eq!(smallest.targets, [State::new(0, [])]);
            }
        }
    }

    #[test]
    fn what_matters_stays() {
        let has_rule = |p: &Problem| {
            let choices =
                |t: &Transition| t.transfers.iter().any(|r| r.to.len() == 2 && !r.to.contains(&r.from));
            p.system.transitions.iter().any(choices)
        };
        let problem = (0..).flat_map(|seed| Family::Dense.problems(seed)).find(has_rule);
        let smallest = shrink(&problem.unwrap(), Duration::from_secs(10), has_rule);
        let text = show(&smallest);
        assert!(text.starts_with("#init 0|\n#target 0|\n1 3\n0 ") && text.lines().count() == 5, "{text}");
    }
}
