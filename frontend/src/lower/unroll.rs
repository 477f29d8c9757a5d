//! Loops of the initial thread that create threads or wait for them, and whose number of rounds is known, are unrolled.
//!
//! `for (i = 0; i < 8; i++) pthread_create(&t[i], ...)` is one operation that makes eight threads, and whoever waits for `t[i]` does not know for whom. With a copy of the loop's body
//! for each round there are eight operations, each of which runs at most once (`sites`): each has a record and an object of its own, at a known address. The passes behind need no idea of loops.
//!
//! A loop is a strongly connected part of the initial thread's graph with one way in. A round is a copy of it without the steps back to its head, which lead to the next round instead. Numbers that registers are
//! known to hold at the head decide conditions in the round; what they exclude is left out. If a round cannot come back to the head, the copies are all rounds, and have the runs of the
//! loop: every step is a copy of one, and a step that is missing has a condition that is false whenever control is there. If that takes too many rounds or operations, the loop stays.

use super::expand::{Expanded, Step, Trust};
use super::graph::{NodeId, Op, Register, RegisterId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};

/// Rounds at most.
const MOST_ROUNDS: usize = 32;
/// Operations that copies may add, in all.
const MOST_COPIES: usize = 10_000;
/// Larger initial threads are left alone.
const MOST_STEPS: usize = 50_000;

/// Numbers that registers hold.
type Values = FxHashMap<Symbol, Term>;

/// Unrolls what can be.
pub(super) fn unroll(registers: &[Register], expanded: &mut Expanded) {
    let is_main = |step: &Step| expanded.root_of[step.from.index()] == 0;
    let of_main = expanded.steps.iter().filter(|step| is_main(step));
    if !expanded.shared_calls.is_empty() || of_main.count() > MOST_STEPS {
        return;
    }
    let mut room = MOST_COPIES;
    let mut tried: FxHashSet<NodeId> = FxHashSet::default();
    while let Some(found) = Loop::find(expanded, &tried) {
        tried.insert(found.head);
        let flow = Flow::new(registers, expanded, &found);
        let Some(rounds) = flow.rounds(expanded, &found, room) else { continue };
        room -= rounds.iter().map(Vec::len).sum::<usize>().min(room);
        tried.extend(found.replace(expanded, &rounds));
    }
}

/// Whether a step creates a thread or waits for one, which releases its record. For memory of the user alone a loop stays: objects of one site can lie where others were before.
fn counts(step: &Step) -> bool {
    match &step.op {
        Op::Spawn(..) => true,
        Op::Free(_) => step.model && step.trust >= Trust::Numbers,
        _ => false,
    }
}

/// A loop of the initial thread.
struct Loop {
    head: NodeId,
    nodes: FxHashSet<NodeId>,
    /// The steps that begin in it, by number.
    steps: Vec<usize>,
}

impl Loop {
    /// One that has not been tried.
    fn find(expanded: &Expanded, tried: &FxHashSet<NodeId>) -> Option<Loop> {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(expanded.nodes.len(), expanded.steps.len());
        expanded.nodes.iter().for_each(|_| _ = graph.add_node(()));
        let steps =
            || expanded.steps.iter().enumerate().filter(|(_, step)| expanded.root_of[step.from.index()] == 0);
        for (_, step) in steps() {
            graph.add_edge(NodeIndex::new(step.from.index()), NodeIndex::new(step.to.index()), ());
        }
        let mut component = vec![0; expanded.nodes.len()];
        let components = kosaraju_scc(&graph);
        for (number, members) in components.iter().enumerate() {
            members.iter().for_each(|node| component[node.index()] = number);
        }
        let inside = |step: &Step| component[step.from.index()] == component[step.to.index()];
        // Components in which something happens that counts; and the nodes by which they are entered.
        let mut wanted: Vec<usize> = steps()
            .filter(|(_, step)| inside(step) && counts(step))
            .map(|(_, step)| component[step.from.index()])
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut entries: FxHashMap<usize, FxHashSet<NodeId>> = FxHashMap::default();
        let entered = steps().filter(|(_, step)| !inside(step)).map(|(_, step)| step.to);
        for node in entered.chain(expanded.roots.iter().map(|root| root.entry)) {
            entries.entry(component[node.index()]).or_default().insert(node);
        }
        // Reverse topological order: the first loops are last.
        wanted.into_iter().rev().find_map(|number| {
            let entry = entries.get(&number)?;
            let (Some(&head), 1) = (entry.iter().next(), entry.len()) else { return None };
            if tried.contains(&head) {
                return None;
            }
            let nodes = components[number].iter().map(|node| NodeId(node.index() as u32)).collect();
            let steps = steps().filter(|(_, step)| component[step.from.index()] == number);
            Some(Loop { head, nodes, steps: steps.map(|(index, _)| index).collect() })
        })
    }

    /// Puts the rounds in the place of the loop: each has the steps whose numbers are given. The heads of all rounds.
    fn replace(&self, expanded: &mut Expanded, rounds: &[Vec<usize>]) -> Vec<NodeId> {
        let (mut copies, mut heads) = (Vec::new(), vec![self.head]);
        let mut nodes: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        let mut sorted: Vec<NodeId> = self.nodes.iter().copied().collect();
        sorted.sort_unstable();
        for (number, round) in rounds.iter().enumerate() {
            let mut next: FxHashMap<NodeId, NodeId> = FxHashMap::default();
            // The last round does not come back.
            for node in sorted.iter().filter(|_| number + 1 < rounds.len()) {
                next.insert(*node, NodeId(expanded.nodes.len() as u32));
                expanded.nodes.push(expanded.nodes[node.index()]);
                expanded.root_of.push(0);
            }
            for &index in round {
                let step = &expanded.steps[index];
                let from = *nodes.get(&step.from).unwrap_or(&step.from);
                let targets = if step.to == self.head { &next } else { &nodes };
                let to = *targets.get(&step.to).unwrap_or(&step.to);
                copies.push(Step { from, to, ..step.clone() });
            }
            heads.extend(next.get(&self.head));
            nodes = next;
        }
        let gone: FxHashSet<usize> = self.steps.iter().copied().collect();
        let mut index = 0;
        expanded.steps.retain(|_| {
            index += 1;
            !gone.contains(&(index - 1))
        });
        expanded.steps.extend(copies);
        heads
    }
}

/// Numbers that registers are known to hold, where that decides conditions of a loop.
struct Flow<'a> {
    registers: &'a [Register],
    /// Those that matter.
    relevant: FxHashSet<Symbol>,
    /// The initial thread's steps, by the node where they begin.
    from: FxHashMap<NodeId, Vec<usize>>,
}

impl<'a> Flow<'a> {
    fn new(registers: &'a [Register], expanded: &Expanded, found: &Loop) -> Flow<'a> {
        let mut from: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
        let mut read_by: FxHashMap<Symbol, Vec<Term>> = FxHashMap::default();
        for (index, step) in expanded.steps.iter().enumerate() {
            if expanded.root_of[step.from.index()] == 0 {
                from.entry(step.from).or_default().push(index);
                if let Op::Let(register, term) = &step.op {
                    read_by.entry(registers[register.index()].name).or_default().push(*term);
                }
            }
        }
        let conditions = found.steps.iter().filter_map(|index| match &expanded.steps[*index].op {
            Op::Assume(condition) => Some(*condition),
            _ => None,
        });
        let mut open: Vec<Term> = conditions.collect();
        let mut relevant: FxHashSet<Symbol> = FxHashSet::default();
        while let Some(term) = open.pop() {
            for name in term.constants().into_iter().filter_map(Term::as_constant) {
                if relevant.insert(name) {
                    open.extend(read_by.get(&name).into_iter().flatten());
                }
            }
        }
        Flow { registers, relevant, from }
    }

    /// The steps of each round; nothing if they do not end soon.
    fn rounds(&self, expanded: &Expanded, found: &Loop, mut room: usize) -> Option<Vec<Vec<usize>>> {
        let all = |step: &Step| !(found.nodes.contains(&step.from) && step.to == found.head);
        let before = self.spread(expanded, expanded.roots[0].entry, Values::default(), &all);
        let mut values = before.get(&found.head)?.clone();
        let mut rounds: Vec<Vec<usize>> = Vec::new();
        loop {
            let inside =
                |step: &Step| found.nodes.contains(&step.from) && found.nodes.contains(&step.to) && all(step);
            let known = self.spread(expanded, found.head, values.clone(), &inside);
            let mut next: Option<Values> = None;
            let mut round = Vec::new();
            for &index in &found.steps {
                let step = &expanded.steps[index];
                let after = known.get(&step.from).and_then(|values| self.after(&step.op, values));
                let Some(after) = after else { continue };
                round.push(index);
                if step.to == found.head {
                    match &mut next {
                        None => next = Some(after),
                        Some(next) => _ = meet(next, &after),
                    }
                }
            }
            if rounds.len() >= MOST_ROUNDS || round.len() > room {
                return None;
            }
            room -= round.len();
            rounds.push(round);
            match next {
                None => return Some(rounds),
                Some(next) if next == values => return None,
                Some(next) => values = next,
            }
        }
    }

    /// What is known at the nodes that control can get to from one of them along some steps.
    fn spread(
        &self,
        expanded: &Expanded,
        start: NodeId,
        values: Values,
        along: &dyn Fn(&Step) -> bool,
    ) -> FxHashMap<NodeId, Values> {
        let mut known = FxHashMap::from_iter([(start, values)]);
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            for &index in self.from.get(&node).into_iter().flatten() {
                let step = &expanded.steps[index];
                if !along(step) {
                    continue;
                }
                let Some(after) = self.after(&step.op, &known[&node]) else { continue };
                let news = match known.get_mut(&step.to) {
                    None => known.insert(step.to, after).is_none(),
                    Some(there) => meet(there, &after),
                };
                open.extend(news.then_some(step.to));
            }
        }
        known
    }

    /// What is known after an operation; nothing if it is not possible.
    fn after(&self, op: &Op, values: &Values) -> Option<Values> {
        let value = |term: Term| {
            let known = term.constants().into_iter();
            let known = known.filter_map(|constant| Some((constant, *values.get(&constant.as_constant()?)?)));
            term.substitute(&known.collect())
        };
        let name = |register: &RegisterId| self.registers[register.index()].name;
        let mut after = values.clone();
        match op {
            Op::Assume(condition) if value(*condition).is_false() => return None,
            Op::Let(register, term) if self.relevant.contains(&name(register)) => {
                let value = value(*term);
                match value.constants().is_empty() {
                    true => _ = after.insert(name(register), value),
                    false => _ = after.remove(&name(register)),
                }
            }
            Op::Havoc(register) => _ = after.remove(&name(register)),
            // Which of the others give a register a value is said in one place.
            _ => {
                if let Some(register) = op.assigned() {
                    after.remove(&name(&register));
                }
            }
        }
        Some(after)
    }
}

/// Keeps what both know; whether that is less than before.
fn meet(values: &mut Values, other: &Values) -> bool {
    let before = values.len();
    values.retain(|name, value| other.get(name) == Some(value));
    values.len() < before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::testing::expanded;

    /// How many creations there are after unrolling, and whether any is on a cycle.
    fn creations(body: &str) -> (usize, bool) {
        let text = format!(
            "int any(void); void t(void) {{}} int main(void) {{ {} return 0; }}",
            body.replace("start", "{ __CPROVER_ASYNC_1: t(); }")
        );
        expanded(&text, |code, expanded| {
            unroll(&code.registers, expanded);
            let runs = crate::lower::sites::runs(expanded);
            let all: Vec<&Step> =
                expanded.steps.iter().filter(|step| matches!(step.op, Op::Spawn(..))).collect();
            (all.len(), all.iter().any(|step| !runs.once(expanded, step.from.index())))
        })
    }

    #[test]
    fn known_numbers_of_rounds() {
        assert_eq!(creations("for (int i = 0; i < 5; i++) start"), (5, false));
        assert_eq!(creations("int n = 7; do { start n -= 3; } while (n > 0);"), (3, false));
        assert_eq!(creations("for (int i = 0; i < 3; i++) for (int k = 0; k < i; k++) start"), (3, false));
        // Leaving earlier is no harm, and a round may do without.
        assert_eq!(creations("for (int i = 0; i < 4; i++) { if (any()) break; start }"), (4, false));
        assert_eq!(creations("for (int i = 0; i < 4; i++) { if (i == 2) continue; start }"), (3, false));
        // A loop without an end inside of a round stays one.
        assert_eq!(creations("for (int i = 0; i < 2; i++) { while (any()) {} start }"), (2, false));
    }

    #[test]
    fn other_loops_stay() {
        assert_eq!(creations("while (1) start"), (1, true));
        assert_eq!(creations("for (int i = 0; i < any(); i++) start"), (1, true));
        assert_eq!(creations("for (int i = 0; i < 1000; i++) start"), (1, true));
        assert_eq!(creations("for (int i = 0; i < 4; i++) { start if (any()) i = 0; }"), (1, true));
        assert_eq!(creations("int i = 0; int *p = &i; while (i < 4) { start ++*p; }"), (1, true));
    }
}
