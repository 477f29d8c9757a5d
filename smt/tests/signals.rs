//! Ctrl-C belongs to the program also while a question is under way: a solver must not take it over. A process has one
//! handler of signals, so this test is alone in its process.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test stops at the first broken assumption")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::sys::signal::{Signal, raise};
use smt::{Answer, Config, Interrupt, Reason, SolverChoice, Sort, Symbol, Term, create};

/// Two factors of a number that has none below 2^64 but two random primes.
fn hard() -> Vec<Term> {
    let constant = |name| Term::constant(Symbol::new(name), Sort::BitVec(128));
    let (x, y) = (constant("x"), constant("y"));
    let (half, one) = (Term::bv(128, 1 << 64), Term::bv(128, 1));
    let product = Term::bv(128, 2_185_628_714_235_507_769 * 1_343_817_662_724_950_521);
    vec![x.bv_mul(y).equals(product), x.ult(half).and(y.ult(half)), one.ult(x).and(x.ult(y))]
}

#[test]
fn control_c_reaches_the_program() {
    let caught = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&caught);
    ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst)).unwrap();
    let interrupt = Interrupt::new();
    let config = Config { interrupt: interrupt.clone(), ..Config::default() };
    let mut solver = create(&SolverChoice::default(), &config).unwrap();
    for part in hard() {
        solver.assert(part).unwrap();
    }
    let answer = during(&interrupt, || solver.check().unwrap());
    assert_eq!(answer, Answer::Unknown(Reason::Interrupted));
    // The handler runs on a thread of its own.
    let patience = (0..1_000).map(|_| std::thread::sleep(Duration::from_millis(10)));
    let seen = std::iter::once(()).chain(patience).any(|()| caught.load(Ordering::SeqCst));
    assert!(seen, "a question took Ctrl-C");
}

/// Something that takes long, a Ctrl-C while it is under way, and its end some time later.
fn during<T>(interrupt: &Interrupt, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            raise(Signal::SIGINT).unwrap();
            std::thread::sleep(Duration::from_millis(300));
            interrupt.stop();
        });
        work()
    })
}
