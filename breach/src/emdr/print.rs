//! Writes systems as EMDR programs that [`super::parse`] reads back.

use crate::input::Input;
use crate::system::{InitialStates, Multiset, Transition};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

/// A system that the EMDR notation cannot express; [`crate::convert`] splits such transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotExpressible {
    /// A transition with more than one active thread, or with threads that vanish.
    #[error("transition {0} moves several threads at once, which one line of EMDR cannot say")]
    Transition(usize),
    /// A second broadcast with the same ends, which the notation would make one with the first.
    #[error("transition {0} is a second broadcast between the same shared states")]
    SecondBroadcast(usize),
}

/// The notation of an initial state.
pub fn show_init(init: &InitialStates, local: impl Fn(u32) -> String) -> String {
    let list = |threads: &Multiset| {
        let one = |&(l, c): &(u32, u32)| if c == 1 { local(l) } else { format!("{}^{c}", local(l)) };
        threads.pairs().iter().map(one).collect::<Vec<_>>().join(",")
    };
    let mut text = init.shared.to_string();
    if !init.bounded.is_empty() || init.unbounded.is_empty() {
        let _ = write!(text, "|{}", list(&init.bounded));
    }
    if !init.unbounded.is_empty() {
        let locals: Vec<_> = init.unbounded.iter().map(|&l| local(l)).collect();
        let _ = write!(text, "/{}", locals.join(","));
    }
    text
}

/// Writes the whole input, question included.
pub fn print(input: &Input) -> Result<String, NotExpressible> {
    let system = &input.system;
    let mut text = String::new();
    for (number, name) in system.local_names.iter().enumerate() {
        let _ = writeln!(text, "# {number} = {name}");
    }
    if let Some(init) = &input.init {
        let _ = writeln!(text, "#init {}", show_init(init, |l| l.to_string()));
    }
    for target in &input.targets {
        let _ = writeln!(text, "#target {target}");
    }
    let _ = writeln!(text, "{} {}", system.shared_states, system.local_states);
    let mut broadcasts = FxHashSet::default();
    for (id, transition) in system.transitions.iter().enumerate() {
        print_transition(&mut text, transition).ok_or(NotExpressible::Transition(id))?;
        let is_broadcast = transition.consume.is_empty();
        if is_broadcast && !broadcasts.insert((transition.from, transition.to)) {
            return Err(NotExpressible::SecondBroadcast(id));
        }
    }
    Ok(text)
}

/// One transition as one line (several for a broadcast); `None` if it does not fit the notation.
fn print_transition(text: &mut String, t: &Transition) -> Option<()> {
    let (from, to) = (t.from, t.to);
    let moves: Vec<_> = t.transfers.iter().flat_map(|r| r.to.iter().map(|&b| (r.from, b))).collect();
    if t.transfers.iter().any(|r| r.to.is_empty()) {
        return None;
    }
    match (t.consume.pairs(), t.produce.pairs()) {
        (&[(l, 1)], &[(m, 1)]) => {
            let _ = write!(text, "{from} {l} -> {to} {m}");
            for (a, b) in moves {
                let _ = write!(text, " {a} ~> {b}");
            }
            text.push('\n');
        }
        (&[(l, 1)], _) if moves.is_empty() && t.produce.size() == 2 && t.produce.count(l) > 0 => {
            let mut spawned = t.produce.clone();
            spawned.remove(l, 1);
            let _ = writeln!(text, "{from} {l} +> {to} {}", spawned.pairs().first()?.0);
        }
        (&[], &[]) if !moves.is_empty() => {
            for (a, b) in moves {
                let _ = writeln!(text, "{from} {a} ~> {to} {b}");
            }
        }
        _ => return None,
    }
    Some(())
}
