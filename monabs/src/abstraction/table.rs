//! Answers about one kind of step: given these bits, which values can those have? Each question is asked once.
//!
//! A table belongs to a formula ([`super::instance`]), not to a set of predicates: a new predicate that has nothing to do with an edge
//! leaves the edge's tables as they are. What is asked about depends on the [`Method`]:
//!
//! - *Precise*: the bits in each context, all of them together. This is the template of the thesis.
//! - *Lazy*: the same for the first contexts; then an answer is generalised by the solver's core to all contexts that agree on the bits that it depends on.
//!   There it may say too much: that a context is impossible, or some of the values, is then found out when an abstract run needs it.
//! - *Cartesian*: each bit alone, from at most so many others (section 5.1 of the thesis); what these do not decide is left open.
//!
//! A question that takes too long is left open: what is asked about is then possible. That is sound, because more steps of the
//! abstraction only make a proof harder.
//!
//! A step of an abstract run that the precise template does not have becomes a constraint, generalised by the solver's core: the
//! transition refinement of figure 26. A context that is found impossible is generalised the same way.

use super::instance::{Bit, Subject, constraints};
use crate::counting::CountId;
use crate::limits::Stop;
use crate::predicate::{PredicateId, Store};
use crate::scope::Setting;
use frontend::program::{LocationId, VariableId};
use smt::{Answer, Config, Solver, SolverChoice, Term, create};
use std::collections::BTreeSet;
use std::time::Duration;

/// What a table is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The step.
    pub subject: Subject,
    /// With a passive thread: the inter-thread predicates that concern it.
    pub passive: Option<Vec<PredicateId>>,
    /// And the count that it is in, if that matters.
    pub counted: Option<CountId>,
    /// And whether it is the initial thread, if that matters: then nobody is where only that one can be.
    pub initial: bool,
    /// And whether it has identities, of which no other thread has the same.
    pub identified: Vec<VariableId>,
    /// Bits that are given.
    pub given: Vec<Bit>,
    /// Bits that are asked for.
    pub asked: Vec<Bit>,
}

/// Values of the given bits, the first one lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Context(pub u128, pub u128);

impl Context {
    /// How many bits there can be.
    pub const CAPACITY: usize = 256;

    /// Sets a bit.
    pub fn set(&mut self, number: usize) {
        if number < 128 { self.0 |= 1 << number } else { self.1 |= 1 << (number - 128) }
    }

    fn get(self, number: usize) -> bool {
        (if number < 128 { self.0 >> number } else { self.1 >> (number - 128) }) & 1 == 1
    }

    fn agrees(self, mask: Context, value: Context) -> bool {
        self.0 & mask.0 == value.0 && self.1 & mask.1 == value.1
    }
}

/// How exact answers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Generalised answers, corrected where it matters.
    #[default]
    Lazy,
    /// Exact answers.
    Precise,
    /// Each bit alone, from cubes of at most so many literals.
    Cartesian(usize),
}

/// Counts for the statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    /// Asked of the solver.
    pub solver: u64,
    /// Answered from memory.
    pub remembered: u64,
    /// Tables made.
    pub tables: u64,
    /// Left open because they took too long.
    pub open: u64,
}

impl std::fmt::Display for Questions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Questions { solver, remembered, open, .. } = self;
        write!(f, "{solver} questions to the solver so far, {remembered} more answered from memory")?;
        if *open > 0 { write!(f, ", {open} left open") } else { Ok(()) }
    }
}

impl std::ops::AddAssign for Questions {
    fn add_assign(&mut self, other: Questions) {
        self.solver += other.solver;
        self.remembered += other.remembered;
        self.tables += other.tables;
        self.open += other.open;
    }
}

/// What a table asks about, as terms: they belong to no thread.
#[derive(Clone, Debug)]
pub struct Formula {
    constraints: Vec<Term>,
    given: Vec<Term>,
    asked: Vec<Term>,
}

impl Formula {
    /// Of a key. The passive thread's location only matters for what concerns it.
    pub fn new(setting: &Setting<'_>, store: &Store, key: &Key, passive: Option<LocationId>) -> Formula {
        let bits: BTreeSet<Bit> = key.given.iter().chain(&key.asked).copied().collect();
        let terms = |bits: &[Bit]| bits.iter().map(|bit| bit.term()).collect();
        let constraints = constraints(setting, store, key.subject, passive, &bits);
        Formula { constraints, given: terms(&key.given), asked: terms(&key.asked) }
    }
}

/// The answers of one kind of step.
pub struct Table {
    given: Vec<Term>,
    asked: Vec<Term>,
    solver: Box<dyn Solver>,
    /// The time for a question.
    patience: Duration,
    method: Method,
    /// How many contexts were asked about.
    contexts: usize,
    questions: Questions,
    /// Parts of contexts that are impossible.
    impossible: Vec<Cube>,
    /// Parts of contexts with all values that are possible there.
    allowed: Vec<(Cube, Vec<u128>)>,
    /// Parts of contexts with parts of values that are impossible there.
    forbidden: Vec<(Cube, Part)>,
    /// For the Cartesian method: parts of contexts that decide a bit.
    forced: Vec<(Cube, usize, bool)>,
}

/// Some of the given bits, with their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cube {
    mask: Context,
    value: Context,
}

impl Cube {
    /// Whether a context has them.
    pub fn matches(&self, context: Context) -> bool {
        context.agrees(self.mask, self.value)
    }
}

/// Whether something is possible; what is open counts as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Possible {
    Yes,
    No,
    Open,
}

/// Some of the asked bits, with their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    mask: u128,
    value: u128,
}

impl Table {
    /// An empty table for a formula.
    pub fn new(formula: Formula, solver: (&SolverChoice, &Config), method: Method) -> Result<Table, Stop> {
        let mut own = create(solver.0, solver.1)?;
        for term in formula.constraints {
            own.assert(term)?;
        }
        let patience = solver.1.time_limit.map_or(PATIENCE, |limit| limit.min(PATIENCE));
        own.set_time_limit(Some(patience));
        Ok(Table {
            given: formula.given,
            asked: formula.asked,
            solver: own,
            patience,
            method,
            contexts: 0,
            questions: Questions::default(),
            impossible: Vec::new(),
            allowed: Vec::new(),
            forbidden: Vec::new(),
            forced: Vec::new(),
        })
    }

    /// What was asked since the last call.
    pub fn take_questions(&mut self) -> Questions {
        std::mem::take(&mut self.questions)
    }

    /// All values that the asked bits can have in the context, ascending, or more; none if the context is impossible.
    pub fn values(&mut self, context: Context) -> Result<Vec<u128>, Stop> {
        if self.impossible.iter().any(|cube| cube.matches(context)) {
            return Ok(Vec::new());
        }
        let mut values = match self.method {
            Method::Precise => self.ask(context)?.0,
            Method::Lazy if self.contexts < EXACT => self.ask(context)?.0,
            Method::Lazy => self.ask_lazily(context)?,
            Method::Cartesian(length) => self.ask_bits(context, length)?,
        };
        self.contexts += 1;
        for (_, part) in self.forbidden.iter().filter(|(cube, _)| cube.matches(context)) {
            values.retain(|value| value & part.mask != part.value);
        }
        Ok(values)
    }

    /// Whether a value is really possible in a context. If not, that is remembered for all similar ones: for contexts with this part answers
    /// may be different now.
    pub fn confirm(&mut self, context: Context, value: u128) -> Result<Option<Cube>, Stop> {
        if self.method == Method::Precise {
            return Ok(None);
        }
        let literals = self.literals(context);
        let bits = self.asked.iter().enumerate();
        let asked: Vec<Term> = bits.map(|(number, &bit)| literal(bit, value >> number & 1 == 1)).collect();
        let mut all = literals.clone();
        all.extend(&asked);
        if self.is_possible(&all)? != Possible::No {
            return Ok(None);
        }
        let core = self.small_core(all)?;
        let cube = self.cube(context, &literals, &core);
        let mut part = Part { mask: 0, value: 0 };
        for (number, literal) in asked.iter().enumerate() {
            if core.contains(literal) {
                part.mask |= 1 << number;
                part.value |= value & (1 << number);
            }
        }
        if part.mask == 0 {
            self.impossible.push(cube);
        } else {
            self.forbidden.push((cube, part));
        }
        Ok(Some(cube))
    }

    fn literals(&self, context: Context) -> Vec<Term> {
        self.given.iter().enumerate().map(|(number, &bit)| literal(bit, context.get(number))).collect()
    }

    fn is_possible(&mut self, literals: &[Term]) -> Result<Possible, Stop> {
        self.questions.solver += 1;
        match self.solver.check_assuming(literals)? {
            Answer::Sat => Ok(Possible::Yes),
            Answer::Unsat => Ok(Possible::No),
            Answer::Unknown(smt::Reason::TimeLimit | smt::Reason::Incomplete(_)) => {
                self.questions.open += 1;
                // The next ones are likely to be as hard.
                self.patience = (self.patience / 2).max(LEAST_PATIENCE.min(self.patience));
                self.solver.set_time_limit(Some(self.patience));
                Ok(Possible::Open)
            }
            Answer::Unknown(reason) => Err(Stop::Solver(reason)),
        }
    }

    /// From literals that contradict what is asserted (the last question said so), fewer that do, too.
    fn small_core(&mut self, literals: Vec<Term>) -> Result<Vec<Term>, Stop> {
        let core = self.solver.unsat_core()?;
        let mut core: Vec<Term> = literals.into_iter().filter(|literal| core.contains(literal)).collect();
        let mut place = 0;
        while place < core.len() && core.len() > 1 && place < MINIMISED {
            let mut fewer = core.clone();
            fewer.remove(place);
            match self.is_possible(&fewer)? {
                Possible::Yes => place += 1,
                Possible::No => {
                    let smaller = self.solver.unsat_core()?;
                    core = fewer.into_iter().filter(|literal| smaller.contains(literal)).collect();
                }
                // The next ones would be as hard.
                Possible::Open => break,
            }
        }
        Ok(core)
    }

    fn cube(&self, context: Context, literals: &[Term], core: &[Term]) -> Cube {
        let mut cube = Cube::default();
        for (number, literal) in literals.iter().enumerate() {
            if core.contains(literal) {
                cube.mask.set(number);
                if context.get(number) {
                    cube.value.set(number);
                }
            }
        }
        cube
    }

    fn ask_lazily(&mut self, context: Context) -> Result<Vec<u128>, Stop> {
        if let Some((_, values)) = self.allowed.iter().find(|(cube, _)| cube.matches(context)) {
            self.questions.remembered += 1;
            return Ok(values.clone());
        }
        let (values, cube) = self.ask(context)?;
        if let Some(cube) = cube {
            self.allowed.push((cube, values.clone()));
        }
        Ok(values)
    }

    /// All values in a context, and the part of the context that they depend on.
    fn ask(&mut self, context: Context) -> Result<(Vec<u128>, Option<Cube>), Stop> {
        let literals = self.literals(context);
        self.solver.push()?;
        let result = self.enumerate(&literals);
        let core = match &result {
            Ok(None) => None,
            Ok(Some(values)) if !self.asked.is_empty() || values.is_empty() => {
                if !self.generalises() && !values.is_empty() {
                    None
                } else {
                    Some(self.small_core(literals.clone())?)
                }
            }
            // Without questions there is nothing that the answer depends on.
            Ok(_) if self.generalises() => Some(Vec::new()),
            _ => None,
        };
        self.solver.pop()?;
        let Some(mut values) = result? else { return Ok((self.all_values()?, None)) };
        values.sort_unstable();
        let cube = core.map(|core| self.cube(context, &literals, &core));
        if let Some(cube) = cube.filter(|_| values.is_empty()) {
            self.impossible.push(cube);
            return Ok((values, None));
        }
        Ok((values, cube))
    }

    /// Whether answers are to be used for other contexts.
    fn generalises(&self) -> bool {
        self.method == Method::Lazy && self.contexts >= EXACT
    }

    /// All values of the bits, nothing left out.
    fn all_values(&self) -> Result<Vec<u128>, Stop> {
        match 1u128.checked_shl(self.asked.len() as u32) {
            Some(number) if number <= MOST_VALUES as u128 => Ok((0..number).collect()),
            _ => Err(Stop::TooLarge(MOST_VALUES)),
        }
    }

    /// All values in a context; nothing if that takes too long.
    fn enumerate(&mut self, literals: &[Term]) -> Result<Option<Vec<u128>>, Stop> {
        let mut values = Vec::new();
        loop {
            match self.is_possible(literals)? {
                Possible::Yes => {}
                Possible::No => break,
                Possible::Open => return Ok(None),
            }
            if self.asked.is_empty() {
                values.push(0);
                break;
            }
            let model = self.solver.model()?;
            let mut value = 0u128;
            let mut different = Vec::with_capacity(self.asked.len());
            for (number, &bit) in self.asked.iter().enumerate() {
                let truth = model.satisfies(bit).map_err(|error| Stop::Bug(error.to_string()))?;
                value |= u128::from(truth) << number;
                different.push(literal(bit, !truth));
            }
            values.push(value);
            self.solver.assert(Term::or_all(different))?;
        }
        Ok(Some(values))
    }

    /// Each bit for itself; those that no short cube decides can be both.
    fn ask_bits(&mut self, context: Context, length: usize) -> Result<Vec<u128>, Stop> {
        let literals = self.literals(context);
        if self.is_possible(&literals)? == Possible::No {
            let core = self.small_core(literals.clone())?;
            if core.len() <= length {
                let cube = self.cube(context, &literals, &core);
                self.impossible.push(cube);
                return Ok(Vec::new());
            }
        }
        let mut values = vec![0u128];
        for (number, bit) in self.asked.clone().into_iter().enumerate() {
            let truth = self.forced(context, &literals, (number, bit), length)?;
            let one = 1 << number;
            match truth {
                Some(false) => {}
                Some(true) => values.iter_mut().for_each(|value| *value |= one),
                None => values.extend(values.clone().into_iter().map(|value| value | one)),
            }
            if values.len() > MOST_VALUES {
                return Err(Stop::TooLarge(MOST_VALUES));
            }
        }
        values.sort_unstable();
        Ok(values)
    }

    fn forced(
        &mut self,
        context: Context,
        literals: &[Term],
        (number, bit): (usize, Term),
        length: usize,
    ) -> Result<Option<bool>, Stop> {
        let known = self.forced.iter().find(|(cube, other, _)| *other == number && cube.matches(context));
        if let Some(&(_, _, truth)) = known {
            self.questions.remembered += 1;
            return Ok(Some(truth));
        }
        for truth in [true, false] {
            let denied = literal(bit, !truth);
            let mut all = literals.to_vec();
            all.push(denied);
            if self.is_possible(&all)? != Possible::No {
                continue;
            }
            let mut core = self.small_core(all)?;
            core.retain(|literal| *literal != denied);
            if core.len() <= length {
                let cube = self.cube(context, literals, &core);
                self.forced.push((cube, number, truth));
                return Ok(Some(truth));
            }
        }
        Ok(None)
    }
}

/// Longer is no question thought about.
const PATIENCE: Duration = Duration::from_secs(5);
/// And after questions of the same kind that took too long, this at least.
const LEAST_PATIENCE: Duration = Duration::from_millis(100);
/// The lazy method is exact for so many contexts of a table.
const EXACT: usize = 100;
/// So many literals of a core are tried to be left out.
const MINIMISED: usize = 24;
/// More values of open bits are too many.
const MOST_VALUES: usize = 4096;

fn literal(bit: Term, truth: bool) -> Term {
    if truth { bit } else { bit.not() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Sort, Symbol};

    /// Two bits; the first one has to be true, if two factors of a product of two random primes are found.
    fn hard() -> Formula {
        let constant = |name, sort| Term::constant(Symbol::new(name), sort);
        let [x, y] = ["x", "y"].map(|name| constant(name, Sort::BitVec(128)));
        let [a, b] = ["a", "b"].map(|name| constant(name, Sort::Bool));
        let (half, one) = (Term::bv(128, 1 << 64), Term::bv(128, 1));
        let product = Term::bv(128, 2_185_628_714_235_507_769 * 1_343_817_662_724_950_521);
        let factors = x.bv_mul(y).equals(product).and(one.ult(x)).and(x.ult(y)).and(y.ult(half));
        Formula { constraints: vec![factors, a], given: Vec::new(), asked: vec![a, b] }
    }

    #[test]
    fn what_takes_too_long_is_possible() {
        let config = Config { time_limit: Some(Duration::from_millis(50)), ..Config::default() };
        for method in [Method::Lazy, Method::Precise, Method::Cartesian(3)] {
            let mut table = Table::new(hard(), (&SolverChoice::default(), &config), method).unwrap();
            assert_eq!(table.confirm(Context::default(), 1).unwrap(), None, "it may be possible");
            let values = table.values(Context::default()).unwrap();
            assert!(values.contains(&0b01) && values.contains(&0b11), "{method:?}: {values:?}");
            assert!(table.take_questions().open > 0);
        }
    }
}
