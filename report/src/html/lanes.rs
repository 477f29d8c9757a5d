//! The interleaving: time goes down, a lane for each thread, a card for each step, arrows from writes to the reads that see them.
//!
//! All places are computed here, so that the arrows need no script. Cards have lines of a fixed height; what does not fit is in their tooltips
//! and in the table of all values.

use super::escape::{escape, json};
use super::run::{Arrow, Event, Step, Value, View};
use super::source::{Mark, Marks};
use console::plural;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// Sizes in pixels: of all lanes where they fit, and the least and the largest width of a card.
const WIDTH: usize = 720;
/// The same beside a narrow source,
const WIDE_LANES: usize = 940;
/// for more threads than this.
const FEW: usize = 3;
const NARROW: usize = 172;
const WIDE: usize = 360;
pub(super) const GUTTER: usize = 44;
pub(super) const LINE: usize = 20;
pub(super) const PADDING: usize = 7;
const SPACE: usize = 8;
const FOLD: usize = 26;
const TOP: usize = 10;
/// More lines of a card are left out,
pub(super) const MOST_SPOTS: usize = 4;
/// and more accesses.
const MOST_EVENTS: usize = 8;
/// How many colours threads have.
pub(super) const COLOURS: usize = 8;

/// Where a step is drawn.
struct Box {
    top: usize,
    height: usize,
    /// The events that have lines, by number.
    events: Vec<usize>,
    spots: usize,
}

/// The run with a place for everything.
pub(super) struct Lanes<'v> {
    view: &'v View,
    rows: Vec<Range<usize>>,
    boxes: Vec<Box>,
    height: usize,
    /// The width of a card.
    card: usize,
    /// For reads, by step and event: the step whose write they see.
    seen: HashMap<(usize, usize), usize>,
}

impl<'v> Lanes<'v> {
    /// Finds a place for each step.
    pub(super) fn new(view: &'v View) -> Lanes<'v> {
        let rows = view.rows();
        let (mut boxes, mut top) = (Vec::new(), TOP);
        for row in &rows {
            let mut height = FOLD;
            for index in row.clone() {
                let step = &view.steps[index];
                let is_folded = row.len() > 1 || step.spots.is_empty();
                let events = if is_folded { Vec::new() } else { shown_events(step) };
                let more = usize::from(step.spots.len() > MOST_SPOTS);
                let spots = if is_folded { 0 } else { step.spots.len().min(MOST_SPOTS) + more };
                if !is_folded {
                    height = 2 * PADDING + LINE * (spots + events.len());
                }
                boxes.push(Box { top, height, events, spots });
            }
            top += height + SPACE;
        }
        let seen = view.arrows.iter().map(|arrow| (arrow.to, arrow.from.0)).collect();
        let width = if view.threads.len() > FEW { WIDE_LANES } else { WIDTH };
        let card = (width / view.threads.len().max(1)).saturating_sub(GUTTER).clamp(NARROW, WIDE);
        Lanes { view, rows, boxes, height: top, card, seen }
    }

    pub(super) fn left(&self, thread: usize) -> usize {
        GUTTER / 2 + thread * (self.card + GUTTER)
    }

    pub(super) fn card_width(&self) -> usize {
        self.card
    }

    /// Of all lanes.
    pub(super) fn width(&self) -> usize {
        self.view.threads.len() * (self.card + GUTTER)
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    pub(super) fn threads(&self) -> &[String] {
        &self.view.threads
    }

    pub(super) fn rows(&self) -> &[Range<usize>] {
        &self.rows
    }

    pub(super) fn step(&self, index: usize) -> &Step {
        &self.view.steps[index]
    }

    /// Where a step is: top and height, and which of its events have lines.
    pub(super) fn place(&self, index: usize) -> (usize, usize, &[usize]) {
        let Box { top, height, events, .. } = &self.boxes[index];
        (*top, *height, events)
    }

    /// Whether the lanes need more room than the source.
    pub(super) fn is_wide(&self) -> bool {
        self.view.threads.len() > FEW
    }

    /// The lanes.
    pub(super) fn html(&self, ending: &str) -> String {
        let width = self.width();
        let mut html = format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"the run, a lane for each thread\"><div class=\"lanes\" style=\"width:{width}px\">"
        );
        html.push_str("<div class=\"heads\">");
        for (thread, function) in self.view.threads.iter().enumerate() {
            let function = if function.is_empty() {
                String::new()
            } else {
                format!(" <code>{}</code>", escape(function))
            };
            html.push_str(&format!(
                "<div class=\"head c{}\" data-lane=\"{thread}\" style=\"left:{}px;width:{}px\">thread {thread}{function}</div>",
                thread % COLOURS,
                self.left(thread),
                self.card
            ));
        }
        html.push_str(&format!("</div><div class=\"field\" style=\"height:{}px\">", self.height));
        html.push_str(&self.lifelines());
        html.push_str(&self.drawing(width));
        html.push_str("<ol class=\"run\">");
        for row in &self.rows {
            html.push_str(&self.card(row));
        }
        html.push_str(&format!("</ol></div>{ending}</div></div>"));
        html
    }

    /// From the first to the last step of each thread.
    pub(super) fn lives(&self) -> Vec<(usize, (usize, usize))> {
        let life = |thread: usize| {
            let mut own = (0..self.view.steps.len()).filter(|&index| self.view.steps[index].thread == thread);
            let first = own.next()?;
            let last = &self.boxes[own.next_back().unwrap_or(first)];
            let top = if thread == 0 { 0 } else { self.boxes[first].top };
            Some((thread, (top, last.top + last.height)))
        };
        (0..self.view.threads.len()).filter_map(life).collect()
    }

    fn lifelines(&self) -> String {
        let line = |(thread, (top, bottom)): (usize, (usize, usize))| {
            format!(
                "<div class=\"life c{}\" style=\"left:{}px;top:{top}px;height:{}px\"></div>",
                thread % COLOURS,
                self.left(thread) + self.card / 2,
                bottom - top
            )
        };
        self.lives().into_iter().map(line).collect()
    }

    fn card(&self, row: &Range<usize>) -> String {
        let (index, step) = (row.start, &self.view.steps[row.start]);
        let Box { top, height, .. } = self.boxes[index];
        let (left, colour) = (self.left(step.thread), step.thread % COLOURS);
        let place = format!("style=\"left:{left}px;top:{top}px;height:{height}px;width:{}px\"", self.card);
        let hidden = format!("<span class=\"sr\">thread {}, step {}</span>", step.thread, index + 1);
        if row.len() > 1 || step.spots.is_empty() {
            let texts: Vec<String> = row.clone().map(|index| self.tooltip(index)).collect();
            let (what, last) = (plural(row.len(), "step"), row.end);
            let number = if row.len() > 1 { format!("{}–{last}", index + 1) } else { last.to_string() };
            return format!(
                "<li class=\"step fold c{colour}\" id=\"step-{}\" data-step=\"{index}\" data-thread=\"{}\" tabindex=\"-1\" title=\"{}\" {place}>{hidden}<span \
                 class=\"number\">{number}</span> {what} in the library</li>",
                index + 1,
                step.thread,
                escape(&texts.join("\n\n"))
            );
        }
        let mut lines = String::new();
        for (number, spot) in step.spots.iter().take(MOST_SPOTS).enumerate() {
            let label = if number == 0 {
                format!("<span class=\"number\">{}</span>", index + 1)
            } else {
                "<span class=\"number\"></span>".to_owned()
            };
            lines.push_str(&format!(
                "<div class=\"spot\">{label}<a href=\"#{}\" tabindex=\"-1\">{}</a> <code>{}</code></div>",
                spot.anchor,
                spot.line,
                escape(&spot.text)
            ));
        }
        if step.spots.len() > MOST_SPOTS {
            lines.push_str(&format!(
                "<div class=\"spot more\">and {} more</div>",
                plural(step.spots.len() - MOST_SPOTS, "line")
            ));
        }
        self.boxes[index].events.iter().for_each(|&event| lines.push_str(&access(&step.events[event])));
        let switch =
            if index > 0 && self.view.steps[index - 1].thread != step.thread { " switch" } else { "" };
        format!(
            "<li class=\"step c{colour}{switch}\" id=\"step-{}\" data-step=\"{index}\" data-thread=\"{}\" tabindex=\"-1\" title=\"{}\" {place}>{hidden}{lines}</li>",
            index + 1,
            step.thread,
            escape(&self.tooltip(index))
        )
    }

    /// Everything about a step, in lines.
    fn tooltip(&self, index: usize) -> String {
        let step = &self.view.steps[index];
        let mut lines = vec![format!("step {}, thread {}", index + 1, step.thread)];
        match step.spots.first() {
            None => lines.push(step.otherwise.clone()),
            Some(_) => lines.extend(step.spots.iter().map(|spot| format!("{}: {}", spot.line, spot.text))),
        }
        lines.extend(self.values(index));
        lines.join("\n")
    }

    /// Accesses, inputs and changes of a step, a line for each.
    pub(super) fn values(&self, index: usize) -> Vec<String> {
        let step = &self.view.steps[index];
        let mut lines: Vec<String> =
            step.inputs.iter().map(|(name, value)| format!("{name} returns {value}")).collect();
        for (number, event) in step.events.iter().enumerate().filter(|(_, event)| event.is_users) {
            let seen = self.seen.get(&(index, number)).map_or_else(String::new, |writer| {
                format!(", written by thread {} in step {}", self.view.steps[*writer].thread, writer + 1)
            });
            lines.push(match event.write {
                false => format!("reads {} = {}{seen}", event.name, event.value),
                true => format!("writes {} = {}", event.name, event.value),
            });
        }
        for change in step.changes.iter().filter(|change| change.thread.is_some()) {
            let whose = match change.thread {
                Some(thread) if thread != step.thread => format!(" in thread {thread}"),
                _ => String::new(),
            };
            lines.push(format!("{} = {}{whose}", change.name, change.value));
        }
        lines
    }

    fn drawing(&self, width: usize) -> String {
        format!(
            "<svg class=\"arrows\" width=\"{width}\" height=\"{}\" aria-hidden=\"true\">{}</svg>",
            self.height,
            self.arrows()
        )
    }

    /// All arrows, with what they need.
    pub(super) fn arrows(&self) -> String {
        let mut paths = String::new();
        // Where threads meet in the library, one arrow says it.
        let mut drawn: BTreeSet<(usize, usize)> = BTreeSet::new();
        for arrow in &self.view.arrows {
            let is_users = self.view.steps[arrow.to.0].events[arrow.to.1].is_users;
            if !is_users && !drawn.insert((arrow.from.0, arrow.to.0)) {
                continue;
            }
            paths.push_str(&self.arrow(arrow).unwrap_or_default());
        }
        let marker = |name: &str| {
            format!(
                "<marker id=\"{name}\" class=\"{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
                 markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0.5L8 4L0 7.5z\"/></marker>"
            )
        };
        format!("<defs>{}{}</defs>{paths}", marker("tip"), marker("tip-quiet"))
    }

    /// From the line of the write to the line of the read. Nothing if both are in the same row.
    fn arrow(&self, arrow: &Arrow) -> Option<String> {
        let (from, to) = (&self.boxes[arrow.from.0], &self.boxes[arrow.to.0]);
        if from.top == to.top {
            return None;
        }
        let event = &self.view.steps[arrow.to.0].events[arrow.to.1];
        let across = self.view.is_across(arrow);
        // What only the library knows is worth an arrow where threads meet.
        if !event.is_users && !across {
            return None;
        }
        let y = |place: &Box, number: usize| match place.events.iter().position(|event| *event == number) {
            Some(line) => place.top + PADDING + LINE * (place.spots + line) + LINE / 2,
            None => place.top + PADDING.min(place.height / 2) + LINE / 2,
        };
        let (y1, y2) = (y(from, arrow.from.1), y(to, arrow.to.1));
        let (one, two) = (self.view.steps[arrow.from.0].thread, self.view.steps[arrow.to.0].thread);
        let (left, right) = (self.left(one), self.left(one) + self.card);
        let path = if one == two {
            let bulge = right + 14;
            format!("M{right} {y1}C{bulge} {y1} {bulge} {y2} {} {y2}", right + 2)
        } else if one < two {
            let end = self.left(two) - 2;
            let bend = (end - right).max(40) / 2 + 8;
            format!("M{right} {y1}C{} {y1} {} {y2} {end} {y2}", right + bend, end - bend)
        } else {
            let end = self.left(two) + self.card + 2;
            let bend = (left - end).max(40) / 2 + 8;
            format!("M{left} {y1}C{} {y1} {} {y2} {end} {y2}", left - bend, end + bend)
        };
        let (number, reader) = (arrow.from.0 + 1, arrow.to.0 + 1);
        let what = match event.is_users {
            true => {
                format!("{} = {}: written in step {number}, read in step {reader}", event.name, event.value)
            }
            // What the library keeps has no name that the user knows.
            false => format!("step {reader} sees what the library did in step {number}"),
        };
        let (kind, tip) = if event.is_users && across { ("", "tip") } else { (" quiet", "tip-quiet") };
        let inside = if across { "" } else { " inside" };
        Some(format!(
            "<path class=\"arrow{kind}{inside}\" data-from=\"{}\" data-to=\"{}\" d=\"{path}\" marker-end=\"url(#{tip})\"><title>{}</title></path>",
            arrow.from.0,
            arrow.to.0,
            escape(&what)
        ))
    }

    /// Which steps pass each line.
    pub(super) fn marks(&self) -> Marks {
        let mut marks = Marks::new();
        for (index, step) in self.view.steps.iter().enumerate() {
            let mut seen: Vec<&str> = Vec::new();
            for spot in step.spots.iter().filter(|spot| !spot.text.is_empty()) {
                if seen.contains(&spot.anchor.as_str()) {
                    continue;
                }
                seen.push(&spot.anchor);
                let mark: &mut Mark = marks.entry(spot.anchor.clone()).or_default();
                let number = index + 1;
                mark.badges.push(format!(
                    "<a class=\"dot c{}\" href=\"#step-{number}\" title=\"thread {}, step {number}\" tabindex=\"-1\">{number}</a>",
                    step.thread % COLOURS,
                    step.thread
                ));
                mark.class = "hit";
            }
        }
        marks
    }

    /// For the script: lines and changed values of each step.
    pub(super) fn data(&self) -> String {
        let mut names: Vec<(String, Option<usize>)> = Vec::new();
        let mut number = |value: &Value| {
            let known =
                names.iter().position(|(name, thread)| *name == value.name && *thread == value.thread);
            known.unwrap_or_else(|| {
                names.push((value.name.clone(), value.thread));
                names.len() - 1
            })
        };
        let initial: Vec<_> =
            self.view.initial.iter().map(|value| json!([number(value), value.value])).collect();
        let steps: Vec<_> = self
            .view
            .steps
            .iter()
            .enumerate()
            .map(|(index, step)| self.step_data(index, step, &mut number))
            .collect();
        json(&json!({ "names": names, "initial": initial, "steps": steps }))
    }

    fn step_data(
        &self,
        index: usize,
        step: &Step,
        number: &mut impl FnMut(&Value) -> usize,
    ) -> serde_json::Value {
        let lines: Vec<&str> = step.spots.iter().map(|spot| spot.anchor.as_str()).collect();
        let changes: Vec<_> =
            step.changes.iter().map(|change| json!([number(change), change.value])).collect();
        let users = step.events.iter().filter(|event| event.is_users);
        let seen: Vec<String> = users
            .map(|event| format!("{} {} {}", event.name, if event.write { "←" } else { "=" }, event.value))
            .collect();
        let row = self.rows.iter().find(|row| row.contains(&index)).map_or(index, |row| row.start);
        json!({ "row": row, "thread": step.thread, "lines": lines, "changes": changes, "seen": seen.join(", ") })
    }
}

/// The accesses of a step that have lines: those of the user's variables.
fn shown_events(step: &Step) -> Vec<usize> {
    let is_shown = |number: &usize| step.events[*number].is_users;
    (0..step.events.len()).filter(is_shown).take(MOST_EVENTS).collect()
}

fn access(event: &Event) -> String {
    let (kind, word, sign) = if event.write { ("write", "writes", "←") } else { ("read", "reads", "=") };
    format!(
        "<div class=\"access {kind}\"><b>{word}</b> <code>{} <span>{sign}</span> {}</code></div>",
        escape(&event.name),
        escape(&event.value)
    )
}
