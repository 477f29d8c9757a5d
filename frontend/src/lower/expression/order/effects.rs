//! What evaluating an expression does to memory, as far as names tell; and when nothing orders two such effects.

use crate::lower::graph::{ObjectId, RegisterId};
use lang_c::span::Span;
use rustc_hash::FxHashSet;

/// A variable or a member of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Variable {
    Register(RegisterId),
    /// With the names of members.
    Object(ObjectId, Vec<String>),
}

/// What a function may do to memory that others name, directly or by calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    pub(super) reads: FxHashSet<ObjectId>,
    pub(super) writes: FxHashSet<ObjectId>,
    pub(super) reads_any: bool,
    pub(super) writes_any: bool,
    /// Its own static variables: two calls are not independent.
    pub(super) writes_statics: bool,
    pub(super) calls: FxHashSet<String>,
}

impl Summary {
    pub(super) fn add(&mut self, other: &Summary) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads_any |= other.reads_any;
        self.writes_any |= other.writes_any;
        self.writes_statics |= other.writes_statics;
    }

    pub(super) fn writes(&self) -> bool {
        self.writes_any || self.writes_statics || !self.writes.is_empty()
    }
}

/// What evaluating an expression does.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    pub(super) reads: FxHashSet<Variable>,
    pub(super) writes: FxHashSet<Variable>,
    /// Of the writes, those that need not have happened when the value of the expression is known.
    pub(super) pending: FxHashSet<Variable>,
    /// Reads through pointers.
    pub(super) reads_any: bool,
    pub(super) calls: Summary,
}

impl Effects {
    pub(super) fn add(&mut self, other: Effects) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.pending.extend(other.pending);
        self.reads_any |= other.reads_any;
        self.calls.add(&other.calls);
    }

    /// Then the other: all that happens here has happened before.
    pub(super) fn then(&mut self, other: Effects) {
        self.pending.clear();
        self.add(other);
    }

    fn is_pure(&self) -> bool {
        self.writes.is_empty() && !self.calls.writes()
    }

    pub(super) fn objects(variables: &FxHashSet<Variable>) -> impl Iterator<Item = ObjectId> + '_ {
        variables.iter().filter_map(|variable| match variable {
            Variable::Object(object, _) => Some(*object),
            Variable::Register(_) => None,
        })
    }

    /// Whether it touches memory that the functions called elsewhere write.
    fn is_changed_by(&self, calls: &Summary) -> bool {
        let named = || Self::objects(&self.reads).chain(Self::objects(&self.writes));
        let called = || self.calls.reads.iter().chain(&self.calls.writes).copied();
        let any = self.reads_any || self.calls.reads_any || self.calls.writes_any;
        (calls.writes_any && (any || named().next().is_some() || called().next().is_some()))
            || (any && !calls.writes.is_empty())
            || named().chain(called()).any(|object| calls.writes.contains(&object))
            || (calls.writes_statics && self.calls.writes_statics)
    }

    /// Whether one of the others' functions reads or writes what operators here write.
    fn changes(&self, calls: &Summary) -> bool {
        Self::objects(&self.writes).any(|object| {
            calls.reads_any
                || calls.writes_any
                || calls.reads.contains(&object)
                || calls.writes.contains(&object)
        })
    }
}

/// Whether one of the sets has a variable that the other has, as a whole or in part.
pub(super) fn overlap(left: &FxHashSet<Variable>, right: &FxHashSet<Variable>) -> bool {
    left.iter().any(|a| {
        right.iter().any(|b| match (a, b) {
            (Variable::Register(a), Variable::Register(b)) => a == b,
            (Variable::Object(a, first), Variable::Object(b, second)) => {
                a == b && (first.starts_with(second) || second.starts_with(first))
            }
            _ => false,
        })
    })
}

/// What is wrong with an expression, and where.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) undefined: Option<Span>,
    pub(super) open: Vec<Span>,
}

/// Nothing orders the parts: what one writes and another touches shows the order.
pub(super) fn unordered(parts: Vec<Effects>, span: Span, findings: &mut Findings) -> Effects {
    for (index, a) in parts.iter().enumerate() {
        for b in &parts[index + 1..] {
            if a.is_pure() && b.is_pure() {
                continue;
            }
            let undefined =
                overlap(&a.writes, &b.reads) || overlap(&a.writes, &b.writes) || overlap(&b.writes, &a.reads);
            if undefined {
                findings.undefined.get_or_insert(span);
            } else if a.is_changed_by(&b.calls)
                || b.is_changed_by(&a.calls)
                || a.changes(&b.calls)
                || b.changes(&a.calls)
            {
                findings.open.push(span);
            }
        }
    }
    let mut all = Effects::default();
    parts.into_iter().for_each(|part| all.add(part));
    all
}
