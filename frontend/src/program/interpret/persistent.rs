//! Which threads it is enough to move: persistent sets. P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems (1996), chapter 4.
//!
//! For programs whose control flow has no cycle, with threads that are told apart: each thread but the first waits at a location of its own until a shared flag is set ([`Waiting`]).
//!
//! *Which.* Let A(t) be what the edges from thread t's location touch, whether they are possible or not, and F(t) what those and all later ones do, including those of threads that t starts. A thread
//! that waits and whose flag is not set does nothing before somebody sets the flag; that somebody's F has all that it does, so its own counts as empty. A set T of threads is *closed* if A(t) does not
//! disturb F(u) ([`Touched::disturbs`]) for any t in T and u not in T. Then no step that others can do, however many, disturbs the next step of a thread in T, or makes it possible: the steps that are possible now in T are
//! a persistent set. It is enough to follow these, if there is one.
//!
//! *Why enough.* Take a state s that the search has seen and a run from there that cannot be continued. All runs end, since there are no cycles. If no step of T were in the run, then T's steps, which
//! nobody disturbs, would still be possible at its end. So there is one; the first one, of thread t, is disturbed by none of the steps before it, which are steps of others, so it is possible in s, and the run that does it first and
//! then all the others in their order is one, with the same states of each thread in between and the same end. The search follows this step, and the rest of the run is shorter. By induction the search does, for each run that cannot be
//! continued, all steps of it, in some order in which each thread does the same. So each location that some thread can get to with the inputs that are tried, it gets to in the search. A property that asks for one thread at
//! a location is violated in the search if and only if it can be.
//!
//! *Races* ask for thread t at one location and thread u at another, at once. Both locations are marked as if all edges from there wrote a cell that the property has for itself, and read what the index of the access looks
//! at. Let there be a run v from s, which the search has seen, to such a state; the search sees one, too, by induction over the length of the longest run from s. If a thread in T moves in v, its first step can be done first, and the rest
//! leads to the same state. If none does, but t is in T, then t is where the property asks for it already, and since A(t) disturbs F(u), which has the other access, u is in T and does not move either: s is such a state. Likewise
//! for u. If neither is in T, do a possible step of T; v is still possible, and leads to a state in which t and u are at the same places with the same indices, for the step changes nothing that F(t) or F(u) reads.
//! What happens to edges that are not possible at these locations does not matter to this.
//!
//! What is open ([`super::lazy`]) changes nothing: whoever looks at it ends the exploration.

use super::apart::{Select, Waiting};
use super::touched::{Touched, Universe};
use crate::program::{EdgeId, LocationId, Program, Target};

/// What is needed to choose.
#[derive(Clone, Debug)]
pub struct Persistent {
    /// By location: what the edges from there touch.
    now: Vec<Touched>,
    /// By location: what they and all later ones touch.
    later: Vec<Touched>,
}

impl Persistent {
    /// Nothing, if the program is not of the form that this needs.
    pub fn new(program: &Program, waiting: &[Waiting]) -> Option<Persistent> {
        let is_loud = program.edges.iter().any(|edge| !edge.broadcast.is_empty());
        let is_atomic = program.locations.iter().any(|location| location.atomic);
        if is_loud || is_atomic {
            return None;
        }
        let edges_from = program.edges_from();
        let order = topological(program, &edges_from)?;
        let mut universe = Universe::new(program);
        let edges: Vec<Touched> = program.edges.iter().map(|edge| universe.edge(edge)).collect();
        let mut now = vec![Touched::default(); program.locations.len()];
        for (edge, touched) in program.edges.iter().zip(&edges) {
            now[edge.from.index()].extend(touched);
        }
        for property in &program.properties {
            if let Target::Race(first, second) = &property.target {
                let meeting = universe.meeting();
                for access in [first, second] {
                    let here = &mut now[access.location.index()];
                    here.extend(&meeting);
                    access.index.map(|index| here.extend(&universe.look(index)));
                }
            }
        }
        let mut later = now.clone();
        // Threads may start threads in any order of their numbers, so once is not always enough.
        let mut grown = true;
        while grown {
            grown = false;
            for &location in order.iter().rev() {
                for &edge in &edges_from[location] {
                    let edge = program.edge(edge);
                    let started = waiting.iter().filter(|waiting| edge.assigned(waiting.flag).is_some());
                    for next in started.map(|waiting| waiting.location).chain([edge.to]) {
                        let next = later[next.index()].clone();
                        grown |= later[location].extend(&next);
                    }
                }
            }
        }
        Some(Persistent { now, later })
    }

    /// The smallest closed set with these threads.
    fn closure(&self, places: &[Option<LocationId>], mut set: u64) -> u64 {
        let mut open = set;
        while open != 0 {
            let one = open.trailing_zeros() as usize;
            open &= open - 1;
            let Some(here) = places[one] else { continue };
            let now = &self.now[here.index()];
            for (other, place) in places.iter().enumerate() {
                if let Some(place) = place
                    && set & 1 << other == 0
                    && now.disturbs(&self.later[place.index()])
                {
                    set |= 1 << other;
                    open |= 1 << other;
                }
            }
        }
        set
    }
}

impl Select for Persistent {
    fn sets(&mut self, places: &[Option<LocationId>], sets: &mut Vec<u64>) {
        for thread in (0..places.len()).filter(|thread| places[*thread].is_some()) {
            let set = self.closure(places, 1 << thread);
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        sets.sort_by_key(|set| set.count_ones());
    }
}

/// The locations, sources of edges before their targets; nothing if there is a cycle.
fn topological(program: &Program, edges_from: &[Vec<EdgeId>]) -> Option<Vec<usize>> {
    let mut incoming = vec![0_usize; program.locations.len()];
    for edge in &program.edges {
        incoming[edge.to.index()] += 1;
    }
    let mut order: Vec<usize> = (0..incoming.len()).filter(|location| incoming[*location] == 0).collect();
    let mut next = 0;
    while let Some(&location) = order.get(next) {
        next += 1;
        for &edge in &edges_from[location] {
            let to = program.edge(edge).to.index();
            incoming[to] -= 1;
            if incoming[to] == 0 {
                order.push(to);
            }
        }
    }
    (order.len() == incoming.len()).then_some(order)
}
