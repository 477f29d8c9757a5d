//! Locations as a graph: who is reachable, in which order, and what must stay whatever happens.

use crate::program::{EdgeId, LocationId, Program, Target};
use std::collections::BTreeSet;

/// By location: `main`, `pool` and what properties ask about, which no pass may remove.
pub(super) fn fixed(program: &Program) -> Vec<bool> {
    let mut fixed = program.targets();
    fixed[program.main.index()] = true;
    if let Some(pool) = program.pool {
        fixed[pool.index()] = true;
    }
    fixed
}

/// All edges by the location that they enter.
pub(super) fn edges_to(program: &Program) -> Vec<Vec<EdgeId>> {
    let mut to = vec![Vec::new(); program.locations.len()];
    for (index, edge) in program.edges.iter().enumerate() {
        to[edge.to.index()].push(EdgeId(index as u32));
    }
    to
}

/// The locations that threads can get to along edges, each before those that come after it except around loops.
pub(super) fn reverse_postorder(program: &Program) -> Vec<LocationId> {
    let edges_from = program.edges_from();
    let mut seen = vec![false; program.locations.len()];
    let mut order = Vec::new();
    for start in program.pool.into_iter().chain([program.main]) {
        if std::mem::replace(&mut seen[start.index()], true) {
            continue;
        }
        let mut stack = vec![(start, 0)];
        while let Some((location, next)) = stack.last_mut() {
            let Some(edge) = edges_from[location.index()].get(*next) else {
                order.push(*location);
                stack.pop();
                continue;
            };
            *next += 1;
            let to = program.edge(*edge).to;
            if !std::mem::replace(&mut seen[to.index()], true) {
                stack.push((to, 0));
            }
        }
    }
    order.reverse();
    order
}

/// Follows edges from where threads start until nothing changes, first those that come first: `follow` says whether something has changed where the edge leads.
pub(super) fn until_stable(program: &Program, mut follow: impl FnMut(EdgeId) -> bool) {
    let edges_from = program.edges_from();
    let order = reverse_postorder(program);
    let mut rank = vec![0; program.locations.len()];
    order.iter().enumerate().for_each(|(index, location)| rank[location.index()] = index);
    let starts = program.pool.into_iter().chain([program.main]);
    let mut open: BTreeSet<usize> = starts.map(|start| rank[start.index()]).collect();
    while let Some(next) = open.pop_first() {
        for &edge in &edges_from[order[next].index()] {
            if follow(edge) {
                open.insert(rank[program.edge(edge).to.index()]);
            }
        }
    }
}

/// Removes edges and locations that no thread can get to; what [`fixed`] says stays.
pub(super) fn drop_unreachable(program: &mut Program) {
    let mut reached = vec![false; program.locations.len()];
    for location in reverse_postorder(program) {
        reached[location.index()] = true;
    }
    program.edges.retain(|edge| reached[edge.from.index()]);
    let fixed = fixed(program);
    keep_locations(program, |location| reached[location.index()] || fixed[location.index()]);
}

/// Removes the other locations, with the edges that touch them, and renumbers the rest in the same order.
pub(super) fn keep_locations(program: &mut Program, keep: impl Fn(LocationId) -> bool) {
    let mut new: Vec<Option<LocationId>> = Vec::with_capacity(program.locations.len());
    let mut number = 0;
    for index in 0..program.locations.len() {
        let kept = keep(LocationId(index as u32));
        new.push(kept.then_some(LocationId(number)));
        number += u32::from(kept);
    }
    if number as usize == program.locations.len() {
        return;
    }
    let mut kept = new.iter().map(Option::is_some);
    program.locations.retain(|_| kept.next().unwrap_or(false));
    program.edges.retain_mut(|edge| {
        let (Some(from), Some(to)) = (new[edge.from.index()], new[edge.to.index()]) else { return false };
        (edge.from, edge.to) = (from, to);
        true
    });
    let renumber = |location: &mut LocationId| {
        if let Some(number) = new[location.index()] {
            *location = number;
        }
    };
    renumber(&mut program.main);
    program.pool.iter_mut().for_each(renumber);
    for property in &mut program.properties {
        match &mut property.target {
            Target::Location(location) => renumber(location),
            Target::Race(first, second) => {
                renumber(&mut first.location);
                renumber(&mut second.location);
            }
        }
    }
}
