//! The ways in which a question can be asked: algorithm, oracle, widening, reductions, invariants, threads.
//!
//! All of them must give the same answer. [`Combination::all`] is the full product, [`Combination::sample`] a few of
//! them, such that over many systems each value of each option meets each value of each other one.

use crate::random::Random;
use breach::Reductions;
use breach::coverability::{Algorithm, Options};

/// One way to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The number of threads of a widening candidate, 0 for any; `None` for no widening.
    pub width: Option<u32>,
    /// Whether the forward search helps.
    pub oracle: bool,
    /// The reductions.
    pub reductions: Reductions,
    /// From which amount of work on invariants are looked for; `None` for never.
    pub invariants_from: Option<u64>,
    /// The number of threads.
    pub threads: usize,
}

const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::Backward, Algorithm::Widening, Algorithm::Optimistic, Algorithm::Forward];
const WIDTHS: [Option<u32>; 4] = [Some(1), Some(2), Some(0), None];
const SWITCH: [bool; 2] = [false, true];
const INVARIANTS: [Option<u64>; 2] = [None, Some(0)];
const THREADS: [usize; 2] = [1, 2];

impl Combination {
    /// What the tool does when nothing is asked for.
    pub fn default_options() -> Self {
        let options = Options::default();
        Self {
            algorithm: options.algorithm,
            width: options.widening.then_some(options.widening_width),
            oracle: options.oracle,
            reductions: options.reductions,
            invariants_from: options.invariants.then_some(options.invariants_from),
            threads: options.threads,
        }
    }

    /// The classical search and nothing else.
    pub fn classical() -> Self {
        Self {
            algorithm: Algorithm::Backward,
            width: None,
            oracle: false,
            reductions: Reductions::NONE,
            invariants_from: None,
            threads: 1,
        }
    }

    /// The options for it, with a proof.
    pub fn options(&self) -> Options {
        let default = Options::default();
        Options {
            algorithm: self.algorithm,
            widening_width: self.width.unwrap_or(default.widening_width),
            widening: self.width.is_some(),
            oracle: self.oracle,
            reductions: self.reductions,
            invariants: self.invariants_from.is_some(),
            invariants_from: self.invariants_from.unwrap_or(default.invariants_from),
            threads: self.threads,
            proof: true,
            ..default
        }
    }

    /// All that differ: the forward search knows neither widening nor invariants, the classical search no widening.
    pub fn all() -> Vec<Combination> {
        let mut all = Vec::new();
        for algorithm in ALGORITHMS {
            for width in WIDTHS {
                for oracle in SWITCH {
                    for reductions in reductions() {
                        for invariants_from in INVARIANTS {
                            for threads in THREADS {
                                let it = Combination {
                                    algorithm,
                                    width,
                                    oracle,
                                    reductions,
                                    invariants_from,
                                    threads,
                                };
                                all.push(it.normal());
                            }
                        }
                    }
                }
            }
        }
        let mut distinct: Vec<Combination> = Vec::new();
        for combination in all {
            if !distinct.contains(&combination) {
                distinct.push(combination);
            }
        }
        distinct
    }

    /// One per algorithm with random options, one of any kind, and the default.
    pub fn sample(seed: u64) -> Vec<Combination> {
        let mut random = Random::new(seed);
        let mut sample = vec![Combination::default_options()];
        sample.extend(ALGORITHMS.map(|algorithm| Combination::random(&mut random, algorithm)));
        let algorithm = *random.pick(&ALGORITHMS[..3]);
        sample.push(Combination::random(&mut random, algorithm));
        sample
    }

    fn random(random: &mut Random, algorithm: Algorithm) -> Self {
        let it = Combination {
            algorithm,
            width: *random.pick(&WIDTHS),
            oracle: *random.pick(&SWITCH),
            reductions: *random.pick(&reductions()),
            invariants_from: *random.pick(&INVARIANTS),
            threads: *random.pick(&THREADS),
        };
        it.normal()
    }

    /// Options that an algorithm does not know are brought to one value.
    fn normal(self) -> Self {
        match self.algorithm {
            Algorithm::Forward => Self { width: None, oracle: false, invariants_from: None, ..self },
            Algorithm::Backward => Self { width: None, ..self },
            Algorithm::Widening | Algorithm::Optimistic => self,
        }
    }
}

/// All subsets: with all, with none, each alone, each missing.
fn reductions() -> [Reductions; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|bits| Reductions {
        unreachable: bits & 1 != 0,
        irrelevant: bits & 2 != 0,
        merge: bits & 4 != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_cover_all_combinations() {
        let all = Combination::all();
        assert!(all.len() > 500, "{}", all.len());
        let mut missing = all;
        for seed in 0..3_000 {
            let sample = Combination::sample(seed);
            assert_eq!(sample.len(), 6);
            missing.retain(|c| !sample.contains(c));
        }
        assert!(missing.len() < 30, "{} combinations are never asked", missing.len());
    }

    #[test]
    fn default_is_default() {
        let (ours, default) = (Combination::default_options().options(), Options::default());
        assert_eq!(ours.algorithm, default.algorithm);
        assert_eq!(ours.widening_width, default.widening_width);
        assert_eq!(ours.reductions, Reductions::ALL);
        assert_eq!((ours.widening, ours.oracle, ours.invariants), (true, true, true));
    }
}
