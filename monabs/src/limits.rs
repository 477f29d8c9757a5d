//! Why the work ends early: limits, solvers that give up, bugs that were noticed.

use engine::limits::Limit;
pub use engine::limits::{Limits, Raise};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// A limit.
    #[error(transparent)]
    Limit(#[from] Limit),
    /// A question was too hard.
    #[error("{0}")]
    Solver(smt::Reason),
    /// More predicates than a state has room for.
    #[error("more than {0} predicates are needed at once")]
    TooManyPredicates(usize),
    /// The abstraction got too large.
    #[error("the abstraction has more than {0} transitions; --max-transitions sets the limit")]
    TooLarge(usize),
    /// Coverability is decided, but there is no evidence for it: the time was over, or it is too long.
    #[error("{0}")]
    NoEvidence(breach::limits::Reason),
    /// A bug in this program.
    #[error("{0}")]
    Bug(String),
}

impl From<smt::SolverError> for Stop {
    fn from(error: smt::SolverError) -> Stop {
        match error {
            // What a solver says that we cannot read is no answer, and no mistake of ours.
            smt::SolverError::Protocol { .. } => Stop::Solver(smt::Reason::Incomplete(error.to_string())),
            other => Stop::Bug(other.to_string()),
        }
    }
}

impl From<breach::limits::Reason> for Stop {
    fn from(reason: breach::limits::Reason) -> Stop {
        match reason {
            breach::limits::Reason::TimeLimit => Stop::Limit(Limit::Time),
            breach::limits::Reason::MemoryLimit => Stop::Limit(Limit::Memory),
            breach::limits::Reason::Interrupted => Stop::Limit(Limit::Interrupted),
            breach::limits::Reason::ProofUnfinished | breach::limits::Reason::RunTooLong => {
                Stop::NoEvidence(reason)
            }
            breach::limits::Reason::Incomplete => Stop::Bug(reason.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use breach::limits::Reason;

    #[test]
    fn no_evidence_is_no_bug() {
        for reason in [Reason::ProofUnfinished, Reason::RunTooLong] {
            assert_eq!(Stop::from(reason), Stop::NoEvidence(reason));
        }
    }
}
