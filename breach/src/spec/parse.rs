//! Reads `.spec` files: sections, conditions and the syntax of rules. What a rule means is in [`super::rule`].

use super::lex::{Kind, Lexer, SECTIONS, Token, describe};
use super::rule::{Effect, Rule, Term};
use crate::diagnostics::{Diagnostic, Source};
use crate::input::Input;
use crate::system::{InitialStates, Local, Multiset, State, System, Transition};
use rustc_hash::FxHashMap;

/// Reads a whole file.
pub fn parse(source: Source<'_>) -> Result<Input, Diagnostic> {
    let mut parser = Parser {
        lexer: Lexer::new(source),
        names: Vec::new(),
        index: FxHashMap::default(),
        last_offset: 0,
        last_line: 1,
    };
    parser.check_not_empty()?;
    parser.section("vars")?;
    parser.variables()?;
    parser.section("rules")?;
    let (transitions, lines) = parser.rules()?;
    parser.section("init")?;
    let init = parser.init()?;
    parser.section("target")?;
    let targets = parser.targets()?;
    if parser.lexer.accept(Kind::Section("invariants"))? {
        parser.invariants()?;
    }
    parser.end()?;
    let system = System {
        shared_states: 1,
        local_states: parser.names.len() as u32,
        transitions,
        lines,
        local_names: parser.names,
    };
    Ok(Input { system, init, targets })
}

/// `x >= k`, `x = k`, or a relation that only gets a message.
#[derive(Clone, Copy)]
struct Condition<'a> {
    variable: Local,
    /// Where the variable stands.
    offset: usize,
    relation: Token<'a>,
    number: u32,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    names: Vec<String>,
    index: FxHashMap<&'a str, Local>,
    last_offset: usize,
    last_line: u32,
}

impl<'a> Parser<'a> {
    fn error(&self, offset: usize, message: impl Into<String>) -> Diagnostic {
        self.lexer.source.error(offset, message)
    }

    fn check_not_empty(&mut self) -> Result<(), Diagnostic> {
        let token = self.lexer.peek()?;
        if token.kind == Kind::End {
            let message = "the file has no content; it must have the sections vars, rules, init and target";
            return Err(self.error(token.offset, message));
        }
        Ok(())
    }

    /// Takes the keyword that starts a section.
    fn section(&mut self, name: &str) -> Result<(), Diagnostic> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Section(found) if found == name => Ok(()),
            Kind::Section(found) => Err(self.error(token.offset, misplaced(found, name))),
            Kind::End => Err(self.error(token.offset, format!("the section '{name}' is missing"))),
            _ => Err(self.lexer.unexpected(&format!("the section '{name}'"), token)),
        }
    }

    fn end(&mut self) -> Result<(), Diagnostic> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::End => Ok(()),
            Kind::Section(found) => Err(self.error(token.offset, misplaced(found, "end of the file"))),
            _ => Err(self.lexer.unexpected("the end of the file", token)),
        }
    }

    /// True when the next token starts a section, or there is none.
    fn at_section_end(&mut self) -> Result<bool, Diagnostic> {
        Ok(matches!(self.lexer.peek()?.kind, Kind::Section(_) | Kind::End))
    }

    fn variables(&mut self) -> Result<(), Diagnostic> {
        let start = self.lexer.peek()?;
        while !self.at_section_end()? {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::Name(name) => self.declare(name, token.offset)?,
                Kind::Comma if !self.names.is_empty() => {}
                _ => return Err(self.lexer.unexpected("the name of a variable", token)),
            }
        }
        if self.names.is_empty() {
            return Err(self.error(start.offset, "there must be at least one variable"));
        }
        Ok(())
    }

    fn declare(&mut self, name: &'a str, offset: usize) -> Result<(), Diagnostic> {
        let too_many = |_| self.lexer.source.error(offset, "too many variables");
        let number = u32::try_from(self.names.len()).map_err(too_many)?;
        if self.index.insert(name, number).is_some() {
            return Err(self.error(offset, format!("the variable '{name}' is declared twice")));
        }
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Takes a variable.
    fn variable(&mut self) -> Result<(Local, usize), Diagnostic> {
        let token = self.lexer.next()?;
        let Kind::Name(name) = token.kind else { return Err(self.lexer.unexpected("a variable", token)) };
        match self.index.get(name) {
            Some(&variable) => Ok((variable, token.offset)),
            None => {
                let message = format!("the variable '{name}' is not declared in the section 'vars'");
                Err(self.error(token.offset, message))
            }
        }
    }

    fn rules(&mut self) -> Result<(Vec<Transition>, Vec<u32>), Diagnostic> {
        let (mut transitions, mut lines) = (Vec::new(), Vec::new());
        while !self.at_section_end()? {
            let start = self.lexer.peek()?.offset;
            lines.push(self.line_of(start));
            let rule = self.rule()?;
            transitions.push(rule.transition(self.lexer.source, &self.names)?);
        }
        Ok((transitions, lines))
    }

    fn rule(&mut self) -> Result<Rule, Diagnostic> {
        let mut rule = Rule { guards: self.guards()?, ..Rule::default() };
        let arrow = self.lexer.next()?;
        if arrow.kind != Kind::Arrow {
            return Err(self.lexer.unexpected("',' or '->'", arrow));
        }
        if self.lexer.accept(Kind::Semicolon)? || self.at_section_end()? {
            return Ok(rule);
        }
        loop {
            self.effect(&mut rule)?;
            if self.lexer.accept(Kind::Comma)? {
                continue;
            }
            if self.lexer.accept(Kind::Semicolon)? || self.at_section_end()? {
                return Ok(rule);
            }
            let token = self.lexer.next()?;
            return Err(self.lexer.unexpected("'+', '-', ',' or ';'", token));
        }
    }

    fn guards(&mut self) -> Result<Vec<(Local, u32)>, Diagnostic> {
        let mut guards = Vec::new();
        if self.lexer.peek()?.kind == Kind::Arrow {
            return Ok(guards);
        }
        loop {
            let always = Kind::Name("true");
            if self.index.contains_key("true") || !self.lexer.accept(always)? {
                let condition = self.condition()?;
                let why =
                    "a guard can only be 'x >= k': upper bounds and tests for equality are not monotone";
                guards.push((condition.variable, self.at_least(condition, why)?));
            }
            if !self.lexer.accept(Kind::Comma)? {
                return Ok(guards);
            }
        }
    }

    /// `x' = sum`.
    fn effect(&mut self, rule: &mut Rule) -> Result<(), Diagnostic> {
        let (variable, offset) = self.variable()?;
        for (kind, what) in [(Kind::Prime, "\"'\" after the variable of an effect"), (Kind::Equals, "'='")] {
            let token = self.lexer.next()?;
            if token.kind != kind {
                return Err(self.lexer.unexpected(what, token));
            }
        }
        let first = rule.terms.len();
        let constant = self.sum(variable, &mut rule.terms)?;
        rule.effects.push(Effect { variable, constant, terms: first..rule.terms.len(), offset });
        Ok(())
    }

    /// Reads terms and returns the sum of the constants among them.
    fn sum(&mut self, to: Local, terms: &mut Vec<Term>) -> Result<i64, Diagnostic> {
        let mut constant: i64 = 0;
        let mut negative = self.lexer.accept(Kind::Minus)?;
        loop {
            let token = self.lexer.peek()?;
            match token.kind {
                Kind::Number(number) => {
                    self.lexer.next()?;
                    let number = i64::from(number);
                    constant = constant.saturating_add(if negative { -number } else { number });
                }
                Kind::Name(name) => {
                    let (from, offset) = self.variable()?;
                    if negative {
                        let message = format!("subtracting the variable '{name}' is not supported");
                        return Err(self.error(offset, message));
                    }
                    terms.push(Term { from, to, offset });
                }
                _ => return Err(self.lexer.unexpected("a variable or a number", token)),
            }
            negative = self.lexer.accept(Kind::Minus)?;
            if !negative && !self.lexer.accept(Kind::Plus)? {
                return Ok(constant);
            }
        }
    }

    fn condition(&mut self) -> Result<Condition<'a>, Diagnostic> {
        let (variable, offset) = self.variable()?;
        let relation = self.lexer.next()?;
        if !matches!(relation.kind, Kind::AtLeast | Kind::Equals | Kind::OtherRelation(_)) {
            return Err(self.lexer.unexpected("'>=' or '='", relation));
        }
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Number(number) => Ok(Condition { variable, offset, relation, number }),
            Kind::Minus => Err(self.error(token.offset, "numbers of tokens cannot be negative")),
            _ => Err(self.lexer.unexpected("a number", token)),
        }
    }

    /// Conditions separated by commas, at least one.
    fn conjunction(&mut self) -> Result<Vec<Condition<'a>>, Diagnostic> {
        let mut conditions = vec![self.condition()?];
        while self.lexer.accept(Kind::Comma)? {
            conditions.push(self.condition()?);
        }
        Ok(conditions)
    }

    /// The number of a condition that must be `x >= k`; `why` explains this.
    fn at_least(&self, condition: Condition<'_>, why: &str) -> Result<u32, Diagnostic> {
        match condition.relation.kind {
            Kind::AtLeast => Ok(condition.number),
            other => {
                let message = format!("{} is not supported here; {why}", describe(other));
                Err(self.error(condition.relation.offset, message))
            }
        }
    }

    fn init(&mut self) -> Result<Option<InitialStates>, Diagnostic> {
        if self.at_section_end()? {
            return Ok(None);
        }
        let mut conditions = self.conjunction()?;
        if !self.at_section_end()? {
            let token = self.lexer.next()?;
            let message = format!(
                "expected ',', found {}; several alternatives in 'init' are not supported",
                describe(token.kind)
            );
            return Err(self.error(token.offset, message));
        }
        conditions.sort_unstable_by_key(|c| (c.variable, c.offset));
        if let Some(pair) = conditions.windows(2).find(|pair| pair[0].variable == pair[1].variable) {
            return Err(self.error(pair[1].offset, "a second condition for this variable in 'init'"));
        }
        let mut unbounded = Vec::new();
        let mut bounded = Vec::new();
        for condition in conditions {
            match condition.relation.kind {
                Kind::Equals => {}
                Kind::AtLeast => unbounded.push(condition.variable),
                other => {
                    let message = format!("{} is not supported here; use '=' or '>='", describe(other));
                    return Err(self.error(condition.relation.offset, message));
                }
            }
            if condition.number > 0 {
                bounded.push((condition.variable, condition.number));
            }
        }
        Ok(Some(InitialStates { shared: 0, bounded: Multiset::from_sorted(bounded), unbounded }))
    }

    fn targets(&mut self) -> Result<Vec<State>, Diagnostic> {
        let why = "a target is made of conditions 'x >= k': nothing else is upward closed";
        let mut targets = Vec::new();
        while !self.at_section_end()? {
            let mut threads = Multiset::new();
            for condition in self.conjunction()? {
                let count = self.at_least(condition, why)?;
                threads.add(condition.variable, count.saturating_sub(threads.count(condition.variable)));
            }
            targets.push(State { shared: 0, threads });
            self.check_new_line()?;
        }
        Ok(targets)
    }

    fn invariants(&mut self) -> Result<(), Diagnostic> {
        while !self.at_section_end()? {
            self.conjunction()?;
            self.check_new_line()?;
        }
        Ok(())
    }

    /// Alternatives stand on lines of their own; on one line, a comma was forgotten.
    fn check_new_line(&mut self) -> Result<(), Diagnostic> {
        let token = self.lexer.peek()?;
        if token.first_in_line || self.at_section_end()? {
            return Ok(());
        }
        Err(self.lexer.unexpected("',' or a new line", token))
    }

    fn line_of(&mut self, offset: usize) -> u32 {
        // Offsets only grow, so lines are counted once over the whole file.
        let skipped = &self.lexer.source.text.as_bytes()[self.last_offset..offset];
        self.last_line += skipped.iter().filter(|&&b| b == b'\n').count() as u32;
        self.last_offset = offset;
        self.last_line
    }
}

fn misplaced(found: &str, expected: &str) -> String {
    let order = SECTIONS.join(", ");
    format!("found the section '{found}' where '{expected}' should come; the order of sections is {order}")
}
