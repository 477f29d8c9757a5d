//! Writes systems as `.spec` files that [`super::parse()`] reads back.
//!
//! The inverse of [`super::rule`]: what a transition consumes becomes its guard, and the constant of a variable v
//! is what is produced in v minus what is consumed of v's sources. Nothing is left to defaults that tools could
//! read differently: `init` lists all variables, an empty guard is written `x >= 0`.

use super::lex::is_variable_name;
use crate::input::Input;
use crate::system::{InitialStates, Local, State, System, Transition};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Why a system cannot be written as a `.spec` file; [`crate::convert`] makes it fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotExpressible {
    /// A net has no shared state beside its variables.
    #[error("the system has {0} shared states, which a Petri net can only have as places")]
    SharedStates(u32),
    /// A net has at least one variable.
    #[error("the system has no local states")]
    NoVariables,
    /// Passive threads choose where to go.
    #[error("transition {0} lets passive threads choose where to go, which one rule cannot say")]
    Choice(usize),
}

/// Writes the whole input, question included.
pub fn print(input: &Input) -> Result<String, NotExpressible> {
    let system = &input.system;
    if system.shared_states != 1 {
        return Err(NotExpressible::SharedStates(system.shared_states));
    }
    let mut printer = Printer { names: variable_names(system), text: String::new() };
    if printer.names.is_empty() {
        return Err(NotExpressible::NoVariables);
    }
    let _ = write!(printer.text, "vars\n    {}\n\nrules\n", printer.names.join(" "));
    for (id, transition) in system.transitions.iter().enumerate() {
        printer.rule(transition).ok_or(NotExpressible::Choice(id))?;
    }
    printer.text.push_str("\ninit\n");
    if let Some(init) = &input.init {
        printer.init(init);
    }
    printer.text.push_str("\ntarget\n");
    for target in &input.targets {
        printer.target(target);
    }
    Ok(printer.text)
}

/// The names of the local states if they are good and different names of variables, otherwise `l0`, `l1` and so on.
pub(crate) fn variable_names(system: &System) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let names = &system.local_names;
    if names.len() == system.local_states as usize
        && names.iter().all(|name| is_variable_name(name) && seen.insert(name))
    {
        return names.clone();
    }
    (0..system.local_states).map(|l| format!("l{l}")).collect()
}

struct Printer {
    names: Vec<String>,
    text: String,
}

impl Printer {
    fn name(&self, variable: Local) -> &str {
        self.names.get(variable as usize).map_or("?", String::as_str)
    }

    /// `x >= k, y = j`; where there is nothing to say, something that always holds.
    fn conjunction(&mut self, conditions: impl IntoIterator<Item = (Local, &'static str, u32)>) {
        let show = |(variable, relation, count)| format!("{} {relation} {count}", self.name(variable));
        let mut conditions: Vec<_> = conditions.into_iter().map(show).collect();
        if conditions.is_empty() {
            conditions.push(show((0, ">=", 0)));
        }
        self.text.push_str("    ");
        self.text.push_str(&conditions.join(", "));
    }

    fn init(&mut self, init: &InitialStates) {
        let condition = |l| {
            let relation = if init.unbounded.binary_search(&l).is_ok() { ">=" } else { "=" };
            (l, relation, init.bounded.count(l))
        };
        self.conjunction((0..self.names.len() as Local).map(condition));
        self.text.push('\n');
    }

    fn target(&mut self, target: &State) {
        self.conjunction(target.threads.pairs().iter().map(|&(l, c)| (l, ">=", c)));
        self.text.push('\n');
    }

    /// One rule; `None` if a passive thread has a choice.
    fn rule(&mut self, t: &Transition) -> Option<()> {
        let effects = effects(t)?;
        self.conjunction(t.consume.pairs().iter().map(|&(l, c)| (l, ">=", c)));
        let mut shown: Vec<_> = effects
            .iter()
            .filter(|(v, e)| e.sources != [**v] || e.constant != 0)
            .map(|(&v, e)| self.effect(v, e))
            .collect();
        if shown.is_empty() {
            shown.push(self.effect(0, &Effect { sources: vec![0], constant: 0 }));
        }
        let _ = writeln!(self.text, " ->\n        {};", shown.join(",\n        "));
        Some(())
    }

    fn effect(&self, variable: Local, effect: &Effect) -> String {
        let sources: Vec<_> = effect.sources.iter().map(|&w| self.name(w)).collect();
        let mut text = format!("{}' = {}", self.name(variable), sources.join(" + "));
        let _ = match effect.constant {
            constant if sources.is_empty() => write!(text, "{constant}"),
            0 => Ok(()),
            constant if constant < 0 => write!(text, " - {}", -constant),
            constant => write!(text, " + {constant}"),
        };
        text
    }
}

/// The right side of an effect.
#[derive(Default)]
struct Effect {
    sources: Vec<Local>,
    constant: i64,
}

/// The effects on all variables that take part in a transition.
fn effects(t: &Transition) -> Option<BTreeMap<Local, Effect>> {
    let destination = |w: Local| match t.transfer(w).map(|rule| rule.to.as_slice()) {
        None => Some(Some(w)),
        Some([]) => Some(None),
        Some(&[to]) => Some(Some(to)),
        Some(_) => None,
    };
    let mut effects: BTreeMap<Local, Effect> = BTreeMap::new();
    for &(variable, count) in t.produce.pairs() {
        effects.entry(variable).or_default().constant = i64::from(count);
    }
    for local in t.consume.pairs().iter().map(|p| p.0).chain(t.transfers.iter().map(|r| r.from)) {
        effects.entry(local).or_default();
    }
    for local in t.transfers.iter().flat_map(|r| &r.to) {
        effects.entry(*local).or_default();
    }
    let variables: Vec<_> = effects.keys().copied().collect();
    for from in variables {
        if let Some(to) = destination(from)? {
            let effect = effects.entry(to).or_default();
            effect.sources.push(from);
            effect.constant -= i64::from(t.consume.count(from));
        }
    }
    Some(effects)
}
