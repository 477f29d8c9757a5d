//! The circuit of each operator. Truth values are words of one bit.

use super::graph::{Edge, Graph};
use super::products::{divide, mul, signed_quotient, signed_remainder};
use super::words::{self, Direction};
use crate::term::{Op, Term};

/// The word of a term, from the words of its arguments; nothing if the operator does not belong here.
pub(super) fn apply(graph: &mut Graph, term: Term, args: &[&[Edge]]) -> Option<Vec<Edge>> {
    match (term.op(), args) {
        (Op::True, []) => Some(vec![Edge::TRUE]),
        (Op::False, []) => Some(vec![Edge::FALSE]),
        (Op::Bits(bits), []) => Some(words::literal(bits)),
        (Op::Const(_), []) => Some(words::inputs(graph, term.sort().width().unwrap_or(1))),
        (Op::And, _) => Some(vec![graph.and_all(args.iter().map(|arg| bit(arg)))]),
        (Op::Or, _) => Some(vec![graph.or_all(args.iter().map(|arg| bit(arg)))]),
        (Op::Ite, [condition, then, els]) => Some(words::ite(graph, bit(condition), then, els)),
        (op, [arg]) => unary(graph, op, arg),
        (op, [left, right]) => {
            relation(graph, op, left, right).map(|edge| vec![edge]).or_else(|| binary(graph, op, left, right))
        }
        _ => None,
    }
}

/// A truth value.
fn bit(word: &[Edge]) -> Edge {
    word.first().copied().unwrap_or(Edge::FALSE)
}

fn unary(graph: &mut Graph, op: &Op, arg: &[Edge]) -> Option<Vec<Edge>> {
    let extended = |by: u32, fill: Edge| {
        let mut word = arg.to_vec();
        word.resize(arg.len() + by as usize, fill);
        word
    };
    Some(match *op {
        Op::Not | Op::BvNot => words::not(arg),
        Op::BvNeg => words::neg(graph, arg),
        Op::Extract { high, low } => arg.get(low as usize..=high as usize)?.to_vec(),
        Op::ZeroExtend(by) => extended(by, Edge::FALSE),
        Op::SignExtend(by) => extended(by, words::sign(arg)),
        _ => return None,
    })
}

fn relation(graph: &mut Graph, op: &Op, left: &[Edge], right: &[Edge]) -> Option<Edge> {
    Some(match op {
        Op::Xor => graph.xor(bit(left), bit(right)),
        Op::Implies => graph.or(!bit(left), bit(right)),
        Op::Eq => words::equal(graph, left, right),
        Op::BvUlt => words::less(graph, left, right, false),
        Op::BvUle => words::less(graph, left, right, true),
        Op::BvSlt => words::signed_less(graph, left, right, false),
        Op::BvSle => words::signed_less(graph, left, right, true),
        _ => return None,
    })
}

fn binary(graph: &mut Graph, op: &Op, left: &[Edge], right: &[Edge]) -> Option<Vec<Edge>> {
    Some(match op {
        Op::BvAnd => words::zip(graph, left, right, Graph::and),
        Op::BvOr => words::zip(graph, left, right, Graph::or),
        Op::BvXor => words::zip(graph, left, right, Graph::xor),
        Op::BvAdd => words::add(graph, left, right, Edge::FALSE),
        Op::BvSub => words::sub(graph, left, right),
        Op::BvMul => mul(graph, left, right),
        Op::BvUdiv => divide(graph, left, right).0,
        Op::BvUrem => divide(graph, left, right).1,
        Op::BvSdiv => signed_quotient(graph, left, right),
        Op::BvSrem => signed_remainder(graph, left, right),
        Op::BvShl => words::shift(graph, left, right, Direction::Left, Edge::FALSE),
        Op::BvLshr => words::shift(graph, left, right, Direction::Right, Edge::FALSE),
        Op::BvAshr => words::shift(graph, left, right, Direction::Right, words::sign(left)),
        Op::Concat => [right, left].concat(),
        _ => return None,
    })
}
