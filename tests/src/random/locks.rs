//! Programs: a bounded main thread and any number of workers that share a lock and wake each other.
//!
//! Local states are program locations, first those of main, then those of the workers. The shared state is a lock
//! that is free or taken, times a flag. Steps are plain moves, acquire, release, tests and writes of the flag,
//! wake-ups of all who wait, and creations. The program is random, so the lock is sometimes used wrongly.

use super::{Random, step, system};
use breach::system::{InitialStates, Local, Multiset, Problem, Shared, State, System, Transition};

/// One question.
pub(super) fn problem(seed: u64) -> Problem {
    let mut random = Random::new(seed);
    let flags = random.between(1, 2);
    let (main, worker) = (random.between(1, 3), random.between(2, 4));
    let mut program = Program { system: system(2 * flags, main + worker), flags, main, random };
    program.thread(0, main);
    program.thread(main, main + worker);
    let shared = program.shared(false, 0);
    let mains = if program.random.chance(1, 6) { program.random.below(3) as usize } else { 1 };
    let init = InitialStates::new(shared, vec![0; mains], vec![main]);
    let targets = (0..if program.random.chance(1, 5) { 2 } else { 1 }).map(|_| program.target()).collect();
    Problem { system: program.system, init, targets }
}

struct Program {
    random: Random,
    system: System,
    flags: u32,
    /// The locations of the main thread are below.
    main: u32,
}

impl Program {
    fn shared(&self, is_locked: bool, flag: u32) -> Shared {
        u32::from(is_locked) * self.flags + flag
    }

    /// Steps from every location of a thread to the next, and some back.
    fn thread(&mut self, first: Local, end: Local) {
        for at in first..end {
            let next = if at + 1 < end { at + 1 } else { first };
            self.statement(at, next);
            if self.random.chance(1, 4) {
                let elsewhere = first + self.random.below(end - first);
                self.statement(at, elsewhere);
            }
        }
    }

    fn statement(&mut self, at: Local, next: Local) {
        let flag = self.random.below(self.flags);
        let is_locked = self.random.chance(1, 2);
        match self.random.below(8) {
            0 | 1 => self.everywhere(|p, s| p.simple((s, s), at, next)),
            2 | 3 => self.each_flag(|p, f| p.simple((p.shared(false, f), p.shared(true, f)), at, next)),
            4 => self.each_flag(|p, f| p.simple((p.shared(true, f), p.shared(false, f)), at, next)),
            5 => {
                let s = self.shared(is_locked, flag);
                self.simple((s, s), at, next);
            }
            6 => self.wake(at, next, (is_locked, flag)),
            _ => {
                let created = self.main;
                let s = self.shared(is_locked, flag);
                self.system.transitions.push(step((s, s), [at], [next, created]));
            }
        }
    }

    /// Sets the flag and moves all workers that wait in one location to the next, or to choose.
    fn wake(&mut self, at: Local, next: Local, (is_locked, flag): (bool, u32)) {
        let workers = self.system.local_states - self.main;
        let waiting = self.main + self.random.below(workers);
        let woken = (0..self.random.between(1, 2)).map(|_| self.main + self.random.below(workers));
        let transfers = Transition::group_transfers(woken.map(|l| (waiting, l)).collect::<Vec<_>>());
        let before = self.random.below(self.flags);
        let ends = (self.shared(is_locked, before), self.shared(is_locked, flag));
        self.system.transitions.push(Transition { transfers, ..step(ends, [at], [next]) });
    }

    fn everywhere(&mut self, add: impl Fn(&mut Self, Shared)) {
        for s in 0..self.system.shared_states {
            add(self, s);
        }
    }

    fn each_flag(&mut self, add: impl Fn(&mut Self, u32)) {
        for flag in 0..self.flags {
            add(self, flag);
        }
    }

    fn simple(&mut self, ends: (Shared, Shared), at: Local, next: Local) {
        self.system.transitions.push(step(ends, [at], [next]));
    }

    /// Two or three threads that should not be where they are at once.
    fn target(&mut self) -> State {
        let number = self.random.between(1, 3);
        let locals = self.system.local_states;
        let mut threads = Multiset::new();
        for _ in 0..number {
            let l = if self.random.chance(2, 3) { locals - 1 } else { self.random.below(locals) };
            threads.add(l, 1);
        }
        State { shared: self.random.below(self.system.shared_states), threads }
    }
}
