//! From the syntax tree to the program, in passes:
//!
//! 1. `declare`, `records`, `attributes`, `function`: types, globals and functions of the file, with our models in front of the user's text.
//! 2. `statement`, `expression`, `operators`, `call`, `undefined`, `builtin`, `atomics`, `initializer`, `literal`: bodies of the functions that are
//!    used become graphs of small operations; values in registers, everything else in memory (`graph`).
//! 3. `expand`: calls are expanded, so that each thread is one graph. Before pointers are looked at, because expanding makes most of them known.
//! 4. `sites`: what runs at most once; an object for each allocation. Needs the whole of each thread.
//! 5. `points_to`: what the remaining pointers point to. Needs the heap objects.
//! 6. `escape`: which objects other threads can see. Needs to know who points to what.
//! 7. `memory`, `emit`, `races`: objects become variables, operations become edges.
//! 8. `trivial`, `assumptions`, `inexact`: what holds because control never gets there, what is assumed, which steps are not exact.
//!
//! Then `reduce` makes the program small. Each memory access is one edge until then.

mod aggregate;
mod assumptions;
mod atomics;
mod attributes;
mod blocks;
mod bounds;
mod builtin;
mod call;
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
#[cfg(test)]
mod layout_tests;
mod lifetime;
mod literal;
mod memory;
mod operators;
pub mod options;
mod order;
mod pieces;
mod points_to;
mod races;
mod records;
mod shown;
mod sites;
mod statement;
#[cfg(test)]
mod testing;
mod trivial;
mod typing;
mod undefined;
mod unset;

use crate::parse::Unit;
use crate::program::Program;
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

/// Translates a file, without making the program smaller.
pub fn lower(unit: &Unit, options: &Options) -> Result<Program, Vec<Problem>> {
    let mut lowerer = Lowerer::new(unit, options);
    lowerer.file();
    if !lowerer.errors.is_empty() {
        return Err(problems(std::mem::take(&mut lowerer.errors)));
    }
    let Some(Entity::Function(main)) = lowerer.lookup(&options.function).cloned() else {
        return Err(vec![Problem {
            offset: 0,
            message: format!("there is no function '{}'", options.function),
        }]);
    };
    let missing = |label: &&String| !lowerer.error_labels.contains(*label);
    if let Some(label) = options.error_labels.iter().find(missing) {
        return Err(vec![Problem { offset: 0, message: format!("there is no label '{label}'") }]);
    }
    let mut expanded = expand::expand(&mut lowerer, main);
    if expanded.too_large {
        let message = format!(
            "the program has more than {} operations after calls are expanded; raise --max-operations, or split the functions",
            options.max_operations
        );
        let name = lowerer.functions[main.index()].name;
        let offset = lowerer.definitions.get(&name).map_or(0, |d| d.span.start);
        return Err(vec![Problem { offset, message }]);
    }
    let runs = sites::runs(&expanded);
    let mut sites = sites::sites(&mut lowerer, &expanded, &runs);
    let hints = lowerer.hints.clone();
    let found = {
        let first =
            points_to::analyse(&expanded, &lowerer.types, &lowerer.objects, &lowerer.registers, &sites);
        sites::conversions(&hints, &first)
    };
    lowerer.infer(&expanded, &sites, &found);
    let types = lowerer.types.clone();
    let sharing = {
        let points_to = points_to::analyse(&expanded, &types, &lowerer.objects, &lowerer.registers, &sites);
        escape::sharing(&expanded, &lowerer.objects, &points_to, &runs)
    };
    sites::unshare(&mut sites, &mut lowerer.objects, &sharing.shared);
    let objects = lowerer.objects.clone();
    let points_to = points_to::analyse(&expanded, &types, &objects, &lowerer.registers, &sites);
    let lifetimes = lifetime::lifetimes(&expanded, &objects, &points_to);
    let facts = exposure::Facts {
        types: &types,
        objects: &objects,
        points_to: &points_to,
        lifetimes: &lifetimes,
        conflicts: &sharing.conflicts,
    };
    exposure::hide(&mut lowerer, &mut expanded, &facts);
    let Some(layouts) = layout::layouts(&types, &objects, &expanded, &points_to) else {
        let message = "the objects of this program do not fit into its address space".to_owned();
        return Err(vec![Problem { offset: 0, message }]);
    };
    let names = lowerer.registers.iter().map(|r| r.name).collect();
    let variables = memory::Variables::new(names, &unit.map);
    let known = memory::Known {
        types: &types,
        objects: &objects,
        points_to,
        layouts,
        shared: sharing.shared,
        lifetimes,
        bounds_checked: options.bounds_check,
    };
    let memory = memory::Memory::new(known, variables);
    Ok(emit::emit(&lowerer, &expanded, memory, sites, sharing.conflicts))
}

fn problems(errors: Vec<Refusal>) -> Vec<Problem> {
    errors.into_iter().map(|e| Problem { offset: e.offset, message: e.message }).collect()
}
