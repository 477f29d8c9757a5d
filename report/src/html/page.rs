//! The page: verdict and assumptions first, then what shows it, then numbers.

use super::charts;
use super::details::Details;
use super::escape::{escape, marked};
use super::lanes::Lanes;
use super::proof::Proof;
use super::run::View;
use super::source::{Marks, Sources};
use crate::answer::Answer;
use crate::task::Job;
use crate::witness::sha256;
use console::assumptions;
use console::plural;
use console::runs::Recorded;
use console::verdict::Verdict;
use frontend::program::{Position, Program, Property};

const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/script.js");

/// The whole page.
pub fn page(job: &Job<'_>, answer: &Answer<'_>, details: &Details) -> String {
    let sources = Sources::new(job);
    let program = &job.loaded.program;
    let mut main = verdict(job, answer, &sources);
    main.push_str(&assumed(program, answer));
    match (answer.recorded.first(), answer.property) {
        (Some(recorded), Some(property)) => main.push_str(&bug(program, recorded, property, &sources)),
        _ => main.push_str(&evidence(program, answer, details, &sources)),
    }
    main.push_str(&charts::section(details));
    document(job, answer, &main)
}

fn document(job: &Job<'_>, answer: &Answer<'_>, main: &str) -> String {
    let (tool, version, name) = (job.tool.name, job.tool.version, escape(&job.loaded.name));
    // Only the script that knows it may run, and no text of the user can know a hash of itself.
    let nonce: String = sha256(main.as_bytes()).chars().take(32).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, \
         initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"{tool} {version}\">\n<meta \
         http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src \
         'nonce-{nonce}'\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{}: {name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{main}\n</main>\n<footer>{tool} \
         {version}</footer>\n<script nonce=\"{nonce}\">\n{SCRIPT}</script>\n</body>\n</html>\n",
        answer.verdict.line()
    )
}

/// Longer headlines are split.
const LONG_HEADLINE: usize = 100;

/// The verdict with what it says.
fn verdict(job: &Job<'_>, answer: &Answer<'_>, sources: &Sources) -> String {
    let (class, sign, headline) = match (&answer.verdict, answer.property, answer.recorded.first()) {
        (Verdict::Successful, _, _) => ("safe", "✓", "No property can be violated".to_owned()),
        (Verdict::Failed, Some(property), Some(recorded)) => {
            let after = recorded.trace.violated.get(&property.name).copied();
            ("unsafe", "✗", recorded.trace.describe(property, after.unwrap_or(recorded.trace.steps.len())))
        }
        (Verdict::Failed, _, _) => ("unsafe", "✗", "A property is violated".to_owned()),
        (Verdict::Unknown(reason) | Verdict::Rejected(reason), _, _) => {
            // The whole reason stands below.
            let what = reason.split_once(": ").map(|(what, _)| format!("No answer: {what}"));
            ("unknown", "?", what.unwrap_or_else(|| "No answer".to_owned()))
        }
    };
    // Who waits where is too much for a headline.
    let (headline, rest) = match headline.split_once(": thread ") {
        Some((what, rest)) if headline.len() > LONG_HEADLINE => {
            (what.to_owned(), format!("<p class=\"detail\">{}</p>", marked(&format!("Thread {rest}"))))
        }
        _ => (headline, String::new()),
    };
    let headline = capital(&headline);
    let place =
        |position: Position| sources.link(position).map(|link| format!(" at {link}")).unwrap_or_default();
    let about = match (answer.property, &answer.verdict) {
        (Some(property), Verdict::Failed) => {
            format!("<code>{}</code>{}", escape(&property.name), place(property.position))
        }
        (_, Verdict::Unknown(reason) | Verdict::Rejected(reason)) => {
            format!("<span class=\"reason\">{}</span>", marked(reason))
        }
        _ => String::new(),
    };
    let line = job.answer_line(answer.is_safe(), answer.property.map(|property| property.kind));
    let line = if line.is_empty() { line } else { format!(" · <code>{}</code>", escape(line.trim())) };
    format!(
        "<header class=\"verdict {class}\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span><div><p class=\"eyebrow\">{}{line}</p><h1>{}</h1>{rest}<p \
         class=\"about\"><span class=\"name\">{}</span> {about}</p></div></header>",
        answer.verdict.line(),
        marked(&headline),
        escape(&job.loaded.name)
    )
}

/// A sentence begins with a capital letter.
fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

fn assumed(program: &Program, answer: &Answer<'_>) -> String {
    let lines = assumptions::lines(program, &answer.assumed);
    let head = "<section class=\"assumed\" aria-labelledby=\"assumed\"><h2 id=\"assumed\">Assuming</h2>";
    match (&answer.verdict, lines.is_empty()) {
        (Verdict::Successful | Verdict::Failed, true) => {
            format!("{head}<p class=\"quiet\">Nothing beyond the program itself.</p></section>")
        }
        (_, true) => String::new(),
        (_, false) => {
            let items: String = lines.iter().map(|line| format!("<li>{}</li>", marked(line))).collect();
            format!("{head}<ul>{items}</ul></section>")
        }
    }
}

/// The run with the source beside it.
fn bug(program: &Program, recorded: &Recorded<'_>, property: &Property, sources: &Sources) -> String {
    let view = View::new(program, &recorded.trace, sources);
    let lanes = Lanes::new(&view);
    let after = recorded.trace.violated.get(&property.name).copied().unwrap_or(view.steps.len());
    let description = recorded.trace.describe(property, after);
    let ending = format!(
        "<p class=\"ending\"><b>✗</b> after {}: {}</p>",
        if after == 0 { "no step".to_owned() } else { format!("step {after}") },
        marked(&description)
    );
    let mut marks = lanes.marks();
    if let Some(anchor) = sources.anchor(property.position) {
        marks.entry(anchor).or_default().class = "bad";
    }
    let switches = program.switches(recorded.trace.steps.iter().map(|step| (step.thread, step.edge)));
    let numbers = format!(
        "{} of {}, {} of threads",
        plural(view.steps.len(), "step"),
        plural(view.threads.len(), "thread"),
        plural(switches, "change")
    );
    format!(
        "<section class=\"split{}\" aria-labelledby=\"run\"><div class=\"left\"><h2 id=\"run\">The run</h2><p class=\"quiet\">{numbers}. Time goes down; an \
         arrow leads from a write to the read that sees it.</p><p class=\"keys\" hidden><button type=\"button\" id=\"back\" aria-label=\"step back\">◀</button> \
         <button type=\"button\" id=\"next\" aria-label=\"next step\">▶</button> <output id=\"where\"></output> <span class=\"quiet\"><kbd>j</kbd> <kbd>k</kbd> or arrow keys: \
         step; <kbd>h</kbd> <kbd>l</kbd>: the same thread; <kbd>Home</kbd> <kbd>End</kbd></span></p>{}</div><aside class=\"right\" \
         aria-label=\"source\">{}<div id=\"state\" class=\"state\" hidden></div></aside></section>{}<script type=\"application/json\" id=\"run-data\">{}</script>",
        if lanes.is_wide() { " many" } else { "" },
        lanes.html(&ending),
        sources.pane(&marks),
        all_steps(&view, &lanes),
        lanes.data()
    )
}

/// Everything about each step: for those who read without scripts, and for what cards have no room for.
fn all_steps(view: &View, lanes: &Lanes<'_>) -> String {
    let mut rows = String::new();
    for (index, step) in view.steps.iter().enumerate() {
        let places: Vec<String> = step
            .spots
            .iter()
            .map(|spot| {
                let function = if spot.function.is_empty() {
                    String::new()
                } else {
                    format!(" in {}", escape(&spot.function))
                };
                format!(
                    "<a href=\"#{}\">{}</a>{function}: <code>{}</code>",
                    spot.anchor,
                    spot.line,
                    escape(&spot.text)
                )
            })
            .collect();
        let places = if places.is_empty() {
            format!("library: <code>{}</code>", escape(&step.otherwise))
        } else {
            places.join("<br>")
        };
        let values: Vec<String> = lanes.values(index).iter().map(|line| escape(line)).collect();
        rows.push_str(&format!(
            "<tr><td>{}</td><td>{}</td><td>{places}</td><td>{}</td></tr>",
            index + 1,
            step.thread,
            values.join("<br>")
        ));
    }
    let initial: Vec<String> = view
        .initial
        .iter()
        .map(|value| {
            let whose = value.thread.map_or_else(String::new, |thread| format!(" in thread {thread}"));
            format!("<code>{} = {}</code>{whose}", escape(&value.name), escape(&value.value))
        })
        .collect();
    let initial = if initial.is_empty() {
        String::new()
    } else {
        format!("<p class=\"quiet\">Initially {}.</p>", initial.join(", "))
    };
    format!(
        "<section><details class=\"all\"><summary>All steps with all values</summary>{initial}<div class=\"scroll\"><table class=\"steps\"><thead><tr><th \
         scope=\"col\">step</th><th scope=\"col\">thread</th><th scope=\"col\">lines</th><th \
         scope=\"col\">values</th></tr></thead><tbody>{rows}</tbody></table></div></details></section>"
    )
}

/// What shows that nothing can be violated, or what is known without an answer.
fn evidence(program: &Program, answer: &Answer<'_>, details: &Details, sources: &Sources) -> String {
    let mut marks = Marks::new();
    let proof = Proof::new(program, sources, details);
    let is_safe = answer.is_safe() == Some(true);
    let mut left = advice(answer);
    left.push_str(&known(answer));
    left.push_str(&proof.predicates(is_safe, &mut marks));
    if is_safe {
        left.push_str(&proof.invariants(&mut marks));
    }
    for property in &program.properties {
        if let Some(anchor) = sources.anchor(property.position) {
            let class = &mut marks.entry(anchor).or_default().class;
            *class = if is_safe { "good" } else { "open" };
        }
    }
    format!(
        "<div class=\"split\"><div class=\"left\">{left}</div><aside class=\"right\" aria-label=\"source\">{}</aside></div>",
        sources.pane(&marks)
    )
}

/// The engine's own words, but for lists of predicates, which come with explanations.
fn known(answer: &Answer<'_>) -> String {
    let is_safe = answer.is_safe() == Some(true);
    let text = answer.text(None);
    let is_said =
        |line: &&str| !line.starts_with([' ', '\t']) && !line.ends_with(':') && !line.starts_with("try: ");
    let lines: String =
        text.lines().filter(is_said).map(|line| format!("<li>{}</li>", marked(line))).collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!(
            "<section aria-labelledby=\"why\"><h2 id=\"why\">{}</h2><ul>{lines}</ul></section>",
            if is_safe { "Why" } else { "What is known" }
        ),
    }
}

fn advice(answer: &Answer<'_>) -> String {
    if answer.advice.is_empty() {
        return String::new();
    }
    let items: String = answer.advice.iter().map(|advice| format!("<li>{}</li>", marked(advice))).collect();
    format!("<section aria-labelledby=\"try\"><h2 id=\"try\">What to try</h2><ul>{items}</ul></section>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The colours of a block of the style that begins with a text.
    fn colours(start: &str) -> BTreeMap<&'static str, [f64; 3]> {
        let block = STYLE.split(start).nth(1).unwrap().split('}').next().unwrap();
        let channel = |digits: &str| {
            let value = f64::from(u8::from_str_radix(digits, 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let declared = block.split(';').filter_map(|part| part.trim().strip_prefix("--")?.split_once(": #"));
        let full = declared.filter(|(_, value)| value.len() == 6);
        full.map(|(name, value)| (name, [0, 2, 4].map(|at| channel(&value[at..at + 2])))).collect()
    }

    /// The ratio of the luminances, as accessibility guidelines define it.
    fn contrast(one: [f64; 3], two: [f64; 3]) -> f64 {
        let luminance = |[red, green, blue]: [f64; 3]| 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
        let (one, two) = (luminance(one), luminance(two));
        (one / two).max(two / one)
    }

    #[test]
    fn text_has_contrast_in_both_schemes() {
        for scheme in [":root {", "@media (prefers-color-scheme: dark) {\n  :root {"] {
            let colours = colours(scheme);
            assert!(colours.len() > 25, "{scheme}: {colours:?}");
            let grounds = ["page", "panel", "shade", "rule", "mark", "now"];
            for (name, colour) in colours.iter().filter(|(name, _)| !grounds.contains(name)) {
                for ground in ["page", "panel"] {
                    let ratio = contrast(*colour, colours[ground]);
                    assert!(ratio >= 4.5, "{scheme} {name} on {ground}: {ratio:.2}");
                }
            }
            for ground in ["mark", "now"] {
                assert!(contrast(colours["ink"], colours[ground]) >= 4.5, "{scheme} {ground}");
            }
        }
    }

    #[test]
    fn headlines() {
        assert_eq!(capital("élan `x`"), "Élan `x`");
        assert_eq!(capital(""), "");
    }
}
