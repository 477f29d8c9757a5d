//! `--svg`: the run as a picture that can be put into a report or a bug tracker. The same lanes, cards and arrows as on the page, without scripts, in both colour schemes.
//!
//! A picture has no tooltips and wraps no lines: texts that are too long for their card are cut.

use super::escape::escape;
use super::lanes::{COLOURS, GUTTER, LINE, Lanes, MOST_SPOTS, PADDING};
use super::run::View;
use super::source::Sources;
use crate::answer::Answer;
use crate::task::Job;
use console::plural;
use std::fmt::Write as _;
use std::ops::Range;

/// Room for the names of threads, and for a line of the ending.
const HEAD: usize = 40;
const FOOT: usize = 22;
/// How wide a character is: of the source, and of sentences. Fonts differ, so this is rather too much.
const CODE: f64 = 7.4;
const SENTENCE: f64 = 7.8;

const STYLE: &str = "\
svg{--page:#fff;--ink:#1d2127;--soft:#5a626d;--rule:#dcdfe3;--bad:#b3261e;--arrow:#c2410c;--c0:#2563eb;--c1:#c2410c;--c2:#15803d;--c3:#9333ea;--c4:#be185d;--c5:#0e7490;--c6:#a16207;--c7:#4b5563}
@media(prefers-color-scheme:dark){svg{--page:#14171b;--ink:#e4e7eb;--soft:#a1a9b4;--rule:#323943;--bad:#ff8a80;--arrow:#ff9e64;--c0:#7aa7ff;--c1:#ff9e64;--c2:#6ad48d;--c3:#c99bff;--c4:#ff8cbb;--c5:#5fd0e6;--c6:#e0c060;--c7:#a9b2bf}}
.c0{--own:var(--c0)}.c1{--own:var(--c1)}.c2{--own:var(--c2)}.c3{--own:var(--c3)}.c4{--own:var(--c4)}.c5{--own:var(--c5)}.c6{--own:var(--c6)}.c7{--own:var(--c7)}
text{font:12px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:var(--ink);white-space:pre}
.head{font:600 14px system-ui,\"Segoe UI\",Roboto,Arial,sans-serif;fill:var(--own);text-anchor:middle}
.say{font:14px system-ui,\"Segoe UI\",Roboto,Arial,sans-serif;fill:var(--bad)}
.number{font-weight:600;fill:var(--own)}.quiet{fill:var(--soft)}.write{fill:var(--arrow);font-weight:600}
.page{fill:var(--page)}.card{fill:var(--page);stroke:var(--own);stroke-opacity:.5}.fold{stroke-dasharray:4 3}.edge{fill:var(--own)}
.life{stroke:var(--own);stroke-width:2;opacity:.35}.arrow{fill:none;stroke:var(--arrow);stroke-width:1.8}
.arrow.quiet{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:3 3}.arrow.inside{stroke-dasharray:none;opacity:.55}
.tip{fill:var(--arrow)}.tip-quiet{fill:var(--soft)}";

/// The run of an answer, if it has one.
pub fn picture(job: &Job<'_>, answer: &Answer<'_>) -> Option<String> {
    let (recorded, property) = (answer.recorded.first()?, answer.property?);
    let sources = Sources::new(job);
    let view = View::new(&job.loaded.program, &recorded.trace, &sources);
    let after = recorded.trace.violated.get(&property.name).copied();
    let ending = recorded.trace.describe(property, after.unwrap_or(recorded.trace.steps.len()));
    let title = format!("{}: a run that violates {}", job.loaded.name, property.name);
    Some(Lanes::new(&view).svg(&title, &format!("{}: {ending}", property.name)))
}

impl Lanes<'_> {
    fn svg(&self, title: &str, ending: &str) -> String {
        let (width, height) = (self.width(), self.height());
        let sentences = wrapped(ending, (width - GUTTER) as f64 / SENTENCE);
        let whole = HEAD + height + FOOT * sentences.len() + PADDING;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {whole}\" width=\"{width}\" height=\"{whole}\" role=\"img\">\n<title>{}</title>\n\
             <style>{STYLE}</style>\n<rect class=\"page\" width=\"{width}\" height=\"{whole}\" rx=\"8\"/>\n",
            escape(title)
        );
        for (thread, function) in self.threads().iter().enumerate() {
            let name = cut(&format!("thread {thread}: {function}"), self.card_width() as f64 / SENTENCE);
            let (x, colour) = (self.left(thread) + self.card_width() / 2, thread % COLOURS);
            let _ =
                writeln!(svg, "<text class=\"head c{colour}\" x=\"{x}\" y=\"26\">{}</text>", escape(&name));
        }
        let _ = writeln!(svg, "<g transform=\"translate(0 {HEAD})\">");
        for (thread, (top, bottom)) in self.lives() {
            let (x, colour) = (self.left(thread) + self.card_width() / 2, thread % COLOURS);
            let _ = writeln!(svg, "<path class=\"life c{colour}\" d=\"M{x} {top}V{bottom}\"/>");
        }
        for row in self.rows() {
            self.drawn(row, &mut svg);
        }
        svg.push_str(&self.arrows());
        svg.push_str("\n</g>\n");
        for (number, line) in sentences.iter().enumerate() {
            let y = HEAD + height + FOOT * (number + 1) - PADDING;
            let _ =
                writeln!(svg, "<text class=\"say\" x=\"{}\" y=\"{y}\">{}</text>", GUTTER / 2, escape(line));
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// A card: its lines of the source, then what they read and write.
    fn drawn(&self, row: &Range<usize>, svg: &mut String) {
        let (index, step) = (row.start, self.step(row.start));
        let (left, colour) = (self.left(step.thread), step.thread % COLOURS);
        let (top, height, events) = self.place(index);
        let is_folded = row.len() > 1 || step.spots.is_empty();
        let fold = if is_folded { " fold" } else { "" };
        let _ = writeln!(
            svg,
            "<g class=\"c{colour}\"><rect class=\"card{fold}\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{height}\" rx=\"6\"/><rect class=\"edge\" x=\"{left}\" \
             y=\"{top}\" width=\"4\" height=\"{height}\" rx=\"2\"/>",
            self.card_width()
        );
        let room = (self.card_width() - 46) as f64 / CODE;
        let mut y = if is_folded { top + 17 } else { top + PADDING + 14 };
        let mut line = |number: &str, class: &str, text: &str| {
            let _ = writeln!(
                svg,
                "<text class=\"number\" x=\"{}\" y=\"{y}\">{number}</text><text{class} x=\"{}\" y=\"{y}\">{}</text>",
                left + 10,
                left + 38,
                escape(&cut(text, room))
            );
            y += LINE;
        };
        if is_folded {
            let what = format!("{} in the library", plural(row.len(), "step"));
            line(&(index + 1).to_string(), " class=\"quiet\"", &what);
        } else {
            let spots = step.spots.iter().take(MOST_SPOTS).enumerate();
            for (number, spot) in spots {
                let label = if number == 0 { (index + 1).to_string() } else { String::new() };
                line(&label, "", &format!("{} {}", spot.line, spot.text));
            }
            if step.spots.len() > MOST_SPOTS {
                line(
                    "",
                    " class=\"quiet\"",
                    &format!("and {} more", plural(step.spots.len() - MOST_SPOTS, "line")),
                );
            }
            for event in events.iter().map(|event| &step.events[*event]) {
                let (word, class) =
                    if event.write { ("writes", " class=\"write\"") } else { ("reads", " class=\"quiet\"") };
                line("", class, &format!("{word} {}: {}", event.name, event.value));
            }
        }
        svg.push_str("</g>\n");
    }
}

/// As much of a text as there is room for.
fn cut(text: &str, room: f64) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let room = room.max(4.0) as usize;
    if text.chars().count() <= room {
        return text;
    }
    text.chars().take(room - 1).collect::<String>() + "…"
}

/// A sentence in lines.
fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if ((line.chars().count() + word.chars().count() + 1) as f64) < room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_where_they_are() {
        assert_eq!(cut("a  b", 10.0), "a b");
        assert_eq!(cut("abcdefgh", 5.0), "abcd…");
        assert_eq!(wrapped("one two three", 8.0), ["one two", "three"]);
        assert_eq!(wrapped("unbreakable", 3.0), ["unbreakable"]);
    }
}
