//! Bodies to copy: a function's own, or one with registers and objects of its own.

use super::known::Known;
use super::renaming::Renaming;
use super::{Expander, Instance};
use crate::lower::code::Code;
use crate::lower::expand::unset::read_unset;
use crate::lower::graph::{
    Body, CallResult, FunctionId, GraphEdge, Object, ObjectId, Op, Parameter, Register, RegisterId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;

impl Expander<'_, '_> {
    /// The body to copy: for recursion, and for locals in memory of a second root, with registers and objects of its own.
    pub(super) fn instance(&mut self, function: FunctionId, depth: u32) -> Option<std::rc::Rc<Instance>> {
        let body = self.code.functions[function.index()].body.clone()?;
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
        let name = self.code.shown_name(function);
        let body = if depth == 0 && root == 0 { body } else { self.renamed(body, depth, root) };
        let (from_node, assigned) = (body.graph.edges_from(), assigned(&body));
        let once = assigned_once(&body, self.code);
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
                let register = self.code.registers[old.index()].clone();
                let name = self.code.unique(&format!("{}{suffix}", register.name));
                let new = self.code.add_register(Register { name, ..register.clone() });
                terms.insert(register.term(), self.code.register_term(new));
                registers.insert(*old, new);
            }
        }
        for old in &body.objects {
            let object: Object = self.code.objects[old.index()].clone();
            let new = self.code.new_object(
                &format!("{}{suffix}", object.name),
                object.ty,
                object.storage,
                object.offset,
            );
            terms.insert(self.code.object_address(*old), self.code.object_address(new));
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
        if let Some(slots) = &mut body.variable {
            renaming.object(slots);
        }
        renaming.result(&mut body.result);
        body
    }
}

/// Registers that a body assigns.
pub(super) fn assigned(body: &Body) -> FxHashSet<RegisterId> {
    let register = |edge: &GraphEdge| match edge.op {
        Op::Havoc(register) => Some(register),
        ref op => op.assigned(),
    };
    body.graph.edges.iter().filter_map(register).collect()
}

/// Registers that are assigned once, and not read before; with the terms that read them.
fn assigned_once(body: &Body, code: &Code<'_>) -> FxHashMap<RegisterId, Term> {
    let registers = &code.registers;
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
    for register in read_unset(body, &readings, |object| code.object_address(object)) {
        lets.remove(&register);
    }
    lets.into_keys().map(|r| (r, registers[r.index()].term())).collect()
}
