//! Runs that violate a property, and when they are believed.

use frontend::program::interpret::replay;
use frontend::program::{LocationId, Program, Run, trust};

/// A real run that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// The run.
    pub run: Run,
    /// The property, by number.
    pub property: usize,
}

/// A run is believed if it replays, violates the property, and takes no step that reality may not have.
pub fn believe(program: &Program, name: &str, run: Run) -> Option<Bug> {
    let property = program.properties.iter().position(|property| property.name == name)?;
    let outcome = replay(program, &run).ok()?;
    let after = *outcome.violated.get(name)?;
    let doubt = trust::doubt(&program.properties[property], after, &outcome.approximate);
    doubt.is_none().then_some(Bug { run, property })
}

/// How many threads are alive at once in a run, at most. A thread is alive from its first step until it stands where it has ended and nothing follows.
pub fn most_alive(program: &Program, run: &Run) -> usize {
    let mut leaves = vec![false; program.locations.len()];
    for edge in &program.edges {
        leaves[edge.from.index()] = true;
    }
    let has_ended = |location: LocationId| {
        !leaves[location.index()] && program.locations[location.index()].may_end.is_true()
    };
    let mut alive = vec![false; run.threads.max(1)];
    alive[0] = true;
    let mut most = 1;
    for step in &run.steps {
        if let Some(alive) = alive.get_mut(step.thread) {
            *alive = !has_ended(program.edge(step.edge).to);
        }
        most = most.max(alive.iter().filter(|alive| **alive).count());
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::program::text::read;
    use frontend::program::{Choice, EdgeId};

    /// Two threads start one after the other; whether the first has ended by then makes the difference.
    #[test]
    fn threads_that_have_ended_are_not_alive() {
        let text = |end: &str| {
            format!(
                "program 1
                location 0
                location 1
                location 2
                location 3 {end}
                main 0
                pool 1
                edge 0: 1 -> 2
                edge 1: 2 -> 3
                property p assertion \"p\" at 3
                "
            )
        };
        let step = |thread, edge| Choice {
            thread,
            edge: EdgeId(edge),
            inputs: Vec::new(),
            passive_inputs: Vec::new(),
        };
        let steps = vec![step(1, 0), step(1, 1), step(2, 0)];
        let run = Run { threads: 3, initial: Vec::new(), steps };
        assert_eq!(most_alive(&read(&text("may_end")).unwrap(), &run), 2);
        assert_eq!(most_alive(&read(&text("")).unwrap(), &run), 3);
    }
}
