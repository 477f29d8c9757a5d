//! Which objects other threads can see.
//!
//! Globals are shared, and heap objects if the end of the process looks for what is still allocated: the thread that ends it need not be theirs. A local in memory, or a heap object, is shared if its address is stored where another thread can find it: in a
//! shared object, or in what a new thread is given. Since all threads use the same number for "their" copy of an
//! unshared object, its address must never reach another thread; where one that does, while several threads have one each, is used through a
//! pointer, that is a limit (`emit::access`). Direct uses are exact as long as nobody gets there.

use super::expand::Expanded;
use super::graph::{Argument, Object, ObjectId, Op, Storage};
use super::points_to::PointsTo;
use super::sites::Runs;

/// What was found about sharing.
pub(crate) struct Sharing {
    /// By object.
    pub shared: Vec<bool>,
    /// Objects that other threads can reach though several threads have one each.
    pub conflicts: Vec<ObjectId>,
}

/// Decides for each object whether it is shared.
pub(crate) fn sharing(
    expanded: &Expanded,
    objects: &[Object],
    points_to: &PointsTo<'_>,
    runs: &Runs,
    leak_check: bool,
) -> Sharing {
    let mut shared: Vec<bool> = objects.iter().map(|o| o.storage == Storage::Static).collect();
    let mut open: Vec<ObjectId> = Vec::new();
    if leak_check && expanded.roots.len() > 1 {
        let is_leakable = |o: &Object| matches!(o.storage, Storage::Heap(_)) && !o.model;
        let leakable = objects.iter().enumerate().filter(|(_, object)| is_leakable(object));
        open.extend(leakable.map(|(index, _)| ObjectId(index as u32)));
    }
    for step in &expanded.steps {
        if let Op::Spawn(_, arguments, record) = &step.op {
            let terms = arguments.iter().filter_map(|a| match a {
                Argument::Scalar(term, _) => Some(*term),
                Argument::Aggregate(..) => None,
            });
            for term in terms.chain([*record]) {
                open.extend(points_to.of_term(term).iter().map(|(object, _)| object));
            }
        }
    }
    for (index, is_shared) in shared.iter().enumerate() {
        if *is_shared {
            open.extend(points_to.contents_of(ObjectId(index as u32)).map(|(object, _)| object));
        }
    }
    while let Some(object) = open.pop() {
        if !shared[object.index()] && !matches!(objects[object.index()].storage, Storage::Code(_)) {
            shared[object.index()] = true;
            open.extend(points_to.contents_of(object).map(|(inner, _)| inner));
        }
    }
    let mut conflicts = Vec::new();
    let users = users(expanded, objects.len());
    for (index, object) in objects.iter().enumerate() {
        let id = ObjectId(index as u32);
        let several = match object.storage {
            Storage::ThreadLocal => true,
            Storage::Automatic => {
                users[index].iter().any(|r| !runs.single[*r as usize]) || users[index].len() > 1
            }
            _ => false,
        };
        if shared[index] && several {
            conflicts.push(id);
            shared[index] = object.storage == Storage::Static;
        }
    }
    Sharing { shared, conflicts }
}

/// The roots whose code declares or names each object.
fn users(expanded: &Expanded, count: usize) -> Vec<Vec<u32>> {
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); count];
    for step in &expanded.steps {
        if let Op::Forget(object) | Op::Clear(object) = &step.op {
            let root = expanded.root_of[step.from.index()];
            if !users[object.index()].contains(&root) {
                users[object.index()].push(root);
            }
        }
        if let Op::Store(super::graph::Address::Object { object, .. }, ..) = &step.op {
            let root = expanded.root_of[step.from.index()];
            if !users[object.index()].contains(&root) {
                users[object.index()].push(root);
            }
        }
    }
    users
}
