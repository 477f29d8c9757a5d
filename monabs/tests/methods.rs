//! The three ways to abstract against each other, on random programs with random predicates.
//!
//! Every step of the precise template is one of the lazy and of the Cartesian template, with at least the same freedom for passive threads.
//! (That the precise template is right is tested by brute force elsewhere.)

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::program::random::{Random, Shape, program_with};
use frontend::program::{Program, Scope};
use monabs::abstraction::explore::{Local, Template, explore};
use monabs::abstraction::table::Method;
use monabs::abstraction::{Abstractor, Bits, Source};
use monabs::predicate::{Chosen, Store};
use monabs::scope::{Extent, Setting};
use smt::{Config, SolverChoice, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A step in terms of states, not of their numbers.
type Step = (u32, Bits, Local, Bits, Local);

/// All steps, with what they do to passive threads that do not just stay.
fn steps(template: &Template) -> BTreeMap<Step, BTreeMap<Local, BTreeSet<Local>>> {
    let local = |number: u32| template.locals[number as usize];
    let shared = |number: u32| template.shared[number as usize];
    let mut steps = BTreeMap::new();
    for transition in &template.transitions {
        let (from, to) = (transition.from, transition.to);
        let step = (transition.edge.0, shared(from.0), local(from.1), shared(to.0), local(to.1));
        let passive = transition.passive.iter();
        let passive = passive.map(|(from, to)| (local(*from), to.iter().map(|&to| local(to)).collect()));
        steps.insert(step, passive.collect());
    }
    steps
}

/// Some predicates: equations and orders between variables of one or two threads, and with literals.
fn predicates(program: &Program, setting: &Setting<'_>, random: &mut Random) -> (Store, Chosen) {
    let (mut store, mut chosen) = (Store::default(), Chosen::default());
    let mut terms: Vec<Term> = Vec::new();
    for variable in program.variables.iter().filter(|v| matches!(v.data_type.sort(), Sort::BitVec(_))) {
        terms.push(variable.term());
        if variable.scope == Scope::Local {
            terms.push(variable.passive_term());
        }
    }
    for _ in 0..1 + random.below(4) {
        let Some(&first) = terms.get(random.below(terms.len().max(1))) else { break };
        let same: Vec<Term> = terms.iter().copied().filter(|term| term.sort() == first.sort()).collect();
        let second = if random.chance(1, 3) {
            Term::bv(first.width(), random.below(2) as u128)
        } else {
            same[random.below(same.len())]
        };
        let term = if random.chance(1, 2) { first.equals(second) } else { first.ult(second) };
        let extent = if random.chance(1, 2) { Extent::Live } else { Extent::Assigned };
        if let Some(id) = store.add(setting, if random.chance(1, 3) { term.not() } else { term }, extent) {
            chosen.insert(&store, id);
        }
    }
    (store, chosen)
}

fn template(source: Source<'_, '_>, method: Method) -> Template {
    let mut abstractor = Abstractor::new(&SolverChoice::default(), &Config::default(), method, 2);
    explore(source, &mut abstractor, &|| false, 200_000).expect("the program is small")
}

#[test]
fn less_exact_methods_only_add_steps() {
    let mut compared = 0;
    for seed in 0..16 {
        let program = program_with(seed, Shape { atomic: false, ..Shape::default() });
        let setting = Setting::new(&program);
        let (store, chosen) = predicates(&program, &setting, &mut Random::new(seed + 1));
        let source = Source { setting: &setting, store: &store, chosen: &chosen };
        let precise = steps(&template(source, Method::Precise));
        for method in [Method::Lazy, Method::Cartesian(3), Method::Cartesian(1)] {
            let coarse = steps(&template(source, method));
            for (step, passive) in &precise {
                let more = coarse.get(step).unwrap_or_else(|| panic!("{seed}: {method:?} lacks {step:?}"));
                for (from, to) in passive.iter().filter(|(_, to)| !to.is_empty()) {
                    let stays = BTreeSet::from([*from]);
                    let other = more.get(from).unwrap_or(&stays);
                    assert!(
                        to.is_subset(other),
                        "{seed}: {method:?} loses what {from:?} can become in {step:?}"
                    );
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 250, "only {compared} steps were compared");
}
