//! A backward proof from a complete forward search.
//!
//! When the forward search has seen everything, whether a state is coverable is a look-up. Target set widening
//! (thesis, section 4.1.2) then never guesses wrong: each cover predecessor is replaced by a minimal
//! uncoverable state below it, and no backtracking is needed. The result satisfies condition (iv) of
//! definition 24: everything strictly below an element is coverable.

use crate::antichain::{States, UpwardClosed};
use crate::invariant::Pruner;
use crate::limits::Stop;
use crate::net::{Net, Pairs, Part};
use crate::oracle::KarpMiller;
use crate::reduce::ReducedProof;
use crate::system::{Local, Shared};

/// A proof with more elements than this is worth the search for invariants.
const MANY: usize = 2_000;

/// What the search for these invariants may cost, in units of work.
const PROOF_WORK: u64 = 10_000_000;

/// A proof, unless it is stopped; the forward search must be exhausted without covering a target.
pub(crate) fn proof_from_cover(net: &Net, forward: &KarpMiller<'_>, stop: &Stop<'_>) -> Option<ReducedProof> {
    let mut pruner = Pruner::new(net);
    if let Some(elements) = elements(net, forward, &mut pruner, MANY, stop) {
        return Some(ReducedProof { elements, invariants: Vec::new() });
    }
    pruner.pay(PROOF_WORK);
    let elements = elements(net, forward, &mut pruner, usize::MAX, stop)?;
    Some(ReducedProof { elements, invariants: pruner.invariants().to_vec() })
}

/// The elements of a proof, unless there are too many or it is stopped.
fn elements(
    net: &Net,
    forward: &KarpMiller<'_>,
    pruner: &mut Pruner<'_>,
    most: usize,
    stop: &Stop<'_>,
) -> Option<Vec<(Shared, Pairs)>> {
    let (mut states, mut above) = (States::default(), UpwardClosed::default());
    let mut consider = |states: &mut States, s: Shared, threads: &[(Local, u32)]| {
        if above.find_below(states, s, threads, None).is_none() && !pruner.try_to_exclude(s, threads) {
            let smallest = shrink(forward, s, threads);
            let id = states.push(s, &smallest);
            above.insert(states, id);
        }
    };
    for (s, threads) in &net.targets {
        consider(&mut states, *s, threads);
    }
    let mut next = 0;
    while (next as usize) < states.len() {
        if states.len() > most || stop.is_requested() {
            return None;
        }
        let (s, threads) = (states.shared(next), Pairs::from_slice(states.threads(next)));
        net.steps_into(s, &threads, &mut |step| {
            let from = net.steps[step as usize].from;
            net.cover_predecessors(step, &threads, &mut |before, part| {
                if part == Part::Whole && !net.is_unreachable(from, before) {
                    consider(&mut states, from, before);
                }
                false
            });
        });
        next += 1;
    }
    Some((0..states.len() as u32).map(|id| (states.shared(id), states.threads(id).into())).collect())
}

/// Takes threads away as long as the rest is uncoverable.
fn shrink(forward: &KarpMiller<'_>, s: Shared, threads: &[(Local, u32)]) -> Pairs {
    let mut kept = Pairs::from_slice(threads);
    for &(l, _) in threads {
        // First all threads of a kind at once, then one by one.
        let without: Pairs = kept.iter().copied().filter(|p| p.0 != l).collect();
        if forward.find_cover(s, &without).is_none() {
            kept = without;
            continue;
        }
        while let Some(index) = kept.iter().position(|p| p.0 == l && p.1 > 1) {
            let mut fewer = kept.clone();
            fewer[index].1 -= 1;
            if forward.find_cover(s, &fewer).is_some() {
                break;
            }
            kept = fewer;
        }
    }
    kept
}
