//! Runs that can be replayed, and every way in which one can be wrong.

use super::*;
use crate::check::samples::*;
use proptest::prelude::*;

fn active(thread: u32, from: Local, to: Local) -> Move {
    Move { thread, from: Some(from), to: Some(to), role: Role::Active }
}

fn passive(thread: u32, from: Local, to: Option<Local>) -> Move {
    Move { thread, from: Some(from), to, role: Role::Passive }
}

fn appears(thread: u32, to: Local) -> Move {
    Move { thread, from: None, to: Some(to), role: Role::Active }
}

fn step(transition: usize, moves: impl Into<Vec<Move>>) -> Step {
    Step { transition, moves: moves.into() }
}

fn transfers() -> Trace {
    Trace {
        shared: 0,
        threads: vec![0, 1],
        steps: vec![
            step(0, [active(0, 0, 0), passive(1, 1, Some(2))]),
            step(1, [active(0, 0, 0), passive(1, 2, Some(3))]),
        ],
        target: State::new(2, [3]),
    }
}

/// Replays a changed trace of the example with transfers.
fn changed(change: impl Fn(&mut Trace)) -> Result<(), ReplayError> {
    let system = system(TRANSFERS);
    let mut trace = transfers();
    change(&mut trace);
    replay(&system, &init(&system, "0|0,1"), &states(&system, "2|3 1|1"), &trace)
}

#[test]
fn a_run_with_transfers() {
    assert_eq!(changed(|_| ()), Ok(()));
}

#[test]
fn what_is_wrong_with_a_run_is_said() {
    let message = |change: &dyn Fn(&mut Trace)| changed(change).unwrap_err().to_string();
    let second = "step 2, transition 1 (line 3: 1|0 -> 2|0 2~>3 4~>5): ";
    assert_eq!(
        message(&|t| t.shared = 1),
        "the run does not start in an initial state (0|0,1): it starts in shared state 1"
    );
    assert_eq!(
        message(&|t| t.threads.push(0)),
        "the run does not start in an initial state (0|0,1): it starts with 2 threads in 0, but 1 must be there"
    );
    assert!(message(&|t| t.threads[1] = 5).contains("0 threads in 1, but 1 must be there"));
    assert!(message(&|t| t.threads.push(5)).contains("1 thread in 5, but 0 must be there"));
    assert_eq!(
        message(&|t| t.steps[1].transition = 2),
        "step 2: there is no transition 2, the system has 2 (counted from 0)"
    );
    assert!(
        message(&|t| t.steps[1].transition = 0).contains("needs shared state 0, but the shared state is 1")
    );
    assert_eq!(
        message(&|t| t.steps[1].moves[0].to = Some(1)),
        format!("{second}its active threads must go to 0, but they go to 1")
    );
    assert!(
        message(&|t| {
            t.steps[1].moves.remove(0);
        })
        .contains("must come from 0, but they come from nowhere")
    );
    assert_eq!(
        message(&|t| {
            t.steps[1].moves.pop();
        }),
        format!("{second}the passive thread 1 stays in 2, but the rule makes it move")
    );
    assert!(
        message(&|t| t.steps[1].moves[1].to = Some(5))
            .contains("no rule lets the passive thread 1 move from 2 to 5")
    );
    assert!(
        message(&|t| t.steps[1].moves[1].to = None)
            .contains("no rule lets the passive thread 1 vanish from 2")
    );
    assert!(message(&|t| t.steps[1].moves[1].from = None).contains("thread 1 appears as a passive thread"));
    assert!(message(&|t| t.steps[1].moves[1].thread = 0).contains("thread 0 moves twice"));
    assert!(message(&|t| t.steps[1].moves[1].thread = 7).contains("there is no thread 7"));
    assert!(message(&|t| t.steps[1].moves[0].thread = 1).contains("thread 1 moves from 0, but it is in 2"));
    assert!(
        message(&|t| t.steps[1].moves.push(passive(0, 0, Some(1)))).contains("move from 0 to 1"),
        "a passive thread without a rule"
    );
    assert_eq!(
        message(&|t| {
            t.steps.pop();
        }),
        "the run ends in shared state 1 with 0 threads in 3, which does not cover the target 2|3"
    );
    assert!(
        message(&|t| t.target = State::new(2, [3, 3])).contains("with 1 thread in 3, which does not cover")
    );
    assert_eq!(
        message(&|t| t.target = State::new(2, [0])),
        "the run covers 2|0, which is not among the targets"
    );
}

#[test]
fn initial_states_with_any_number_of_threads() {
    let system = system("1 3\n");
    let run = |threads: &[Local]| {
        let trace = Trace { shared: 0, threads: threads.to_vec(), steps: vec![], target: State::new(0, []) };
        replay(&system, &init(&system, "0|1,1/1,2"), &[State::new(0, [])], &trace).map_err(|e| e.to_string())
    };
    assert_eq!(run(&[1, 1]), Ok(()));
    assert_eq!(run(&[2, 1, 2, 1, 1]), Ok(()));
    assert!(run(&[1]).unwrap_err().ends_with("it starts with 1 thread in 1, but at least 2 must be there"));
    assert!(run(&[1, 1, 0]).unwrap_err().ends_with("it starts with 1 thread in 0, but 0 must be there"));
}

#[test]
fn spawned_and_vanishing_threads() {
    let mut system = system("1 3\n0 0 +> 0 1\n0 1 -> 0 1\n");
    // The second transition takes a thread away; threads in 0 vanish with it.
    system.transitions[1].produce = Multiset::new();
    system.transitions[1].transfers = vec![crate::system::Transfer { from: 0, to: vec![] }];
    let run = |steps: Vec<Step>, target: &str| {
        let target = states(&system, target).remove(0);
        let trace = Trace { shared: 0, threads: vec![0], steps, target: target.clone() };
        replay(&system, &init(&system, "0/0"), &[target], &trace).map_err(|e| e.to_string())
    };
    let spawn = |number| step(0, [active(0, 0, 0), appears(number, 1)]);
    let vanish = |thread| Move { thread, from: Some(1), to: None, role: Role::Active };
    assert_eq!(run(vec![spawn(1), spawn(2)], "0|0,1,1"), Ok(()));
    assert!(run(vec![spawn(2)], "0|").unwrap_err().contains("number 2, but the next number is 1"));
    let all_go = step(1, [vanish(1), passive(0, 0, None)]);
    assert_eq!(run(vec![spawn(1), spawn(2), all_go.clone()], "0|1"), Ok(()));
    assert!(run(vec![spawn(1), all_go.clone()], "0|1").unwrap_err().contains("0 threads in 1"));
    assert!(
        run(vec![spawn(1), spawn(2), step(1, [vanish(1)])], "0|1")
            .unwrap_err()
            .contains("thread 0 stays in 0")
    );
    let again = step(1, [vanish(1)]);
    assert!(run(vec![spawn(1), spawn(2), all_go, again], "0|").unwrap_err().contains("it has vanished"));
    let twice = step(0, [active(0, 0, 0), appears(1, 1), passive(1, 1, Some(1))]);
    assert!(run(vec![twice], "0|").unwrap_err().contains("thread 1 moves twice"));
    let nowhere = Move { thread: 1, from: None, to: None, role: Role::Active };
    let step = step(0, [active(0, 0, 0), appears(1, 1), Move { thread: 2, ..nowhere }]);
    assert!(run(vec![step], "0|").unwrap_err().contains("thread 2 appears nowhere"));
}

#[test]
fn threads_may_stay_where_the_rule_allows_it() {
    let system = system("1 3\n0 0 -> 0 0 1 ~> 1 1 ~> 2\n");
    let run = |moves: Vec<Move>| {
        let trace = Trace {
            shared: 0,
            threads: vec![0, 1, 2],
            steps: vec![step(0, moves)],
            target: State::new(0, []),
        };
        replay(&system, &init(&system, "0/0,1,2"), &[State::new(0, [])], &trace)
    };
    assert_eq!(run(vec![active(0, 0, 0)]), Ok(()));
    assert_eq!(run(vec![active(0, 0, 0), passive(1, 1, Some(1))]), Ok(()));
    assert_eq!(run(vec![active(0, 0, 0), passive(1, 1, Some(2)), passive(2, 2, Some(2))]), Ok(()));
    assert!(run(vec![active(0, 0, 0), passive(2, 2, Some(1))]).is_err());
}

#[test]
fn long_runs_with_many_threads_are_quick() {
    let system = system("1 2\n0 0 -> 0 1\n0 1 -> 0 0\n");
    let steps = (0..100_000).map(|i| step(i % 2, [active(7, i as u32 % 2, (i as u32 + 1) % 2)])).collect();
    let trace = Trace { shared: 0, threads: vec![0; 10_000], steps, target: State::new(0, [0; 10_000]) };
    assert_eq!(replay(&system, &init(&system, "0/0"), std::slice::from_ref(&trace.target), &trace), Ok(()));
}

/// Walks at random: `choices` says which transition to try and where passive threads go.
fn walk(system: &System, trace: &mut Trace, choices: &[(usize, usize)]) {
    let mut at: Vec<Option<Local>> = trace.threads.iter().map(|&local| Some(local)).collect();
    let mut shared = trace.shared;
    for &(wish, mut choice) in choices {
        let Some(id) = (!system.transitions.is_empty()).then(|| wish % system.transitions.len()) else {
            break;
        };
        let t = &system.transitions[id];
        let here: Multiset = at.iter().flatten().copied().collect();
        if shared != t.from || !t.consume.included_in(&here) {
            continue;
        }
        let mut wanted = t.consume.clone();
        let mut produced: Vec<Local> = t.produce.threads().collect();
        let (mut moves, mut passives) = (vec![], vec![]);
        for (thread, place) in at.iter_mut().enumerate() {
            let Some(from) = *place else { continue };
            if wanted.remove(from, 1) == 1 {
                *place = produced.pop();
                moves.push(Move { thread: thread as u32, from: Some(from), to: *place, role: Role::Active });
            } else if let Some(rule) = t.transfer(from) {
                choice = choice.wrapping_mul(31).wrapping_add(7);
                *place = if rule.to.is_empty() { None } else { Some(rule.to[choice % rule.to.len()]) };
                passives.push(passive(thread as u32, from, *place));
            }
        }
        for to in produced {
            moves.push(appears(at.len() as u32, to));
            at.push(Some(to));
        }
        moves.extend(passives);
        trace.steps.push(Step { transition: id, moves });
        shared = t.to;
    }
    trace.target = State::new(shared, at.into_iter().flatten());
}

proptest! {
    #[test]
    fn random_walks_are_runs_and_steps_cannot_be_left_out(
        system in random_system(),
        threads in prop::collection::vec(0..LOCAL, 0..5),
        shared in 0..SHARED,
        choices in prop::collection::vec(any::<(usize, usize)>(), 0..30),
        removed in any::<prop::sample::Index>(),
    ) {
        let mut trace = Trace { shared, threads: threads.clone(), steps: vec![], target: State::new(0, []) };
        walk(&system, &mut trace, &choices);
        let init = InitialStates::new(shared, threads, vec![]);
        let targets = [trace.target.clone()];
        prop_assert_eq!(replay(&system, &init, &targets, &trace), Ok(()));
        // Without one move, an active one or one that the rule demands, it is no run.
        let Some(step) = trace.steps.iter_mut().find(|step| !step.moves.is_empty()) else { return Ok(()) };
        let t = &system.transitions[step.transition];
        let one = step.moves.remove(removed.index(step.moves.len()));
        let optional = one.role == Role::Passive && one.from == one.to;
        prop_assert_eq!(replay(&system, &init, &targets, &trace).is_ok(), optional, "{:?} of {:?}", one, t);
    }
}
