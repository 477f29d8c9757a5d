//! Blocks and the lifetimes of the variables in them (C11 6.2.4).
//!
//! The lifetime of an automatic object begins when its block is entered, by whichever way, and ends when control leaves the block.
//! Falling off the end is seen where it happens. For a jump it is known only at the end of the function which blocks it leaves and
//! which it enters: a label may come later, and so may declarations in the blocks around. So jumps are noted, and what they
//! end and begin is put on their edges when the function is complete.
//!
//! A variable has no value when its block is entered. In most blocks nobody can tell, because control passes the declaration before
//! anything else; where there are labels, a jump may pass it by.

use crate::lower::context::{Builder, Lowerer, Scope};
use crate::lower::graph::{Graph, GraphEdge, NodeId, ObjectId, Op, RegisterId};
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
        if let Some(block) = self.current {
            self.all[block].objects.push(object);
        }
    }

    /// Whether a block that control is in has the object.
    pub(crate) fn declares(&self, object: ObjectId) -> bool {
        self.path(self.current).any(|block| self.all[block].objects.contains(&object))
    }

    /// All objects so far are parameters.
    pub(crate) fn declared_parameters(&mut self) {
        if let Some(block) = self.current {
            self.all[block].given = self.all[block].objects.len();
        }
    }

    pub(crate) fn declare_register(&mut self, register: RegisterId) {
        if let Some(block) = self.current {
            self.all[block].registers.push(register);
        }
    }

    /// The object lives as long as the block around the current one.
    pub(crate) fn outlive(&mut self, object: ObjectId) {
        let Some(block) = self.current else { return };
        self.all[block].objects.retain(|known| *known != object);
        if let Some(parent) = self.all[block].parent {
            self.all[parent].objects.push(object);
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        let block = self.current.map(|block| &self.all[block]);
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
        if let Some(block) = mark.current {
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
        let mut ops: Vec<Op> =
            left.flat_map(|block| self.all[*block].objects.iter().map(|object| Op::Dead(*object))).collect();
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

    /// A jump to a place whose block is known.
    pub(crate) fn jump(&mut self, to: Target) {
        self.note_jump(Destination::Block(to.block));
        self.emit_jump(Op::Skip, to.node);
    }

    /// `return`: all blocks are left.
    pub(crate) fn jump_to_exit(&mut self) {
        if !self.is_end_of_process() {
            self.note_jump(Destination::Block(None));
        }
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
            let to = match jump.to {
                Destination::Block(block) => block,
                // A label that does not exist is refused elsewhere.
                Destination::Label(name) => match builder.blocks.labels.get(&name) {
                    Some(block) => *block,
                    None => continue,
                },
            };
            let ops = builder.blocks.between(jump.from, to);
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
mod tests {
    use crate::lower::testing::{operations, outcome};
    use crate::program::PropertyKind::Assertion;

    fn count(text: &str, operation: &str) -> usize {
        let text = format!("{text} int main(void) {{ f(1); return 0; }}");
        operations(&text, "f").iter().filter(|op| *op == operation).count()
    }

    #[test]
    fn parameters_keep_their_values_where_there_are_labels() {
        let text = "extern void __VERIFIER_assert(int); int n; int f(unsigned q) { l: if (q != 7) return 0; \
                    n += (&q != (void *)0); if (n < 2) goto l; return 1; } \
                    int main(void) { __VERIFIER_assert(f(7)); return 0; }";
        assert!(!outcome(text).has(Assertion));
        assert!(outcome(&text.replace("f(7)", "f(8)")).has(Assertion));
    }

    #[test]
    fn every_way_out_of_a_block_ends_its_objects() {
        let way = |statement: &str| {
            let text = format!("void f(int c) {{ for (;;) {{ int a[2]; a[0] = c; {statement} }} out:; }}");
            count(&text, "dead f::a")
        };
        // Falling off the end is one way.
        assert_eq!(way(""), 1);
        for statement in ["if (c) break;", "if (c) continue;", "if (c) return;", "if (c) goto out;"] {
            assert_eq!(way(statement), 2, "{statement}");
        }
        assert_eq!(way("again: if (c) goto again;"), 1);
        assert_eq!(way("{ int b[2]; b[0] = 1; if (c) goto out; }"), 2);
        assert_eq!(way("switch (c) { case 1: break; case 2: return; }"), 2);
    }

    #[test]
    fn parameters_and_temporaries_end_too() {
        assert_eq!(count("void f(int c) { int *p = &c; *p = 1; }", "dead f::c"), 1);
        assert_eq!(count("int f(int c) { int *p = &c; if (*p) return 1; return 2; }", "dead f::c"), 3);
        assert_eq!(count("void f(int c) { int *p = (int[]){ c }; *p = 1; }", "dead f::$literal"), 1);
        let text = "struct s { int a[2]; }; struct s g(void) { struct s r; r.a[0] = 1; return r; } \
            int f(int c) { return ({ struct s x = g(); x; }).a[c]; }";
        assert_eq!(count(text, "dead f::x"), 1);
    }

    #[test]
    fn the_process_ends_before_the_variables_of_main() {
        let text = "int main(void) { int a[2]; a[0] = 1; { int b[2]; b[0] = 1; } return a[0]; }";
        let operations = operations(text, "main");
        assert!(operations.contains(&"dead main::b".to_owned()));
        assert!(!operations.contains(&"dead main::a".to_owned()));
    }

    fn fails(body: &str) -> bool {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); int main(void) {{ {body} return 0; }}"
        );
        outcome(&text).has(Assertion)
    }

    #[test]
    fn a_skipped_declaration_leaves_any_value() {
        assert!(fails("goto past; int x = 1; past: __VERIFIER_assert(x == 1);"));
        assert!(fails("goto past; int x = 1, *p = &x; past: __VERIFIER_assert(x != 2);"));
        assert!(fails("switch (1) { int x = 1; case 1: __VERIFIER_assert(x == 1); }"));
        assert!(fails(
            "for (int i = 0; i < 2; i++) { if (i == 1) goto past; int x = 1; past: __VERIFIER_assert(i == 0 || x == 1); }"
        ));
        assert!(fails(
            "int n = 0; again: { int x; if (n) __VERIFIER_assert(x == 1); x = 1; } if (!n++) goto again;"
        ));
        assert!(fails(
            "for (int i = 0; i < 2; i++) { int x[1]; if (i) __VERIFIER_assert(x[0] == 1); x[0] = 1; }"
        ));
    }

    #[test]
    fn a_block_that_is_not_left_keeps_its_values() {
        assert!(!fails(
            "int n = 0; { again:; if (n) goto use; int x = 4; n++; goto again; use: __VERIFIER_assert(x == 4); }"
        ));
        assert!(!fails(
            "int n = 0; { again:; if (n) goto use; int x[1] = { 4 }; n++; goto again; use: __VERIFIER_assert(x[0] == 4); }"
        ));
    }
}
