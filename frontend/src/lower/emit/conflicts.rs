//! Where accesses stand that may be in a data race.
//!
//! - *The initial thread alone* races with nobody: what it does before it can have created a thread is not looked at.
//! - *An access inside of an atomic section* is looked at from outside if nothing can come between: whoever is about to enter the section will
//!   do the access, to the same element, before anybody else moves. So the section stays one step, behind a place for each such access.
//!   Otherwise the place is inside.

use super::Emitter;
use crate::lower::expand::{Expanded, Source, Step};
use crate::lower::graph::{Access, NodeId, ObjectId, Op};
use crate::lower::memory::Case;
use crate::lower::races::{Does, Extent, Kind, RaceSite};
use crate::program::{EdgeId, LocationId, Scope};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;

/// Longer ways from the begin of a section to an access are not followed.
const MAX_WAY: usize = 64;

/// The steps around each node.
pub(super) struct Surroundings {
    /// Steps by the node where they end.
    before: Vec<Vec<usize>>,
    /// How many steps begin at a node.
    after: Vec<usize>,
    /// By node of the initial thread: other threads may exist.
    has_company: Vec<bool>,
    /// Nodes with an access that cannot fail.
    certain: FxHashSet<NodeId>,
    /// The edge into a section by the node where it begins, and the access that was last given a place there.
    entrances: FxHashMap<NodeId, (EdgeId, Option<Source>)>,
}

impl Surroundings {
    pub(super) fn new(expanded: &Expanded) -> Surroundings {
        let nodes = expanded.nodes.len();
        let (mut before, mut after) = (vec![Vec::new(); nodes], vec![0; nodes]);
        let mut steps_from: Vec<Vec<usize>> = vec![Vec::new(); nodes];
        for (index, step) in expanded.steps.iter().enumerate() {
            before[step.to.index()].push(index);
            after[step.from.index()] += 1;
            steps_from[step.from.index()].push(index);
        }
        let mut has_company = vec![false; nodes];
        let creations = expanded.steps.iter().filter(|step| matches!(step.op, Op::Spawn(..)));
        let mut open: Vec<NodeId> = creations.map(|step| step.to).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut has_company[node.index()], true) {
                open.extend(steps_from[node.index()].iter().map(|&index| expanded.steps[index].to));
            }
        }
        Surroundings {
            before,
            after,
            has_company,
            certain: FxHashSet::default(),
            entrances: FxHashMap::default(),
        }
    }

    /// The access at the node is always possible.
    pub(super) fn is_certain(&mut self, node: NodeId) {
        self.certain.insert(node);
    }

    /// The edge with this number leads from the node into an atomic section.
    pub(super) fn begins(&mut self, node: NodeId, edge: usize) {
        self.entrances.insert(node, (EdgeId(edge as u32), None));
    }
}

impl Emitter<'_, '_, '_> {
    /// Whether accesses of the step are the user's, and may be in a race.
    pub(super) fn may_race(&self, step: &Step) -> bool {
        let is_initial = self.expanded.root_of[step.from.index()] == 0;
        !step.model && (!is_initial || self.surroundings.has_company[step.from.index()])
    }

    /// A location outside where a thread is sure to do this access inside of an atomic section before others move.
    pub(super) fn entrance(&mut self, step: &Step, index: Option<Term>) -> Option<LocationId> {
        let node = self.begin(step, index)?;
        let (edge, last) = *self.surroundings.entrances.get(&node)?;
        let from = self.program.edge(edge).from;
        if last == Some(step.source) {
            return Some(from);
        }
        let place = self.new_location(step.source);
        let origin = self.origin(step.source);
        self.edge(from, place, Term::tru(), Vec::new(), Vec::new(), origin);
        self.program.edges[edge.index()].from = place;
        self.surroundings.entrances.insert(node, (edge, Some(step.source)));
        Some(place)
    }

    /// The node outside of a section from which only one way leads to a step inside, with the same index.
    fn begin(&self, step: &Step, index: Option<Term>) -> Option<NodeId> {
        let read: Vec<_> =
            index.iter().flat_map(|index| index.constants()).filter_map(|c| c.as_constant()).collect();
        let mut node = step.from;
        for _ in 0..MAX_WAY {
            if self.surroundings.after[node.index()] != 1 {
                return None;
            }
            if !self.program.locations[node.index()].atomic {
                return Some(node);
            }
            let [only] = self.surroundings.before[node.index()][..] else { return None };
            let before = &self.expanded.steps[only];
            let changed = match &before.op {
                Op::Skip | Op::AtomicBegin | Op::AtomicEnd => None,
                Op::Let(register, _) | Op::Havoc(register) => Some(*register),
                Op::Load(register, ..) if self.surroundings.certain.contains(&before.from) => Some(*register),
                Op::Store(..) if self.surroundings.certain.contains(&before.from) => None,
                _ => return None,
            };
            if changed.is_some_and(|register| read.contains(&self.code.registers[register.index()].name)) {
                return None;
            }
            node = before.from;
        }
        None
    }

    /// A thread at the location is about to do the access.
    pub(super) fn race_site(
        &mut self,
        step: &Step,
        location: LocationId,
        case: &Case,
        access: &Access,
        write: bool,
    ) {
        let kind = if access.atomic() { Kind::Atomic } else { self.kind(step) };
        let (first, width) = if case.bytes { (0, 8) } else { (case.low, access.stored_bits()) };
        self.races.push(RaceSite {
            location,
            variable: case.variable,
            extent: case.index.map_or(Extent::Whole, |index| Extent::Elements(index, case.elements(access))),
            bits: (first, first + width),
            does: if write { Does::Writes } else { Does::Reads },
            kind,
            position: self.position(step.source.span.0 as usize),
            root: self.expanded.root_of[step.from.index()],
        });
    }

    /// A thread at the location is about to free an object of a site: as if it wrote all of it.
    pub(super) fn free_site(&mut self, step: &Step, location: LocationId, object: ObjectId, slot: u64) {
        let layout = self.memory.layout(object);
        let slots = layout.slots;
        let lengths: Vec<u64> = layout.cells.iter().map(|cell| layout.length(cell) / slots.max(1)).collect();
        for (cell, each) in lengths.into_iter().enumerate() {
            let variable = self.memory.variable(object, cell);
            if self.memory.variables.get(variable).scope != Scope::Shared {
                continue;
            }
            self.races.push(RaceSite {
                location,
                variable,
                extent: if slots > 1 { Extent::Object(slot, each) } else { Extent::Whole },
                bits: (0, u32::MAX),
                does: Does::Frees,
                kind: self.kind(step),
                position: self.position(step.source.span.0 as usize),
                root: self.expanded.root_of[step.from.index()],
            });
        }
    }

    fn kind(&self, step: &Step) -> Kind {
        if self.program.locations[step.from.index()].atomic { Kind::Section } else { Kind::Plain }
    }
}
