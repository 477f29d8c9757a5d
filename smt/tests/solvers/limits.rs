//! Time limits, interrupts, and programs that are no solvers.

use std::time::{Duration, Instant};

use smt::{Answer, Config, Interrupt, Reason, SolverChoice, SolverError, Term, create};

use super::{bits, choices, solver};

/// A product of two primes that no solver splits soon. Their bits are random: factors next to a power of two are found by
/// chance.
fn hard() -> Term {
    let (x, y) = (bits("x", 128), bits("y", 128));
    let (half, one) = (Term::bv(128, 1 << 64), Term::bv(128, 1));
    let product = Term::bv(128, 2_185_628_714_235_507_769 * 1_343_817_662_724_950_521);
    let factors = x.ult(half).and(y.ult(half)).and(one.ult(x)).and(x.ult(y));
    x.bv_mul(y).equals(product).and(factors)
}

#[test]
fn time_limits() {
    for choice in choices() {
        for milliseconds in [100, 700] {
            let mut solver = solver(&choice);
            solver.assert(hard()).unwrap();
            let limit = Duration::from_millis(milliseconds);
            solver.set_time_limit(Some(limit));
            let start = Instant::now();
            assert_eq!(solver.check().unwrap(), Answer::Unknown(Reason::TimeLimit), "{choice}");
            assert!(start.elapsed() >= limit, "{choice}");
            // The stack has survived.
            solver.set_time_limit(None);
            let easy = bits("x", 128).equals(Term::bv(128, 6)).and(bits("y", 128).equals(Term::bv(128, 7)));
            assert_eq!(solver.check_assuming(&[easy]).unwrap(), Answer::Unsat, "{choice}");
            assert_eq!(solver.unsat_core().unwrap(), [easy]);
        }
    }
}

#[test]
fn interrupts_from_another_thread() {
    for choice in choices() {
        let interrupt = Interrupt::new();
        let config = Config { interrupt: interrupt.clone(), ..Config::default() };
        let mut solver = create(&choice, &config).unwrap();
        solver.push().unwrap();
        solver.assert(hard()).unwrap();
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                interrupt.stop();
            });
            solver.check().unwrap()
        });
        assert_eq!(answer, Answer::Unknown(Reason::Interrupted), "{choice}");
        solver.pop().unwrap();
        solver.assert(bits("x", 8).ult(Term::bv(8, 3))).unwrap();
        assert_eq!(solver.check().unwrap(), Answer::Unknown(Reason::Interrupted), "{choice}: stays off");
        solver.interrupt().rearm();
        assert_eq!(solver.check().unwrap(), Answer::Sat, "{choice}");
        assert_eq!(solver.statistics().unknown, 2);
    }
}

fn program(command: &str) -> Result<Box<dyn smt::Solver>, SolverError> {
    create(&command.parse::<SolverChoice>().unwrap(), &Config::default())
}

#[test]
fn programs_that_are_no_solvers() {
    assert!(matches!(program("pipe:/nonexistent/solver -x"), Err(SolverError::Start { .. })));
    let mut dead = program("pipe:true").unwrap();
    assert!(matches!(dead.check(), Ok(Answer::Unknown(Reason::SolverDied(_)))));
    let mut echo = program("pipe:cat").unwrap();
    assert!(matches!(echo.check(), Err(SolverError::Protocol { .. })));
    let mut garbage = program("pipe:printf )\\377\\n(ö").unwrap();
    assert!(matches!(garbage.check(), Err(SolverError::Protocol { .. })));
    let mut liar = program("pipe:yes sat").unwrap();
    liar.assert(bits("x", 8).ult(Term::bv(8, 3))).unwrap();
    assert!(matches!(liar.check(), Err(SolverError::Protocol { .. } | SolverError::WrongModel { .. })));
}

#[test]
fn a_program_that_neither_reads_nor_answers_is_ended_in_time() {
    let mut sleeper = program("pipe:sleep 1000").unwrap();
    sleeper.set_time_limit(Some(Duration::from_millis(100)));
    let terms = (0..40_000).map(|number| bits(&format!("a rather long name for a number {number}"), 8));
    let zero = Term::bv(8, 0);
    sleeper.assert(Term::or_all(terms.map(|term| term.equals(zero)))).unwrap();
    assert_eq!(sleeper.check().unwrap(), Answer::Unknown(Reason::TimeLimit));
}
