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

#[cfg(test)]
mod tests {
    use crate::lower::points_to::analyse;
    use crate::lower::sites;
    use crate::lower::testing::expanded;

    /// The names of locals that other threads can see, and of those that several threads have.
    fn seen(text: &str) -> (Vec<String>, Vec<String>) {
        expanded(text, |code, expanded| {
            let runs = sites::runs(expanded);
            let points_to = analyse(expanded, &code.types, &code.objects, &code.registers, &[]);
            let found = super::sharing(expanded, &code.objects, &points_to, &runs, false);
            let name = |index: usize| code.objects[index].name.to_string();
            let shared = (0..code.objects.len()).filter(|index| found.shared[*index]).map(name);
            let shared = shared.filter(|name| name.contains("::")).collect();
            (shared, found.conflicts.iter().map(|object| name(object.index())).collect())
        })
    }

    #[test]
    fn a_local_is_shared_if_its_address_gets_out() {
        let (shared, conflicts) = seen(
            "int *g; void use(int *p) { *p = 1; } int main(void) { int a, b; g = &a; use(&b); return 0; }",
        );
        assert_eq!((shared, conflicts), (vec!["main::a".to_owned()], Vec::new()));
    }

    #[test]
    fn a_local_of_several_threads_is_a_conflict() {
        let (shared, conflicts) = seen(
            "int *g; void t(void) { int a; g = &a; } int main(void) { for (;;) { __CPROVER_ASYNC_1: t(); } }",
        );
        assert_eq!((shared, conflicts), (Vec::new(), vec!["t::a".to_owned()]));
    }
}
