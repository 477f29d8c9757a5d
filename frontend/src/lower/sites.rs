//! Which operations run at most once, and the heap objects of allocation sites.

use super::code::Code;
use super::expand::{Expanded, Trust};
use super::graph::{Callee, NodeId, ObjectId, Op, Origin, Storage};
use super::points_to::PointsTo;
use super::shared::SharedCall;
use crate::types::Type;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How often things run.
pub(crate) struct Runs {
    /// Nodes on a cycle.
    cyclic: Vec<bool>,
    /// Roots that at most one thread runs.
    pub single: Vec<bool>,
}

/// Finds cycles, and the roots that are started at most once.
pub(crate) fn runs(expanded: &Expanded) -> Runs {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(expanded.nodes.len(), expanded.steps.len());
    for _ in &expanded.nodes {
        graph.add_node(());
    }
    let mut cyclic = vec![false; expanded.nodes.len()];
    // Calls of shared functions go from before to behind them, and not into them: from there, control returns to one place only.
    let calls = expanded.shared_calls.iter();
    let calls: FxHashSet<_> =
        calls.flat_map(|call| [(call.from, call.entry), (call.exit, call.to)]).collect();
    let own = expanded.steps.iter().map(|step| (step.from, step.to)).filter(|ends| !calls.contains(ends));
    for (from, to) in own.chain(expanded.shared_calls.iter().map(|call| (call.from, call.to))) {
        graph.add_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), ());
        cyclic[from.index()] |= from == to;
    }
    for component in kosaraju_scc(&graph) {
        if component.len() > 1 {
            component.iter().for_each(|n| cyclic[n.index()] = true);
        }
    }
    repeat_shared(expanded, &graph, &mut cyclic);
    let mut runs = Runs { cyclic, single: vec![false; expanded.roots.len()] };
    runs.single[0] = true;
    // A root is single if one operation starts it, which runs at most once; roots start others, so repeat.
    loop {
        let mut changed = false;
        for (index, root) in expanded.roots.iter().enumerate().skip(1) {
            let starts =
                |op: &Op| matches!(op, Op::Spawn(Callee::Direct(f), ..) if Some(*f) == root.function);
            let mut starters = expanded.steps.iter().filter(|s| starts(&s.op));
            let once = match (starters.next(), starters.next()) {
                (Some(step), None) => runs.once(expanded, step.from.index()),
                _ => false,
            };
            if once && !runs.single[index] {
                runs.single[index] = true;
                changed = true;
            }
        }
        if !changed {
            return runs;
        }
    }
}

/// A shared function runs repeatedly if it has several calls, or one that runs repeatedly.
fn repeat_shared(expanded: &Expanded, graph: &DiGraph<(), ()>, cyclic: &mut [bool]) {
    let mut calls: FxHashMap<NodeId, u32> = FxHashMap::default();
    let mut called_from: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    for call in &expanded.shared_calls {
        *calls.entry(call.entry).or_insert(0) += 1;
        called_from.entry(call.from).or_default().push(call.entry);
    }
    let is_repeated = |call: &&SharedCall| calls[&call.entry] > 1 || cyclic[call.from.index()];
    let mut open: Vec<NodeId> =
        expanded.shared_calls.iter().filter(is_repeated).map(|call| call.entry).collect();
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            cyclic[node.index()] = true;
            open.extend(called_from.get(&node).into_iter().flatten());
            let next = graph.neighbors(NodeIndex::new(node.index()));
            open.extend(next.map(|next| NodeId(next.index() as u32)));
        }
    }
}

impl Runs {
    /// Whether at most one thread passes the node, at most once.
    pub(crate) fn once(&self, expanded: &Expanded, node: usize) -> bool {
        !self.cyclic[node] && self.single[expanded.root_of[node] as usize]
    }
}

/// Locals of which there is one life in all: one step begins it, which runs at most once.
pub(crate) fn born_once(expanded: &Expanded) -> FxHashSet<ObjectId> {
    let runs = runs(expanded);
    let (mut once, mut again) = (FxHashSet::default(), FxHashSet::default());
    for step in &expanded.steps {
        if let Op::Forget(object) | Op::Clear(object) = &step.op
            && (!runs.once(expanded, step.from.index()) || !once.insert(*object))
        {
            again.insert(*object);
        }
    }
    once.retain(|object| !again.contains(object));
    once
}

/// The largest allocation that is modelled; real ones of more fail.
const LARGEST: u64 = 1 << 30;
/// The largest object, in bytes, of which several lie in one variable.
const LARGEST_IN_SLOTS: u64 = 256;

/// An allocation: the step, its objects, and whether it runs at most once.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub step: usize,
    /// One with as many slots as needed; several if their contents are too large, or too unknown, to lie in one variable.
    pub objects: Vec<ObjectId>,
    pub once: bool,
    /// Not in a loop: each thread runs it at most once.
    pub once_per_thread: bool,
    /// Whether there is one object more than may be in use: where memory is freed, a new object can then have another address than any given one that is gone,
    /// so there is a run in which the use of that one is seen.
    pub spare: bool,
}

/// Makes an object for each allocation.
pub(crate) fn sites(code: &mut Code<'_>, expanded: &Expanded, runs: &Runs) -> Vec<Site> {
    let mut sites = Vec::new();
    let frees = expanded.steps.iter().any(|step| matches!(step.op, Op::Free(_)) && step.trust == Trust::None);
    for (index, step) in expanded.steps.iter().enumerate() {
        let Op::Allocate { ty, size, origin, .. } = &step.op else { continue };
        let once = runs.once(expanded, step.from.index());
        let slots = match (once, *origin == Origin::Record) {
            (true, _) => 1,
            (false, true) => code.options.thread_identities,
            (false, false) => code.options.objects_per_site,
        };
        let spare = !once && *origin == Origin::Heap && frees;
        let slots = slots + u64::from(spare);
        let bytes = size.as_bits().and_then(|b| b.to_u128()).and_then(|n| u64::try_from(n).ok());
        if bytes.is_some_and(|bytes| bytes > LARGEST) {
            continue;
        }
        let ty = match ty {
            Some(ty) => code.sized(ty, bytes),
            None => Type::Array(Rc::new(crate::types::CHAR), bytes),
        };
        let line = code.unit.map.position(step.source.span.0 as usize).line;
        let kind = match origin {
            Origin::Record => "thread",
            Origin::Stack => "stack",
            Origin::Heap => "heap",
        };
        let name = format!("{kind}:{line}");
        let offset = step.source.span.0 as usize;
        let is_large = bytes.is_none_or(|bytes| bytes > LARGEST_IN_SLOTS);
        let (count, slots) = if is_large { (slots, 1) } else { (1, slots) };
        let mut objects = Vec::new();
        for _ in 0..count {
            let object = code.new_object(&name, ty.clone(), Storage::Heap(slots), offset);
            code.objects[object.index()].model = step.model || *origin == Origin::Stack;
            code.objects[object.index()].freeable = *origin != Origin::Stack;
            objects.push(object);
        }
        let once_per_thread = !runs.cyclic[step.from.index()];
        sites.push(Site { step: index, objects, once, once_per_thread, spare });
    }
    sites
}

impl Code<'_> {
    /// As many elements of a type as fit. A struct that ends in an array without a length is one, with as many elements as there
    /// is room for. What does not divide evenly is bytes.
    pub(crate) fn sized(&mut self, ty: &Type, bytes: Option<u64>) -> Type {
        if let Some(flexible) = self.types.with_room(ty, bytes) {
            return flexible;
        }
        let unit = self.types.size(ty).unwrap_or(1).max(1);
        match bytes {
            Some(bytes) if !bytes.is_multiple_of(unit) => {
                Type::Array(Rc::new(crate::types::CHAR), Some(bytes))
            }
            Some(bytes) if bytes / unit == 1 => ty.clone(),
            Some(bytes) => Type::Array(Rc::new(ty.clone()), Some(bytes / unit)),
            None => Type::Array(Rc::new(ty.clone()), None),
        }
    }
}

/// A type for an allocation that was made as `void *`.
pub(crate) struct Suggestion {
    objects: Vec<ObjectId>,
    ty: Type,
    /// The size of the allocation.
    bytes: Option<u64>,
}

/// Types for allocations that were made as `void *`: what the pointer was converted to later.
pub(crate) fn suggestions(
    code: &Code<'_>,
    expanded: &Expanded,
    sites: &[Site],
    points_to: &PointsTo<'_>,
) -> Vec<Suggestion> {
    let targets = conversions(&code.hints, points_to);
    let mut found = Vec::new();
    for site in sites {
        let Op::Allocate { ty: None, size, .. } = &expanded.steps[site.step].op else { continue };
        let bytes = size.as_bits().and_then(|b| b.to_u128()).and_then(|n| u64::try_from(n).ok());
        let candidates = targets.iter().filter(|(o, t)| site.objects.contains(o) && code.is_complete(t));
        if let Some(best) = candidates.map(|(_, t)| t).max_by_key(|t| code.types.size(t)) {
            found.push(Suggestion { objects: site.objects.clone(), ty: best.clone(), bytes });
        }
    }
    found
}

/// Follows the suggestions.
pub(crate) fn infer(code: &mut Code<'_>, suggestions: Vec<Suggestion>) {
    for Suggestion { objects, ty, bytes } in suggestions {
        let ty = code.sized(&ty, bytes);
        objects.into_iter().for_each(|object| code.objects[object.index()].ty = ty.clone());
    }
}

/// Objects that no other thread sees need only as many copies as their own thread makes.
pub(crate) fn unshare(sites: &mut [Site], objects: &mut [super::graph::Object], shared: &[bool]) {
    for site in sites {
        if site.once_per_thread && site.objects.iter().all(|object| !shared[object.index()]) {
            (site.once, site.spare) = (true, false);
            site.objects.truncate(1);
            for object in &site.objects {
                objects[object.index()].storage = Storage::Heap(1);
            }
        }
    }
}

/// What each conversion of a `void *` says about the objects it may point to.
fn conversions(hints: &[(smt::Term, Type)], points_to: &PointsTo<'_>) -> Vec<(ObjectId, Type)> {
    let mut found = Vec::new();
    for (term, ty) in hints {
        for (object, _) in points_to.of_term(*term).iter() {
            found.push((object, ty.clone()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{runs, sites, unshare};
    use crate::lower::testing::expanded;

    const MALLOC: &str = "extern void *malloc(unsigned long); int *g;";

    #[test]
    fn what_runs_once_has_one_object() {
        let text = format!(
            "{MALLOC} int main(void) {{ int *p = malloc(4); while (p) {{ int *q = malloc(4); g = q; }} return 0; }}"
        );
        let once = expanded(&text, |code, expanded| {
            let runs = runs(expanded);
            sites(code, expanded, &runs).iter().map(|site| site.once).collect::<Vec<_>>()
        });
        assert_eq!(once, [true, false]);
    }

    #[test]
    fn what_no_other_thread_sees_is_counted_by_thread() {
        let text = format!(
            "{MALLOC} void t(void) {{ int *p = malloc(4); *p = 1; }} int main(void) {{ for (;;) {{ __CPROVER_ASYNC_1: t(); }} }}"
        );
        expanded(&text, |code, expanded| {
            let runs = runs(expanded);
            let mut sites = sites(code, expanded, &runs);
            assert!(!sites[0].once);
            let shared = vec![false; code.objects.len()];
            unshare(&mut sites, &mut code.objects, &shared);
            assert!(sites[0].once && sites[0].objects.len() == 1);
        });
    }
}
