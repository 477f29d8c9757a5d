//! How many states a backward search keeps from iteration to iteration (thesis, figures 22 and 25).

/// Numbers of states after numbers of iterations. Long searches are sampled: the points stay few, and evenly spread.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    points: Vec<(u64, u64)>,
    /// Every so many iterations there is a point.
    stride: u64,
}

/// When there are so many points, every other one is dropped.
const MOST: usize = 2_048;

impl Default for Curve {
    fn default() -> Self {
        Self { points: Vec::new(), stride: 1 }
    }
}

impl Curve {
    /// The number of states at the end of an iteration; the first is number 1.
    pub(crate) fn note(&mut self, iteration: u64, states: u64) {
        if !iteration.is_multiple_of(self.stride) {
            return;
        }
        self.points.push((iteration, states));
        if self.points.len() >= MOST {
            self.stride *= 2;
            let stride = self.stride;
            self.points.retain(|point| point.0.is_multiple_of(stride));
        }
    }

    /// The points before the end of a search, and its end.
    pub(crate) fn until(&self, iterations: u64, states: u64) -> Vec<(u64, u64)> {
        let before = self.points.iter().copied().take_while(|point| point.0 < iterations);
        before.chain([(iterations, states)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_searches_are_sampled() {
        let mut curve = Curve::default();
        for iteration in 1..=10_000 {
            curve.note(iteration, iteration * 3);
        }
        let points = curve.until(10_000, 7);
        assert!((1_024..=2_048).contains(&points.len()), "{}", points.len());
        assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(points[..points.len() - 1].iter().all(|point| point.1 == point.0 * 3));
        assert_eq!(points.last(), Some(&(10_000, 7)));
        let start = curve.until(100, 5);
        assert!(start.iter().all(|point| point.0 <= 100) && start.last() == Some(&(100, 5)));
    }

    #[test]
    fn short_ones_are_complete() {
        let mut curve = Curve::default();
        [4, 6, 5].into_iter().zip(1..).for_each(|(states, iteration)| curve.note(iteration, states));
        assert_eq!(curve.until(3, 5), [(1, 4), (2, 6), (3, 5)]);
        assert_eq!(Curve::default().until(0, 1), [(0, 1)]);
    }
}
