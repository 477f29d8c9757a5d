//! Reads a file line by line and a line word by word, and knows where it is.

use crate::diagnostics::{Diagnostic, Source};
use crate::system::{InitialStates, Local, Multiset, Shared, State, System};
use rustc_hash::FxHashMap;
use std::str::FromStr;

/// A text and the system that it is about.
pub(super) struct File<'a> {
    source: Source<'a>,
    pub(super) system: &'a System,
    names: FxHashMap<&'a str, Local>,
}

impl<'a> File<'a> {
    pub(super) fn new(source: Source<'a>, system: &'a System) -> Self {
        let names = system.local_names.iter().zip(0..).map(|(name, local)| (name.as_str(), local)).collect();
        Self { source, system, names }
    }

    /// Checks the first two statements, `KIND 1` and `system S L`; returns what follows.
    pub(super) fn open<'f>(&'f self, kind: &str) -> Result<Statements<'f>, Diagnostic> {
        let mut statements = Statements { file: self, next: 0 };
        let mut line = statements.next()?;
        if !line.accept_word(kind) {
            return Err(line.expected(&format!("'{kind} 1', the first line of such a file")));
        }
        let before = line;
        let version: u32 = line.number("the version of the format")?;
        if version != 1 {
            let message = format!("this is version {version} of the format, but only version 1 is known");
            return Err(before.error(message));
        }
        line.end()?;

        let mut line = statements.next()?;
        line.word("system")?;
        let before = line;
        let shared: u32 = line.number("the number of shared states")?;
        let local: u32 = line.number("the number of local states")?;
        line.end()?;
        if (shared, local) != (self.system.shared_states, self.system.local_states) {
            let message = format!(
                "this file is about a system with {shared} shared and {local} local states, but the system has {} and {}",
                self.system.shared_states, self.system.local_states
            );
            return Err(before.error(message));
        }
        Ok(statements)
    }
}

/// The statements of a file, one per line; comments and blank lines are skipped.
pub(super) struct Statements<'f> {
    file: &'f File<'f>,
    /// Where the next line starts.
    next: usize,
}

impl<'f> Statements<'f> {
    /// The next statement. It is an error if there is none, because the last one is `end`.
    pub(super) fn next(&mut self) -> Result<Line<'f>, Diagnostic> {
        let cut_off = "the file is cut off: it does not end with 'end'";
        self.find().ok_or_else(|| self.file.source.error(self.next, cut_off))
    }

    /// Nothing but comments may follow `end`.
    pub(super) fn finish(mut self) -> Result<(), Diagnostic> {
        match self.find() {
            Some(line) => Err(line.error("unexpected text after 'end'")),
            None => Ok(()),
        }
    }

    fn find(&mut self) -> Option<Line<'f>> {
        let text = self.file.source.text;
        while self.next < text.len() {
            let rest = &text[self.next..];
            let length = rest.find('\n').unwrap_or(rest.len());
            let content = rest[..length].find('#').unwrap_or(length);
            let mut line = Line { file: self.file, at: self.next, end: self.next + content };
            self.next += (length + 1).min(rest.len());
            line.skip_blanks();
            if line.at < line.end {
                return Some(line);
            }
        }
        None
    }
}

/// What is left of one statement.
#[derive(Clone, Copy)]
pub(super) struct Line<'f> {
    file: &'f File<'f>,
    at: usize,
    end: usize,
}

impl<'f> Line<'f> {
    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        self.file.source.error(self.at, message)
    }

    /// An error that says what should be here and what is.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let rest = self.rest();
        let word: String =
            rest.split_ascii_whitespace().next().unwrap_or_default().chars().take(40).collect();
        if word.is_empty() {
            self.error(format!("expected {what}, found the end of the line"))
        } else {
            self.error(format!("expected {what}, found '{word}'"))
        }
    }

    fn rest(&self) -> &'f str {
        &self.file.source.text[self.at..self.end]
    }

    fn skip_blanks(&mut self) {
        self.at = self.end - self.rest().trim_ascii_start().len();
    }

    /// Takes so many bytes and the blanks behind them.
    fn take(&mut self, length: usize) -> &'f str {
        let taken = &self.rest()[..length];
        self.at += length;
        self.skip_blanks();
        taken
    }

    /// Takes everything up to the next blank.
    pub(super) fn keyword(&mut self) -> &'f str {
        let rest = self.rest();
        self.take(rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len()))
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let mut after = *self;
        let found = after.keyword() == word;
        if found {
            *self = after;
        }
        found
    }

    pub(super) fn word(&mut self, word: &str) -> Result<(), Diagnostic> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&format!("'{word}'"))) }
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let found = self.rest().starts_with(symbol);
        if found {
            self.take(symbol.len());
        }
        found
    }

    pub(super) fn symbol(&mut self, symbol: &str) -> Result<(), Diagnostic> {
        if self.accept(symbol) { Ok(()) } else { Err(self.expected(&format!("'{symbol}'"))) }
    }

    pub(super) fn end(&self) -> Result<(), Diagnostic> {
        if self.at == self.end { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    /// Takes a number, with a sign if it may have one.
    pub(super) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, Diagnostic> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.expected(what));
        }
        let Ok(number) = rest[..sign + digits].parse() else {
            return Err(self.error(format!("{what} is out of range")));
        };
        self.take(sign + digits);
        Ok(number)
    }

    pub(super) fn shared(&mut self) -> Result<Shared, Diagnostic> {
        let before = *self;
        let shared = self.number("a shared state")?;
        before.check_range("shared", shared, self.file.system.shared_states)?;
        Ok(shared)
    }

    /// Takes a local state, a number or a name. Names are `[A-Za-z_][A-Za-z0-9_.$@]*`.
    pub(super) fn local(&mut self) -> Result<Local, Diagnostic> {
        let before = *self;
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'@');
        let name = self.rest().as_bytes();
        if name.first().is_some_and(|b| is_name(b) && !b.is_ascii_digit()) {
            let length = name.iter().take_while(|b| is_name(b)).count();
            let name = self.take(length);
            return match self.file.names.get(name) {
                Some(&local) => Ok(local),
                None => Err(before.error(format!("unknown local state '{name}'"))),
            };
        }
        let local = self.number("a local state")?;
        before.check_range("local", local, self.file.system.local_states)?;
        Ok(local)
    }

    fn check_range(&self, kind: &str, state: u32, states: u32) -> Result<(), Diagnostic> {
        if state < states {
            return Ok(());
        }
        Err(self
            .error(format!("{kind} state {state} is out of range: the system has {states}, counted from 0")))
    }

    /// Takes a state, such as `0|1,2^5`.
    pub(super) fn state(&mut self) -> Result<State, Diagnostic> {
        let shared = self.shared()?;
        self.symbol("|")?;
        Ok(State { shared, threads: self.threads()? })
    }

    /// Takes initial states, such as `0|1,2/3` or `0/3`.
    pub(super) fn init(&mut self) -> Result<InitialStates, Diagnostic> {
        let shared = self.shared()?;
        let bounded = if self.accept("|") { self.threads()? } else { Multiset::new() };
        let mut unbounded = Vec::new();
        if self.accept("/") {
            loop {
                unbounded.push(self.local()?);
                if !self.accept(",") {
                    break;
                }
            }
            unbounded.sort_unstable();
            unbounded.dedup();
        }
        Ok(InitialStates { shared, bounded, unbounded })
    }

    /// Takes a list of local states with counts; it is empty if something else than a local state follows.
    fn threads(&mut self) -> Result<Multiset, Diagnostic> {
        let mut threads = Multiset::new();
        if !self.rest().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return Ok(threads);
        }
        loop {
            let local = self.local()?;
            let mut count = 1;
            if self.accept("^") {
                let before = *self;
                count = self.number("a number of threads")?;
                if count == 0 {
                    return Err(before.error("the number of threads after '^' must be at least 1"));
                }
            }
            threads.add(local, count);
            if !self.accept(",") {
                return Ok(threads);
            }
        }
    }
}
