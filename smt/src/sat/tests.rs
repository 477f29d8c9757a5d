//! All SAT solvers: answers, values, failed assumptions, limits.

use std::time::{Duration, Instant};

use super::*;

fn solvers() -> impl Iterator<Item = Box<dyn SatSolver>> {
    SatChoice::ALL.iter().map(|&choice| create(choice))
}

#[test]
fn clauses_and_assumptions() {
    for mut solver in solvers() {
        let [a, b, c] = std::array::from_fn(|_| solver.new_variable());
        let limit = Limit::default();
        solver.add_clause(&[a, b]);
        solver.add_clause(&[!a, c]);
        assert_eq!(solver.solve(&[!b], &limit), Some(true), "{}", solver.name());
        assert!(solver.value(a) && solver.value(c) && solver.value(!b) && !solver.value(b));
        assert_eq!(solver.solve(&[b, !c, a], &limit), Some(false));
        assert!(solver.failed(a) && solver.failed(!c) && !solver.failed(b));
        assert_eq!(solver.solve(&[a, !a], &limit), Some(false));
        assert!(solver.failed(a) && solver.failed(!a));
        // Assumptions do not last, clauses do.
        assert_eq!(solver.solve(&[], &limit), Some(true));
        let unused = solver.new_variable();
        assert_eq!(solver.solve(&[unused], &limit), Some(true));
        solver.add_clause(&[]);
        assert_eq!(solver.solve(&[a, b], &limit), Some(false));
        assert!(!solver.failed(a) && !solver.failed(b));
        assert_eq!((solver.variables(), solver.clauses()), (4, 3));
    }
}

/// One pigeon too many.
fn pigeons(solver: &mut dyn SatSolver, holes: usize) {
    let places: Vec<Vec<Lit>> =
        (0..=holes).map(|_| (0..holes).map(|_| solver.new_variable()).collect()).collect();
    places.iter().for_each(|pigeon| solver.add_clause(pigeon));
    for (number, one) in places.iter().enumerate() {
        for other in &places[..number] {
            one.iter().zip(other).for_each(|(&one, &other)| solver.add_clause(&[!one, !other]));
        }
    }
}

#[test]
fn hard_questions_end_in_time() {
    for mut solver in solvers() {
        pigeons(solver.as_mut(), 12);
        let deadline = Instant::now() + Duration::from_millis(100);
        let limit = Limit { deadline: Some(deadline), ..Limit::default() };
        assert_eq!(solver.solve(&[], &limit), None, "{}", solver.name());
        assert!(deadline.elapsed() < Duration::from_secs(30));
        let limit = Limit::default();
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                limit.interrupt.stop();
            });
            solver.solve(&[], &limit)
        });
        assert_eq!(answer, None, "{}", solver.name());
    }
}
