//! The user's files: which positions lie in them, and how they are shown, with marks beside the lines.
//!
//! Models of the library and the system's headers are not the user's. A file is shown as it is on the disk, if it still has the lines that were
//! translated; otherwise only the lines that the translation knows.

use super::escape::escape;
use super::highlight;
use crate::task::Job;
use frontend::diagnostics::Severity;
use frontend::parse::Unit;
use frontend::program::{Position, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Larger files are not shown as a whole,
const MOST_LINES: usize = 1500;
/// but so many lines around each mark.
const AROUND: u32 = 12;
/// More marks of a line are counted.
const MOST_BADGES: usize = 4;
/// Larger files are not read.
const MOST_BYTES: u64 = 8 << 20;

/// Where headers of the system are.
const SYSTEM: [&str; 3] = ["/usr/include/", "/usr/lib/", "/usr/local/include/"];

/// A line as it is and as HTML.
struct Line {
    plain: String,
    html: String,
}

struct File {
    name: String,
    lines: BTreeMap<u32, Line>,
    is_whole: bool,
}

/// The user's files by number.
pub(super) struct Sources {
    files: BTreeMap<u32, File>,
}

/// What stands beside a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Mark {
    /// HTML.
    pub(super) badges: Vec<String>,
    /// For the style.
    pub(super) class: &'static str,
}

/// Marks by anchor.
pub(super) type Marks = BTreeMap<String, Mark>;

impl Sources {
    /// The files that a program comes from.
    pub(super) fn new(job: &Job<'_>) -> Sources {
        let program = &job.loaded.program;
        let mut wanted: BTreeMap<u32, BTreeSet<Position>> = BTreeMap::new();
        for position in positions(program).filter(|position| position.is_some()) {
            wanted.entry(position.file.0).or_default().insert(position);
        }
        let unit = job.loaded.unit.as_ref();
        let mut files = BTreeMap::new();
        for (number, positions) in wanted {
            let Some(name) = program.files.get(number as usize).filter(|name| is_users(name)) else {
                continue;
            };
            let file = whole(name, &positions, unit).unwrap_or_else(|| pieces(name, &positions, unit));
            files.insert(number, file);
        }
        Sources { files }
    }

    /// One file, for tests.
    #[cfg(test)]
    pub(super) fn of(number: u32, name: &str, text: &str) -> Sources {
        let lines = (1..).zip(text.lines());
        let lines = lines.map(|(line, text)| (line, Line { plain: text.to_owned(), html: text.to_owned() }));
        let file = File { name: name.to_owned(), lines: lines.collect(), is_whole: true };
        Sources { files: BTreeMap::from([(number, file)]) }
    }

    fn line(&self, position: Position) -> Option<&Line> {
        self.files.get(&position.file.0)?.lines.get(&position.line).filter(|_| position.is_some())
    }

    /// The anchor of a line of the user.
    pub(super) fn anchor(&self, position: Position) -> Option<String> {
        self.line(position).map(|_| format!("L{}-{}", position.file.0, position.line))
    }

    /// `file:line`, or the line alone if there is only one file: a link.
    pub(super) fn link(&self, position: Position) -> Option<String> {
        let anchor = self.anchor(position)?;
        if self.files.len() == 1 {
            return Some(format!("<a href=\"#{anchor}\">line {}</a>", position.line));
        }
        let name = &self.files.get(&position.file.0)?.name;
        Some(format!("<a href=\"#{anchor}\">{}:{}</a>", escape(name), position.line))
    }

    /// Whether a word stands in a line.
    pub(super) fn has_word(&self, position: Position, word: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        self.line(position).is_some_and(|line| line.plain.split(|c| !is_word(c)).any(|found| found == word))
    }

    /// What stands at a place: what the translation says if the line has it, and the line where that comes from a macro.
    pub(super) fn text(&self, position: Position, translated: &str) -> String {
        let is_whole = self.files.get(&position.file.0).is_some_and(|file| file.is_whole);
        match self.line(position).filter(|_| is_whole) {
            Some(line) if !squeezed(&line.plain).contains(squeezed(translated).trim_end_matches(';')) => {
                line.plain.trim().to_owned()
            }
            _ => translated.to_owned(),
        }
    }

    /// Whether the source declares a variable, so that the user knows its name.
    pub(super) fn is_written(&self, variable: &Variable) -> bool {
        let (name, root) = (variable.name.as_str(), root(variable.name.as_str()));
        match self.line(variable.position) {
            Some(line) if !line.plain.trim().is_empty() => self.has_word(variable.position, root),
            // The text of the line is not known; names that the translation has made look like these.
            Some(_) => !name.starts_with("spawn.") && !root.contains(['$', ':', ' ']),
            None => false,
        }
    }

    /// All files with marks, or the first one.
    pub(super) fn pane(&self, marks: &Marks) -> String {
        let is_marked = |number: u32| {
            let prefix = format!("L{number}-");
            marks.keys().any(|anchor| anchor.starts_with(&prefix))
        };
        let mut shown: Vec<u32> = self.files.keys().copied().filter(|number| is_marked(*number)).collect();
        if shown.is_empty() {
            shown.extend(self.files.keys().next());
        }
        let files = shown.iter().filter_map(|number| Some(figure(*number, self.files.get(number)?, marks)));
        let html: String = files.collect();
        if html.is_empty() { "<p class=\"quiet\">The source is not there.</p>".to_owned() } else { html }
    }
}

/// The name that the user has given to a variable or what it is a part of.
pub(super) fn root(name: &str) -> &str {
    let name = name.rsplit("::").next().unwrap_or(name);
    name.split(['.', '[', '@', '#']).next().unwrap_or(name)
}

fn positions(program: &Program) -> impl Iterator<Item = Position> {
    let origins = program.edges.iter().flat_map(|edge| &edge.origin).map(|origin| origin.position);
    let locations = program.locations.iter().map(|location| location.position);
    let variables = program.variables.iter().map(|variable| variable.position);
    let properties = program.properties.iter().map(|property| property.position);
    let notes = program.notes.iter().map(|note| note.position);
    origins.chain(locations).chain(variables).chain(properties).chain(notes)
}

/// Neither a model nor a header of the system.
fn is_users(name: &str) -> bool {
    let is_ours = name.starts_with('<') && name != "<stdin>";
    !is_ours && !SYSTEM.iter().any(|folder| name.starts_with(folder))
}

/// What the translation has read at a position.
fn known(unit: Option<&Unit>, position: Position) -> Option<String> {
    let found = unit?.map.diagnostic_at(Severity::Note, position, String::new());
    Some(found.source_line)
}

/// The file on the disk, unless it is another one than was translated.
fn whole(name: &str, positions: &BTreeSet<Position>, unit: Option<&Unit>) -> Option<File> {
    let metadata = std::fs::metadata(name).ok()?;
    if !metadata.is_file() || metadata.len() > MOST_BYTES {
        return None;
    }
    let bytes = std::fs::read(name).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    for &position in positions {
        let line = lines.get(position.line.checked_sub(1)? as usize)?;
        let is_same = known(unit, position).is_none_or(|known| squeezed(&known) == squeezed(line));
        if !is_same {
            return None;
        }
    }
    let html = highlight::lines(&text);
    let lines = (1..).zip(lines.into_iter().zip(html));
    let lines =
        lines.map(|(number, (plain, html))| (number, Line { plain: plain.to_owned(), html })).collect();
    Some(File { name: name.to_owned(), lines, is_whole: true })
}

/// Spaces and characters that are not text do not matter.
fn squeezed(line: &str) -> String {
    line.chars().filter(|c| c.is_ascii_graphic()).collect()
}

/// The lines that the translation knows.
fn pieces(name: &str, positions: &BTreeSet<Position>, unit: Option<&Unit>) -> File {
    let mut lines = BTreeMap::new();
    for &position in positions {
        if let Some(plain) = known(unit, position) {
            let html = highlight::lines(&plain).concat();
            lines.insert(position.line, Line { plain, html });
        }
    }
    File { name: name.to_owned(), lines, is_whole: false }
}

/// As many as there is room for.
fn badges(mark: &Mark) -> String {
    let more = mark.badges.len().saturating_sub(MOST_BADGES);
    if more == 0 {
        return mark.badges.concat();
    }
    format!("{}<span class=\"quiet\">+{}</span>", mark.badges[..MOST_BADGES - 1].concat(), more + 1)
}

fn figure(number: u32, file: &File, marks: &Marks) -> String {
    let anchor = |line: u32| format!("L{number}-{line}");
    let marked: Vec<u32> =
        file.lines.keys().copied().filter(|line| marks.contains_key(&anchor(*line))).collect();
    let is_near = |line: u32| marked.iter().any(|mark| mark.abs_diff(line) <= AROUND);
    let is_all = !file.is_whole || file.lines.len() <= MOST_LINES;
    let mut html = format!(
        "<figure class=\"file\"><figcaption>{}</figcaption><div class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"source of {}\">",
        escape(&file.name),
        escape(&file.name)
    );
    let mut previous = 0;
    for (&line, content) in file.lines.iter().filter(|(line, _)| is_all || is_near(**line)) {
        if line != previous + 1 {
            html.push_str("<div class=\"gap\">⋯</div>");
        }
        previous = line;
        let mark = marks.get(&anchor(line)).cloned().unwrap_or_default();
        html.push_str(&format!(
            "<div class=\"line {}\" id=\"{}\"><span class=\"no\">{line}</span><span class=\"marks\">{}</span><code>{}</code></div>",
            mark.class,
            anchor(line),
            badges(&mark),
            content.html
        ));
    }
    html + "</div></figure>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_and_headers_are_not_the_users() {
        assert!(is_users("a.c") && is_users("<stdin>") && is_users("../lib/a.h"));
        assert!(
            !is_users("<models/mutex.c>") && !is_users("/usr/include/pthread.h") && !is_users("<built-in>")
        );
    }

    #[test]
    fn variables_of_the_source() {
        let text = "program 1\nfile 0 \"a.c\"\nshared x: u8 = 0 @0:1:5\nshared spawn.f: bool = false @0:2:6\nshared y.z: u8 = 0 @0:3:1\nshared \
                    \"heap:3.z\": u8 = 0 @0:3:1\nshared spawn.g: bool = false @0:3:1\nlocation 0\nmain 0\n";
        let program = frontend::program::text::read(text).unwrap();
        let sources = Sources::of(0, "a.c", "int x;\nvoid f(void);\n\n");
        let written: Vec<bool> =
            program.variables.iter().map(|variable| sources.is_written(variable)).collect();
        assert_eq!(written, [true, false, true, false, false], "the third line is not known");
    }

    #[test]
    fn roots_of_names() {
        assert_eq!(root("lock::ticket"), "ticket");
        assert_eq!(root("mutexes.lock.locked"), "mutexes");
        assert_eq!(root("visit::$5#0"), "$5");
    }
}
