//! Which objects may be dead when a pointer to them is used.
//!
//! A heap object that some `free` may be given, and a local whose block may have been left, have a variable that says whether they live
//! (`Memory::alive`). Looking at it costs a predicate, so locals are first looked at along the control flow: their own thread can
//! use a dead one only at nodes that can be reached from the end of its block without passing the beginning again.
//! Other threads may use it at any time.
//!
//! To look along the control flow takes a walk for each local. In programs where the walks would be too long, the remaining locals may be dead
//! everywhere, which is no less than they are.

use super::expand::{Expanded, Step};
use super::graph::{Address, NodeId, Object, ObjectId, Op, Stop, Storage, address_name};
use super::points_to::PointsTo;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Symbol;
use std::collections::BTreeSet;

/// What was found about lifetimes.
#[derive(Debug, Default)]
pub(crate) struct Lifetimes {
    /// Heap objects that may be freed.
    freed: FxHashSet<ObjectId>,
    /// Locals that pointers point to and whose block is left: the thread they belong to, and where they may be dead.
    locals: FxHashMap<ObjectId, Ends>,
    /// Locals whose address changes when their block is left ([`super::stale`]).
    renewed: FxHashSet<ObjectId>,
    root_of: Vec<u32>,
}

#[derive(Debug)]
struct Ends {
    root: u32,
    dead: Dead,
}

/// Where a local may be dead.
#[derive(Debug)]
enum Dead {
    At(FxHashSet<NodeId>),
    Everywhere,
}

impl Dead {
    fn contains(&self, node: NodeId) -> bool {
        match self {
            Dead::At(nodes) => nodes.contains(&node),
            Dead::Everywhere => true,
        }
    }
}

/// So many nodes are visited in all walks together.
const MOST_VISITS: usize = 4_000_000;

impl Lifetimes {
    /// Whether an access through a pointer at the node has to make sure that the object lives.
    pub(crate) fn is_checked(&self, object: ObjectId, at: NodeId) -> bool {
        if self.freed.contains(&object) {
            return true;
        }
        let Some(ends) = self.locals.get(&object) else { return false };
        self.root_of[at.index()] != ends.root || ends.dead.contains(at)
    }

    /// Whether the address of the local changes when its block is left.
    pub(crate) fn is_renewed(&self, object: ObjectId) -> bool {
        self.renewed.contains(&object)
    }

    /// Whether the heap object may be freed.
    pub(crate) fn is_freed(&self, object: ObjectId) -> bool {
        self.freed.contains(&object)
    }

    /// Whether some access looks at whether the local lives.
    pub(crate) fn is_tracked(&self, object: ObjectId) -> bool {
        self.locals.contains_key(&object)
    }
}

/// A thread that ends itself, wherever it is, leaves all blocks that it is in: those of its variables that somebody may point to are no more.
pub(crate) fn end_with_thread(expanded: &mut Expanded, objects: &[Object]) {
    let stops: Vec<usize> = (0..expanded.steps.len())
        .filter(|index| matches!(expanded.steps[*index].op, Op::Stop(Stop::Ends)))
        .collect();
    if stops.is_empty() {
        return;
    }
    let mut mentioned: FxHashSet<Symbol> = FxHashSet::default();
    let mut begun: FxHashMap<u32, BTreeSet<ObjectId>> = FxHashMap::default();
    for step in &expanded.steps {
        step.op.for_each_term(&mut |term| {
            mentioned.extend(term.constants().into_iter().filter_map(|constant| constant.as_constant()));
        });
        if let Op::Forget(object) | Op::Clear(object) = &step.op {
            begun.entry(expanded.root_of[step.from.index()]).or_default().insert(*object);
        }
    }
    for stop in stops {
        let root = expanded.root_of[expanded.steps[stop].from.index()];
        for object in begun.get(&root).into_iter().flatten() {
            let about = &objects[object.index()];
            if about.storage == Storage::Automatic && mentioned.contains(&address_name(about.name)) {
                let step = Step { op: Op::Dead(*object), ..expanded.steps[stop].clone() };
                put_before(expanded, stop, step);
            }
        }
    }
}

/// Puts a step before another one.
fn put_before(expanded: &mut Expanded, index: usize, step: Step) {
    let node = NodeId(expanded.nodes.len() as u32);
    expanded.nodes.push(step.source);
    expanded.root_of.push(expanded.root_of[step.from.index()]);
    expanded.steps[index].from = node;
    expanded.steps.push(Step { to: node, ..step });
}

/// Heap objects that some `free` may be given.
pub(crate) fn freed(
    expanded: &Expanded,
    objects: &[Object],
    points_to: &PointsTo<'_>,
) -> FxHashSet<ObjectId> {
    let mut freed = FxHashSet::default();
    for step in &expanded.steps {
        if let Op::Free(pointer) = &step.op {
            let targets = points_to.of_term(*pointer);
            let targets = targets.iter().map(|(object, _)| object);
            freed.extend(targets.filter(|o| matches!(objects[o.index()].storage, Storage::Heap(_))));
        }
    }
    freed
}

/// Finds the objects whose end matters.
pub(crate) fn lifetimes(
    expanded: &Expanded,
    freed: FxHashSet<ObjectId>,
    renewed: FxHashSet<ObjectId>,
    points_to: &PointsTo<'_>,
) -> Lifetimes {
    let mut ended: FxHashMap<ObjectId, Vec<NodeId>> = FxHashMap::default();
    for step in &expanded.steps {
        if let Op::Dead(object) = &step.op {
            ended.entry(*object).or_default().push(step.to);
        }
    }
    let used = if ended.is_empty() { FxHashMap::default() } else { uses(expanded, &ended, points_to) };
    let from = if used.is_empty() { Vec::new() } else { steps_from(expanded) };
    let mut locals = FxHashMap::default();
    let mut used: Vec<(ObjectId, Vec<NodeId>)> = used.into_iter().collect();
    used.sort_unstable();
    let mut visits = MOST_VISITS;
    for (object, uses) in used {
        let root = ended[&object].first().map_or(0, |node| expanded.root_of[node.index()]);
        let dead = reachable(expanded, &from, &ended[&object], object, &mut visits);
        let dead = dead.map_or(Dead::Everywhere, Dead::At);
        // Only objects that some use may find dead need a variable.
        if uses.iter().any(|node| expanded.root_of[node.index()] != root || dead.contains(*node)) {
            locals.insert(object, Ends { root, dead });
        }
    }
    Lifetimes { freed, locals, renewed, root_of: expanded.root_of.clone() }
}

/// Where pointers to the objects are used.
fn uses(
    expanded: &Expanded,
    ended: &FxHashMap<ObjectId, Vec<NodeId>>,
    points_to: &PointsTo<'_>,
) -> FxHashMap<ObjectId, Vec<NodeId>> {
    let mut uses: FxHashMap<ObjectId, Vec<NodeId>> = FxHashMap::default();
    for step in &expanded.steps {
        let (Op::Load(_, address, _) | Op::Store(address, ..)) = &step.op else { continue };
        if !matches!(address, Address::Pointer { .. }) {
            continue;
        }
        for (object, _) in points_to.targets(address).iter() {
            if ended.contains_key(&object) {
                uses.entry(object).or_default().push(step.from);
            }
        }
    }
    uses
}

fn steps_from(expanded: &Expanded) -> Vec<Vec<u32>> {
    let mut from = vec![Vec::new(); expanded.nodes.len()];
    for (index, step) in expanded.steps.iter().enumerate() {
        from[step.from.index()].push(index as u32);
    }
    from
}

/// Nodes that control can reach from the ends of an object without its beginning; none if that takes more visits than are left.
fn reachable(
    expanded: &Expanded,
    from: &[Vec<u32>],
    ends: &[NodeId],
    object: ObjectId,
    visits: &mut usize,
) -> Option<FxHashSet<NodeId>> {
    let mut found: FxHashSet<NodeId> = ends.iter().copied().collect();
    let mut open: Vec<NodeId> = ends.to_vec();
    while let Some(node) = open.pop() {
        *visits = visits.checked_sub(1)?;
        for step in from[node.index()].iter().map(|&index| &expanded.steps[index as usize]) {
            let is_born = matches!(&step.op, Op::Forget(o) | Op::Clear(o) if *o == object);
            if !is_born && found.insert(step.to) {
                open.push(step.to);
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{freed, lifetimes};
    use crate::lower::points_to::analyse;
    use crate::lower::sites;
    use crate::lower::testing::expanded;
    use rustc_hash::FxHashSet;

    /// The names of objects that may be freed, and of locals that may be dead when they are used.
    fn ends(text: &str) -> (Vec<String>, Vec<String>) {
        expanded(text, |code, expanded| {
            let runs = sites::runs(expanded);
            let sites = sites::sites(code, expanded, &runs);
            let points_to = analyse(expanded, &code.types, &code.objects, &code.registers, &sites);
            let found = lifetimes(
                expanded,
                freed(expanded, &code.objects, &points_to),
                FxHashSet::default(),
                &points_to,
            );
            let all = || (0..code.objects.len() as u32).map(crate::lower::graph::ObjectId);
            let name = |object: crate::lower::graph::ObjectId| code.objects[object.index()].name.to_string();
            let freed = all().filter(|object| found.is_freed(*object)).map(name).collect();
            (freed, all().filter(|object| found.is_tracked(*object)).map(name).collect())
        })
    }

    #[test]
    fn only_what_may_be_given_to_free_is_freed() {
        let text = "extern void *malloc(unsigned long); extern void free(void *); \
            int main(void) { int *p = malloc(4); int *q = malloc(4); *q = 1; free(p); return *q; }";
        assert_eq!(ends(text).0.len(), 1);
    }

    #[test]
    fn a_local_is_tracked_only_if_it_may_be_dead_when_used() {
        let text = "int main(void) { int *p; { int a = 1; p = &a; } { int b = 1; int *q = &b; *q = 2; } return *p; }";
        assert_eq!(ends(text).1, ["main::a"]);
    }
}
