//! Steps from states in which some bits are unknown.

use super::layout::{self, Cell, State};
use super::lazy::{Plan, Unknown};
use super::machine::{Frame, Machine};
use super::{Interpreter, Owner, Slot, Step, crosscheck, mask};
use crate::program::VariableId;
use smt::Value;

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fired {
    /// The guard does not hold.
    No,
    /// The step was made.
    Yes,
    /// It depends on unknown bits.
    Looked,
}

impl Interpreter<'_> {
    /// Makes the step if its guard holds and no unknown bit decides anything. See [`Interpreter::fire`].
    pub(super) fn attempt(
        &self,
        machine: &mut Machine,
        step: Step<'_>,
        inputs: &[Cell],
        passive: &[Cell],
        next: &mut State,
    ) -> Fired {
        let Some(plan) = &self.plan else { return self.fire_known(machine, step, inputs, passive, next) };
        let edge = &self.edges[step.edge.index()];
        let masks = plan.inputs(step.edge.index());
        let active = self.layout.thread(step.thread);
        let frame = Frame { state: step.state, active, passive: active, inputs, passive_inputs: &[] };
        if masks.is_empty() && self.reads_known(step, frame) {
            return self.fire_known(machine, step, inputs, passive, next);
        }
        if edge.broadcast.is_some() {
            return Fired::Looked;
        }
        machine.run_masked(&edge.code.instructions[..edge.guard_end], frame, masks);
        if machine.masks.number(edge.guard) != 0 {
            return Fired::Looked;
        }
        if machine.number(edge.guard) == 0 {
            debug_assert!(
                crosscheck::covers(self, step, inputs, masks, None),
                "unknown bits matter to a guard"
            );
            return Fired::No;
        }
        machine.run_masked(&edge.code.instructions[edge.guard_end..], frame, masks);
        next.copy_from(step.state);
        for write in &edge.writes {
            let base = frame.base(write.owner);
            layout::write(next, base, write.slot, machine.cell(write.register));
            match write.mask {
                Some(slot) => layout::write(next, base, slot, machine.masks.cell(write.register)),
                None if machine.masks.is_clean(write.register) => {}
                None => return Fired::Looked,
            }
        }
        self.layout.set_location(next, step.thread, edge.to);
        debug_assert!(
            crosscheck::covers(self, step, inputs, masks, Some(next)),
            "unknown bits matter to a step"
        );
        Fired::Yes
    }

    /// The initial values that are open.
    pub(super) fn open_at_start(&self) -> &[Unknown] {
        self.plan.as_ref().map_or(&[], Plan::initial)
    }

    /// Forgets the value of a variable as a thread sees it, if it has a mask.
    pub(super) fn open(&self, state: &mut State, variable: VariableId, thread: usize) {
        if let Some(slot) = self.layout.mask(variable) {
            let sort = self.program.variable(variable).data_type.sort();
            self.set_value(state, thread, variable, &Value::zero(sort));
            layout::write(state, self.base(variable, thread), slot, Cell::new(&mask::all(sort)));
        }
    }

    fn fire_known(
        &self,
        machine: &mut Machine,
        step: Step<'_>,
        inputs: &[Cell],
        passive: &[Cell],
        next: &mut State,
    ) -> Fired {
        if self.fire(machine, step, inputs, passive, next) { Fired::Yes } else { Fired::No }
    }

    /// Whether everything that the edge reads is known, also in passive threads.
    fn reads_known(&self, step: Step<'_>, frame: Frame<'_>) -> bool {
        let edge = &self.edges[step.edge.index()];
        let known = |frame: Frame<'_>, masks: &[(Owner, Slot)]| {
            masks.iter().all(|&(owner, mask)| layout::is_clean(frame.state, frame.base(owner), mask))
        };
        let Some(broadcast) = &edge.broadcast else { return known(frame, &edge.masks) };
        let mut others = (0..self.threads).filter(|&thread| thread != step.thread);
        known(frame, &edge.masks)
            && others
                .all(|thread| known(Frame { passive: self.layout.thread(thread), ..frame }, &broadcast.masks))
    }
}
