//! Choices in few bits: a value that a step chooses, and whose range its guard says, has as many bits as the range needs.
//!
//! `int i = nondet(); assume(0 <= i && i < 4);` is one step whose guard bounds `i`, and what is computed from `i` afterwards, such as the address of an element, has two
//! bits that are open instead of 32. Nothing is lost: a choice matters only if its step is taken, and then the guard holds.

use engine::unwind::{Step, Unwinding, chosen};
use frontend::program::Program;
use rustc_hash::FxHashMap;
use smt::ranges::Ranges;
use smt::{Sort, Substitution, Symbol, Term};
use std::borrow::Cow;

/// By choice, what stands for it; only those that get smaller.
pub(crate) type Narrow = FxHashMap<Term, Term>;

/// Puts smaller choices into all steps, and says which.
pub(crate) fn run<'a>(program: &Program, unwinding: &'a Unwinding) -> (Cow<'a, Unwinding>, Narrow) {
    let mut narrow = Narrow::default();
    for (thread, graph) in unwinding.threads.iter().enumerate() {
        for (node, steps) in graph.nodes.iter().enumerate() {
            for (number, step) in steps.steps.iter().enumerate() {
                bounded(program, step, (thread, node, number), &mut narrow);
            }
        }
    }
    if narrow.is_empty() {
        return (Cow::Borrowed(unwinding), narrow);
    }
    let mut substitution = Substitution::new(narrow.clone());
    let mut unwinding = unwinding.clone();
    for node in unwinding.threads.iter_mut().flat_map(|thread| &mut thread.nodes) {
        for step in &mut node.steps {
            step.guard = substitution.apply(step.guard);
            let starts = step.starts.iter_mut().flat_map(|start| &mut start.assign);
            for (_, term) in step.assign.iter_mut().chain(&mut step.broadcast).chain(starts) {
                *term = substitution.apply(*term);
            }
        }
        for (_, _, index) in &mut node.accesses {
            *index = index.map(|index| substitution.apply(index));
        }
    }
    (Cow::Owned(unwinding), narrow)
}

/// Notes the choices of a step that its guard bounds.
fn bounded(program: &Program, step: &Step, place: (usize, usize, usize), narrow: &mut Narrow) {
    let inputs = &program.edge(step.edge).inputs;
    if inputs.is_empty() {
        return;
    }
    let ranges = Ranges::implied_by(step.guard);
    for input in inputs {
        let choice = chosen(input, place);
        let Some((name, width)) = choice.as_constant().zip(choice.sort().width()) else { continue };
        let Some((_, last)) = ranges.bounds(choice) else { continue };
        let bits = u128::BITS - last.leading_zeros();
        if bits == 0 {
            narrow.insert(choice, Term::bv(width, 0));
        } else if bits < width {
            let small = Term::constant(Symbol::new(&format!("{name}.{bits}")), Sort::BitVec(bits));
            narrow.insert(choice, small.zero_extend(width - bits));
        }
    }
}
