//! What could be meant where there is no `main`: functions in tables, and those that other files can call.
//!
//! Kernels know a driver by a struct of function pointers (`struct file_operations`, `struct cdevsw`, `struct dev_ops`). Any struct or array whose
//! initial value names functions of the program is taken for such a table.

use super::{definitions, is_static};
use crate::diagnostics::{Diagnostic, Severity};
use crate::link::File;
use lang_c::ast::{self, Expression, ExternalDeclaration};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// More names than this are not listed.
const MOST: usize = 12;
/// How functions are called that run before the others.
const INITIAL: [&str; 4] = ["attach", "init", "probe", "setup"];

/// The message that says that there is no `main`, and what to try.
pub(crate) fn offer(files: &[File], function: &str) -> Diagnostic {
    let name = files.first().map_or("", |file| &file.name);
    let message = format!("there is no function '{function}' to start with");
    let diagnostic = Diagnostic::about_file(Severity::Error, name, message);
    let (mut tables, mut functions, mut initial) = (Vec::new(), Vec::new(), BTreeSet::new());
    for file in files {
        let from = file.unit.user_start();
        let is_users = |span: Span| !file.unit.map.is_system(span.start);
        let own: BTreeSet<&str> = definitions(&file.unit.ast, from).map(|(name, _)| name).collect();
        let offered = definitions(&file.unit.ast, from)
            .filter(|(_, definition)| !is_static(&definition.node.specifiers) && is_users(definition.span));
        let is_initial = |name: &&str| INITIAL.iter().any(|word| name.ends_with(word));
        let all = definitions(&file.unit.ast, from).filter(|(_, definition)| is_users(definition.span));
        initial.extend(all.map(|(name, _)| file.unit.name(name)).filter(is_initial));
        functions.extend(offered.map(|(name, _)| file.unit.name(name).to_owned()));
        for external in file.unit.ast.0.iter().filter(|external| external.span.start >= from) {
            if let ExternalDeclaration::Declaration(declaration) = &external.node {
                tables.extend(tables_of(declaration, &own));
            }
        }
    }
    let has_any =
        files.iter().any(|file| definitions(&file.unit.ast, file.unit.user_start()).next().is_some());
    if !has_any {
        return diagnostic.with_hint("no function is defined there at all");
    }
    if tables.is_empty() && functions.is_empty() {
        return diagnostic.with_hint("name another with --function");
    }
    diagnostic.with_hint(advice(&tables, &functions, &initial))
}

/// A table: its name, and the functions in it.
type Table = (String, Vec<String>);

fn tables_of(declaration: &Node<ast::Declaration>, functions: &BTreeSet<&str>) -> Vec<Table> {
    let mut tables = Vec::new();
    for declared in &declaration.node.declarators {
        let Some(initializer) = &declared.node.initializer else { continue };
        let mut named = Named { functions, found: Vec::new() };
        if matches!(initializer.node, ast::Initializer::List(_)) {
            named.visit_initializer(&initializer.node, &initializer.span);
        }
        let names = crate::parse::declared_names(std::iter::once(&declared.node.declarator));
        if let (false, Some(name)) = (named.found.is_empty(), names.first()) {
            tables.push((name.node.name.clone(), named.found));
        }
    }
    tables
}

/// The functions that an initial value names.
struct Named<'a> {
    functions: &'a BTreeSet<&'a str>,
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        if let Expression::Identifier(name) = expression
            && self.functions.contains(name.node.name.as_str())
            && !self.found.contains(&name.node.name)
        {
            self.found.push(name.node.name.clone());
        }
        visit::visit_expression(self, expression, span);
    }
}

fn advice(tables: &[Table], functions: &[String], initial: &BTreeSet<&str>) -> String {
    let mut text = "a library or driver is checked by its entry points; these could be meant:".to_owned();
    // Writing to a string cannot fail, here and below.
    for (table, members) in tables.iter().take(MOST) {
        let _ = write!(text, "\n  table '{table}': {}", listed(members));
    }
    let in_tables: BTreeSet<&String> = tables.iter().flat_map(|(_, members)| members).collect();
    let others: Vec<String> = functions.iter().filter(|name| !in_tables.contains(name)).cloned().collect();
    if !others.is_empty() {
        let _ = write!(text, "\n  functions that other files can call: {}", listed(&others));
    }
    let chosen: Vec<&String> =
        if tables.is_empty() { others.iter().collect() } else { in_tables.into_iter().collect() };
    let later = chosen.into_iter().filter(|name| !initial.contains(name.as_str())).take(MOST);
    let options = initial.iter().take(MOST).map(|name| format!("--init {name}"));
    let options = options.chain(later.map(|name| format!("--entry {name}")));
    let _ = write!(text, "\ntry with: {}", options.collect::<Vec<_>>().join(" "));
    text
}

fn listed(names: &[String]) -> String {
    let shown = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}
