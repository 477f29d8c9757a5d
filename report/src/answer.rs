//! The verdict with what shows it, in words and for `--json`.
//!
//! This is the one place where what an engine found becomes a verdict: a run is replayed, assumptions are put beside the answer, and `--strict` takes
//! away an answer that has some.

use crate::explain;
use crate::task::Job;
use console::report::Report;
use console::runs::{self, Recorded};
use console::verdict::{Finding, Verdict};
use console::{Failure, Result, assumptions, listing, obstacles};
use engine::bug::Bug;
use engine::tidy::tidy;
use frontend::program::trace::Form;
use frontend::program::{Note, Program, Property};
use serde_json::json;

/// What an engine found, with its own words.
#[derive(Debug)]
pub enum Found {
    /// No property can be violated.
    Safe {
        /// What shows it, one or more lines.
        proof: String,
        /// What that is based on.
        assumed: Vec<Note>,
    },
    /// A real run.
    Unsafe(Bug),
    /// No answer.
    Unknown {
        /// One line.
        reason: String,
        /// What may help, most promising first.
        advice: Vec<String>,
        /// What is known all the same.
        known: String,
    },
}

/// The answer.
#[derive(Debug)]
pub struct Answer<'a> {
    /// Its last line.
    pub verdict: Verdict,
    /// The run, if there is one; replayed.
    pub recorded: Vec<Recorded<'a>>,
    /// The property that it violates.
    pub property: Option<&'a Property>,
    /// What the answer assumes.
    pub assumed: Vec<Note>,
    /// What to try if there is no answer.
    pub advice: Vec<String>,
    /// For `--explain`: why the program is safe, or what was tried in vain, in sentences.
    pub why: String,
    /// What the engine says.
    words: String,
    program: &'a Program,
}

impl<'a> Answer<'a> {
    /// The answer of an engine.
    pub fn new(job: &Job<'a>, found: Found) -> Result<Answer<'a>> {
        let program = &job.loaded.program;
        let mut answer = Answer {
            verdict: Verdict::Successful,
            recorded: Vec::new(),
            property: None,
            assumed: Vec::new(),
            advice: Vec::new(),
            why: String::new(),
            words: String::new(),
            program,
        };
        let verdict = match found {
            Found::Safe { proof, assumed } => {
                (answer.words, answer.assumed) = (proof, assumed);
                Verdict::Successful
            }
            Found::Unsafe(bug) => {
                let bug = tidy(program, bug);
                answer.property = program.properties.get(bug.property);
                let goal = answer.property.map(|property| property.name.clone());
                let recorded = Recorded::new(program, goal, bug.run).map_err(|error| {
                    Failure::Internal(format!("the counterexample does not replay: {error}"))
                })?;
                answer.assumed = assumptions::of_run(program, &recorded);
                answer.recorded.push(recorded);
                Verdict::Failed
            }
            Found::Unknown { reason, advice, known } => {
                (answer.words, answer.advice) = (known, advice);
                Verdict::Unknown(reason)
            }
        };
        answer.verdict =
            assumptions::judge(verdict, &answer.assumed, program, job.args.input.assumptions.strict);
        Ok(answer)
    }

    /// Whether the program is safe, if that is known.
    pub fn is_safe(&self) -> Option<bool> {
        match self.verdict {
            Verdict::Successful => Some(true),
            Verdict::Failed => Some(false),
            Verdict::Unknown(_) | Verdict::Rejected(_) => None,
        }
    }

    /// Everything before the verdict.
    pub fn text(&self, trace: Option<Form>) -> String {
        match self.verdict {
            Verdict::Failed => self.run(trace),
            Verdict::Successful => self.proof(),
            Verdict::Unknown(_) | Verdict::Rejected(_) => {
                let advice: String = self.advice.iter().map(|advice| format!("try: {advice}\n")).collect();
                let limits = obstacles::all_limits(self.program);
                let limits = limits.map(|limits| format!("{limits}; asyncc --coverage shows where\n"));
                format!("{}{}{advice}", self.words, limits.unwrap_or_default())
            }
        }
    }

    fn run(&self, trace: Option<Form>) -> String {
        // The run says itself what it violates.
        if let Some(form) = trace {
            return runs::text(&self.recorded, form);
        }
        let found = self.recorded.iter().flat_map(|recorded| Finding::all_of(self.program, recorded));
        found.map(|finding| finding.text(self.program)).collect()
    }

    fn proof(&self) -> String {
        let (all, trivial) = listing::counted(self.program);
        let hold = if trivial == 1 { "holds" } else { "hold" };
        let properties = match trivial {
            0 => String::new(),
            _ => format!("{}: {trivial} {hold} trivially\n", listing::properties_in_words(all)),
        };
        properties + &self.words
    }

    /// Puts everything but the engine's own fields and the statistics into a report.
    pub fn fill(&self, job: &Job<'_>, report: &mut Report, checked: Option<&str>) {
        let program = self.program;
        report.text = self.text(job.args.evidence.form(job.console));
        if job.args.output.explain {
            let explanation = self.explanation();
            report.text.push_str(&explain::wrapped(&explanation, terminal::size::width()));
            report.field("explanation", || json!(explanation));
        }
        if let Some(checked) = checked {
            report.text.push_str(&format!("checked again: {checked}\n"));
        }
        let kind = self.property.map(|property| property.kind);
        report.result = assumptions::text(program, &self.assumed);
        report.result.push_str(&job.answer_line(self.is_safe(), kind));
        report.field("answer", || {
            json!(self.is_safe().map_or("unknown", |safe| if safe { "safe" } else { "unsafe" }))
        });
        report.field("property", || json!(self.property.map(|property| &property.name)));
        report.field("properties", || listing::properties_json(program));
        report.field("trivial_properties", || json!(listing::counted(program).1));
        report.field("assumptions", || assumptions::json(program, &self.assumed));
        report.field("runs", || runs::list(&self.recorded));
        report.field("try", || json!(self.advice));
        report.field("checked_again", || json!(checked));
        if let Some(specification) = job.specification {
            let answer = specification.answer(self.is_safe(), kind);
            report.field("specification", || json!({ "property": specification.name(), "answer": answer }));
        }
        report.verdict = Some(self.verdict.clone());
    }

    /// Why the verdict holds.
    fn explanation(&self) -> String {
        let recorded = self.recorded.first();
        let run = recorded.zip(self.property).map(|(recorded, property)| recorded.trace.why(property));
        explain::paragraph(&self.verdict, run, self.property, &self.why, &self.assumed)
    }

    /// Reads the run from its text and replays it: `--check`. Says what was checked.
    pub fn check_run(&self, name: &str) -> Result<String> {
        let document = runs::document(name, &self.recorded);
        let read = runs::read("run", &document, self.program)
            .map_err(|failure| Failure::Internal(format!("the run cannot be read again: {failure:?}")))?;
        let mut steps = 0;
        for (goal, run) in read {
            steps += run.steps.len();
            Recorded::new(self.program, goal, run)
                .map_err(|error| Failure::Internal(format!("the counterexample does not replay: {error}")))?;
        }
        Ok(format!("a run of {}, read from text and replayed", console::plural(steps, "step")))
    }
}
