//! Which schedules are looked at: all of some rounds, or those that a user allows. O. Inverso's thesis, section 4.5.
//!
//! What is left out here is left out on purpose, so nothing is proved with a restriction; what is found is a run like any other.

use frontend::program::{LocationId, Program};

/// Restrictions of schedules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// By round, the threads that have a turn, in the order of their numbers; all, if not given. As many rounds as there are entries.
    pub rounds: Option<Vec<Option<Vec<usize>>>>,
    /// Lines of the source where a thread may be interrupted; anywhere, if not given. Where it cannot go on, others have their turn all the same.
    pub lines: Option<Vec<(u32, u32)>>,
}

impl Schedule {
    /// Whether schedules are left out.
    pub fn restricts(&self) -> bool {
        self.rounds.is_some() || self.lines.is_some()
    }

    /// Whether a thread has a turn in a round.
    pub fn has_turn(&self, round: usize, thread: usize) -> bool {
        let given = self.rounds.as_ref().and_then(|rounds| rounds.get(round));
        given.and_then(Option::as_ref).is_none_or(|threads| threads.contains(&thread))
    }

    /// Whether a thread may be interrupted at a location.
    pub fn may_switch(&self, program: &Program, location: LocationId) -> bool {
        let line = program.location(location).position.line;
        self.lines.as_ref().is_none_or(|lines| lines.iter().any(|(from, to)| (*from..=*to).contains(&line)))
    }

    /// Reads rounds, such as `0,1:+:2`: in the first round threads 0 and 1, then all, then thread 2.
    pub fn parse_rounds(text: &str) -> Result<Vec<Option<Vec<usize>>>, String> {
        let round = |text: &str| match text.trim() {
            "+" => Ok(None),
            text => {
                let threads = text.split(',').map(|number| number.trim().parse::<usize>());
                threads.collect::<Result<Vec<usize>, _>>().map(Some).map_err(|_| {
                    format!("`{text}` is no round: threads such as 0,2 are expected, or + for all, and colons between rounds")
                })
            }
        };
        text.split(':').map(round).collect()
    }

    /// Reads lines, such as `10-20,35`.
    pub fn parse_lines(text: &str) -> Result<Vec<(u32, u32)>, String> {
        let range = |text: &str| {
            let (from, to) = text.split_once('-').unwrap_or((text, text));
            let number = |text: &str| text.trim().parse::<u32>().ok();
            let range = number(from).zip(number(to)).filter(|(from, to)| from <= to);
            range.ok_or_else(|| format!("`{text}` is no range of lines such as 10 or 10-20"))
        };
        text.split(',').map(range).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds() {
        let rounds = Schedule::parse_rounds("0,1:+:2").unwrap();
        assert_eq!(rounds, [Some(vec![0, 1]), None, Some(vec![2])]);
        let schedule = Schedule { rounds: Some(rounds), lines: None };
        assert!(schedule.has_turn(0, 1) && !schedule.has_turn(0, 2) && schedule.has_turn(1, 7));
        assert!(schedule.restricts() && !Schedule::default().restricts());
        assert!(Schedule::parse_rounds("0;1").is_err() && Schedule::parse_rounds("").is_err());
    }

    #[test]
    fn lines() {
        assert_eq!(Schedule::parse_lines("10-20,35").unwrap(), [(10, 20), (35, 35)]);
        assert!(Schedule::parse_lines("20-10").is_err() && Schedule::parse_lines("x").is_err());
    }
}
