//! Whether a proof needs that only so many threads are alive at once.
//!
//! A counter of 32 bits counts threads only if there are fewer than 2^32, and "any number of threads" is more. The user may say that there are
//! fewer: then that is assumed, and said beside the verdict if the proof needs it. Otherwise it is *supposed* where it would help,
//! so that the answer can be "safe if there are fewer" instead of nothing: with a proof in hand, the loop goes on without the supposition for a while.

use crate::scope::Setting;
use std::time::Duration;

/// What is supposed if the user says nothing: fewer than a signed number of 32 bits can count.
pub(crate) const HYPOTHESIS: u128 = 1 << 31;

/// The least time for a proof without the supposition, and how much more than the proof with it took.
const LEAST_TIME: Duration = Duration::from_secs(10);
const MORE_TIME: u32 = 3;

/// What is known about the bound.
enum State {
    /// There are no counts, or it was decided that a bound does not help.
    Closed,
    /// Perhaps one helps: the program with what would be known then.
    Open,
    /// It is supposed.
    Supposed,
    /// A proof needed it. It is not supposed any more, until then.
    Refuted(Duration),
    /// The user's; whether the proof needed it.
    Users(u128, bool),
}

/// The bound on the threads alive at once.
pub(crate) struct Bound<'a> {
    state: State,
    bounded: Option<Box<Setting<'a>>>,
}

impl<'a> Bound<'a> {
    /// For a program; `asked` is what the user said.
    pub(crate) fn new(setting: &Setting<'a>, asked: Option<u128>) -> Bound<'a> {
        let state = match asked {
            Some(bound) => State::Users(bound, false),
            None if setting.counting.is_empty() => State::Closed,
            None => State::Open,
        };
        let bounded = matches!(state, State::Open).then(|| {
            let counting = setting.counting.bounded(Some(HYPOTHESIS));
            Box::new(Setting::with_counting(setting.program, counting))
        });
        Bound { state, bounded }
    }

    /// The program under the supposition, as long as nothing was decided.
    pub(crate) fn open(&self) -> Option<&Setting<'a>> {
        self.bounded.as_deref().filter(|_| matches!(self.state, State::Open))
    }

    /// It is supposed from now on.
    pub(crate) fn supposed(&mut self) {
        self.state = State::Supposed;
    }

    /// A proof needed it, after so long.
    pub(crate) fn refuted(&mut self, elapsed: Duration) {
        self.state = State::Refuted(elapsed + LEAST_TIME.max(elapsed * MORE_TIME));
    }

    /// A proof needed the user's bound.
    pub(crate) fn used(&mut self) {
        if let State::Users(_, used) = &mut self.state {
            *used = true;
        }
    }

    /// Whether the bound is the user's.
    pub(crate) fn is_users(&self) -> bool {
        matches!(self.state, State::Users(..))
    }

    /// The user's bound, if the proof needed it.
    pub(crate) fn assumed(&self) -> Option<u128> {
        match self.state {
            State::Users(bound, true) => Some(bound),
            _ => None,
        }
    }

    /// Whether there is a proof with the supposition.
    pub(crate) fn is_refuted(&self) -> bool {
        matches!(self.state, State::Refuted(_))
    }

    /// Whether the time for a proof without the supposition is over.
    pub(crate) fn is_over(&self, elapsed: Duration) -> bool {
        matches!(self.state, State::Refuted(end) if elapsed > end)
    }
}
