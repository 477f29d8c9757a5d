//! A complete tree as a proof, and as text.
//!
//! The proof has the live part of the tree, with labels, covers, and the steps that are left out. Nodes labelled false and covered nodes are leaves.
//!
//! ```text
//! impara-proof 1
//! node 0
//!   label (= x #x00)
//! node 1 from 0 thread 0 edges 4 7
//!   label (bvult x #x03)
//!   skip thread 0 edges 5
//!   alone 0
//!   cover 0
//! end
//! ```
//!
//! A proof without a tree has what holds at each location instead, over the names of the program, and the locations that go together with it:
//!
//! ```text
//! impara-proof 1
//! place 0
//!   holds (= x #x00)
//!   together 0 3
//! place 3
//!   holds false
//! end
//! ```

use crate::modular::{Modular, pair};
use crate::system::{Step, System, slot};
use crate::tree::Tree;
use frontend::program::{EdgeId, LocationId, Program, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use terminal::words::plural;

/// A thread, and the edges that it and those that it creates take.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Taken {
    /// The thread.
    pub thread: usize,
    /// Its edge, then those by which threads start.
    pub edges: Vec<EdgeId>,
}

/// A node of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofNode {
    /// The node before, and the step from it.
    pub from: Option<(usize, Taken)>,
    /// What holds here, all of it.
    pub label: Vec<Term>,
    /// Who covers it.
    pub cover: Option<usize>,
    /// The thread that goes first, because nobody can see or hinder what it does; all others wait.
    pub alone: Option<usize>,
    /// What is left out, because it could have been done before the last step.
    pub skips: Vec<Taken>,
}

/// A proof that nothing is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The nodes; the root first, parents before children. None, if there is a proof without a tree.
    pub nodes: Vec<ProofNode>,
    /// What holds at each location, whatever other threads do, if that is enough.
    pub modular: Option<Modular>,
}

fn taken(step: &Step) -> Taken {
    let edges = std::iter::once(step.what.edge).chain(step.what.starts.iter().copied()).collect();
    Taken { thread: step.thread, edges }
}

impl Proof {
    /// A proof without a tree.
    pub fn of_places(modular: Modular) -> Proof {
        Proof { nodes: Vec::new(), modular: Some(modular) }
    }

    /// What it is, in a few words.
    pub fn summary(&self) -> String {
        match &self.modular {
            None => format!("a tree of {}", plural(self.nodes.len(), "node")),
            Some(modular) => format!("what holds at {}", plural(modular.holds.len(), "location")),
        }
    }

    /// All formulas: of nodes, or of locations.
    pub fn labels(&self) -> impl Iterator<Item = &[Term]> {
        let places = self.modular.iter().flat_map(|modular| modular.holds.iter().map(Vec::as_slice));
        self.nodes.iter().map(|node| node.label.as_slice()).chain(places)
    }

    /// It, as one part of the file that all programs write.
    pub fn section(&self) -> String {
        let mut text = "kind tree\n".to_owned();
        engine::document::section(&mut text, "tree", &self.write());
        text
    }

    /// How many threads there are at most.
    pub fn threads(&self) -> usize {
        let mut most = 1;
        let mut threads: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let count = match &node.from {
                None => 1,
                Some((before, taken)) => {
                    threads.get(*before).map_or(1, |before| before + taken.edges.len().saturating_sub(1))
                }
            };
            most = most.max(count);
            threads.push(count);
        }
        most
    }

    /// The proof that a complete tree is.
    pub(crate) fn of(system: &System<'_>, tree: &Tree) -> Proof {
        let mut kept = vec![0];
        let mut place = 0;
        while let Some(&id) = kept.get(place) {
            place += 1;
            let node = &tree.nodes[id];
            if node.cover.is_none() && !node.is_false() {
                kept.extend(node.children.iter().map(|(_, child)| *child));
            }
        }
        kept.sort_unstable();
        let numbers: FxHashMap<usize, usize> =
            kept.iter().enumerate().map(|(number, id)| (*id, number)).collect();
        let nodes = kept.iter().map(|&id| {
            let node = &tree.nodes[id];
            let from =
                node.parent.zip(node.step.as_ref()).map(|(parent, step)| (numbers[&parent], taken(step)));
            let plan: FxHashSet<&Step> = node.plan.iter().flat_map(|plan| plan.iter()).collect();
            let mut skips = Vec::new();
            if node.plan.is_some() && !node.is_false() {
                let steps = system.steps(&node.locations);
                let is_done = |step: &Step| {
                    let is_child = node.children.iter().any(|(child, _)| child == step);
                    let waits = node.alone.is_some_and(|thread| thread != step.thread);
                    waits || plan.contains(step) || (is_child && node.cover.is_none())
                };
                skips = steps.iter().filter(|step| !is_done(step)).map(taken).collect();
            }
            let cover = node.cover.and_then(|by| numbers.get(&by)).copied();
            ProofNode { from, label: node.label.clone(), cover, alone: node.alone, skips }
        });
        Proof { nodes: nodes.collect(), modular: None }
    }

    /// As text.
    pub fn write(&self) -> String {
        let mut text = "impara-proof 1\n".to_owned();
        for (number, holds) in self.modular.iter().flat_map(|modular| modular.holds.iter().enumerate()) {
            // Writing to memory cannot fail, here and below.
            let _ = writeln!(text, "place {number}");
            for part in holds {
                let _ = writeln!(text, "  holds {part}");
            }
            let pairs = self.modular.iter().flat_map(|modular| &modular.together);
            let others: Vec<String> = pairs
                .filter(|(one, _)| one.index() == number)
                .map(|(_, other)| other.0.to_string())
                .collect();
            if !others.is_empty() {
                let _ = writeln!(text, "  together {}", others.join(" "));
            }
        }
        let edges = |taken: &Taken| {
            let edges: Vec<String> = taken.edges.iter().map(|edge| edge.0.to_string()).collect();
            format!("thread {} edges {}", taken.thread, edges.join(" "))
        };
        for (number, node) in self.nodes.iter().enumerate() {
            let _ = match &node.from {
                Some((parent, step)) => writeln!(text, "node {number} from {parent} {}", edges(step)),
                None => writeln!(text, "node {number}"),
            };
            for part in &node.label {
                let _ = writeln!(text, "  label {part}");
            }
            for skip in &node.skips {
                let _ = writeln!(text, "  skip {}", edges(skip));
            }
            if let Some(thread) = node.alone {
                let _ = writeln!(text, "  alone {thread}");
            }
            if let Some(by) = node.cover {
                let _ = writeln!(text, "  cover {by}");
            }
        }
        text.push_str("end\n");
        text
    }

    /// Reads a text about a program; what is wrong with it is said with the line.
    pub fn read(text: &str, program: &Program) -> Result<Proof, String> {
        let mut reader = Reader {
            program,
            proof: Proof { nodes: Vec::new(), modular: None },
            threads: Vec::new(),
            constants: Vec::new(),
        };
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line.trim()) != Some("impara-proof 1") {
            return Err("line 1: this is no proof of impara, version 1".to_owned());
        }
        for (number, line) in lines {
            if line.trim() == "end" {
                return Ok(reader.proof);
            }
            reader.line(line.trim()).map_err(|message| format!("line {}: {message}", number + 1))?;
        }
        Err("the end is missing".to_owned())
    }
}

struct Reader<'a> {
    program: &'a Program,
    proof: Proof,
    /// By node: how many threads there are.
    threads: Vec<usize>,
    /// By thread: the constants that it adds.
    constants: Vec<Vec<Term>>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (keyword, rest) = line.split_once(' ').unwrap_or((line, ""));
        match keyword {
            "node" => return self.node(rest),
            "place" => return self.place(rest),
            "holds" | "together" => return self.at_place(keyword, rest),
            _ => {}
        }
        let threads = self.threads.last().copied().unwrap_or(0);
        let constants = self.constants(threads);
        let Some(node) = self.proof.nodes.last_mut() else { return Err("no node yet".to_owned()) };
        match keyword {
            "label" => {
                node.label.push(formula(rest, constants)?);
            }
            "skip" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                node.skips.push(step(&words, self.program)?);
            }
            "alone" => node.alone = Some(number(rest)?),
            "cover" => node.cover = Some(number(rest)?),
            _ => return Err(format!("'{keyword}' is not known")),
        }
        Ok(())
    }

    fn node(&mut self, rest: &str) -> Result<(), String> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let here = self.proof.nodes.len();
        let is_next = words.first().is_some_and(|word| number(word) == Ok(here));
        if !is_next {
            return Err(format!("expected node {here}"));
        }
        let (from, threads) = match words[1..] {
            [] => (None, 1),
            ["from", parent, ref rest @ ..] => {
                let parent = number(parent)?;
                let taken = step(rest, self.program)?;
                let before = *self.threads.get(parent).ok_or("no such node")?;
                let threads = before + taken.edges.len() - 1;
                (Some((parent, taken)), threads)
            }
            _ => return Err("expected 'from'".to_owned()),
        };
        self.threads.push(threads);
        self.proof.nodes.push(ProofNode {
            from,
            label: Vec::new(),
            cover: None,
            alone: None,
            skips: Vec::new(),
        });
        Ok(())
    }

    fn place(&mut self, rest: &str) -> Result<(), String> {
        let modular = self
            .proof
            .modular
            .get_or_insert_with(|| Modular { holds: Vec::new(), together: BTreeSet::new() });
        let here = modular.holds.len();
        if number(rest) != Ok(here) || here >= self.program.locations.len() {
            return Err(format!("expected place {here}, one for each location"));
        }
        modular.holds.push(Vec::new());
        Ok(())
    }

    fn at_place(&mut self, keyword: &str, rest: &str) -> Result<(), String> {
        let Some(modular) = &mut self.proof.modular else { return Err("no place yet".to_owned()) };
        let here = modular.holds.len() - 1;
        if keyword == "together" {
            for other in rest.split_whitespace() {
                let other = number(other)?;
                if other >= self.program.locations.len() {
                    return Err("no such location".to_owned());
                }
                modular.together.insert(pair(LocationId(here as u32), LocationId(other as u32)));
            }
            return Ok(());
        }
        let constants = self.program.variables.iter().map(|variable| variable.term()).collect();
        modular.holds[here].push(formula(rest, constants)?);
        Ok(())
    }

    fn constants(&mut self, threads: usize) -> Vec<Term> {
        while self.constants.len() < threads {
            let thread = self.constants.len();
            let variables = 0..self.program.variables.len() as u32;
            let constants = variables.map(|index| slot(self.program, VariableId(index), thread));
            self.constants.push(constants.collect());
        }
        let mut all: Vec<Term> = self.constants[..threads].iter().flatten().copied().collect();
        let mut seen = FxHashSet::default();
        all.retain(|constant| seen.insert(*constant));
        all
    }
}

fn formula(text: &str, constants: Vec<Term>) -> Result<Term, String> {
    let formula = smt::smtlib::parse_term(text, constants).map_err(|error| error.to_string())?;
    if formula.sort() == smt::Sort::Bool { Ok(formula) } else { Err("a label is no number".to_owned()) }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("'{text}' is no number"))
}

fn step(words: &[&str], program: &Program) -> Result<Taken, String> {
    let ["thread", thread, "edges", edges @ ..] = words else {
        return Err("expected 'thread N edges M ...'".to_owned());
    };
    let edges: Vec<EdgeId> =
        edges.iter().map(|edge| number(edge).map(|edge| EdgeId(edge as u32))).collect::<Result<_, _>>()?;
    if edges.is_empty() || edges.iter().any(|edge| edge.index() >= program.edges.len()) {
        return Err("no such edge".to_owned());
    }
    Ok(Taken { thread: number(thread)?, edges })
}
