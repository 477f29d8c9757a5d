//! The loops that are unrolled, with names: by function and place, as `main.2` for the second one of `main`.

use std::collections::{BTreeMap, BTreeSet};

use frontend::program::{Location, LocationId, Program};

use crate::order::Order;

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its name.
    pub name: String,
    /// Its head.
    pub head: LocationId,
}

/// All loops of all threads.
pub fn loops(program: &Program) -> Vec<Loop> {
    let edges_from = program.edges_from();
    let started = program.pool.into_iter().flat_map(|pool| &edges_from[pool.index()]);
    let starts: BTreeSet<LocationId> =
        started.map(|edge| program.edge(*edge).to).chain([program.main]).collect();
    let mut heads: BTreeSet<LocationId> = BTreeSet::new();
    for start in starts {
        let order = Order::new(program, &edges_from, start);
        let all = (0..program.locations.len()).map(|index| LocationId(index as u32));
        heads.extend(all.filter(|location| {
            order.place(*location).is_some_and(|place| place.heads.last() == Some(location))
        }));
    }
    let mut heads: Vec<LocationId> = heads.into_iter().collect();
    heads.sort_by_key(|head| {
        let Location { function, position, .. } = program.location(*head);
        (function.as_str(), *position, *head)
    });
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let named = heads.into_iter().map(|head| {
        let function = program.location(head).function.as_str();
        let number = numbers.entry(function).or_default();
        *number += 1;
        Loop { name: format!("{function}.{number}"), head }
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_have_names_by_place() {
        let program = "program 1\nfile 0 \"x.c\"\nlocation 0 in main @0:1:0\nlocation 1 in main @0:3:5\n\
            location 2 in main @0:2:3\nlocation 3 in main @0:4:0\nmain 0\nedge 0: 0 -> 1\nedge 1: 1 -> 2\n\
            edge 2: 2 -> 1\nedge 3: 2 -> 2\nedge 4: 1 -> 3\nedge 5: 0 -> 3\n";
        let program = frontend::program::text::read(program).unwrap();
        let found: Vec<(String, u32)> =
            loops(&program).into_iter().map(|found| (found.name, found.head.0)).collect();
        assert_eq!(found, [("main.1".to_owned(), 2), ("main.2".to_owned(), 1)]);
    }
}
