//! A proof for people: what its predicates mean, where in the source they matter, and what holds at each place.

use super::cubes::{Cube, summarise};
use super::details::{Details, Formula, Invariant, Invariants};
use super::escape::{escape, marked};
use super::source::{Marks, Sources, root};
use super::words::Words;
use frontend::program::meaning::{Meanings, is_unnamed};
use frontend::program::{Edge, EdgeId, Position, Program};
use smt::{Op, Term};
use std::collections::{BTreeMap, BTreeSet};

/// More cases have to be asked for,
const FEW_CASES: usize = 4;
/// and more of them are only counted.
const MOST_CASES: usize = 40;
/// More lines of a predicate are only counted.
const MOST_LINES: usize = 24;

/// Everything that sentences are made with.
pub(super) struct Proof<'p> {
    program: &'p Program,
    sources: &'p Sources,
    details: &'p Details,
    words: Words<'p>,
    /// By edge: the names in it.
    names: Vec<BTreeSet<String>>,
    edges_from: Vec<Vec<EdgeId>>,
}

impl<'p> Proof<'p> {
    /// For a program and what an engine says about it.
    pub(super) fn new(program: &'p Program, sources: &'p Sources, details: &'p Details) -> Proof<'p> {
        let names = program.edges.iter().map(|edge| names_of(program, edge)).collect();
        let words = Words::new(program);
        Proof { program, sources, details, words, names, edges_from: program.edges_from() }
    }

    /// The lines of the user's source where variables of a formula are read or written.
    fn lines(&self, term: Term) -> BTreeSet<(Position, String)> {
        let constants = term.constants();
        let names = constants.into_iter().filter_map(Term::as_constant);
        let names: BTreeSet<String> = names.map(|name| variable(name.as_str()).to_owned()).collect();
        let mut lines = BTreeMap::new();
        for (edge, mentioned) in self.program.edges.iter().zip(&self.names) {
            let common: Vec<&String> = names.intersection(mentioned).collect();
            if common.is_empty() {
                continue;
            }
            // A step can have many lines; those count that have the name, if there are any.
            let has_name =
                |position: Position| common.iter().any(|name| self.sources.has_word(position, root(name)));
            let all: Vec<Position> = edge.origin.iter().map(|origin| origin.position).collect();
            let named: Vec<Position> = all.iter().copied().filter(|position| has_name(*position)).collect();
            let users = |positions: Vec<Position>| {
                let anchored = positions
                    .into_iter()
                    .filter_map(|position| Some((self.sources.anchor(position)?, position)));
                anchored.collect::<Vec<_>>()
            };
            // Where none has it, the step begins somewhere.
            let found =
                if named.is_empty() { users(all).into_iter().take(1).collect() } else { users(named) };
            lines.extend(found);
        }
        lines.into_iter().map(|(anchor, position)| (position, anchor)).collect()
    }

    /// The predicates, or nothing if there are none.
    pub(super) fn predicates(&self, is_proof: bool, marks: &mut Marks) -> String {
        let predicates = &self.details.predicates;
        if predicates.is_empty() {
            return String::new();
        }
        let title = if is_proof { "What the proof speaks of" } else { "Predicates so far" };
        let mut html = format!(
            "<section aria-labelledby=\"predicates\"><h2 id=\"predicates\">{title}</h2><p class=\"quiet\">Each is true or false in a state; <em>my</em> is the \
             thread that is looked at.</p><ol class=\"predicates\">"
        );
        for (index, predicate) in predicates.iter().enumerate() {
            let number = index + 1;
            let lines = self.lines(predicate.formula.term);
            let links: Vec<String> = lines
                .iter()
                .take(MOST_LINES)
                .map(|(position, anchor)| format!("<a href=\"#{anchor}\">{}</a>", position.line))
                .collect();
            let more = match lines.len().saturating_sub(MOST_LINES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let matters = match links.len() {
                0 => String::new(),
                1 => format!("<span class=\"where\">line {}</span>", links[0]),
                _ => format!("<span class=\"where\">lines {}{more}</span>", links.join(" ")),
            };
            let among = match predicate.formula.among {
                "" => String::new(),
                among => format!(", other threads being those {}", escape(among)),
            };
            html.push_str(&format!(
                "<li id=\"P{number}\"><p class=\"say\">{}</p><p class=\"how\"><span class=\"tag {}\">{}</span> <code>{}</code>{among} {matters}</p></li>",
                marked(&self.words.sentence(predicate.formula.term, true)),
                escape(&predicate.class.replace(' ', "-")),
                escape(&predicate.class),
                escape(&self.words.code(predicate.formula.term)),
            ));
            for (_, anchor) in lines {
                let badge = format!("<a class=\"badge\" href=\"#P{number}\">P{number}</a>");
                let mark = marks.entry(anchor).or_default();
                mark.badges.push(badge);
                mark.class = "hit";
            }
        }
        html.push_str("</ol>");
        let glossary = self.glossary();
        if !glossary.is_empty() {
            html.push_str("<dl class=\"glossary\">");
            for (name, meaning) in &glossary {
                html.push_str(&format!("<dt><code>{}</code></dt><dd>{}</dd>", escape(name), marked(meaning)));
            }
            html.push_str("</dl>");
        }
        html + "</section>"
    }

    /// Names that the source does not have.
    fn glossary(&self) -> Vec<(String, String)> {
        let mut known = self.details.glossary.clone();
        let terms = self.details.predicates.iter().map(|predicate| predicate.formula.term);
        let used: BTreeSet<String> = terms.flat_map(names).collect();
        let named = Meanings::new(self.program).names();
        for declared in &self.program.variables {
            let name = declared.name.as_str();
            if used.contains(name) && !self.sources.is_written(declared) && !is_unnamed(name) {
                let (brief, meaning) = match named.get(&declared.name) {
                    Some((brief, meaning)) => (brief.clone(), meaning.explained()),
                    None => (name.to_owned(), "a variable of the library's models".to_owned()),
                };
                known.push((brief, meaning));
            }
        }
        known
    }

    /// What holds at each place.
    pub(super) fn invariants(&self, marks: &mut Marks) -> String {
        let head = "<section aria-labelledby=\"invariants\"><h2 id=\"invariants\">What holds where</h2>";
        let known = match &self.details.invariants {
            Invariants::Unknown(reason) => {
                return format!("{head}<p class=\"quiet\">Not shown: {}.</p></section>", marked(reason));
            }
            Invariants::Known(known) => known,
        };
        let mut rows: BTreeMap<(Position, Option<usize>, u32), String> = BTreeMap::new();
        for invariant in known {
            let Some((position, before)) = self.place(invariant) else { continue };
            let Some(link) = self.sources.link(position) else { continue };
            let thread = invariant.thread.map_or_else(String::new, |thread| format!("thread {thread}, "));
            let text = format!(
                "<dt id=\"I{}{}\">{thread}{link} before <code>{}</code></dt><dd>{}</dd>",
                invariant.location.0,
                invariant.thread.map_or_else(String::new, |thread| format!("-{thread}")),
                escape(&before),
                self.statement(invariant)
            );
            rows.insert((position, invariant.thread, invariant.location.0), text);
            if let Some(anchor) = self.sources.anchor(position) {
                let mark = marks.entry(anchor).or_default();
                let badge = format!(
                    "<a class=\"badge inv\" href=\"#I{}\" title=\"what holds before\">⊨</a>",
                    invariant.location.0
                );
                if mark.badges.iter().all(|badge| !badge.contains("badge inv")) && invariant.thread.is_none()
                {
                    mark.badges.push(badge);
                }
                mark.class = "hit";
            }
        }
        let rows: String = rows.into_values().collect();
        format!(
            "{head}<p class=\"quiet\">Whenever a thread is at a place, before the step that is named, whatever all others have done so far.</p><dl \
             class=\"invariants\">{rows}</dl></section>"
        )
    }

    /// Where a location is, and what the thread does next there. Nothing where threads have ended or not begun.
    fn place(&self, invariant: &Invariant) -> Option<(Position, String)> {
        if Some(invariant.location) == self.program.pool {
            return None;
        }
        let edges = self.edges_from.get(invariant.location.index())?;
        let mut origins = edges.iter().flat_map(|edge| &self.program.edge(*edge).origin);
        let first = origins.find(|origin| self.sources.anchor(origin.position).is_some())?;
        Some((first.position, self.sources.text(first.position, first.text.as_str())))
    }

    /// A formula in words. The same formula about different threads needs to be told apart.
    fn say(&self, formulas: &[Formula], index: usize, holds: bool) -> String {
        let formula = &formulas[index];
        let sentence = marked(&self.words.sentence(formula.term, holds));
        let is_twice =
            formulas.iter().any(|other| other.term == formula.term && other.among != formula.among);
        match is_twice {
            true => format!("{sentence}, among those {}", escape(formula.among)),
            false => sentence,
        }
    }

    /// What holds, as a list.
    fn statement(&self, invariant: &Invariant) -> String {
        if invariant.rows.is_empty() {
            return "no thread gets here".to_owned();
        }
        let summary = summarise(&invariant.rows);
        let all: Vec<(usize, bool)> = summary.always.clone();
        let is_news = |index: usize, holds: bool, known: &[(usize, bool)]| {
            let literal = (invariant.formulas[index].term, holds);
            let known = known.iter().map(|(other, holds)| (invariant.formulas[*other].term, *holds));
            !known.filter(|other| *other != literal).any(|other| implies(other, literal))
        };
        let say = |index: usize, holds: bool| self.say(&invariant.formulas, index, holds);
        let news = all.iter().filter(|(index, holds)| is_news(*index, *holds, &all));
        let news = once(news.map(|(index, holds)| say(*index, *holds)));
        let mut items: Vec<String> = news.iter().map(|text| format!("<li>{text}</li>")).collect();
        let case = |case: &Cube| {
            let literals = case.iter().enumerate().filter_map(|(index, value)| Some((index, (*value)?)));
            let literals: Vec<(usize, bool)> = literals.collect();
            let known: Vec<(usize, bool)> = literals.iter().chain(&all).copied().collect();
            let news = literals.iter().filter(|(index, holds)| is_news(*index, *holds, &known));
            format!("<li>{}</li>", once(news.map(|(index, holds)| say(*index, *holds))).join("; "))
        };
        match summary.cases.len() {
            0 => {}
            1..=FEW_CASES => {
                let cases: String = summary.cases.iter().map(case).collect();
                items.push(format!("<li>one of these:<ul class=\"cases\">{cases}</ul></li>"));
            }
            number => {
                let cases: String = summary.cases.iter().take(MOST_CASES).map(case).collect();
                let more = match number.saturating_sub(MOST_CASES) {
                    0 => String::new(),
                    more => format!("<li>or one of {more} more</li>"),
                };
                items.push(format!(
                    "<li><details><summary>one of {number} cases</summary><ul class=\"cases\">{cases}{more}</ul></details></li>"
                ));
            }
        }
        if items.is_empty() {
            return "nothing that the predicates tell".to_owned();
        }
        format!("<ul>{}</ul>", items.concat())
    }
}

/// Each text once.
fn once(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    texts.for_each(|text| {
        if !seen.contains(&text) {
            seen.push(text);
        }
    });
    seen
}

/// Whether one literal says another one, too: equality and order of the same two values.
fn implies((term, holds): (Term, bool), (other, wanted): (Term, bool)) -> bool {
    let is_strict = |op: &Op| matches!(op, Op::BvUlt | Op::BvSlt);
    let (&[a, b], &[c, d]) = (term.args(), other.args()) else { return false };
    let is_same_pair = (a, b) == (c, d) || (a, b) == (d, c);
    match (term.op(), holds, other.op(), wanted) {
        (one, true, Op::Eq, false) if is_strict(one) => is_same_pair,
        (Op::Eq, true, two, false) if is_strict(two) => is_same_pair,
        // A value that is one number is no other.
        (Op::Eq, true, Op::Eq, false) => [(a, b), (b, a)].into_iter().any(|(a, b)| {
            let others = [(c, d), (d, c)];
            let is_other = |(c, d): (Term, Term)| a == c && b != d && d.as_value().is_some();
            b.as_value().is_some() && others.into_iter().any(is_other)
        }),
        _ => false,
    }
}

/// The variable that a constant is a copy of: `x` for `x@P` and `x#1`.
fn variable(constant: &str) -> &str {
    constant.trim_end_matches("@P").split('#').next().unwrap_or(constant)
}

/// The variables in a formula.
fn names(term: Term) -> BTreeSet<String> {
    let constants = term.constants().into_iter().filter_map(Term::as_constant);
    constants.map(|name| variable(name.as_str()).to_owned()).collect()
}

/// The variables that an edge reads or writes.
fn names_of(program: &Program, edge: &Edge) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    names.extend(self::names(edge.guard));
    for (_, term) in edge.assign.iter().chain(&edge.broadcast.assign) {
        names.extend(self::names(*term));
    }
    let assigned = edge.assign.iter().chain(&edge.broadcast.assign);
    names.extend(assigned.map(|(variable, _)| program.variable(*variable).name.to_string()));
    names
}
