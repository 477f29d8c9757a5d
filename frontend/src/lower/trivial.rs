//! Assertions that hold because control never gets to their violation: the condition is known to hold, or nobody calls the function.
//!
//! They are properties all the same: users see that they were counted. Their targets are locations without a way to them.

use super::builtin::{ASSERT_FAILURES, ASSERTIONS, ERROR_FUNCTIONS};
use super::code::Code;
use super::expand::Expanded;
use super::graph::Op;
use crate::program::{Location, LocationId, Program, Property, PropertyKind, Target};
use lang_c::ast;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashSet;
use smt::Symbol;

/// Adds them.
pub(crate) fn properties(code: &Code<'_>, expanded: &Expanded, program: &mut Program) {
    let failing: FxHashSet<u32> = expanded
        .steps
        .iter()
        .filter_map(|step| if let Op::Fail(check) = step.op { Some(check.0) } else { None })
        .collect();
    for (number, check) in code.checks.iter().enumerate() {
        let is_written = matches!(
            check.kind,
            PropertyKind::Assertion | PropertyKind::ErrorFunction | PropertyKind::ErrorLabel
        );
        if is_written && !check.model && !failing.contains(&(number as u32)) {
            add(code, program, check.kind, &check.description, check.function, check.offset);
        }
    }
    for call in uncalled(code) {
        let is_error = ERROR_FUNCTIONS.contains(&call.name.as_str());
        let (kind, description) = if is_error {
            (PropertyKind::ErrorFunction, format!("{}() is called", call.name))
        } else {
            (PropertyKind::Assertion, super::shown::assertion(&call.condition))
        };
        add(code, program, kind, &description, call.function, call.offset);
    }
}

fn add(
    code: &Code<'_>,
    program: &mut Program,
    kind: PropertyKind,
    description: &str,
    function: Symbol,
    offset: usize,
) {
    let position = code.unit.map.position(offset);
    let is_known = |property: &Property| {
        property.kind == kind && property.position == position && property.description == description
    };
    if program.properties.iter().any(is_known) {
        return;
    }
    let location = LocationId(program.locations.len() as u32);
    program.locations.push(Location {
        function,
        position,
        live: Vec::new(),
        atomic: false,
        may_end: smt::Term::fls(),
    });
    program.properties.push(Property {
        name: function.to_string(),
        kind,
        description: description.to_owned(),
        position,
        target: Target::Location(location),
    });
}

/// A call of an assertion or error function in a function that was not translated.
struct Call {
    name: String,
    condition: String,
    function: Symbol,
    offset: usize,
}

struct Calls<'l, 'a> {
    code: &'l Code<'a>,
    function: Symbol,
    found: Vec<Call>,
}

impl<'ast> Visit<'ast> for Calls<'_, '_> {
    fn visit_call_expression(&mut self, call: &'ast ast::CallExpression, span: &'ast Span) {
        if let ast::Expression::Identifier(identifier) = &call.callee.node {
            let name = &identifier.node.name;
            if [ASSERT_FAILURES, ASSERTIONS, ERROR_FUNCTIONS].iter().any(|all| all.contains(&name.as_str())) {
                let condition = call.arguments.first().map(|argument| self.code.source_text(argument.span));
                let condition = condition.unwrap_or_default();
                let condition = condition.trim_start_matches("(_Bool)").trim_matches('"').to_owned();
                let (name, function) = (name.clone(), self.function);
                self.found.push(Call { name, condition, function, offset: span.start });
            }
        }
        visit::visit_call_expression(self, call, span);
    }
}

fn uncalled(code: &Code<'_>) -> Vec<Call> {
    let translated: FxHashSet<Symbol> = code
        .functions
        .iter()
        .filter(|function| function.body.is_some())
        .map(|function| function.name)
        .collect();
    let is_asked = |name: &Symbol, definition: &Node<ast::FunctionDefinition>| {
        let map = &code.unit.map;
        let start = definition.span.start;
        let is_special = ERROR_FUNCTIONS.contains(&name.as_str()) || ASSERTIONS.contains(&name.as_str());
        !translated.contains(name) && !is_special && !map.is_prelude(start) && !map.is_system(start)
    };
    let mut calls = Calls { code, function: Symbol::new(""), found: Vec::new() };
    for (name, definition) in &code.definitions {
        if is_asked(name, definition) {
            calls.function = Symbol::new(code.unit.name(name.as_str()));
            calls.visit_function_definition(&definition.node, &definition.span);
        }
    }
    calls.found.sort_by_key(|call| call.offset);
    calls.found
}
