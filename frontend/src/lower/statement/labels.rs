//! Addresses of labels and jumps to them (GNU C's labels as values).
//!
//! A label whose address is taken is an object of its own, of which only the address counts; it is in no array, and nobody accesses it. A jump to a
//! computed place compares the address with those of all such labels of the function, which are known from a look at the whole function before;
//! what is none of them is a limit. So differences of labels, whose values C does not define, end there, too.

use crate::lower::context::{Lowered, Lowerer};
use crate::lower::expression::{Operand, Value};
use crate::lower::graph::{Op, Storage};
use crate::types::{CHAR, Type};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};

/// The label whose address an expression is, as [`crate::tokens`] writes it.
pub(crate) fn label_of(call: &ast::CallExpression) -> Option<String> {
    match (&call.callee.node, call.arguments.first().map(|argument| &argument.node)) {
        (Expression::Identifier(name), Some(Expression::StringLiteral(label)))
            if name.node.name == crate::tokens::LABEL =>
        {
            Some(
                String::from_utf8_lossy(&crate::lower::expression::literal::string_bytes(&label.node))
                    .into_owned(),
            )
        }
        _ => None,
    }
}

impl<'a> Lowerer<'a> {
    /// `&&l`
    pub(crate) fn label_address(&mut self, label: &str, span: Span) -> Operand {
        let known = self.label_objects.get(label).copied();
        let object = known.unwrap_or_else(|| {
            let name = format!("{}::&&{label}", self.function_name());
            let object = self.new_object(&name, CHAR, Storage::Static, span.start);
            self.label_objects.insert(label.to_owned(), object);
            object
        });
        if let Some(builder) = &mut self.builder {
            builder.gotos.push((label.to_owned(), span));
        }
        Operand::Scalar(Value::new(self.object_address(object), Type::Void.pointer()))
    }

    /// `goto *e;`
    pub(crate) fn computed_goto(&mut self, target: &'a Node<Expression>, span: Span) -> Lowered<()> {
        let target = self.rvalue(target)?;
        let labels = self.builder.as_ref().map_or_else(Vec::new, |b| b.computed.clone());
        for label in labels {
            let Operand::Scalar(address) = self.label_address(&label, span) else { continue };
            let is_there = target.term.equals(address.term);
            let (yes, no) = (self.node(), self.node());
            self.emit_branch(Op::Assume(is_there), yes);
            self.emit_branch(Op::Assume(is_there.not()), no);
            self.continue_at(yes);
            let node = self.label(&label);
            self.jump_to_label(&label, node);
            self.continue_at(no);
        }
        self.emit(Op::Limit(
            "this `goto` leads to something that is not known to be a label of the function; use &&label itself, not arithmetic on it".to_owned(),
        ));
        let nowhere = self.node();
        self.continue_at(nowhere);
        Ok(())
    }
}
