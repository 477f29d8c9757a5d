//! The solution of random inclusions, against the obvious way to find it.

use super::places::{Places, Shift};
use super::solve::{Difference, Solver};
use super::{Target, Targets};
use crate::lower::graph::{Object, ObjectId, Storage, Writes};
use crate::types::{DataModel, IntKind, Type, Types};
use proptest::prelude::*;
use smt::Symbol;
use std::collections::BTreeSet;

const REGISTERS: u32 = 7;
const OBJECTS: u32 = 5;

/// One inclusion over registers.
#[derive(Clone, Debug)]
enum Inclusion {
    Address(u32, u32),
    Copy(u32, u32),
    Shift(u32, u32, i128),
    Any(u32, u32),
    Load(u32, u32),
    Store(u32, u32),
    /// The first is the second minus the third.
    Difference(u32, u32, u32),
}

fn inclusion() -> impl Strategy<Value = Inclusion> {
    let register = 0..REGISTERS;
    let two = (register.clone(), register.clone());
    prop_oneof![
        3 => (register.clone(), 0..OBJECTS).prop_map(|(r, o)| Inclusion::Address(r, o)),
        3 => two.clone().prop_map(|(a, b)| Inclusion::Copy(a, b)),
        1 => (two.clone(), prop_oneof![Just(4), Just(-4), Just(8)]).prop_map(|((a, b), n)| Inclusion::Shift(a, b, n)),
        1 => two.clone().prop_map(|(a, b)| Inclusion::Any(a, b)),
        3 => two.clone().prop_map(|(a, b)| Inclusion::Load(a, b)),
        3 => two.prop_map(|(a, b)| Inclusion::Store(a, b)),
        1 => (register.clone(), register.clone(), register).prop_map(|(a, b, c)| Inclusion::Difference(a, b, c)),
    ]
}

/// Numbers of 4 bytes and pairs of them, which hold addresses for a data model of 32 bits.
fn objects() -> Vec<Object> {
    let int = Type::Int(IntKind::Int);
    let pair = Type::Array(int.clone().into(), Some(2));
    let of = |index: u32| Object {
        name: Symbol::new(&format!("object{index}")),
        ty: if index.is_multiple_of(2) { int.clone() } else { pair.clone() },
        storage: Storage::Static,
        init: Some(Vec::new()),
        everywhere: None,
        writes: Writes::Allowed,
        model: false,
        freeable: false,
        offset: 0,
    };
    (0..OBJECTS).map(of).collect()
}

/// All sets, by repeating everything until nothing changes; differences are looked at in between.
fn obvious(places: &Places<'_>, all: &[Inclusion]) -> Vec<BTreeSet<Target>> {
    let mut registers: Vec<BTreeSet<Target>> = vec![BTreeSet::new(); REGISTERS as usize];
    let mut scalars: Vec<BTreeSet<Target>> = vec![BTreeSet::new(); OBJECTS as usize];
    let moved = |set: &BTreeSet<Target>, shift: &Shift| -> BTreeSet<Target> {
        set.iter()
            .map(|target| super::sets::unpack(places.shifted(super::sets::pack(*target), shift)))
            .collect()
    };
    let touched = |(object, offset): Target| places.leaves_at(object, offset, 0, 32).count() > 0;
    loop {
        let before = (registers.clone(), scalars.clone());
        for is_last in [false, true] {
            if is_last && (&registers, &scalars) != (&before.0, &before.1) {
                continue;
            }
            for inclusion in all {
                match *inclusion {
                    Inclusion::Difference(to, from, minus) => {
                        if is_last && before.0[minus as usize].is_empty() {
                            let shift = Shift::By { bytes: 0, strides: vec![1] };
                            let more = moved(&before.0[from as usize], &shift);
                            registers[to as usize].extend(more);
                        }
                    }
                    _ if is_last => {}
                    Inclusion::Address(to, object) => {
                        registers[to as usize].insert((ObjectId(object), Some(0)));
                    }
                    Inclusion::Copy(to, from) => {
                        let more = registers[from as usize].clone();
                        registers[to as usize].extend(more);
                    }
                    Inclusion::Shift(to, from, bytes) => {
                        let more =
                            moved(&registers[from as usize], &Shift::By { bytes, strides: Vec::new() });
                        registers[to as usize].extend(more);
                    }
                    Inclusion::Any(to, from) => {
                        let more = moved(&registers[from as usize], &Shift::Any);
                        registers[to as usize].extend(more);
                    }
                    Inclusion::Load(to, address) => {
                        for target in registers[address as usize].clone().into_iter().filter(|t| touched(*t))
                        {
                            let more = scalars[target.0.index()].clone();
                            registers[to as usize].extend(more);
                        }
                    }
                    Inclusion::Store(address, from) => {
                        for target in registers[address as usize].clone().into_iter().filter(|t| touched(*t))
                        {
                            let more = registers[from as usize].clone();
                            scalars[target.0.index()].extend(more);
                        }
                    }
                }
            }
        }
        if (&registers, &scalars) == (&before.0, &before.1) {
            registers.extend(scalars);
            return registers;
        }
    }
}

fn solved(places: &Places<'_>, all: &[Inclusion]) -> Vec<Targets> {
    let mut solver = Solver::new(places, REGISTERS as usize);
    for inclusion in all {
        match *inclusion {
            Inclusion::Address(to, object) => {
                solver.add(to, Targets::from_iter([(ObjectId(object), Some(0))]));
            }
            Inclusion::Copy(to, from) => solver.copy(from, to),
            Inclusion::Shift(to, from, bytes) => {
                solver.shift(from, to, Shift::By { bytes, strides: Vec::new() })
            }
            Inclusion::Any(to, from) => solver.shift(from, to, Shift::Any),
            Inclusion::Load(to, address) => solver.dereference(address, to, (0, 32), true),
            Inclusion::Store(address, from) => solver.dereference(address, from, (0, 32), false),
            Inclusion::Difference(value, from, minus) => {
                let shift = Shift::By { bytes: 0, strides: vec![1] };
                solver.difference(Difference { value, added: vec![(from, shift)], subtracted: vec![minus] });
            }
        }
    }
    solver.solve();
    let scalars = (0..OBJECTS).map(|object| solver.scalar(ObjectId(object), 0)).collect::<Vec<_>>();
    (0..REGISTERS).chain(scalars).map(|node| solver.targets(node)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_solution_is_the_least_one(all in prop::collection::vec(inclusion(), 1..40)) {
        let types = Types::new(DataModel::Ilp32);
        let objects = objects();
        let places = Places::new(&types, &objects);
        let expected: Vec<Targets> =
            obvious(&places, &all).into_iter().map(|set| set.into_iter().collect()).collect();
        prop_assert_eq!(solved(&places, &all), expected);
    }
}

/// A ring of registers becomes one node, so that what goes in goes around once.
#[test]
fn a_cycle_is_followed_once() {
    let types = Types::new(DataModel::Ilp32);
    let places = Places::new(&types, &[]);
    let count = 10_000;
    let mut solver = Solver::new(&places, count as usize);
    (0..count).for_each(|register| solver.copy(register, (register + 1) % count));
    for object in 0..200 {
        solver.add(object * 31, Targets::from_iter([(ObjectId(object), Some(0))]));
    }
    solver.solve();
    assert_eq!(solver.targets(5).iter().count(), 200);
    assert!(solver.steps() < 4 * count as usize, "{} edges followed", solver.steps());
}
