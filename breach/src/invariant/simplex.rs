//! A small dual simplex method that takes constraints as they are found to be violated.
//!
//! Minimises c * x over x >= 0 subject to rows a * x >= b. Costs are positive, so x = 0 is optimal before any
//! row is there, and each new row is repaired by dual pivots from the last optimum. Variables come into
//! being with the first row that mentions them: what no row mentions stays 0 and costs nothing. Floating
//! point is good enough here because nobody trusts the result: it is rounded and checked exactly.

use rustc_hash::FxHashMap;

const EPSILON: f64 = 1e-9;

/// Where a variable is.
#[derive(Clone, Copy)]
enum Place {
    /// A column of the tableau; its value is 0.
    Column(usize),
    /// The left side of a row; its value is the row's constant.
    Row(usize),
}

/// `basic = constant + coefficients * columns`
struct Row {
    basic: usize,
    constant: f64,
    coefficients: Vec<f64>,
}

/// The tableau.
#[derive(Default)]
pub(super) struct Simplex {
    rows: Vec<Row>,
    /// The variable in each column and its reduced cost.
    columns: Vec<(usize, f64)>,
    places: Vec<Place>,
    /// Inner numbers of the caller's variables.
    variables: FxHashMap<u32, usize>,
    /// Multiplications so far.
    pub(super) cost: u64,
}

/// Why there is no optimum.
pub(super) enum Failure {
    /// The rows contradict each other.
    Infeasible,
    /// The cost limit was reached.
    TooExpensive,
}

impl Simplex {
    /// The value of a variable of the caller.
    pub(super) fn value(&self, variable: u32) -> f64 {
        match self.variables.get(&variable).map(|&v| self.places[v]) {
            Some(Place::Row(row)) => self.rows[row].constant.max(0.0),
            _ => 0.0,
        }
    }

    /// Adds the row `terms >= bound`; call [`Simplex::solve`] afterwards. `cost` gives the cost of a variable
    /// that is mentioned for the first time.
    pub(super) fn add_row(&mut self, terms: &[(u32, f64)], bound: f64, cost: impl Fn(u32) -> f64) {
        for &(variable, _) in terms {
            if !self.variables.contains_key(&variable) {
                let inner = self.places.len();
                self.variables.insert(variable, inner);
                self.places.push(Place::Column(self.columns.len()));
                self.columns.push((inner, cost(variable)));
                for row in &mut self.rows {
                    row.coefficients.push(0.0);
                }
            }
        }
        let slack = self.places.len();
        self.places.push(Place::Row(self.rows.len()));
        let mut row = Row { basic: slack, constant: -bound, coefficients: vec![0.0; self.columns.len()] };
        for &(variable, factor) in terms {
            match self.places[self.variables[&variable]] {
                Place::Column(column) => row.coefficients[column] += factor,
                Place::Row(other) => {
                    let other = &self.rows[other];
                    row.constant += factor * other.constant;
                    for (mine, theirs) in row.coefficients.iter_mut().zip(&other.coefficients) {
                        *mine += factor * theirs;
                    }
                }
            }
        }
        self.rows.push(row);
    }

    /// Restores optimality, unless the cost passes `max_cost`.
    pub(super) fn solve(&mut self, max_cost: u64) -> Result<(), Failure> {
        loop {
            if self.cost >= max_cost {
                return Err(Failure::TooExpensive);
            }
            self.cost += self.rows.len() as u64 + self.columns.len() as u64;
            let worst = self.rows.iter().enumerate().filter(|(_, row)| row.constant < -EPSILON);
            let Some((leaving, _)) = worst.min_by(|a, b| a.1.constant.total_cmp(&b.1.constant)) else {
                return Ok(());
            };
            let ratio = |(column, &factor): (usize, &f64)| {
                (factor > EPSILON).then(|| (self.columns[column].1 / factor, column))
            };
            let ratios = self.rows[leaving].coefficients.iter().enumerate().filter_map(ratio);
            let best = ratios.min_by(|a, b| {
                let by_variable = self.columns[a.1].0.cmp(&self.columns[b.1].0);
                a.0.total_cmp(&b.0).then(by_variable)
            });
            let Some((_, entering)) = best else { return Err(Failure::Infeasible) };
            self.pivot(leaving, entering);
        }
    }

    fn pivot(&mut self, leaving: usize, entering: usize) {
        let mut row = std::mem::replace(
            &mut self.rows[leaving],
            Row { basic: 0, constant: 0.0, coefficients: Vec::new() },
        );
        // basic = k + f * x + rest  becomes  x = (basic - k - rest) / f
        let factor = row.coefficients[entering];
        row.coefficients[entering] = -1.0;
        for coefficient in &mut row.coefficients {
            *coefficient /= -factor;
        }
        row.constant /= -factor;
        let (entered, left) = (self.columns[entering].0, row.basic);
        row.basic = entered;
        self.places[entered] = Place::Row(leaving);
        self.places[left] = Place::Column(entering);
        let nonzero: Vec<(usize, f64)> =
            row.coefficients.iter().copied().enumerate().filter(|c| c.1 != 0.0).collect();
        for other in &mut self.rows {
            let Some(times) = other.coefficients.get(entering).copied().filter(|&t| t != 0.0) else {
                continue;
            };
            other.coefficients[entering] = 0.0;
            self.cost += nonzero.len() as u64;
            for &(column, coefficient) in &nonzero {
                let entry = &mut other.coefficients[column];
                *entry += times * coefficient;
                if entry.abs() < 1e-12 {
                    *entry = 0.0;
                }
            }
            other.constant += times * row.constant;
        }
        let cost = self.columns[entering].1;
        self.columns[entering] = (left, 0.0);
        for &(column, coefficient) in &nonzero {
            self.columns[column].1 += cost * coefficient;
        }
        self.rows[leaving] = row;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_optimum_and_contradictions() {
        // minimise x + y, x + 2y >= 4, 3x + y >= 6: optimum at x = 8/5, y = 6/5.
        let mut simplex = Simplex::default();
        simplex.add_row(&[(0, 1.0), (1, 2.0)], 4.0, |_| 1.0);
        assert!(simplex.solve(10_000).is_ok());
        simplex.add_row(&[(0, 3.0), (1, 1.0)], 6.0, |_| 1.0);
        assert!(simplex.solve(10_000).is_ok());
        assert!((simplex.value(0) - 1.6).abs() < 1e-9 && (simplex.value(1) - 1.2).abs() < 1e-9);
        simplex.add_row(&[(0, -1.0), (2, -1.0)], 0.0, |_| 1.0);
        assert!(simplex.solve(10_000).is_ok());
        assert!(simplex.value(0).abs() < 1e-9 && (simplex.value(1) - 6.0).abs() < 1e-9);
        simplex.add_row(&[(1, -1.0)], -5.0, |_| 1.0);
        assert!(simplex.solve(10_000).is_err());
    }
}
