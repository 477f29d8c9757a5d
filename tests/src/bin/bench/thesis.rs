//! `bench thesis`: the 37 programs of the thesis and their twins with mistakes; table 7 of the thesis beside our figures,
//! and its drawings about coverability.

use super::ThesisArgs;
use super::figures::{self, Limits};
use super::monabs::{Report, Verdict, measure};
use super::report::Results;
use super::table::{Table, number, text};
use super::table7::{self, Row};
use super::tool::Tool;
use ::tests::repository::root;
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program.
#[derive(Debug)]
pub(crate) struct Program {
    /// The name of the file without its suffix.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// What its first line promises.
    pub(crate) expected: Verdict,
    /// Lines of code, without comments.
    lines: u64,
    row: Option<&'static Row>,
}

/// A program with what came of it.
struct Outcome {
    program: Program,
    report: Report,
}

const TITLE: &str = "Table 7 of the thesis, measured anew";
const LEGEND: &str = "\
t.: figures of the thesis, on its machine; LOC: lines of code, ours without comments; S, L: shared and local variables, ours after
reductions; SP, ST, L, IT: shared, single-thread, local (also counted as single-thread) and inter-thread predicates; its: iterations;
DR: the last abstraction is truly dual-reference; Mon: if so, whether it is monotone before the closure (ours: in the states that occur); abs, ref,
chk, total: seconds for abstraction, refinement and coverability, and of the whole process; MB: peak memory. Where there is no
abstraction, the search for errors had the answer. The programs are not the files of the thesis but written anew.
A verdict in capitals is wrong or was not checked again.";

/// Runs the command. True if no answer is wrong, and all are checked.
pub(crate) fn run((monabs, breach): (&Tool, &Tool), results: &Results, args: &ThesisArgs) -> Result<bool> {
    let programs = programs(&root().join("examples/thesis"), &args.only)?;
    let limit = Duration::from_secs(args.limit.into());
    println!("{} programs of examples/thesis, limit {} s\n", programs.len(), limit.as_secs());
    let table = layout();
    println!("{}", table.header());
    let mut outcomes = Vec::new();
    for program in programs {
        let report = measure(monabs, &[], &program.path, limit)?;
        let outcome = Outcome { program, report };
        println!("{}", table.row(&outcome.fields()));
        outcomes.push(outcome);
    }
    let (originals, twins): (Vec<_>, Vec<_>) = outcomes.iter().partition(|outcome| outcome.is_original());
    let mut body = String::new();
    for (name, group) in [("programs", &originals), ("twins", &twins)] {
        if group.is_empty() {
            continue;
        }
        let sums = sums(name, group);
        println!("{}", table.row(&sums));
        let rows: Vec<_> = group.iter().map(|outcome| outcome.fields()).chain([sums]).collect();
        body.push_str(&format!("{}\n{}\n\n", table.markdown(&rows), summary(group)));
    }
    println!("\n{LEGEND}\n");
    println!("programs: {}\ntwins: {}\n", summary(&originals), summary(&twins));
    let remarks = remarks(&outcomes);
    remarks.iter().for_each(|remark| println!("{remark}"));
    body.push_str(&format!("{LEGEND}\n\n"));
    body.extend(remarks.iter().map(|remark| format!("- {remark}\n")));
    let rows: Vec<_> = outcomes.iter().map(Outcome::record).collect();
    results.write_csv("thesis.csv", &COLUMNS, &rows)?;
    let mut right = !outcomes.iter().any(Outcome::is_fault);
    if !args.no_figures {
        let programs: Vec<_> =
            originals.iter().map(|outcome| (&*outcome.program.name, &*outcome.program.path)).collect();
        let limits = Limits { program: limit, method: Duration::from_secs(args.method_limit.into()) };
        let (text, figures_right) = figures::draw((monabs, breach), results, &programs, limits)?;
        body.push_str(&format!("\n{text}"));
        right &= figures_right;
    }
    results.write_markdown("thesis.md", TITLE, &body)?;
    Ok(right)
}

/// The programs `NN-*.c` in order, and then their twins.
pub(crate) fn programs(folder: &Path, only: &str) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_numbered = name.as_bytes().first().is_some_and(u8::is_ascii_digit);
        if !is_numbered || path.extension().is_none_or(|suffix| suffix != "c") || !name.contains(only) {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let expected = match text.lines().next() {
            Some("// EXPECT: safe") => Verdict::Safe,
            Some("// EXPECT: unsafe") => Verdict::Unsafe,
            _ => bail!("{}: the first line does not say what to expect", path.display()),
        };
        programs.push(Program {
            row: table7::find(&name),
            name,
            path,
            expected,
            lines: lines_of_code(&text),
        });
    }
    if programs.is_empty() {
        bail!("{}: no program to run", folder.display());
    }
    programs.sort_by(|a, b| (a.row.is_none(), &a.name).cmp(&(b.row.is_none(), &b.name)));
    Ok(programs)
}

/// Lines that are neither empty nor comment only. Our programs have no code behind the end of a comment.
fn lines_of_code(text: &str) -> u64 {
    let (mut lines, mut inside) = (0, false);
    for line in text.lines().map(str::trim) {
        let is_comment = inside || line.starts_with("//") || line.starts_with("/*");
        inside = (inside || line.starts_with("/*")) && !line.contains("*/");
        lines += u64::from(!line.is_empty() && !is_comment);
    }
    lines
}

fn layout() -> Table {
    Table(vec![
        text("program", 19),
        number("t.LOC", 5),
        number("t.S", 3),
        number("t.L", 3),
        number("t.SP", 4),
        number("t.ST", 4),
        number("t.L", 3),
        number("t.IT", 4),
        number("t.its", 5),
        text("t.DR", 4),
        number("t.abs", 5),
        number("t.ref", 5),
        number("t.chk", 5),
        number("t.total", 7),
        text("verdict", 7),
        number("LOC", 4),
        number("S", 2),
        number("L", 2),
        number("SP", 3),
        number("ST", 3),
        number("L", 3),
        number("IT", 3),
        number("its", 3),
        text("DR", 3),
        text("Mon", 3),
        number("transitions", 11),
        number("abs", 6),
        number("ref", 6),
        number("chk", 6),
        number("total", 6),
        number("MB", 6),
    ])
}

const COLUMNS: [&str; 34] = [
    "program",
    "thesis_lines",
    "thesis_shared_variables",
    "thesis_local_variables",
    "thesis_shared_predicates",
    "thesis_single_thread_predicates",
    "thesis_local_predicates",
    "thesis_inter_thread_predicates",
    "thesis_iterations",
    "thesis_dual_reference",
    "thesis_abstract_s",
    "thesis_refine_s",
    "thesis_check_s",
    "thesis_total_s",
    "verdict",
    "expected",
    "checked",
    "lines",
    "shared_variables",
    "local_variables",
    "shared_predicates",
    "single_thread_predicates",
    "local_predicates",
    "inter_thread_predicates",
    "iterations",
    "dual_reference",
    "monotone",
    "transitions",
    "abstract_s",
    "refine_s",
    "check_s",
    "total_s",
    "peak_mb",
    "message",
];

impl Outcome {
    fn is_original(&self) -> bool {
        self.program.row.is_some()
    }

    /// No answer in time is no fault.
    fn is_fault(&self) -> bool {
        match &self.report.verdict {
            Verdict::Unknown(_) => false,
            Verdict::Failed(_) => true,
            verdict => *verdict != self.program.expected || !self.report.checked,
        }
    }

    fn is_solved(&self) -> bool {
        self.report.verdict == self.program.expected && !self.is_fault()
    }

    fn verdict(&self) -> String {
        let verdict = self.report.verdict.to_string();
        if self.is_fault() { verdict.to_uppercase() } else { verdict }
    }

    /// The columns with the thesis' figures; twins have none.
    fn thesis(&self) -> Vec<String> {
        match self.program.row {
            Some(row) => {
                let numbers = [&row.lines].into_iter().chain(&row.variables).chain(&row.predicates);
                let mut fields: Vec<_> = numbers.chain([&row.iterations]).map(u64::to_string).collect();
                fields.push(yes_or_no(row.dual_reference));
                fields.extend(row.times.map(|seconds| format!("{seconds:.1}")));
                fields
            }
            None => vec![String::new(); THESIS_COLUMNS],
        }
    }

    /// The columns from the size of the program to that of the abstraction.
    fn counts(&self) -> Vec<String> {
        let report = &self.report;
        let (variables, predicates) = (report.variables, report.predicates.columns());
        let numbers = [&self.program.lines].into_iter().chain(&variables).chain(&predicates);
        let mut fields: Vec<_> = numbers.chain([&report.iterations]).map(u64::to_string).collect();
        let dual_reference = (report.transitions > 0).then_some(report.passive > 0);
        let monotone = dual_reference.filter(|yes| *yes).map(|_| report.closed == 0);
        fields.extend([dual_reference, monotone].map(|answer| answer.map(yes_or_no).unwrap_or_default()));
        fields.push(report.transitions.to_string());
        fields
    }

    fn times(&self) -> [f64; 4] {
        let times = self.report.times;
        [times.abstracting, times.refining, times.checking, times.total]
    }

    fn fields(&self) -> Vec<String> {
        let mut fields = vec![self.program.name.clone()];
        fields.extend(self.thesis());
        fields.push(self.verdict());
        fields.extend(self.counts());
        fields.extend(self.times().map(|seconds| format!("{seconds:.2}")));
        fields.push(format!("{:.1}", self.report.memory));
        fields
    }

    fn record(&self) -> Vec<String> {
        let mut record = vec![self.program.name.clone()];
        record.extend(self.thesis());
        let checked = if self.report.checked { "yes" } else { "no" };
        record.extend([
            self.report.verdict.to_string(),
            self.program.expected.to_string(),
            checked.to_owned(),
        ]);
        record.extend(self.counts());
        record.extend(self.times().map(|seconds| format!("{seconds:.4}")));
        record.push(format!("{:.1}", self.report.memory));
        record.push(self.report.verdict.reason().unwrap_or_default().to_owned());
        record
    }
}

/// How many columns have the thesis' figures.
const THESIS_COLUMNS: usize = 13;

fn yes_or_no(answer: bool) -> String {
    if answer { "yes" } else { "no" }.to_owned()
}

/// The last row: sums, and of memory the most.
fn sums(name: &str, group: &[&Outcome]) -> Vec<String> {
    let rows: Vec<_> = group.iter().filter_map(|outcome| outcome.program.row).collect();
    let mut fields = vec![format!("sum of {} {name}", group.len())];
    if rows.is_empty() {
        fields.extend(vec![String::new(); THESIS_COLUMNS]);
    } else {
        let sum = |of: &dyn Fn(&Row) -> u64| rows.iter().map(|row| of(row)).sum::<u64>().to_string();
        fields.push(sum(&|row| row.lines));
        fields.extend([0, 1].map(|index| sum(&|row| row.variables[index])));
        fields.extend([0, 1, 2, 3].map(|index| sum(&|row| row.predicates[index])));
        fields.extend([sum(&|row| row.iterations), sum(&|row| row.dual_reference.into())]);
        let seconds = |index: usize| rows.iter().map(|row| row.times[index]).sum::<f64>();
        fields.extend([0, 1, 2, 3].map(|index| format!("{:.1}", seconds(index))));
    }
    fields.push(format!("{}/{}", group.iter().filter(|outcome| outcome.is_solved()).count(), group.len()));
    let sum = |of: &dyn Fn(&Report) -> u64| {
        group.iter().map(|outcome| of(&outcome.report)).sum::<u64>().to_string()
    };
    fields.push(group.iter().map(|outcome| outcome.program.lines).sum::<u64>().to_string());
    fields.extend([0, 1].map(|index| sum(&|report| report.variables[index])));
    fields.extend([0, 1, 2, 3].map(|index| sum(&|report| report.predicates.columns()[index])));
    fields.push(sum(&|report| report.iterations));
    fields.push(sum(&|report| (report.passive > 0).into()));
    fields.push(sum(&|report| (report.passive > 0 && report.closed == 0).into()));
    fields.push(sum(&|report| report.transitions));
    let seconds = |index: usize| group.iter().map(|outcome| outcome.times()[index]).sum::<f64>();
    fields.extend([0, 1, 2, 3].map(|index| format!("{:.2}", seconds(index))));
    fields.push(format!("{:.1}", group.iter().map(|outcome| outcome.report.memory).fold(0.0, f64::max)));
    fields
}

/// How many are solved, and the times of those alone.
fn summary(group: &[&Outcome]) -> String {
    let solved: Vec<_> = group.iter().filter(|outcome| outcome.is_solved()).collect();
    let ours: f64 = solved.iter().map(|outcome| outcome.report.times.total).sum();
    let thesis: f64 = solved.iter().filter_map(|outcome| outcome.program.row).map(|row| row.times[3]).sum();
    let compared = if thesis > 0.0 { format!(", {thesis:.1} s in the thesis") } else { String::new() };
    format!("{} of {} solved and checked; these took {ours:.1} s{compared}", solved.len(), group.len())
}

/// What is missing or wrong.
fn remarks(outcomes: &[Outcome]) -> Vec<String> {
    let remark = |outcome: &Outcome| {
        let (name, report) = (&outcome.program.name, &outcome.report);
        match report.verdict.reason() {
            Some(reason) => Some(format!("{name}: {}: {reason}", outcome.verdict())),
            None if report.verdict != outcome.program.expected => {
                Some(format!("{name}: WRONG {}", report.verdict))
            }
            None if !report.checked => Some(format!("{name}: not checked again")),
            None => None,
        }
    };
    outcomes.iter().filter_map(remark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monabs::{Predicates, Times};

    fn outcome(name: &str, verdict: Verdict, expected: Verdict) -> Outcome {
        let (row, path, lines) = (table7::find(name), name.into(), 11);
        let program = Program { name: name.to_owned(), path, expected, lines, row };
        let predicates = Predicates { shared: 1, single_thread: 3, local: 2, inter_thread: 4 };
        let times = Times { abstracting: 0.5, checking: 0.25, refining: 0.125, total: 1.0 };
        let report = Report {
            verdict,
            checked: true,
            predicates,
            iterations: 5,
            transitions: 6,
            passive: 2,
            closed: 0,
            variables: [12, 13],
            edges: 7,
            queries: 8,
            remembered: 9,
            times,
            memory: 10.0,
        };
        Outcome { program, report }
    }

    #[test]
    fn all_programs_are_found() {
        let programs = programs(&root().join("examples/thesis"), "").unwrap();
        assert_eq!(programs.iter().filter(|program| program.row.is_some()).count(), 37);
        assert!(programs[..37].iter().all(|program| program.row.is_some()));
        assert!(programs[37..].iter().all(|program| program.expected == Verdict::Unsafe));
        assert!(programs.len() > 37);
    }

    #[test]
    fn rows_have_all_columns() {
        for name in ["19-ticket", "19-ticket-bug"] {
            let outcome = outcome(name, Verdict::Safe, Verdict::Safe);
            assert_eq!(outcome.fields().len(), layout().0.len());
            assert_eq!(outcome.record().len(), COLUMNS.len());
            let sums = sums("programs", &[&outcome, &outcome]);
            assert_eq!(sums.len(), layout().0.len());
            let ours = ["2/2", "22", "24", "26", "2", "6", "4", "8", "10", "2", "2", "12"];
            assert_eq!(sums[THESIS_COLUMNS + 1..][..12], ours);
        }
    }

    #[test]
    fn lines_of_code_have_code() {
        let text = "// EXPECT: safe\n\n/* a\n * b\n */\nint x; // c\n  /* d */\nint main(void)\n{\n}\n";
        assert_eq!(lines_of_code(text), 4);
    }

    #[test]
    fn monotone_is_a_question_for_dual_reference_programs() {
        let mut outcome = outcome("19-ticket", Verdict::Safe, Verdict::Safe);
        let columns = |outcome: &Outcome| outcome.counts()[8..10].to_vec();
        assert_eq!(columns(&outcome), ["yes", "yes"]);
        outcome.report.closed = 1;
        assert_eq!(columns(&outcome), ["yes", "no"]);
        outcome.report.passive = 0;
        assert_eq!(columns(&outcome), ["no", ""]);
        outcome.report.transitions = 0;
        assert_eq!(columns(&outcome), ["", ""]);
    }

    #[test]
    fn faults_and_remarks() {
        let right = outcome("19-ticket", Verdict::Safe, Verdict::Safe);
        let wrong = outcome("20-szymanski", Verdict::Unsafe, Verdict::Safe);
        let late = outcome("21-peterson", Verdict::Unknown("time".to_owned()), Verdict::Safe);
        let mut unchecked = outcome("22-dekker", Verdict::Safe, Verdict::Safe);
        unchecked.report.checked = false;
        let outcomes = [right, wrong, late, unchecked];
        assert_eq!(outcomes.each_ref().map(Outcome::is_fault), [false, true, false, true]);
        assert_eq!(
            remarks(&outcomes),
            ["20-szymanski: WRONG unsafe", "21-peterson: unknown: time", "22-dekker: not checked again"]
        );
        let group: Vec<_> = outcomes.iter().collect();
        assert_eq!(summary(&group), "1 of 4 solved and checked; these took 1.0 s, 4.2 s in the thesis");
    }
}
