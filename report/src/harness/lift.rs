//! From a run of the reduced program to one of the program as it was translated, where each access to memory is a step of its own.
//!
//! A step of the reduced program stands for several steps of one thread, without those that no property depends on. The search goes through the
//! threads in the order of the run and lets each do steps of the translated program until it has done all accesses of the reduced step, with the
//! same values. What is not determined (inputs, how far a thread goes beyond the last access) is tried depth first; a state that was seen in the
//! same part of the run is not looked at again. A thread stops early rather than late, but it gives back what others may wait for. Whatever
//! is found is a run that violates the property: the way there is only advice.

use super::library;
use super::parts::{self, Line, Needed, Part, Touched};
use frontend::program::interpret::{self, Interpreter, State};
use frontend::program::trace::Trace;
use frontend::program::{Choice, Edge, EdgeId, Input, Program, Run, VariableId};
use smt::{Bits, Op, Sort, Term, Value};
use std::collections::HashSet;

/// How many states are looked at.
const STATES: usize = 20_000;
/// How many steps a thread may do on its own before it is believed to loop.
const LOCAL_STEPS: usize = 10_000;
/// How many values of an input are tried.
const VALUES: usize = 12;

/// What is believed of the reduced run. Who believes more looks at less, and misses more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Care {
    /// Only that accesses come in its order.
    Order,
    /// A thread writes, of what the run knows, only what its part says. But reductions may leave out writes that nobody sees.
    Writes,
    /// Also, what the run does not say does not matter: few values are tried for it.
    Values,
}

struct Node {
    state: State,
    /// How many parts are done.
    part: usize,
    /// Which accesses of the part are done, and which of its inputs are taken.
    done: Vec<bool>,
    /// The steps that led here from the parent.
    steps: Vec<Choice>,
    parent: Option<usize>,
}

/// A run of the translated program that violates the property, if one is found along the reduced run.
pub(super) fn lift(
    translated: &Program,
    reduced: &Program,
    trace: &Trace<'_>,
    run: &Run,
    goal: &str,
) -> Option<Run> {
    let interpreter = Interpreter::new(translated, run.threads).ok()?;
    let initial = parts::initial(translated, reduced, &run.initial);
    let start = interpreter.initial_state(|variable, thread| {
        let given = initial.iter().find(|value| (value.variable, value.thread) == (variable, thread));
        let sort = translated.variable(variable).data_type.sort();
        given.map_or_else(|| Value::zero(sort), |given| given.value.clone())
    });
    let parts = parts::parts(translated, reduced, trace, run);
    let known = parts.iter().flat_map(|part| &part.needed).map(|needed| needed.variable).collect();
    let mut lifting = Lifting {
        edges_from: translated.edges_from(),
        touched: parts::touched(translated),
        lines: translated.edges.iter().map(|edge| edge.origin.last().map(parts::line)).collect(),
        mentioned: parts::lines(reduced),
        parts,
        known,
        values: values(translated, run),
        goal,
        care: Care::Values,
        interpreter,
    };
    let steps = [Care::Values, Care::Writes, Care::Order].into_iter().find_map(|care| {
        lifting.care = care;
        lifting.search(start.clone())
    })?;
    let run = Run { threads: run.threads, initial, steps };
    let outcome = interpret::replay(translated, &run).ok()?;
    outcome.violated.contains_key(goal).then_some(run)
}

/// Values to try for inputs: those of the run, then small numbers, then the program's literals.
fn values(program: &Program, run: &Run) -> Vec<Value> {
    let mut found: Vec<Value> = run.steps.iter().flat_map(|step| step.inputs.iter().cloned()).collect();
    let mut seen: HashSet<Term> = HashSet::new();
    let mut open: Vec<Term> = Vec::new();
    for edge in &program.edges {
        open.push(edge.guard);
        open.extend(edge.assign.iter().map(|(_, term)| *term));
    }
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            open.extend(term.args());
            if let Op::Bits(bits) = term.op() {
                found.push(Value::Bits(bits.clone()));
            }
        }
    }
    found
}

struct Lifting<'a> {
    interpreter: Interpreter<'a>,
    edges_from: Vec<Vec<EdgeId>>,
    touched: Vec<Touched>,
    parts: Vec<Part>,
    /// Variables of the parts.
    known: HashSet<VariableId>,
    values: Vec<Value>,
    goal: &'a str,
    /// The line of each edge.
    lines: Vec<Option<Line>>,
    /// The lines that the reduced program has.
    mentioned: HashSet<Line>,
    care: Care,
}

impl Lifting<'_> {
    fn search(&self, start: State) -> Option<Vec<Choice>> {
        let mut nodes =
            vec![Node { state: start, part: 0, done: self.nothing_done(0), steps: Vec::new(), parent: None }];
        let (mut open, mut later) = (vec![0], Vec::new());
        let mut seen: HashSet<(usize, Vec<bool>, State)> = HashSet::new();
        // How far it got, and whether threads that have nothing to do with what is missing wait.
        let (mut farthest, mut waiting) = (0, true);
        while seen.len() < STATES {
            let Some(number) = open.pop() else {
                if later.is_empty() {
                    break;
                }
                later.reverse();
                (open, waiting) = (std::mem::take(&mut later), false);
                continue;
            };
            let node = &nodes[number];
            if node.part > farthest {
                (farthest, waiting) = (node.part, true);
            } else if waiting && node.part < farthest && self.thread(node.part) != self.thread(farthest) {
                later.push(number);
                continue;
            }
            if !seen.insert((node.part, node.done.clone(), node.state.clone())) {
                continue;
            }
            if self.interpreter.violated(&node.state).contains(&self.goal) {
                return Some(path(&nodes, number));
            }
            let next = self.successors(node);
            for (state, part, done, steps) in next.into_iter().rev() {
                open.push(nodes.len());
                nodes.push(Node { state, part, done, steps, parent: Some(number) });
            }
        }
        None
    }

    /// Who does a part; none after the last.
    fn thread(&self, part: usize) -> Option<usize> {
        self.parts.get(part).map(|part| part.thread)
    }

    fn nothing_done(&self, part: usize) -> Vec<bool> {
        self.parts.get(part).map_or_else(Vec::new, |part| vec![false; part.needed.len() + part.inputs.len()])
    }

    /// Most promising first.
    fn successors(&self, node: &Node) -> Vec<(State, usize, Vec<bool>, Vec<Choice>)> {
        let mut next = Vec::new();
        if let Some(part) = self.parts.get(node.part) {
            let mut early = false;
            let left = part.left(&node.done);
            let is_over = self.is_over(node, part);
            for (choice, state) in self.moves(node, part.thread, &left) {
                let touched = &self.touched[choice.edge.index()];
                if (is_over && !self.is_about(part, touched)) || self.strays(node.part, choice.edge) {
                    // This belongs to another part.
                    continue;
                }
                early |= touched.releases && !touched.is_local();
                early |= choice.inputs.iter().any(|value| left.contains(value));
                let done = self.done(node, part, &choice, &state);
                let mut steps = vec![choice];
                let state = self.go_on(state, part.thread, &mut steps);
                next.push((state, node.part, done, steps));
            }
            if self.care == Care::Values {
                next.sort_by_key(|(state, ..)| self.is_elsewhere(part, state));
            }
            if is_over {
                let following =
                    (node.state.clone(), node.part + 1, self.nothing_done(node.part + 1), Vec::new());
                let at = if early { next.len() } else { 0 };
                next.insert(at, following);
            }
        } else {
            // What must not happen is the next step of who moved last, but for steps that it waits for.
            let last = self.parts.last().map_or(0, |part| part.thread);
            let others = (0..self.interpreter.threads()).filter(|thread| *thread != last);
            for thread in std::iter::once(last).chain(others) {
                for (choice, state) in self.moves(node, thread, &[]) {
                    let mut steps = vec![choice];
                    let state = self.go_on(state, thread, &mut steps);
                    next.push((state, node.part, Vec::new(), steps));
                }
            }
        }
        next
    }

    /// Whether all accesses of the part are done.
    fn is_over(&self, node: &Node, part: &Part) -> bool {
        let mut writes = part.needed.iter().filter(|needed| needed.write);
        node.done.iter().take(part.needed.len()).all(|done| *done)
            && writes.all(|needed| needed.agrees(&self.interpreter, &node.state))
            && self.interpreter.atomic_thread(&node.state).is_none()
    }

    /// Whether an edge touches nothing that the reduced run knows but what this part is about: a step that became one with others looks again at what
    /// it has just written, and the reduced run does not say so.
    fn is_about(&self, part: &Part, touched: &Touched) -> bool {
        let is_own = |id: &VariableId| part.about.reads.contains(id) || part.about.writes.contains(id);
        touched.reads.iter().chain(&touched.writes).all(|id| is_own(id) || !self.known.contains(id))
    }

    /// Whether an edge leads away from the reduced run, as far as that is believed. What the initial thread does alone at first may be anything: reductions make it
    /// part of the initial values.
    fn strays(&self, number: usize, edge: EdgeId) -> bool {
        if self.parts[..=number].iter().all(|part| part.thread == 0) {
            return false;
        }
        let (part, touched) = (&self.parts[number], &self.touched[edge.index()]);
        let is_own = |id: &VariableId| part.about.writes.contains(id);
        let writes = || touched.writes.iter().any(|id| self.known.contains(id) && !is_own(id));
        self.care >= Care::Writes && writes()
    }

    /// Whether the thread of a part is about to do what stands in other lines than the run says. Reductions may have joined several ways, so this is only a hint.
    fn is_elsewhere(&self, part: &Part, state: &State) -> bool {
        let location = self.interpreter.location(state, part.thread);
        let mut lines = self.edges_from[location.index()].iter().filter_map(|edge| self.lines[edge.index()]);
        lines.all(|line| self.mentioned.contains(&line) && !part.lines.contains(&line))
    }

    fn done(&self, node: &Node, part: &Part, choice: &Choice, after: &State) -> Vec<bool> {
        let touched = &self.touched[choice.edge.index()];
        let now = |needed: &Needed| {
            if needed.write {
                touched.writes.contains(&needed.variable) && needed.agrees(&self.interpreter, after)
            } else {
                touched.reads.contains(&needed.variable) && needed.agrees(&self.interpreter, &node.state)
            }
        };
        let mut done = node.done.clone();
        for (done, needed) in done.iter_mut().zip(&part.needed) {
            *done = *done || now(needed);
        }
        let mut inputs = done.iter_mut().skip(part.needed.len()).zip(&part.inputs);
        if let Some((taken, _)) = inputs.find(|(taken, value)| !**taken && choice.inputs.contains(value)) {
            *taken = true;
        }
        done
    }

    /// The steps of a thread, with all inputs that are tried.
    fn moves(&self, node: &Node, thread: usize, preferred: &[Value]) -> Vec<(Choice, State)> {
        let location = self.interpreter.location(&node.state, thread);
        let mut found = Vec::new();
        for &edge in &self.edges_from[location.index()] {
            for inputs in self.inputs(edge, preferred) {
                found.extend(self.step(&node.state, thread, edge, inputs));
            }
        }
        found
    }

    fn step(
        &self,
        state: &State,
        thread: usize,
        edge: EdgeId,
        inputs: Vec<Value>,
    ) -> Option<(Choice, State)> {
        let broadcast = &self.interpreter.program().edge(edge).broadcast;
        let passive_inputs = if broadcast.inputs.is_empty() {
            Vec::new()
        } else {
            let zeros: Vec<Value> = broadcast.inputs.iter().map(|input| Value::zero(input.sort)).collect();
            let threads = 0..self.interpreter.threads();
            threads.map(|other| if other == thread { Vec::new() } else { zeros.clone() }).collect()
        };
        let choice = Choice { thread, edge, inputs, passive_inputs };
        let after = self.interpreter.step(state, &choice).ok()?;
        Some((choice, after))
    }

    fn inputs(&self, edge: EdgeId, preferred: &[Value]) -> Vec<Vec<Value>> {
        let edge = self.interpreter.program().edge(edge);
        let text = edge.origin.last().map_or("", |origin| origin.text.as_str());
        let mut all = vec![Vec::new()];
        for input in &edge.inputs {
            let mut list = self.candidates(input.sort, preferred);
            if !self.is_result(edge, input) {
                list.truncate(1);
            }
            if library::may_fail(text) && input.sort == Sort::Bool {
                // It does not fail without a reason, if that is not needed.
                list = vec![Value::Bool(false), Value::Bool(true)];
            }
            let longer = all.iter().flat_map(|begin: &Vec<Value>| {
                list.iter().map(|value| [begin.as_slice(), std::slice::from_ref(value)].concat())
            });
            all = longer.take(VALUES * VALUES).collect();
        }
        all
    }

    /// Whether an input is what a function returns; otherwise it is what a variable has that nobody has set, which nobody can choose when
    /// the program runs.
    fn is_result(&self, edge: &Edge, input: &Input) -> bool {
        let program = self.interpreter.program();
        let mut assigned = edge.assign.iter().filter(|(_, term)| *term == input.term());
        assigned.all(|(id, _)| program.variable(*id).name.as_str().contains("::$"))
    }

    fn candidates(&self, sort: Sort, preferred: &[Value]) -> Vec<Value> {
        let usual = match sort {
            Sort::Bool => vec![Value::Bool(true), Value::Bool(false)],
            Sort::BitVec(width) => {
                [Bits::zero(width), Bits::one(width), Bits::ones(width)].map(Value::Bits).to_vec()
            }
            Sort::Array(_) => vec![Value::zero(sort)],
        };
        let fitting = preferred.iter().filter(|value| value.has_sort(sort)).count();
        let most = if self.care == Care::Values { fitting + 2 } else { VALUES };
        let mut list: Vec<Value> = Vec::new();
        for value in preferred.iter().chain(&usual).chain(&self.values) {
            if value.has_sort(sort) && !list.contains(value) && list.len() < most {
                list.push(value.clone());
            }
        }
        list
    }

    /// Steps of a thread that nobody else notices, and that leave no choice.
    fn go_on(&self, mut state: State, thread: usize, steps: &mut Vec<Choice>) -> State {
        for _ in 0..LOCAL_STEPS {
            let location = self.interpreter.location(&state, thread);
            let edges = &self.edges_from[location.index()];
            let program = self.interpreter.program();
            let has_choice = |edge: &EdgeId| !program.edge(*edge).inputs.is_empty();
            let enters = |edge: &EdgeId| {
                program.location(program.edge(*edge).to).atomic && !program.location(location).atomic
            };
            let is_seen = |edge: &EdgeId| !self.touched[edge.index()].is_local() || enters(edge);
            if edges.iter().any(|edge| has_choice(edge) || is_seen(edge)) {
                break;
            }
            let mut possible = edges.iter().filter_map(|edge| self.step(&state, thread, *edge, Vec::new()));
            let (Some((choice, after)), None) = (possible.next(), possible.next()) else { break };
            steps.push(choice);
            state = after;
        }
        state
    }
}

fn path(nodes: &[Node], last: usize) -> Vec<Choice> {
    let mut numbers = vec![last];
    while let Some(parent) = numbers.last().and_then(|number| nodes[*number].parent) {
        numbers.push(parent);
    }
    numbers.iter().rev().flat_map(|number| nodes[*number].steps.iter().cloned()).collect()
}
