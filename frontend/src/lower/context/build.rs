//! Building the graph of a function, operation by operation. Outside of a function (initialisers of globals) operations go nowhere.

use super::remarks::{Lowered, Refusal};
use super::{Builder, Lowerer};
use crate::lower::graph::{Access, Address, Check, Graph, GraphEdge, NodeId, Op, RegisterId};
use crate::program::PropertyKind;
use crate::types::Type;
use lang_c::span::Span;
use rustc_hash::FxHashSet;
use smt::{Symbol, Term};
use std::collections::BTreeSet;

/// The size of a graph when a piece of it began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    nodes: u32,
    edges: usize,
}

impl<'a> Lowerer<'a> {
    // Building the graph. Outside of a function (initialisers of globals) operations go nowhere.

    pub(crate) fn emit(&mut self, op: Op) {
        if let Some(builder) = &mut self.builder {
            let to = builder.graph.node();
            push(builder, op, to);
            builder.at = to;
        }
    }

    /// An edge from here to a given node; control continues at a place that nothing leads to yet.
    pub(crate) fn emit_jump(&mut self, op: Op, to: NodeId) {
        if let Some(builder) = &mut self.builder {
            push(builder, op, to);
            builder.at = builder.graph.node();
        }
    }

    /// An edge from here to a given node; control stays here.
    pub(crate) fn emit_branch(&mut self, op: Op, to: NodeId) {
        if matches!(op, Op::Assume(guard) if guard.is_false()) {
            return;
        }
        if let Some(builder) = &mut self.builder {
            push(builder, op, to);
        }
    }

    pub(crate) fn node(&mut self) -> NodeId {
        self.builder.as_mut().map_or(Graph::ENTRY, |b| b.graph.node())
    }

    /// Control goes on at the node, whatever was before.
    pub(crate) fn continue_at(&mut self, node: NodeId) {
        if let Some(builder) = &mut self.builder {
            builder.at = node;
        }
    }

    /// Control that is here goes to the node, and on from there.
    pub(crate) fn join(&mut self, node: NodeId) {
        self.emit_branch(Op::Skip, node);
        self.continue_at(node);
    }

    pub(crate) fn set_span(&mut self, span: Span) -> Span {
        self.builder.as_mut().map_or(span, |b| std::mem::replace(&mut b.span, span))
    }

    pub(crate) fn span(&self) -> Span {
        self.builder.as_ref().map_or(Span { start: 0, end: 0 }, |b| b.span)
    }

    /// The register gets the value.
    pub(crate) fn set(&mut self, register: RegisterId, value: Term) {
        self.emit(Op::Let(register, value));
    }

    /// Any value of the type, as a term over a fresh register.
    pub(crate) fn any(&mut self, ty: &Type) -> Term {
        let sort = self.sort(ty);
        let count = self.count_names();
        if let Some(passive) = self.builder.as_mut().and_then(|b| b.passive.as_mut()) {
            let name = Symbol::new(&format!("choice${count}${}", passive.len()));
            let choice = Term::constant(name, sort);
            passive.push(choice);
            return choice;
        }
        let register = self.temporary(ty);
        self.emit(Op::Havoc(register));
        self.register_term(register)
    }

    /// Like `any`, where reality may not have each of the values: a run that depends on it is not shown as real.
    pub(crate) fn guess(&mut self, ty: &Type, reason: &str) -> Term {
        let next = RegisterId(self.registers.len() as u32);
        let term = self.any(ty);
        if let Some(register) = self.registers.get_mut(next.index()) {
            register.guess = Some(Symbol::new(reason));
        }
        term
    }

    /// Like `any`: what a function returns of which nothing else is known, so that runs can say so.
    pub(crate) fn result_of(&mut self, function: &str, ty: &Type) -> Term {
        let shown = self.unit.name(function).to_owned();
        let next = RegisterId(self.registers.len() as u32);
        let term = self.any(ty);
        if let Some(register) = self.registers.get_mut(next.index()) {
            register.result_of = Some(Symbol::new(&shown));
        }
        term
    }

    pub(crate) fn load(&mut self, address: Address, access: Access) -> Term {
        let ty = access.ty.clone();
        let register = self.temporary(&ty);
        // Bit-fields are narrower than their type; a union is read as one wide number.
        self.registers[register.index()].sort = access.sort();
        self.emit(Op::Load(register, address, access));
        let term = self.register_term(register);
        let full = self.types.width(&ty);
        match ty.unatomic() {
            Type::Record(_) | Type::Bool => term,
            _ if self.types.signed(&ty) => term.resize_signed(full),
            _ => term.resize_unsigned(full),
        }
    }

    /// The condition must hold here; otherwise the property is violated.
    pub(crate) fn check(&mut self, kind: PropertyKind, condition: Term, description: impl Into<String>) {
        if condition.is_true() || !self.options.checks(kind) {
            return;
        }
        let span = self.span();
        let check = Check {
            kind,
            description: description.into(),
            function: self.function_name(),
            offset: span.start,
            model: self.is_model(span.start),
        };
        let id = self.add_check(check);
        let bad = self.node();
        self.emit_branch(Op::Assume(condition.not()), bad);
        let good = self.node();
        self.emit_branch(Op::Assume(condition), good);
        self.continue_at(bad);
        self.emit(Op::Fail(id));
        self.continue_at(good);
    }

    /// Control must not get here, because what follows is not modelled.
    pub(crate) fn limit(&mut self, offset: usize, message: &str) {
        let outer = self.set_span(Span { start: offset, end: offset });
        self.emit(Op::Limit(message.to_owned()));
        self.set_span(outer);
        let next = self.node();
        self.continue_at(next);
    }

    /// Where a piece begins that may be refused later.
    pub(crate) fn mark(&self) -> Mark {
        let graph = self.builder.as_ref().map(|b| &b.graph);
        Mark { nodes: graph.map_or(0, |g| g.nodes), edges: graph.map_or(0, |g| g.edges.len()) }
    }

    /// A piece was refused in the middle: nothing leads on from here, nor from branches that would have come together with this one behind it (`c && refused`).
    /// Each of these ends is a limit, and control goes on at a place that nothing leads to.
    pub(crate) fn refused(&mut self, mark: Mark, refusal: &Refusal) {
        let Some(builder) = &self.builder else { return };
        let new = &builder.graph.edges[mark.edges..];
        let left: FxHashSet<NodeId> = new.iter().map(|edge| edge.from).collect();
        // Labels are continued where they stand.
        let labels: FxHashSet<NodeId> = builder.labels.values().copied().collect();
        let reached = new.iter().filter(|edge| !edge.op.is_end()).map(|edge| edge.to);
        let is_open = |node: &NodeId| {
            !left.contains(node) && (*node == builder.at || node.0 >= mark.nodes && !labels.contains(node))
        };
        let open: BTreeSet<NodeId> = reached.chain([builder.at]).filter(is_open).collect();
        for node in open {
            self.continue_at(node);
            self.limit(refusal.offset, &refusal.message);
        }
        let next = self.node();
        self.continue_at(next);
    }

    /// Translates a piece; what is not modelled becomes a limit, and control goes on behind it.
    pub(crate) fn guarded(&mut self, piece: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        let mark = self.mark();
        match piece(self) {
            Err(refusal) if !refusal.error && self.builder.is_some() => {
                self.refused(mark, &refusal);
                Ok(())
            }
            other => other,
        }
    }

    /// The function is complete. No path ends in silence: where nothing says how control goes on, that is a limit.
    pub(crate) fn close_open_ends(&mut self) {
        let Some(builder) = &mut self.builder else { return };
        for (node, span) in builder.graph.open_ends() {
            let to = builder.graph.node();
            let op = Op::Limit("what follows is not translated".to_owned());
            builder.graph.edges.push(GraphEdge { from: node, to, op, span });
        }
    }

    /// Translates a piece without keeping the operations: for `sizeof`, `typeof` and constant expressions.
    pub(crate) fn dry<T>(&mut self, piece: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let (checks, remarks) = (self.checks.len(), self.remarks.len());
        let saved = self.builder.as_ref().map(|b| {
            let graph = (b.graph.nodes, b.graph.edges.len());
            (graph, b.at, b.temporaries, b.labels.clone(), b.blocks.mark())
        });
        let result = piece(self);
        if let (Some(builder), Some(((nodes, edges), at, temporaries, labels, blocks))) =
            (&mut self.builder, saved)
        {
            builder.graph.nodes = nodes;
            builder.graph.edges.truncate(edges);
            builder.at = at;
            builder.temporaries = temporaries;
            builder.labels = labels;
            builder.blocks.take_back(blocks);
        }
        self.checks.truncate(checks);
        self.remarks.truncate(remarks);
        result
    }
}

pub(super) fn push(builder: &mut Builder, op: Op, to: NodeId) {
    let span = (builder.span.start as u32, builder.span.end as u32);
    builder.graph.edges.push(GraphEdge { from: builder.at, to, op, span });
}
