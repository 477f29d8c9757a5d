//! Questions with many answers: which cubes imply a formula, and which truth values some terms can have together.
//!
//! Both are what predicate abstraction asks for. Implied cubes are found by size, so those that are found are minimal
//! and none of their supersets is asked about. Every model that refutes a cube is kept, as a row of truth values of the
//! atoms: it refutes all cubes that are true in it, and most cubes are refuted without a question. Unsatisfiable cores
//! tell a cube that implies the goal from one that contradicts the context.

use crate::solver::{Answer, Model, Reason, Solver, SolverError};
use crate::term::Term;
use crate::traverse::constants;

/// A conjunction of atoms and negated atoms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    literals: Vec<Literal>,
}

/// An atom, by position, and whether it is true.
pub type Literal = (usize, bool);

impl Cube {
    /// The literals, by atom.
    pub fn literals(&self) -> &[Literal] {
        &self.literals
    }

    /// The conjunction.
    pub fn term(&self, atoms: &[Term]) -> Term {
        Term::and_all(self.terms(atoms))
    }

    /// Whether all literals of this one are in the other.
    pub fn is_subset(&self, other: &Cube) -> bool {
        self.literals.iter().all(|literal| other.literals.binary_search(literal).is_ok())
    }

    fn terms(&self, atoms: &[Term]) -> Vec<Term> {
        let literal = |&(atom, value): &Literal| {
            let atom = atoms.get(atom).copied().unwrap_or_else(Term::tru);
            if value { atom } else { atom.not() }
        };
        self.literals.iter().map(literal).collect()
    }
}

/// Which cubes imply a goal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImpliedCubes {
    /// The minimal cubes that are consistent with the context and imply the goal with it, by size.
    pub implying: Vec<Cube>,
    /// The minimal cubes that contradict the context, by size.
    pub inconsistent: Vec<Cube>,
    /// Cubes about which the solver did not know.
    pub undecided: Vec<(Cube, Reason)>,
}

/// What is known about a cube.
enum Verdict {
    Implies(Cube),
    Contradicts(Cube),
    Refuted,
    Unknown(Reason),
}

/// All minimal cubes of at most `size` literals over the atoms that imply the goal in the context. Atoms should be
/// distinct. The solver has what it had before afterwards; what is asserted there is part of the context.
pub fn implied_cubes(
    solver: &mut dyn Solver,
    context: Term,
    atoms: &[Term],
    goal: Term,
    size: usize,
) -> Result<ImpliedCubes, SolverError> {
    scoped(solver, |solver| {
        solver.assert(context)?;
        constants(atoms.iter().copied()).into_iter().try_for_each(|constant| solver.declare(constant))?;
        let mut search = Search { solver, atoms, denied: goal.not(), refuting: Refuting::new(atoms.len()) };
        let mut result = ImpliedCubes::default();
        for size in 0..=size.min(atoms.len()) {
            for_each_cube(atoms.len(), size, &mut |cube| search.consider(cube, &mut result))?;
        }
        Ok(result)
    })
}

/// Calls with all cubes of a size, in the order of their literals.
fn for_each_cube(
    atoms: usize,
    size: usize,
    action: &mut dyn FnMut(&Cube) -> Result<(), SolverError>,
) -> Result<(), SolverError> {
    let mut cube = Cube { literals: (0..size).map(|atom| (atom, true)).collect() };
    loop {
        action(&cube)?;
        // The next polarities, as a binary counter; then the next atoms, from the right.
        if let Some(last) = cube.literals.iter().rposition(|literal| literal.1) {
            cube.literals[last].1 = false;
            cube.literals[last + 1..].iter_mut().for_each(|literal| literal.1 = true);
            continue;
        }
        let movable = |(place, literal): (usize, &Literal)| literal.0 + size < atoms + place;
        let Some(place) = cube.literals.iter().enumerate().rposition(movable) else { return Ok(()) };
        let first = cube.literals[place].0 + 1;
        for (offset, literal) in cube.literals[place..].iter_mut().enumerate() {
            *literal = (first + offset, true);
        }
        cube.literals.iter_mut().for_each(|literal| literal.1 = true);
    }
}

struct Search<'a> {
    solver: &'a mut dyn Solver,
    atoms: &'a [Term],
    denied: Term,
    refuting: Refuting,
}

impl Search<'_> {
    fn consider(&mut self, cube: &Cube, result: &mut ImpliedCubes) -> Result<(), SolverError> {
        let known = result.implying.iter().chain(&result.inconsistent).any(|smaller| smaller.is_subset(cube));
        if known || self.refuting.refutes(cube) {
            return Ok(());
        }
        match self.decide(cube)? {
            Verdict::Implies(cube) => result.implying.push(cube),
            Verdict::Contradicts(cube) => result.inconsistent.push(cube),
            Verdict::Refuted => {}
            Verdict::Unknown(reason) => result.undecided.push((cube.clone(), reason)),
        }
        Ok(())
    }

    fn decide(&mut self, cube: &Cube) -> Result<Verdict, SolverError> {
        let literals = cube.terms(self.atoms);
        let mut assumptions = literals.clone();
        assumptions.push(self.denied);
        match self.solver.check_assuming(&assumptions)? {
            Answer::Sat => {
                let model = self.solver.model()?;
                self.refuting.add(self.atoms, &model)?;
                Ok(Verdict::Refuted)
            }
            Answer::Unknown(reason) => Ok(Verdict::Unknown(reason)),
            Answer::Unsat => {
                let core = self.solver.unsat_core()?;
                let needed = literals.iter().map(|literal| core.contains(literal));
                let smaller = cube.literals.iter().zip(needed).filter(|(_, needed)| *needed);
                let smaller = Cube { literals: smaller.map(|(literal, _)| *literal).collect() };
                if !core.contains(&self.denied) || self.contradicts(&smaller)? {
                    Ok(Verdict::Contradicts(smaller))
                } else {
                    Ok(Verdict::Implies(smaller))
                }
            }
        }
    }

    fn contradicts(&mut self, cube: &Cube) -> Result<bool, SolverError> {
        Ok(self.solver.check_assuming(&cube.terms(self.atoms))?.is_unsat())
    }
}

/// Models that refute cubes: for each literal, the set of those where it is true.
struct Refuting {
    number: usize,
    /// For each atom, false and true.
    sets: Vec<[Vec<u64>; 2]>,
}

impl Refuting {
    fn new(atoms: usize) -> Refuting {
        Refuting { number: 0, sets: vec![[Vec::new(), Vec::new()]; atoms] }
    }

    fn add(&mut self, atoms: &[Term], model: &Model) -> Result<(), SolverError> {
        let (word, bit) = (self.number / 64, self.number % 64);
        for (&atom, sets) in atoms.iter().zip(&mut self.sets) {
            let value = truth(model, atom)?;
            for (side, set) in sets.iter_mut().enumerate() {
                set.resize(word + 1, 0);
                set[word] |= u64::from((side == 1) == value) << bit;
            }
        }
        self.number += 1;
        Ok(())
    }

    fn refutes(&self, cube: &Cube) -> bool {
        if cube.literals.is_empty() {
            return self.number > 0;
        }
        let sets: Vec<&[u64]> = cube
            .literals
            .iter()
            .map(|&(atom, value)| self.sets[atom][usize::from(value)].as_slice())
            .collect();
        (0..self.number.div_ceil(64)).any(|word| sets.iter().fold(u64::MAX, |all, set| all & set[word]) != 0)
    }
}

/// All truth values that some terms can have together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllSat {
    /// A value for each term; sorted, without repetitions.
    pub rows: Vec<Vec<bool>>,
    /// Whether these are all.
    pub end: End,
}

/// Why enumeration ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// There are no more.
    Complete,
    /// There may be more than was asked for.
    Limit,
    /// The solver does not know whether there are more.
    Unknown(Reason),
}

/// The truth values of terms in the models of a formula, at most `limit` rows of them. The solver has what it had
/// before afterwards; what is asserted there must hold, too.
pub fn all_sat(
    solver: &mut dyn Solver,
    formula: Term,
    terms: &[Term],
    limit: usize,
) -> Result<AllSat, SolverError> {
    scoped(solver, |solver| {
        solver.assert(formula)?;
        constants(terms.iter().copied()).into_iter().try_for_each(|constant| solver.declare(constant))?;
        let mut rows = Vec::new();
        let end = loop {
            if rows.len() >= limit {
                break End::Limit;
            }
            match solver.check()? {
                Answer::Unsat => break End::Complete,
                Answer::Unknown(reason) => break End::Unknown(reason),
                Answer::Sat => {}
            }
            let model = solver.model()?;
            let row = terms.iter().map(|&term| truth(&model, term)).collect::<Result<Vec<bool>, _>>()?;
            let differs = terms.iter().zip(&row).map(|(&term, &value)| if value { term.not() } else { term });
            solver.assert(Term::or_all(differs))?;
            rows.push(row);
        };
        rows.sort_unstable();
        Ok(AllSat { rows, end })
    })
}

fn truth(model: &Model, term: Term) -> Result<bool, SolverError> {
    model.satisfies(term).map_err(|_| SolverError::NotBoolean(term.sort()))
}

/// Does something between `push` and `pop`.
pub(crate) fn scoped<R>(
    solver: &mut dyn Solver,
    action: impl FnOnce(&mut dyn Solver) -> Result<R, SolverError>,
) -> Result<R, SolverError> {
    solver.push()?;
    let result = action(solver);
    solver.pop()?;
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cubes_of_a_size_are_enumerated_once() {
        for (atoms, size, number) in [(0, 0, 1), (4, 0, 1), (4, 1, 8), (5, 3, 80), (3, 3, 8)] {
            let mut cubes = Vec::new();
            let collect = &mut |cube: &Cube| {
                cubes.push(cube.clone());
                Ok(())
            };
            for_each_cube(atoms, size, collect).unwrap();
            assert!(cubes.iter().all(|cube| cube.literals.is_sorted_by(|left, right| left.0 < right.0)));
            cubes.sort();
            cubes.dedup();
            assert_eq!(cubes.len(), number, "{size} of {atoms}");
        }
    }

    #[test]
    fn subsets() {
        let cube = |literals: &[Literal]| Cube { literals: literals.to_vec() };
        assert!(cube(&[]).is_subset(&cube(&[(1, true)])));
        assert!(cube(&[(1, true)]).is_subset(&cube(&[(0, false), (1, true)])));
        assert!(!cube(&[(1, false)]).is_subset(&cube(&[(0, false), (1, true)])));
    }
}
