//! A run of the translated program as a list of turns: what each thread does, in order, to what other threads can see.
//!
//! A turn is an access of the user's code to a variable of the program or to the heap, a call of the library at the step where it takes effect, or
//! the start of a thread. Steps of the library's models are recognised by their variables, which are declared in the models' files. An atomic
//! section is one turn. What a thread's steps mean is in [`Walk`].

use super::names::Names;
use super::walk::{Ending, Walk};
use frontend::program::trace::{Access, Trace, TraceStep};
use frontend::program::{Origin, Program, Property, PropertyKind, Target};
use std::collections::BTreeSet;

/// The call that gives memory back.
pub(super) const FREE: &str = "free";

/// What a turn is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The thread starts.
    Start,
    /// It reads a variable.
    Read,
    /// It writes one.
    Write,
    /// It may do both in one step.
    Both,
    /// It calls a function of the library.
    Call,
    /// A call that waits goes on.
    Awake,
    /// A call waits for ever.
    Stuck,
    /// It does what must not happen.
    Fail,
}

impl Kind {
    /// Turns of one step come in this order.
    fn rank(self) -> u8 {
        match self {
            Kind::Start => 0,
            Kind::Fail => 2,
            _ => 1,
        }
    }
}

/// What one thread does next.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// The step of the run at which it takes effect.
    pub step: usize,
    /// Who.
    pub thread: usize,
    /// What.
    pub kind: Kind,
    /// The variables, or the function.
    pub names: Vec<String>,
    /// The thread that the call creates.
    pub child: Option<usize>,
    /// What the call returns; of an access whether it writes.
    pub result: i64,
    /// The source.
    pub origin: Option<Origin>,
}

/// A value that a thread gets from outside.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// Who.
    pub thread: usize,
    /// The value, as an unsigned number.
    pub value: u128,
}

/// The schedule of a run.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    /// In order.
    pub turns: Vec<Turn>,
    /// In order.
    pub inputs: Vec<Given>,
    /// Global variables that threads share.
    pub objects: BTreeSet<String>,
    /// Functions of the library that the run calls and nobody can schedule.
    pub foreign: BTreeSet<String>,
    /// By step and number: inputs that nobody supplies when the program runs.
    pub open: Vec<(usize, usize)>,
    /// Accesses to memory that threads share and that is no turn.
    pub unseen: Vec<Unseen>,
}

/// An access to memory that threads share and that nobody sees when the program runs.
#[derive(Clone, Debug)]
pub(super) struct Unseen {
    /// Which step it is.
    pub step: usize,
    /// Who.
    pub thread: usize,
    /// To what.
    pub access: Access,
}

impl Schedule {
    /// The schedule of a run of the program as it was translated, which ends in what violates the property.
    pub(super) fn new(program: &Program, trace: &Trace<'_>, property: &Property) -> Schedule {
        let names = Names { program };
        let mut schedule = Schedule { objects: names.objects(), ..Schedule::default() };
        let mut turns: Vec<Turn> = Vec::new();
        let violating = trace.steps.last().map_or(0, |step| step.thread);
        let frees = matches!(property.kind, PropertyKind::Pointer | PropertyKind::Free | PropertyKind::Leak);
        for thread in 0..trace.threads {
            let own: Vec<(usize, &TraceStep<'_>)> =
                trace.steps.iter().enumerate().filter(|(_, step)| step.thread == thread).collect();
            let ending = match (property.kind, &property.target) {
                (PropertyKind::Deadlock, _) => Ending::Waits,
                (_, Target::Location(_)) if thread == violating => Ending::Fails { in_call: !frees },
                _ if thread == violating => Ending::IsOver,
                _ => Ending::Rests,
            };
            let mut walk = Walk::new(&names, trace, thread, frees, &mut schedule);
            walk.thread(&own, ending);
            turns.append(&mut walk.turns);
        }
        turns.sort_by_key(|turn| (turn.step, turn.kind.rank()));
        schedule.turns = turns;
        schedule
    }

    /// Whether memory is given back in it, where that matters.
    pub(super) fn gives_back(&self) -> bool {
        self.turns.iter().any(|turn| turn.kind == Kind::Call && turn.names == [FREE])
    }
}
