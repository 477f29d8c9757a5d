//! Transition refinement: which steps of an abstract run the exact template does not have (section 5.1 of the thesis).
//!
//! For each step it is asked whether the active thread's step is possible with its bits, and if so, whether it is possible together with each
//! passive thread that has not gone to the sink. What is not becomes a constraint of the tables that were asked.

use super::explore::Local;
use super::plan::Known;
use super::system::Abstraction;
use super::{Abstractor, Source};
use crate::limits::Stop;
use breach::trace::{Role, Trace};

impl Abstractor {
    /// How many steps of a run are impossible; the tables know it afterwards.
    pub fn spurious_steps(
        &mut self,
        source: Source<'_, '_>,
        abstraction: &Abstraction,
        trace: &Trace,
    ) -> Result<usize, Stop> {
        let template = &abstraction.template;
        let mut threads: Vec<Option<u32>> = trace.threads.iter().copied().map(Some).collect();
        let mut spurious = 0;
        for step in &trace.steps {
            let mut after = threads.clone();
            let mut active = None;
            for change in &step.moves {
                let thread = change.thread as usize;
                if thread >= after.len() {
                    after.resize(thread + 1, None);
                }
                after[thread] = change.to;
                if change.role == Role::Active {
                    active = Some(thread);
                }
            }
            if let (Some(transition), Some(active)) = (template.transitions.get(step.transition), active) {
                let state = |local: u32| template.locals.get(local as usize).copied();
                let known = Known {
                    shared: template.shared[transition.from.0 as usize],
                    active: template.locals[transition.from.1 as usize].bits,
                    shared_after: template.shared[transition.to.0 as usize],
                    active_after: template.locals[transition.to.1 as usize].bits,
                    passive: 0,
                };
                let plan = self.active_plan(source, transition.edge)?;
                if !self.confirm(&plan, &known, (known.shared_after, known.active_after))? {
                    spurious += 1;
                } else if !source.setting.is_error(template.locals[transition.to.1 as usize].location) {
                    for (thread, before) in threads.iter().enumerate().filter(|(thread, _)| *thread != active)
                    {
                        let (Some(before), Some(after)) =
                            (before.and_then(state), after[thread].and_then(state))
                        else {
                            continue;
                        };
                        if !self.confirm_passive(source, transition.edge, known, before, after)? {
                            spurious += 1;
                        }
                    }
                }
            }
            threads = after;
        }
        Ok(spurious)
    }

    fn confirm_passive(
        &mut self,
        source: Source<'_, '_>,
        edge: frontend::program::EdgeId,
        known: Known,
        before: Local,
        after: Local,
    ) -> Result<bool, Stop> {
        let Some(plan) = self.passive_plan(source, edge, before.location)? else { return Ok(true) };
        let known = Known { passive: before.bits, ..known };
        self.confirm(&plan, &known, (0, after.bits))
    }
}
