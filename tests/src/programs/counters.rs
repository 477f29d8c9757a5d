//! Programs that count: what the analysis of numbers of threads looks for, right and a bit wrong.
//!
//! Blocks that take something and give it back: a counter goes up and down again, a semaphore, tickets, a lock, readers and writers, a test that is
//! remembered in a flag. They are nested, repeated and left out, run by the initial thread and by created ones. Counters go up in one
//! step, by load and store, or by compare-and-swap, and some are halves of a word. Most have two bits, so that few
//! threads make them wrap around. Assertions ask for what a block should guarantee. In half of the programs some give back
//! something else than they took.

use super::steps::{Counter, Maker};
use frontend::program::random::Random;
use frontend::program::{LocationId, Program, liveness};
use smt::Term;

/// A program, a function of the seed.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0xc0_0117);
    let sloppy = random.chance(1, 2);
    let mut writer = Writer { maker: Maker::new(random), sloppy, left: 0 };
    writer.threads();
    let mut program = writer.maker.program;
    liveness::annotate(&mut program);
    program
}

/// What a thread has taken.
#[derive(Clone, Copy)]
enum Held {
    Nothing,
    Count(Counter, u128),
    Semaphore(Counter),
    Ticket,
    Lock,
    Reader,
}

struct Writer {
    maker: Maker,
    sloppy: bool,
    /// How many blocks there is room for.
    left: usize,
}

impl Writer {
    /// One or two kinds of threads, and the initial one, which starts them.
    fn threads(&mut self) {
        let kinds = 1 + usize::from(self.maker.random.chance(1, 3));
        let main = self.maker.program.main;
        let pool = self.maker.location("pool");
        self.maker.program.pool = Some(pool);
        // The starter may count those that it starts; they count themselves down.
        let owned = self.maker.random.chance(1, 3).then(|| self.maker.counter());
        let free = self.maker.random.chance(1, 5);
        for kind in 0..kinds {
            let mailbox = self.maker.mailboxes[kind];
            let start = self.maker.location("thread");
            let term = self.maker.program.variable(mailbox).term();
            if free {
                self.maker.step(pool, start, Term::tru(), Vec::new());
            } else {
                self.maker.step(pool, start, term, vec![(mailbox, Term::fls())]);
            }
            self.left = 2 + self.maker.random.below(3);
            let mut end = self.blocks(start, Held::Nothing, 2);
            if let Some(counter) = owned.filter(|_| !free) {
                end = self.maker.change(end, counter, -1);
            } else if self.maker.random.chance(1, 2) {
                self.maker.step(end, start, Term::tru(), Vec::new());
            }
        }
        let mut at = main;
        self.left = self.maker.random.below(3);
        let around = self.maker.random.chance(1, 4).then(|| self.maker.counter());
        if let Some(counter) = around {
            at = self.maker.change(at, counter, 1);
        }
        if self.maker.random.chance(1, 3) {
            at = self.blocks(at, Held::Nothing, 1);
        }
        for kind in 0..kinds {
            at = self.create(at, kind, owned);
        }
        at = self.blocks(at, Held::Nothing, 1);
        if let Some(counter) = around {
            at = self.maker.change(at, counter, -1);
        }
        if self.maker.random.chance(1, 3) {
            self.check(at, Held::Nothing);
        }
        if self.maker.program.properties.is_empty() {
            self.check(at, Held::Nothing);
        }
    }

    /// Starts one thread, a few, or any number.
    fn create(&mut self, at: LocationId, kind: usize, owned: Option<Counter>) -> LocationId {
        let mailbox = self.maker.mailboxes[kind];
        let start = |writer: &mut Writer, mut at: LocationId| {
            if let Some(counter) = owned {
                at = writer.maker.change(at, counter, 1);
            }
            let next = writer.maker.location("main");
            let term = writer.maker.program.variable(mailbox).term();
            writer.maker.step(at, next, term.not(), vec![(mailbox, Term::tru())]);
            next
        };
        match self.maker.random.below(4) {
            0 => start(self, at),
            1 => {
                let next = start(self, at);
                start(self, next)
            }
            _ => {
                let next = start(self, at);
                let after = self.maker.location("main");
                self.maker.step(next, at, Term::tru(), Vec::new());
                self.maker.step(next, after, Term::tru(), Vec::new());
                after
            }
        }
    }

    /// Some blocks in a row.
    fn blocks(&mut self, start: LocationId, held: Held, depth: usize) -> LocationId {
        let mut at = start;
        for _ in 0..1 + self.maker.random.below(2) {
            at = self.block(at, held, depth);
        }
        at
    }

    /// What is inside of a block: an assertion, and perhaps more blocks.
    fn inside(&mut self, at: LocationId, held: Held, depth: usize) -> LocationId {
        if self.maker.random.chance(2, 3) {
            self.check(at, held);
        }
        if depth > 0 && self.maker.random.chance(1, 2) { self.block(at, held, depth - 1) } else { at }
    }

    fn block(&mut self, at: LocationId, held: Held, depth: usize) -> LocationId {
        if self.left == 0 {
            return at;
        }
        self.left -= 1;
        match self.maker.random.below(16) {
            0..=3 => self.counted(at, depth),
            4 | 5 => self.remembered(at, depth),
            6 => self.semaphore(at, depth),
            7 | 8 => self.ticket(at, depth),
            9 => self.locked(at, depth),
            10 => self.reader(at, depth),
            11 => self.writer(at),
            12 => self.either(at, held, depth),
            13 => self.some_change(at),
            14 => self.saturated(at),
            _ => {
                self.check(at, held);
                at
            }
        }
    }

    /// Gives back what was taken; sometimes not, or not all.
    fn back(&mut self, at: LocationId, counter: Counter, amount: i128) -> LocationId {
        match self.maker.random.below(12) {
            0 if self.sloppy => at,
            1 if self.sloppy => self.maker.change(at, counter, 2 * amount),
            2 if self.sloppy => self.maker.assign(at, counter, 0),
            _ => self.maker.change(at, counter, amount),
        }
    }

    fn counted(&mut self, at: LocationId, depth: usize) -> LocationId {
        let counter = self.maker.counter();
        let amount = 1 + i128::from(self.maker.random.chance(1, 5));
        let up = self.maker.change(at, counter, amount);
        let inside = self.inside(up, Held::Count(counter, amount as u128), depth);
        self.back(inside, counter, -amount)
    }

    /// A counter goes up only below a bound; a flag says whether it did, and it goes down if so.
    fn remembered(&mut self, at: LocationId, depth: usize) -> LocationId {
        let counter = self.maker.counter();
        let bound = Term::bv(self.maker.width, 1 + self.maker.random.below(3) as u128);
        let (value, flag) = (self.maker.read(counter), self.maker.flag);
        let meet = self.maker.location("thread");
        let up = self.maker.write(counter, value.bv_add(Term::bv(self.maker.width, 1)));
        self.maker.step(at, meet, value.ult(bound), vec![up, (flag, Term::tru())]);
        self.maker.step(at, meet, value.ult(bound).not(), vec![(flag, Term::fls())]);
        let set = self.maker.program.variable(flag).term();
        let (mut yes, after) = (self.maker.location("thread"), self.maker.location("thread"));
        // Another thing between the flag and its test.
        let test = if self.maker.random.chance(1, 3) { self.some_change(meet) } else { meet };
        self.maker.step(test, yes, set, Vec::new());
        self.maker.step(test, after, set.not(), Vec::new());
        yes = self.inside(yes, Held::Count(counter, 1), depth);
        yes = self.back(yes, counter, -1);
        self.maker.step(yes, after, Term::tru(), Vec::new());
        after
    }

    fn semaphore(&mut self, at: LocationId, depth: usize) -> LocationId {
        let counter = self.maker.counter();
        let value = self.maker.read(counter);
        let down = self.maker.location("thread");
        let new = self.maker.write(counter, value.bv_sub(Term::bv(self.maker.width, 1)));
        self.maker.step(at, down, value.distinct(Term::bv(self.maker.width, 0)), vec![new]);
        let inside = self.inside(down, Held::Semaphore(counter), depth);
        self.back(inside, counter, 1)
    }

    fn ticket(&mut self, at: LocationId, depth: usize) -> LocationId {
        let (next, served) = (Counter::Whole(self.maker.next), Counter::Whole(self.maker.served));
        let one = Term::bv(self.maker.width, 1);
        let [wait, inside] = [self.maker.location("thread"), self.maker.location("thread")];
        let drawn = self.maker.read(next);
        let new = self.maker.write(next, drawn.bv_add(one));
        let ticket = self.maker.ticket;
        self.maker.step(at, wait, Term::tru(), vec![(ticket, drawn), new]);
        let turn = self.maker.read(served).equals(self.maker.program.variable(ticket).term());
        let turn = if self.sloppy && self.maker.random.chance(1, 8) { Term::tru() } else { turn };
        self.maker.step(wait, inside, turn, Vec::new());
        // The ticket is in use.
        let inside = self.inside(inside, Held::Ticket, depth.min(1));
        self.back(inside, served, 1)
    }

    fn locked(&mut self, at: LocationId, depth: usize) -> LocationId {
        let (lock, term) = (self.maker.lock, self.maker.program.variable(self.maker.lock).term());
        let [inside, after] = [self.maker.location("thread"), self.maker.location("thread")];
        self.maker.step(at, inside, term.not(), vec![(lock, Term::tru())]);
        let inside = self.inside(inside, Held::Lock, depth);
        self.maker.step(inside, after, Term::tru(), vec![(lock, Term::fls())]);
        after
    }

    fn reader(&mut self, at: LocationId, depth: usize) -> LocationId {
        let counter = self.maker.readers;
        let value = self.maker.read(counter);
        let inside = self.maker.location("thread");
        let busy = self.maker.program.variable(self.maker.busy).term();
        let new = self.maker.write(counter, value.bv_add(Term::bv(self.maker.width, 1)));
        let bound = Term::bv(self.maker.width, self.maker.random.pick(3, &[2, 1]));
        let guard =
            if self.maker.random.chance(1, 2) { value.ult(bound).and(busy.not()) } else { busy.not() };
        self.maker.step(at, inside, guard, vec![new]);
        let inside = self.inside(inside, Held::Reader, depth);
        self.back(inside, counter, -1)
    }

    fn writer(&mut self, at: LocationId) -> LocationId {
        let (busy, term) = (self.maker.busy, self.maker.program.variable(self.maker.busy).term());
        let none = self.maker.read(self.maker.readers).equals(Term::bv(self.maker.width, 0));
        let [inside, after] = [self.maker.location("thread"), self.maker.location("thread")];
        self.maker.step(at, inside, none.and(term.not()), vec![(busy, Term::tru())]);
        if self.maker.random.chance(1, 2) {
            let some = none.not();
            self.maker.error(inside, some);
        }
        self.maker.step(inside, after, Term::tru(), vec![(busy, Term::fls())]);
        after
    }

    /// One of two ways, or once more.
    fn either(&mut self, at: LocationId, held: Held, depth: usize) -> LocationId {
        let one = self.block(at, held, depth);
        if self.maker.random.chance(1, 2) {
            let two = self.block(at, held, depth);
            self.maker.step(two, one, Term::tru(), Vec::new());
        } else {
            self.maker.step(one, at, Term::tru(), Vec::new());
        }
        one
    }

    fn some_change(&mut self, at: LocationId) -> LocationId {
        let counter = self.maker.counter();
        match self.maker.random.below(if self.sloppy { 5 } else { 2 }) {
            0 => self.maker.load(at, counter),
            1 => self.maker.change(at, counter, 1),
            2 => self.maker.change(at, counter, -1),
            3 => self.maker.assign(at, counter, 0),
            _ => self.maker.store(at, counter),
        }
    }

    /// Up to a bound and not beyond.
    fn saturated(&mut self, at: LocationId) -> LocationId {
        let counter = self.maker.counter();
        let (value, width) = (self.maker.read(counter), self.maker.width);
        let bound = Term::bv(width, 3);
        let after = self.maker.location("thread");
        let up = self.maker.write(counter, value.bv_add(Term::bv(width, 1)));
        self.maker.step(at, after, value.ult(bound), vec![up]);
        self.maker.step(at, after, value.ult(bound).not(), Vec::new());
        after
    }

    /// An assertion about what the thread has taken.
    fn check(&mut self, at: LocationId, held: Held) {
        let width = self.maker.width;
        let number = |value: u128| Term::bv(width, value);
        let small = number(1 + self.maker.random.below(3) as u128);
        let alone = self.maker.random.chance(1, 2);
        match held {
            Held::Count(counter, amount) => {
                let value = self.maker.read(counter);
                let wrong = match self.maker.random.below(5) {
                    0 | 1 => value.equals(number(0)),
                    2 => value.ult(number(amount)),
                    3 => small.ult(value),
                    _ => value.equals(self.maker.something()),
                };
                self.maker.error(at, wrong);
            }
            Held::Semaphore(counter) => {
                let value = self.maker.read(counter);
                self.maker.error(at, small.ule(value));
            }
            Held::Ticket if !alone => {
                let ticket = self.maker.program.variable(self.maker.ticket).term();
                let served = self.maker.program.variable(self.maker.served).term();
                self.maker.error(at, served.distinct(ticket));
            }
            Held::Ticket | Held::Lock => self.maker.alone(at),
            Held::Reader => {
                let busy = self.maker.program.variable(self.maker.busy).term();
                let none = self.maker.read(self.maker.readers).equals(number(0));
                self.maker.error(at, if alone { busy } else { none });
            }
            Held::Nothing => {
                let (one, two) = (self.maker.something(), self.maker.something());
                let wrong = match self.maker.random.below(4) {
                    0 => one.equals(small),
                    1 => small.ult(one),
                    2 => one.ult(two),
                    _ => one.distinct(number(0)).and(two.equals(small)),
                };
                self.maker.error(at, wrong);
            }
        }
    }
}
