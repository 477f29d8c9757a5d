//! An abstraction as an EMDR file with its meaning: section 5.2 of the thesis; and a run of it with what holds after each step.
//!
//! The file has the question in it, so that `breach FILE` answers it: no target is coverable if and only if the abstraction shows that
//! the program is safe. Comments say which predicates hold in which shared state, and where a thread in a local state is and
//! which predicates hold there; predicates that are not in scope there are not mentioned.

use crate::abstraction::Bits;
use crate::abstraction::system::Abstraction;
use crate::predicate::{Chosen, PredicateId, Store};
use breach::emdr::NotExpressible;
use breach::input::Input;
use breach::trace::{Role, Trace};
use frontend::program::infix::Infix;
use frontend::program::{LocationId, Program};

/// The text of the file.
pub fn emdr(
    program: &Program,
    abstraction: &Abstraction,
    store: &Store,
    chosen: &Chosen,
) -> Result<String, NotExpressible> {
    let Abstraction { problem, .. } = abstraction;
    let input = Input {
        system: problem.system.clone(),
        init: Some(problem.init.clone()),
        targets: problem.targets.clone(),
    };
    let system = breach::emdr::print(&input)?;
    Ok(Header { program, abstraction, store, chosen, infix: Infix::new(program) }.text() + &system)
}

/// A run of the abstraction, with the predicates that hold after each step: those of the shared state, and those of each thread that moved.
pub fn run(
    program: &Program,
    abstraction: &Abstraction,
    store: &Store,
    chosen: &Chosen,
    trace: &Trace,
) -> String {
    let header = Header { program, abstraction, store, chosen, infix: Infix::new(program) };
    let mut text = format!("threads {}\n\nat first\n", trace.threads.len());
    text.push_str(&header.shared_line(trace.shared));
    for (thread, local) in trace.threads.iter().enumerate() {
        text.push_str(&header.thread_line(thread as u32, *local));
    }
    for (number, step) in trace.steps.iter().enumerate() {
        let edge = abstraction.edges.get(step.transition).copied().flatten();
        let origin = edge.and_then(|edge| program.edges.get(edge.index())?.origin.first());
        let source = origin.map_or_else(String::new, |origin| format!(": {}", origin.text));
        let active = step.moves.iter().find(|step| step.role == Role::Active);
        let who = active.map_or_else(|| "a step".to_owned(), |active| format!("thread {}", active.thread));
        text.push_str(&format!("\n{:>4} {who}{source}\n", number + 1));
        if let Some(transition) = abstraction.problem.system.transitions.get(step.transition) {
            text.push_str(&header.shared_line(transition.to));
        }
        for moved in &step.moves {
            text.push_str(&moved.to.map_or_else(String::new, |to| header.thread_line(moved.thread, to)));
        }
    }
    text
}

struct Header<'a> {
    program: &'a Program,
    abstraction: &'a Abstraction,
    store: &'a Store,
    chosen: &'a Chosen,
    infix: Infix<'a>,
}

impl Header<'_> {
    fn text(&self) -> String {
        let mut lines = vec![format!("abstraction by monabs {}", env!("CARGO_PKG_VERSION"))];
        for id in self.chosen.iter() {
            let predicate = self.store.get(id);
            lines.push(format!("{} predicate: {}", predicate.class, self.infix.term(predicate.term)));
        }
        let template = &self.abstraction.template;
        for (number, bits) in template.shared.iter().enumerate() {
            let values = self.values(&self.chosen.shared, *bits, None);
            lines.push(format!("shared {number}: {}", or_none(&values)));
        }
        let error = self.abstraction.error;
        lines.push(format!("shared {error}: a thread has reached an error"));
        for (number, local) in template.locals.iter().enumerate() {
            let place = self.place(local.location);
            let values = self.values(&self.chosen.thread, local.bits, Some(local.location));
            lines.push(format!("local {number}: {place}: {}", or_none(&values)));
        }
        let sink = self.abstraction.sink;
        lines.push(format!("local {sink}: was in the way of a step and counts no more"));
        if template.beginnings.len() != 1 {
            let (shared, main) = (error + 1, sink + 1);
            lines.push(format!("shared {shared}: before the first step, which chooses an initial state"));
            lines.push(format!("local {main}: the initial thread before that"));
            lines.push(format!("local {}: other threads before that", main + 1));
        }
        if let Some(never) = self.abstraction.never {
            lines.push(format!("shared {never}: stands for the errors, none of which is left"));
        }
        // A name with a line end in it would end the comment.
        let one_line = |line: &String| format!("# {}\n", line.replace(|c: char| c.is_control(), " "));
        lines.iter().map(one_line).collect()
    }

    fn shared_line(&self, state: u32) -> String {
        let values = match self.abstraction.template.shared.get(state as usize) {
            Some(bits) => or_none(&self.values(&self.chosen.shared, *bits, None)),
            None if state == self.abstraction.error => "a thread has reached an error".to_owned(),
            None => "before the first step".to_owned(),
        };
        format!("       shared: {values}\n")
    }

    fn thread_line(&self, thread: u32, state: u32) -> String {
        let values = match self.abstraction.template.locals.get(state as usize) {
            Some(local) => {
                let values = self.values(&self.chosen.thread, local.bits, Some(local.location));
                format!("{}: {}", self.place(local.location), or_none(&values))
            }
            None if state == self.abstraction.sink => {
                "was in the way of a step and counts no more".to_owned()
            }
            None => "before the first step".to_owned(),
        };
        format!("       thread {thread}: {values}\n")
    }

    /// The predicates that a state has bits for, as they are in it.
    fn values(&self, predicates: &[PredicateId], bits: Bits, location: Option<LocationId>) -> Vec<String> {
        let mut values = Vec::new();
        for (bit, &id) in predicates.iter().enumerate() {
            let predicate = self.store.get(id);
            if location.is_none_or(|location| predicate.in_scope(location)) {
                let term = self.infix.term(predicate.term);
                let holds = bits.checked_shr(bit as u32).is_some_and(|bits| bits & 1 == 1);
                values.push(if holds { term } else { format!("!({term})") });
            }
        }
        values
    }

    /// Where a location is, for people.
    fn place(&self, id: LocationId) -> String {
        let mut text = format!("location {}", id.0);
        // Counting threads tells apart where they end.
        let Some(location) = self.program.locations.get(id.index()) else {
            text.push_str(", ended");
            return text;
        };
        if id == self.program.main {
            text.push_str(", the initial thread");
        }
        if Some(id) == self.program.pool {
            text.push_str(", not started");
        }
        if !location.function.as_str().is_empty() {
            text.push_str(&format!(", {}", location.function));
        }
        if let Some(file) = self.program.files.get(location.position.file.index())
            && location.position.is_some()
        {
            text.push_str(&format!(", {file}:{}", location.position.line));
        }
        text
    }
}

fn or_none(values: &[String]) -> String {
    if values.is_empty() { "no predicates".to_owned() } else { values.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::{Evidence, Nobody, Options, Verdict, verify};
    use breach::diagnostics::Source;
    use breach::system::Problem;

    /// A lock, and a shared variable with any value at the start; the name of the file would end a comment.
    const LOCK: &str = r#"program 1
file 0 "a\nb.c"
shared held: bool = false
shared inside: bool = false
shared any: bool
location 0 in work @0:1:0
location 1 in work @0:2:0
location 2 in work @0:3:0
location 3
main 0
pool 0
edge 0: 0 -> 1
  guard (not held)
  assign held := true
edge 1: 1 -> 2
  guard (not inside)
  assign inside := true
edge 2: 1 -> 3
  guard (and inside any)
edge 3: 2 -> 0
  assign inside := false
  assign held := false
property p assertion "alone" at 3
"#;

    #[test]
    fn the_file_has_the_question_and_its_meaning() {
        let program = frontend::program::text::read(LOCK).unwrap();
        let options = Options::alone();
        let outcome = verify(&program, &options, &mut Nobody).unwrap();
        assert!(matches!(outcome.verdict, Verdict::Safe(_)));
        let abstraction = outcome.abstraction.unwrap();
        let text = emdr(&program, &abstraction, &outcome.store, &outcome.chosen).unwrap();
        for part in [
            "# shared predicate: any\n",
            "# local 0: location 0, the initial thread, not started, work, a b.c:1: ",
            ": a thread has reached an error\n",
            ": was in the way of a step and counts no more\n",
            ": before the first step, which chooses an initial state\n",
        ] {
            assert!(text.contains(part), "{part:?} is missing: {text}");
        }
        let read = breach::emdr::parse(Source { name: "lock.emdr", text: &text }).unwrap();
        let problem = abstraction.problem;
        assert_eq!(read.system.transitions, problem.system.transitions);
        assert_eq!((read.init, read.targets), (Some(problem.init), problem.targets));
    }

    #[test]
    fn a_file_without_errors_still_has_a_question() {
        // Nothing leads to the error once it is known that nothing is inside.
        let text = LOCK.replace("assign inside := true", "assign inside := false");
        let program = frontend::program::text::read(&text).unwrap();
        let options = Options::alone();
        let outcome = verify(&program, &options, &mut Nobody).unwrap();
        let Verdict::Safe(Evidence::Proof(proof)) = outcome.verdict else { panic!("it is safe") };
        let abstraction = outcome.abstraction.unwrap();
        let text = emdr(&program, &abstraction, &outcome.store, &outcome.chosen).unwrap();
        assert!(text.contains(": stands for the errors, none of which is left\n"), "{text}");
        let read = breach::emdr::parse(Source { name: "lock.emdr", text: &text }).unwrap();
        let problem = Problem { system: read.system, init: read.init.unwrap(), targets: read.targets };
        assert_eq!(problem.targets.len(), 1);
        breach::check::verify_problem(&problem, &proof).unwrap();
    }
}
