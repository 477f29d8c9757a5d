//! Are all predecessors of an element in X?
//!
//! The predecessors of everything above an element u by a transition t are closed upward. Their minimal
//! states are among the following. Let r be above u and p a predecessor of r: then p = `t.consume` + A, the
//! threads in A follow the rules and become B, and r = B + `t.produce`. Because r is above u, B has in every
//! local state b at least u(b) - produce(b) threads. So B includes the *rest*: what is left of u when as much
//! as possible is taken from `t.produce`. Taking less from it would only ask for more threads in B, thus in p.
//! Each thread of the rest came from one in A, in a *source* of its local state: a is a source of b if a has a
//! rule that allows b, or if a = b has no rule. So p is above `t.consume` + (one source for each thread of the
//! rest), and every such choice is itself a predecessor of a state above u. X is closed upward, hence it
//! contains all predecessors if it contains the states of all choices.
//!
//! A transition *touches* a local state if it produces it or if a rule other than `a ~> a` mentions it. If it
//! touches none of u's local states then the rest is u, each source of b is b itself, and the only minimal
//! predecessor is u + `t.consume` in the shared state `t.from`. For `t.from` = `t.to` that is above u. For
//! the others it does not depend on what t produces, so transitions with equal ends and equal `consume` are
//! asked about once.

use super::members::Members;
use crate::system::{Local, Multiset, Shared, State, System, Transfer, Transition};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The transitions of a system in the order in which the check needs them.
pub(super) struct Predecessors<'a> {
    transitions: &'a [Transition],
    /// By shared state after the step: the transitions that come from another shared state, by that state.
    entering: FxHashMap<Shared, Vec<(Shared, Vec<Class<'a>>)>>,
    /// By shared state after the step and touched local state, ascending.
    touching: FxHashMap<(Shared, Local), Vec<usize>>,
    /// For each transition with rules, (b, a) for each rule of a that allows b, ascending.
    allowed_by: FxHashMap<usize, Vec<(Local, Local)>>,
    /// How many states were looked up in X.
    pub(super) examined: u64,
}

/// Transitions with the same ends that consume the same.
struct Class<'a> {
    consume: &'a Multiset,
    members: Vec<usize>,
}

/// Threads of the rest in one local state that has several sources.
struct Group {
    size: u32,
    sources: SmallVec<[Local; 4]>,
}

/// Sources chosen so far: for all groups before `group`, and for `chosen` threads of that one. Its further
/// threads come from `source` or a later source, so that each multiset of sources occurs once.
struct Choice {
    threads: Multiset,
    group: usize,
    chosen: u32,
    source: usize,
}

impl<'a> Predecessors<'a> {
    /// Transitions that can only fire inside X are left out: all their predecessors are in X.
    pub(super) fn new(system: &'a System, members: &Members) -> Self {
        let transitions = &system.transitions[..];
        let mut this = Self {
            transitions,
            entering: FxHashMap::default(),
            touching: FxHashMap::default(),
            allowed_by: FxHashMap::default(),
            examined: 0,
        };
        let mut entering = Vec::new();
        for (id, t) in transitions.iter().enumerate() {
            this.examined += 1;
            if members.contain(t.from, t.consume.pairs()) {
                continue;
            }
            if t.from != t.to {
                entering.push(id);
            }
            for local in touched(t) {
                this.touching.entry((t.to, local)).or_default().push(id);
            }
            if !t.transfers.is_empty() {
                let one = |rule: &'a Transfer| rule.to.iter().map(|&b| (b, rule.from));
                let mut allowed_by: Vec<_> = t.transfers.iter().flat_map(one).collect();
                allowed_by.sort_unstable();
                this.allowed_by.insert(id, allowed_by);
            }
        }
        let ends = |id: &usize| (transitions[*id].to, transitions[*id].from);
        let consume = |id: &usize| &transitions[*id].consume;
        entering.sort_by(|a, b| (ends(a), consume(a)).cmp(&(ends(b), consume(b))));
        for same_ends in entering.chunk_by(|a, b| ends(a) == ends(b)) {
            let class =
                |members: &[usize]| Class { consume: consume(&members[0]), members: members.to_vec() };
            let classes = same_ends.chunk_by(|a, b| consume(a) == consume(b)).map(class).collect();
            let (to, from) = ends(&same_ends[0]);
            this.entering.entry(to).or_default().push((from, classes));
        }
        this
    }

    /// A transition and a predecessor of a state above `element` by it that is not in X, if there is one.
    pub(super) fn missing(&mut self, members: &Members, element: &State) -> Option<(usize, State)> {
        let touching = self.touching(element);
        for &id in &touching {
            let t = &self.transitions[id];
            if let Some(threads) = self.missing_by(members, id, &element.threads) {
                return Some((id, State { shared: t.from, threads }));
            }
        }
        for (from, classes) in self.entering.get(&element.shared).into_iter().flatten() {
            // If X has the element's threads in this shared state then it has them together with others, too.
            self.examined += 1;
            if members.contain(*from, element.threads.pairs()) {
                continue;
            }
            for class in classes {
                let threads = sum(&element.threads, class.consume);
                self.examined += 1;
                if members.contain(*from, threads.pairs()) {
                    continue;
                }
                if let Some(&id) = class.members.iter().find(|id| touching.binary_search(id).is_err()) {
                    return Some((id, State { shared: *from, threads }));
                }
            }
        }
        None
    }

    /// The transitions into the element's shared state that touch one of its local states, ascending.
    fn touching(&self, element: &State) -> Vec<usize> {
        let mut all = Vec::new();
        for &(local, _) in element.threads.pairs() {
            all.extend(self.touching.get(&(element.shared, local)).into_iter().flatten().copied());
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A choice of sources that gives a predecessor outside X.
    fn missing_by(&mut self, members: &Members, id: usize, element: &Multiset) -> Option<Multiset> {
        let t = &self.transitions[id];
        let mut threads = t.consume.clone();
        let mut groups = Vec::new();
        for &(local, count) in element.pairs() {
            let rest = count.saturating_sub(t.produce.count(local));
            if rest == 0 {
                continue;
            }
            let sources = self.sources(id, local);
            match sources[..] {
                [] => return None,
                [source] => threads.add(source, rest),
                _ => groups.push(Group { size: rest, sources }),
            }
        }
        // X is closed upward: as soon as the threads so far are in X, so is every way to go on.
        let mut in_x = |threads: &Multiset| {
            self.examined += 1;
            members.contain(t.from, threads.pairs())
        };
        if in_x(&threads) {
            return None;
        }
        if groups.is_empty() {
            return Some(threads);
        }
        let mut open = vec![Choice { threads, group: 0, chosen: 0, source: 0 }];
        while let Some(Choice { threads, group, chosen, source }) = open.pop() {
            let Some(Group { size, sources }) = groups.get(group) else { return Some(threads) };
            if chosen == *size {
                open.push(Choice { threads, group: group + 1, chosen: 0, source: 0 });
                continue;
            }
            // One more thread came from this source (all others, if it is the last source), or no more did.
            let last = source + 1 == sources.len();
            let step = if last { size - chosen } else { 1 };
            let mut more = threads.clone();
            more.add(sources[source], step);
            if !last {
                open.push(Choice { threads, group, chosen, source: source + 1 });
            }
            if !in_x(&more) {
                open.push(Choice { threads: more, group, chosen: chosen + step, source });
            }
        }
        None
    }

    /// The local states from which a passive thread can have come to `local`, ascending by rule.
    fn sources(&self, id: usize, local: Local) -> SmallVec<[Local; 4]> {
        let mut sources = SmallVec::new();
        if let Some(allowed_by) = self.allowed_by.get(&id) {
            let start = allowed_by.partition_point(|pair| pair.0 < local);
            sources.extend(allowed_by[start..].iter().take_while(|p| p.0 == local).map(|p| p.1));
        }
        if self.transitions[id].transfer(local).is_none() {
            sources.push(local);
        }
        sources
    }
}

/// The local states that the transition touches.
fn touched(t: &Transition) -> FxHashSet<Local> {
    let produced = t.produce.pairs().iter().map(|pair| pair.0);
    let moving = t.transfers.iter().filter(|rule| rule.to != [rule.from]);
    produced.chain(moving.flat_map(|rule| rule.to.iter().copied().chain([rule.from]))).collect()
}

/// The sum of two multisets. Counts saturate, which gives a smaller state: if X contains that one then it
/// contains the exact one, so a proof is never accepted for this reason.
fn sum(a: &Multiset, b: &Multiset) -> Multiset {
    let mut sum = a.clone();
    for &(local, count) in b.pairs() {
        sum.add(local, count);
    }
    sum
}
