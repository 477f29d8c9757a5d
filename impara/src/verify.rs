//! The entry: a program and options in, an answer out.

use crate::dot;
use crate::modular;
use crate::options::{Options, Outcome, Statistics, Unknown, Verdict};
use crate::proof::Proof;
use crate::search::{End, Search};
use crate::system::System;
use frontend::program::{Program, trust};
use smt::SolverError;

/// Verifies a program; `drawn` asks for a drawing of the tree.
pub fn verify(program: &Program, options: &Options, drawn: bool) -> Result<Outcome, SolverError> {
    let without_tree =
        |verdict| Ok(Outcome { verdict, statistics: Statistics::default(), longest: Vec::new(), dot: None });
    if options.modular && trust::may_be_safe(program).is_ok() {
        match modular::prove(program, options) {
            Ok(Some(modular)) => return without_tree(Verdict::Safe(Proof::of_places(modular))),
            Ok(None) => {}
            Err(_) if options.config.interrupt.is_stopped() => {
                return without_tree(Verdict::Unknown(Unknown::Stopped));
            }
            Err(error) => return Err(error),
        }
    }
    let system = match System::new(program) {
        Ok(system) => system,
        Err(obstacle) => return without_tree(Verdict::Unknown(Unknown::Obstacle(obstacle))),
    };
    let mut search = Search::new(&system, options)?;
    let end = search.run();
    let statistics = search.statistics();
    let dot = drawn.then(|| dot::draw(&system, &search.tree));
    let verdict = match end {
        Err(End::Error(_)) if options.config.interrupt.is_stopped() => Verdict::Unknown(Unknown::Stopped),
        Err(End::Error(error)) => return Err(error),
        Err(End::Bug(bug)) => Verdict::Bug(bug),
        Err(End::Unknown(reason)) => Verdict::Unknown(reason),
        Ok(()) => match (search.obstacle.take(), trust::may_be_safe(program)) {
            (Some(reason), _) => Verdict::Unknown(reason),
            (None, Err(note)) => Verdict::Unknown(Unknown::Under(note)),
            (None, Ok(_)) => Verdict::Safe(Proof::of(&system, &search.tree)),
        },
    };
    let longest = match &verdict {
        Verdict::Unknown(_) => search.longest(),
        Verdict::Safe(_) | Verdict::Bug(_) => Vec::new(),
    };
    Ok(Outcome { verdict, statistics, longest, dot })
}
