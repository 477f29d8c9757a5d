//! Reductions before the search, each sound and each switchable.
//!
//! The order matters: first what cannot happen ([`reach`]) and what cannot matter ([`relevance`]), because the
//! merges count remaining steps; local merges before shared ones, because they need steps that are single
//! transitions; relevance again after each merge, because merging makes steps useless.
//!
//! Verdicts carry over exactly. [`lift`] turns proofs of the reduced system into proofs about the user's
//! states, and [`crate::run`] turns reduced runs into runs of the user's transitions.

mod draft;
mod lift;
mod merge_local;
mod merge_shared;
mod reach;
mod relevance;

pub(crate) use lift::{Lift, ReducedProof, Unproved};

use crate::net::{Net, NetStep, OMEGA, Pairs, Transfers};
use crate::system::{Local, Multiset, Problem, Shared, State};
use draft::{Draft, DraftStep};
use reach::Reach;
use rustc_hash::FxHashMap;

/// Which reductions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Drop thread states and transitions that no run reaches.
    pub unreachable: bool,
    /// Drop transitions and local states that cannot matter for the target.
    pub irrelevant: bool,
    /// Merge forced steps.
    pub merge: bool,
}

/// Whether forced local steps are merged, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LocalMerges {
    /// Yes.
    Allowed,
    /// No: proofs about merged local states can be much larger than the reduced ones.
    Forbidden,
}

impl Reductions {
    /// All of them.
    pub const ALL: Reductions = Reductions { unreachable: true, irrelevant: true, merge: true };
    /// None of them.
    pub const NONE: Reductions = Reductions { unreachable: false, irrelevant: false, merge: false };
}

/// A reduced system and the way back.
pub(crate) struct Reduced {
    pub(crate) net: Net,
    pub(crate) lift: Lift,
}

/// No number in the reduced system.
const GONE: u32 = u32::MAX;

/// Applies the reductions.
pub(crate) fn reduce(problem: &Problem, which: Reductions, local_merges: LocalMerges) -> Reduced {
    let reach = if which.unreachable { Reach::compute(&problem.system, &problem.init) } else { None };
    let reach = reach.unwrap_or_else(Reach::everything);
    let mut draft = Draft::new(problem, |t| reach.may_fire(t));
    let possible =
        |t: &State| reach.shared(t.shared) && t.threads.pairs().iter().all(|&(l, _)| reach.pair(t.shared, l));
    let target_of_net = (0..problem.targets.len()).filter(|&i| possible(&problem.targets[i])).collect();
    draft.targets.retain(possible);
    if which.irrelevant {
        relevance::drop_irrelevant(&mut draft);
    }
    if which.merge {
        drop_duplicates(&mut draft);
        let merged = local_merges == LocalMerges::Allowed && merge_local::merge_local(&mut draft, &reach);
        if merged && which.irrelevant {
            relevance::drop_irrelevant(&mut draft);
        }
        if merge_shared::merge_shared(&mut draft) {
            drop_duplicates(&mut draft);
            if which.irrelevant {
                relevance::drop_irrelevant(&mut draft);
            }
        }
    }
    compile(draft, reach, target_of_net)
}

/// Of steps that do the same, the first is kept.
fn drop_duplicates(draft: &mut Draft<'_>) {
    const NONE: u32 = u32::MAX;
    let mut kept: Vec<DraftStep> = Vec::with_capacity(draft.steps.len());
    // Steps with the same hash form a chain, latest first.
    let mut latest: FxHashMap<u64, u32> = FxHashMap::default();
    let mut earlier: Vec<u32> = Vec::new();
    latest.reserve(draft.steps.len());
    for step in draft.steps.drain(..) {
        let hash = std::hash::BuildHasher::hash_one(&rustc_hash::FxBuildHasher, &step.transition);
        let head = latest.entry(hash).or_insert(NONE);
        let mut same = *head;
        while same != NONE && kept[same as usize].transition != step.transition {
            same = earlier[same as usize];
        }
        if same == NONE {
            earlier.push(*head);
            *head = kept.len() as u32;
            kept.push(step);
        }
    }
    draft.steps = kept;
}

/// Renumbers what is left.
fn compile(draft: Draft<'_>, reach: Reach, target_of_net: Vec<usize>) -> Reduced {
    let numbers = Numbers::new(&draft);
    let pairs = |threads: &Multiset| -> Pairs {
        threads.pairs().iter().map(|&(l, c)| (numbers.local[l as usize], c)).collect()
    };
    let renumber = |threads: &Multiset| Multiset::from_slice(&pairs(threads));
    let targets = draft.targets.iter().map(|t| (numbers.shared[t.shared as usize], pairs(&t.threads)));
    let targets: Vec<_> = targets.collect();
    let mut init: Pairs = Pairs::new();
    for &(l, c) in draft.init.bounded.pairs() {
        if numbers.local[l as usize] != GONE {
            crate::net::add(&mut init, numbers.local[l as usize], c);
        }
    }
    for &l in &draft.init.unbounded {
        if numbers.local[l as usize] != GONE {
            crate::net::add(&mut init, numbers.local[l as usize], OMEGA);
        }
    }
    let steps = draft.steps.iter().map(|step| {
        let t = &step.transition;
        let rules = t.transfers.iter().map(|r| {
            (numbers.local[r.from as usize], r.to.iter().map(|&l| numbers.local[l as usize]).collect())
        });
        NetStep {
            from: numbers.shared[t.from as usize],
            to: numbers.shared[t.to as usize],
            consume: renumber(&t.consume),
            produce: renumber(&t.produce),
            transfers: (!t.transfers.is_empty()).then(|| Box::new(Transfers::new(rules.collect()))),
            path: step.path.clone(),
        }
    });
    let init = (numbers.shared[draft.init.shared as usize], init);
    let steps: Vec<_> = steps.collect();
    let mut net = Net::new(numbers.shared_of.len(), numbers.local_of.len(), steps, init, targets);
    mark_reachable(&mut net, &draft, &reach, &numbers);
    net.drop_unreachable_sources();
    let reaches_target = reaches_target(&net);
    let mut forced_steps = draft.forced_steps;
    forced_steps.sort_unstable();
    let lift = Lift {
        reach,
        eliminated: draft.eliminated,
        forced: draft.forced,
        forced_steps,
        net_of_shared: numbers.shared,
        net_of_local: numbers.local,
        shared_of_net: numbers.shared_of,
        local_of_net: numbers.local_of,
        reaches_target,
        target_of_net,
    };
    Reduced { net, lift }
}

/// The shared states from which steps lead to one with a target.
fn reaches_target(net: &Net) -> Vec<bool> {
    let mut incoming: Vec<Vec<Shared>> = vec![Vec::new(); net.shared_states];
    for step in &net.steps {
        incoming[step.to as usize].push(step.from);
    }
    let mut reaches = vec![false; net.shared_states];
    let mut work: Vec<Shared> = net.targets.iter().map(|t| t.0).collect();
    while let Some(s) = work.pop() {
        if !std::mem::replace(&mut reaches[s as usize], true) {
            work.extend(&incoming[s as usize]);
        }
    }
    reaches
}

/// A merged local state is reachable where any of those it stands for is.
fn mark_reachable(net: &mut Net, draft: &Draft<'_>, reach: &Reach, numbers: &Numbers) {
    if reach.is_everything() {
        return;
    }
    for (s, &number) in numbers.shared_of.iter().enumerate() {
        for l in 0..draft.local_states() as Local {
            let local = numbers.local[draft.forced[l as usize] as usize];
            if local != GONE && reach.pair(number, l) {
                net.mark_reachable(s as Shared, local);
            }
        }
    }
}

/// The new numbers, in the order of the old ones.
struct Numbers {
    shared: Vec<u32>,
    local: Vec<u32>,
    shared_of: Vec<Shared>,
    local_of: Vec<Local>,
}

impl Numbers {
    fn new(draft: &Draft<'_>) -> Self {
        let mut shared = vec![GONE; draft.shared_states()];
        let mut local = vec![GONE; draft.local_states()];
        shared[draft.init.shared as usize] = 0;
        let mention = |table: &mut Vec<u32>, threads: &Multiset| {
            for &(l, _) in threads.pairs() {
                table[l as usize] = 0;
            }
        };
        for State { shared: s, threads } in &draft.targets {
            shared[*s as usize] = 0;
            mention(&mut local, threads);
        }
        for step in &draft.steps {
            shared[step.transition.from as usize] = 0;
            shared[step.transition.to as usize] = 0;
            mention(&mut local, &step.transition.consume);
            mention(&mut local, &step.transition.produce);
            for rule in &step.transition.transfers {
                for &l in rule.to.iter().chain([&rule.from]) {
                    local[l as usize] = 0;
                }
            }
        }
        let number = |table: &mut Vec<u32>| -> Vec<u32> {
            let mut of = Vec::new();
            for (old, new) in table.iter_mut().enumerate() {
                if *new == 0 {
                    *new = of.len() as u32;
                    of.push(old as u32);
                }
            }
            of
        };
        let (shared_of, local_of) = (number(&mut shared), number(&mut local));
        Self { shared, local, shared_of, local_of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Source;

    fn problem(text: &str) -> Problem {
        let input = crate::emdr::parse(Source { name: "t", text }).unwrap();
        Problem { system: input.system, init: input.init.unwrap(), targets: input.targets }
    }

    fn size(text: &str, which: Reductions) -> (usize, usize, usize) {
        let net = reduce(&problem(text), which, LocalMerges::Allowed).net;
        (net.shared_states, net.local_states, net.steps.len())
    }

    const CHAIN: &str = "#init 0/0\n#target 3|3\n5 5\n0 0->1 1\n1 1->2 2\n2 0->3 3\n4 0->3 3\n0 4->3 3\n";

    #[test]
    fn what_no_run_reaches_is_dropped() {
        let only = Reductions { unreachable: true, ..Reductions::NONE };
        assert_eq!(size(CHAIN, Reductions::NONE).2, 5);
        assert_eq!(size(CHAIN, only).2, 3, "4 0 and 0 4 cannot be reached");
    }

    #[test]
    fn what_cannot_matter_is_dropped() {
        let only = Reductions { irrelevant: true, ..Reductions::NONE };
        // The step into shared state 2 and the one to the unwatched local state 2 lead nowhere.
        let text = "#init 0/0\n#target 1|1\n3 3\n0 0->1 1\n1 1->2 1\n0 0->0 2\n";
        assert_eq!(size(text, only), (2, 2, 1));
    }

    #[test]
    fn chains_of_shared_states_become_one_step() {
        let reduced = reduce(&problem(CHAIN), Reductions::ALL, LocalMerges::Allowed);
        assert_eq!(reduced.net.steps.len(), 1);
        let step = &reduced.net.steps[0];
        assert_eq!(step.path.as_slice(), [0, 1, 2]);
        // One thread takes the first two steps, a second one the last.
        assert_eq!(step.consume.pairs(), [(0, 2)]);
    }

    #[test]
    fn forced_local_steps_are_merged_only_where_nothing_can_tell() {
        let merge = Reductions { merge: true, unreachable: true, irrelevant: true };
        let forced = "#init 0/0\n#target 1|2\n2 3\n0 0->0 1\n1 0->1 1\n0 1->1 2\n1 1->0 2\n";
        assert_eq!(size(forced, merge).1, 2, "0 and 1 are the same place");
        let seen = "#init 0/0\n#target 1|2\n2 3\n0 0->0 1\n1 0->1 1\n0 1->1 2 1~>2\n1 1->0 2\n";
        assert_eq!(size(seen, merge).1, 3, "a transfer moves threads in 1 but not in 0");
        let asked = "#init 0/0\n#target 1|0,2\n2 3\n0 0->0 1\n1 0->1 1\n0 1->1 2\n1 1->0 2\n";
        assert_eq!(size(asked, merge).1, 3, "the target asks for 0");
        let blocked = "#init 0/0\n#target 1|2\n2 3\n0 0->0 1\n0 1->1 2\n1 1->0 2\n";
        assert_eq!(size(blocked, merge).1, 3, "under 1 a thread cannot leave 0");
    }
}
