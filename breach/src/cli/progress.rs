//! How far the search has come, in one line.

use breach::coverability::Progress;

/// Together with the clock at most 79 characters for all numbers that occur.
pub(super) fn line(progress: &Progress) -> String {
    let Progress { iterations, states, forward_nodes, .. } = progress;
    format!("searching: {iterations} iterations, {states} states, {forward_nodes} forward nodes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_a_terminal() {
        let progress = Progress { iterations: 1_000_000_000, states: 100_000_000, ..Progress::default() };
        let text = line(&progress);
        assert_eq!(text, "searching: 1000000000 iterations, 100000000 states, 0 forward nodes");
        assert!(text.len() < 70);
    }
}
