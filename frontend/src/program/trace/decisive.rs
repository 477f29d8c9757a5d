//! The values that decide about a violation: which index was outside, what the variables of a failed assertion were.

use super::names::{self, Names};
use super::{Access, Trace, TraceStep};
use crate::program::{Property, Target};

/// More values do not explain.
const MOST: usize = 4;

impl Trace<'_> {
    /// `counter is 1`: values of the variables in the condition of a violated property, those first that its description names.
    pub(super) fn decisive(&self, property: &Property, after: usize) -> Option<String> {
        if !matches!(property.target, Target::Location(_)) {
            return None;
        }
        let names = Names::new(self.program);
        let step = self.steps.get(after.checked_sub(1)?)?;
        let function = step.edge.origin.last().map(|origin| origin.function);
        let mut found: Vec<(String, String)> = Vec::new();
        for access in self.sources(&names, after) {
            let name = names.accessed(access, function);
            let value = names.infix.value(access.data_type(self.program), &access.value);
            if !found.iter().any(|(known, _)| *known == name) {
                found.push((name, value));
            }
        }
        let said = |text: &str| -> Vec<&(String, String)> {
            found.iter().filter(|(name, _)| names::mentions(text, name)).collect()
        };
        let last = step.edge.origin.last().map(|origin| origin.text.as_str()).unwrap_or_default();
        let all: Vec<&(String, String)> = found.iter().collect();
        let chosen = [said(&property.description), said(last), all];
        let chosen = chosen.into_iter().find(|values| (1..=MOST).contains(&values.len()))?;
        let shown: Vec<String> = chosen.iter().map(|(name, value)| format!("{name} is {value}")).collect();
        Some(shown.join(", "))
    }

    /// The user's variables in the condition; where it has a temporary, what that was read from.
    fn sources(&self, names: &Names<'_>, after: usize) -> Vec<&Access> {
        let mut sources = Vec::new();
        let Some(thread) = after.checked_sub(1).and_then(|last| self.steps.get(last)).map(|step| step.thread)
        else {
            return sources;
        };
        for access in self.conditions.get(&after).into_iter().flatten() {
            if !names.is_internal(access.variable) {
                sources.push(access);
                continue;
            }
            let sets = |step: &&TraceStep<'_>| {
                step.thread == thread && step.edge.assigned(access.variable).is_some()
            };
            let earlier = self.steps[..after - 1].iter().rev().find(sets);
            let read = earlier.into_iter().flat_map(|step| &step.accesses);
            sources.extend(read.filter(|read| !read.write && !names.is_internal(read.variable)));
        }
        sources
    }
}
