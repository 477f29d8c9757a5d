//! How far the search has come, in one line.

use breach::coverability::Progress;

/// At most 79 characters for all numbers that occur.
pub(super) fn line(progress: &Progress) -> String {
    let Progress { elapsed, iterations, states, forward_nodes, .. } = progress;
    let seconds = elapsed.as_secs_f64();
    format!("{seconds:.1} s: {iterations} iterations, {states} states, {forward_nodes} forward nodes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_line_fits_a_terminal() {
        let progress = Progress {
            elapsed: Duration::from_secs(86_400),
            iterations: 1_000_000_000,
            states: 100_000_000,
            ..Progress::default()
        };
        let text = line(&progress);
        assert_eq!(text, "86400.0 s: 1000000000 iterations, 100000000 states, 0 forward nodes");
        assert!(text.len() < 70);
    }
}
