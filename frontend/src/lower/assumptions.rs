//! What verdicts are based on beside the program: the assumptions whose code is part of it.
//!
//! An assumption about code that no thread can get to is not used. One about the order of memory accesses matters only if there are
//! several threads: for atomic operations that ask for less than sequential consistency, and for plain accesses to the same variable by
//! threads that may run at the same time. Whether locks keep the latter apart is not decided here: engines may find out.

use super::code::Code;
use super::context::Remark;
use super::expand::Expanded;
use super::races::{Does, Kind, RaceSite};
use crate::program::{Assumption, Effect, Note, Position, Program, VariableId};
use lang_c::span::Span;
use std::collections::BTreeMap;

/// Which remarks are about code that threads can get to.
pub(crate) struct Used<'l, 'a> {
    code: &'l Code<'a>,
    /// Where operations of the program come from, sorted.
    spans: Vec<(u32, u32)>,
    /// Functions of the user.
    functions: Vec<Span>,
    threads: bool,
    /// Where the first atomic operation of weak order is.
    first_weak: Option<usize>,
}

impl<'l, 'a> Used<'l, 'a> {
    pub(crate) fn new(code: &'l Code<'a>, expanded: &Expanded) -> Used<'l, 'a> {
        let mut spans: Vec<(u32, u32)> = expanded.steps.iter().map(|step| step.source.span).collect();
        spans.sort_unstable();
        spans.dedup();
        let functions = code.definitions.values().map(|definition| definition.span).collect();
        let threads = expanded.roots.len() > 1;
        let mut used = Used { code, spans, functions, threads, first_weak: None };
        let weak =
            code.remarks.iter().filter(|remark| remark.kind == Some(Assumption::SequentialConsistency));
        used.first_weak = weak.filter(|remark| used.is_reached(remark)).map(|remark| remark.offset).min();
        used
    }

    /// Whether the remark says something about the program.
    pub(crate) fn is_used(&self, remark: &Remark) -> bool {
        match remark.kind {
            _ if remark.effect != Effect::Assumption => true,
            Some(Assumption::SequentialConsistency) => self.threads && self.first_weak == Some(remark.offset),
            _ => self.is_reached(remark),
        }
    }

    fn is_reached(&self, remark: &Remark) -> bool {
        match &remark.placed {
            // Operations of models stand at the call. Only models that are called are translated.
            _ if self.code.is_model(remark.offset) => remark.kind != Some(Assumption::SequentialConsistency),
            Some(span) => self.spans.binary_search(span).is_ok(),
            None => self.runs(remark.offset),
        }
    }

    /// Whether some thread runs the function that the place is in, if it is in one.
    fn runs(&self, offset: usize) -> bool {
        let around = self.functions.iter().find(|span| span.start <= offset && offset < span.end);
        let runs = |function: &Span| {
            self.spans.iter().any(|(start, _)| (function.start..function.end).contains(&(*start as usize)))
        };
        around.is_none_or(runs)
    }
}

/// Adds what is assumed about the program as a whole.
pub(crate) fn add(code: &Code<'_>, sites: &[RaceSite], program: &mut Program) {
    if program.pool.is_some() {
        about_threads(code, sites, program);
    }
}

/// What is assumed if there are several threads.
fn about_threads(code: &Code<'_>, sites: &[RaceSite], program: &mut Program) {
    if code.options.atomic_statements {
        let message = "each statement is one step: interleavings inside of statements are not explored";
        program.notes.push(Note::assumption(Assumption::StatementGranularity, Position::NONE, message));
    }
    if let Some((variable, position)) = first_conflict(sites) {
        let name = program.variable(variable).name;
        let message =
            format!("it matters if '{name}' is accessed without synchronisation, --data-race-check tells");
        program.notes.push(Note::assumption(Assumption::RaceFreedom, position, message));
    }
}

/// The first plain access to a variable that another thread may access at the same time, one of them writing.
fn first_conflict(sites: &[RaceSite]) -> Option<(VariableId, Position)> {
    let mut by_variable: BTreeMap<VariableId, Vec<&RaceSite>> = BTreeMap::new();
    for site in sites {
        by_variable.entry(site.variable).or_default().push(site);
    }
    let conflicts = by_variable.into_iter().filter_map(|(variable, sites)| {
        // The initial thread is alone in its code; others may have twins.
        let changes = sites.iter().any(|site| site.does != Does::Reads);
        let has_conflict = changes && sites.iter().any(|site| site.root != 0);
        let plain = sites.iter().filter(|site| site.kind == Kind::Plain);
        let first = plain.map(|site| site.position).min()?;
        has_conflict.then_some((variable, first))
    });
    conflicts.min_by_key(|(variable, position)| (*position, *variable))
}
