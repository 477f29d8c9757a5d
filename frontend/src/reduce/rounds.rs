//! Loops that a thread runs through by itself, so often as is known when it comes to them, become part of the step that enters them.
//!
//! `for (i = 0; i < 96; i++) p[i] = any;` on what nobody else can see needs no stops: the step into the loop and all its rounds are one step. Large blocks
//! ([`super::merge`]) stop at loops, because they compose no edge with itself; and engines would look for a predicate for each round.
//!
//! Take a location with edges to itself, all of which are invisible to others while the thread is there ([`super::visible`]); and no edge out of it depends on what others
//! change. Behind an edge into it, guards say what is possible: if it is one more round only, and its guard is true whatever the state was, then the thread makes it, and it makes no
//! difference to anybody whether at once or later: the argument is that of [`super::merge`] for locations with invisible edges out of them, and nobody is stuck. So the round is composed with
//! what was before, again and again, until no further round is possible. Then the thread is in a copy of the location that has no rounds. If that cannot be told, all stays as it is.

use super::compose::compose;
use super::inputs::{self, Names};
use super::symbols::Symbols;
use super::visible::{Side, Visibility};
use super::{graph, liveness};
use crate::program::{Edge, EdgeId, LocationId, Program, Scope};
use rustc_hash::FxHashMap;

/// A loop with more rounds than these is not run through.
const MOST_ROUNDS: usize = 1_000;
/// So many steps are composed at most, for each edge of the program and beside that.
const WORK_PER_EDGE: usize = 8;
const WORK: usize = 20_000;
/// A step does not grow beyond so many pieces of source.
const MOST_PIECES: usize = 5_000;

/// Runs through the loops of a program.
pub(super) fn run(program: &mut Program) {
    let symbols = Symbols::new(program);
    let names = inputs::make_unique(program, &symbols);
    let mut runner = Runner {
        visibility: Visibility::new(program, &symbols),
        liveness: liveness::analyse(program, &symbols),
        out_of: program.edges_from(),
        work: WORK + WORK_PER_EDGE * program.edges.len(),
        symbols: &symbols,
        names,
    };
    let fixed = graph::fixed(program);
    let into = graph::edges_to(program);
    for index in 0..program.locations.len() {
        let location = LocationId(index as u32);
        if !fixed[index] && runner.is_loop(program, location) {
            for &edge in &into[index] {
                let enters = program.edge(edge).from != location;
                if enters && let Some(mut whole) = runner.through(program, edge) {
                    whole.to = runner.without_rounds(program, location);
                    program.edges[edge.index()] = whole;
                }
            }
        }
    }
    inputs::shorten_names(program, &symbols);
    graph::drop_unreachable(program);
}

struct Runner<'s> {
    symbols: &'s Symbols,
    visibility: Visibility,
    liveness: liveness::Liveness,
    names: Names,
    out_of: Vec<Vec<EdgeId>>,
    /// How many more steps may be composed.
    work: usize,
}

impl Runner<'_> {
    /// Whether a thread may go round there without anybody noticing.
    fn is_loop(&self, program: &Program, location: LocationId) -> bool {
        let edges = || self.out_of[location.index()].iter().map(|id| program.edge(*id));
        let access = |edge: &Edge, side| self.visibility.access(self.symbols, edge, side);
        let at = program.location(location);
        !at.atomic
            && at.may_end.is_false()
            && edges().any(|edge| edge.to == location)
            && edges().all(|edge| {
                let leaving = access(edge, Side::OutOf);
                let is_round = edge.to == location;
                let is_own = leaving.is_invisible() && access(edge, Side::Into).is_invisible();
                if is_round { is_own && edge.broadcast.is_empty() } else { !leaving.reads }
            })
    }

    /// The edge, with all rounds that the thread makes then; none if that is not known, or there are none.
    fn through(&mut self, program: &Program, edge: EdgeId) -> Option<Edge> {
        let mut whole = program.edge(edge).clone();
        for round in 0..MOST_ROUNDS {
            match self.next(program, &whole)? {
                Some(next) => whole = next,
                None => return (round > 0).then_some(whole),
            }
        }
        None
    }

    /// With one round more, or without if none is possible; nothing if that is not known.
    fn next(&mut self, program: &Program, whole: &Edge) -> Option<Option<Edge>> {
        let (mut only, mut leaves) = (None, false);
        for place in 0..self.out_of[whole.to.index()].len() {
            let id = self.out_of[whole.to.index()][place];
            self.work = self.work.checked_sub(1)?;
            let second = self.renamed(program.edge(id));
            let Some(composed) = compose(self.symbols, whole, &second) else { continue };
            if second.to != whole.to {
                leaves = true;
            } else if only.is_some() || composed.guard != whole.guard || composed.origin.len() > MOST_PIECES {
                return None;
            } else {
                only = Some(composed);
            }
        }
        let Some(mut edge) = only else { return Some(None) };
        let is_needed =
            |id| program.variable(id).scope == Scope::Shared || self.liveness.is_live(id, edge.to);
        edge.assign.retain(|&(id, _)| is_needed(id));
        inputs::eliminate(&mut edge);
        (!leaves).then_some(Some(edge))
    }

    /// A copy of the location in which nobody goes round.
    fn without_rounds(&mut self, program: &mut Program, location: LocationId) -> LocationId {
        let copy = LocationId(program.locations.len() as u32);
        program.locations.push(program.location(location).clone());
        self.visibility.add_copy(location);
        for id in &self.out_of[location.index()] {
            if program.edge(*id).to != location {
                let edge = Edge { from: copy, ..program.edge(*id).clone() };
                program.edges.push(edge);
            }
        }
        copy
    }

    /// A step like this with inputs of its own.
    fn renamed(&mut self, edge: &Edge) -> Edge {
        let mut edge = edge.clone();
        let mut map = FxHashMap::default();
        for input in &mut edge.inputs {
            let old = input.term();
            input.name = self.names.fresh(input.name);
            map.insert(old, input.term());
        }
        inputs::substitute(&mut edge, map);
        edge
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, edge, two};
    use super::*;
    use crate::program::{Input, VariableId};
    use smt::{Sort, Symbol, Term};

    /// Sets `i`, counts to 3, each time adding something to `sum`, and goes on.
    fn program(shared: bool) -> (Builder, VariableId, Term) {
        let mut builder = Builder::new();
        let i = builder.local("i", Some(0));
        let sum = if shared { builder.shared("sum", Some(0)) } else { builder.local("sum", Some(0)) };
        builder.pool();
        let [start, head, end] = builder.locations();
        let error = builder.error("error");
        builder.assign(LocationId(0), start, sum.0, two(0));
        builder.assign(start, head, i.0, two(0));
        let mut round = edge(head, head);
        round.guard = i.1.ult(two(3));
        round.assign = vec![(i.0, i.1.bv_add(two(1))), (sum.0, sum.1.bv_add(i.1))];
        builder.program.edges.push(round);
        builder.guard(head, end, two(3).ule(i.1));
        builder.guard(end, error, sum.1.equals(two(3)));
        (builder, sum.0, i.1)
    }

    #[test]
    fn all_rounds_are_one_step() {
        let (mut builder, sum, _) = program(false);
        run(&mut builder.program);
        let program = &builder.program;
        assert!(program.edges.iter().all(|edge| edge.from != edge.to), "{program:?}");
        // Rounds at the same place are named once.
        let long = program.edges.iter().find(|edge| edge.origin.len() == 2).unwrap();
        assert_eq!(long.assigned(sum), Some(program.variable(sum).term().bv_add(two(3))));
    }

    #[test]
    fn each_round_chooses_anew() {
        let (mut builder, sum, _) = program(false);
        let input = Input { name: Symbol::new("?"), sort: Sort::BitVec(2) };
        let round = builder.program.edges.iter_mut().find(|edge| edge.from == edge.to).unwrap();
        round.assign[1].1 = builder.program.variables[sum.index()].term().bv_xor(input.term());
        round.inputs = vec![input];
        run(&mut builder.program);
        let long = builder.program.edges.iter().find(|edge| edge.origin.len() == 2).unwrap();
        assert_eq!(long.inputs.len(), 3);
    }

    #[test]
    fn not_if_others_see_it_or_rounds_are_not_known() {
        let (mut builder, ..) = program(true);
        let (sum, pool) = (builder.program.variables[1].term(), builder.program.pool.unwrap());
        builder.assign(pool, pool, VariableId(1), sum);
        run(&mut builder.program);
        assert!(builder.program.edges.iter().any(|edge| edge.from == edge.to && edge.assign.len() == 2));
        let (mut builder, _, i) = program(false);
        builder.program.variables[0].init = None;
        builder.program.edges.retain(|edge| edge.assign.first().is_none_or(|(_, term)| *term != two(0)));
        builder.program.edges.push(edge(LocationId(0), LocationId(3)));
        let before = builder.program.edges.len();
        run(&mut builder.program);
        assert_eq!(builder.program.edges.len(), before, "{i:?}");
    }
}
