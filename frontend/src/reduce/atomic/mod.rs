//! Atomic sections become single edges, or hold a token: afterwards the program is strictly asynchronous (section 2 of
//! the thesis).
//!
//! A section is a connected set of atomic locations. While a thread is in it, nobody else moves. So a way through it,
//! from a location outside to a location outside, might as well be one step: [`paths`] composes all of them. What is
//! lost are the states in between, and in them nothing happens that cannot be seen elsewhere:
//!
//! - *A thread that gets stuck inside* stops all others for good. What they had violated was violated before it
//!   entered.
//! - *A location inside that a property asks about* is moved out: each way to it also becomes an edge to a copy of it
//!   outside, from which no edge leaves. This edge assigns nothing. So others may go on as if the thread had not
//!   entered at all, which they could do in any case, and nothing is violated that was not before.
//! - *Races* are about two threads at once. If one of the accesses is inside, or a step of the section changes
//!   something that the index of a race reads, the states in between matter. Such a section holds a token.
//!
//! A section with a loop has no finite number of ways, and one can have too many of them, even though ways that meet
//! again are joined in large sections ([`join`]). The program may also start inside. Then a token tells others that a
//! thread is in a section: see [`token`].
//!
//! With one thread only there is nobody to stop, and the marks are simply dropped.

mod join;
mod paths;
mod sections;
#[cfg(test)]
mod tests;
mod token;

use super::graph;
use super::inputs::{self, Names};
use super::liveness::{self, Liveness};
use super::symbols::Symbols;
use crate::program::{Edge, EdgeId, LocationId, Program, Scope, Target};
use rustc_hash::FxHashMap;
use sections::Races;

/// What the parts of this pass need to know about the program.
struct Context<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    liveness: Liveness,
    edges_from: Vec<Vec<EdgeId>>,
    edges_to: Vec<Vec<EdgeId>>,
    /// By location: what becomes of a location inside that a property asks about.
    copies: FxHashMap<LocationId, LocationId>,
}

impl Context<'_> {
    fn is_atomic(&self, location: LocationId) -> bool {
        self.program.location(location).atomic
    }

    /// Drops assignments to locals that are dead after the edge, and inputs that do not matter.
    fn clean(&self, edge: &mut Edge) {
        let is_local = |id| self.program.variable(id).scope == Scope::Local;
        edge.assign.retain(|&(id, _)| !is_local(id) || self.liveness.is_live(id, edge.to));
        inputs::eliminate(edge);
    }
}

/// How many ways through a section are too many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Sections with more hold a token.
    pub(super) paths: usize,
    /// In sections with more, ways are joined where they meet.
    pub(super) separate: usize,
}

impl Bounds {
    /// No more than this many.
    pub(super) fn of_paths(paths: usize) -> Bounds {
        Bounds { paths, separate: paths.min(32) }
    }
}

/// Makes the program strictly asynchronous.
pub(super) fn run(program: &mut Program, bounds: Bounds) {
    if !program.locations.iter().any(|location| location.atomic) {
        return;
    }
    let mut held = vec![false; program.locations.len()];
    if program.pool.is_some() {
        let symbols = Symbols::new(program);
        let mut names = inputs::make_unique(program, &symbols);
        compose_sections(program, &symbols, &mut names, bounds, &mut held);
        inputs::shorten_names(program, &symbols);
    }
    program.locations.iter_mut().for_each(|location| location.atomic = false);
    if held.contains(&true) {
        token::hold(program, &held);
    }
    graph::drop_unreachable(program);
}

/// Replaces the sections where that is possible; the locations of all others are marked in `held`.
fn compose_sections(
    program: &mut Program,
    symbols: &Symbols,
    names: &mut Names,
    bounds: Bounds,
    held: &mut Vec<bool>,
) {
    let context = Context {
        program,
        symbols,
        liveness: liveness::analyse(program, symbols),
        edges_from: program.edges_from(),
        edges_to: graph::edges_to(program),
        copies: copies(program),
    };
    let races = Races::new(program, symbols);
    let mut composed: Vec<Edge> = Vec::new();
    let mut is_gone = vec![false; program.locations.len()];
    for section in sections::find(&context) {
        let edges = if sections::must_hold(&context, &races, &section) {
            None
        } else {
            paths::compose(&context, names, &section, bounds)
        };
        match edges {
            Some(edges) => composed.extend(edges),
            None => section.locations.iter().for_each(|location| held[location.index()] = true),
        }
        let is_composed = |location: &&LocationId| !held[location.index()];
        section.locations.iter().filter(is_composed).for_each(|location| is_gone[location.index()] = true);
    }
    let mut copies: Vec<_> = context.copies.into_iter().collect();
    copies.sort_unstable();
    program.edges.retain(|edge| !is_gone[edge.from.index()] && !is_gone[edge.to.index()]);
    program.edges.extend(composed);
    move_targets(program, &copies, &is_gone);
    held.resize(program.locations.len(), false);
}

/// New locations, behind all others, for atomic ones that properties ask about.
fn copies(program: &Program) -> FxHashMap<LocationId, LocationId> {
    let mut copies = FxHashMap::default();
    for property in &program.properties {
        if let Target::Location(location) = property.target
            && program.location(location).atomic
        {
            let next = LocationId((program.locations.len() + copies.len()) as u32);
            copies.entry(location).or_insert(next);
        }
    }
    copies
}

/// Adds the copies and lets properties ask about them where the original is gone.
fn move_targets(program: &mut Program, copies: &[(LocationId, LocationId)], is_gone: &[bool]) {
    let mut in_order = copies.to_vec();
    in_order.sort_unstable_by_key(|&(_, copy)| copy);
    for &(original, _) in &in_order {
        let mut copy = program.location(original).clone();
        copy.live.clear();
        copy.atomic = false;
        program.locations.push(copy);
    }
    for property in &mut program.properties {
        if let Target::Location(location) = &mut property.target
            && let Ok(at) = copies.binary_search_by_key(location, |&(original, _)| original)
            && is_gone[location.index()]
        {
            *location = copies[at].1;
        }
    }
}
