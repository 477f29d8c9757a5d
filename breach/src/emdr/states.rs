//! The notation for states: `0|16,16`, `0|1,2/3`, `0/2`, `1|`.
//!
//! Before the slash exactly these threads, after it any number of each. `l^k` stands for k threads in `l`.
//! Local states of Petri nets go by their names.

use super::lex::{Kind, Lexer, describe};
use crate::diagnostics::{Diagnostic, Source};
use crate::system::{InitialStates, Local, Multiset, Shared, State, System};

/// Reads one initial state description.
pub fn parse_init(text: Source<'_>, system: &System) -> Result<InitialStates, Diagnostic> {
    let mut lexer = Lexer::new(text);
    let init = init_state(&mut lexer, system)?;
    expect_end(&mut lexer)?;
    Ok(init)
}

/// Reads one target state.
pub fn parse_target(text: Source<'_>, system: &System) -> Result<State, Diagnostic> {
    let mut lexer = Lexer::new(text);
    let target = target_state(&mut lexer, system)?;
    expect_end(&mut lexer)?;
    Ok(target)
}

/// Reads a file of targets, one after the other; `#` starts a comment.
pub fn parse_targets(text: Source<'_>, system: &System) -> Result<Vec<State>, Diagnostic> {
    let mut lexer = Lexer::new(text);
    let mut targets = Vec::new();
    while lexer.peek()?.kind != Kind::End {
        targets.push(target_state(&mut lexer, system)?);
    }
    if targets.is_empty() {
        return Err(text.error(0, "no target in this file; write one state such as 0|16,16 per line"));
    }
    Ok(targets)
}

pub(crate) fn expect_end(lexer: &mut Lexer<'_>) -> Result<(), Diagnostic> {
    let token = lexer.next()?;
    match token.kind {
        Kind::End => Ok(()),
        other => Err(lexer.error(token.offset, format!("unexpected {} after the state", describe(other)))),
    }
}

pub(crate) fn init_state(lexer: &mut Lexer<'_>, system: &System) -> Result<InitialStates, Diagnostic> {
    let shared = shared_state(lexer, system)?;
    let bounded = if lexer.accept(Kind::Bar)? { threads(lexer, system)? } else { Multiset::new() };
    let mut unbounded = Vec::new();
    if lexer.accept(Kind::Slash)? {
        let start = lexer.peek()?.offset;
        unbounded = threads(lexer, system)?.pairs().iter().map(|p| p.0).collect();
        if unbounded.is_empty() {
            return Err(lexer.error(start, "expected a local state after '/'"));
        }
    }
    Ok(InitialStates { shared, bounded, unbounded })
}

pub(crate) fn target_state(lexer: &mut Lexer<'_>, system: &System) -> Result<State, Diagnostic> {
    let shared = shared_state(lexer, system)?;
    let token = lexer.next()?;
    if token.kind != Kind::Bar {
        let hint = if token.kind == Kind::Slash { " ('/' belongs to initial states only)" } else { "" };
        let message = format!(
            "expected '|' after the shared state of a target, found {}{hint}; a target looks like 0|16,16 or 2|",
            describe(token.kind)
        );
        return Err(lexer.error(token.offset, message));
    }
    after_bar(lexer, system, shared)
}

/// Reads the threads of a target after `s|`.
pub(crate) fn after_bar(lexer: &mut Lexer<'_>, system: &System, shared: Shared) -> Result<State, Diagnostic> {
    Ok(State { shared, threads: threads(lexer, system)? })
}

fn shared_state(lexer: &mut Lexer<'_>, system: &System) -> Result<Shared, Diagnostic> {
    let (shared, offset) = lexer.number("a shared state")?;
    check_shared(lexer, system.shared_states, shared, offset)?;
    Ok(shared)
}

/// A possibly empty list of local states separated by commas.
fn threads(lexer: &mut Lexer<'_>, system: &System) -> Result<Multiset, Diagnostic> {
    let mut threads = Multiset::new();
    // In a file, `2|` may stand at the end of its line; what follows below is something else.
    let listed = matches!(lexer.peek()?.kind, Kind::Number(_) | Kind::Name(_));
    if !listed || lexer.is_line_end_ahead()? {
        return Ok(threads);
    }
    loop {
        let local = local_state(lexer, system)?;
        let mut count = 1;
        if lexer.accept(Kind::Caret)? {
            let (number, offset) = lexer.number("a number of threads after '^'")?;
            if number == 0 {
                return Err(lexer.error(offset, "the number of threads after '^' must be at least 1"));
            }
            count = number;
        }
        threads.add(local, count);
        if !lexer.accept(Kind::Comma)? {
            return Ok(threads);
        }
    }
}

fn local_state(lexer: &mut Lexer<'_>, system: &System) -> Result<Local, Diagnostic> {
    let token = lexer.next()?;
    match token.kind {
        Kind::Number(local) => {
            check_local(lexer, system.local_states, local, token.offset)?;
            Ok(local)
        }
        Kind::Name(name) => match system.local_names.iter().position(|n| n == name) {
            Some(index) => Ok(index as Local),
            None => Err(lexer.error(token.offset, format!("unknown local state '{name}'"))),
        },
        other => Err(lexer.error(token.offset, format!("expected a local state, found {}", describe(other)))),
    }
}

pub(crate) fn check_shared(
    lexer: &Lexer<'_>,
    states: u32,
    state: Shared,
    offset: usize,
) -> Result<(), Diagnostic> {
    check_range(lexer, "shared", states, state, offset)
}

pub(crate) fn check_local(
    lexer: &Lexer<'_>,
    states: u32,
    state: Local,
    offset: usize,
) -> Result<(), Diagnostic> {
    check_range(lexer, "local", states, state, offset)
}

fn check_range(
    lexer: &Lexer<'_>,
    what: &str,
    states: u32,
    state: u32,
    offset: usize,
) -> Result<(), Diagnostic> {
    if state < states {
        return Ok(());
    }
    let range = if states == 1 { "only 0 exists".to_owned() } else { format!("0 to {} exist", states - 1) };
    Err(lexer.error(offset, format!("{what} state {state} is out of range: {range}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system() -> System {
        System { shared_states: 2, local_states: 4, ..System::default() }
    }

    fn init(text: &str) -> Result<InitialStates, Diagnostic> {
        parse_init(Source { name: "--init", text }, &system())
    }

    #[test]
    fn all_forms_of_initial_states() {
        assert_eq!(init("0/2"), Ok(InitialStates::new(0, [], vec![2])));
        assert_eq!(init("1|1,2/3"), Ok(InitialStates::new(1, [1, 2], vec![3])));
        assert_eq!(init("0|3,3"), Ok(InitialStates::new(0, [3, 3], vec![])));
        assert_eq!(init(" 0 | / 2 , 0 "), Ok(InitialStates::new(0, [], vec![0, 2])));
        assert_eq!(init("0|"), Ok(InitialStates::new(0, [], vec![])));
        assert_eq!(init("0|1^3"), Ok(InitialStates::new(0, [1, 1, 1], vec![])));
    }

    #[test]
    fn a_target_without_threads_ends_with_its_line() {
        let text = "1|\n0|2,2\n0| # none\n1|3";
        let targets = parse_targets(Source { name: "targets", text }, &system()).unwrap();
        assert_eq!(
            targets,
            [State::new(1, []), State::new(0, [2, 2]), State::new(0, []), State::new(1, [3])]
        );
    }

    #[test]
    fn bad_states_have_positions() {
        for (text, column, part) in [
            ("", 1, "expected a shared state"),
            ("2/0", 1, "out of range"),
            ("0/4", 3, "0 to 3 exist"),
            ("0/", 3, "expected a local state"),
            ("0|1,", 5, "expected a local state"),
            ("0|1 2", 5, "unexpected number 2"),
            ("0|x", 3, "unknown local state"),
            ("0|1^0", 5, "at least 1"),
            ("99999999999|", 1, "too large"),
        ] {
            let error = init(text).unwrap_err();
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
        let error = parse_target(Source { name: "--target", text: "0/2" }, &system()).unwrap_err();
        assert!(error.message.contains("initial states only"), "{error}");
    }
}
