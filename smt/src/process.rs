//! Any solver that reads SMT-LIB 2 from its standard input.
//!
//! What is asserted is written as text at once and sent with the next question. Assumptions that are not literals get a
//! constant that stands for them, because SMT-LIB allows no others. A solver that is out of time, or is interrupted, is
//! ended; the next question starts it again and tells it what is on the stack.
//!
//! This speaks to the solver itself, and not by way of the crate rsmt2: that one keeps the process to itself, so nothing could
//! end it, and it panics when a solver writes something that is not ASCII.

mod pipe;
mod text;

use std::path::Path;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use self::pipe::{Event, Pipe};
use self::text::items;
use crate::smtlib::{declaration, parse_term, quoted};
use crate::solver::session::{Backend, Frame};
use crate::solver::{Answer, Interrupt, Limits, Reason, SolverError};
use crate::symbol::Symbol;
use crate::term::{Op, Term};
use crate::traverse::constants;
use crate::value::Value;

/// Where `scripts/setup` put the program z3, if it did.
const Z3_PROGRAM: Option<&str> = option_env!("SMT_Z3_PROGRAM");
/// How long a solver may take to print a model or a core.
const PATIENCE: Duration = Duration::from_secs(60);
/// The beginning of every conversation.
const GREETING: &str = "(set-option :print-success false)\n(set-option :produce-models true)\n\
    (set-option :produce-unsat-assumptions true)\n(set-logic QF_ABV)\n";

/// A solver at the other end of a pipe.
pub(crate) struct Process {
    command: Vec<String>,
    name: String,
    /// None if it has to be started before the next question.
    pipe: Option<Pipe>,
    /// Text that has not been sent.
    pending: String,
    /// What the solver knows, by frame.
    scopes: Vec<Scope>,
    /// Declared constants, by the text of their names.
    declared: FxHashMap<String, Term>,
    /// Constants that stand for assumptions.
    proxies: FxHashMap<Term, Term>,
    interrupt: Interrupt,
}

/// What `pop` makes a solver forget.
#[derive(Default)]
struct Scope {
    declared: Vec<String>,
    proxies: Vec<Term>,
}

impl Process {
    /// The program z3: the one that belongs to the library, or the one on the path.
    pub(crate) fn z3() -> Result<Process, SolverError> {
        let program = Z3_PROGRAM.filter(|program| Path::new(program).exists()).unwrap_or("z3");
        Process::start(&[program.to_owned(), "-in".to_owned(), "-smt2".to_owned()], "z3-pipe")
    }

    /// The program cvc5 on the path.
    pub(crate) fn cvc5() -> Result<Process, SolverError> {
        let command = ["cvc5", "--lang=smt2", "--incremental"];
        Process::start(&command.map(str::to_owned), "cvc5")
    }

    /// Any program.
    pub(crate) fn new(command: &[String]) -> Result<Process, SolverError> {
        Process::start(command, &command.join(" "))
    }

    fn start(command: &[String], name: &str) -> Result<Process, SolverError> {
        let mut process = Process {
            command: command.to_vec(),
            name: name.to_owned(),
            pipe: None,
            pending: String::new(),
            scopes: vec![Scope::default()],
            declared: FxHashMap::default(),
            proxies: FxHashMap::default(),
            interrupt: Interrupt::default(),
        };
        process.restart(&[Frame::default()])?;
        Ok(process)
    }

    /// A new process with these frames.
    fn restart(&mut self, frames: &[Frame]) -> Result<(), SolverError> {
        self.pipe = None;
        self.pending = GREETING.to_owned();
        self.scopes.clear();
        self.declared.clear();
        self.proxies.clear();
        for (depth, frame) in frames.iter().enumerate() {
            if depth > 0 {
                self.pending.push_str("(push 1)\n");
            }
            self.scopes.push(Scope::default());
            frame.assertions.iter().try_for_each(|&term| self.write_assertion(term))?;
        }
        self.pipe = Some(Pipe::open(&self.command)?);
        Ok(())
    }

    fn complaint(&self, message: impl Into<String>) -> SolverError {
        SolverError::Protocol { solver: self.name.clone(), message: message.into() }
    }

    fn write_assertion(&mut self, term: Term) -> Result<(), SolverError> {
        self.declare(&constants([term]))?;
        self.pending.push_str(&format!("(assert {term})\n"));
        Ok(())
    }

    /// Declares those constants that are new; none, if two of them have the same name in SMT-LIB.
    fn declare(&mut self, constants: &[Term]) -> Result<(), SolverError> {
        let mut new = Vec::new();
        for &constant in constants {
            let Some(name) = constant.as_constant().map(|name| quoted(name.as_str())) else { continue };
            match self.declared.insert(name.clone(), constant) {
                None => new.push((name, constant)),
                Some(known) if known == constant => {}
                Some(known) => {
                    self.declared.insert(name.clone(), known);
                    for (name, _) in &new {
                        self.declared.remove(name);
                    }
                    return Err(SolverError::Unsupported(format!("two constants with the name {name}")));
                }
            }
        }
        for (name, constant) in new {
            if let (Some(text), Some(scope)) = (declaration(constant), self.scopes.last_mut()) {
                self.pending.push_str(&text);
                self.pending.push('\n');
                scope.declared.push(name);
            }
        }
        Ok(())
    }

    /// A literal that is equivalent to an assumption.
    fn literal(&mut self, assumption: Term) -> Result<Term, SolverError> {
        let (atom, negated) = match (assumption.op(), assumption.args()) {
            (Op::Not, &[atom]) => (atom, true),
            _ => (assumption, false),
        };
        let literal = match atom.op() {
            Op::Const(_) => {
                self.declare(&[atom])?;
                atom
            }
            _ => self.proxy(atom)?,
        };
        Ok(if negated { literal.not() } else { literal })
    }

    fn proxy(&mut self, atom: Term) -> Result<Term, SolverError> {
        if let Some(&proxy) = self.proxies.get(&atom) {
            return Ok(proxy);
        }
        let mut number = self.proxies.len();
        while self.declared.contains_key(&format!("assumed!{number}")) {
            number += 1;
        }
        let proxy = Term::constant(Symbol::new(&format!("assumed!{number}")), crate::sort::Sort::Bool);
        self.declare(&constants([atom, proxy]))?;
        self.pending.push_str(&format!("(assert (= {proxy} {atom}))\n"));
        self.proxies.insert(atom, proxy);
        if let Some(scope) = self.scopes.last_mut() {
            scope.proxies.push(atom);
        }
        Ok(proxy)
    }

    fn send(&mut self) {
        let text = std::mem::take(&mut self.pending);
        if let Some(pipe) = &self.pipe {
            pipe.send(text);
        }
    }

    /// The next event, or the end of the conversation.
    fn receive(&mut self, limits: &Limits) -> Event {
        match &self.pipe {
            Some(pipe) => pipe.receive(limits),
            None => Event::Ended,
        }
    }

    /// The answer to a question that has been sent.
    fn answer(&mut self, limits: &Limits) -> Result<Answer, SolverError> {
        loop {
            let reply = match self.receive(limits) {
                Event::Reply(reply) => reply,
                Event::Cut(reason) => {
                    self.pipe = None;
                    return Ok(Answer::Unknown(reason));
                }
                Event::Ended => {
                    let how = self.pipe.take().map(Pipe::ending).unwrap_or_default();
                    return Ok(Answer::Unknown(Reason::SolverDied(how)));
                }
            };
            match reply.as_str() {
                "sat" => return Ok(Answer::Sat),
                "unsat" => return Ok(Answer::Unsat),
                "unknown" => return Ok(Answer::Unknown(Reason::Incomplete(self.reason()?))),
                // Some solvers do not know all options, or announce success nevertheless.
                "success" | "unsupported" => {}
                _ if reply.starts_with("(error") => {
                    self.pipe = None;
                    return Ok(Answer::Unknown(Reason::Incomplete(reply)));
                }
                _ => {
                    self.pipe = None;
                    return Err(self.complaint(reply));
                }
            }
        }
    }

    /// The reply to a command that is quickly done.
    fn ask(&mut self, command: &str) -> Result<String, SolverError> {
        self.pending.push_str(command);
        self.send();
        let limits =
            Limits { deadline: Instant::now().checked_add(PATIENCE), interrupt: self.interrupt.clone() };
        match self.receive(&limits) {
            Event::Reply(reply) if reply.starts_with("(error") => Err(self.complaint(reply)),
            Event::Reply(reply) => Ok(reply),
            Event::Cut(_) | Event::Ended => {
                self.pipe = None;
                Err(self.complaint(format!("no reply to {}", command.trim_end())))
            }
        }
    }

    /// Why the solver does not know.
    fn reason(&mut self) -> Result<String, SolverError> {
        let reply = self.ask("(get-info :reason-unknown)\n")?;
        let reason = items(&reply).and_then(|items| items.get(1).map(|reason| (*reason).to_owned()));
        Ok(reason.unwrap_or(reply))
    }

    fn value(&self, constant: Term, text: &str) -> Result<Value, SolverError> {
        let value = parse_term(text, []).ok().and_then(Term::as_value);
        let value = value.filter(|value| value.has_sort(constant.sort()));
        value.ok_or_else(|| self.complaint(format!("{constant} has the value {text}, which cannot be read")))
    }
}

impl Backend for Process {
    fn name(&self) -> &str {
        &self.name
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        if self.pipe.is_some() { self.write_assertion(term) } else { Ok(()) }
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.pending.push_str("(push 1)\n");
        self.scopes.push(Scope::default());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.pending.push_str("(pop 1)\n");
        let scope = self.scopes.pop().unwrap_or_default();
        for name in scope.declared {
            self.declared.remove(&name);
        }
        for atom in scope.proxies {
            self.proxies.remove(&atom);
        }
        Ok(())
    }

    fn check(
        &mut self,
        frames: &[Frame],
        assumptions: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError> {
        self.interrupt = limits.interrupt.clone();
        if self.pipe.is_none() {
            self.restart(frames)?;
        }
        let mut question = String::from("(check-sat-assuming (");
        for &assumption in assumptions {
            question.push_str(&format!(" {}", self.literal(assumption)?));
        }
        question.push_str("))\n");
        let plain = assumptions.is_empty();
        self.pending.push_str(if plain { "(check-sat)\n" } else { &question });
        self.send();
        self.answer(limits)
    }

    fn core(&mut self, assumptions: &[Term]) -> Result<Vec<bool>, SolverError> {
        if assumptions.is_empty() {
            return Ok(Vec::new());
        }
        let reply = self.ask("(get-unsat-assumptions)\n")?;
        let literals: Vec<Term> =
            assumptions.iter().map(|&term| self.literal(term)).collect::<Result<_, _>>()?;
        let known = constants(literals.iter().copied());
        let mut core = vec![false; assumptions.len()];
        for item in items(&reply).ok_or_else(|| self.complaint(&reply))? {
            let literal = parse_term(item, known.iter().copied()).ok();
            let position = literal.and_then(|literal| literals.iter().position(|known| *known == literal));
            core[position.ok_or_else(|| self.complaint(&reply))?] = true;
        }
        Ok(core)
    }

    fn values(&mut self, constants: &[Term]) -> Result<Vec<Value>, SolverError> {
        let known = |constant: Term| {
            constant.as_constant().filter(|name| self.declared.contains_key(&quoted(name.as_str()))).is_some()
        };
        let asked: Vec<Term> = constants.iter().copied().filter(|&constant| known(constant)).collect();
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        if !asked.is_empty() {
            let names: Vec<String> = asked.iter().map(Term::to_string).collect();
            let reply = self.ask(&format!("(get-value ({}))\n", names.join(" ")))?;
            let pairs = items(&reply).ok_or_else(|| self.complaint(&reply))?;
            for (&constant, pair) in asked.iter().zip(pairs) {
                let text = items(pair).and_then(|pair| pair.get(1).copied());
                let text = text.ok_or_else(|| self.complaint(&reply))?;
                values.insert(constant, self.value(constant, text)?);
            }
        }
        // What the solver has not heard of can have any value.
        let value = |constant: &Term| values.remove(constant).unwrap_or_else(|| Value::zero(constant.sort()));
        Ok(constants.iter().map(value).collect())
    }
}
