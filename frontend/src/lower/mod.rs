//! From the syntax tree to the program, in passes. [`lower`] is the list; a pass knows only what it is given.
//!
//! 1. `file`: types, globals and functions of the file, with our models in front of the user's text (`declare`, `function`, `context`); bodies of the functions that are
//!    used become graphs (`graph`) of small operations, with values in registers and everything else in memory (`statement`, `expression`, `initializer`, `call`,
//!    `builtin`, `assembly`).
//! 2. `expand`: calls are expanded, so that each thread is one graph. Before pointers are looked at, because expanding makes most of them known.
//!    Where copies would be too many (`call_graph`), functions get one graph for all calls (`shared`), which means the same.
//! 3. `sites`: what runs at most once; objects for each allocation, with the types that their uses suggest. Needs the whole of each thread.
//! 4. `escape`: which objects other threads can see. Needs to know who points to what (`points_to`).
//!    `owned`: locals that several threads have one each of, and that others reach, become allocations. Then `sites` and `escape` again.
//! 5. `lifetime`: which objects may be dead when they are used.
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
mod owned;
mod points_to;
mod races;
mod shared;
mod shown;
mod sites;
mod statement;
#[cfg(test)]
mod testing;
mod trivial;

use crate::parse::Unit;
use crate::program::Program;
pub(crate) use builtin::{ARGUMENT, ERROR_FUNCTIONS};
use context::{Entity, Lowerer, Refusal};
pub use options::{Options, Undefined};

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
    let mut lowerer = Lowerer::new(unit, options);
    let main = file(&mut lowerer)?;
    watch.begin("calls");
    let mut expanded = expand::expand(&mut lowerer, main);
    if expanded.too_large {
        return Err(vec![too_large(&lowerer, main)]);
    }
    watch.begin("sites");
    let mut runs = sites::runs(&expanded);
    let mut sites = sites::sites(&mut lowerer, &expanded, &runs);
    watch.begin("pointers");
    infer_types(&mut lowerer, &expanded, &sites);
    let mut sharing = share(&mut lowerer, &expanded, &runs, &mut sites);
    if owned::allocate(&mut lowerer, &mut expanded, &sharing.conflicts) {
        runs = sites::runs(&expanded);
        sites = sites::sites(&mut lowerer, &expanded, &runs);
        infer_types(&mut lowerer, &expanded, &sites);
        sharing = share(&mut lowerer, &expanded, &runs, &mut sites);
    }
    let (types, objects) = (lowerer.types.clone(), lowerer.objects.clone());
    let points_to = points_to::analyse(&expanded, &types, &objects, &lowerer.registers, &sites);
    watch.begin("lifetimes");
    let lifetimes = lifetime::lifetimes(&expanded, &objects, &points_to);
    watch.begin("addresses");
    let facts = exposure::Facts {
        types: &types,
        objects: &objects,
        points_to: &points_to,
        lifetimes: &lifetimes,
        conflicts: &sharing.conflicts,
    };
    exposure::hide(&mut lowerer, &mut expanded, &facts);
    watch.begin("layout");
    let Some(layouts) = layout::layouts(&types, &objects, &expanded, &points_to) else {
        let message = "the objects of this program do not fit into its address space".to_owned();
        return Err(vec![Problem { offset: 0, message }]);
    };
    let names = lowerer.registers.iter().map(|r| r.name).collect();
    let variables = memory::Variables::new(names, &unit.map);
    let known = memory::Known {
        types: &types,
        objects: &objects,
        // Again, since there are new places.
        lifetimes: lifetime::lifetimes(&expanded, &objects, &points_to),
        points_to,
        layouts,
        shared: sharing.shared,
        bounds_checked: options.bounds_check,
    };
    watch.begin("steps");
    let memory = memory::Memory::new(known, variables);
    Ok(emit::emit(&lowerer, &expanded, memory, sites, sharing.conflicts))
}

/// Everything that the file declares, and the function to start with.
fn file(lowerer: &mut Lowerer<'_>) -> Result<graph::FunctionId, Vec<Problem>> {
    lowerer.file();
    if !lowerer.errors.is_empty() {
        return Err(problems(std::mem::take(&mut lowerer.errors)));
    }
    let refuse = |message: String| Err(vec![Problem { offset: 0, message }]);
    let missing = |label: &&String| !lowerer.error_labels.contains(*label);
    if let Some(label) = lowerer.options.error_labels.iter().find(missing) {
        return refuse(format!("there is no label '{label}'"));
    }
    match lowerer.lookup(&lowerer.options.function) {
        Some(Entity::Function(main)) => Ok(*main),
        _ => refuse(format!("there is no function '{}'", lowerer.options.function)),
    }
}

fn too_large(lowerer: &Lowerer<'_>, main: graph::FunctionId) -> Problem {
    let message = format!(
        "the program has more than {} operations after calls are expanded; raise --max-operations, or split the functions",
        lowerer.options.max_operations
    );
    let name = lowerer.functions[main.index()].name;
    Problem { offset: lowerer.definitions.get(&name).map_or(0, |d| d.span.start), message }
}

/// Allocations that were made as `void *` have the type that their uses suggest.
fn infer_types(lowerer: &mut Lowerer<'_>, expanded: &expand::Expanded, sites: &[sites::Site]) {
    let found = {
        let points_to =
            points_to::analyse(expanded, &lowerer.types, &lowerer.objects, &lowerer.registers, sites);
        sites::conversions(&lowerer.hints, &points_to)
    };
    lowerer.infer(expanded, sites, &found);
}

/// Which objects are shared; what is not shared needs fewer copies.
fn share(
    lowerer: &mut Lowerer<'_>,
    expanded: &expand::Expanded,
    runs: &sites::Runs,
    sites: &mut [sites::Site],
) -> escape::Sharing {
    let sharing = {
        let points_to =
            points_to::analyse(expanded, &lowerer.types, &lowerer.objects, &lowerer.registers, sites);
        escape::sharing(expanded, &lowerer.objects, &points_to, runs, lowerer.options.leak_check)
    };
    sites::unshare(sites, &mut lowerer.objects, &sharing.shared);
    sharing
}

fn problems(errors: Vec<Refusal>) -> Vec<Problem> {
    errors.into_iter().map(|e| Problem { offset: e.offset, message: e.message }).collect()
}
