//! The fields of the `--json` document that only this program has. `docs/formats.md` describes them.

use super::evidence::{Shown, predicates};
use console::report::Report;
use frontend::program::Program;
use frontend::program::infix::Infix;
use monabs::verify::Evidence;
use monabs::{Outcome, Verdict};
use serde_json::{Value, json};

/// Adds everything but statistics and verdict.
pub(super) fn fill(report: &mut Report, program: &Program, outcome: &Outcome) {
    report.field("engine", || json!(outcome.engine.map(monabs::Engine::name)));
    report.field("iterations", || json!(outcome.statistics.iterations));
    let infix = Infix::new(program);
    report.field("predicates", || {
        predicates(program, outcome).iter().map(|shown| predicate(&infix, shown)).collect()
    });
    report.field("proof", || proof(outcome));
}

/// With exact names: who reads it is a program.
fn predicate(infix: &Infix<'_>, shown: &Shown) -> Value {
    json!({ "class": shown.class.to_string(), "text": infix.term(shown.term), "smtlib": shown.term.to_string() })
}

fn proof(outcome: &Outcome) -> Value {
    let proof = match &outcome.verdict {
        Verdict::Safe(Evidence::Proof(proof)) => proof,
        Verdict::Safe(Evidence::Exhausted(exhausted)) => {
            return json!({ "explored_threads": exhausted.threads, "explored_states": exhausted.states });
        }
        Verdict::Safe(Evidence::Orders(orders)) => {
            return json!({ "threads": orders.threads, "unwind": orders.unwind, "explored_states": orders.states });
        }
        Verdict::Safe(Evidence::Bounded(explored)) => {
            return json!({ "turns": explored.rounds, "threads": explored.threads, "unwind": explored.unwind });
        }
        Verdict::Safe(Evidence::Tree(proof)) => {
            return match &proof.modular {
                Some(modular) => json!({ "locations": modular.holds.len() }),
                None => json!({ "nodes": proof.nodes.len(), "threads": proof.threads() }),
            };
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
