//! Points of SV-COMP: a wrong answer costs more than many right ones bring.

use super::monabs::Verdict;
use std::fmt;

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grade {
    RightTrue,
    RightFalse,
    /// No answer.
    Unknown,
    /// True where there is an error.
    WrongTrue,
    /// False where there is none.
    WrongFalse,
    /// The task cannot be run, or the run ended without a verdict.
    Failed,
}

impl Grade {
    const ALL: [Grade; 6] = [
        Grade::RightTrue,
        Grade::RightFalse,
        Grade::Unknown,
        Grade::WrongTrue,
        Grade::WrongFalse,
        Grade::Failed,
    ];

    /// Compares an answer with what is expected.
    pub(crate) fn of(verdict: &Verdict, expected: bool) -> Grade {
        match (verdict, expected) {
            (Verdict::Safe, true) => Grade::RightTrue,
            (Verdict::Unsafe, false) => Grade::RightFalse,
            (Verdict::Safe, false) => Grade::WrongTrue,
            (Verdict::Unsafe, true) => Grade::WrongFalse,
            (Verdict::Unknown(_), _) => Grade::Unknown,
            (Verdict::Failed(_), _) => Grade::Failed,
        }
    }

    pub(crate) fn points(self) -> i64 {
        match self {
            Grade::RightTrue => 2,
            Grade::RightFalse => 1,
            Grade::Unknown | Grade::Failed => 0,
            Grade::WrongTrue => -32,
            Grade::WrongFalse => -16,
        }
    }

    pub(crate) fn is_wrong(self) -> bool {
        matches!(self, Grade::WrongTrue | Grade::WrongFalse)
    }

    fn name(self) -> &'static str {
        match self {
            Grade::RightTrue => "right true",
            Grade::RightFalse => "right false",
            Grade::Unknown => "unknown",
            Grade::WrongTrue => "WRONG true",
            Grade::WrongFalse => "WRONG false",
            Grade::Failed => "failed",
        }
    }

    /// The grade with a name.
    pub(crate) fn named(name: &str) -> Option<Grade> {
        Grade::ALL.into_iter().find(|grade| grade.name() == name)
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The sums of many tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Score {
    pub(crate) tasks: usize,
    pub(crate) right_true: usize,
    pub(crate) right_false: usize,
    pub(crate) unknown: usize,
    pub(crate) failed: usize,
    pub(crate) wrong: usize,
    pub(crate) points: i64,
    /// What right answers to all would bring.
    pub(crate) most: i64,
    /// Seconds.
    pub(crate) wall: f64,
}

impl Score {
    /// Adds a task. Without an expected answer there is nothing to win.
    pub(crate) fn add(&mut self, grade: Grade, expected: Option<bool>, wall: f64) {
        self.tasks += 1;
        self.points += grade.points();
        self.most +=
            expected.map_or(
                0,
                |expected| {
                    if expected { Grade::RightTrue.points() } else { Grade::RightFalse.points() }
                },
            );
        self.wall += wall;
        let count = match grade {
            Grade::RightTrue => &mut self.right_true,
            Grade::RightFalse => &mut self.right_false,
            Grade::Unknown => &mut self.unknown,
            Grade::Failed => &mut self.failed,
            Grade::WrongTrue | Grade::WrongFalse => &mut self.wrong,
        };
        *count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_the_competition() {
        let unknown = Verdict::Unknown("time".to_owned());
        let failed = Verdict::Failed("exit 6".to_owned());
        for (verdict, expected, grade, points) in [
            (&Verdict::Safe, true, Grade::RightTrue, 2),
            (&Verdict::Unsafe, false, Grade::RightFalse, 1),
            (&Verdict::Safe, false, Grade::WrongTrue, -32),
            (&Verdict::Unsafe, true, Grade::WrongFalse, -16),
            (&unknown, true, Grade::Unknown, 0),
            (&failed, false, Grade::Failed, 0),
        ] {
            assert_eq!(Grade::of(verdict, expected), grade);
            assert_eq!((grade.points(), grade.is_wrong()), (points, points < 0));
        }
    }

    #[test]
    fn names_are_read_again() {
        for grade in Grade::ALL {
            assert_eq!(Grade::named(&grade.to_string()), Some(grade));
        }
        assert_eq!(Grade::named("right"), None);
    }

    #[test]
    fn sums() {
        let mut score = Score::default();
        for (grade, expected) in [
            (Grade::RightTrue, Some(true)),
            (Grade::RightFalse, Some(false)),
            (Grade::WrongTrue, Some(false)),
            (Grade::WrongFalse, Some(true)),
            (Grade::Unknown, Some(true)),
            (Grade::Failed, None),
        ] {
            score.add(grade, expected, 0.5);
        }
        let counts = [score.right_true, score.right_false, score.unknown, score.failed, score.wrong];
        assert_eq!((score.tasks, counts), (6, [1, 1, 1, 1, 2]));
        assert_eq!((score.points, score.most, score.wall), (2 + 1 - 32 - 16, 2 + 1 + 1 + 2 + 2, 3.0));
    }
}
