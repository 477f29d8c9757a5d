//! Which solver: a word on the command line, and the solver that it stands for.

use std::fmt;
use std::str::FromStr;

use super::session::Session;
use super::{Config, Solver, SolverError};
use crate::process::Process;
#[cfg(any(feature = "cadical", feature = "batsat"))]
use crate::sat::SatChoice;

/// Which solver to use.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SolverChoice {
    /// Z3 in this process.
    #[cfg(feature = "z3")]
    Z3,
    /// Clauses for a SAT solver in this process.
    #[cfg(any(feature = "cadical", feature = "batsat"))]
    Sat(SatChoice),
    /// The program z3.
    Z3Pipe,
    /// The program cvc5.
    Cvc5,
    /// Any program that reads SMT-LIB 2 from its standard input: its name and its arguments.
    Pipe(Vec<String>),
}

impl Default for SolverChoice {
    #[cfg(feature = "z3")]
    fn default() -> SolverChoice {
        SolverChoice::Z3
    }

    #[cfg(not(feature = "z3"))]
    fn default() -> SolverChoice {
        SolverChoice::Z3Pipe
    }
}

impl FromStr for SolverChoice {
    type Err = SolverError;

    fn from_str(text: &str) -> Result<SolverChoice, SolverError> {
        match text {
            #[cfg(feature = "z3")]
            "z3" => return Ok(SolverChoice::Z3),
            #[cfg(any(feature = "cadical", feature = "batsat"))]
            "sat" => return Ok(SolverChoice::Sat(SatChoice::default())),
            "z3-pipe" => return Ok(SolverChoice::Z3Pipe),
            "cvc5" => return Ok(SolverChoice::Cvc5),
            _ => {}
        }
        #[cfg(any(feature = "cadical", feature = "batsat"))]
        if let Some(name) = text.strip_prefix("sat:") {
            let named = SatChoice::ALL.iter().find(|choice| choice.name() == name);
            return named
                .map(|&choice| SolverChoice::Sat(choice))
                .ok_or_else(|| SolverError::UnknownSolver(text.to_owned()));
        }
        let words: Vec<String> =
            text.strip_prefix("pipe:").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err(SolverError::UnknownSolver(text.to_owned()));
        }
        Ok(SolverChoice::Pipe(words))
    }
}

impl fmt::Display for SolverChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "z3")]
            SolverChoice::Z3 => f.write_str("z3"),
            #[cfg(any(feature = "cadical", feature = "batsat"))]
            SolverChoice::Sat(choice) => write!(f, "sat:{}", choice.name()),
            SolverChoice::Z3Pipe => f.write_str("z3-pipe"),
            SolverChoice::Cvc5 => f.write_str("cvc5"),
            SolverChoice::Pipe(words) => write!(f, "pipe:{}", words.join(" ")),
        }
    }
}

/// A new solver for the thread that asks for it.
pub fn create(choice: &SolverChoice, config: &Config) -> Result<Box<dyn Solver>, SolverError> {
    let backend = match choice {
        #[cfg(feature = "z3")]
        SolverChoice::Z3 => return Ok(Box::new(Session::new(crate::z3::Z3::new(), config))),
        #[cfg(any(feature = "cadical", feature = "batsat"))]
        SolverChoice::Sat(choice) => {
            return Ok(Box::new(Session::new(crate::blast::SatBackend::new(*choice), config)));
        }
        SolverChoice::Z3Pipe => Process::z3()?,
        SolverChoice::Cvc5 => Process::cvc5()?,
        SolverChoice::Pipe(words) => Process::new(words)?,
    };
    Ok(Box::new(Session::new(backend, config)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_back() {
        for word in ["z3-pipe", "cvc5", "pipe:yices-smt2 --incremental"] {
            assert_eq!(word.parse::<SolverChoice>().unwrap().to_string(), word);
        }
        let choice: SolverChoice = "pipe:  solver   -a ".parse().unwrap();
        assert_eq!(choice, SolverChoice::Pipe(vec!["solver".to_owned(), "-a".to_owned()]));
        for word in ["", "z4", "pipe:", "pipe:  ", "Z3", "sat:", "sat:z3"] {
            assert!(matches!(word.parse::<SolverChoice>(), Err(SolverError::UnknownSolver(_))), "{word}");
        }
    }

    #[cfg(all(feature = "cadical", feature = "batsat"))]
    #[test]
    fn words_for_sat_solvers() {
        for word in ["sat:cadical", "sat:batsat"] {
            let choice: SolverChoice = word.parse().unwrap();
            assert_eq!(choice.to_string(), word);
            assert_eq!(create(&choice, &Config::default()).unwrap().name(), word);
        }
        assert_eq!("sat".parse::<SolverChoice>().unwrap(), SolverChoice::Sat(SatChoice::Cadical));
    }
}
