//! What runs say about the program in the source, and what they do not say.
//!
//! A run is real unless it takes a step that does more than the source can. The end of what is modelled (recursion, objects) is
//! no error, but nothing is known behind it. That nothing is violated means something only if everything was tried:
//! all states, all inputs, and all numbers of threads, which only a program that creates none allows.

use crate::failure::exit;
use crate::notes::place;
use crate::plural;
use crate::runs::Recorded;
use frontend::program::trust::{self, Doubt};
use frontend::program::{Program, Property};

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No run violates a property.
    Successful,
    /// A real run does.
    Failed,
    /// Neither is known, for this reason.
    Unknown(String),
    /// What was to be replayed is no run of this program.
    Rejected(String),
}

impl Verdict {
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Verdict::Successful => exit::SUCCESSFUL,
            Verdict::Failed => exit::FAILED,
            Verdict::Unknown(_) => exit::UNKNOWN,
            Verdict::Rejected(_) => exit::REJECTED,
        }
    }

    /// The exit code, where only some verdicts are failures: all if none is named.
    pub fn status(&self, fail_on: &[FailOn]) -> u8 {
        let is_failure = match self {
            _ if fail_on.is_empty() => true,
            Verdict::Successful | Verdict::Rejected(_) => true,
            Verdict::Failed => fail_on.contains(&FailOn::Unsafe),
            Verdict::Unknown(_) => fail_on.contains(&FailOn::Unknown),
        };
        if is_failure { self.code() } else { exit::SUCCESSFUL }
    }

    /// The last line of the text.
    pub fn line(&self) -> &'static str {
        match self {
            Verdict::Successful => "VERIFICATION SUCCESSFUL",
            Verdict::Failed => "VERIFICATION FAILED",
            Verdict::Unknown(_) => "VERIFICATION UNKNOWN",
            Verdict::Rejected(_) => "TRACE REJECTED",
        }
    }

    /// Why there is no answer.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Verdict::Unknown(reason) | Verdict::Rejected(reason) => Some(reason),
            Verdict::Successful | Verdict::Failed => None,
        }
    }
}

/// A verdict that makes a pipeline fail.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    /// A real run violates a property
    Unsafe,
    /// There is no answer
    Unknown,
    /// None of them
    Never,
}

/// How much a run means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The source has it.
    Real,
    /// The source may not have it; the note says why.
    Doubtful(String),
    /// It ends where the model ends.
    Limit,
}

/// A property that a run violates.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The property.
    pub property: &'a Property,
    /// Number of steps before.
    pub after: usize,
    /// Whether the source has the run.
    pub certainty: Certainty,
    /// What goes wrong.
    description: String,
}

impl<'a> Finding<'a> {
    /// What a recorded run violates: the property that it was made for, or else all.
    pub fn all_of(program: &'a Program, recorded: &Recorded<'a>) -> Vec<Finding<'a>> {
        let is_wanted = |name: &str| recorded.goal.as_ref().is_none_or(|goal| goal == name);
        let wanted = program.properties.iter().filter(|property| is_wanted(&property.name));
        let found = wanted.filter_map(|property| {
            let after = *recorded.trace.violated.get(&property.name)?;
            let certainty = certainty(program, property, recorded, after);
            let description = recorded.trace.describe(property, after);
            Some(Finding { property, after, certainty, description })
        });
        found.collect()
    }

    /// A line for the user.
    pub fn text(&self, program: &Program) -> String {
        let (Property { name, position, .. }, description) = (self.property, &self.description);
        let place = place(program, *position).map(|place| format!(" ({place})")).unwrap_or_default();
        let what = match self.certainty {
            Certainty::Real => "violated",
            Certainty::Doubtful(_) => "perhaps violated",
            Certainty::Limit => "reached",
        };
        format!("{what} after {}: {name}{place}: {description}\n", plural(self.after, "step"))
    }
}

fn certainty(program: &Program, property: &Property, recorded: &Recorded<'_>, after: usize) -> Certainty {
    match trust::doubt(property, after, &recorded.trace.approximate) {
        None => Certainty::Real,
        Some(Doubt::Limit) => Certainty::Limit,
        Some(Doubt::Step(note)) => {
            let note = program.notes.get(note.0 as usize);
            Certainty::Doubtful(note.map_or_else(String::new, |note| note.message.clone()))
        }
    }
}

/// The verdict, where `otherwise` says why nothing is proved if nothing was found.
pub fn judge(findings: &[Finding<'_>], otherwise: Option<String>) -> Verdict {
    let mut reason = None;
    for Finding { property, certainty, .. } in findings {
        match certainty {
            Certainty::Real => return Verdict::Failed,
            Certainty::Doubtful(message) => {
                reason
                    .get_or_insert_with(|| format!("the run to {} may not exist: {message}", property.name));
            }
            Certainty::Limit => {
                let Property { name, description, .. } = property;
                reason.get_or_insert_with(|| {
                    format!("the end of what is modelled is reachable: {name}: {description}")
                });
            }
        }
    }
    match reason.or(otherwise) {
        Some(reason) => Verdict::Unknown(reason),
        None => Verdict::Successful,
    }
}

/// Why a complete exploration without violations proves nothing, if so.
pub fn doubt_about_completeness(program: &Program, threads: usize) -> Option<String> {
    if program.pool.is_some() {
        let nothing =
            format!("no violation with {}, all of whose runs were tried", plural(threads, "thread"));
        return Some(format!("{nothing}; this says nothing about more threads"));
    }
    let note = program.notes.get(trust::may_be_safe(program).err()?.0 as usize)?;
    Some(format!("no violation, but the source may do more: {}", note.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelines_choose_what_fails() {
        let unknown = Verdict::Unknown(String::new());
        assert_eq!((Verdict::Failed.status(&[]), unknown.status(&[])), (10, 5));
        assert_eq!((Verdict::Failed.status(&[FailOn::Unsafe]), unknown.status(&[FailOn::Unsafe])), (10, 0));
        assert_eq!((Verdict::Failed.status(&[FailOn::Unknown]), unknown.status(&[FailOn::Unknown])), (0, 5));
        assert_eq!((Verdict::Failed.status(&[FailOn::Never]), unknown.status(&[FailOn::Never])), (0, 0));
        assert_eq!(Verdict::Rejected(String::new()).status(&[FailOn::Never]), 1, "this is wrong usage");
    }
}
