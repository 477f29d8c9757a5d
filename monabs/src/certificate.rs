//! What the engines found, as a certificate that is written and judged by `certify`.

use crate::abstraction::system::Abstraction;
use crate::predicate::{Chosen, PredicateId, Store};
use crate::scope::Setting;
use crate::verify::Evidence;
use breach::proof::Proof;
use certify::Certificate;
use certify::abstraction::{Abstraction as Certified, Count, Local, Predicate};
use frontend::program::{EdgeId, LocationId, Program};
use std::collections::BTreeSet;

/// The certificate of an abstraction whose targets are not coverable, about the program as it was before counts were added.
pub(crate) fn certified(
    original: &Program,
    setting: &Setting<'_>,
    (store, chosen): (&Store, &Chosen),
    abstraction: &Abstraction,
    proof: &Proof,
) -> Certified {
    let (program, counting, template) = (setting.program, &setting.counting, &abstraction.template);
    // Ends of threads that are told apart are locations of their own, in the order of the edges.
    let edges = original.edges.iter().zip(&program.edges).enumerate();
    let ends = edges.filter(|(_, (one, other))| one.to != other.to);
    let ends = ends.map(|(index, _)| EdgeId(index as u32)).collect();
    let counts = counting.counts.iter().map(|count| Count {
        name: program.variable(count.variable).name.to_string(),
        locations: count.locations.clone(),
    });
    let facts = counting.equations.iter().filter(|equation| equation.fact);
    let locals = template.locals.iter().map(|local| Local { location: local.location, bits: local.bits });
    let mut occurs = vec![BTreeSet::new(); template.shared.len()];
    for &(shared, local) in &template.occurring {
        occurs[shared as usize].insert(local);
    }
    Certified {
        ends,
        counts: counts.collect(),
        bound: counting.assumed_bound(),
        facts: facts.map(|equation| equation.left.equals(equation.right)).collect(),
        carriers: setting.identities.carriers.clone(),
        shared_predicates: predicates(setting, store, &chosen.shared),
        thread_predicates: predicates(setting, store, &chosen.thread),
        shared: template.shared.clone(),
        locals: locals.collect(),
        error: abstraction.error,
        occurs,
        edges: abstraction.edges.clone(),
        problem: abstraction.problem.clone(),
        proof: proof.clone(),
    }
}

fn predicates(setting: &Setting<'_>, store: &Store, chosen: &[PredicateId]) -> Vec<Predicate> {
    let there = |holds: &dyn Fn(LocationId) -> bool| setting.locations().filter(|at| holds(*at)).collect();
    let predicate = |id: &PredicateId| {
        let predicate = store.get(*id);
        let is_shared = predicate.own.is_empty() && predicate.other.is_empty();
        let scope = |location| !is_shared && predicate.in_scope(location);
        let about = |location| predicate.concerns(location);
        Predicate { term: predicate.term, scope: there(&scope), about: there(&about) }
    };
    chosen.iter().map(predicate).collect()
}

/// The certificate of any evidence; `abstraction` is the one of the loop.
pub fn certificate(evidence: &Evidence, abstraction: Option<&Certified>) -> Option<Certificate> {
    Some(match evidence {
        Evidence::Proof(_) => Certificate::Abstraction(Box::new(abstraction?.clone())),
        Evidence::Tree(proof) => Certificate::Tree(proof.clone()),
        Evidence::Exhausted(seen) => Certificate::States { threads: seen.threads, states: seen.states },
        Evidence::Orders(seen) => {
            Certificate::Orders { unwind: seen.unwind, threads: seen.threads, states: seen.states }
        }
        Evidence::Bounded(explored) => Certificate::Bounds {
            unwind: explored.unwind,
            rounds: explored.rounds,
            threads: explored.threads,
        },
    })
}
