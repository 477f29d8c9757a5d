//! From the syntax tree to the program, in passes. [`lower`] is the list; a pass knows only what it is given.
//!
//! 1. `file`: types, globals and functions of the file, with our models in front of the user's text (`declare`, `function`, `context`); bodies of the functions that are
//!    used become graphs (`graph`) of small operations, with values in registers and everything else in memory (`statement`, `expression`, `initializer`, `call`,
//!    `builtin`, `assembly`). What the other passes get of all that is the `code`.
//! 2. `expand`: calls are expanded, so that each thread is one graph. Before pointers are looked at, because expanding makes most of them known.
//!    Where copies would be too many (`call_graph`), functions get one graph for all calls (`shared`), which means the same.
//!    `unroll`: loops of the initial thread that create threads or wait for them get a copy for each round, if their number is known.
//! 3. `sites`: what runs at most once; objects for each allocation, with the types that their uses suggest. Needs the whole of each thread.
//! 4. `escape`: which objects other threads can see. Needs to know who points to what (`points_to`).
//!    `owned`: locals that several threads have one each of, and that others reach, become allocations, and `own_storage` does the same for thread-local variables. Then `sites` and `escape` again.
//! 5. `lifetime`: which objects may be dead when they are used; what is freed before `exposure`, where after it, since that makes new places. `stale`: which may be taken for later
//!    ones.
//! 6. `exposure`: what depends on the numbers of addresses becomes any value. Before layout, which chooses the numbers.
//! 7. `layout`: where objects lie, and whether they are scalars or bytes. Needs all accesses.
//! 8. `memory`, `emit`, `races`: objects become variables, operations become edges.
//! 9. `trivial`, `assumptions`, `inexact`: what holds because control never gets there, what is assumed, which steps are not exact.
//!
//! Then `reduce` makes the program small. Each memory access is one edge until then.

mod assembly;
mod assumptions;
mod builtin;
mod call;
mod call_graph;
mod code;
mod context;
mod declare;
mod emit;
mod escape;
mod expand;
mod exposure;
mod expression;
mod function;
mod graph;
mod inexact;
mod initializer;
mod layout;
mod lifetime;
mod memory;
pub mod options;
mod own_storage;
mod owned;
mod points_to;
mod races;
mod shared;
mod shown;
mod sites;
mod stale;
mod statement;
#[cfg(test)]
mod testing;
mod trivial;
mod unroll;

use crate::parse::Unit;
use crate::program::Program;
pub(crate) use builtin::{ARGUMENT, ERROR_FUNCTIONS};
use code::Code;
use context::{Entity, Lowerer, Refusal};
pub use options::{Options, Undefined};

/// What is wrong with an access to something that is gone.
pub const AFTER_LIFETIME: &str = "an object is used after its lifetime: it was freed, or its block was left";

/// Why a file did not become a program: places in the preprocessed text, and messages.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Byte offset in the preprocessed text.
    pub offset: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

/// A message without the names that our headers and models use inside.
pub(crate) fn shown_to_user(message: &str) -> String {
    shown::name(message).into_owned()
}

/// Translates a file, without making the program smaller.
pub fn lower(unit: &Unit, options: &Options) -> Result<Program, Vec<Problem>> {
    let watch = &options.watch;
    watch.begin("functions");
    let (mut code, main) = file(unit, options)?;
    watch.begin("calls");
    let mut expanded = expand::expand(&mut code, main);
    if expanded.too_large {
        return Err(vec![too_large(&code, main)]);
    }
    unroll::unroll(&code.registers, &mut expanded);
    watch.begin("sites");
    let mut heap = Heap::find(&mut code, &expanded);
    watch.begin("pointers");
    let mut sharing = heap.settle(&mut code, &expanded);
    let is_changed = owned::allocate(&mut code, &mut expanded, &sharing.conflicts);
    if own_storage::allocate(&mut code, &mut expanded, &sharing.conflicts) || is_changed {
        heap = Heap::find(&mut code, &expanded);
        sharing = heap.settle(&mut code, &expanded);
    }
    let points_to = points_to::analyse(&expanded, &code.types, &code.objects, &code.registers, &heap.sites);
    watch.begin("lifetimes");
    lifetime::end_with_thread(&mut expanded, &code.objects);
    let freed = lifetime::freed(&expanded, &code.objects, &points_to);
    let walks = stale::Walks {
        expanded: &expanded,
        objects: &code.objects,
        width: code.pointer_width(),
        registers: &code.registers,
        points_to: &points_to,
        conflicts: &sharing.conflicts,
    };
    let renewed = walks.renewed();
    watch.begin("addresses");
    let facts = exposure::Facts {
        types: &code.types,
        objects: &code.objects,
        points_to: &points_to,
        freed: &freed,
        renewed: &renewed,
        conflicts: &sharing.conflicts,
    };
    exposure::hide(&mut code.registers, &mut expanded, &facts);
    // Behind `exposure`, which makes new places.
    let lifetimes = lifetime::lifetimes(&expanded, freed, renewed, &points_to);
    watch.begin("layout");
    let Some(layouts) = layout::layouts(&code.types, &code.objects, &expanded, &points_to, &lifetimes) else {
        let message = "the objects of this program do not fit into its address space".to_owned();
        return Err(vec![Problem { offset: 0, message }]);
    };
    let names = code.registers.iter().map(|r| r.name).collect();
    let variables = memory::Variables::new(names, &unit.map);
    let known = memory::Known {
        types: &code.types,
        objects: &code.objects,
        lifetimes,
        points_to,
        layouts,
        shared: sharing.shared,
        bounds_checked: options.bounds_check,
    };
    watch.begin("steps");
    let memory = memory::Memory::new(known, variables);
    Ok(emit::emit(&code, &expanded, memory, heap.sites, sharing.conflicts))
}

/// Allocations and how often they run.
struct Heap {
    runs: sites::Runs,
    sites: Vec<sites::Site>,
}

impl Heap {
    /// An object for each allocation.
    fn find(code: &mut Code<'_>, expanded: &expand::Expanded) -> Heap {
        let runs = sites::runs(expanded);
        let sites = sites::sites(code, expanded, &runs);
        Heap { runs, sites }
    }

    /// Who points to what.
    fn pointers<'c>(&self, code: &'c Code<'_>, expanded: &expand::Expanded) -> points_to::PointsTo<'c> {
        points_to::analyse(expanded, &code.types, &code.objects, &code.registers, &self.sites)
    }

    /// Gives objects the types that their uses suggest, and as many copies as are needed; which are shared.
    ///
    /// Points-to is asked up to three times in all, because each answer changes its question: types that were found (there may be none, and then
    /// the first answer stands) say where in objects pointers can lie, which decides what other threads see; what they do not see has fewer objects, which
    /// the passes behind look at.
    fn settle(&mut self, code: &mut Code<'_>, expanded: &expand::Expanded) -> escape::Sharing {
        let mut points_to = self.pointers(code, expanded);
        let suggestions = sites::suggestions(code, expanded, &self.sites, &points_to);
        if !suggestions.is_empty() {
            sites::infer(code, suggestions);
            points_to = self.pointers(code, expanded);
        }
        let sharing =
            escape::sharing(expanded, &code.objects, &points_to, &self.runs, code.options.leak_check);
        sites::unshare(&mut self.sites, &mut code.objects, &sharing.shared);
        sharing
    }
}

/// Everything that the file declares, and the function to start with.
fn file<'a>(unit: &'a Unit, options: &'a Options) -> Result<(Code<'a>, graph::FunctionId), Vec<Problem>> {
    let mut lowerer = Lowerer::new(unit, options);
    lowerer.file();
    if !lowerer.errors.is_empty() {
        return Err(problems(lowerer.errors));
    }
    let refuse = |message: String| Err(vec![Problem { offset: 0, message }]);
    let missing = |label: &&String| !lowerer.error_labels.contains(*label);
    if let Some(label) = options.error_labels.iter().find(missing) {
        return refuse(format!("there is no label '{label}'"));
    }
    match lowerer.lookup(&options.function) {
        Some(Entity::Function(main)) => {
            let main = *main;
            Ok((lowerer.code, main))
        }
        _ => refuse(format!("there is no function '{}'", options.function)),
    }
}

fn too_large(code: &Code<'_>, main: graph::FunctionId) -> Problem {
    let message = format!(
        "the program has more than {} operations after calls are expanded; raise --max-operations, or split the functions",
        code.options.max_operations
    );
    let name = code.functions[main.index()].name;
    Problem { offset: code.definitions.get(&name).map_or(0, |d| d.span.start), message }
}

fn problems(errors: Vec<Refusal>) -> Vec<Problem> {
    errors.into_iter().map(|e| Problem { offset: e.offset, message: e.message }).collect()
}
