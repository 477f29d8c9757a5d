//! Threads: a creator puts what a new thread starts with into a mailbox, and a thread of the pool takes it (section 5.1).

use super::Emitter;
use crate::lower::expand::{Expanded, Step};
use crate::lower::graph::{Argument, FunctionId, NodeId, ObjectId, Op, Parameter, Storage};
use crate::program::{DataType, LocationId, Origin, Scope, VariableId};
use smt::{Symbol, Term, Value};

/// The models' thread-local with a thread's own handle.
pub(crate) const SELF: &str = "thread.self";
/// The models' counter of handles that were given out.
const IDENTITIES: &str = "library.identities";
/// The models' counter of threads that move, if deadlocks are looked for.
const MOVING: &str = "library.moving";
/// The models' function that gives out addresses of records instead, which can come again.
const RECORDS: &str = "__monabs_join";

/// Shared variables through which a new thread gets what it starts with.
pub(super) struct Mailbox {
    full: VariableId,
    arguments: Vec<VariableId>,
    record: VariableId,
}

impl Emitter<'_, '_, '_> {
    /// Pool threads take what creators put into the mailboxes.
    pub(super) fn threads(&mut self) {
        if self.expanded.roots.len() < 2 {
            return;
        }
        let pool = self.new_location(self.expanded.nodes[0]);
        self.program.locations[pool.index()].function = Symbol::new("");
        self.program.pool = Some(pool);
        let own = self.self_variable();
        if let Some(own) = own {
            let mut functions = self.code.functions.iter();
            let is_identity = !functions.any(|function| function.name.as_str() == RECORDS);
            self.memory.variables.list[own.index()].identity = is_identity;
        }
        for root in self.expanded.roots.iter().skip(1) {
            let Some(function) = root.function else { continue };
            let name = self.code.shown_name(function);
            let position = self.position(self.expanded.nodes[root.entry.index()].span.0 as usize);
            let shared = |s: &mut Self, suffix: &str, data_type: DataType| {
                let init = Some(Value::zero(data_type.sort()));
                let name = format!("spawn.{name}{suffix}");
                s.memory.variables.add(&name, Scope::Shared, data_type, init, position)
            };
            let full = shared(self, "", DataType::Bool);
            let width = self.code.pointer_width();
            let pointer = DataType::Int { width, signed: false };
            let record = shared(self, ".self", pointer);
            let mut assign = vec![(full, Term::fls())];
            let mut arguments = Vec::new();
            for (index, (parameter, _)) in root.parameters.iter().enumerate() {
                let target = match parameter {
                    Parameter::Register(register) => self.register(*register),
                    Parameter::Object(object) => self.memory.variable(*object, 0),
                };
                let data_type = self.memory.variables.get(target).data_type.clone();
                let variable = shared(self, &format!(".{index}"), data_type);
                assign.push((target, self.memory.variables.term(variable)));
                arguments.push(variable);
            }
            if let Some(own) = own {
                assign.push((own, self.memory.variables.term(record)));
            }
            let guard = self.memory.variables.term(full);
            let source = self.expanded.nodes[root.entry.index()];
            let origin = self.named_origin(source, "thread starts");
            self.edge(pool, LocationId(root.entry.0), guard, assign, Vec::new(), origin);
            self.mailboxes.insert(function, Mailbox { full, arguments, record });
        }
    }

    fn self_variable(&mut self) -> Option<VariableId> {
        self.model_variable(SELF, Storage::ThreadLocal)
    }

    /// The variable of a models' object.
    fn model_variable(&mut self, name: &str, storage: Storage) -> Option<VariableId> {
        let object =
            self.code.objects.iter().position(|o| o.name.as_str() == name && o.storage == storage)?;
        Some(self.memory.variable(ObjectId(object as u32), 0))
    }

    /// A handle for a thread that is started without one: the next of the models' own.
    fn fresh_handle(&mut self) -> Option<(Term, (VariableId, Term))> {
        let counter = self.model_variable(IDENTITIES, Storage::Static)?;
        let next = self.memory.variables.term(counter);
        let next = next.bv_add(Term::bv(next.width(), 1));
        let first = Term::bits(smt::Bits::signed_min(next.width()));
        Some((first.bv_add(next), (counter, next)))
    }

    /// Where deadlocks are looked for, a thread counts from its creation on, as long as there are numbers: when the counter can take
    /// one more, and the assignment.
    fn one_more_moves(&mut self, step: &Step) -> Option<(Term, (VariableId, Term))> {
        if !self.code.options.deadlock_check {
            return None;
        }
        let counter = self.model_variable(MOVING, Storage::Static)?;
        let number = self.memory.variables.term(counter);
        let next = number.bv_add(Term::bv(number.width(), 1));
        let is_last = next.equals(Term::bv(number.width(), 0));
        self.limit(step, is_last, "deadlocks of more than 255 threads at once are not modelled");
        Some((is_last.not(), (counter, next)))
    }

    /// Puts the arguments into the mailbox, once it is empty.
    pub(super) fn spawn(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        record: Term,
        step: &Step,
        origin: Vec<Origin>,
    ) {
        let mut record = self.term(record);
        let mut drawn = None;
        if record.as_bits().is_some_and(smt::Bits::is_zero)
            && let Some((handle, counted)) = self.fresh_handle()
        {
            record = handle;
            drawn = Some(counted);
        }
        let mut terms = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Scalar(term, _) => terms.push(self.term(*term)),
                Argument::Aggregate(..) => {
                    let message = "a struct cannot be given to a new thread by value; give a pointer";
                    self.limit(step, Term::tru(), message);
                    return;
                }
            }
        }
        let counted = self.one_more_moves(step);
        let Some(mailbox) = self.mailboxes.get(&function) else { return };
        let full = self.memory.variables.term(mailbox.full);
        let mut assign = vec![(mailbox.full, Term::tru()), (mailbox.record, record)];
        assign.extend(drawn);
        let counts = counted.as_ref().map_or_else(Term::tru, |(counts, _)| *counts);
        assign.extend(counted.map(|(_, counted)| counted));
        for (variable, term) in mailbox.arguments.iter().zip(terms) {
            let sort = self.memory.variables.get(*variable).data_type.sort();
            let fitted = match (sort.width(), term.sort().width()) {
                (Some(width), Some(_)) => term.resize_unsigned(width),
                (Some(width), None) => crate::lower::expression::bits_of(term, width),
                (None, Some(width)) => term.distinct(Term::bv(width, 0)),
                (None, None) => term,
            };
            assign.push((*variable, fitted));
        }
        let guard = full.not().and(counts);
        self.edge(LocationId(step.from.0), LocationId(step.to.0), guard, assign, Vec::new(), origin);
    }
}

/// In how many atomic sections the nodes are: sections nest.
pub(crate) fn atomic_depths(expanded: &Expanded) -> Vec<u32> {
    let mut depth: Vec<Option<u32>> = vec![None; expanded.nodes.len()];
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); expanded.nodes.len()];
    for (index, step) in expanded.steps.iter().enumerate() {
        from[step.from.index()].push(index);
    }
    let mut open: Vec<NodeId> = Vec::new();
    for root in &expanded.roots {
        depth[root.entry.index()] = Some(0);
        open.push(root.entry);
    }
    while let Some(node) = open.pop() {
        let here = depth[node.index()].unwrap_or(0);
        for &index in &from[node.index()] {
            let step = &expanded.steps[index];
            let next = match step.op {
                Op::AtomicBegin => here + 1,
                Op::AtomicEnd => here.saturating_sub(1),
                _ => here,
            };
            if depth[step.to.index()].is_none() {
                depth[step.to.index()] = Some(next);
                open.push(step.to);
            }
        }
    }
    depth.into_iter().map(Option::unwrap_or_default).collect()
}
