//! All ways through a section, each as one edge.
//!
//! Locations are visited along the edges. At each of them are the composed ways from outside to it; composing them with
//! the edges that leave it gives ways to the next locations, and those that end outside are the result. Ways whose
//! guard is false are dropped at once. In a section with many ways, those that start at the same location and meet
//! again are joined.

use super::join::join;
use super::sections::Section;
use super::{Bounds, Context};
use crate::program::{Broadcast, Edge, LocationId};
use crate::reduce::compose;
use crate::reduce::inputs::{self, Names};
use rustc_hash::FxHashMap;

/// The ways through the section; nothing if there are too many.
pub(super) fn compose(
    context: &Context<'_>,
    names: &mut Names,
    section: &Section,
    bounds: Bounds,
) -> Option<Vec<Edge>> {
    let are_many = number(context, section) > bounds.separate;
    let mut ways = entering(context, section);
    let mut result: Vec<Edge> = Vec::new();
    let mut open: usize = ways.values().map(Vec::len).sum();
    for location in &section.locations {
        let mut here = ways.remove(location).unwrap_or_default();
        open -= here.len();
        if are_many {
            here = join(context, names, here);
        }
        if let Some(&copy) = context.copies.get(location) {
            result.extend(here.iter().map(|way| halt(way, copy)));
        }
        for &id in &context.edges_from[location.index()] {
            let next = context.program.edge(id);
            let longer = here.iter().filter_map(|way| extend(context, way, next));
            if context.is_atomic(next.to) {
                let there = ways.entry(next.to).or_default();
                let before = there.len();
                there.extend(longer);
                open += there.len() - before;
            } else {
                result.extend(longer);
            }
            if result.len() + open > bounds.paths {
                return None;
            }
        }
    }
    Some(result)
}

/// How many ways there are, or a very large number.
fn number(context: &Context<'_>, section: &Section) -> usize {
    let program = context.program;
    let mut number: FxHashMap<LocationId, usize> = FxHashMap::default();
    for location in section.locations.iter().rev() {
        let after = context.edges_from[location.index()].iter().map(|&id| program.edge(id).to);
        let sum = after.fold(0_usize, |sum, to| sum.saturating_add(number.get(&to).copied().unwrap_or(1)));
        number.insert(*location, sum);
    }
    let starts = section.locations.iter().map(|location| {
        let entering = context.edges_to[location.index()].iter();
        let entering = entering.filter(|&&id| !context.is_atomic(program.edge(id).from)).count();
        entering.saturating_mul(number[location])
    });
    starts.fold(0, usize::saturating_add)
}

/// The edges from outside, by their end.
fn entering(context: &Context<'_>, section: &Section) -> FxHashMap<LocationId, Vec<Edge>> {
    let edges = |location: &LocationId| {
        let into = context.edges_to[location.index()].iter().map(|&id| context.program.edge(id));
        let mut edges: Vec<Edge> = into.filter(|edge| !context.is_atomic(edge.from)).cloned().collect();
        edges.iter_mut().for_each(|edge| context.clean(edge));
        (*location, edges)
    };
    section.locations.iter().map(edges).collect()
}

fn extend(context: &Context<'_>, way: &Edge, next: &Edge) -> Option<Edge> {
    let mut longer = compose::compose(context.symbols, way, next)?;
    context.clean(&mut longer);
    (!longer.guard.is_false()).then_some(longer)
}

/// The way to a location inside as one to its copy outside, without effect.
fn halt(way: &Edge, copy: LocationId) -> Edge {
    let mut edge = Edge { to: copy, assign: Vec::new(), broadcast: Broadcast::default(), ..way.clone() };
    inputs::eliminate(&mut edge);
    edge
}
