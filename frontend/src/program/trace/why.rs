//! Why a run goes wrong, in words: which write was lost, which value changed between two looks, where the decisive values came from.
//!
//! The words say only what the accesses of the steps show. Three patterns are looked for, in this order, each the last one before the violation:
//!
//! - a *lost write*: a thread reads a variable, another one writes it, and the first writes it again without having looked;
//! - a *change between two looks*: a thread reads a variable twice, and another one writes it in between;
//! - nothing of that kind: then only where the decisive values came from.

use super::names::{self, Names};
use super::{Access, Trace, TraceStep};
use crate::program::{Property, PropertyKind, Target};

/// An access, by the numbers of its step and in it.
#[derive(Clone, Copy)]
struct Event<'a> {
    step: usize,
    thread: usize,
    access: &'a Access,
}

impl Event<'_> {
    fn same_place(&self, other: &Event<'_>) -> bool {
        (self.access.variable, &self.access.index) == (other.access.variable, &other.access.index)
    }
}

impl Trace<'_> {
    /// A paragraph on why the run violates the property; empty if it does not.
    pub fn why(&self, property: &Property) -> String {
        let Some(&after) = self.violated.get(&property.name) else { return String::new() };
        let names = Names::new(self.program);
        let mut sentences = vec![self.threads_in_words(after)];
        let is_about_order =
            property.kind != PropertyKind::Deadlock && matches!(property.target, Target::Location(_));
        if is_about_order {
            let events = self.events(&names, after);
            let pattern = lost_write(&events).map(|found| self.lost_in_words(&names, found));
            let pattern =
                pattern.or_else(|| changed(&events).map(|found| self.changed_in_words(&names, found)));
            sentences.extend(pattern);
            sentences.extend(self.source_of_values(&names, &events, after));
        }
        if property.kind == PropertyKind::DataRace {
            sentences
                .push("Nothing orders the two accesses: both threads are about to make them.".to_owned());
        }
        sentences.push(format!(
            "So after step {after} the property is violated: {}.",
            self.describe(property, after)
        ));
        sentences.join(" ")
    }

    fn threads_in_words(&self, after: usize) -> String {
        let steps = &self.steps[..after];
        let mut threads: Vec<usize> = steps.iter().map(|step| step.thread).collect();
        let switches = self.program.switches(steps.iter().map(|step| (step.thread, step.edge)));
        threads.sort_unstable();
        threads.dedup();
        let number = |number: usize, thing: &str| {
            if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
        };
        match threads.len() {
            0 | 1 => "One thread is enough.".to_owned(),
            more => format!(
                "The run has {} and {} from one to another.",
                number(more, "thread"),
                if switches == 1 { "1 switch".to_owned() } else { format!("{switches} switches") }
            ),
        }
    }

    /// The user's shared variables as they are accessed, up to a step.
    fn events(&self, names: &Names<'_>, after: usize) -> Vec<Event<'_>> {
        let steps = self.steps[..after].iter().enumerate();
        let all = steps.flat_map(|(step, TraceStep { thread, accesses, .. })| {
            accesses.iter().map(move |access| Event { step, thread: *thread, access })
        });
        all.filter(|event| is_users(names, event.access)).collect()
    }

    fn lost_in_words(
        &self,
        names: &Names<'_>,
        (read, lost, over): (Event<'_>, Event<'_>, Event<'_>),
    ) -> String {
        let name = names.accessed(read.access, None);
        format!(
            "Thread {} reads {name} as {}{}. Then thread {} writes {} to it{}. Thread {} does not look again and writes {}{}: \
             the write of thread {} is lost.",
            read.thread,
            self.value(names, read.access),
            self.at(read.step, &name),
            lost.thread,
            self.value(names, lost.access),
            self.at(lost.step, &name),
            over.thread,
            self.value(names, over.access),
            self.at(over.step, &name),
            lost.thread
        )
    }

    fn changed_in_words(
        &self,
        names: &Names<'_>,
        (first, write, second): (Event<'_>, Event<'_>, Event<'_>),
    ) -> String {
        let name = names.accessed(first.access, None);
        format!(
            "Thread {} reads {name} as {}{} and as {}{}: in between, thread {} writes it{}.",
            first.thread,
            self.value(names, first.access),
            self.at(first.step, &name),
            self.value(names, second.access),
            self.at(second.step, &name),
            write.thread,
            self.at(write.step, &name)
        )
    }

    /// Who wrote what the last condition reads.
    fn source_of_values(&self, names: &Names<'_>, events: &[Event<'_>], after: usize) -> Option<String> {
        let decisive = self.conditions.get(&after)?.iter();
        let mut parts: Vec<String> = Vec::new();
        for access in decisive.filter(|access| is_users(names, access)) {
            let is_write = |event: &&Event<'_>| {
                event.access.write
                    && (event.access.variable, &event.access.index) == (access.variable, &access.index)
            };
            let Some(write) = events.iter().rev().find(is_write) else { continue };
            let name = names.accessed(access, None);
            let part = format!(
                "the value of {name} was last written by thread {}{}",
                write.thread,
                self.at(write.step, &name)
            );
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        let mut text = parts.join(", ");
        let first = text.get_mut(..1)?;
        first.make_ascii_uppercase();
        Some(format!("{text}."))
    }

    fn value(&self, names: &Names<'_>, access: &Access) -> String {
        names.infix.value(access.data_type(self.program), &access.value)
    }

    /// ` (line 9, step 4)`: of the pieces of source in the step that which speaks of the variable.
    fn at(&self, step: usize, name: &str) -> String {
        let pieces = &self.steps[step].edge.origin;
        let about = pieces.iter().find(|origin| names::mentions(origin.text.as_str(), name));
        let origin = about.or(pieces.first()).filter(|origin| origin.position.is_some());
        let line = origin.map(|origin| format!("line {}, ", origin.position.line)).unwrap_or_default();
        format!(" ({line}step {})", step + 1)
    }
}

/// Whether an access is to a variable of the user's, and not to what says whether a lock is taken.
fn is_users(names: &Names<'_>, access: &Access) -> bool {
    !names.is_internal(access.variable) && names.lock(access).is_none()
}

/// A read, a write by another thread, and a write by the first without another look, if there are such.
fn lost_write<'a>(events: &[Event<'a>]) -> Option<(Event<'a>, Event<'a>, Event<'a>)> {
    for (number, over) in events.iter().enumerate().rev().filter(|(_, event)| event.access.write) {
        let own = |event: &&Event<'_>| event.thread == over.thread && event.same_place(over);
        // What is read and written in one step cannot lose anything.
        let Some(look) = events[..number].iter().rposition(|event| own(&event)) else { continue };
        let read = events[look];
        if read.access.write || read.step == over.step {
            continue;
        }
        let between = &events[look + 1..number];
        let is_lost =
            |event: &&Event<'_>| event.access.write && event.thread != over.thread && event.same_place(over);
        if let Some(lost) = between.iter().rev().find(is_lost) {
            return Some((read, *lost, *over));
        }
    }
    None
}

/// Two reads of a thread with different values, and a write by another one in between.
fn changed<'a>(events: &[Event<'a>]) -> Option<(Event<'a>, Event<'a>, Event<'a>)> {
    let last = events.last()?.thread;
    for (number, second) in events.iter().enumerate().rev() {
        if second.access.write || second.thread != last {
            continue;
        }
        let own = |event: &Event<'_>| event.thread == second.thread && event.same_place(second);
        let Some(look) = events[..number].iter().rposition(own) else { continue };
        let first = events[look];
        let is_write =
            |event: &&Event<'_>| event.access.write && event.thread != last && event.same_place(second);
        let write = events[look + 1..number].iter().rev().find(is_write);
        if let Some(write) = write.filter(|_| first.access.value != second.access.value) {
            return Some((first, *write, *second));
        }
    }
    None
}
