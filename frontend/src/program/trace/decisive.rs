//! The values that decide about a violation: which index was outside, what the variables of a failed assertion were.

use super::names::{self, Names};
use super::{Access, Change, Trace};
use crate::program::{Property, PropertyKind, Target};

/// More values do not explain.
const MOST: usize = 4;

impl Trace<'_> {
    /// `counter is 1`: values of the variables in the condition of a violated property, those first that its description names.
    pub(super) fn decisive(&self, property: &Property, after: usize) -> Option<String> {
        let is_said = matches!(property.kind, PropertyKind::Mutex | PropertyKind::Leak | PropertyKind::Free);
        if is_said || !matches!(property.target, Target::Location(_)) {
            return None;
        }
        let names = Names::new(self.program);
        let step = self.steps.get(after.checked_sub(1)?)?;
        let function = step.edge.origin.last().map(|origin| origin.function);
        let mut found: Vec<(String, String)> = Vec::new();
        let condition = self.conditions.get(&after)?.iter();
        // Whether a lock is taken decides when a thread can go on, not what is wrong then.
        let is_told = |access: &&Access| !names.is_internal(access.variable) && names.lock(access).is_none();
        for access in condition.filter(is_told) {
            let name = names.accessed(access, function);
            // The check stands at the end of its step, where what the step changes has its new value.
            let is_its = |change: &&Change| {
                change.variable == access.variable && change.thread.is_none_or(|own| own == step.thread)
            };
            let value = match (step.changes.iter().find(is_its), &access.index) {
                (Some(change), None) => &change.value,
                (Some(_), Some(_)) => continue,
                (None, _) => &access.value,
            };
            let value = names.infix.value(access.data_type(self.program), value);
            if !found.iter().any(|(known, _)| *known == name) {
                found.push((name, value));
            }
        }
        let said = |text: &str| -> Vec<&(String, String)> {
            found.iter().filter(|(name, _)| names::mentions(text, name)).collect()
        };
        let last = step.edge.origin.last().map(|origin| origin.text.as_str()).unwrap_or_default();
        let all: Vec<&(String, String)> = found.iter().collect();
        // An assertion has nothing but its condition; other checks have a part of a larger one.
        let first = if property.kind == PropertyKind::Assertion { all.clone() } else { Vec::new() };
        let chosen = [first, said(&property.description), said(last), all];
        let chosen = chosen.into_iter().find(|values| (1..=MOST).contains(&values.len()))?;
        let shown: Vec<String> = chosen.iter().map(|(name, value)| format!("{name} is {value}")).collect();
        Some(shown.join(", "))
    }
}
