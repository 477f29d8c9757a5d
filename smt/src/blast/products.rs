//! Circuits for products and quotients.
//!
//! A product is the sum of the one factor, shifted and masked by the bits of the other. A quotient is long division:
//! bring down the next bit, subtract the divisor if it fits. With a divisor of zero it always fits, which makes the quotient
//! all ones and the remainder the dividend, just as SMT-LIB wants it.

use super::graph::{Edge, Graph};
use super::words::{add, ite, less, neg, not, sign};

/// The product.
pub(super) fn mul(graph: &mut Graph, left: &[Edge], right: &[Edge]) -> Vec<Edge> {
    let width = left.len();
    // The rows that a constant bit leaves out cost nothing.
    let constants = |word: &[Edge]| word.iter().filter(|bit| bit.as_constant().is_some()).count();
    let (masks, factor) = if constants(left) >= constants(right) { (left, right) } else { (right, left) };
    let mut sum = vec![Edge::FALSE; width];
    for (at, &mask) in masks.iter().enumerate() {
        if mask == Edge::FALSE {
            continue;
        }
        let row: Vec<Edge> = factor[..width - at].iter().map(|&bit| graph.and(mask, bit)).collect();
        let upper = add(graph, &sum[at..], &row, Edge::FALSE);
        sum.truncate(at);
        sum.extend(upper);
    }
    sum
}

/// Quotient and remainder without sign.
pub(super) fn divide(graph: &mut Graph, dividend: &[Edge], divisor: &[Edge]) -> (Vec<Edge>, Vec<Edge>) {
    let width = dividend.len();
    let mut quotient = vec![Edge::FALSE; width];
    let mut remainder = vec![Edge::FALSE; width];
    let mut divisor = divisor.to_vec();
    divisor.push(Edge::FALSE);
    for at in (0..width).rev() {
        remainder.insert(0, dividend[at]);
        let fits = less(graph, &divisor, &remainder, true);
        let rest = add(graph, &remainder, &not(&divisor), Edge::TRUE);
        remainder = ite(graph, fits, &rest, &remainder);
        // What is left is less than the divisor, or, with a divisor of zero, at most the dividend.
        remainder.truncate(width);
        quotient[at] = fits;
    }
    (quotient, remainder)
}

fn magnitude(graph: &mut Graph, word: &[Edge]) -> Vec<Edge> {
    let negated = neg(graph, word);
    ite(graph, sign(word), &negated, word)
}

/// Quotient with sign, rounded to zero.
pub(super) fn signed_quotient(graph: &mut Graph, dividend: &[Edge], divisor: &[Edge]) -> Vec<Edge> {
    let (left, right) = (magnitude(graph, dividend), magnitude(graph, divisor));
    let (quotient, _) = divide(graph, &left, &right);
    let negated = neg(graph, &quotient);
    let negative = graph.xor(sign(dividend), sign(divisor));
    ite(graph, negative, &negated, &quotient)
}

/// Remainder with the sign of the dividend.
pub(super) fn signed_remainder(graph: &mut Graph, dividend: &[Edge], divisor: &[Edge]) -> Vec<Edge> {
    let (left, right) = (magnitude(graph, dividend), magnitude(graph, divisor));
    let (_, remainder) = divide(graph, &left, &right);
    let negated = neg(graph, &remainder);
    ite(graph, sign(dividend), &negated, &remainder)
}
