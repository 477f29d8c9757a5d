//! What holds in all rows of a table of truth values, and what else can be said about them in few cases.
//!
//! Rows are cubes: some formulas hold, some do not, the others may do either. Their disjunction is kept as it is, but for what follows from
//! the formulas being looked at as if they had nothing to do with each other: cubes in others are dropped, two cubes that differ in one
//! formula only become one without it.

/// By formula: whether it holds, if that is known.
pub(super) type Cube = Vec<Option<bool>>;

/// What a table says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Summary {
    /// In all rows the same: formula and whether it holds.
    pub(super) always: Vec<(usize, bool)>,
    /// Beside that one of these holds; none if there is nothing more to say.
    pub(super) cases: Vec<Cube>,
}

/// Above this number of rows cubes are not merged: it would take too long.
const MOST: usize = 400;

/// The same disjunction, smaller.
pub(super) fn summarise(rows: &[Cube]) -> Summary {
    let width = rows.first().map_or(0, Vec::len);
    let common = |index: usize| {
        let first = rows.first()?.get(index).copied()??;
        rows.iter().all(|row| row[index] == Some(first)).then_some((index, first))
    };
    let always: Vec<(usize, bool)> = (0..width).filter_map(common).collect();
    let mut cases: Vec<Cube> = rows.to_vec();
    for case in &mut cases {
        always.iter().for_each(|(index, _)| case[*index] = None);
    }
    cases.sort();
    cases.dedup();
    if cases.len() <= MOST {
        while merge(&mut cases) {}
    }
    if cases.iter().any(|case| case.iter().all(Option::is_none)) {
        cases.clear();
    }
    Summary { always, cases }
}

/// Merges two cubes, or drops one. False if there is nothing to do.
fn merge(cases: &mut Vec<Cube>) -> bool {
    for first in 0..cases.len() {
        for second in 0..cases.len() {
            if first == second {
                continue;
            }
            if is_inside(&cases[first], &cases[second]) {
                cases.remove(first);
                return true;
            }
            if let Some(at) = only_difference(&cases[first], &cases[second]) {
                cases[first][at] = None;
                cases.remove(second);
                return true;
            }
        }
    }
    false
}

/// Whether all that the second cube demands is demanded by the first.
fn is_inside(inner: &Cube, outer: &Cube) -> bool {
    inner.iter().zip(outer).all(|(inner, outer)| outer.is_none() || inner == outer)
}

/// The one formula of which the cubes say the opposite, if they say the same of all others.
fn only_difference(first: &Cube, second: &Cube) -> Option<usize> {
    let mut different = (0..first.len()).filter(|&at| first[at] != second[at]);
    let at = different.next()?;
    (different.next().is_none() && first[at].is_some() && second[at].is_some()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Cube> {
        let value = |c| match c {
            '1' => Some(true),
            '0' => Some(false),
            _ => None,
        };
        text.split_whitespace().map(|row| row.chars().map(value).collect()).collect()
    }

    #[test]
    fn what_is_common_and_what_is_left() {
        let summary = summarise(&rows("101 110"));
        assert_eq!(summary.always, [(0, true)]);
        assert_eq!(summary.cases, rows("-01 -10"));
        assert_eq!(summarise(&rows("10 11")), Summary { always: vec![(0, true)], cases: Vec::new() });
        assert_eq!(summarise(&[]), Summary { always: Vec::new(), cases: Vec::new() });
    }

    /// The disjunction is the same as before, for all tables of three formulas.
    #[test]
    fn nothing_is_added_or_lost() {
        let holds = |row: &Cube, state: usize| {
            (0..3).all(|bit| row[bit].is_none_or(|value| value == (state >> bit & 1 == 1)))
        };
        for table in 1_usize..256 {
            let states: Vec<usize> = (0..8).filter(|state| table >> state & 1 == 1).collect();
            let full: Vec<Cube> =
                states.iter().map(|state| (0..3).map(|bit| Some(state >> bit & 1 == 1)).collect()).collect();
            let summary = summarise(&full);
            for state in 0..8 {
                let always = summary.always.iter().all(|(bit, value)| (state >> bit & 1 == 1) == *value);
                let case = summary.cases.is_empty() || summary.cases.iter().any(|case| holds(case, state));
                assert_eq!(always && case, states.contains(&state), "{table}: {summary:?}");
            }
        }
    }
}
