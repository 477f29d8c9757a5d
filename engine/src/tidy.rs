//! A run that is easy to read: without steps that do not matter, with as few changes from thread to thread as can be found.
//!
//! Engines give the first run that they find, in which threads take turns for no reason. Here pieces of it are left out or moved, and every
//! attempt is replayed: it is taken if it still violates the property, without steps that reality may not have. A block is what a thread does
//! without another one in between. That a thread starts is a block of its own and costs no change: only the model of creation has a step for it, which has to come before
//! its creator can create another one. The attempts, each for all blocks, until none helps any more or the effort is spent:
//!
//! - leave out all blocks of a thread;
//! - leave out a block and all later ones of its thread;
//! - do a thread's next block right after this one;
//! - do this block only right before the thread's next one;
//! - do the next block, of another thread, before this one.
//!
//! Threads that do nothing are left out at the end, and the others numbered as they come. Effort is counted in steps, not in time: the same
//! run has the same result on every machine.

use crate::bug::{Bug, believe};
use frontend::program::{Choice, InitialValue, Program, Run};

/// How many steps may be replayed.
const EFFORT: usize = 20_000;

/// The run of a bug made easy to read; the same bug if that does not help.
pub fn tidy(program: &Program, bug: Bug) -> Bug {
    let Some(name) = program.properties.get(bug.property).map(|property| property.name.as_str()) else {
        return bug;
    };
    let mut search = Search { program, name, best: bug, effort: EFFORT };
    while search.improve() {}
    search.renumber();
    search.best
}

struct Search<'a> {
    program: &'a Program,
    name: &'a str,
    best: Bug,
    effort: usize,
}

impl Search<'_> {
    /// Tries everything once; says whether something helped.
    fn improve(&mut self) -> bool {
        let mut helped = false;
        for thread in 1..self.best.run.threads {
            let others = self.best.run.steps.iter().filter(|step| step.thread != thread);
            helped |= self.attempt(others.cloned().collect());
        }
        for attempt in [without_rest, with_next, before_next, exchanged] {
            let mut block = 0;
            while let Some(steps) = attempt(&blocks(self.program, &self.best.run.steps), block) {
                if self.attempt(steps) {
                    helped = true;
                } else {
                    block += 1;
                }
            }
        }
        helped
    }

    /// Takes these steps if they are a better run.
    fn attempt(&mut self, steps: Vec<Choice>) -> bool {
        if self.effort < steps.len() || cost(self.program, &steps) >= cost(self.program, &self.best.run.steps)
        {
            return false;
        }
        self.effort -= steps.len();
        self.take(Run { steps, ..self.best.run.clone() })
    }

    fn take(&mut self, run: Run) -> bool {
        let Some(bug) = believe(self.program, self.name, run) else { return false };
        self.best = bug;
        true
    }

    /// Leaves out threads that do nothing, and numbers the others in the order in which they come.
    fn renumber(&mut self) {
        let run = &self.best.run;
        let mut order = vec![0];
        for step in &run.steps {
            if !order.contains(&step.thread) {
                order.push(step.thread);
            }
        }
        let number = |thread: usize| order.iter().position(|known| *known == thread);
        let initial = run.initial.iter().filter_map(|initial| {
            let thread = match initial.thread {
                None => None,
                Some(thread) => Some(number(thread)?),
            };
            Some(InitialValue { thread, ..initial.clone() })
        });
        let steps = run.steps.iter().filter_map(|step| {
            let passive = match step.passive_inputs.as_slice() {
                [] => Vec::new(),
                given => order.iter().map(|thread| given.get(*thread).cloned().unwrap_or_default()).collect(),
            };
            Some(Choice { thread: number(step.thread)?, passive_inputs: passive, ..step.clone() })
        });
        let run = Run { threads: order.len(), initial: initial.collect(), steps: steps.collect() };
        self.take(run);
    }
}

/// First fewer changes of the thread, then fewer steps, then fewer changes to a thread that only starts.
fn cost(program: &Program, steps: &[Choice]) -> (usize, usize, usize) {
    let switches = program.switches(steps.iter().map(|step| (step.thread, program.edge(step.edge))));
    let with_starts = steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    (switches, steps.len(), with_starts)
}

/// What threads do without another one in between.
fn blocks<'s>(program: &Program, steps: &'s [Choice]) -> Vec<&'s [Choice]> {
    let starts = |step: &Choice| program.only_starts(program.edge(step.edge));
    steps.chunk_by(|one, other| one.thread == other.thread && !starts(one)).collect()
}

/// Without this block and all later ones of its thread; none if there is no such block.
fn without_rest(blocks: &[&[Choice]], block: usize) -> Option<Vec<Choice>> {
    let thread = blocks.get(block)?[0].thread;
    let is_kept = |(index, other): &(usize, &&[Choice])| *index < block || other[0].thread != thread;
    Some(blocks.iter().enumerate().filter(is_kept).flat_map(|(_, block)| block.iter().cloned()).collect())
}

/// With the thread's next block right after this one.
fn with_next(blocks: &[&[Choice]], block: usize) -> Option<Vec<Choice>> {
    moved(blocks, block, |blocks, this, next| {
        let moved = blocks.remove(next);
        blocks.insert(this + 1, moved);
    })
}

/// With this block right before the thread's next one.
fn before_next(blocks: &[&[Choice]], block: usize) -> Option<Vec<Choice>> {
    moved(blocks, block, |blocks, this, next| {
        let moved = blocks.remove(this);
        blocks.insert(next - 1, moved);
    })
}

/// With the next block before this one.
fn exchanged(blocks: &[&[Choice]], block: usize) -> Option<Vec<Choice>> {
    let next = blocks.get(block + 1)?;
    let mut moved = blocks.to_vec();
    if next[0].thread != blocks[block][0].thread {
        moved.swap(block, block + 1);
    }
    Some(moved.concat())
}

/// The steps after a move of two blocks of one thread; as they were if the thread has no later block.
fn moved(
    blocks: &[&[Choice]],
    block: usize,
    change: impl Fn(&mut Vec<&[Choice]>, usize, usize),
) -> Option<Vec<Choice>> {
    let thread = blocks.get(block)?[0].thread;
    let mut moved = blocks.to_vec();
    if let Some(next) = blocks[block + 1..].iter().position(|other| other[0].thread == thread) {
        change(&mut moved, block, block + 1 + next);
    }
    Some(moved.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::program::EdgeId;
    use frontend::program::text::read;

    /// Each thread reads x and writes it back, one larger; the error is that two wrote and x is 1.
    const LOST_UPDATE: &str = r#"program 1
shared x: i8 = 0
shared done: u2 = 0
local t: i8 = 0
location 0
location 1
location 2
location 3
main 0
pool 0
edge 0: 0 -> 1
  assign t := x
edge 1: 1 -> 2
  assign x := (bvadd t #x01)
  assign done := (bvadd done #b01)
edge 2: 2 -> 3
  guard (and (= done #b10) (= x #x01))
property lost assertion "x == 2" at 3
"#;

    fn run(threads: usize, steps: &[(usize, u32)]) -> Run {
        let step = |&(thread, edge): &(usize, u32)| Choice {
            thread,
            edge: EdgeId(edge),
            inputs: Vec::new(),
            passive_inputs: Vec::new(),
        };
        Run { threads, initial: Vec::new(), steps: steps.iter().map(step).collect() }
    }

    #[test]
    fn turns_for_no_reason_are_taken_away() {
        let program = read(LOST_UPDATE).unwrap();
        let long = run(4, &[(3, 0), (0, 0), (2, 0), (3, 1), (2, 1), (3, 2)]);
        let bug = tidy(&program, believe(&program, "lost", long).unwrap());
        // Thread 0 did nothing that matters; the others are numbered as they come.
        assert_eq!(bug.run, run(3, &[(1, 0), (2, 0), (2, 1), (1, 1), (1, 2)]));
    }

    /// A creator waits until what it has created was taken up.
    const ONE_AT_A_TIME: &str = r#"program 1
file 0 "a.c"
shared full: bool = false
shared x: i8 = 0
shared done: u2 = 0
local t: i8 = 0
location 0
location 1
location 2
location 3
location 4
location 5
location 6
location 7
main 0
pool 4
edge 0: 0 -> 1
  guard (not full)
  assign full := true
edge 1: 1 -> 2
  guard (not full)
  assign full := true
edge 2: 4 -> 5
  guard full
  assign full := false
  origin @0:1:1 in f "thread starts"
edge 3: 5 -> 6
  assign t := x
edge 4: 6 -> 7
  assign x := (bvadd t #x01)
  assign done := (bvadd done #b01)
edge 5: 2 -> 3
  guard (and (= done #b10) (= x #x01))
property lost assertion "x == 2" at 3
"#;

    #[test]
    fn a_start_is_no_turn() {
        let program = read(ONE_AT_A_TIME).unwrap();
        let steps = [(0, 0), (1, 2), (1, 3), (0, 1), (2, 2), (2, 3), (2, 4), (1, 4), (0, 5)];
        let bug = tidy(&program, believe(&program, "lost", run(3, &steps)).unwrap());
        let created = bug.run.steps.iter().position(|step| step.edge == EdgeId(1)).unwrap();
        let read = bug.run.steps.iter().position(|step| step.edge == EdgeId(3)).unwrap();
        assert!(created < read, "{:?}", bug.run);
        assert_eq!(cost(&program, &bug.run.steps).0, 4);
    }

    #[test]
    fn what_is_short_stays() {
        let program = read(LOST_UPDATE).unwrap();
        let short = run(2, &[(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]);
        let bug = believe(&program, "lost", short).unwrap();
        assert_eq!(tidy(&program, bug.clone()), bug);
    }

    /// On random programs the result is believed as the first run was, and is never worse.
    #[test]
    fn random_runs_become_no_worse() {
        use frontend::program::interpret::{ExploreOptions, explore};
        use frontend::program::random::{Shape, program_with};
        for seed in 0..30 {
            let program = program_with(seed, Shape::default());
            let Ok(found) = explore(&program, 3, &ExploreOptions::default()) else { continue };
            for (name, run) in found.violated {
                let Some(bug) = believe(&program, &name, run) else { continue };
                let tidied = tidy(&program, bug.clone());
                assert!(cost(&program, &tidied.run.steps) <= cost(&program, &bug.run.steps), "seed {seed}");
                assert!(believe(&program, &name, tidied.run).is_some(), "seed {seed}");
            }
        }
    }
}
