//! Notes: where the program and its source differ, or may, and what was assumed. What they mean for verdicts is in [`trust`](super::trust).

use super::position::Position;

/// The number of a note in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NoteId(pub u32);

/// How a note bears on verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The program does more than the source: "safe" stays right, a run that needs it may not exist.
    Over,
    /// The program may do less than the source: "safe" must not be said, runs are real.
    Under,
    /// Both: "safe" must not be said, and a run through the steps that carry the note (`Edge::approximate`) may not exist.
    Inexact,
    /// What was assumed is the user's business; verdicts hold under it.
    Assumption,
}

/// Effects and their words in texts.
const EFFECTS: [(Effect, &str); 4] = [
    (Effect::Over, "over"),
    (Effect::Under, "under"),
    (Effect::Inexact, "inexact"),
    (Effect::Assumption, "assumption"),
];

impl Effect {
    /// All effects.
    pub fn all() -> impl Iterator<Item = Effect> {
        EFFECTS.iter().map(|(effect, _)| *effect)
    }

    /// A word for programs to read.
    pub fn word(self) -> &'static str {
        EFFECTS.iter().find(|(effect, _)| *effect == self).map_or("", |(_, word)| word)
    }

    /// A word for people.
    pub fn in_words(self) -> &'static str {
        match self {
            Effect::Over => "over-approximated",
            Effect::Under => "under-approximated",
            Effect::Inexact => "not exact",
            Effect::Assumption => "assumed",
        }
    }
}

/// What is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Assumption {
    /// All threads see all accesses in one order; it matters for atomic operations that ask for less.
    SequentialConsistency,
    /// The same; it matters if plain accesses of two threads are not ordered.
    RaceFreedom,
    /// Each statement is one step.
    StatementGranularity,
    /// What a function without a body returns and changes.
    UndefinedFunction,
    /// What a variable without a definition holds.
    ExternVariable,
    /// In which order operands are evaluated.
    EvaluationOrder,
    /// That there is memory.
    AllocationSucceeds,
    /// The compiler did not check the text.
    SyntaxCheckSkipped,
    /// How many threads there are.
    ThreadBound,
    /// Anything else: the message says it.
    Other,
}

/// Assumptions and their words in texts, in the order in which verdicts list them.
const ASSUMPTIONS: [(Assumption, &str); 10] = [
    (Assumption::SequentialConsistency, "sequential-consistency"),
    (Assumption::RaceFreedom, "race-freedom"),
    (Assumption::StatementGranularity, "statement-granularity"),
    (Assumption::UndefinedFunction, "undefined-function"),
    (Assumption::ExternVariable, "extern-variable"),
    (Assumption::EvaluationOrder, "evaluation-order"),
    (Assumption::AllocationSucceeds, "allocation-succeeds"),
    (Assumption::SyntaxCheckSkipped, "syntax-check-skipped"),
    (Assumption::ThreadBound, "thread-bound"),
    (Assumption::Other, "other"),
];

impl Assumption {
    /// All kinds, in the order in which verdicts list them.
    pub fn all() -> impl Iterator<Item = Assumption> {
        ASSUMPTIONS.iter().map(|(kind, _)| *kind)
    }

    /// A word for programs to read.
    pub fn word(self) -> &'static str {
        ASSUMPTIONS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }
}

/// Something the translation could not do exactly, or assumed, for the user at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it means for verdicts.
    pub effect: Effect,
    /// What is assumed, if that is the effect.
    pub assumption: Option<Assumption>,
    /// Where.
    pub position: Position,
    /// What is not exact, and what to do about it.
    pub message: String,
}

impl Note {
    /// A note; an assumption is of no special kind.
    pub fn new(effect: Effect, position: Position, message: impl Into<String>) -> Note {
        let assumption = (effect == Effect::Assumption).then_some(Assumption::Other);
        Note { effect, assumption, position, message: message.into() }
    }

    /// An assumption.
    pub fn assumption(kind: Assumption, position: Position, message: impl Into<String>) -> Note {
        Note { assumption: Some(kind), ..Note::new(Effect::Assumption, position, message) }
    }

    /// What is assumed at a place, in one line.
    pub fn assumed(&self, place: Option<&str>) -> String {
        let message = &self.message;
        match (self.assumption, place) {
            (Some(Assumption::SequentialConsistency | Assumption::RaceFreedom), Some(place)) => {
                format!("sequential consistency ({message}: {place})")
            }
            (Some(Assumption::SequentialConsistency | Assumption::RaceFreedom), None) => {
                format!("sequential consistency ({message})")
            }
            (_, Some(place)) => format!("{message} ({place})"),
            (_, None) => message.clone(),
        }
    }
}
