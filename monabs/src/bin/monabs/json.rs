//! The fields of the `--json` document. `docs/formats.md` describes them.

use super::answer::{Answer, Shown};
use super::command::Job;
use console::report::Report;
use console::{assumptions, listing, runs};
use monabs::verify::Evidence;
use monabs::{Outcome, Verdict};
use serde_json::{Value, json};

/// Adds everything but statistics and verdict.
pub(super) fn fill(
    report: &mut Report,
    job: &Job<'_>,
    outcome: &Outcome,
    answer: &Answer<'_>,
    checked: Option<&str>,
) {
    report.field("answer", || {
        json!(answer.is_safe().map_or("unknown", |safe| if safe { "safe" } else { "unsafe" }))
    });
    report.field("property", || json!(answer.property.map(|property| &property.name)));
    report.field("properties", || listing::properties_json(&job.loaded.program));
    report.field("trivial_properties", || json!(listing::counted(&job.loaded.program).1));
    report.field("iterations", || json!(outcome.statistics.iterations));
    report.field("predicates", || answer.predicates.iter().map(predicate).collect());
    report.field("proof", || proof(outcome));
    report.field("assumptions", || assumptions::json(&job.loaded.program, &answer.assumed));
    report.field("runs", || runs::list(&answer.recorded));
    report.field("try", || json!(answer.advice));
    report.field("checked_again", || json!(checked));
    if let Some(specification) = job.specification {
        report.field(
            "specification",
            || json!({ "property": specification.name(), "answer": specification.answer(answer.is_safe(), answer.property.map(|p| p.kind)) }),
        );
    }
}

fn predicate(shown: &Shown) -> Value {
    json!({ "class": shown.class.to_string(), "text": shown.text, "smtlib": shown.term.to_string() })
}

fn proof(outcome: &Outcome) -> Value {
    let proof = match &outcome.verdict {
        Verdict::Safe(Evidence::Proof(proof)) => proof,
        Verdict::Safe(Evidence::Exhausted(exhausted)) => {
            return json!({ "explored_threads": exhausted.threads, "explored_states": exhausted.states });
        }
        Verdict::Safe(Evidence::Bounded(explored)) => {
            return json!({ "turns": explored.rounds, "threads": explored.threads, "unwind": explored.unwind });
        }
        Verdict::Unsafe(_) | Verdict::Unknown(_) => return Value::Null,
    };
    json!({
        "elements": proof.elements.len(),
        "invariants": proof.invariants.len(),
        "threads": proof.max_threads(),
        "shared_states": outcome.statistics.shared_states,
        "local_states": outcome.statistics.local_states,
        "transitions": outcome.statistics.transitions,
    })
}
