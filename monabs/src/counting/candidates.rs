//! What a refinement may ask about counts.
//!
//! The facts are about remainders: 2^32 readers are none for a counter of 32 bits. That a counter never wraps is an invariant of its own, which
//! the program keeps if it tests the counter before it counts (a semaphore does not go below zero), or if the number of threads is
//! bounded. So candidates are the equations between numbers instead of remainders, with the bounds that they need; a guess as it is; and the
//! numbers of threads themselves: none, at most one.

use super::balance::Ticket;
use super::{Counting, Equation, WIDTH};
use crate::linear::sum;
use frontend::program::{Program, VariableId};
use smt::Term;
use std::collections::BTreeSet;

impl Counting {
    /// Predicates about counts that have to do with these variables.
    pub fn candidates(&self, program: &Program, variables: &BTreeSet<VariableId>) -> Vec<Term> {
        let mut connected = variables.clone();
        for equation in &self.equations {
            if !equation.variables.is_disjoint(variables) {
                connected.extend(equation.variables.iter().copied());
            }
        }
        self.connect(&mut connected, &BTreeSet::new());
        let mut found = Vec::new();
        for equation in self.equations.iter().filter(|equation| !equation.variables.is_disjoint(&connected)) {
            if !equation.fact {
                found.push(equation.left.equals(equation.right));
                found.extend(&equation.premises);
            }
            found.extend(self.exact(program, equation));
        }
        // How many threads there are somewhere matters by itself only where a counter is set to something.
        let guesses = self.equations.iter().any(|equation| {
            !equation.fact && equation.variables.iter().any(|variable| connected.contains(variable))
        });
        for count in self.counts.iter().filter(|count| guesses && connected.contains(&count.variable)) {
            let term = program.variable(count.variable).term();
            found.push(term.equals(Term::bv(WIDTH, 0)));
            found.push(term.ule(Term::bv(WIDTH, 1)));
        }
        found
    }

    /// For a counter from which threads draw tickets and one that says whose turn it is: that a ticket is in between, and nobody else's. The order is that
    /// of the distance from the second, because it does not care where numbers wrap around; where they do not, it is the order of numbers.
    /// They count as long as the ticket is counted, with the number of the equation.
    pub fn between(&self, program: &Program) -> Vec<(Term, usize)> {
        let mut found = Vec::new();
        for (number, equation) in self.equations.iter().enumerate() {
            let [(next, 1), (served, -1)] = equation.terms[..] else { continue };
            for &Ticket { variable, limited } in &equation.tickets {
                let ticket = program.variable(variable);
                let other = ticket.passive_term();
                let before_next =
                    if limited { other.ult(next) } else { other.bv_sub(served).ult(next.bv_sub(served)) };
                let relations = [before_next, ticket.term().distinct(other), ticket.term().equals(served)];
                found.extend(relations.map(|relation| (relation, number)));
            }
        }
        found
    }

    /// The equation between numbers, and a bound, if all counts are on one side.
    fn exact(&self, program: &Program, equation: &Equation) -> Vec<Term> {
        let positive = equation.factors.iter().all(|(_, factor)| *factor > 0);
        let negative = equation.factors.iter().all(|(_, factor)| *factor < 0);
        let is_difference = equation.terms.len() > 1 && equation.tickets.iter().all(|ticket| ticket.limited);
        if equation.factors.is_empty() || is_difference || !(positive || negative) {
            return Vec::new();
        }
        let counts = |sign: i128| {
            let terms = equation.factors.iter().map(|&(number, factor)| {
                (program.variable(self.counts[number].variable).term(), sign * factor)
            });
            sum(WIDTH, terms)
        };
        let constant = equation.start;
        let wide = |term: Term| term.resize_unsigned(WIDTH);
        if positive {
            vec![wide(equation.left.bv_sub(constant)).equals(counts(1))]
        } else {
            vec![wide(constant.bv_sub(equation.left)).equals(counts(-1)), equation.left.ule(constant)]
        }
    }
}
