//! Circuits for bit-vectors, the lowest bit first: sums, comparisons, choices, shifts.
//!
//! Sums are ripple-carry adders: long, but small, and what a SAT solver needs is few gates. A comparison is the carry of a
//! difference. Shifts are barrel shifters: one row of choices for each bit of the distance that counts.

use super::graph::{Edge, Graph};
use crate::bits::Bits;

/// The bits of a literal.
pub(super) fn literal(bits: &Bits) -> Vec<Edge> {
    (0..bits.width()).map(|number| Edge::constant(bits.bit(number))).collect()
}

pub(super) fn inputs(graph: &mut Graph, width: u32) -> Vec<Edge> {
    (0..width).map(|_| graph.input()).collect()
}

pub(super) fn not(word: &[Edge]) -> Vec<Edge> {
    word.iter().map(|&bit| !bit).collect()
}

pub(super) fn zip(
    graph: &mut Graph,
    left: &[Edge],
    right: &[Edge],
    gate: fn(&mut Graph, Edge, Edge) -> Edge,
) -> Vec<Edge> {
    left.iter().zip(right).map(|(&a, &b)| gate(graph, a, b)).collect()
}

/// The sum with a carry into the lowest bit.
pub(super) fn add(graph: &mut Graph, left: &[Edge], right: &[Edge], carry: Edge) -> Vec<Edge> {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(left.len());
    for (&a, &b) in left.iter().zip(right) {
        let half = graph.xor(a, b);
        sum.push(graph.xor(half, carry));
        // The last carry goes nowhere.
        if sum.len() < left.len() {
            carry = graph.majority(a, b, carry);
        }
    }
    sum
}

pub(super) fn sub(graph: &mut Graph, left: &[Edge], right: &[Edge]) -> Vec<Edge> {
    add(graph, left, &not(right), Edge::TRUE)
}

pub(super) fn neg(graph: &mut Graph, word: &[Edge]) -> Vec<Edge> {
    let zeros = vec![Edge::FALSE; word.len()];
    sub(graph, &zeros, word)
}

pub(super) fn equal(graph: &mut Graph, left: &[Edge], right: &[Edge]) -> Edge {
    let bits = zip(graph, left, right, Graph::equal);
    graph.and_all(bits)
}

/// Less, or with `or_equal` less or equal, without sign.
pub(super) fn less(graph: &mut Graph, left: &[Edge], right: &[Edge], or_equal: bool) -> Edge {
    left.iter().zip(right).fold(Edge::constant(or_equal), |lower, (&a, &b)| graph.majority(!a, b, lower))
}

/// The same with sign: as if without, when the highest bits are negated.
pub(super) fn signed_less(graph: &mut Graph, left: &[Edge], right: &[Edge], or_equal: bool) -> Edge {
    less(graph, &flipped(left), &flipped(right), or_equal)
}

fn flipped(word: &[Edge]) -> Vec<Edge> {
    let mut word = word.to_vec();
    if let Some(highest) = word.last_mut() {
        *highest = !*highest;
    }
    word
}

pub(super) fn ite(graph: &mut Graph, condition: Edge, then: &[Edge], els: &[Edge]) -> Vec<Edge> {
    then.iter().zip(els).map(|(&t, &e)| graph.ite(condition, t, e)).collect()
}

/// The word that has this bit: the highest one; false if there is none.
pub(super) fn sign(word: &[Edge]) -> Edge {
    word.last().copied().unwrap_or(Edge::FALSE)
}

/// Where the bits of a shift go.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
}

/// A shift by any distance. Where there are no more bits, `fill` comes in.
pub(super) fn shift(
    graph: &mut Graph,
    word: &[Edge],
    distance: &[Edge],
    direction: Direction,
    fill: Edge,
) -> Vec<Edge> {
    let width = word.len();
    let mut result = word.to_vec();
    let mut too_far = Vec::new();
    for (number, &bit) in distance.iter().enumerate() {
        let Some(by) = u32::try_from(number)
            .ok()
            .and_then(|number| 1_usize.checked_shl(number))
            .filter(|&by| by < width)
        else {
            too_far.push(bit);
            continue;
        };
        let moved = |at: usize| match direction {
            Direction::Left => at.checked_sub(by).map_or(fill, |from| result[from]),
            Direction::Right => result.get(at + by).copied().unwrap_or(fill),
        };
        let moved: Vec<Edge> = (0..width).map(moved).collect();
        result = ite(graph, bit, &moved, &result);
    }
    let too_far = graph.or_all(too_far);
    ite(graph, too_far, &vec![fill; width], &result)
}
