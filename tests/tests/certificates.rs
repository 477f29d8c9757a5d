//! Proofs of safety as files: what monabs writes is accepted, what is damaged is not.
//!
//! A damage may leave a proof right: a transition that no run takes can go. So each damaged proof that is accepted is held against random runs, step by step, by code that knows
//! nothing of formulas: the bits of each state are computed from its values, and the system must have the step.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first broken assumption"
)]

use certify::abstraction::{Abstraction, Bits, COUNT_WIDTH, Predicate};
use certify::{Certificate, Document, check, text};
use frontend::program::interpret::{Interpreter, State, random, replay};
use frontend::program::text::read as read_program;
use frontend::program::{EdgeId, Program, Scope, VariableId, passive};
use monabs::certificate::certificate;
use monabs::verify::{Nobody, Verdict};
use monabs::{Options, verify};
use smt::{Config, SolverChoice, Symbol, Value, eval};
use std::collections::BTreeMap;
use tests::programs::judge::violation;

/// A lock, with a flag that says who is inside.
const LOCK: &str = r#"program 1
shared held: bool = false
shared inside: u2 = 0
local mine: u2 = 0
location 0
location 1
location 2 live mine
location 3
location 4
main 0
pool 0
edge 0: 0 -> 1
  guard (not held)
  assign held := true
edge 1: 1 -> 2
  assign mine := (bvadd inside #b01)
  assign inside := (bvadd inside #b01)
edge 2: 2 -> 4
  guard (not (= mine #b01))
edge 3: 2 -> 3
  guard (= mine #b01)
edge 4: 3 -> 0
  assign inside := (bvsub inside #b01)
  assign held := false
property p assertion "alone" at 4
"#;

/// A ticket lock over small numbers, which needs a predicate about two threads. More than so many tickets at once are not drawn.
const TICKET: &str = r#"program 1
shared next: u4 = 0
shared serving: u4 = 0
shared inside: bool = false
local mine: u4 = 0
location 0
location 1 live mine
location 2 live mine
location 3
main 0
pool 0
edge 0: 0 -> 1
  guard (bvult next #xf)
  assign mine := next
  assign next := (bvadd next #x1)
edge 1: 1 -> 2
  guard (and (= mine serving) (not inside))
  assign inside := true
edge 2: 1 -> 3
  guard (and (= mine serving) inside)
edge 3: 2 -> 0
  assign inside := false
  assign serving := (bvadd serving #x1)
property p assertion "alone" at 3
"#;

/// A broadcast resets what everybody has seen.
const BROADCAST: &str = r#"program 1
shared version: bool = false
local seen: bool = false
local fresh: bool = true
location 0 live seen, fresh
location 1 live seen, fresh
location 2
main 0
pool 0
edge 0: 0 -> 1
  assign seen := version
  assign fresh := true
edge 1: 1 -> 2
  guard (and fresh (not (= seen version)))
edge 2: 0 -> 0
  assign version := (not version)
  assign fresh := false
  passive assign fresh := false
edge 3: 1 -> 0
property p assertion "fresh values" at 2
"#;

/// Readers are counted; a writer waits until there are none.
const READERS: &str = r#"program 1
shared readers: u8 = 0
shared writing: bool = false
location 0
location 1
location 2
location 3
main 0
pool 0
edge 0: 0 -> 1
  guard (and (not writing) (bvult readers #xf0))
  assign readers := (bvadd readers #x01)
edge 1: 1 -> 0
  guard (not writing)
  assign readers := (bvsub readers #x01)
edge 2: 0 -> 2
  guard (and (= readers #x00) (not writing))
  assign writing := true
edge 3: 2 -> 0
  assign writing := false
edge 4: 1 -> 3
  guard writing
property p assertion "no writer beside a reader" at 3
"#;

const PROGRAMS: [(&str, &str); 4] =
    [("lock", LOCK), ("ticket", TICKET), ("broadcast", BROADCAST), ("readers", READERS)];

fn proof(program: &Program) -> Document {
    let options = Options { certify: true, ..Options::alone() };
    let outcome = verify(program, &options, &mut Nobody).unwrap();
    let Verdict::Safe(evidence) = &outcome.verdict else { panic!("{:?}", outcome.verdict) };
    let certificate = certificate(evidence, outcome.certified.as_deref()).unwrap();
    Document::new(
        program,
        vec![("00".to_owned(), "lock.c".to_owned())],
        vec!["nothing".to_owned()],
        certificate,
    )
}

fn is_accepted(document: &Document, program: &Program, solver: &SolverChoice) -> Result<String, String> {
    let judged = check::check(document, program, Some(solver), &Config::default());
    judged.map(|accepted| accepted.text).map_err(|rejected| rejected.to_string())
}

fn abstraction(document: &Document) -> &Abstraction {
    let Certificate::Abstraction(abstraction) = &document.certificate else { panic!("another kind") };
    abstraction
}

/// What is written is read back to the same text, and accepted by two solvers that share nothing.
#[test]
fn proofs_are_accepted() {
    for (name, source) in PROGRAMS {
        let program = read_program(source).unwrap();
        let document = proof(&program);
        let written = text::write(&document, &program).unwrap();
        let read = text::read(&written, &program).unwrap();
        assert_eq!(text::write(&read, &program).unwrap(), written);
        let (one, other) = (&read.head, &document.head);
        assert_eq!((&one.sources, &one.assumptions), (&other.sources, &other.assumptions));
        for solver in ["z3", "sat"] {
            let accepted = is_accepted(&read, &program, &solver.parse().unwrap());
            assert!(accepted.is_ok(), "{name} by {solver}: {accepted:?}\n{written}");
        }
        assert!(Runs::new(&program, &read).all_simulated().is_ok(), "{name}");
    }
    let program = read_program(READERS).unwrap();
    assert!(!abstraction(&proof(&program)).facts.is_empty());
    let program = read_program(TICKET).unwrap();
    let document = proof(&program);
    assert!(abstraction(&document).thread_predicates.iter().any(|predicate| !predicate.about.is_empty()));
}

/// Each line of the file is damaged in several ways.
#[test]
fn damaged_proofs_are_rejected() {
    let (mut damaged, mut accepted) = (0, 0);
    for (name, source) in PROGRAMS {
        let program = read_program(source).unwrap();
        let written = text::write(&proof(&program), &program).unwrap();
        for mutant in mutants(&written) {
            damaged += 1;
            let Ok(document) = text::read(&mutant, &program) else { continue };
            let judged = is_accepted(&document, &program, &SolverChoice::default());
            if judged.is_ok() {
                accepted += 1;
                let simulated = Runs::new(&program, &document).all_simulated();
                assert!(simulated.is_ok(), "{name}: accepted, but {}\n{mutant}", simulated.unwrap_err());
            }
        }
    }
    // The rest of the damage is none: what no run does is gone, or is said twice.
    assert!(damaged > 500 && accepted * 4 < damaged, "{accepted} of {damaged} accepted");
}

/// Each line missing, each digit another one, each line twice.
fn mutants(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut mutants = Vec::new();
    let with = |place: usize, line: Option<String>| -> String {
        let changed = lines.iter().enumerate().filter_map(|(number, old)| match (number == place, &line) {
            (true, None) => None,
            (true, Some(new)) => Some(new.clone()),
            (false, _) => Some((*old).to_owned()),
        });
        changed.map(|line| line + "\n").collect()
    };
    for (place, line) in lines.iter().enumerate() {
        if line.starts_with("source ") || line.starts_with("assumption ") {
            continue;
        }
        mutants.push(with(place, None));
        mutants.push(with(place, Some(format!("{line}\n{line}"))));
        for (column, digit) in line.char_indices().filter(|(_, digit)| digit.is_ascii_digit()).take(3) {
            let other = if digit == '0' { '1' } else { '0' };
            let mut new = (*line).to_owned();
            new.replace_range(column..=column, &other.to_string());
            mutants.push(with(place, Some(new)));
        }
    }
    mutants
}

/// A proof about one program is none about another one that fails, even if it says that it is about that one.
#[test]
fn proofs_about_other_programs_are_rejected() {
    let (mut failing, mut refused) = (0, 0);
    for (name, source) in PROGRAMS {
        let program = read_program(source).unwrap();
        let document = proof(&program);
        for (number, other) in changed(&program).into_iter().enumerate() {
            assert!(is_accepted(&document, &other, &SolverChoice::default()).is_err(), "{name} {number}");
            let forged = Document::new(&other, Vec::new(), Vec::new(), document.certificate.clone());
            let judged = is_accepted(&forged, &other, &SolverChoice::default());
            refused += usize::from(judged.is_err());
            if let Some((threads, _)) = violation(&other, 30_000) {
                failing += 1;
                assert!(judged.is_err(), "{name} {number}: accepted, but {threads} threads fail");
            }
        }
    }
    assert!(failing > 30 && refused >= failing, "{failing} fail, {refused} refused");
}

/// The program with parts of guards and assignments gone, and ends of edges elsewhere.
fn changed(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for (number, edge) in program.edges.iter().enumerate() {
        for part in edge.guard.conjuncts() {
            for new in [edge.guard.substitute(&[(part, smt::Term::tru())].into_iter().collect()), part.not()]
            {
                let mut other = program.clone();
                other.edges[number].guard = new;
                all.push(other);
            }
        }
        for place in 0..edge.assign.len() {
            let mut other = program.clone();
            other.edges[number].assign.remove(place);
            all.push(other);
        }
        if !edge.broadcast.is_empty() {
            let mut other = program.clone();
            other.edges[number].broadcast = frontend::program::Broadcast::default();
            all.push(other);
        }
        for to in 0..program.locations.len() as u32 {
            let mut other = program.clone();
            other.edges[number].to = frontend::program::LocationId(to);
            all.push(other);
        }
    }
    all.retain(|other| other != program);
    all
}

/// Random runs, seen through the predicates of a certificate.
struct Runs<'a> {
    program: &'a Program,
    certificate: &'a Abstraction,
}

/// A state: the shared part, then each thread.
type Seen = (Bits, Vec<(u32, Bits)>);

impl<'a> Runs<'a> {
    fn new(program: &'a Program, document: &'a Document) -> Runs<'a> {
        Runs { program, certificate: abstraction(document) }
    }

    /// Whether the system has every step, but for those after a violation.
    fn all_simulated(&self) -> Result<(), String> {
        for threads in 1..=4 {
            let interpreter = Interpreter::new(self.program, threads).unwrap();
            for seed in 0..12 {
                let run = random(self.program, threads, seed, 60).unwrap().run;
                let states = replay(self.program, &run).unwrap().states;
                let seen: Vec<Seen> = states.iter().map(|state| self.seen(&interpreter, state)).collect();
                for ((choice, pair), number) in run.steps.iter().zip(seen.windows(2)).zip(1..) {
                    if !self.has_step(choice.edge, choice.thread, &pair[0], &pair[1]) {
                        return Err(format!("step {number} of run {seed} of {threads} threads is missing"));
                    }
                }
            }
        }
        Ok(())
    }

    fn seen(&self, interpreter: &Interpreter<'_>, state: &State) -> Seen {
        let threads = interpreter.threads();
        let location = |thread| interpreter.location(state, thread);
        let counted = |name: Symbol| {
            let count = self.certificate.counts.iter().find(|count| count.name == name.as_str())?;
            let there = (0..threads).filter(|thread| count.locations.contains(&location(*thread))).count();
            Some(Value::bits(COUNT_WIDTH, there as u128))
        };
        let names: BTreeMap<Symbol, (VariableId, bool)> = (0..self.program.variables.len() as u32)
            .map(VariableId)
            .flat_map(|id| {
                let name = self.program.variable(id).name;
                [(name, (id, false)), (passive(name), (id, true))]
            })
            .collect();
        let holds = |predicate: &Predicate, own: usize, other: usize| {
            let value = |name: Symbol, _| match names.get(&name) {
                Some(&(id, is_passive)) => {
                    Some(interpreter.value(state, if is_passive { other } else { own }, id))
                }
                None => counted(name),
            };
            eval(predicate.term, &value).unwrap() == Value::Bool(true)
        };
        let about_others = |predicate: &Predicate| {
            let constants = predicate.term.constants();
            constants
                .iter()
                .filter_map(|constant| names.get(&constant.as_constant()?))
                .any(|(id, is_passive)| *is_passive && self.program.variable(*id).scope == Scope::Local)
        };
        let bit = |holds: bool, place: usize| Bits::from(holds) << place;
        let shared = self.certificate.shared_predicates.iter().enumerate();
        let shared = shared.map(|(place, predicate)| bit(holds(predicate, 0, 0), place)).sum();
        let thread = |own: usize| {
            let bits = self.certificate.thread_predicates.iter().enumerate().map(|(place, predicate)| {
                let mut others =
                    (0..threads).filter(|&other| other != own && predicate.about.contains(&location(other)));
                let is_true = predicate.scope.contains(&location(own))
                    && if about_others(predicate) {
                        others.all(|other| holds(predicate, own, other))
                    } else {
                        holds(predicate, own, own)
                    };
                bit(is_true, place)
            });
            (location(own).0, bits.sum())
        };
        (shared, (0..threads).map(thread).collect())
    }

    fn has_step(&self, edge: EdgeId, active: usize, before: &Seen, after: &Seen) -> bool {
        let certificate = self.certificate;
        let locals = |seen: (u32, Bits)| {
            let all = certificate.locals.iter().enumerate();
            all.filter(move |(_, local)| (local.location.0, local.bits) == seen)
                .map(|(number, _)| number as u32)
        };
        let is_shared = |number: u32, bits: Bits| certificate.shared.get(number as usize) == Some(&bits);
        let transitions = certificate.problem.system.transitions.iter().zip(&certificate.edges);
        let mut steps = transitions.filter(|(_, of)| **of == Some(edge));
        steps.any(|(step, _)| {
            let one = |threads: &breach::system::Multiset, seen| {
                locals(seen).any(|local| threads.pairs() == [(local, 1)])
            };
            let moves = is_shared(step.from, before.0)
                && one(&step.consume, before.1[active])
                && one(&step.produce, after.1[active]);
            if step.to == certificate.error {
                return moves;
            }
            let follow = before.1.iter().zip(&after.1).enumerate().filter(|(thread, _)| *thread != active);
            let mut follow = follow.map(|(_, ends)| ends);
            moves
                && is_shared(step.to, after.0)
                && follow.all(|(from, to)| {
                    locals(*from).any(|from| match step.transfer(from) {
                        None => locals(*to).any(|to| to == from),
                        Some(rule) => locals(*to).any(|to| rule.to.contains(&to)),
                    })
                })
        })
    }
}

/// What the file does not say counts all the same: that the program does less than its source, and that only so many threads are alive.
#[test]
fn silence_about_assumptions_is_no_proof() {
    let program = read_program(READERS).unwrap();
    let mut document = proof(&program);
    let Certificate::Abstraction(abstraction) = &mut document.certificate else { panic!("another kind") };
    abstraction.bound = Some(1 << 20);
    let accepted = check::check(&document, &program, None, &Config::default()).unwrap();
    assert_eq!(accepted.bound, Some(1 << 20));
    let less =
        read_program(&READERS.replace("program 1\n", "program 1\nnote 0 under \"half of it\"\n")).unwrap();
    let silent = Document::new(&less, Vec::new(), Vec::new(), document.certificate);
    let rejected = is_accepted(&silent, &less, &SolverChoice::default()).unwrap_err();
    assert!(rejected.contains("half of it"), "{rejected}");
}
