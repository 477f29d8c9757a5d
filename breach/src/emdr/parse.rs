//! Reads EMDR programs (thesis, figure 30) and their public dialect with spawns and broadcasts.

use super::lex::{Kind, Lexer, describe};
use super::states::{after_bar, check_local, check_shared, expect_end, init_state, target_state};
use crate::diagnostics::{Diagnostic, Source};
use crate::input::Input;
use crate::system::{Local, Multiset, Shared, System, Transition};
use rustc_hash::FxHashMap;

/// Shared or local states that a system may have: tables with an entry for each must fit into memory.
const MAX_STATES: u32 = 10_000_000;

/// Reads a whole file. Targets and initial states found in it are part of the result.
pub fn parse(source: Source<'_>) -> Result<Input, Diagnostic> {
    let mut lexer = Lexer::new(source);
    let system = header(&mut lexer)?;
    let mut parser = Parser {
        lexer,
        input: Input { system, init: None, targets: Vec::new() },
        open: None,
        broadcasts: FxHashMap::default(),
        last_offset: 0,
        last_line: 1,
    };
    while parser.item()? {}
    parser.finish(source)
}

fn header(lexer: &mut Lexer<'_>) -> Result<System, Diagnostic> {
    let token = lexer.peek()?;
    if token.kind == Kind::End {
        return Err(lexer.error(
            token.offset,
            "the file has no content; it must start with the numbers of shared and of local states",
        ));
    }
    let mut dimension = |what: &str| {
        let (number, offset) = lexer.number(&format!("the number of {what} states"))?;
        if number == 0 {
            return Err(lexer.error(offset, format!("there must be at least one {what} state")));
        }
        if number > MAX_STATES {
            return Err(
                lexer.error(offset, format!("too many {what} states: at most {MAX_STATES} are supported"))
            );
        }
        Ok(number)
    };
    let shared_states = dimension("shared")?;
    let local_states = dimension("local")?;
    let token = lexer.peek()?;
    if matches!(token.kind, Kind::Arrow | Kind::Spawn | Kind::Tilde) {
        let message = format!(
            "found {} where the first transition should start; does the header 'S L' (numbers of shared and local states) miss?",
            describe(token.kind)
        );
        return Err(lexer.error(token.offset, message));
    }
    Ok(System { shared_states, local_states, ..System::default() })
}

/// Passive moves as they are read.
type Moves = Vec<(Local, Local)>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    input: Input,
    /// The `->` transition that transfers may still be added to, with the transfers so far.
    open: Option<(usize, Moves)>,
    /// Stand-alone broadcasts by (from, to), with their index and moves.
    broadcasts: FxHashMap<(Shared, Shared), (usize, Moves)>,
    last_offset: usize,
    last_line: u32,
}

impl Parser<'_> {
    /// Reads one transition, transfer or target; false at the end.
    fn item(&mut self) -> Result<bool, Diagnostic> {
        let first = self.lexer.next()?;
        let number = match first.kind {
            Kind::End => return Ok(false),
            Kind::Number(number) => number,
            other => {
                let message = format!("expected a transition 's l -> s l', found {}", describe(other));
                return Err(self.lexer.error(first.offset, message));
            }
        };
        let second = self.lexer.next()?;
        match second.kind {
            Kind::Tilde => self.transfer(number, first.offset, second.offset)?,
            Kind::Bar => {
                check_shared(&self.lexer, self.input.system.shared_states, number, first.offset)?;
                let target = after_bar(&mut self.lexer, &self.input.system, number)?;
                self.input.targets.push(target);
                self.close();
            }
            Kind::Number(local) => self.transition((number, first.offset), (local, second.offset))?,
            Kind::End => {
                return Err(self.lexer.error(
                    second.offset,
                    "the file ends in the middle of a transition; expected 's l -> s l'",
                ));
            }
            other => {
                let message = format!("expected a local state, found {}", describe(other));
                return Err(self.lexer.error(second.offset, message));
            }
        }
        Ok(true)
    }

    /// The rest of a line after its first two numbers.
    fn transition(&mut self, shared: (u32, usize), local: (u32, usize)) -> Result<(), Diagnostic> {
        let (shared_states, local_states) = (self.input.system.shared_states, self.input.system.local_states);
        check_shared(&self.lexer, shared_states, shared.0, shared.1)?;
        check_local(&self.lexer, local_states, local.0, local.1)?;
        let arrow = self.lexer.next()?;
        if !matches!(arrow.kind, Kind::Arrow | Kind::Spawn | Kind::Tilde) {
            let message = format!("expected '->', '+>' or '~>', found {}", describe(arrow.kind));
            return Err(self.lexer.error(arrow.offset, message));
        }
        let (to, offset) = self.lexer.number("the shared state after the step")?;
        check_shared(&self.lexer, shared_states, to, offset)?;
        let (target, offset) = self.lexer.number("the local state after the step")?;
        check_local(&self.lexer, local_states, target, offset)?;
        self.close();
        let mut transition = Transition {
            from: shared.0,
            to,
            consume: Multiset::new(),
            produce: Multiset::new(),
            transfers: Vec::new(),
        };
        let id = self.input.system.transitions.len();
        match arrow.kind {
            Kind::Tilde => {
                if let Some((_, moves)) = self.broadcasts.get_mut(&(shared.0, to)) {
                    moves.push((local.0, target));
                    return Ok(());
                }
                self.broadcasts.insert((shared.0, to), (id, vec![(local.0, target)]));
            }
            Kind::Spawn => {
                transition.consume.add(local.0, 1);
                transition.produce.add(local.0, 1);
                transition.produce.add(target, 1);
            }
            _ => {
                transition.consume.add(local.0, 1);
                transition.produce.add(target, 1);
                self.open = Some((id, Vec::new()));
            }
        }
        self.input.system.transitions.push(transition);
        let line = self.line_of(shared.1);
        self.input.system.lines.push(line);
        Ok(())
    }

    /// The rest of `l ~> l` after the arrow.
    fn transfer(&mut self, from: u32, from_offset: usize, arrow: usize) -> Result<(), Diagnostic> {
        let local_states = self.input.system.local_states;
        check_local(&self.lexer, local_states, from, from_offset)?;
        let (to, offset) = self.lexer.number("the local state after '~>'")?;
        check_local(&self.lexer, local_states, to, offset)?;
        match &mut self.open {
            Some((_, moves)) => moves.push((from, to)),
            None => {
                return Err(self.lexer.error(
                    arrow,
                    "'l ~> l' must follow a transition 's l -> s l'; a broadcast of its own is written 's l ~> s l'",
                ));
            }
        }
        Ok(())
    }

    /// Completes the transition that was open for transfers.
    fn close(&mut self) {
        if let Some((id, moves)) = self.open.take()
            && !moves.is_empty()
        {
            self.input.system.transitions[id].transfers = Transition::group_transfers(moves);
        }
    }

    fn line_of(&mut self, offset: usize) -> u32 {
        // Offsets only grow, so lines are counted once over the whole file.
        let skipped = &self.lexer.text().as_bytes()[self.last_offset..offset];
        self.last_line += skipped.iter().filter(|&&b| b == b'\n').count() as u32;
        self.last_offset = offset;
        self.last_line
    }

    fn finish(mut self, source: Source<'_>) -> Result<Input, Diagnostic> {
        self.close();
        for (id, moves) in std::mem::take(&mut self.broadcasts).into_values() {
            self.input.system.transitions[id].transfers = Transition::group_transfers(moves);
        }
        for directive in std::mem::take(&mut self.lexer.directives) {
            let mut lexer = Lexer::within(source, directive.start, directive.end);
            if directive.is_init {
                let init = init_state(&mut lexer, &self.input.system)?;
                expect_end(&mut lexer)?;
                if self.input.init.as_ref().is_some_and(|earlier| *earlier != init) {
                    return Err(source.error(directive.start, "a second, different #init in one file"));
                }
                self.input.init = Some(init);
            } else {
                let target = target_state(&mut lexer, &self.input.system)?;
                expect_end(&mut lexer)?;
                self.input.targets.push(target);
            }
        }
        Ok(self.input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{InitialStates, State};

    fn read(text: &str) -> Result<Input, Diagnostic> {
        parse(Source { name: "t", text })
    }

    #[test]
    fn blanks_and_line_ends_do_not_matter() {
        let spaced = read("2 9\r\n0 0 -> 0 8\t0 ~> 0 0 ~> 4\r\n 1 2 -> 0 1 # end\n").unwrap().system;
        let tight = read("2 9 0 0->0 8 0~>0\n0~>4 1 2->0 1").unwrap().system;
        assert_eq!(spaced.transitions, tight.transitions);
        assert_eq!(spaced.lines, [2, 3]);
        assert_eq!(spaced.transitions[0].transfers.len(), 1);
        assert_eq!(spaced.transitions[0].transfers[0].to, [0, 4]);
    }

    #[test]
    fn spawns_broadcasts_and_questions_in_the_file() {
        let input = read(
            "#init 0|1/2\n3 4\n0 0 +> 1 3\n0 1 ~> 2 2\n0 0 -> 0 0\n0 2 ~> 2 3\n1|2,2\n#target 2|\n# target maybe\n",
        )
        .unwrap();
        assert_eq!(input.system.transitions.len(), 3, "broadcast lines with the same ends are one step");
        assert_eq!(input.system.transitions[1].transfers.len(), 2);
        assert_eq!(input.init, Some(InitialStates::new(0, [1], vec![2])));
        assert_eq!(input.targets, [State::new(1, [2, 2]), State::new(2, [])]);
    }

    #[test]
    fn repeated_transitions_stay_apart() {
        let input = read("1 3 0 0 -> 0 1 1 ~> 2 0 0 -> 0 1 2 ~> 1").unwrap();
        assert_eq!(input.system.transitions.len(), 2);
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, line, column, part) in [
            ("", 1, 1, "no content"),
            ("# nothing\n", 2, 1, "no content"),
            ("0 1\n", 1, 1, "at least one shared"),
            ("1\n", 2, 1, "number of local states"),
            ("4000000000 1\n", 1, 1, "too many shared states"),
            ("0 0 -> 1 0\n", 1, 1, "at least one shared"),
            ("2 2 -> 1 0\n", 1, 5, "header"),
            ("1 1\n0 0 -> 0 1\n", 2, 10, "local state 1 is out of range"),
            ("1 1\n0 0 -> 1 0\n", 2, 8, "shared state 1 is out of range"),
            ("1 1\n0 0 -> 0\n", 3, 1, "expected the local state"),
            ("1 1\n0 0\n", 3, 1, "expected '->'"),
            ("1 1\n0\n", 3, 1, "ends in the middle"),
            ("1 1\n0 ~> 0\n", 2, 3, "must follow a transition"),
            ("1 1\n0 0 +> 0 0 0 ~> 0\n", 2, 14, "must follow a transition"),
            ("1 1\n0 0 - 0 0\n", 2, 5, "unexpected character '-'"),
            ("1 1\nfoo\n", 2, 1, "expected a transition"),
            ("1 1\n#target 0|1\n", 2, 11, "out of range"),
            ("1 2\n#init 0/1\n#init 0/0\n", 3, 7, "second, different"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
            assert!(error.message.contains(part), "{text:?}: {error}");
        }
    }
}
