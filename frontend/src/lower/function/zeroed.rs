//! Memory that is cleared as the first thing that happens to it: `p = malloc(n); if (!p) abort(); memset(p, 0, n);` is `calloc`.
//!
//! What clears bytes of an unknown type writes byte by byte, so that the object would have to be an array of bytes (`layout`); wrappers of this kind are in most programs.
//! A call is taken out, and the allocation told to clear, if there is one way only from the allocation to the call, on which nothing but
//! registers changes: nobody has looked at the memory until then, nor can anybody else know it. It is done when the graph is complete, because a loop may come back between them.

use crate::lower::context::Lowerer;
use crate::lower::graph::{Argument, Callee, Graph, NodeId, Op, Origin, RegisterId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;

/// The model that sets bytes: to, value, number.
const SET: &str = "__monabs_set_bytes";

impl Lowerer<'_> {
    /// Finds such calls in the function that is complete.
    pub(super) fn clear_fresh_memory(&mut self) {
        let Some(builder) = &self.builder else { return };
        let graph = &builder.graph;
        let calls: Vec<usize> =
            (0..graph.edges.len()).filter(|call| self.clears(&graph.edges[*call].op)).collect();
        if calls.is_empty() {
            return;
        }
        let into = ways(graph);
        let found: Vec<(usize, usize)> = calls
            .into_iter()
            .filter_map(|call| Some((call, self.allocation_before(graph, &into, call)?)))
            .collect();
        let Some(builder) = &mut self.builder else { return };
        for (call, allocation) in found {
            if let Op::Allocate { zeroed, .. } = &mut builder.graph.edges[allocation].op {
                *zeroed = true;
                builder.graph.edges[call].op = Op::Skip;
            }
        }
    }

    /// Whether it is a call that sets bytes to zero.
    fn clears(&self, op: &Op) -> bool {
        match op {
            Op::Call(Callee::Direct(function), arguments, _) => {
                self.functions[function.index()].name.as_str() == SET
                    && matches!(arguments.get(1), Some(Argument::Scalar(byte, _))
                        if byte.as_bits().is_some_and(|bits| bits.is_zero()))
            }
            _ => false,
        }
    }

    /// The allocation of all that the call clears, if nothing happens between them.
    fn allocation_before(
        &self,
        graph: &Graph,
        into: &FxHashMap<NodeId, Vec<usize>>,
        call: usize,
    ) -> Option<usize> {
        let Op::Call(_, arguments, _) = &graph.edges[call].op else { return None };
        let [Argument::Scalar(pointer, _), _, Argument::Scalar(bytes, _)] = arguments.as_slice() else {
            return None;
        };
        let (mut pointer, mut bytes, mut node) = (*pointer, *bytes, graph.edges[call].from);
        for _ in 0..graph.edges.len() {
            let [only] = into.get(&node)?.as_slice() else { return None };
            if node == Graph::ENTRY {
                return None;
            }
            match &graph.edges[*only].op {
                Op::Skip | Op::Assume(_) => {}
                Op::Let(register, value) => {
                    pointer = self.before(pointer, *register, *value);
                    bytes = self.before(bytes, *register, *value);
                }
                Op::Allocate { register, size, zeroed: false, origin: Origin::Heap, .. } => {
                    let is_all = pointer == self.register_term(*register) && bytes == *size;
                    return is_all.then_some(*only);
                }
                _ => return None,
            }
            node = graph.edges[*only].from;
        }
        None
    }

    /// A term as it was before a register was assigned.
    fn before(&self, term: Term, register: RegisterId, value: Term) -> Term {
        let mut map = FxHashMap::default();
        map.insert(self.register_term(register), value);
        term.substitute(&map)
    }
}

/// Edges that control may take, by the node where they end. Nothing follows the end of the thread or the process.
fn ways(graph: &Graph) -> FxHashMap<NodeId, Vec<usize>> {
    let mut out: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
    for (index, edge) in graph.edges.iter().enumerate() {
        if !matches!(edge.op, Op::Exit | Op::Stop(_)) {
            out.entry(edge.from).or_default().push(index);
        }
    }
    let mut into: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    let mut open = vec![Graph::ENTRY];
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            for &index in out.get(&node).into_iter().flatten() {
                into.entry(graph.edges[index].to).or_default().push(index);
                open.push(graph.edges[index].to);
            }
        }
    }
    into
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::operations;

    /// The calls that are left of a function, with an allocation of its own in front of it.
    fn calls(body: &str) -> Vec<String> {
        let text = format!(
            "void abort(void); void *malloc(unsigned long); void *memset(void *, int, unsigned long); void __monabs_set_bytes(void *t, int v, unsigned long n) {{ }} void *g; \
             void *f(unsigned long n) {{ {body} }} int main(void) {{ return f(8) != 0; }}"
        );
        operations(&text, "f").into_iter().filter(|operation| operation.starts_with("call")).collect()
    }

    #[test]
    fn what_is_cleared_at_once_is_allocated_clear() {
        for body in [
            "void *p = malloc(n); memset(p, 0, n); return p;",
            "void *p = malloc(n); if (!p) return 0; memset(p, 0, n); return p;",
            "void *p = malloc(n); if (!p) abort(); memset(p, 0, n); return p;",
            "char *p = malloc(n + 8); void *q = p; memset(q, 0, n + 8); return q;",
        ] {
            assert!(calls(body).is_empty(), "{body}");
        }
    }

    #[test]
    fn what_may_have_been_used_is_cleared_by_the_call() {
        for body in [
            "void *p = malloc(n); memset(p, 1, n); return p;",
            "void *p = malloc(n); memset(p, 0, n - 1); return p;",
            "void *p = malloc(n); g = p; memset(p, 0, n); return p;",
            "void *p = malloc(n); again: memset(p, 0, n); if (n) goto again; return p;",
            "void *p = malloc(n); n = 4; memset(p, 0, n); return p;",
        ] {
            assert_eq!(calls(body), ["call __monabs_set_bytes"], "{body}");
        }
    }
}
