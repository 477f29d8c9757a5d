//! Abstract steps by trying all values: equations (12), (24), (25) and (34) of the thesis, word by word.
//!
//! No solver, no witnesses, nothing of `monabs::abstraction`. Variables are so small that all valuations are listed; predicates are
//! evaluated once for all of them. A step has an active thread, perhaps a passive one that is looked at, and any set of other
//! threads, of which each makes some bits false. With `n` threads such a set has at most `n - 2` members (`n - 1` if no passive
//! one is looked at); without a number it is any finite set.

use frontend::program::{
    DataType, Edge, EdgeId, Input, LocationId, Program, Scope, Target, Variable, VariableId, passive,
};
use smt::{Symbol, Term, Value, eval};
use std::collections::{BTreeMap, BTreeSet};

/// Values of predicates, one bit each; zero where they are out of scope.
pub type Bits = u128;

/// A step of an active thread as a passive one sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// The shared bits, those of the active and those of the passive thread before the step.
    pub before: [Bits; 3],
    /// And after it.
    pub after: [Bits; 3],
}

/// Values by name.
type Valuation = BTreeMap<Symbol, Value>;

/// A program with predicates over all values of its variables.
pub struct Brute<'a> {
    program: &'a Program,
    shared_predicates: Vec<Term>,
    thread_predicates: Vec<Term>,
    shared: Vec<Valuation>,
    local: Vec<Valuation>,
    /// By shared valuation: the shared bits.
    shared_bits: Vec<Bits>,
    /// By shared and own valuation: the bits of a thread that is alone.
    own_bits: Vec<Bits>,
    /// By shared, own and another thread's valuation: the bits that the other thread makes false.
    falsified: Vec<Bits>,
    /// By location: bits that a thread there has, and bits that speak of a thread there.
    scope: Vec<Bits>,
    concerns: Vec<Bits>,
    reachable: Vec<bool>,
}

/// What one way to take an edge does: valuations by number.
struct Taken {
    shared: (usize, usize),
    active: (usize, usize),
    /// For each valuation of another thread: what it can become.
    others: Vec<BTreeSet<usize>>,
}

/// Bits that a thread makes false: of the active and the passive one, before and after.
type Mask = [Bits; 4];

impl<'a> Brute<'a> {
    /// Evaluates everything; nothing if there are more than so many combinations.
    pub fn new(
        program: &'a Program,
        shared_predicates: Vec<Term>,
        thread_predicates: Vec<Term>,
        limit: usize,
    ) -> Option<Brute<'a>> {
        let of = |scope| program.variables.iter().filter(move |variable| variable.scope == scope);
        let shared = valuations(of(Scope::Shared).map(|v| (v.name, v.data_type.clone())), limit)?;
        let local = valuations(of(Scope::Local).map(|v| (v.name, v.data_type.clone())), limit)?;
        if shared.len() * local.len() * local.len() > limit {
            return None;
        }
        let scope = program.locations.iter().enumerate();
        let (scope, concerns) =
            scope.map(|(index, _)| scopes(program, &thread_predicates, LocationId(index as u32))).unzip();
        let mut brute = Brute {
            program,
            shared_predicates,
            thread_predicates,
            shared,
            local,
            shared_bits: Vec::new(),
            own_bits: Vec::new(),
            falsified: Vec::new(),
            scope,
            concerns,
            reachable: reachable(program),
        };
        brute.evaluate();
        Some(brute)
    }

    fn evaluate(&mut self) {
        for shared in &self.shared {
            self.shared_bits.push(mask(&self.shared_predicates, |_, term| holds(term, &[shared])));
            for own in &self.local {
                let alone =
                    |term: Term| term.constants().iter().all(|constant| !is_passive(self.program, *constant));
                self.own_bits.push(mask(&self.thread_predicates, |_, term| {
                    !alone(term) || holds(term, &[shared, own])
                }));
                for other in &self.local {
                    let other = renamed(other);
                    self.falsified.push(mask(&self.thread_predicates, |_, term| {
                        !alone(term) && !holds(term, &[shared, own, &other])
                    }));
                }
            }
        }
    }

    fn own(&self, shared: usize, own: usize) -> Bits {
        self.own_bits[shared * self.local.len() + own]
    }

    fn falsified(&self, shared: usize, own: usize, other: usize) -> Bits {
        self.falsified[(shared * self.local.len() + own) * self.local.len() + other]
    }

    /// A number that is the same for locations in which passive threads have the same bits.
    pub fn kind(&self, location: LocationId) -> (Bits, Bits) {
        (self.scope[location.index()], self.concerns[location.index()])
    }

    /// Shared and active bits before and after all steps along an edge.
    pub fn active(&self, edge: EdgeId, threads: Option<usize>) -> BTreeSet<([Bits; 2], [Bits; 2])> {
        let edge = self.program.edge(edge);
        let (from, to) = (edge.from.index(), edge.to.index());
        let mut steps = BTreeSet::new();
        for taken in self.ways(edge) {
            let before = self.own(taken.shared.0, taken.active.0);
            let after = self.own(taken.shared.1, taken.active.1);
            let masks = self.masks(&taken, taken.active);
            for [active, _, active_after, _] in unions(&masks, threads.map(|n| n - 1)) {
                steps.insert((
                    [self.shared_bits[taken.shared.0], before & !active & self.scope[from]],
                    [self.shared_bits[taken.shared.1], after & !active_after & self.scope[to]],
                ));
            }
        }
        steps
    }

    /// All steps along an edge as a passive thread in the location sees them.
    pub fn passive(&self, edge: EdgeId, location: LocationId, threads: Option<usize>) -> BTreeSet<Step> {
        let edge = self.program.edge(edge);
        let (from, to, at) = (edge.from.index(), edge.to.index(), location.index());
        let mut steps = BTreeSet::new();
        for taken in self.ways(edge) {
            for (passive, becomes) in taken.others.iter().enumerate() {
                for &passive_after in becomes {
                    // What the active and the passive thread make false for each other.
                    let first = [
                        self.falsified(taken.shared.0, taken.active.0, passive) & self.concerns[at],
                        self.falsified(taken.shared.0, passive, taken.active.0) & self.concerns[from],
                        self.falsified(taken.shared.1, taken.active.1, passive_after) & self.concerns[at],
                        self.falsified(taken.shared.1, passive_after, taken.active.1) & self.concerns[to],
                    ];
                    let own = [
                        self.own(taken.shared.0, taken.active.0) & self.scope[from],
                        self.own(taken.shared.0, passive) & self.scope[at],
                        self.own(taken.shared.1, taken.active.1) & self.scope[to],
                        self.own(taken.shared.1, passive_after) & self.scope[at],
                    ];
                    let masks = self.masks(&taken, (passive, passive_after));
                    for union in unions(&masks, threads.map(|n| n - 2)) {
                        let bits = |index: usize| own[index] & !first[index] & !union[index];
                        steps.insert(Step {
                            before: [self.shared_bits[taken.shared.0], bits(0), bits(1)],
                            after: [self.shared_bits[taken.shared.1], bits(2), bits(3)],
                        });
                    }
                }
            }
        }
        steps
    }

    /// Shared, main and pool bits at the start; the last are zero without a pool.
    pub fn initial(&self, threads: Option<usize>) -> BTreeSet<[Bits; 3]> {
        let main = self.program.main.index();
        let starts = |valuation: &Valuation| {
            self.program.variables.iter().all(|variable| {
                match (&variable.init, valuation.get(&variable.name)) {
                    (Some(init), Some(value)) => init == value,
                    _ => true,
                }
            })
        };
        let numbers = |list: &[Valuation]| -> Vec<usize> {
            (0..list.len()).filter(|&index| starts(&list[index])).collect()
        };
        let locals = numbers(&self.local);
        let mut states = BTreeSet::new();
        for shared in numbers(&self.shared) {
            for &active in &locals {
                let own = self.own(shared, active) & self.scope[main];
                let Some(pool) = self.program.pool.map(LocationId::index) else {
                    states.insert([self.shared_bits[shared], own, 0]);
                    continue;
                };
                for &passive in &locals {
                    let masks: BTreeSet<Mask> = locals
                        .iter()
                        .map(|&other| {
                            let of = |who| self.falsified(shared, who, other) & self.concerns[pool];
                            [of(active), of(passive), 0, 0]
                        })
                        .collect();
                    let first = self.falsified(shared, active, passive) & self.concerns[pool];
                    let second = self.falsified(shared, passive, active) & self.concerns[main];
                    let thread = self.own(shared, passive) & self.scope[pool];
                    for union in unions(&masks, threads.map(|n| n - 2)) {
                        states.insert([
                            self.shared_bits[shared],
                            own & !first & !union[0],
                            thread & !second & !union[1],
                        ]);
                    }
                }
            }
        }
        states
    }

    /// What other threads, in any location, make false for the active thread and for one with these valuations before and after.
    fn masks(&self, taken: &Taken, passive: (usize, usize)) -> BTreeSet<Mask> {
        let mut masks = BTreeSet::new();
        if self.program.pool.is_none() {
            return masks;
        }
        let places = (0..self.program.locations.len()).filter(|&location| self.reachable[location]);
        let concerns: BTreeSet<Bits> = places.map(|location| self.concerns[location]).collect();
        for (other, becomes) in taken.others.iter().enumerate() {
            for &after in becomes {
                let all = [
                    self.falsified(taken.shared.0, taken.active.0, other),
                    self.falsified(taken.shared.0, passive.0, other),
                    self.falsified(taken.shared.1, taken.active.1, after),
                    self.falsified(taken.shared.1, passive.1, after),
                ];
                masks.extend(concerns.iter().map(|concerns| all.map(|bits| bits & concerns)));
            }
        }
        masks
    }

    /// All ways to take an edge.
    fn ways(&self, edge: &Edge) -> Vec<Taken> {
        let mut ways = Vec::new();
        let inputs = inputs(&edge.inputs);
        let broadcast_inputs = self::inputs(&edge.broadcast.inputs);
        for (shared_number, shared) in self.shared.iter().enumerate() {
            for (active_number, active) in self.local.iter().enumerate() {
                for input in &inputs {
                    if !holds(edge.guard, &[shared, active, input]) {
                        continue;
                    }
                    let values = [shared, active, input];
                    let (mut shared_after, mut active_after) = (shared.clone(), active.clone());
                    self.assign(&edge.assign, &values, &mut [&mut shared_after, &mut active_after]);
                    let others = self.local.iter().map(|other| {
                        let own = renamed(other);
                        let becomes = broadcast_inputs.iter().map(|choice| {
                            let values = [shared, active, input, &own, choice];
                            let mut after = other.clone();
                            self.assign(&edge.broadcast.assign, &values, &mut [&mut after]);
                            number(&self.local, &after)
                        });
                        becomes.collect()
                    });
                    ways.push(Taken {
                        shared: (shared_number, number(&self.shared, &shared_after)),
                        active: (active_number, number(&self.local, &active_after)),
                        others: others.collect(),
                    });
                }
            }
        }
        ways
    }

    fn assign(&self, list: &[(VariableId, Term)], values: &[&Valuation], to: &mut [&mut Valuation]) {
        for (variable, term) in list {
            let name = self.program.variable(*variable).name;
            for valuation in to.iter_mut() {
                if let Some(slot) = valuation.get_mut(&name) {
                    *slot = value(*term, values);
                }
            }
        }
    }
}

/// All unions of so many of the masks.
fn unions(masks: &BTreeSet<Mask>, members: Option<usize>) -> BTreeSet<Mask> {
    let mut all = BTreeSet::from([[0; 4]]);
    let mut rounds = 0;
    while members.is_none_or(|members| rounds < members) {
        let join = |one: &Mask, two: &Mask| std::array::from_fn(|index| one[index] | two[index]);
        let new: Vec<Mask> = all.iter().flat_map(|one| masks.iter().map(move |two| join(one, two))).collect();
        let before = all.len();
        all.extend(new);
        if all.len() == before {
            break;
        }
        rounds += 1;
    }
    all
}

/// Bits that a thread in the location has, and bits that speak of a thread there.
fn scopes(program: &Program, predicates: &[Term], location: LocationId) -> (Bits, Bits) {
    let is_error = program.properties.iter().any(|property| property.target == Target::Location(location));
    if is_error {
        return (0, 0);
    }
    let live = &program.location(location).live;
    let counts = |term: Term, name: fn(&Variable) -> Term| {
        let constants = term.constants();
        program.variables.iter().enumerate().all(|(index, variable)| {
            variable.scope == Scope::Shared
                || !constants.contains(&name(variable))
                || live.contains(&VariableId(index as u32))
        })
    };
    let scope = mask(predicates, |_, term| counts(term, Variable::term));
    let concerns = mask(predicates, |_, term| {
        term.constants().iter().any(|constant| is_passive(program, *constant))
            && counts(term, Variable::passive_term)
    });
    (scope, concerns)
}

fn is_passive(program: &Program, constant: Term) -> bool {
    program.variables.iter().any(|v| v.scope == Scope::Local && v.passive_term() == constant)
}

/// Locations that control can reach.
fn reachable(program: &Program) -> Vec<bool> {
    let mut reachable = vec![false; program.locations.len()];
    let mut open: Vec<LocationId> = program.pool.into_iter().chain([program.main]).collect();
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut reachable[location.index()], true) {
            let steps = program.edges.iter().filter(|edge| edge.from == location);
            open.extend(steps.map(|edge| edge.to));
        }
    }
    reachable
}

fn mask(predicates: &[Term], mut is_set: impl FnMut(usize, Term) -> bool) -> Bits {
    let bit = |(index, term): (usize, &Term)| Bits::from(is_set(index, *term)) << index;
    predicates.iter().enumerate().map(bit).sum()
}

/// All valuations; nothing if there are too many, or values that cannot be listed.
fn valuations(variables: impl Iterator<Item = (Symbol, DataType)>, limit: usize) -> Option<Vec<Valuation>> {
    let mut all = vec![Valuation::new()];
    for (name, data_type) in variables {
        let values: Vec<Value> = match data_type {
            DataType::Bool => vec![Value::Bool(false), Value::Bool(true)],
            DataType::Int { width, .. } if width <= 8 => {
                (0..1u128 << width).map(|value| Value::bits(width, value)).collect()
            }
            _ => return None,
        };
        if all.len() * values.len() > limit {
            return None;
        }
        let with = |valuation: &Valuation, value: &Value| {
            let mut valuation = valuation.clone();
            valuation.insert(name, value.clone());
            valuation
        };
        all = all.iter().flat_map(|old| values.iter().map(move |value| with(old, value))).collect();
    }
    Some(all)
}

fn inputs(inputs: &[Input]) -> Vec<Valuation> {
    let data_type = |input: &Input| match input.sort.width() {
        Some(width) => DataType::Int { width, signed: false },
        None => DataType::Bool,
    };
    let list = inputs.iter().map(|input| (input.name, data_type(input)));
    valuations(list, usize::MAX).unwrap_or_default()
}

/// A thread's valuation with the names of passive copies.
fn renamed(valuation: &Valuation) -> Valuation {
    valuation.iter().map(|(name, value)| (passive(*name), value.clone())).collect()
}

/// The number of a valuation in the list of all.
fn number(all: &[Valuation], wanted: &Valuation) -> usize {
    all.iter().position(|one| one == wanted).unwrap_or_default()
}

fn value(term: Term, values: &[&Valuation]) -> Value {
    let find = |name: Symbol, _: smt::Sort| values.iter().find_map(|valuation| valuation.get(&name).cloned());
    eval(term, &find).unwrap_or_else(|_| Value::zero(term.sort()))
}

fn holds(term: Term, values: &[&Valuation]) -> bool {
    value(term, values).as_bool().unwrap_or(false)
}
