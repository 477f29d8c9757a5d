//! What a generator knows while it writes a program: names and their types, what may be read and written where, and how much the
//! program may still do.
//!
//! Every integer variable has a range that it never leaves, every pointer a set of objects and a range of elements that it points to:
//! invariants that every assignment keeps, so that no loop and no branch matters for what is defined.
//!
//! *Order of evaluation.* Operands are evaluated in any order, so no operand may change what another one uses. While an operand is
//! written, `forbidden` has what the operands before it read and write. `&&`, `||`, `?:` and `,` give an order,
//! and their operands do not restrict each other.

use super::scalar::{Int, Range};
use super::tree::{Kind, Piece, Tree};
use super::types::{Record, Scalar, Type};
use crate::random::Random;
use frontend::types::DataModel;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Which objects are read and written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    pub(super) reads: BTreeSet<usize>,
    pub(super) writes: BTreeSet<usize>,
}

impl Effects {
    pub(super) fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }
}

/// A pointer's invariant: it points to an element of one of the targets, all of which are arrays of `count` elements (or single
/// objects), and its index is in `low..=high`.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) to: Type,
    pub(super) targets: Vec<usize>,
    pub(super) count: u64,
    pub(super) low: u64,
    pub(super) high: u64,
    /// How to write the address of the first element of each target.
    pub(super) bases: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) enum Object {
    Data(Type),
    Pointer(Pointer),
    /// A pointer to a pointer variable.
    Double(usize),
    /// Not a name: what a parameter or a pointer to the heap points to.
    Hidden,
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) object: Object,
    /// Of a scalar.
    pub(super) range: Range,
    pub(super) writable: bool,
    /// Other names may mean the same object: globals, and what pointer parameters point to.
    pub(super) aliased: bool,
    /// It lives as long as the program.
    pub(super) permanent: bool,
    /// It was declared with a length that is not constant.
    pub(super) variable_length: bool,
}

/// A parameter of a generated function.
#[derive(Clone, Debug)]
pub(super) enum Parameter {
    Scalar(Int, Range),
    Record(usize),
    /// A pointer to at least so many elements; the number of the hidden variable that stands for them.
    Pointer(Type, u64, usize),
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) result: Option<Type>,
    /// What numbers it returns.
    pub(super) range: Range,
    pub(super) effects: Effects,
    /// How many steps a call takes, roughly.
    pub(super) steps: u64,
    /// How many operations its text has, with those of all calls in it.
    pub(super) size: u64,
}

/// An integer expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) tree: Tree,
    pub(super) kind: Int,
    pub(super) range: Range,
    /// The width, if it comes from a bit-field and is promoted like one.
    pub(super) bits: Option<u32>,
    /// Known not to be zero, whatever the range says.
    pub(super) nonzero: bool,
}

impl Value {
    /// An expression in parentheses or without operators.
    pub(super) fn new(kind: Int, range: Range, pieces: Vec<Piece>) -> Value {
        let shown = (!kind.is_wide()).then_some((range.low, range.high));
        let tree = Tree::new(Kind::Expression(kind.name().to_owned(), shown), pieces);
        Value { tree, kind, range, bits: None, nonzero: !range.has(0) }
    }

    /// The type after promotion.
    pub(super) fn promoted(&self) -> Int {
        self.kind.promoted(self.bits)
    }
}

/// Which parts of C a program may use; few at a time, so that they meet often.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is independent of the others")]
pub(super) struct Features {
    pub(super) wide: bool,
    pub(super) records: bool,
    pub(super) bit_fields: bool,
    pub(super) unions: bool,
    pub(super) arrays: bool,
    pub(super) enums: bool,
    pub(super) pointers: bool,
    pub(super) functions: bool,
    pub(super) side_effects: bool,
    pub(super) statement_expressions: bool,
    pub(super) literals: bool,
    pub(super) loops: bool,
    pub(super) switches: bool,
    pub(super) gotos: bool,
    pub(super) gadgets: bool,
}

impl Features {
    fn choose(random: &mut Random, model: DataModel) -> Features {
        Features {
            wide: random.chance(1, 8) && model == DataModel::Lp64,
            records: random.chance(1, 2),
            bit_fields: random.chance(1, 2),
            unions: random.chance(1, 4),
            arrays: random.chance(1, 2),
            enums: random.chance(1, 3),
            pointers: random.chance(1, 2),
            functions: random.chance(1, 2),
            side_effects: random.chance(1, 2),
            statement_expressions: random.chance(1, 4),
            literals: random.chance(1, 3),
            loops: random.chance(1, 2),
            switches: random.chance(1, 3),
            gotos: random.chance(1, 4),
            gadgets: random.chance(1, 3),
        }
    }
}

pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) model: DataModel,
    pub(super) features: Features,
    /// Declarations and functions of the file.
    pub(super) file: Vec<Tree>,
    pub(super) records: Vec<Record>,
    pub(super) scalars: Vec<Scalar>,
    /// Enumerators with their values and types.
    pub(super) enumerators: Vec<(String, i128, Int)>,
    pub(super) variables: Vec<Variable>,
    /// The names in scope.
    pub(super) visible: Vec<usize>,
    pub(super) functions: Vec<Function>,
    pub(super) forbidden: Vec<Effects>,
    pub(super) current: Effects,
    /// How deep in constructs that must not have side effects.
    pub(super) pure: u32,
    pub(super) names: u32,
    /// How many times over the text that is being written runs.
    pub(super) factor: u64,
    /// Steps that the program may still take.
    pub(super) steps: u64,
    /// Operations that the program may still have, calls expanded.
    pub(super) size: u64,
    /// How many loops and switches are around, for `break`, and loops for `continue`.
    pub(super) breakable: u32,
    pub(super) continuable: u32,
    /// The result that the function being written returns, with its range; none inside of `main` and statement expressions.
    pub(super) returns: Option<(Option<Type>, Range)>,
}

impl Generator {
    pub(super) fn new(seed: u64, model: DataModel) -> Generator {
        let mut random = Random::new(seed);
        let features = Features::choose(&mut random, model);
        Generator {
            random,
            model,
            features,
            file: Vec::new(),
            records: Vec::new(),
            scalars: Vec::new(),
            enumerators: Vec::new(),
            variables: Vec::new(),
            visible: Vec::new(),
            functions: Vec::new(),
            forbidden: Vec::new(),
            current: Effects::default(),
            pure: 0,
            names: 0,
            factor: 1,
            steps: 600,
            size: 900,
            breakable: 0,
            continuable: 0,
            returns: None,
        }
    }

    pub(super) fn chance(&mut self, part: u32, whole: u32) -> bool {
        self.random.chance(part, whole)
    }

    /// One of the choices.
    pub(super) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        self.random.pick(choices).clone()
    }

    /// A name that nothing else has; `@` is added at file scope.
    pub(super) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Something is done here: it costs.
    pub(super) fn spend(&mut self, operations: u64) {
        self.steps = self.steps.saturating_sub(operations.saturating_mul(self.factor));
        self.size = self.size.saturating_sub(operations);
    }

    /// Whether there is room for more.
    pub(super) fn has_room(&self, operations: u64) -> bool {
        self.steps > operations.saturating_mul(self.factor) && self.size > operations
    }

    // Variables

    pub(super) fn add(&mut self, variable: Variable) -> usize {
        self.variables.push(variable);
        self.visible.push(self.variables.len() - 1);
        self.variables.len() - 1
    }

    /// A new variable of a type, in scope from here on.
    pub(super) fn data(&mut self, name: &str, ty: Type, range: Option<Range>, permanent: bool) -> usize {
        let range = range.unwrap_or_else(|| match &ty {
            Type::Int(scalar) => scalar.kind.range(self.model),
            _ => Range::point(0),
        });
        self.add(Variable {
            name: name.to_owned(),
            object: Object::Data(ty),
            range,
            writable: true,
            aliased: permanent,
            permanent,
            variable_length: false,
        })
    }

    /// What a pointer points to when it has no name.
    pub(super) fn hidden(&mut self, aliased: bool) -> usize {
        self.variables.push(Variable {
            name: String::new(),
            object: Object::Hidden,
            range: Range::point(0),
            writable: true,
            aliased,
            permanent: false,
            variable_length: false,
        });
        self.variables.len() - 1
    }

    /// Names that are declared inside go out of scope.
    pub(super) fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.visible.len();
        let result = inner(self);
        self.visible.truncate(before);
        result
    }

    // Effects

    fn meets(&self, set: &BTreeSet<usize>, id: usize) -> bool {
        set.contains(&id)
            || (self.variables[id].aliased
                && set.iter().any(|&other| {
                    // Two globals are different objects; what a parameter points to may be any of them.
                    self.variables[other].aliased && (self.is_hidden(id) || self.is_hidden(other))
                }))
    }

    fn is_hidden(&self, id: usize) -> bool {
        matches!(self.variables[id].object, Object::Hidden)
    }

    pub(super) fn may_read(&self, id: usize) -> bool {
        !self.forbidden.iter().any(|effects| self.meets(&effects.writes, id))
    }

    pub(super) fn may_write(&self, id: usize) -> bool {
        self.pure == 0
            && self.variables[id].writable
            && !self.forbidden.iter().any(|e| self.meets(&e.writes, id) || self.meets(&e.reads, id))
    }

    pub(super) fn read(&mut self, id: usize) {
        self.current.reads.insert(id);
    }

    pub(super) fn written(&mut self, id: usize) {
        self.current.writes.insert(id);
    }

    /// Whether side effects are wanted here.
    pub(super) fn may_have_effects(&self) -> bool {
        self.features.side_effects && self.pure == 0
    }

    /// Writes one of several operands that are evaluated in any order; `forbidden` has to be popped when all are done.
    pub(super) fn operand<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.current);
        let result = inner(self);
        let own = std::mem::replace(&mut self.current, outer);
        self.current.add(&own);
        self.forbidden.push(own);
        result
    }

    /// The last operands are done.
    pub(super) fn end_operands(&mut self, count: usize) {
        let length = self.forbidden.len().saturating_sub(count);
        self.forbidden.truncate(length);
    }

    /// Without side effects.
    pub(super) fn purely<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.pure += 1;
        let result = inner(self);
        self.pure -= 1;
        result
    }

    // Types

    /// Any integer type.
    pub(super) fn any_int(&mut self) -> Int {
        if self.features.wide && self.chance(1, 4) {
            return self.pick(&[Int::Int128, Int::UInt128]);
        }
        if self.chance(1, 3) { self.pick(&[Int::Int, Int::UInt, Int::Int]) } else { self.pick(&Int::USUAL) }
    }

    /// An integer type under one of its names.
    pub(super) fn any_scalar(&mut self) -> Scalar {
        if !self.scalars.is_empty() && self.chance(1, 4) {
            let scalars = self.scalars.clone();
            return self.pick(&scalars);
        }
        let kind = self.any_int();
        let names = super::types::spellings(kind);
        if names.is_empty() {
            return Scalar::plain(kind);
        }
        Scalar { kind, name: Rc::from(self.pick(names)) }
    }
}
