//! One state for many: threads sorted, dead locals zero.

use super::layout::{self, Cell, Layout, State};
use super::{Interpreter, SHARED};
use crate::program::{Scope, VariableId};
use smt::Value;
use std::cmp::Ordering;

/// Brings states into a normal form.
pub(super) struct Reducer<'i, 'a> {
    interpreter: &'i Interpreter<'a>,
    symmetry: bool,
    /// By location, locals that are not live there, and their zero.
    dead: Vec<Vec<(VariableId, Cell)>>,
    order: Vec<usize>,
    sorted: State,
}

impl<'i, 'a> Reducer<'i, 'a> {
    pub(super) fn new(
        interpreter: &'i Interpreter<'a>,
        symmetry: bool,
        forget_dead: bool,
    ) -> Reducer<'i, 'a> {
        let program = interpreter.program;
        let mut dead = vec![Vec::new(); program.locations.len()];
        if forget_dead {
            for (location, dead) in program.locations.iter().zip(&mut dead) {
                for (index, variable) in program.variables.iter().enumerate() {
                    let id = VariableId(index as u32);
                    if variable.scope == Scope::Local && location.live.binary_search(&id).is_err() {
                        dead.push((id, Cell::new(&Value::zero(variable.data_type.sort()))));
                    }
                }
            }
        }
        let order = (0..interpreter.threads).collect();
        Reducer { interpreter, symmetry, dead, order, sorted: State::default() }
    }

    /// For each thread of the state that was reduced last, its number before.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    pub(super) fn reduce(&mut self, state: &mut State) {
        let layout = &self.interpreter.layout;
        for thread in 0..self.interpreter.threads {
            for (variable, zero) in &self.dead[layout.location(state, thread).index()] {
                let base = layout.thread(thread);
                layout::write(state, base, layout.slot(*variable), zero.clone());
                if let Some(mask) = layout.mask(*variable) {
                    layout::clean(state, base, mask);
                }
            }
            self.order[thread] = thread;
        }
        if self.symmetry {
            self.order.sort_by(|&a, &b| compare(layout, state, a, b));
            if !self.order.is_sorted() {
                self.permute(state);
            }
        }
    }

    fn permute(&mut self, state: &mut State) {
        let layout = &self.interpreter.layout;
        let first = layout.thread(0);
        let (words, large) = layout.thread_size();
        self.sorted.words.clear();
        self.sorted.words.extend_from_slice(&state.words[SHARED.word..first.word]);
        self.sorted.large.clear();
        self.sorted.large.extend_from_slice(&state.large[SHARED.large..first.large]);
        for &thread in &self.order {
            let base = layout.thread(thread);
            self.sorted.words.extend_from_slice(&state.words[base.word..base.word + words]);
            self.sorted.large.extend_from_slice(&state.large[base.large..base.large + large]);
        }
        std::mem::swap(state, &mut self.sorted);
    }
}

fn compare(layout: &Layout, state: &State, a: usize, b: usize) -> Ordering {
    let (words, large) = layout.thread_size();
    let (a, b) = (layout.thread(a), layout.thread(b));
    let numbers = state.words[a.word..a.word + words].cmp(&state.words[b.word..b.word + words]);
    numbers.then_with(|| state.large[a.large..a.large + large].cmp(&state.large[b.large..b.large + large]))
}
