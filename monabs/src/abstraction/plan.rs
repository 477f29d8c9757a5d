//! Which bits a step can change, and which bits that depends on.
//!
//! A bit can change if the step writes a variable of its predicate, if the predicate comes into scope, or, for inter-thread ones, if the
//! step changes for whom it counts. What it becomes depends on the bits before the step whose predicates are connected, by
//! common variables, to the guard, to the values that are written, and to the changed predicates. All other bits stay.

use super::instance::{Bit, Role, Subject, Time};
use super::table::{Context, Key};
use super::{Abstractor, Bits, Source};
use crate::limits::Stop;
use crate::predicate::{Class, Predicate, PredicateId};
use frontend::program::{Edge, LocationId, VariableId};
use std::collections::BTreeSet;

/// States that a question can depend on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// The shared state before the step.
    pub shared: Bits,
    /// The active thread's bits before.
    pub active: Bits,
    /// The passive thread's bits before.
    pub passive: Bits,
    /// The shared state after.
    pub shared_after: Bits,
    /// The active thread's bits after.
    pub active_after: Bits,
}

/// How one kind of question is asked for one set of predicates.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The table of answers.
    pub(super) table: usize,
    /// Given bits: which state, which position.
    given: Vec<(Whose, usize)>,
    /// Asked bits of the shared state and of the thread: positions.
    asked_shared: Vec<usize>,
    asked_thread: Vec<usize>,
    /// Bits that stay as they are.
    keep_shared: Bits,
    keep_thread: Bits,
}

#[derive(Clone, Copy, Debug)]
enum Whose {
    Shared,
    Active,
    Passive,
    SharedAfter,
    ActiveAfter,
}

impl Plan {
    pub(super) fn context(&self, known: &Known) -> Context {
        let mut context = Context::default();
        for (number, &(whose, position)) in self.given.iter().enumerate() {
            let state = match whose {
                Whose::Shared => known.shared,
                Whose::Active => known.active,
                Whose::Passive => known.passive,
                Whose::SharedAfter => known.shared_after,
                Whose::ActiveAfter => known.active_after,
            };
            if state >> position & 1 == 1 {
                context.set(number);
            }
        }
        context
    }

    /// What the asked bits are in states after a step: the reverse of [`Plan::after`].
    pub(super) fn value(&self, shared: Bits, thread: Bits) -> u128 {
        let shared = self.asked_shared.iter().map(|&position| shared >> position & 1);
        let thread = self.asked_thread.iter().map(|&position| thread >> position & 1);
        shared.chain(thread).enumerate().fold(0, |value, (number, bit)| value | bit << number)
    }

    /// The states after a step, from those before it and the answer to the question.
    pub fn after(&self, shared: Bits, thread: Bits, value: u128) -> (Bits, Bits) {
        let (mut shared, mut thread) = (shared & self.keep_shared, thread & self.keep_thread);
        let mut rest = value;
        for &position in &self.asked_shared {
            shared |= (rest & 1) << position;
            rest >>= 1;
        }
        for &position in &self.asked_thread {
            thread |= (rest & 1) << position;
            rest >>= 1;
        }
        (shared, thread)
    }
}

/// What a step writes.
pub struct Effect {
    shared: BTreeSet<VariableId>,
    local: BTreeSet<VariableId>,
    passive: BTreeSet<VariableId>,
}

impl Effect {
    /// Of an edge.
    pub fn new(source: &Source<'_, '_>, edge: &Edge) -> Effect {
        let (shared, local) =
            edge.assign.iter().map(|(variable, _)| *variable).partition(|&id| source.setting.is_shared(id));
        let passive = edge.broadcast.assign.iter().map(|(variable, _)| *variable).collect();
        Effect { shared, local, passive }
    }

    fn writes(set: &BTreeSet<VariableId>, list: &[VariableId]) -> bool {
        list.iter().any(|variable| set.contains(variable))
    }

    /// Whether the truth for the active thread can change while the predicate is in scope.
    pub fn changes_active(&self, predicate: &Predicate) -> bool {
        Effect::writes(&self.shared, &predicate.shared)
            || Effect::writes(&self.local, &predicate.own)
            || Effect::writes(&self.passive, &predicate.other)
    }

    /// Whether the truth for a passive thread can change.
    pub fn changes_passive(&self, predicate: &Predicate, edge: &Edge) -> bool {
        let inter = predicate.class == Class::InterThread;
        let (before, after) = (predicate.concerns(edge.from), predicate.concerns(edge.to));
        Effect::writes(&self.shared, &predicate.shared)
            || Effect::writes(&self.passive, &predicate.own)
            || Effect::writes(&self.passive, &predicate.other)
            || (inter && before != after)
            || (inter && after && Effect::writes(&self.local, &predicate.other))
    }
}

/// A set of bits that grows by common variables.
struct Connected<'s, 'a> {
    source: Source<'s, 'a>,
    edge: Option<&'s Edge>,
    variables: BTreeSet<VariableId>,
    /// Counts that predicates speak of.
    mentioned: BTreeSet<VariableId>,
    /// Bits that may be given, not yet connected.
    waiting: Vec<(Bit, Whose, usize)>,
    given: Vec<(Bit, Whose, usize)>,
}

impl<'s, 'a> Connected<'s, 'a> {
    fn new(source: Source<'s, 'a>, edge: Option<&'s Edge>) -> Connected<'s, 'a> {
        let Source { setting, store, chosen } = source;
        let variables = chosen.iter().flat_map(|id| store.get(id).variables.iter().copied());
        let mentioned = setting.counting.counts_in(variables);
        Connected {
            source,
            edge,
            variables: BTreeSet::new(),
            mentioned,
            waiting: Vec::new(),
            given: Vec::new(),
        }
    }

    fn offer(&mut self, ids: &[PredicateId], role: Option<Role>, whose: Whose, at: Option<LocationId>) {
        let time = match whose {
            Whose::SharedAfter | Whose::ActiveAfter => Time::After,
            _ => Time::Before,
        };
        for (position, &predicate) in ids.iter().enumerate() {
            if at.is_none_or(|location| self.source.store.get(predicate).in_scope(location)) {
                self.waiting.push((Bit { role, time, predicate }, whose, position));
            }
        }
    }

    /// The variables that a bit depends on: after a step also those of the values that are written.
    fn read(&self, bit: Bit) -> BTreeSet<VariableId> {
        let mut variables: BTreeSet<VariableId> =
            self.source.store.get(bit.predicate).variables.iter().copied().collect();
        if let (Time::After, Some(edge)) = (bit.time, self.edge) {
            let written = edge.assign.iter().chain(&edge.broadcast.assign);
            let terms: Vec<_> =
                written.filter(|(variable, _)| variables.contains(variable)).map(|(_, term)| *term).collect();
            terms.into_iter().for_each(|term| variables.extend(self.source.setting.variables_of(term)));
        }
        variables
    }

    /// The given bits, in the order of the table.
    fn close(&mut self) -> Vec<(Bit, Whose, usize)> {
        loop {
            self.source.setting.counting.connect(&mut self.variables, &self.mentioned);
            let touches = |bit: &(Bit, Whose, usize)| {
                self.read(bit.0).iter().any(|variable| self.variables.contains(variable))
            };
            let (near, far): (Vec<_>, Vec<_>) = self.waiting.iter().copied().partition(touches);
            if near.is_empty() {
                break;
            }
            for (bit, _, _) in &near {
                let read = self.read(*bit);
                self.variables.extend(read);
            }
            self.given.extend(near);
            self.waiting = far;
        }
        self.given.sort_unstable_by_key(|&(bit, _, _)| bit);
        self.given.clone()
    }
}

impl Abstractor {
    /// The plan for what becomes of the shared state and the active thread.
    pub fn active_plan(
        &mut self,
        source: Source<'_, '_>,
        id: frontend::program::EdgeId,
    ) -> Result<Plan, Stop> {
        let Source { setting, store, chosen } = source;
        let edge = setting.program.edge(id);
        let effect = Effect::new(&source, edge);
        let mut asked = Vec::new();
        let (mut asked_shared, mut asked_thread) = (Vec::new(), Vec::new());
        let (mut keep_shared, mut keep_thread): (Bits, Bits) = (0, 0);
        for (position, &predicate) in chosen.shared.iter().enumerate() {
            if effect.changes_active(store.get(predicate)) {
                asked.push(Bit { role: None, time: Time::After, predicate });
                asked_shared.push(position);
            } else {
                keep_shared |= 1 << position;
            }
        }
        for (position, &predicate) in chosen.thread.iter().enumerate() {
            let details = store.get(predicate);
            if !details.in_scope(edge.to) {
                continue;
            }
            if effect.changes_active(details) || !details.in_scope(edge.from) {
                asked.push(Bit { role: Some(Role::Active), time: Time::After, predicate });
                asked_thread.push(position);
            } else {
                keep_thread |= 1 << position;
            }
        }
        let given = decisive(source, edge, &asked).close();
        let given_bits = bits(&given);
        let subject = Subject::Edge(id);
        let key = Key {
            subject,
            passive: None,
            counted: None,
            initial: false,
            identified: Vec::new(),
            given: given_bits,
            asked,
        };
        self.plan(source, key, None, given, (asked_shared, asked_thread), (keep_shared, keep_thread))
    }

    /// The plan for what becomes of a passive thread in a location; nothing if it certainly stays as it is.
    pub fn passive_plan(
        &mut self,
        source: Source<'_, '_>,
        id: frontend::program::EdgeId,
        location: LocationId,
    ) -> Result<Option<Plan>, Stop> {
        let Source { setting, store, chosen } = source;
        let edge = setting.program.edge(id);
        let effect = Effect::new(&source, edge);
        let mut asked = Vec::new();
        let mut asked_thread = Vec::new();
        let mut keep_thread: Bits = 0;
        for (position, &predicate) in chosen.thread.iter().enumerate() {
            let details = store.get(predicate);
            if !details.in_scope(location) {
                continue;
            }
            if effect.changes_passive(details, edge) {
                asked.push(Bit { role: Some(Role::Passive), time: Time::After, predicate });
                asked_thread.push(position);
            } else {
                keep_thread |= 1 << position;
            }
        }
        let mut related = self.relations(source, edge, location);
        related.extend(counted(source, edge, location));
        if asked.is_empty() && related.is_empty() {
            return Ok(None);
        }
        let mut connected = Connected::new(source, Some(edge));
        connected.variables = read_variables(&source, edge, &asked);
        connected.variables.extend(related);
        connected.offer(&chosen.shared, None, Whose::Shared, None);
        connected.offer(&chosen.thread, Some(Role::Active), Whose::Active, Some(edge.from));
        connected.offer(&chosen.thread, Some(Role::Passive), Whose::Passive, Some(location));
        let changed_shared: Vec<PredicateId> = chosen
            .shared
            .iter()
            .copied()
            .filter(|&predicate| effect.changes_active(store.get(predicate)))
            .collect();
        for predicate in changed_shared {
            let position = chosen.shared.iter().position(|&other| other == predicate).unwrap_or(0);
            connected.waiting.push((
                Bit { role: None, time: Time::After, predicate },
                Whose::SharedAfter,
                position,
            ));
        }
        for (position, &predicate) in chosen.thread.iter().enumerate() {
            let details = store.get(predicate);
            let new = effect.changes_active(details) || !details.in_scope(edge.from);
            if details.in_scope(edge.to) && new {
                let bit = Bit { role: Some(Role::Active), time: Time::After, predicate };
                connected.waiting.push((bit, Whose::ActiveAfter, position));
            }
        }
        let given = connected.close();
        let concerned: Vec<PredicateId> = chosen
            .thread
            .iter()
            .copied()
            .filter(|&predicate| store.get(predicate).concerns(location))
            .collect();
        let counted = setting.counting.of(location).filter(|_| {
            setting.counting.variable(location).is_some_and(|count| connected.variables.contains(&count))
        });
        let initial = setting.counting.is_initial(location);
        let given_bits = bits(&given);
        let subject = Subject::Edge(id);
        let own = setting.identities.own.iter().copied();
        let identified = own.filter(|&variable| setting.is_identity(variable, location)).collect();
        let key =
            Key { subject, passive: Some(concerned), counted, initial, identified, given: given_bits, asked };
        self.plan(source, key, Some(location), given, (Vec::new(), asked_thread), (Bits::MAX, keep_thread))
            .map(Some)
    }

    /// Variables by which the active and the passive thread's bits can contradict each other.
    fn relations(&self, source: Source<'_, '_>, edge: &Edge, location: LocationId) -> BTreeSet<VariableId> {
        let Source { store, chosen, .. } = source;
        let mut variables = BTreeSet::new();
        let (mut active, mut passive) = (BTreeSet::new(), BTreeSet::new());
        // What both say about third threads.
        let (mut active_other, mut passive_other) = (BTreeSet::new(), BTreeSet::new());
        for &predicate in &chosen.thread {
            let details = store.get(predicate);
            let by_active = details.in_scope(edge.from) || details.in_scope(edge.to);
            if details.class == Class::InterThread {
                let concerns_active = details.concerns(edge.from) || details.concerns(edge.to);
                if (by_active && details.concerns(location))
                    || (details.in_scope(location) && concerns_active)
                {
                    variables.extend(details.variables.iter().copied());
                }
            }
            if by_active {
                active.extend(details.shared.iter().copied());
                active_other.extend(details.other.iter().copied());
            }
            if details.in_scope(location) {
                passive.extend(details.shared.iter().copied());
                passive_other.extend(details.other.iter().copied());
            }
        }
        variables.extend(active.intersection(&passive).copied());
        variables.extend(active_other.intersection(&passive_other).copied());
        variables
    }

    /// The plans for the initial states: shared state and main thread, then threads in the pool.
    pub fn start_plans(&mut self, source: Source<'_, '_>) -> Result<(Plan, Option<Plan>), Stop> {
        let Source { setting, store, chosen } = source;
        let program = setting.program;
        let mut asked: Vec<Bit> = Vec::new();
        let before = |role, predicate| Bit { role, time: Time::Before, predicate };
        asked.extend(chosen.shared.iter().map(|&predicate| before(None, predicate)));
        let shared: Vec<usize> = (0..chosen.shared.len()).collect();
        let scoped = |location: LocationId| -> Vec<usize> {
            let in_scope = |position: &usize| store.get(chosen.thread[*position]).in_scope(location);
            (0..chosen.thread.len()).filter(in_scope).collect()
        };
        let thread = scoped(program.main);
        asked.extend(thread.iter().map(|&position| before(Some(Role::Active), chosen.thread[position])));
        let subject = Subject::Start;
        let key = Key {
            subject,
            passive: None,
            counted: None,
            initial: false,
            identified: Vec::new(),
            given: Vec::new(),
            asked,
        };
        let first = self.plan(source, key, None, Vec::new(), (shared, thread), (0, 0))?;
        let Some(pool) = program.pool else { return Ok((first, None)) };
        let thread = scoped(pool);
        let asked =
            thread.iter().map(|&position| before(Some(Role::Passive), chosen.thread[position])).collect();
        let mut connected = Connected::new(source, None);
        connected.variables.extend((0..program.variables.len() as u32).map(VariableId));
        connected.offer(&chosen.shared, None, Whose::Shared, None);
        connected.offer(&chosen.thread, Some(Role::Active), Whose::Active, Some(program.main));
        let given = connected.close();
        let concerned =
            chosen.thread.iter().copied().filter(|&predicate| store.get(predicate).concerns(pool)).collect();
        let key = Key {
            subject: Subject::Start,
            passive: Some(concerned),
            counted: None,
            initial: false,
            identified: Vec::new(),
            given: bits(&given),
            asked,
        };
        let second = self.plan(source, key, Some(pool), given, (Vec::new(), thread), (Bits::MAX, 0))?;
        Ok((first, Some(second)))
    }

    fn plan(
        &mut self,
        source: Source<'_, '_>,
        key: Key,
        passive: Option<LocationId>,
        given: Vec<(Bit, Whose, usize)>,
        asked: (Vec<usize>, Vec<usize>),
        keep: (Bits, Bits),
    ) -> Result<Plan, Stop> {
        if given.len() > Context::CAPACITY || key.asked.len() > Bits::BITS as usize {
            return Err(Stop::TooManyPredicates(Bits::BITS as usize));
        }
        let table = self.table(source.setting, source.store, key, passive)?;
        let given = given.into_iter().map(|(_, whose, position)| (whose, position)).collect();
        Ok(Plan {
            table,
            given,
            asked_shared: asked.0,
            asked_thread: asked.1,
            keep_shared: keep.0,
            keep_thread: keep.1,
        })
    }
}

/// The bits before a step of the shared state and the active thread, of which those are to be found that decide about the asked ones.
fn decisive<'s, 'a>(source: Source<'s, 'a>, edge: &'s Edge, asked: &[Bit]) -> Connected<'s, 'a> {
    let mut connected = Connected::new(source, Some(edge));
    connected.variables = read_variables(&source, edge, asked);
    connected.offer(&source.chosen.shared, None, Whose::Shared, None);
    connected.offer(&source.chosen.thread, Some(Role::Active), Whose::Active, Some(edge.from));
    connected
}

/// The variable by which a thread can stand in the way only because it is counted.
fn counted(source: Source<'_, '_>, edge: &Edge, location: LocationId) -> Option<VariableId> {
    let count = source.setting.counting.variable(location)?;
    if source.setting.thorough {
        return Some(count);
    }
    let effect = Effect::new(&source, edge);
    let changed =
        source.chosen.shared.iter().filter(|&&predicate| effect.changes_active(source.store.get(predicate)));
    let asked: Vec<Bit> =
        changed.map(|&predicate| Bit { role: None, time: Time::After, predicate }).collect();
    let mut connected = decisive(source, edge, &asked);
    connected.close();
    connected.variables.contains(&count).then_some(count)
}

fn bits(given: &[(Bit, Whose, usize)]) -> Vec<Bit> {
    given.iter().map(|&(bit, _, _)| bit).collect()
}

/// The variables that decide about a step: those of the guard, of the asked predicates, and of the values that are written to these.
fn read_variables(source: &Source<'_, '_>, edge: &Edge, asked: &[Bit]) -> BTreeSet<VariableId> {
    let mut variables = source.setting.variables_of(edge.guard);
    for bit in asked {
        variables.extend(source.store.get(bit.predicate).variables.iter().copied());
    }
    for (variable, term) in edge.assign.iter().chain(&edge.broadcast.assign) {
        if variables.contains(variable) {
            let read = source.setting.variables_of(*term);
            variables.extend(read);
        }
    }
    variables
}
