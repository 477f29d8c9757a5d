//! What an answer is based on beside the program: part of the answer, a line for each, in every form of it.
//!
//! A proof uses all assumptions about code that it is about. A run is one under the strictest order of memory accesses, so that only
//! those about values count, where the run passes them. With `--strict` there is no answer that assumes something.

use crate::listing::place_json;
use crate::notes::place;
use crate::runs::Recorded;
use crate::verdict::Verdict;
use frontend::program::{Assumption, Note, Program, trust};
use serde_json::{Value, json};

/// What a proof about the program assumes.
pub fn of_proof(program: &Program) -> Vec<Note> {
    trust::assumptions(program).into_iter().cloned().collect()
}

/// What a run assumes.
pub fn of_run(program: &Program, recorded: &Recorded<'_>) -> Vec<Note> {
    let is_about_values = |note: &&Note| {
        matches!(
            note.assumption,
            Some(Assumption::UndefinedFunction | Assumption::ExternVariable | Assumption::EvaluationOrder)
        )
    };
    let is_passed = |note: &&Note| {
        let origins = recorded.trace.steps.iter().flat_map(|step| &step.edge.origin);
        let line = |position: frontend::program::Position| (position.file, position.line);
        origins.into_iter().any(|origin| line(origin.position) == line(note.position))
    };
    let all = trust::assumptions(program).into_iter();
    all.filter(is_about_values).filter(is_passed).cloned().collect()
}

/// The verdict, which `--strict` does not give if something is assumed.
pub fn judge(verdict: Verdict, notes: &[Note], program: &Program, strict: bool) -> Verdict {
    match (verdict, notes.first()) {
        (verdict @ (Verdict::Successful | Verdict::Failed), Some(first)) if strict => {
            let found = if verdict == Verdict::Successful { "no violation" } else { "a violation" };
            let more = match notes.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            Verdict::Unknown(format!(
                "{found}, but --strict allows no assumption: {}{more}",
                line(program, first)
            ))
        }
        (verdict, _) => verdict,
    }
}

/// What is assumed, in one line.
fn line(program: &Program, note: &Note) -> String {
    note.assumed(place(program, note.position).map(|place| place.to_string()).as_deref())
}

/// A line for each, as they are printed before the verdict.
pub fn text(program: &Program, notes: &[Note]) -> String {
    notes.iter().map(|note| format!("assuming: {}\n", line(program, note))).collect()
}

/// The lines alone.
pub fn lines(program: &Program, notes: &[Note]) -> Vec<String> {
    notes.iter().map(|note| line(program, note)).collect()
}

/// The same for `--json`.
pub fn json(program: &Program, notes: &[Note]) -> Value {
    let one = |note: &Note| {
        json!({
            "kind": note.assumption.map(Assumption::word),
            "text": line(program, note),
            "position": place(program, note.position).map(|place| place_json(&place)),
        })
    };
    notes.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let text = "program 1\nfile 0 \"a.c\"\nnote 0 assumption undefined-function @0:3:5 \"'f' is not defined\"\n\
            note 1 assumption sequential-consistency @0:9:1 \"first weakly ordered atomic\"\nlocation 0\nmain 0\n";
        frontend::program::text::read(text).unwrap()
    }

    #[test]
    fn a_line_for_each() {
        let program = program();
        let notes = of_proof(&program);
        assert_eq!(
            text(&program, &notes),
            "assuming: sequential consistency (first weakly ordered atomic: a.c:9:1)\n\
             assuming: 'f' is not defined (a.c:3:5)\n"
        );
        let json = json(&program, &notes);
        assert_eq!(json[0]["kind"], "sequential-consistency");
        assert_eq!(json[1]["position"]["line"], 3);
    }

    #[test]
    fn strict() {
        let program = program();
        let notes = of_proof(&program);
        let verdict = |notes, strict| judge(Verdict::Successful, notes, &program, strict);
        assert_eq!(verdict(&notes, false), Verdict::Successful);
        assert_eq!(verdict(&[], true), Verdict::Successful);
        let reason = verdict(&notes, true).reason().unwrap().to_owned();
        assert!(reason.contains("sequential consistency") && reason.ends_with(" and 1 more"), "{reason}");
        let unknown = Verdict::Unknown("time".to_owned());
        assert_eq!(judge(unknown.clone(), &notes, &program, true), unknown);
    }
}
