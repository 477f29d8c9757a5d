//! Terms: hash-consed, typed, and the same pointer if they are the same.
//!
//! Terms live as long as the process. A run of a verifier is one process, terms are small, and in return a [`Term`] is
//! a pointer that can be copied, compared and sent to other threads, with no lifetime and no context in any signature.
//!
//! Addresses depend on how threads were scheduled, so nothing that shows may be ordered by them. Every node carries a
//! hash of its structure, the same in every run; normal forms and hash maps use that.
//!
//! Terms are made by the smart constructors of [`simplify`](crate::simplify). They expect well-sorted arguments, check
//! that in debug builds, and build a meaningless term otherwise; they do not panic in release builds.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use crate::bits::Bits;
use crate::intern::{Node, intern};
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::value::{ArrayValue, Value};

/// A term. Equality is identity: equal structure, equal pointer.
#[derive(Copy, Clone)]
pub struct Term(&'static Node);

/// The operator at the root of a term, with the names of SMT-LIB.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of SMT-LIB")]
pub enum Op {
    True,
    False,
    Bits(Bits),
    /// An uninterpreted constant.
    Const(Symbol),
    Not,
    /// Of two or more arguments.
    And,
    /// Of two or more arguments.
    Or,
    Xor,
    Implies,
    Eq,
    Ite,
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    Concat,
    /// The bits from `low` to `high`, both included.
    Extract {
        high: u32,
        low: u32,
    },
    /// By so many bits.
    ZeroExtend(u32),
    /// By so many bits.
    SignExtend(u32),
    Select,
    Store,
    /// The array of this sort whose elements all are the argument.
    ConstArray(Sort),
}

static TRUE: LazyLock<Term> = LazyLock::new(|| intern(Op::True, &[], Sort::Bool));
static FALSE: LazyLock<Term> = LazyLock::new(|| intern(Op::False, &[], Sort::Bool));

impl Term {
    pub(crate) fn from_node(node: &'static Node) -> Term {
        Term(node)
    }

    /// The operator at the root.
    pub fn op(self) -> &'static Op {
        &self.0.op
    }

    /// The arguments of the operator.
    pub fn args(self) -> &'static [Term] {
        self.0.args()
    }

    /// What the term denotes.
    pub fn sort(self) -> Sort {
        self.0.sort
    }

    /// The width of a bit-vector; zero if the term is not one.
    pub fn width(self) -> u32 {
        self.sort().width().unwrap_or(0)
    }

    /// A hash of operators, sorts and names; the same in every run.
    pub fn structural_hash(self) -> u64 {
        self.0.hash
    }

    /// A bit for each constant in the term: without a bit in common, two terms have no constant in common.
    pub(crate) fn mask(self) -> u64 {
        self.0.mask
    }

    /// A truth value.
    pub fn bool(value: bool) -> Term {
        if value { Term::tru() } else { Term::fls() }
    }

    /// Truth.
    pub fn tru() -> Term {
        *TRUE
    }

    /// Falsehood.
    pub fn fls() -> Term {
        *FALSE
    }

    /// A literal bit-vector.
    pub fn bits(bits: Bits) -> Term {
        let sort = Sort::BitVec(bits.width());
        intern(Op::Bits(bits), &[], sort)
    }

    /// The literal with the lowest bits of a number.
    pub fn bv(width: u32, value: u128) -> Term {
        Term::bits(Bits::new(width, value))
    }

    /// The literal with the lowest bits of the two's complement of a number.
    pub fn bv_signed(width: u32, value: i128) -> Term {
        Term::bits(Bits::from_i128(width, value))
    }

    /// An uninterpreted constant. The same name with another sort is another constant.
    pub fn constant(name: Symbol, sort: Sort) -> Term {
        intern(Op::Const(name), &[], sort)
    }

    /// The literal for a value; an array becomes stores over a constant array.
    pub fn value(value: &Value) -> Term {
        match value {
            Value::Bool(value) => Term::bool(*value),
            Value::Bits(bits) => Term::bits(bits.clone()),
            Value::Array(array) => {
                let sort = Sort::array(array.index(), array.default().sort());
                let constant = Term::const_array(sort, Term::value(array.default()));
                let entries = array.entries();
                entries.fold(constant, |term, (index, value)| {
                    term.store(Term::bits(index.clone()), Term::value(value))
                })
            }
        }
    }

    /// The value of a literal: of a truth value, of bits, or of stores of literals over a constant array of one.
    pub fn as_value(self) -> Option<Value> {
        let mut stores = Vec::new();
        let mut base = self;
        while let (Op::Store, &[array, index, value]) = (base.op(), base.args()) {
            stores.push((index.as_bits()?.clone(), value.as_value()?));
            base = array;
        }
        let base = match (base.op(), base.args()) {
            (Op::True, _) => Value::Bool(true),
            (Op::False, _) => Value::Bool(false),
            (Op::Bits(bits), _) => Value::Bits(bits.clone()),
            (Op::ConstArray(sort), &[default]) => {
                let mut array = ArrayValue::constant(sort.index()?, default.as_value()?);
                while let Some((index, value)) = stores.pop() {
                    array = array.into_stored(index, value);
                }
                Value::Array(array)
            }
            _ => return None,
        };
        Some(base)
    }

    /// The bits of a literal.
    pub fn as_bits(self) -> Option<&'static Bits> {
        match self.op() {
            Op::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// The truth value of a literal.
    pub fn as_bool(self) -> Option<bool> {
        match self.op() {
            Op::True => Some(true),
            Op::False => Some(false),
            _ => None,
        }
    }

    /// The name of an uninterpreted constant.
    pub fn as_constant(self) -> Option<Symbol> {
        match self.op() {
            Op::Const(name) => Some(*name),
            _ => None,
        }
    }

    /// Whether this is the literal true.
    pub fn is_true(self) -> bool {
        *self.op() == Op::True
    }

    /// Whether this is the literal false.
    pub fn is_false(self) -> bool {
        *self.op() == Op::False
    }

    /// A total order that is the same in every run: by hash, and by structure if hashes collide.
    pub fn cmp_structural(self, other: Term) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        self.structural_hash().cmp(&other.structural_hash()).then_with(|| cmp_collision(self, other))
    }

    /// The same operator with other arguments, simplified. The arguments must have the sorts of the present ones.
    pub fn rebuild(self, args: &[Term]) -> Term {
        match *args {
            [] => self,
            _ if matches!(self.op(), Op::And) => Term::and_all(args.iter().copied()),
            _ if matches!(self.op(), Op::Or) => Term::or_all(args.iter().copied()),
            [a] => self.rebuild_unary(a),
            [a, b] => self.rebuild_binary(a, b),
            [a, b, c] if matches!(self.op(), Op::Ite) => a.ite(b, c),
            [a, b, c] if matches!(self.op(), Op::Store) => a.store(b, c),
            _ => self,
        }
    }

    fn rebuild_unary(self, a: Term) -> Term {
        match *self.op() {
            Op::Not => a.not(),
            Op::BvNot => a.bv_not(),
            Op::BvNeg => a.bv_neg(),
            Op::Extract { high, low } => a.extract(high, low),
            Op::ZeroExtend(by) => a.zero_extend(by),
            Op::SignExtend(by) => a.sign_extend(by),
            Op::ConstArray(sort) => Term::const_array(sort, a),
            _ => self,
        }
    }

    fn rebuild_binary(self, a: Term, b: Term) -> Term {
        match self.op() {
            Op::Xor => a.xor(b),
            Op::Implies => a.implies(b),
            Op::Eq => a.equals(b),
            Op::BvAnd => a.bv_and(b),
            Op::BvOr => a.bv_or(b),
            Op::BvXor => a.bv_xor(b),
            Op::BvAdd => a.bv_add(b),
            Op::BvSub => a.bv_sub(b),
            Op::BvMul => a.bv_mul(b),
            Op::BvUdiv => a.bv_udiv(b),
            Op::BvUrem => a.bv_urem(b),
            Op::BvSdiv => a.bv_sdiv(b),
            Op::BvSrem => a.bv_srem(b),
            Op::BvShl => a.bv_shl(b),
            Op::BvLshr => a.bv_lshr(b),
            Op::BvAshr => a.bv_ashr(b),
            Op::BvUlt => a.ult(b),
            Op::BvUle => a.ule(b),
            Op::BvSlt => a.slt(b),
            Op::BvSle => a.sle(b),
            Op::Concat => a.concat(b),
            Op::Select => a.select(b),
            _ => self,
        }
    }
}

/// Compares terms whose hashes are equal although they differ; from the root, the first difference decides.
fn cmp_collision(left: Term, right: Term) -> Ordering {
    let mut pairs = vec![(left, right)];
    while let Some((left, right)) = pairs.pop() {
        if left == right {
            continue;
        }
        let roots = left.structural_hash().cmp(&right.structural_hash());
        let roots =
            roots.then_with(|| left.op().cmp(right.op())).then_with(|| left.sort().cmp(&right.sort()));
        let roots = roots.then_with(|| left.args().len().cmp(&right.args().len()));
        if roots.is_ne() {
            return roots;
        }
        pairs.extend(left.args().iter().copied().zip(right.args().iter().copied()).rev());
    }
    Ordering::Equal
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Term {}

/// By structure, so that the layout of hash maps is the same in every run.
impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
