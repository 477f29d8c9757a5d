//! Z3 in this process.
//!
//! - Pure bit-vector problems go to Z3's solver for these, which is the fastest with assumptions, provided that they are
//!   literals; so every assumption gets a truth value that stands for it. With the first array, the problem moves to a
//!   solver for both.
//! - Z3 objects belong to a thread, and only a thread that lives as long as a question can interrupt it. To start one
//!   costs more than most questions. So a question first gets an amount of work, counted by Z3 and not by the clock, and
//!   nobody watches. A question that needs more is asked again, watched, to a fresh solver: then all that Z3 does is a
//!   function of the questions, and not of the time they took.
//! - A question that was cut off leaves nothing behind: the next one finds a fresh solver.

mod translate;
mod values;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ::z3::ast::Bool;
use ::z3::{Params, SatResult, Solver};
use rustc_hash::FxHashMap;

pub(crate) use self::translate::{Translator, z3_sort};
use crate::quiet::quietly;
use crate::solver::session::{Backend, Frame};
use crate::solver::{Alarm, Answer, Limits, Reason, SolverError};
use crate::term::{Op, Term};
use crate::value::Value;

/// Work for a question that nobody watches, in Z3's units; a few hundredths of a second.
const UNWATCHED_WORK: u32 = 200_000;
/// So many questions after one that needed more are watched from the start.
const WATCHED_IN_A_ROW: u32 = 32;
/// A question with less time is watched from the start.
const SHORT_TIME: Duration = Duration::from_millis(500);

/// Z3 as a back end.
#[derive(Default)]
pub(crate) struct Z3 {
    /// None if it has to be built from the stack before the next question.
    solver: Option<Solver>,
    translator: Translator,
    /// Truth values that stand for assumptions.
    proxies: FxHashMap<Term, Bool>,
    /// What has a proxy, by the frame that defines it.
    defined: Vec<Vec<Term>>,
    /// Whether the solver can do arrays.
    arrays: bool,
    /// How many of the next questions are watched from the start.
    watched: u32,
}

impl Z3 {
    pub(crate) fn new() -> Z3 {
        Z3::default()
    }

    /// A fresh solver with these frames.
    fn build(&mut self, frames: &[Frame]) -> Result<(), SolverError> {
        self.proxies.clear();
        self.defined.clear();
        self.arrays = self.translator.has_arrays();
        let logic = if self.arrays { "QF_ABV" } else { "QF_BV" };
        let solver = Solver::new_for_logic(logic)
            .ok_or_else(|| SolverError::Unsupported(format!("logic {logic} in the linked libz3")))?;
        for frame in frames {
            // Also for the outermost frame: it makes Z3 expect further questions.
            solver.push();
            self.defined.push(Vec::new());
            for &term in &frame.assertions {
                solver.assert(self.translator.formula(term)?);
            }
        }
        self.solver = Some(solver);
        Ok(())
    }

    /// The solver, as the stack wants it, and literals for the assumptions.
    fn prepare(
        &mut self,
        frames: &[Frame],
        assumptions: &[Term],
    ) -> Result<(Solver, Vec<Bool>), SolverError> {
        for &assumption in assumptions {
            self.translator.formula(assumption)?;
        }
        if self.translator.has_arrays() && !self.arrays {
            self.solver = None;
        }
        if self.solver.is_none() {
            self.build(frames)?;
        }
        let literals =
            assumptions.iter().map(|&assumption| self.literal(assumption)).collect::<Result<_, _>>()?;
        // The solver is out of its place until the question is answered.
        let solver = self.solver.take().ok_or_else(|| SolverError::Unsupported("no Z3".to_owned()))?;
        Ok((solver, literals))
    }

    /// A literal that is equivalent to an assumption.
    fn literal(&mut self, assumption: Term) -> Result<Bool, SolverError> {
        let (atom, negated) = match (assumption.op(), assumption.args()) {
            (Op::Not, &[atom]) => (atom, true),
            _ => (assumption, false),
        };
        let literal = if atom.args().is_empty() { self.translator.formula(atom)? } else { self.proxy(atom)? };
        Ok(if negated { literal.not() } else { literal })
    }

    fn proxy(&mut self, atom: Term) -> Result<Bool, SolverError> {
        if let Some(proxy) = self.proxies.get(&atom) {
            return Ok(proxy.clone());
        }
        let meaning = self.translator.formula(atom)?;
        let proxy = Bool::fresh_const("assumed");
        if let (Some(solver), Some(defined)) = (&self.solver, self.defined.last_mut()) {
            solver.assert(proxy.iff(&meaning));
            defined.push(atom);
        }
        self.proxies.insert(atom, proxy.clone());
        Ok(proxy)
    }

    /// Asks with an amount of work.
    fn ask_unwatched(&mut self, frames: &[Frame], assumptions: &[Term]) -> Result<SatResult, SolverError> {
        let (solver, literals) = self.prepare(frames, assumptions)?;
        limit_work(&solver, UNWATCHED_WORK);
        let result = solver.check_assumptions(&literals);
        if result != SatResult::Unknown {
            self.solver = Some(solver);
        }
        Ok(result)
    }

    /// Asks while another thread waits for the clock and the interrupt.
    fn ask_watched(
        &mut self,
        frames: &[Frame],
        assumptions: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError> {
        let (solver, literals) = self.prepare(frames, assumptions)?;
        limit_work(&solver, 0);
        let (result, alarm) = watch(&solver, limits, || solver.check_assumptions(&literals));
        let answer = match (result, alarm) {
            (SatResult::Sat, _) => Answer::Sat,
            (SatResult::Unsat, _) => Answer::Unsat,
            (SatResult::Unknown, Alarm::Stopped) => Answer::Unknown(Reason::Interrupted),
            (SatResult::Unknown, Alarm::Deadline) => Answer::Unknown(Reason::TimeLimit),
            (SatResult::Unknown, Alarm::Finished) => {
                let reason = solver.get_reason_unknown().unwrap_or_default();
                return Ok(Answer::Unknown(Reason::Incomplete(reason)));
            }
        };
        if result != SatResult::Unknown {
            self.solver = Some(solver);
        }
        Ok(answer)
    }
}

/// Sets the amount of work for the next questions; zero for any. Z3 would also take over Ctrl-C while it works, and keep it
/// from the program: that is switched off.
fn limit_work(solver: &Solver, work: u32) {
    let mut parameters = Params::new();
    parameters.set_u32("rlimit", work);
    parameters.set_bool("ctrl_c", false);
    solver.set_params(&parameters);
}

/// Runs a question of this solver, and interrupts it when it is time.
pub(crate) fn watch<R>(solver: &Solver, limits: &Limits, question: impl FnOnce() -> R) -> (R, Alarm) {
    let finished = AtomicBool::new(false);
    let handle = solver.get_context().handle();
    thread::scope(|scope| {
        let guard = || {
            let alarm = limits.interrupt.wait(&finished, limits.deadline);
            // An interrupt that comes before Z3 has really begun is lost, so this insists.
            while alarm != Alarm::Finished && !finished.load(Ordering::SeqCst) {
                handle.interrupt();
                thread::sleep(Duration::from_millis(2));
            }
            alarm
        };
        let watcher = thread::Builder::new().spawn_scoped(scope, guard);
        let result = quietly(question);
        finished.store(true, Ordering::SeqCst);
        limits.interrupt.wake();
        let alarm = watcher.ok().and_then(|watcher| watcher.join().ok()).unwrap_or(Alarm::Finished);
        (result, alarm)
    })
}

impl Backend for Z3 {
    fn name(&self) -> &str {
        "z3"
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        let formula = self.translator.formula(term)?;
        if self.translator.has_arrays() && !self.arrays {
            self.solver = None;
        }
        if let Some(solver) = &self.solver {
            solver.assert(formula);
        }
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        if let Some(solver) = &self.solver {
            solver.push();
            self.defined.push(Vec::new());
        }
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        if let Some(solver) = &self.solver {
            solver.pop(1);
            for atom in self.defined.pop().unwrap_or_default() {
                self.proxies.remove(&atom);
            }
        }
        Ok(())
    }

    fn check(
        &mut self,
        frames: &[Frame],
        assumptions: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError> {
        let short = limits.deadline.is_some_and(|deadline| deadline < Instant::now() + SHORT_TIME);
        if self.watched == 0 && !short {
            match self.ask_unwatched(frames, assumptions)? {
                SatResult::Sat => return Ok(Answer::Sat),
                SatResult::Unsat => return Ok(Answer::Unsat),
                SatResult::Unknown => self.watched = WATCHED_IN_A_ROW,
            }
        }
        self.watched = self.watched.saturating_sub(1);
        self.ask_watched(frames, assumptions, limits)
    }

    fn core(&mut self, assumptions: &[Term]) -> Result<Vec<bool>, SolverError> {
        let Some(solver) = &self.solver else { return Err(SolverError::NoCore) };
        let core: rustc_hash::FxHashSet<Bool> = solver.get_unsat_core().into_iter().collect();
        let literals = assumptions.iter().map(|&assumption| self.literal(assumption));
        literals.map(|literal| Ok(core.contains(&literal?))).collect()
    }

    fn values(&mut self, constants: &[Term]) -> Result<Vec<Value>, SolverError> {
        let model = self.solver.as_ref().and_then(Solver::get_model).ok_or(SolverError::NoModel)?;
        constants.iter().map(|&constant| self.translator.value(constant, &model)).collect()
    }
}

#[cfg(test)]
mod tests {
    use ::z3::DeclKind;
    use ::z3::ast::{Array, Ast, BV};

    use super::*;
    use crate::solver::session::Session;
    use crate::solver::{Config, Solver as _};
    use crate::sort::Sort;
    use crate::symbol::Symbol;

    /// The library may be another than the one that the bindings were made for; then operators have other numbers.
    #[test]
    fn the_bindings_fit_the_library() {
        assert!(::z3::full_version().starts_with("5.4."), "{}: see .cargo/config.toml", ::z3::full_version());
        let (x, p) = (BV::new_const("x", 8), Bool::new_const("p"));
        let array = Array::new_const("a", &z3_sort(Sort::BitVec(8)), &z3_sort(Sort::BitVec(8)));
        assert_eq!(p.not().decl().kind(), DeclKind::Not);
        assert_eq!(p.ite(&x, &x.bvneg()).decl().kind(), DeclKind::Ite);
        assert_eq!(x.bvadd(&x).decl().kind(), DeclKind::Badd);
        assert_eq!(x.bvsle(&x).decl().kind(), DeclKind::Sleq);
        assert_eq!(x.bvashr(&x).decl().kind(), DeclKind::Bashr);
        assert_eq!(x.sign_ext(3).decl().kind(), DeclKind::SignExt);
        assert_eq!(array.store(&x, &x).decl().kind(), DeclKind::Store);
        assert_eq!(x.decl().kind(), DeclKind::Uninterpreted);
    }

    #[test]
    fn wide_literals_have_their_bits_in_order() {
        let bits = crate::bits::Bits::new(128, 0x0123_4567_89ab_cdef_0011_2233_4455_6677);
        let literal = translate::literal(&bits).unwrap();
        assert_eq!(literal.extract(7, 0).simplify().as_u64(), Some(0x77));
        assert_eq!(literal.extract(127, 120).simplify().as_u64(), Some(0x01));
    }

    fn byte(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::BitVec(8))
    }

    #[test]
    fn proxies_live_as_long_as_their_frame() {
        let mut session = Session::new(Z3::new(), &Config::default());
        let (x, y) = (byte("x"), byte("y"));
        session.assert(x.ult(y)).unwrap();
        session.push().unwrap();
        let small = y.ult(Term::bv(8, 1));
        assert_eq!(session.check_assuming(&[small]).unwrap(), Answer::Unsat);
        assert_eq!(session.check_assuming(&[small.not()]).unwrap(), Answer::Sat);
        session.pop().unwrap();
        assert_eq!(session.check_assuming(&[small]).unwrap(), Answer::Unsat);
        assert_eq!(session.unsat_core().unwrap(), [small]);
    }

    #[test]
    fn questions_that_need_more_work_are_asked_again_and_watched() {
        let mut backend = Z3::new();
        let (x, y) = (byte("x").zero_extend(24), byte("y").zero_extend(24));
        let product = x.bv_mul(y).equals(Term::bv(32, 251 * 241));
        let mut frames = [Frame::default()];
        frames[0].assertions = vec![product, x.ult(y)];
        let small = [x.ult(Term::bv(32, 200))];
        let limits = Limits::default();
        // Wide enough to need more than the first amount of work.
        let wide = |name: &str| Term::constant(Symbol::new(name), Sort::BitVec(24)).zero_extend(24);
        let hard = wide("a").bv_mul(wide("b")).equals(Term::bv(48, 16_777_213 * 16_777_199));
        let hard = [hard, wide("a").ult(wide("b")), Term::bv(48, 1).ult(wide("a"))];
        assert_eq!(backend.check(&frames, &small, &limits).unwrap(), Answer::Unsat);
        assert_eq!(backend.watched, 0);
        assert_eq!(backend.check(&frames, &hard, &limits).unwrap(), Answer::Sat);
        assert_eq!(backend.watched, WATCHED_IN_A_ROW - 1);
        assert_eq!(backend.check(&frames, &small, &limits).unwrap(), Answer::Unsat);
        assert_eq!(backend.core(&small).unwrap(), [true]);
        assert_eq!(backend.watched, WATCHED_IN_A_ROW - 2);
    }
}
