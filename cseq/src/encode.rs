//! All schedules of K rounds as one formula. O. Inverso's thesis, chapter 4: lazy sequentialization, without C in between.
//!
//! In each round each thread has one turn, in the order of creation; after the last round the initial thread has one more, since that is where joins and what comes after them
//! stand (the thesis' tool does so, too: its table 4.1 has violations behind joins in one round). A turn goes through the thread's nodes in topological order. The thread is *here* at a node if it was there when
//! the turn began, or has taken a step to it in this turn; it may stop at any visible node, and *takes* a step otherwise. Only one way
//! through the graph is taken, so the variables need no values for each node: a step that is taken changes them, one after the other.
//! All states in the formula are reachable; nothing is guessed and checked later, so an error that is reached is one, whatever comes after it.
//!
//! Nodes where others can neither see nor hinder what is done are passed at once, if there is a way on; a thread that has none stays there for ever.
//!
//! *Each interleaving once.* Turns may be empty, so that one interleaving fits the rounds in many ways: eleven steps fit eleven turns in 352,716 ways. Only the one in which everything is as early as it
//! can be is kept: where a thread does something in a turn, another thread has done something since its turn before. No run is lost: if nobody has, the same steps can be taken in the turn before, where the
//! thread finds the same values and, as it has done nothing in between, is at the same place; steps move to the front only, so this comes to an end. (Steps from nodes that are passed at once do not
//! count as doing something: they are taken in the first turn that there is, in all of these runs.)

use engine::unwind::{Node, Start, Step, Unwinding, at_start, chosen};
use frontend::program::{EdgeId, Input, Program, PropertyKind, Scope, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::{Sort, Substitution, Symbol, Term};

use crate::narrow::{self, Narrow};
use crate::schedule::Schedule;

/// What a step of the program is in a model.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) thread: usize,
    pub(crate) edge: EdgeId,
    pub(crate) taken: Term,
    pub(crate) inputs: Vec<Term>,
    /// By thread.
    pub(crate) passive_inputs: Vec<Vec<Term>>,
}

/// A formula about all schedules of some rounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formula {
    /// What holds in all of them.
    pub(crate) constraints: Vec<Term>,
    /// All steps that can be taken, in their order.
    pub(crate) steps: Vec<Taken>,
    /// Properties that are violated: number and when.
    pub(crate) errors: Vec<(usize, Term)>,
    /// When the end of what is modelled is reached: limits of the program.
    pub(crate) limits: Vec<Term>,
    /// When the end of what is unrolled is reached.
    pub(crate) beyond: Vec<Term>,
    /// Steps that reality may not have.
    pub(crate) approximate: Vec<Term>,
    /// Values at the start that are open: whose, and the term.
    pub(crate) open: Vec<(VariableId, Option<usize>, Term)>,
}

/// The formula for so many rounds.
pub(crate) fn encode(
    program: &Program,
    unwinding: &Unwinding,
    rounds: usize,
    schedule: &Schedule,
) -> Formula {
    let (unwinding, narrow) = narrow::run(program, unwinding);
    let mut encoder = Encoder::new(program, &unwinding, schedule, narrow);
    for round in 0..rounds {
        let turns = (0..unwinding.threads.len()).filter(|thread| schedule.has_turn(round, *thread));
        for thread in turns {
            encoder.turn(round, thread);
        }
    }
    if schedule.rounds.is_none() {
        encoder.turn(rounds, 0);
    }
    encoder.formula
}

struct Encoder<'a> {
    program: &'a Program,
    unwinding: &'a Unwinding,
    schedule: &'a Schedule,
    narrow: Narrow,
    /// Variables by name, and by the name of the passive copy.
    names: FxHashMap<Symbol, VariableId>,
    passive: FxHashMap<Symbol, VariableId>,
    shared: FxHashMap<VariableId, Term>,
    /// Locals by thread; shared variables that only the initial thread touches are with its locals.
    locals: Vec<FxHashMap<VariableId, Term>>,
    /// By thread and node: where the thread is between turns.
    at: Vec<Vec<Term>>,
    /// By location: properties that are violated there.
    errors: Vec<Vec<usize>>,
    /// The turns so far: whose, and when something is done in them.
    turns: Vec<(usize, Term)>,
    formula: Formula,
}

/// One step of one turn.
struct Turn {
    round: usize,
    thread: usize,
    node: usize,
    step: usize,
}

impl<'a> Encoder<'a> {
    fn new(
        program: &'a Program,
        unwinding: &'a Unwinding,
        schedule: &'a Schedule,
        narrow: Narrow,
    ) -> Encoder<'a> {
        let names = engine::threads::names(program);
        let passive = program.variables.iter().enumerate();
        let passive = passive
            .map(|(index, variable)| (frontend::program::passive(variable.name), VariableId(index as u32)));
        let mut errors = vec![Vec::new(); program.locations.len()];
        for (number, property) in program.properties.iter().enumerate() {
            if let Target::Location(location) = property.target {
                errors[location.index()].push(number);
            }
        }
        let starts = |thread: usize| thread == 0 || !unwinding.fused;
        let at = unwinding.threads.iter().enumerate().map(|(number, thread)| {
            let mut at = vec![Term::fls(); thread.nodes.len()];
            at[0] = Term::bool(starts(number));
            at
        });
        let mut encoder = Encoder {
            program,
            unwinding,
            schedule,
            narrow,
            names,
            passive: passive.collect(),
            shared: FxHashMap::default(),
            locals: vec![FxHashMap::default(); unwinding.threads.len()],
            at: at.collect(),
            errors,
            turns: Vec::new(),
            formula: Formula::default(),
        };
        encoder.start();
        encoder
    }

    /// The values at the start.
    fn start(&mut self) {
        for (index, variable) in self.program.variables.iter().enumerate() {
            let id = VariableId(index as u32);
            let is_open = variable.init.is_none();
            if variable.scope == Scope::Shared {
                let value = at_start(self.program, id, None);
                if is_open {
                    self.formula.open.push((id, None, value));
                }
                match self.unwinding.owned.contains(&id) {
                    true => self.locals[0].insert(id, value),
                    false => self.shared.insert(id, value),
                };
                continue;
            }
            for thread in 0..self.locals.len() {
                let value = at_start(self.program, id, Some(thread));
                if is_open {
                    self.formula.open.push((id, Some(thread), value));
                }
                self.locals[thread].insert(id, value);
            }
        }
    }

    /// A thread's turn.
    fn turn(&mut self, round: usize, thread: usize) {
        let nodes: &'a [Node] = &self.unwinding.threads[thread].nodes;
        let mut here: Vec<Vec<Term>> = self.at[thread].iter().map(|at| vec![*at]).collect();
        let mut done = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            let ways = std::mem::take(&mut here[number]);
            let is_here = Term::or_all(ways);
            if is_here.is_false() {
                self.at[thread][number] = is_here;
                continue;
            }
            let is_here = self.define(|| format!("here.{round}.{thread}.{number}"), is_here);
            for &property in &self.errors[node.location.index()] {
                match self.program.properties[property].kind {
                    PropertyKind::Limit => self.formula.limits.push(is_here),
                    _ => self.formula.errors.push((property, is_here)),
                }
            }
            if node.steps.is_empty() {
                self.at[thread][number] = is_here;
                continue;
            }
            let place = (round, thread, number);
            let (goes, guards) = self.choose(place, node, is_here);
            self.at[thread][number] = is_here.and(goes.not());
            let mut some = Vec::new();
            for (index, (step, guard)) in node.steps.iter().zip(guards).enumerate() {
                let taken = goes.and(guard);
                if taken.is_false() {
                    continue;
                }
                let taken = self.define(|| format!("take.{round}.{thread}.{number}.{index}"), taken);
                some.push(taken);
                if node.visible {
                    done.push(taken);
                }
                match step.to {
                    Some(to) => here[to].push(taken),
                    None => self.formula.beyond.push(taken),
                }
                self.take(&Turn { round, thread, node: number, step: index }, step, taken);
            }
            let progress = goes.implies(Term::or_all(some));
            if !progress.is_true() {
                self.formula.constraints.push(progress);
            }
        }
        self.races(thread);
        self.once(round, thread, done);
    }

    /// Leaves out what could have been done in the thread's turn before.
    fn once(&mut self, round: usize, thread: usize, done: Vec<Term>) {
        let done = self.define(|| format!("done.{round}.{thread}"), Term::or_all(done));
        let since = self.turns.iter().rev().take_while(|(other, _)| *other != thread);
        let since: Vec<Term> = since.map(|(_, done)| *done).collect();
        if since.len() < self.turns.len() {
            let reason = done.implies(Term::or_all(since));
            if !reason.is_true() {
                self.formula.constraints.push(reason);
            }
        }
        self.turns.push((thread, done));
    }

    /// Whether the thread goes on at a node, and when each step is the one that it takes then.
    fn choose(
        &mut self,
        (round, thread, number): (usize, usize, usize),
        node: &Node,
        here: Term,
    ) -> (Term, Vec<Term>) {
        let fresh = |what: &str| {
            Term::constant(Symbol::new(&format!("{what}.{round}.{thread}.{number}")), Sort::Bool)
        };
        let guards =
            node.steps.iter().map(|step| self.substitution(thread, &[step.guard], &[]).apply(step.guard));
        let mut guards: Vec<Term> = guards.collect();
        let goes = match node.visible && self.schedule.may_switch(self.program, node.location) {
            true => here.and(fresh("stop").not()),
            false => here.and(Term::or_all(guards.iter().copied())),
        };
        let pairs = guards
            .iter()
            .enumerate()
            .flat_map(|(index, one)| guards[index + 1..].iter().map(move |other| one.and(*other)));
        if !pairs.into_iter().all(Term::is_false) {
            let mut none_before = Term::tru();
            let last = guards.len() - 1;
            for (index, guard) in guards.iter_mut().enumerate() {
                let choice = if index == last { Term::tru() } else { fresh(&format!("choice.{index}")) };
                *guard = guard.and(none_before).and(choice);
                none_before = none_before.and(choice.not());
            }
        }
        (goes, guards)
    }

    /// What a step does if it is taken.
    fn take(&mut self, turn: &Turn, step: &Step, taken: Term) {
        let thread = turn.thread;
        let terms: Vec<Term> = step.assign.iter().map(|(_, term)| *term).collect();
        let mut substitution = self.substitution(thread, &terms, &[]);
        let new: Vec<(VariableId, Term)> =
            step.assign.iter().map(|(variable, term)| (*variable, substitution.apply(*term))).collect();
        let (passive, passive_inputs) = self.broadcast(turn, step);
        for (variable, value) in new {
            self.assign(thread, variable, taken, value);
        }
        for (other, variable, value) in passive {
            self.assign(other, variable, taken, value);
        }
        if step.approximate.is_some() {
            self.formula.approximate.push(taken);
        }
        let inputs = self.program.edge(step.edge).inputs.iter();
        let inputs = inputs.map(|input| {
            let choice = chosen(input, (thread, turn.node, turn.step));
            self.narrow.get(&choice).copied().unwrap_or(choice)
        });
        let inputs = inputs.collect();
        self.formula.steps.push(Taken { thread, edge: step.edge, taken, inputs, passive_inputs });
        // A thread may have several first steps, and any of them may be the one that empties the mailbox.
        for (index, start) in step.starts.iter().enumerate() {
            let name = format!("first.{}.{}.{}.{}.{index}", turn.round, thread, turn.node, turn.step);
            let is_last = index + 1 == step.starts.len();
            let chosen = if is_last { Term::tru() } else { Term::constant(Symbol::new(&name), Sort::Bool) };
            self.begin(turn, index, start, taken.and(chosen));
        }
    }

    /// What a step does to passive threads, and the values that these choose.
    #[expect(clippy::type_complexity, reason = "two lists, named where they are used")]
    fn broadcast(&self, turn: &Turn, step: &Step) -> (Vec<(usize, VariableId, Term)>, Vec<Vec<Term>>) {
        let edge = self.program.edge(step.edge);
        let (mut assigned, mut chosen) = (Vec::new(), Vec::new());
        if edge.broadcast.is_empty() {
            return (assigned, chosen);
        }
        for other in 0..self.locals.len() {
            if other == turn.thread {
                chosen.push(Vec::new());
                continue;
            }
            let suffix = format!("{}.{}.{}.{}.{other}", turn.round, turn.thread, turn.node, turn.step);
            let own = inputs_of(&edge.broadcast.inputs, &suffix);
            let terms: Vec<Term> = step.broadcast.iter().map(|(_, term)| *term).collect();
            let mut map = self.values(turn.thread, &terms);
            for constant in smt::traverse::constants(terms) {
                let variable = constant.as_constant().and_then(|name| self.passive.get(&name));
                if let Some(value) = variable.and_then(|variable| self.locals[other].get(variable)) {
                    map.insert(constant, *value);
                }
            }
            map.extend(own.iter().copied());
            let mut substitution = Substitution::new(map);
            let values = step.broadcast.iter();
            assigned.extend(values.map(|(variable, term)| (other, *variable, substitution.apply(*term))));
            chosen.push(own.into_iter().map(|(_, value)| value).collect());
        }
        if edge.broadcast.inputs.is_empty() {
            chosen.clear();
        }
        (assigned, chosen)
    }

    /// A thread starts, right after its creator's step.
    fn begin(&mut self, turn: &Turn, index: usize, start: &Start, taken: Term) {
        let Some(thread) = start.thread else {
            self.formula.beyond.push(taken);
            return;
        };
        let edge = self.program.edge(start.edge);
        let suffix = format!("{}.{}.{}.{}.start.{index}", turn.round, turn.thread, turn.node, turn.step);
        let inputs = inputs_of(&edge.inputs, &suffix);
        let terms: Vec<Term> = start.assign.iter().map(|(_, term)| *term).chain([edge.guard]).collect();
        let mut substitution = self.substitution(thread, &terms, &inputs);
        let begins = taken.and(substitution.apply(edge.guard));
        if begins.is_false() {
            return;
        }
        let begins = self.define(|| format!("begin.{suffix}"), begins);
        let new: Vec<(VariableId, Term)> =
            start.assign.iter().map(|(variable, term)| (*variable, substitution.apply(*term))).collect();
        for (variable, value) in new {
            self.assign(thread, variable, begins, value);
        }
        self.at[thread][0] = self.at[thread][0].or(begins);
        if edge.approximate.is_some() {
            self.formula.approximate.push(begins);
        }
        let inputs = inputs.into_iter().map(|(_, value)| value).collect();
        self.formula.steps.push(Taken {
            thread,
            edge: start.edge,
            taken: begins,
            inputs,
            passive_inputs: Vec::new(),
        });
    }

    /// Races of a thread with others, now that its turn is over.
    fn races(&mut self, thread: usize) {
        let threads = &self.unwinding.threads;
        for (number, node) in threads[thread].nodes.iter().enumerate() {
            let here = self.at[thread][number];
            for (property, is_second, index) in node.accesses.iter().filter(|_| !here.is_false()) {
                for (other, nodes) in threads.iter().enumerate().filter(|(other, _)| *other != thread) {
                    for (there, node) in nodes.nodes.iter().enumerate() {
                        let both = here.and(self.at[other][there]);
                        let accesses = node.accesses.iter().filter(|access| access.0 == *property);
                        for (_, _, second) in accesses.filter(|access| access.1 != *is_second) {
                            let same = match (index, second) {
                                (Some(one), Some(two)) => {
                                    let one = self.substitution(thread, &[*one], &[]).apply(*one);
                                    one.equals(self.substitution(other, &[*two], &[]).apply(*two))
                                }
                                _ => Term::tru(),
                            };
                            let race = both.and(same);
                            if !race.is_false() {
                                self.formula.errors.push((*property, race));
                            }
                        }
                    }
                }
            }
        }
    }

    /// A variable has a new value if a step is taken.
    fn assign(&mut self, thread: usize, variable: VariableId, taken: Term, value: Term) {
        let is_local =
            self.program.variable(variable).scope == Scope::Local || self.unwinding.owned.contains(&variable);
        let values = if is_local { &mut self.locals[thread] } else { &mut self.shared };
        if let Some(old) = values.get_mut(&variable) {
            *old = taken.ite(value, *old);
        }
    }

    /// The values of the variables of some terms as a thread sees them.
    fn values(&self, thread: usize, terms: &[Term]) -> FxHashMap<Term, Term> {
        let constants = smt::traverse::constants(terms.iter().copied()).into_iter();
        let known = constants.filter_map(|constant| {
            let variable = self.names.get(&constant.as_constant()?)?;
            let value = self.locals[thread].get(variable).or_else(|| self.shared.get(variable))?;
            Some((constant, *value))
        });
        known.collect()
    }

    fn substitution(&self, thread: usize, terms: &[Term], inputs: &[(Term, Term)]) -> Substitution {
        let mut map = self.values(thread, terms);
        map.extend(inputs.iter().copied());
        Substitution::new(map)
    }

    /// A name for a formula, so that what is built on it stays small.
    fn define(&mut self, name: impl FnOnce() -> String, term: Term) -> Term {
        if term.args().is_empty() || (term.args().len() == 1 && term.args()[0].args().is_empty()) {
            return term;
        }
        let constant = Term::constant(Symbol::new(&name()), Sort::Bool);
        self.formula.constraints.push(constant.equals(term));
        constant
    }
}

fn inputs_of(inputs: &[Input], suffix: &str) -> Vec<(Term, Term)> {
    let values = inputs.iter().map(|input| {
        let name = Symbol::new(&format!("{}@{suffix}", input.name));
        (input.term(), Term::constant(name, input.sort))
    });
    values.collect()
}
