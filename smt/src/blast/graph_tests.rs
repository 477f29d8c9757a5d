//! Gates mean what they should, whatever they are simplified to.

use super::*;

const INPUTS: usize = 4;

/// A gate, and its value under each of the assignments to the inputs.
type Tabled = (Edge, u16);

#[test]
fn gates_of_random_gates() {
    let mut graph = Graph::new();
    let inputs: Vec<Edge> = (0..INPUTS).map(|_| graph.input()).collect();
    let mut all: Vec<Tabled> = vec![(Edge::FALSE, 0)];
    for (&input, table) in inputs.iter().zip([0xaaaa, 0xcccc, 0xf0f0, 0xff00]) {
        all.push((input, table));
    }
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let mut pick = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (edge, table) = all[(state >> 33) as usize % all.len().min(40)];
            if state >> 32 & 1 == 1 { (!edge, !table) } else { (edge, table) }
        };
        let ((a, s), (b, t), (c, u)) = (pick(), pick(), pick());
        all.extend([
            (graph.and(a, b), s & t),
            (graph.or(a, b), s | t),
            (graph.xor(a, b), s ^ t),
            (graph.equal(a, b), !(s ^ t)),
            (graph.ite(a, b, c), s & t | !s & u),
            (graph.majority(a, b, c), s & t | s & u | t & u),
        ]);
        // The newest gates take the places of others, so that circuits get deeper.
        let (last, turn) = (all.len() - 1, all.len() % 35);
        all.swap(last, (turn + 5).min(last));
    }
    for assignment in 0..1 << INPUTS {
        let value = |input| inputs.iter().position(|&it| it == input).unwrap();
        let values = graph.evaluate(|input| assignment >> value(input) & 1 == 1);
        for &(edge, table) in &all {
            assert_eq!(values.of(edge), table >> assignment & 1 == 1, "{:?}", graph.gate(edge));
        }
    }
}

#[test]
fn the_same_gate_is_made_once() {
    let mut graph = Graph::new();
    let (a, b, c) = (graph.input(), graph.input(), graph.input());
    assert_eq!(graph.and(a, b), graph.and(b, a));
    assert_eq!(graph.xor(!a, b), !graph.xor(b, a));
    assert_eq!(graph.ite(!a, b, !c), !graph.ite(a, c, !b));
    assert_eq!(graph.majority(!a, !b, !c), !graph.majority(c, a, b));
    let gates = graph.len();
    let both = graph.and(a, b);
    // Two levels: contradiction, subsumption, idempotence, substitution, resolution.
    assert_eq!(graph.and(both, !a), Edge::FALSE);
    assert_eq!(graph.and(!both, !a), !a);
    assert_eq!(graph.and(both, b), both);
    assert_eq!(graph.len(), gates);
    let only = graph.and(a, !b);
    assert_eq!(graph.and(!both, a), only);
    assert_eq!(graph.and(!both, !only), !a);
    assert_eq!(graph.and(both, only), Edge::FALSE);
    assert_eq!(graph.and(both, !only), both);
}
