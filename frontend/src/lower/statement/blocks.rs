//! Blocks and the lifetimes of the variables in them (C11 6.2.4).
//!
//! The lifetime of an automatic object begins when its block is entered, by whichever way, and ends when control leaves the block.
//! Falling off the end is seen where it happens. For a jump it is known only at the end of the function which blocks it leaves and
//! which it enters: a label may come later, and so may declarations in the blocks around. So jumps are noted, and what they
//! end and begin is put on their edges when the function is complete.
//!
//! A variable with the attribute `cleanup` opens a scope of its own, which ends with the block around it; whoever leaves the scope calls the function, on
//! whichever way, the last such variable first (as gcc does it, which jumps around such scopes by the same rules). The variables of the block
//! live until all these calls are over. Computed jumps do not call.
//!
//! A variable has no value when its block is entered. In most blocks nobody can tell, because control passes the declaration before
//! anything else; where there are labels, a jump may pass it by.

use crate::lower::context::{Builder, Entity, Lowered, Lowerer, Scope, unsupported, wrong};
use crate::lower::graph::{Argument, CallResult, Callee, Graph, GraphEdge, NodeId, ObjectId, Op, RegisterId};
use crate::types::Type;
use lang_c::span::Span;
use rustc_hash::FxHashMap;

/// A block of the function that is being translated, by its number.
pub(crate) type BlockId = usize;

/// What a block declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    parent: Option<BlockId>,
    objects: Vec<ObjectId>,
    /// How many of them have a value when the block is entered: the parameters of a function.
    given: usize,
    registers: Vec<RegisterId>,
    /// Where it starts, and how many edges there were then.
    start: (NodeId, usize),
    /// How many places to jump to there were then.
    labels: usize,
    /// For the scope of a variable with a cleanup, the call; such a scope has no variables of its own.
    cleanup: Option<Op>,
}

impl Default for NodeId {
    fn default() -> NodeId {
        Graph::ENTRY
    }
}

/// A node to jump to, and the block that it is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub node: NodeId,
    pub block: Option<BlockId>,
}

/// An edge that is a jump.
#[derive(Clone, Debug)]
struct Jump {
    edge: usize,
    from: Option<BlockId>,
    to: Destination,
}

#[derive(Clone, Debug)]
enum Destination {
    Block(Option<BlockId>),
    /// The end of the process: all blocks are left, and their variables are there still.
    End,
    /// The label's block is known at the end.
    Label(String),
}

/// All blocks of a function, and the jumps between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    all: Vec<Block>,
    current: Option<BlockId>,
    jumps: Vec<Jump>,
    /// The block of each label that has been seen.
    labels: FxHashMap<String, Option<BlockId>>,
    /// How many labels there are.
    places: usize,
}

/// How much there was, to take back what came later.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    all: usize,
    current: Option<BlockId>,
    objects: usize,
    registers: usize,
    jumps: usize,
    places: usize,
    labels: FxHashMap<String, Option<BlockId>>,
}

impl Blocks {
    /// The block that control is in.
    pub(crate) fn current(&self) -> Option<BlockId> {
        self.current
    }

    pub(crate) fn declare_object(&mut self, object: ObjectId) {
        if let Some(block) = self.with_variables(self.current) {
            self.all[block].objects.push(object);
        }
    }

    /// Whether a block that control is in has the object.
    pub(crate) fn declares(&self, object: ObjectId) -> bool {
        self.path(self.current).any(|block| self.all[block].objects.contains(&object))
    }

    /// The block that declares what is declared in a block or scope.
    fn with_variables(&self, block: Option<BlockId>) -> Option<BlockId> {
        self.path(block).find(|block| self.all[*block].cleanup.is_none())
    }

    /// All objects so far are parameters.
    pub(crate) fn declared_parameters(&mut self) {
        if let Some(block) = self.current {
            self.all[block].given = self.all[block].objects.len();
        }
    }

    pub(crate) fn declare_register(&mut self, register: RegisterId) {
        if let Some(block) = self.with_variables(self.current) {
            self.all[block].registers.push(register);
        }
    }

    /// The object lives as long as the block around the current one.
    pub(crate) fn outlive(&mut self, object: ObjectId) {
        let Some(block) = self.with_variables(self.current) else { return };
        self.all[block].objects.retain(|known| *known != object);
        if let Some(parent) = self.with_variables(self.all[block].parent) {
            self.all[parent].objects.push(object);
        }
    }

    /// The object lives until the function returns.
    pub(crate) fn outlive_all(&mut self, object: ObjectId) {
        let Some(outermost) = self.path(self.current).last() else { return };
        if let Some(block) = self.with_variables(self.current) {
            self.all[block].objects.retain(|known| *known != object);
            self.all[outermost].objects.push(object);
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        let block = self.with_variables(self.current).map(|block| &self.all[block]);
        Mark {
            all: self.all.len(),
            current: self.current,
            objects: block.map_or(0, |b| b.objects.len()),
            registers: block.map_or(0, |b| b.registers.len()),
            jumps: self.jumps.len(),
            places: self.places,
            labels: self.labels.clone(),
        }
    }

    pub(crate) fn take_back(&mut self, mark: Mark) {
        self.all.truncate(mark.all);
        self.current = mark.current;
        if let Some(block) = self.with_variables(mark.current) {
            self.all[block].objects.truncate(mark.objects);
            self.all[block].registers.truncate(mark.registers);
        }
        self.jumps.truncate(mark.jumps);
        self.places = mark.places;
        self.labels = mark.labels;
    }

    /// From a block outwards.
    fn path(&self, block: Option<BlockId>) -> impl Iterator<Item = BlockId> + '_ {
        std::iter::successors(block, |block| self.all[*block].parent)
    }

    /// What happens on the way from one block to another: blocks are left, the innermost first, then others entered.
    fn between(&self, from: Option<BlockId>, to: Option<BlockId>) -> Vec<Op> {
        let outer: Vec<BlockId> = self.path(to).collect();
        let inner: Vec<BlockId> = self.path(from).collect();
        let left = inner.iter().filter(|block| !outer.contains(block));
        let mut ops: Vec<Op> = left
            .flat_map(|block| {
                let block = &self.all[*block];
                block.cleanup.iter().cloned().chain(block.objects.iter().map(|object| Op::Dead(*object)))
            })
            .collect();
        for block in outer.iter().rev().filter(|block| !inner.contains(block)) {
            ops.extend(self.all[*block].beginning());
        }
        ops
    }
}

impl Block {
    /// No variable has a value.
    fn beginning(&self) -> impl Iterator<Item = Op> + '_ {
        let objects = self.objects.iter().skip(self.given).map(|object| Op::Forget(*object));
        objects.chain(self.registers.iter().map(|register| Op::Havoc(*register)))
    }
}

impl Lowerer<'_> {
    /// A block begins here.
    pub(crate) fn enter_block(&mut self) {
        self.scopes.push(Scope::default());
        let Some(builder) = &mut self.builder else { return };
        let blocks = &mut builder.blocks;
        blocks.all.push(Block {
            parent: blocks.current,
            start: (builder.at, builder.graph.edges.len()),
            labels: blocks.places,
            ..Block::default()
        });
        blocks.current = Some(blocks.all.len() - 1);
    }

    /// Control falls off the end of the block: its objects are no more.
    pub(crate) fn leave_block(&mut self) {
        self.scopes.pop();
        let ends_process = self.is_end_of_process();
        self.leave_cleanups();
        let Some(builder) = &mut self.builder else { return };
        let Some(current) = builder.blocks.current else { return };
        let block = builder.blocks.all[current].clone();
        builder.blocks.current = block.parent;
        if builder.blocks.places > block.labels {
            begin_at_entry(builder, &block);
        }
        // The parameters are in a block of their own, around that of the body.
        let is_outermost = block.parent.is_none_or(|parent| builder.blocks.all[parent].parent.is_none());
        if !(ends_process && is_outermost) {
            block.objects.iter().for_each(|object| self.emit(Op::Dead(*object)));
        }
    }

    /// From here on, whoever leaves the block calls the function with the variable's address.
    pub(super) fn cleanup(&mut self, variable: &str, function: &str, span: Span) -> Lowered<()> {
        let (Some(Entity::Object(object)), Some(Entity::Function(id))) =
            (self.lookup(variable).cloned(), self.lookup(function).cloned())
        else {
            return unsupported(span, "this use of the attribute 'cleanup' is not modelled");
        };
        let Type::Function(ty) = self.functions[id.index()].ty.clone() else { return Ok(()) };
        let [parameter] = ty.parameters.as_slice() else {
            return wrong(span, format!("'{function}' must take one argument, the address of the variable"));
        };
        if !self.is_defined(id) {
            return unsupported(span, format!("'{function}', which cleans up, is not defined"));
        }
        if self.builder.as_ref().is_some_and(|b| !b.computed.is_empty()) {
            return unsupported(span, "the attribute 'cleanup' beside computed jumps is not modelled");
        }
        self.require(id);
        let address = Argument::Scalar(self.object_address(object), parameter.clone());
        let cleanup = Op::Call(Callee::Direct(id), vec![address], CallResult::None);
        if let Some(builder) = &mut self.builder {
            let blocks = &mut builder.blocks;
            let (start, parent) = ((builder.at, builder.graph.edges.len()), blocks.current);
            let labels = blocks.places;
            blocks.all.push(Block { parent, start, labels, cleanup: Some(cleanup), ..Block::default() });
            blocks.current = Some(blocks.all.len() - 1);
        }
        Ok(())
    }

    /// Control falls off the end of scopes with a cleanup.
    fn leave_cleanups(&mut self) {
        while let Some(builder) = &mut self.builder
            && let Some(current) = builder.blocks.current
            && let Some(cleanup) = builder.blocks.all[current].cleanup.clone()
        {
            builder.blocks.current = builder.blocks.all[current].parent;
            self.emit(cleanup);
        }
    }

    /// A jump to a place whose block is known.
    pub(crate) fn jump(&mut self, to: Target) {
        self.note_jump(Destination::Block(to.block));
        self.emit_jump(Op::Skip, to.node);
    }

    /// `return`: all blocks are left.
    pub(crate) fn jump_to_exit(&mut self) {
        let is_end = self.is_end_of_process();
        self.note_jump(if is_end { Destination::End } else { Destination::Block(None) });
        self.emit_jump(Op::Skip, Graph::EXIT);
    }

    /// `goto`.
    pub(crate) fn jump_to_label(&mut self, name: &str, node: NodeId) {
        self.note_jump(Destination::Label(name.to_owned()));
        self.emit_jump(Op::Skip, node);
    }

    /// A branch from the head of a `switch`, which is in a block, to a case.
    pub(crate) fn branch_into(&mut self, op: Op, from: Option<BlockId>, to: Target) {
        let edges = self.builder.as_ref().map_or(0, |b| b.graph.edges.len());
        self.emit_branch(op, to.node);
        if let Some(builder) = &mut self.builder
            && builder.graph.edges.len() > edges
        {
            builder.blocks.jumps.push(Jump { edge: edges, from, to: Destination::Block(to.block) });
        }
    }

    /// A label is here. A case is none: the way to it from the head of its `switch` enters all blocks around it.
    pub(crate) fn jumped_to(&mut self, label: &str) {
        let Some(builder) = &mut self.builder else { return };
        builder.blocks.places += 1;
        builder.blocks.labels.insert(label.to_owned(), builder.blocks.current);
    }

    /// When the initial thread's function returns, the process ends; its variables are there until then.
    fn is_end_of_process(&self) -> bool {
        self.builder.as_ref().is_some_and(|builder| builder.is_first)
    }

    fn note_jump(&mut self, to: Destination) {
        if let Some(builder) = &mut self.builder {
            let (edge, from) = (builder.graph.edges.len(), builder.blocks.current);
            builder.blocks.jumps.push(Jump { edge, from, to });
        }
    }

    /// The function is complete: puts what jumps end and begin on their edges.
    pub(crate) fn finish_jumps(&mut self) {
        let Some(builder) = &mut self.builder else { return };
        for jump in std::mem::take(&mut builder.blocks.jumps) {
            let is_end = matches!(jump.to, Destination::End);
            let to = match jump.to {
                Destination::Block(block) => block,
                Destination::End => None,
                // A label that does not exist is refused elsewhere.
                Destination::Label(name) => match builder.blocks.labels.get(&name) {
                    Some(block) => *block,
                    None => continue,
                },
            };
            let mut ops = builder.blocks.between(jump.from, to);
            if is_end {
                ops.retain(|op| !matches!(op, Op::Dead(_)));
            }
            let last = &mut builder.graph.edges[jump.edge];
            let (end, span) = (last.to, last.span);
            let Some(count) = ops.len().checked_sub(1) else { continue };
            let mut at = builder.graph.node();
            builder.graph.edges[jump.edge].to = at;
            for (index, op) in ops.into_iter().enumerate() {
                let to = if index == count { end } else { builder.graph.node() };
                builder.graph.edges.push(GraphEdge { from: at, to, op, span });
                at = to;
            }
        }
    }
}

/// The block has labels: its variables lose their values where it is entered, not only where they are declared.
fn begin_at_entry(builder: &mut Builder, block: &Block) {
    let (start, edges) = block.start;
    let ops: Vec<Op> = block.beginning().collect();
    if ops.is_empty() || builder.at == start {
        return;
    }
    let span = (builder.span.start as u32, builder.span.end as u32);
    let mut nodes: Vec<NodeId> = ops.iter().map(|_| builder.graph.node()).collect();
    for edge in &mut builder.graph.edges[edges..] {
        if edge.from == start {
            edge.from = nodes[nodes.len() - 1];
        }
    }
    nodes.insert(0, start);
    for (op, pair) in ops.into_iter().zip(nodes.windows(2)) {
        builder.graph.edges.push(GraphEdge { from: pair[0], to: pair[1], op, span });
    }
}

#[cfg(test)]
mod tests;
