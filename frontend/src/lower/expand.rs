//! Calls are expanded: one graph for `main` and one for each function that a thread starts with.
//!
//! If the copies of functions were too many operations, the larger functions are shared between calls (`shared`): first the largest, then smaller ones, until
//! the program is small enough.
//! Each call gets its own copy of the callee's nodes; registers are shared between copies, since a non-recursive
//! function has one frame per thread at a time. Recursive calls get registers of their own, down to a given depth.
//! While a copy is made, parameters and locals that are assigned once, with an address or a number, are replaced by it: so most
//! pointers to locks and structs are known where they are used, at no cost.

use super::call_graph::{ByType, CallGraph};
use super::context::Lowerer;
use super::graph::{
    Access, Address, Argument, Body, CallResult, Callee, Check, CheckId, FunctionId, Graph, GraphEdge, Index,
    InitialValue, MemoryOrder, NodeId, Object, ObjectId, Op, Parameter, Register, RegisterId, Storage,
};
use super::shared::{SharedCall, Sharing};
use super::unset::read_unset;
use crate::types::{FunctionType, Type, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};
use std::collections::BTreeMap;

/// Where an operation comes from: the text, and the place the user sees (the call, for models).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Source {
    pub span: (u32, u32),
    pub function: Symbol,
}

/// What the models know about their own addresses, by construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// Nothing: the user's code, and models that work on what the user gives them.
    None,
    /// Numbers of addresses: a thread's handle is the address of its record, or a number above all addresses. Records that were released
    /// may be looked at and released again. Locks are the user's memory, and no such matter.
    Numbers,
    /// Also that pointers are valid: a thread's own handle is.
    Pointers,
}

/// Functions of the models that use only what belongs to the thread that runs them.
const OWN_POINTERS: &[&str] = &["__monabs_thread_finish", "__monabs_run_destructors"];

/// Functions of the models that work on handles of threads.
const HANDLES: &[&str] = &[
    "__monabs_has_record",
    "__monabs_new_handle",
    "__monabs_new_identity",
    "__monabs_join",
    "__monabs_join_gives_up",
    "__monabs_join_or_not",
];

fn trust(function: &str) -> Trust {
    if OWN_POINTERS.contains(&function) {
        Trust::Pointers
    } else if HANDLES.contains(&function) {
        Trust::Numbers
    } else {
        Trust::None
    }
}

/// An operation of an expanded graph; calls are gone.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub from: NodeId,
    pub to: NodeId,
    pub op: Op,
    pub source: Source,
    /// Inside of a model whose accesses are not the user's.
    pub model: bool,
    pub trust: Trust,
}

/// What a thread starts with.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// None for the initial thread.
    pub function: Option<FunctionId>,
    pub entry: NodeId,
    pub parameters: Vec<(Parameter, Type)>,
}

/// All code, with calls expanded.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    pub nodes: Vec<Source>,
    pub steps: Vec<Step>,
    pub roots: Vec<Root>,
    /// The root whose thread can be at a node.
    pub root_of: Vec<u32>,
    /// Calls of functions with one graph for all calls.
    pub shared_calls: Vec<SharedCall>,
    /// Whether the program became too large.
    pub too_large: bool,
}

/// A copy of a function for a depth of recursion or a root of its own.
pub(super) struct Instance {
    body: Body,
    pub(super) name: Symbol,
    /// Edges by the node where they begin.
    from_node: Vec<Vec<u32>>,
    assigned: FxHashSet<RegisterId>,
    /// Registers that may be replaced by what they are assigned, if that is known.
    once: FxHashMap<RegisterId, Term>,
}

pub(super) struct Expander<'l, 'a> {
    pub(super) lowerer: &'l mut Lowerer<'a>,
    pub(super) out: Expanded,
    /// Functions with one graph for all calls; none if each call has its copy.
    pub(super) sharing: Option<Sharing>,
    /// How many operations there may be.
    budget: usize,
    /// How often each function is being expanded right now.
    depth: FxHashMap<FunctionId, u32>,
    instances: FxHashMap<(FunctionId, u32, u32), std::rc::Rc<Instance>>,
    /// Roots that use a function with objects, in order of first use.
    users: FxHashMap<FunctionId, Vec<u32>>,
    by_type: ByType,
    pub(super) root: u32,
    roots: BTreeMap<FunctionId, u32>,
    queue: Vec<FunctionId>,
    fixed: FxHashMap<ObjectId, Vec<InitialValue>>,
}

/// More than the number of arguments of any process: the array of their addresses has room for so many.
const MAX_ARGUMENTS: u64 = super::layout::UNKNOWN_SIZE / 8;

/// Terms that are known for registers in one copy of a function.
pub(super) type Known = FxHashMap<Term, Term>;

/// Functions with more operations than these are shared: less and less, until the program is small enough.
const THRESHOLDS: [u64; 4] = [1000, 200, 40, 0];

/// Expands `main` and all threads: each call gets its copy if the program stays small enough.
pub(crate) fn expand(lowerer: &mut Lowerer<'_>, main: FunctionId) -> Expanded {
    let most = lowerer.options.max_operations;
    let enough = most.min(lowerer.options.copied_operations);
    let mut by_type = ByType::new(lowerer);
    let start = Start::of(lowerer);
    let copied = expand_within(lowerer, main, None, enough);
    if !copied.too_large {
        return copied;
    }
    for threshold in THRESHOLDS {
        drop_made(lowerer, &start);
        let calls = CallGraph::new(lowerer, &mut by_type, main);
        // What shares as much as possible may be as large as it is.
        let budget = if threshold == 0 { most } else { enough };
        let shared = expand_within(lowerer, main, Some(Sharing::new(calls, threshold)), budget);
        if !shared.too_large || threshold == 0 {
            return shared;
        }
    }
    copied
}

/// What there was before an attempt.
struct Start {
    objects: usize,
    registers: usize,
    checks: usize,
    names: FxHashMap<String, u32>,
}

impl Start {
    fn of(lowerer: &Lowerer<'_>) -> Start {
        Start {
            objects: lowerer.objects.len(),
            registers: lowerer.registers.len(),
            checks: lowerer.checks.len(),
            names: lowerer.names.clone(),
        }
    }
}

/// Forgets what an attempt has made.
fn drop_made(lowerer: &mut Lowerer<'_>, start: &Start) {
    lowerer.objects.truncate(start.objects);
    lowerer.registers.truncate(start.registers);
    lowerer.checks.truncate(start.checks);
    lowerer.names.clone_from(&start.names);
}

fn expand_within(
    lowerer: &mut Lowerer<'_>,
    main: FunctionId,
    sharing: Option<Sharing>,
    budget: usize,
) -> Expanded {
    let by_type = ByType::new(lowerer);
    let fixed = fixed_objects(lowerer);
    let mut expander = Expander {
        fixed,
        lowerer,
        out: Expanded::default(),
        sharing,
        budget,
        depth: FxHashMap::default(),
        instances: FxHashMap::default(),
        users: FxHashMap::default(),
        by_type,
        root: 0,
        roots: BTreeMap::new(),
        queue: Vec::new(),
    };
    expander.root(None, main);
    let mut done = 0;
    while done < expander.queue.len() {
        let function = expander.queue[done];
        done += 1;
        expander.root(Some(function), function);
    }
    expander.out
}

impl Expander<'_, '_> {
    pub(super) fn node(&mut self, source: Source) -> NodeId {
        self.out.nodes.push(source);
        self.out.root_of.push(self.root);
        NodeId((self.out.nodes.len() - 1) as u32)
    }

    pub(super) fn step(&mut self, from: NodeId, to: NodeId, op: Op, source: Source, model: bool) {
        self.out.steps.push(Step { from, to, op, source, model, trust: Trust::None });
    }

    fn root(&mut self, thread: Option<FunctionId>, function: FunctionId) {
        self.root = self.out.roots.len() as u32;
        let name = self.lowerer.shown_name(function);
        let source = Source { span: self.head(function), function: name };
        let entry = self.node(source);
        let end = self.node(source);
        let Some(instance) = self.instance(function, 0) else { return };
        let parameters = instance.body.parameters.clone();
        self.out.roots.push(Root { function: thread, entry, parameters: parameters.clone() });
        let mut start = entry;
        if thread.is_none() {
            start = self.main_parameters(&parameters, start, source);
        }
        self.copy(function, &instance, (start, end), Known::default(), None, 0);
        match thread {
            Some(_) => self.finish_thread(&instance, end, source),
            None => self.finish_process(end, source),
        }
    }

    pub(super) fn head(&self, function: FunctionId) -> (u32, u32) {
        let name = self.lowerer.functions[function.index()].name;
        self.lowerer.definitions.get(&name).map_or((0, 0), |d| {
            let span = d.node.declarator.span;
            (span.start as u32, span.end as u32)
        })
    }

    /// `argc` is not negative; `argv` points to as many strings that may hold anything, and a null pointer behind them.
    fn main_parameters(
        &mut self,
        parameters: &[(Parameter, Type)],
        mut at: NodeId,
        source: Source,
    ) -> NodeId {
        let mut count = None;
        for (index, (parameter, ty)) in parameters.iter().enumerate() {
            let (register, object) = match parameter {
                Parameter::Register(register) => (*register, None),
                Parameter::Object(object) => (self.lowerer.temporary(ty), Some(*object)),
            };
            let term = self.lowerer.register_term(register);
            let mut ops = Vec::new();
            if index > 0 && ty.is_pointer() {
                let (address, end) = self.argument_strings(count);
                ops.extend(end);
                ops.push(Op::Let(register, address));
            } else {
                ops.push(Op::Havoc(register));
                if index == 0 && term.width() > 17 {
                    // No system gives a program more arguments than fit into the memory for them.
                    let most = Term::bv(term.width(), u128::from(MAX_ARGUMENTS));
                    ops.push(Op::Assume(Term::bv(term.width(), 0).sle(term).and(term.slt(most))));
                    count = Some(term);
                }
            }
            if let Some(object) = object {
                let access = Access::of(self.lowerer.types.width(ty), ty.clone(), Some(MemoryOrder::SeqCst));
                ops.push(Op::Forget(object));
                ops.push(Op::Store(Address::object(object), access, term));
            }
            for op in ops {
                let next = self.node(source);
                self.step(at, next, op, source, false);
                at = next;
            }
        }
        at
    }

    /// An array of pointers to a string of any length and content, and the operation that ends it.
    fn argument_strings(&mut self, count: Option<Term>) -> (Term, Option<Op>) {
        let string = Type::Array(crate::types::CHAR.into(), None);
        let text = self.lowerer.new_object("argv.text", string, Storage::Static, 0);
        self.lowerer.objects[text.index()].init = None;
        self.lowerer.objects[text.index()].writes = super::graph::Writes::Limit;
        let pointer = crate::types::CHAR.pointer();
        let vector =
            self.lowerer.new_object("argv", Type::Array(pointer.clone().into(), None), Storage::Static, 0);
        self.lowerer.objects[vector.index()].everywhere = Some(self.lowerer.object_address(text));
        let end = count.map(|count| {
            let width = self.lowerer.pointer_width();
            let index =
                Index { term: count.resize_unsigned(width), stride: u64::from(width / 8), count: None };
            let address = Address::Object { object: vector, offset: 0, indices: vec![index] };
            Op::Store(address, Access::of(width, pointer, Some(MemoryOrder::SeqCst)), Term::bv(width, 0))
        });
        (self.lowerer.object_address(vector), end)
    }

    /// When `main` returns, the process ends, and so does every use of its locals.
    fn finish_process(&mut self, end: NodeId, source: Source) {
        let (mut leaving, mut into): (FxHashMap<NodeId, u32>, FxHashMap<NodeId, Vec<usize>>) =
            Default::default();
        for (index, step) in self.out.steps.iter().enumerate() {
            *leaving.entry(step.from).or_insert(0) += 1;
            into.entry(step.to).or_default().push(index);
        }
        let mut open = vec![end];
        while let Some(node) = open.pop() {
            for index in into.remove(&node).unwrap_or_default() {
                let step = &mut self.out.steps[index];
                if !matches!(step.op, Op::Dead(_) | Op::Skip) {
                    continue;
                }
                step.op = Op::Skip;
                let count = leaving.entry(step.from).or_insert(1);
                *count -= 1;
                if *count == 0 {
                    open.push(step.from);
                }
            }
        }
        let nowhere = self.node(source);
        self.step(end, nowhere, Op::Exit, source, false);
    }

    /// When a thread's function has returned, the model records that.
    fn finish_thread(&mut self, instance: &Instance, end: NodeId, source: Source) {
        let finish = match self.lowerer.lookup("__monabs_thread_finish") {
            Some(super::context::Entity::Function(id)) => *id,
            _ => return,
        };
        let Some(target) = self.instance(finish, 0) else { return };
        let width = self.lowerer.pointer_width();
        let value = match &instance.body.result {
            CallResult::Scalar(register, ty) => {
                let term = super::operators::bits_of(self.lowerer.register_term(*register), width);
                if self.lowerer.types.signed(ty) {
                    term.resize_signed(width)
                } else {
                    term.resize_unsigned(width)
                }
            }
            _ => Term::bv(width, 0),
        };
        let after = self.node(source);
        let arguments = [Argument::Scalar(value, Type::Void.pointer())];
        self.call(finish, &target, &arguments, &CallResult::None, end, after, source, source, false, 0);
    }

    /// The body to copy: for recursion, and for locals in memory of a second root, with registers and objects of its own.
    fn instance(&mut self, function: FunctionId, depth: u32) -> Option<std::rc::Rc<Instance>> {
        let body = self.lowerer.functions[function.index()].body.clone()?;
        let mut root = 0;
        if !body.objects.is_empty() {
            let users = self.users.entry(function).or_default();
            let known = users.iter().position(|r| *r == self.root);
            root = known.unwrap_or_else(|| {
                users.push(self.root);
                users.len() - 1
            }) as u32;
        }
        if let Some(known) = self.instances.get(&(function, depth, root)) {
            return Some(known.clone());
        }
        let name = self.lowerer.shown_name(function);
        let body = if depth == 0 && root == 0 { body } else { self.renamed(body, depth, root) };
        let (from_node, assigned) = (body.graph.edges_from(), assigned(&body));
        let once = assigned_once(&body, &self.lowerer.registers);
        let instance = std::rc::Rc::new(Instance { body, name, from_node, assigned, once });
        self.instances.insert((function, depth, root), instance.clone());
        Some(instance)
    }

    /// A copy of a body with fresh objects, and fresh registers if it is for recursion.
    fn renamed(&mut self, mut body: Body, depth: u32, root: u32) -> Body {
        let suffix = if depth > 0 { format!("@{depth}") } else { format!("@thread{root}") };
        let mut terms = Known::default();
        let mut registers: FxHashMap<RegisterId, RegisterId> = FxHashMap::default();
        let mut objects: FxHashMap<ObjectId, ObjectId> = FxHashMap::default();
        if depth > 0 {
            for old in &body.registers {
                let register = self.lowerer.registers[old.index()].clone();
                let name = self.lowerer.unique(&format!("{}{suffix}", register.name));
                let new = RegisterId(self.lowerer.registers.len() as u32);
                self.lowerer.registers.push(Register { name, ..register.clone() });
                terms.insert(register.term(), self.lowerer.register_term(new));
                registers.insert(*old, new);
            }
        }
        for old in &body.objects {
            let object: Object = self.lowerer.objects[old.index()].clone();
            let new = self.lowerer.new_object(
                &format!("{}{suffix}", object.name),
                object.ty,
                object.storage,
                object.offset,
            );
            terms.insert(self.lowerer.object_address(*old), self.lowerer.object_address(new));
            objects.insert(*old, new);
        }
        let mut renaming = Renaming { terms: smt::Substitution::new(terms), registers, objects };
        for edge in &mut body.graph.edges {
            renaming.op(&mut edge.op);
        }
        for (parameter, _) in &mut body.parameters {
            match parameter {
                Parameter::Register(register) => renaming.register(register),
                Parameter::Object(object) => renaming.object(object),
            }
        }
        renaming.result(&mut body.result);
        body
    }

    /// Copies a body between two nodes. `call` is the place of the outermost call of a model, `depth` that of atomic sections. The depth behind.
    pub(super) fn copy(
        &mut self,
        function: FunctionId,
        instance: &Instance,
        (entry, exit): (NodeId, NodeId),
        known: Known,
        call: Option<Source>,
        depth: u32,
    ) -> u32 {
        if self.out.steps.len() > self.budget {
            self.out.too_large = true;
            return depth;
        }
        *self.depth.entry(function).or_insert(0) += 1;
        if let Some(sharing) = &mut self.sharing {
            let level = sharing.level(function);
            sharing.active.push((function, level));
        }
        let about = &self.lowerer.functions[function.index()];
        let (model, hidden) = (about.model, about.model && !about.library);
        let trust = if hidden { trust(instance.name.as_str()) } else { Trust::None };
        let body = &instance.body;
        let mut known = Propagation { terms: smt::Substitution::new(known), once: &instance.once };
        let mut nodes: Vec<Option<NodeId>> = vec![None; body.graph.nodes as usize];
        nodes[Graph::ENTRY.index()] = Some(entry);
        nodes[Graph::EXIT.index()] = Some(exit);
        let mut open = vec![Graph::ENTRY];
        let mut seen = vec![false; body.graph.nodes as usize];
        seen[Graph::ENTRY.index()] = true;
        seen[Graph::EXIT.index()] = true;
        let mut depths: Vec<Option<u32>> = vec![None; body.graph.nodes as usize];
        depths[Graph::ENTRY.index()] = Some(depth);
        // Depth first, so that what is known about a register is mostly known before it is used.
        while let Some(node) = open.pop() {
            for &edge in instance.from_node[node.index()].iter().rev() {
                let edge = &body.graph.edges[edge as usize];
                let op = known.apply(&edge.op, &self.fixed);
                if matches!(op, Op::Assume(guard) if guard.is_false()) {
                    continue;
                }
                let source = match call {
                    Some(outer) if model => outer,
                    _ => Source { span: edge.span, function: instance.name },
                };
                let mut place = |s: &mut Self, node: NodeId| match nodes[node.index()] {
                    Some(known) => known,
                    None => {
                        let new = s.node(source);
                        nodes[node.index()] = Some(new);
                        new
                    }
                };
                let (from, to) = (place(self, edge.from), place(self, edge.to));
                let ends = matches!(op, Op::Fail(_) | Op::Limit(_) | Op::Stop | Op::Exit);
                let here = depths[node.index()].unwrap_or(depth);
                let mut behind = match op {
                    Op::AtomicBegin => here + 1,
                    Op::AtomicEnd => here.saturating_sub(1),
                    _ => here,
                };
                match op {
                    Op::Call(callee, arguments, result) => {
                        let outer = call.filter(|_| model).unwrap_or(source);
                        behind =
                            self.calls(callee, &arguments, &result, from, to, source, outer, hidden, here);
                    }
                    Op::Spawn(callee, arguments, record) => {
                        self.spawns(callee, arguments, record, from, to, source, hidden)
                    }
                    op => self.out.steps.push(Step { from, to, op, source, model: hidden, trust }),
                }
                depths[edge.to.index()].get_or_insert(behind);
                if !ends && !seen[edge.to.index()] {
                    seen[edge.to.index()] = true;
                    open.push(edge.to);
                }
            }
        }
        if let Some(count) = self.depth.get_mut(&function) {
            *count -= 1;
        }
        if let Some(sharing) = &mut self.sharing {
            sharing.active.pop();
        }
        depths[Graph::EXIT.index()].unwrap_or(depth)
    }

    /// The functions that a call may reach, each with the condition under which it does.
    fn candidates(&mut self, callee: &Callee) -> Vec<(Term, FunctionId)> {
        match callee {
            Callee::Direct(function) => vec![(Term::tru(), *function)],
            Callee::Indirect(term, ty) => {
                let address = |s: &Self, function: FunctionId| {
                    s.lowerer.object_address(s.lowerer.functions[function.index()].object)
                };
                let is_known = is_closed(*term);
                let mut taken = self.by_type.taken().iter();
                if let Some(known) = taken.find(|f| is_known && address(self, **f) == *term) {
                    return vec![(Term::tru(), *known)];
                }
                let found = self.by_type.candidates(self.lowerer, ty).to_vec();
                found.into_iter().map(|f| (term.equals(address(self, f)), f)).collect()
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a call with its two ends and its place")]
    fn calls(
        &mut self,
        callee: Callee,
        arguments: &[Argument],
        result: &CallResult,
        from: NodeId,
        to: NodeId,
        source: Source,
        outer: Source,
        model: bool,
        depth: u32,
    ) -> u32 {
        let candidates = self.candidates(&callee);
        let mut behind = None;
        let mut none = Term::tru();
        for (condition, function) in candidates {
            none = none.and(condition.not());
            let start = if condition.is_true() {
                from
            } else {
                let start = self.node(source);
                self.step(from, start, Op::Assume(condition), source, model);
                start
            };
            let level = match &self.sharing {
                Some(sharing) => sharing.level(function),
                None => self.depth.get(&function).copied().unwrap_or(0),
            };
            if level > self.lowerer.options.unwind_recursion {
                let name = self.lowerer.shown_name(function);
                let message = format!(
                    "'{name}' calls itself more than {} times; raise --unwind-recursion",
                    self.lowerer.options.unwind_recursion
                );
                let nowhere = self.node(source);
                self.step(start, nowhere, Op::Limit(message), source, model);
                continue;
            }
            match self.instance(function, level) {
                Some(instance) => {
                    let after = self
                        .call(function, &instance, arguments, result, start, to, source, outer, model, depth);
                    behind.get_or_insert(after);
                }
                None => {
                    let nowhere = self.node(source);
                    let name = self.lowerer.shown_name(function);
                    let message = format!("'{name}' is called through a pointer and has no definition");
                    self.step(start, nowhere, Op::Limit(message), source, model);
                }
            }
        }
        self.unresolved(&callee, none, from, source, model);
        behind.unwrap_or(depth)
    }

    /// What happens if a function pointer is none of the known functions: a violation if pointers are checked and there are such functions, or if it is
    /// null; otherwise nothing is known.
    fn unresolved(&mut self, callee: &Callee, none: Term, from: NodeId, source: Source, model: bool) {
        if none.is_false() {
            return;
        }
        let is_checked = self.lowerer.options.pointer_check;
        let mut otherwise = none;
        if let (Callee::Indirect(pointer, _), true) = (callee, is_checked && none.is_true()) {
            let null = pointer.equals(Term::bv(self.lowerer.pointer_width(), 0));
            let fail = self.wrong_call("a function is called through a null pointer", source);
            self.fallen(null, from, fail, source, model);
            otherwise = null.not();
        }
        let op = if none.is_true() || !is_checked {
            let message = "this pointer may be none of the known functions of its type: nothing is known about such a call";
            Op::Limit(message.to_owned())
        } else {
            self.wrong_call("a function is called through a pointer that is none of its type", source)
        };
        self.fallen(otherwise, from, op, source, model);
    }

    /// A step from which control does not go on.
    fn fallen(&mut self, condition: Term, from: NodeId, op: Op, source: Source, model: bool) {
        if condition.is_false() {
            return;
        }
        let (start, nowhere) = (self.node(source), self.node(source));
        self.step(from, start, Op::Assume(condition), source, model);
        self.step(start, nowhere, op, source, model);
    }

    fn wrong_call(&mut self, description: &str, source: Source) -> Op {
        self.lowerer.checks.push(Check {
            kind: crate::program::PropertyKind::Pointer,
            description: description.to_owned(),
            function: source.function,
            offset: source.span.0 as usize,
            model: false,
        });
        Op::Fail(CheckId((self.lowerer.checks.len() - 1) as u32))
    }

    #[allow(clippy::too_many_arguments, reason = "a call with its two ends and its place")]
    fn call(
        &mut self,
        function: FunctionId,
        instance: &Instance,
        arguments: &[Argument],
        result: &CallResult,
        from: NodeId,
        to: NodeId,
        source: Source,
        outer: Source,
        model: bool,
        depth: u32,
    ) -> u32 {
        let mut at = from;
        let mut known = Known::default();
        for (argument, (parameter, ty)) in arguments.iter().zip(&instance.body.parameters) {
            let mut add = |s: &mut Self, op: Op| {
                let next = s.node(source);
                s.step(at, next, op, source, model);
                at = next;
            };
            match (argument, parameter) {
                (Argument::Scalar(term, _), Parameter::Register(register)) => {
                    let term = self.fit(*term, *register);
                    if is_closed(term) && !instance.assigned.contains(register) {
                        known.insert(self.lowerer.register_term(*register), term);
                    }
                    add(self, Op::Let(*register, term));
                }
                (Argument::Scalar(term, _), Parameter::Object(object)) => {
                    let access =
                        Access::of(self.lowerer.types.width(ty), ty.clone(), Some(MemoryOrder::SeqCst));
                    let address = Address::object(*object);
                    add(self, Op::Forget(*object));
                    add(self, Op::Store(address, access, *term));
                }
                (Argument::Aggregate(source_address, ty), Parameter::Object(object)) => {
                    add(self, Op::Forget(*object));
                    for op in self.copy_object(source_address.clone(), Address::object(*object), ty) {
                        add(self, op);
                    }
                }
                (Argument::Aggregate(..), Parameter::Register(register)) => add(self, Op::Havoc(*register)),
            }
        }
        let end = self.node(source);
        let callee_is_model = self.lowerer.functions[function.index()].model;
        let place = callee_is_model.then_some(if model { outer } else { source });
        let depth = if self.sharing.as_ref().is_some_and(|sharing| sharing.is_shared(function)) {
            self.through_shared(function, instance, (at, end), depth, source, model)
        } else {
            self.copy(function, instance, (at, end), known, place, depth)
        };
        self.take_result(instance, result, end, to, source, model);
        depth
    }

    /// A value in the sort of the parameter that takes it.
    fn fit(&self, term: Term, register: RegisterId) -> Term {
        let sort = self.lowerer.registers[register.index()].sort;
        match (sort.width(), term.sort().width()) {
            (Some(width), Some(other)) if width != other => term.resize_unsigned(width),
            (Some(width), None) => super::operators::bits_of(term, width),
            (None, Some(width)) => term.distinct(Term::bv(width, 0)),
            _ => term,
        }
    }

    fn take_result(
        &mut self,
        instance: &Instance,
        result: &CallResult,
        end: NodeId,
        to: NodeId,
        source: Source,
        model: bool,
    ) {
        match (result, &instance.body.result) {
            (CallResult::Scalar(register, _), CallResult::Scalar(value, _)) => {
                let term = self.fit(self.lowerer.register_term(*value), *register);
                self.step(end, to, Op::Let(*register, term), source, model);
            }
            (CallResult::Scalar(register, _), _) => self.step(end, to, Op::Havoc(*register), source, model),
            (CallResult::Aggregate(object), CallResult::Aggregate(value)) => {
                let ty = self.lowerer.objects[object.index()].ty.clone();
                let mut at = end;
                for op in self.copy_object(Address::object(*value), Address::object(*object), &ty) {
                    let next = self.node(source);
                    self.step(at, next, op, source, model);
                    at = next;
                }
                self.step(at, to, Op::Skip, source, model);
            }
            _ => self.step(end, to, Op::Skip, source, model),
        }
    }

    /// Loads and stores that copy a struct.
    fn copy_object(&mut self, from: Address, to: Address, ty: &Type) -> Vec<Op> {
        use super::expression::{Place, PlaceKind};
        let span = lang_c::span::Span { start: 0, end: 0 };
        let Ok(scalars) = self.lowerer.scalars(ty, span) else {
            return vec![Op::Limit("this struct is too large to be passed by value".to_owned())];
        };
        let (from, to) = (Place::memory(from, ty.clone()), Place::memory(to, ty.clone()));
        let mut ops = Vec::new();
        for (offset, indices, leaf) in scalars {
            let access = Access::plain(leaf.width, leaf.ty.clone()).of_bit_field(leaf.bit_field);
            let register = self.lowerer.temporary(&leaf.ty);
            self.lowerer.registers[register.index()].sort = access.sort();
            let term = self.lowerer.register_term(register);
            let source = self.lowerer.part(&from, offset, &indices, &leaf);
            let target = self.lowerer.part(&to, offset, &indices, &leaf);
            if let (PlaceKind::Memory(source), PlaceKind::Memory(target)) = (source.kind, target.kind) {
                ops.push(Op::Load(register, source, access.clone()));
                ops.push(Op::Store(target, access, term));
            }
        }
        ops
    }

    #[allow(clippy::too_many_arguments, reason = "a call with its two ends and its place")]
    fn spawns(
        &mut self,
        callee: Callee,
        arguments: Vec<Argument>,
        record: Term,
        from: NodeId,
        to: NodeId,
        source: Source,
        model: bool,
    ) {
        let mut none = Term::tru();
        for (condition, function) in self.candidates(&callee) {
            none = none.and(condition.not());
            let start = if condition.is_true() {
                from
            } else {
                let start = self.node(source);
                self.step(from, start, Op::Assume(condition), source, model);
                start
            };
            if self.lowerer.functions[function.index()].body.is_none() {
                let nowhere = self.node(source);
                let name = self.lowerer.shown_name(function);
                self.step(
                    start,
                    nowhere,
                    Op::Limit(format!("'{name}' has no definition to run in a thread")),
                    source,
                    model,
                );
                continue;
            }
            if !self.roots.contains_key(&function) {
                self.roots.insert(function, self.roots.len() as u32 + 1);
                self.queue.push(function);
            }
            self.step(
                start,
                to,
                Op::Spawn(Callee::Direct(function), arguments.clone(), record),
                source,
                model,
            );
        }
        self.unresolved(&callee, none, from, source, model);
    }
}

/// Registers that a body assigns.
fn assigned(body: &Body) -> FxHashSet<RegisterId> {
    let register = |edge: &GraphEdge| match edge.op {
        Op::Havoc(register) => Some(register),
        ref op => op.assigned(),
    };
    body.graph.edges.iter().filter_map(register).collect()
}

/// Registers that are assigned once, and not read before; with the terms that read them.
fn assigned_once(body: &Body, registers: &[Register]) -> FxHashMap<RegisterId, Term> {
    let mut lets: FxHashMap<RegisterId, u32> = FxHashMap::default();
    let mut others: FxHashSet<RegisterId> = body
        .parameters
        .iter()
        .filter_map(|(p, _)| match p {
            Parameter::Register(register) => Some(*register),
            Parameter::Object(_) => None,
        })
        .collect();
    for edge in &body.graph.edges {
        match &edge.op {
            Op::Let(register, _) | Op::Load(register, ..) => *lets.entry(*register).or_insert(0) += 1,
            Op::Call(_, _, CallResult::Scalar(register, _))
            | Op::Allocate { register, .. }
            | Op::ObjectSize(register, _) => {
                others.insert(*register);
            }
            _ => {}
        }
    }
    lets.retain(|register, count| *count == 1 && !others.contains(register));
    let readings = lets.keys().map(|r| (registers[r.index()].term(), *r)).collect();
    for register in read_unset(body, &readings) {
        lets.remove(&register);
    }
    lets.into_keys().map(|r| (r, registers[r.index()].term())).collect()
}

/// Replaces registers by what they are known to be, while a body is copied.
struct Propagation<'i> {
    terms: smt::Substitution,
    once: &'i FxHashMap<RegisterId, Term>,
}

impl Propagation<'_> {
    fn apply(&mut self, op: &Op, fixed: &FxHashMap<ObjectId, Vec<InitialValue>>) -> Op {
        let mut op = op.clone();
        if !self.terms.is_empty() {
            let mut renaming = Renaming {
                terms: std::mem::take(&mut self.terms),
                registers: FxHashMap::default(),
                objects: FxHashMap::default(),
            };
            renaming.op(&mut op);
            self.terms = renaming.terms;
        }
        if let Op::Load(register, address, access) = &op
            && let Some(value) = fixed_value(fixed, address, access)
        {
            op = Op::Let(*register, value);
        }
        if let Op::Let(register, value) = &op
            && let Some(name) = self.once.get(register)
            && is_closed(*value)
        {
            self.terms.insert(*name, *value);
        }
        op
    }
}

/// Literals and addresses only.
pub(crate) fn is_closed(term: Term) -> bool {
    term.as_value().is_some()
        || term.constants().iter().all(|c| c.as_constant().is_some_and(|s| s.as_str().starts_with('&')))
}

/// Static objects that nothing ever writes, with their values.
fn fixed_objects(lowerer: &Lowerer<'_>) -> FxHashMap<ObjectId, Vec<InitialValue>> {
    let mut fixed: FxHashMap<ObjectId, Vec<InitialValue>> = FxHashMap::default();
    let mut names: FxHashMap<Symbol, ObjectId> = FxHashMap::default();
    for (index, object) in lowerer.objects.iter().enumerate() {
        if let (Storage::Static | Storage::ThreadLocal, Some(values)) = (object.storage, &object.init)
            && object.everywhere.is_none()
            && object.name.as_str() != super::emit::SELF
        {
            let id = ObjectId(index as u32);
            fixed.insert(id, values.clone());
            names.insert(super::graph::address_name(object.name), id);
        }
    }
    let initial = fixed.values().flatten().map(|v| v.value).collect::<Vec<_>>();
    let mut visitor = Writes { fixed, names };
    initial.into_iter().for_each(|term| visitor.term(term));
    for body in lowerer.functions.iter().filter_map(|f| f.body.as_ref()) {
        for edge in &body.graph.edges {
            visitor.op(&edge.op);
        }
    }
    visitor.fixed
}

/// Finds objects that are written, or whose address is used.
struct Writes {
    fixed: FxHashMap<ObjectId, Vec<InitialValue>>,
    names: FxHashMap<Symbol, ObjectId>,
}

impl Writes {
    fn term(&mut self, term: Term) {
        for name in term.constants().iter().filter_map(|c| c.as_constant()) {
            if let Some(object) = self.names.get(&name) {
                self.fixed.remove(object);
            }
        }
    }

    fn op(&mut self, op: &Op) {
        op.for_each_term(&mut |term| self.term(term));
        let written = match op {
            Op::Store(Address::Object { object, .. }, ..)
            | Op::Broadcast(Address::Object { object, .. }, ..)
            | Op::Clear(object)
            | Op::Forget(object)
            | Op::Call(_, _, CallResult::Aggregate(object)) => object,
            _ => return,
        };
        self.fixed.remove(written);
    }
}

/// What a load from an object that is never written reads.
fn fixed_value(
    fixed: &FxHashMap<ObjectId, Vec<InitialValue>>,
    address: &Address,
    access: &Access,
) -> Option<Term> {
    let Address::Object { object, offset, indices } = address else { return None };
    let values = fixed.get(object)?;
    let mut at = *offset;
    for index in indices {
        let number = u64::try_from(index.term.as_bits()?.to_u128()?).ok()?;
        at = at.checked_add(number.checked_mul(index.stride)?.checked_mul(8)?)?;
    }
    let sort = access.sort();
    let overlaps = |v: &&InitialValue| {
        let width = u64::from(v.value.width().max(1));
        v.offset < at + u64::from(access.width) && at < v.offset + width
    };
    let mut found = values.iter().filter(overlaps);
    match (found.next(), found.next()) {
        (None, _) => Some(Term::value(&smt::Value::zero(sort))),
        (Some(value), None) if value.offset == at && value.value.sort() == sort => Some(value.value),
        _ => None,
    }
}

/// Consistent replacement of registers, objects and terms in operations.
struct Renaming {
    terms: smt::Substitution,
    registers: FxHashMap<RegisterId, RegisterId>,
    objects: FxHashMap<ObjectId, ObjectId>,
}

impl Renaming {
    fn register(&self, register: &mut RegisterId) {
        *register = self.registers.get(register).copied().unwrap_or(*register);
    }

    fn object(&self, object: &mut ObjectId) {
        *object = self.objects.get(object).copied().unwrap_or(*object);
    }

    fn term(&mut self, term: &mut Term) {
        *term = self.terms.apply(*term);
    }

    fn address(&mut self, address: &mut Address) {
        match address {
            Address::Object { object, indices, .. } => {
                self.object(object);
                indices.iter_mut().for_each(|i| self.term(&mut i.term));
            }
            Address::Pointer { address, .. } => self.term(address),
        }
    }

    fn result(&self, result: &mut CallResult) {
        match result {
            CallResult::None => {}
            CallResult::Scalar(register, _) => self.register(register),
            CallResult::Aggregate(object) => self.object(object),
        }
    }

    fn arguments(&mut self, arguments: &mut [Argument]) {
        for argument in arguments {
            match argument {
                Argument::Scalar(term, _) => self.term(term),
                Argument::Aggregate(address, _) => self.address(address),
            }
        }
    }

    fn op(&mut self, op: &mut Op) {
        match op {
            Op::Skip
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Approximate(_)
            | Op::Fail(_)
            | Op::Limit(_)
            | Op::Outside(_)
            | Op::Stop
            | Op::Exit => {}
            Op::Assume(term) | Op::Free(term) | Op::Valid(term) | Op::ForgetPointed(term) => self.term(term),
            Op::Let(register, term) | Op::ObjectSize(register, term) => {
                self.register(register);
                self.term(term);
            }
            Op::Havoc(register) => self.register(register),
            Op::Load(register, address, _) => {
                self.register(register);
                self.address(address);
            }
            Op::Store(address, _, term) | Op::Broadcast(address, _, term, _) => {
                self.address(address);
                self.term(term);
            }
            Op::Clear(object) | Op::Forget(object) | Op::Dead(object) => self.object(object),
            Op::Call(callee, arguments, result) => {
                if let Callee::Indirect(term, _) = callee {
                    self.term(term);
                }
                self.arguments(arguments);
                self.result(result);
            }
            Op::Spawn(callee, arguments, record) => {
                if let Callee::Indirect(term, _) = callee {
                    self.term(term);
                }
                self.arguments(arguments);
                self.term(record);
            }
            Op::Allocate { register, size, .. } => {
                self.register(register);
                self.term(size);
            }
        }
    }
}

/// Whether a function may be called through a pointer of this type.
pub(super) fn compatible(types: &Types, function: &Type, called: &Type) -> bool {
    let (Type::Function(a), Type::Function(b)) = (function, called) else { return false };
    let same = |x: &Type, y: &Type| {
        x == y
            || (x.is_scalar()
                && y.is_scalar()
                && !x.is_float()
                && !y.is_float()
                && types.width(x) == types.width(y))
    };
    let FunctionType { result, parameters, variadic } = &**a;
    (*result == b.result
        || (result.is_scalar() && b.result.is_scalar())
        || *result == Type::Void
        || b.result == Type::Void)
        && (parameters.len() == b.parameters.len() || *variadic || b.variadic)
        && parameters.iter().zip(&b.parameters).all(|(x, y)| same(x, y))
}
