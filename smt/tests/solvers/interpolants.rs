//! Sequence interpolants: examples, and random chains. Whatever is found has been confirmed; here it is confirmed again.

use smt::interpolate::{Failure, Method, Options, Outcome, confirm, sequence_interpolants};
use smt::{Config, Reason, Sort, Symbol, Term};

use super::random::{Random, Terms};
use super::{bits, choices, solver, truth};

fn interpolants(parts: &[Term], options: &Options) -> (Vec<Term>, Method) {
    match sequence_interpolants(parts, options).unwrap() {
        Outcome::Interpolants(terms, method) => {
            assert!(confirm(solver(&choices()[0]).as_mut(), parts, &terms).unwrap());
            (terms, method)
        }
        outcome => panic!("{outcome:?}"),
    }
}

/// A counter that stops at five, unrolled.
fn counter(steps: usize) -> Vec<Term> {
    let five = Term::bv(32, 5);
    let at = |step: usize| bits(&format!("c{step}"), 32);
    let mut parts = vec![at(0).equals(Term::bv(32, 0))];
    for step in 0..steps {
        let next = at(step).slt(five).ite(at(step).bv_add(Term::bv(32, 1)), at(step));
        parts.push(at(step + 1).equals(next).and(truth(&format!("irrelevant{step}"))));
    }
    parts.push(at(steps).sgt(five));
    parts
}

#[cfg(feature = "z3")]
#[test]
fn spacer_generalises() {
    let (terms, method) =
        interpolants(&counter(6), &Options { spacer_work: 20_000_000, ..Options::default() });
    assert_eq!(method, Method::Spacer);
    for (step, term) in terms.iter().enumerate() {
        assert_eq!(*term, bits(&format!("c{step}"), 32).sle(Term::bv(32, 5)));
    }
}

#[test]
fn the_fallback_follows_definitions() {
    let options = Options { spacer_work: 0, ..Options::default() };
    let (terms, method) = interpolants(&counter(3), &options);
    assert_eq!(method, Method::WeakestPreconditions);
    assert_eq!(terms.len(), 4);
    assert_eq!(terms[3], bits("c3", 32).sgt(Term::bv(32, 5)).not());
    assert!(terms.iter().all(|term| term.constants().len() == 1));
}

#[test]
fn the_fallback_drops_what_it_cannot_eliminate() {
    // The last part has an unknown that nothing defines; the contradiction is in the first two.
    let (x, y, z) = (bits("x", 8), bits("y", 8), bits("z", 8));
    let five = Term::bv(8, 5);
    let parts = [x.bv_mul(x).bv_add(y).ult(five).and(y.equals(five)), y.ult(five).and(z.bv_mul(z).ult(y))];
    let (terms, _) = interpolants(&parts, &Options { spacer_work: 0, ..Options::default() });
    assert_eq!(terms[0].constants(), [y]);
}

#[test]
fn cubes_are_the_last_resort() {
    // Nothing can be solved for the inputs m and n.
    let (x, y, m, n) = (bits("x", 8), bits("y", 8), bits("m", 8), bits("n", 8));
    let parts = [m.ult(x).and(m.ult(Term::bv(8, 9)).not()), x.equals(y), y.ult(n).and(n.ult(Term::bv(8, 5)))];
    let (terms, method) = interpolants(&parts, &Options { spacer_work: 0, ..Options::default() });
    assert_eq!(method, Method::Cubes);
    assert_eq!((terms[0].constants(), terms[1].constants()), (vec![x], vec![y]));
}

#[test]
fn chains_that_can_be_true() {
    let parts = &counter(3)[..4];
    match sequence_interpolants(parts, &Options::default()).unwrap() {
        Outcome::Satisfiable(model) => {
            assert_eq!(model.satisfies(Term::and_all(parts.iter().copied())), Ok(true))
        }
        outcome => panic!("{outcome:?}"),
    }
    assert!(matches!(sequence_interpolants(&[], &Options::default()).unwrap(), Outcome::Satisfiable(_)));
}

#[test]
fn short_and_trivial_chains() {
    assert_eq!(interpolants(&[Term::fls()], &Options::default()).0, []);
    let p = truth("p");
    let (terms, _) = interpolants(&[p, p.not()], &Options::default());
    assert_eq!(terms, [p]);
    let (terms, _) = interpolants(&[truth("q"), truth("r"), p.and(p.not())], &Options::default());
    assert_eq!(terms, [Term::tru(), Term::tru()]);
    let (terms, _) = interpolants(&[p.and(p.not()), truth("q"), truth("q")], &Options::default());
    assert_eq!(terms, [Term::fls(), Term::fls()]);
}

#[test]
fn strange_names() {
    for spacer_work in [0, 1_000_000] {
        let names = ["", "a|b", "argument!1", "argument!0", "interpolant!0", "nul\0", "x y"];
        let constants: Vec<Term> = names.iter().map(|name| bits(name, 4)).collect();
        let mut parts = vec![constants[0].equals(Term::bv(4, 1)).and(truth("interpolant!1"))];
        parts.extend(constants.windows(2).map(|pair| pair[1].equals(pair[0])));
        parts.push(constants[6].equals(Term::bv(4, 2)));
        interpolants(&parts, &Options { spacer_work, ..Options::default() });
    }
}

#[test]
fn arrays_are_confirmed_or_unknown() {
    let array = |name: &str| Term::constant(Symbol::new(name), Sort::array(Sort::BitVec(8), Sort::BitVec(8)));
    let (x, y) = (bits("x", 8), bits("y", 8));
    let parts = [
        array("a").equals(array("b").store(x, Term::bv(8, 7))),
        array("c").equals(array("a").store(y, Term::bv(8, 7))),
        array("c").select(x).distinct(Term::bv(8, 7)),
    ];
    for spacer_work in [0, 1_000_000] {
        let options = Options { spacer_work, ..Options::default() };
        match sequence_interpolants(&parts, &options).unwrap() {
            Outcome::Interpolants(terms, _) => {
                assert!(confirm(solver(&choices()[0]).as_mut(), &parts, &terms).unwrap());
            }
            outcome => assert!(matches!(outcome, Outcome::Unknown(Failure::NotFound(_))), "{outcome:?}"),
        }
    }
}

#[test]
fn interrupts() {
    let config = Config::default();
    config.interrupt.stop();
    let outcome = sequence_interpolants(&counter(3), &Options { config, ..Options::default() }).unwrap();
    assert_eq!(outcome, Outcome::Unknown(Failure::Undecided(Reason::Interrupted)));
}

#[test]
fn wrong_interpolants_are_not_confirmed() {
    let mut solver = solver(&choices()[0]);
    let (x, y) = (bits("x", 8), bits("y", 8));
    let parts = [x.equals(Term::bv(8, 1)).and(y.equals(x)), x.equals(Term::bv(8, 2))];
    let mut confirmed = |terms: &[Term]| confirm(solver.as_mut(), &parts, terms).unwrap();
    assert!(confirmed(&[x.equals(Term::bv(8, 1))]));
    assert!(confirmed(&[x.ult(Term::bv(8, 2))]));
    assert!(!confirmed(&[x.equals(Term::bv(8, 0))]), "does not follow from the first part");
    assert!(!confirmed(&[x.ult(Term::bv(8, 3))]), "does not contradict the second part");
    assert!(!confirmed(&[y.equals(Term::bv(8, 1))]), "speaks of y");
    assert!(!confirmed(&[]), "too few");
}

/// A chain whose steps are mostly assignments, with some conditions and unknown inputs.
fn random_chain(seed: u64) -> Vec<Term> {
    let mut random = Random::new(seed);
    let terms = Terms { width: 4, constants: 2, arrays: false, products: true };
    let steps = 2 + random.below(4);
    let rename =
        |term: Term, step: usize| term.rename(&mut |name| Some(Symbol::new(&format!("{name}@{step}"))));
    let mut parts = Vec::new();
    for step in 0..steps {
        let target =
            Term::constant(Symbol::new(&format!("x{}@{}", random.below(2), step + 1)), Sort::BitVec(4));
        let assignment = target.equals(rename(terms.vector(&mut random, 2), step));
        let condition = rename(terms.formula(&mut random, 2), step);
        parts.push(if random.coin() { assignment.and(condition) } else { assignment });
    }
    parts.push(rename(terms.formula(&mut random, 2).and(terms.formula(&mut random, 2)), steps));
    parts
}

#[test]
fn random_chains() {
    let (mut spacer, mut fallback, mut cubes, mut satisfiable, mut unknown) = (0, 0, 0, 0, 0);
    for seed in 0..60 {
        let parts = random_chain(seed);
        for spacer_work in [0, 100_000] {
            let options = Options { spacer_work, ..Options::default() };
            match sequence_interpolants(&parts, &options).unwrap() {
                Outcome::Interpolants(terms, method) => {
                    assert!(confirm(solver(&choices()[0]).as_mut(), &parts, &terms).unwrap(), "seed {seed}");
                    match method {
                        Method::Spacer => spacer += 1,
                        Method::WeakestPreconditions | Method::StrongestPostconditions => fallback += 1,
                        Method::Cubes => cubes += 1,
                    }
                }
                Outcome::Satisfiable(model) => {
                    assert_eq!(
                        model.satisfies(Term::and_all(parts.iter().copied())),
                        Ok(true),
                        "seed {seed}"
                    );
                    satisfiable += 1;
                }
                Outcome::Unknown(_) => unknown += 1,
            }
        }
    }
    let all =
        format!("{spacer} Spacer, {fallback} fallback, {cubes} cubes, {satisfiable} sat, {unknown} unknown");
    eprintln!("{all}");
    assert!(fallback > 20 && cubes > 0 && satisfiable > 20, "{all}");
    assert!(!cfg!(feature = "z3") || spacer > 10, "{all}");
    assert_eq!(unknown, 0, "{all}");
}
