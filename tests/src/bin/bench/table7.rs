//! Table 7 of the thesis, "Benchmark characteristics and results": the figures to compare with.
//!
//! Typed in from the thesis, its chapter 6: numbers of shared and local variables, of predicates by class, of iterations, and the
//! total time on the thesis' machine, a decade older than any that measures today. The text that was at hand is a scan: for
//! INC-C it reads "174.51 187.1" in the last two columns; 187.1 is also what the thesis' next table gives.

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// The name of our program without its suffix.
    pub(crate) name: &'static str,
    /// Numbers of shared and local variables: S, L.
    pub(crate) variables: [u64; 2],
    /// Shared, single-thread, local (also counted as single-thread) and inter-thread ones: SP, ST, L, IT.
    pub(crate) predicates: [u64; 4],
    pub(crate) iterations: u64,
    /// Seconds.
    pub(crate) total: f64,
}

const fn row(
    name: &'static str,
    variables: [u64; 2],
    predicates: [u64; 4],
    iterations: u64,
    total: f64,
) -> Row {
    Row { name, variables, predicates, iterations, total }
}

/// The table, in its order.
pub(crate) const TABLE: [Row; 37] = [
    row("01-inc-l", [2, 1], [2, 2, 1, 0], 4, 1.2),
    row("02-inc-c", [1, 3], [0, 5, 4, 0], 8, 187.1),
    row("03-maxsimp-l", [3, 3], [1, 1, 0, 0], 2, 0.3),
    row("04-maxsimp-c", [2, 5], [0, 3, 2, 0], 3, 1.1),
    row("05-maxopt-l", [3, 4], [1, 2, 1, 0], 2, 1.1),
    row("06-maxopt-c", [2, 6], [0, 4, 3, 0], 3, 4.6),
    row("07-prngsimp-l", [2, 4], [2, 2, 2, 0], 4, 0.3),
    row("08-prngsimp-c", [1, 5], [0, 2, 2, 0], 2, 0.1),
    row("09-stack-l", [4, 2], [2, 1, 1, 0], 3, 0.2),
    row("10-stack-c", [3, 3], [1, 2, 2, 0], 3, 0.2),
    row("11-bsd-ak2", [1, 7], [1, 1, 1, 0], 1, 4.8),
    row("12-bsd-ra2", [2, 21], [1, 1, 0, 0], 1, 1.8),
    row("13-netbsd-sp2", [1, 28], [2, 1, 1, 0], 1, 81.7),
    row("14-solaris-sm2", [1, 56], [4, 1, 1, 0], 1, 2.4),
    row("15-boop", [5, 2], [5, 2, 2, 0], 8, 0.9),
    row("16-double-1", [3, 0], [8, 0, 0, 0], 7, 3.6),
    row("17-double-2", [3, 0], [7, 0, 0, 0], 7, 3.3),
    row("18-double-3", [3, 0], [5, 0, 0, 0], 5, 0.9),
    row("19-ticket", [3, 1], [0, 1, 0, 2], 4, 4.2),
    row("20-szymanski", [3, 0], [4, 0, 0, 0], 4, 0.3),
    row("21-peterson", [4, 0], [6, 0, 0, 0], 6, 0.4),
    row("22-dekker", [4, 0], [4, 0, 0, 0], 4, 0.3),
    row("23-rw-lock", [4, 0], [5, 0, 0, 0], 6, 0.5),
    row("24-timed-mutex", [5, 0], [5, 0, 0, 0], 4, 0.3),
    row("25-ticket-hc", [3, 1], [0, 1, 0, 2], 4, 5.3),
    row("26-tas-l", [2, 2], [4, 2, 1, 0], 4, 2.1),
    row("27-unverex", [2, 1], [4, 2, 0, 0], 6, 4.1),
    row("28-mixedasgn", [1, 1], [0, 2, 1, 0], 3, 0.3),
    row("29-cv-var", [1, 1], [1, 1, 1, 0], 1, 0.1),
    row("30-spin", [2, 0], [2, 0, 0, 0], 2, 0.1),
    row("31-mozilla-vf", [4, 3], [5, 0, 0, 0], 6, 0.4),
    row("32-minucp-ex", [1, 0], [2, 0, 0, 0], 2, 0.1),
    row("33-bs-loop", [0, 6], [0, 7, 7, 0], 1, 14.7),
    row("34-cond", [1, 3], [0, 2, 2, 0], 2, 0.1),
    row("35-s-loop", [5, 0], [3, 0, 0, 0], 3, 0.1),
    row("36-func-p", [2, 1], [2, 4, 4, 0], 6, 1.8),
    row("37-pthread", [5, 0], [6, 0, 0, 0], 6, 0.7),
];

/// The row of a program.
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::repository::root;

    #[test]
    fn every_row_has_its_program() {
        for (index, row) in TABLE.iter().enumerate() {
            assert!(row.name.starts_with(&format!("{:02}-", index + 1)), "{}", row.name);
            let path = root().join("examples/thesis").join(format!("{}.c", row.name));
            assert!(path.is_file(), "{}", path.display());
        }
    }

    #[test]
    fn the_figures_are_possible() {
        for row in &TABLE {
            let [shared, single, local, inter] = row.predicates;
            assert!(local <= single, "{}: local predicates are single-thread ones", row.name);
            assert!(shared + single + inter > 0 && row.iterations > 0 && row.total > 0.0, "{}", row.name);
        }
        assert_eq!(find("19-ticket").map(|row| (row.predicates, row.iterations)), Some(([0, 1, 0, 2], 4)));
        assert_eq!(find("19-ticket-bug"), None);
    }

    #[test]
    fn sums_of_the_columns() {
        let sum = |of: fn(&Row) -> u64| TABLE.iter().map(of).sum::<u64>();
        assert_eq!([sum(|row| row.variables[0]), sum(|row| row.variables[1])], [94, 170]);
        let predicates = [0, 1, 2, 3].map(|class| TABLE.iter().map(|row| row.predicates[class]).sum::<u64>());
        assert_eq!((predicates, sum(|row| row.iterations)), ([95, 52, 39, 4], 139));
        assert!((TABLE.iter().map(|row| row.total).sum::<f64>() - 331.5).abs() < 1e-6);
    }
}
