//! Conversions between the notations: the same question, asked so that the other format can express it.
//!
//! Neither format can say everything that a [`Transition`](crate::system::Transition) can. EMDR moves one thread
//! at a time, `.spec` files have no shared state and no choice for passive threads. Both conversions split what
//! does not fit into several steps. They keep the answer (is a target coverable?), not the number of steps.

mod emdr;
#[cfg(test)]
pub(crate) mod naive;
mod spec;
#[cfg(test)]
mod tests;

pub use emdr::to_emdr;
pub use spec::to_spec;

/// How many transitions a conversion may make.
pub const LIMIT: usize = 10_000_000;

/// Why a system cannot be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// The transition with this number made the result too large.
    #[error("the result would have more than {LIMIT} transitions, or too many states (at transition {0})")]
    TooLarge(usize),
    /// The transition with this number needs unused threads, which must be part of the initial states.
    #[error(
        "transition {0} has to be split, which adds threads to the initial states, but no initial states are given"
    )]
    NoInitialStates(usize),
}

/// Fresh numbers for states, with an error instead of an overflow.
struct Counter(u32);

impl Counter {
    fn fresh(&mut self, transition: usize) -> Result<u32, ConvertError> {
        let number = self.0;
        self.0 = number.checked_add(1).ok_or(ConvertError::TooLarge(transition))?;
        Ok(number)
    }
}
