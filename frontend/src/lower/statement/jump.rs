//! Labels and jumps to them; labels that must not be reached.

use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::lower::graph::NodeId;
use crate::lower::statement::blocks::Target;
use crate::program::PropertyKind;
use lang_c::ast::{self, Statement};
use lang_c::span::{Node, Span};

/// `ERROR: goto ERROR;`, which verifiers' programs of old have where they must not get. Nobody else waits for ever at such a label; others
/// that are called so (`ERROR: return 1;`) are ordinary, unless --error-label names them.
fn is_error_loop(name: &str, statement: &Node<Statement>) -> bool {
    let returns = matches!(&statement.node, Statement::Goto(label) if label.node.name == name);
    returns && matches!(name, "ERROR" | "LDV_ERROR")
}
impl<'a> Lowerer<'a> {
    /// `goto`.
    pub(crate) fn goto_label(&mut self, name: &str, span: Span) {
        if let Some(builder) = &mut self.builder {
            builder.gotos.push((name.to_owned(), span));
        }
        let node = self.label(name);
        self.jump_to_label(name, node);
    }

    pub(super) fn labeled(&mut self, labeled: &'a Node<ast::LabeledStatement>) -> Lowered<()> {
        let inner = &labeled.node.statement;
        match &labeled.node.label.node {
            ast::Label::Identifier(name) => {
                let name = name.node.name.as_str();
                if name.starts_with("__CPROVER_ASYNC_") {
                    return self.guarded(|s| s.asynchronous(inner));
                }
                if name == "__CPROVER_passive_broadcast" {
                    return self.broadcast(inner);
                }
                self.plain_label(name, labeled)?;
            }
            ast::Label::Case(value) => {
                let value = self.constant(value)?;
                self.case(value, value, labeled.span)?;
            }
            ast::Label::CaseRange(range) => {
                let (low, high) = (self.constant(&range.node.low)?, self.constant(&range.node.high)?);
                self.case(low, high, labeled.span)?;
            }
            ast::Label::Default => {
                let target = self.case_target();
                match self.builder.as_mut().and_then(|b| b.switches.last_mut()) {
                    Some(switch) if switch.default.is_some() => {
                        return wrong(labeled.span, "this 'switch' has two 'default' labels");
                    }
                    Some(switch) => switch.default = Some(target),
                    None => return wrong(labeled.span, "'default' outside of a switch"),
                }
            }
        }
        self.statement(inner)
    }

    /// A name that can be jumped to.
    pub(super) fn plain_label(
        &mut self,
        name: &str,
        labeled: &'a Node<ast::LabeledStatement>,
    ) -> Lowered<()> {
        let place = labeled.span.start;
        let known = self.builder.as_mut().and_then(|b| b.label_places.insert(name.to_owned(), place));
        if known.is_some_and(|known| known != place) {
            return wrong(labeled.span, format!("the label '{}' is there twice", self.unit.name(name)));
        }
        let node = self.label(name);
        self.join(node);
        self.jumped_to(name);
        if self.options.error_labels.iter().any(|l| l == name) || is_error_loop(name, &labeled.node.statement)
        {
            self.error_labels.insert(name.to_owned());
            let description = format!("label {name} is reached");
            self.violation(PropertyKind::ErrorLabel, description, labeled.span);
        }
        Ok(())
    }

    /// A node in the current block.
    pub(super) fn target_at(&self, node: NodeId) -> Target {
        Target { node, block: self.builder.as_ref().and_then(|b| b.blocks.current()) }
    }

    pub(crate) fn label(&mut self, name: &str) -> NodeId {
        if let Some(known) = self.builder.as_ref().and_then(|b| b.labels.get(name).copied()) {
            return known;
        }
        let node = self.node();
        if let Some(builder) = &mut self.builder {
            builder.labels.insert(name.to_owned(), node);
        }
        node
    }

    /// Every jump needs its label.
    pub(crate) fn check_labels(&self) -> Lowered<()> {
        let Some(builder) = &self.builder else { return Ok(()) };
        match builder.gotos.iter().find(|(name, _)| !builder.label_places.contains_key(name)) {
            Some((name, span)) => wrong(*span, format!("there is no label '{}'", self.unit.name(name))),
            None => Ok(()),
        }
    }
}
