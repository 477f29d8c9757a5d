//! Sums over runs, and the comparison with a reference.

/// What one tool needed for one system. Times in seconds, memory in megabytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cost {
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
    pub(crate) memory: f64,
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), |a, b| Cost {
            wall: a.wall + b.wall,
            cpu: a.cpu + b.cpu,
            memory: a.memory + b.memory,
        })
    }
}

/// One system: what we needed if we had an answer, and what the reference needed if it had one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pair<'a> {
    pub(crate) name: &'a str,
    pub(crate) ours: Option<Cost>,
    pub(crate) reference: Option<Cost>,
}

/// The sums of many systems.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Summary {
    pub(crate) systems: usize,
    pub(crate) solved: usize,
    pub(crate) reference_solved: usize,
    /// Over all that we solve.
    pub(crate) ours: Cost,
    /// How many both solve.
    pub(crate) both: usize,
    /// Over all that both solve.
    pub(crate) ours_on_both: Cost,
    pub(crate) reference_on_both: Cost,
}

impl Summary {
    pub(crate) fn of(pairs: &[Pair<'_>]) -> Summary {
        let both: Vec<_> = pairs.iter().filter_map(|p| Some((p.ours?, p.reference?))).collect();
        Summary {
            systems: pairs.len(),
            solved: pairs.iter().filter(|p| p.ours.is_some()).count(),
            reference_solved: pairs.iter().filter(|p| p.reference.is_some()).count(),
            ours: pairs.iter().filter_map(|p| p.ours).sum(),
            both: both.len(),
            ours_on_both: both.iter().map(|b| b.0).sum(),
            reference_on_both: both.iter().map(|b| b.1).sum(),
        }
    }

    /// How many times more processor time the reference needs where both have answers.
    pub(crate) fn speedup(&self) -> Option<f64> {
        ratio(self.reference_on_both.cpu, self.ours_on_both.cpu)
    }
}

/// A quotient where there is one.
pub(crate) fn ratio(a: f64, b: f64) -> Option<f64> {
    (b > 0.0 && a > 0.0).then_some(a / b)
}

/// The systems on which we are slower than the reference by more than `seconds`, with by how much.
pub(crate) fn slower<'a>(pairs: &[Pair<'a>], seconds: f64, time: fn(&Cost) -> f64) -> Vec<(&'a str, f64)> {
    let difference = |p: &Pair<'a>| Some((p.name, time(&p.ours?) - time(&p.reference?)));
    pairs.iter().filter_map(difference).filter(|(_, by)| *by > seconds).collect()
}

/// The points of a cactus plot: (number of systems, time of the slowest of them).
pub(crate) fn cactus(times: impl IntoIterator<Item = f64>) -> Vec<(f64, f64)> {
    let mut times: Vec<_> = times.into_iter().collect();
    times.sort_by(f64::total_cmp);
    times.into_iter().enumerate().map(|(index, time)| ((index + 1) as f64, time)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(wall: f64, cpu: f64, memory: f64) -> Option<Cost> {
        Some(Cost { wall, cpu, memory })
    }

    fn pairs() -> Vec<Pair<'static>> {
        vec![
            Pair { name: "a", ours: cost(1.0, 2.0, 3.0), reference: cost(2.0, 4.0, 6.0) },
            Pair { name: "b", ours: cost(0.5, 0.5, 8.0), reference: None },
            Pair { name: "c", ours: None, reference: cost(1.0, 1.0, 1.0) },
            Pair { name: "d", ours: cost(1.0, 1.5, 1.0), reference: cost(2.0, 1.0, 1.0) },
        ]
    }

    #[test]
    fn ratios_are_over_what_both_solve() {
        let summary = Summary::of(&pairs());
        assert_eq!((summary.systems, summary.solved, summary.reference_solved, summary.both), (4, 3, 3, 2));
        assert_eq!(Some(summary.ours), cost(2.5, 4.0, 12.0));
        assert_eq!(Some(summary.ours_on_both), cost(2.0, 3.5, 4.0));
        assert_eq!(Some(summary.reference_on_both), cost(4.0, 5.0, 7.0));
        assert_eq!(summary.speedup(), Some(5.0 / 3.5));
        assert_eq!(Summary::of(&[]).speedup(), None);
    }

    #[test]
    fn who_is_slower() {
        assert_eq!(slower(&pairs(), 0.1, |cost| cost.cpu), [("d", 0.5)]);
        assert_eq!(slower(&pairs(), 0.1, |cost| cost.wall), []);
    }

    #[test]
    fn cactus_points_ascend() {
        assert_eq!(cactus([3.0, 1.0, 2.0]), [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
        assert_eq!(cactus([]), []);
    }

    #[test]
    fn no_ratio_of_nothing() {
        assert_eq!((ratio(1.0, 0.0), ratio(0.0, 1.0), ratio(3.0, 2.0)), (None, None, Some(1.5)));
    }
}
