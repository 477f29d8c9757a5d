//! How to search, what was found, and why there is no answer.

use crate::explain::Interpolants;
use crate::facts::Counts;
use crate::proof::Proof;
use crate::system::Obstacle;
use engine::bug::Bug;
use frontend::program::{NoteId, Program};
use smt::{Config, SolverChoice, Term};
use terminal::words::plural;

/// Which steps are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// None.
    None,
    /// Steps of others, while a thread is where nobody can see or hinder what it does.
    Static,
    /// Steps after an independent step of a thread with a greater number.
    #[default]
    Monotonic,
}

/// Which node is looked at next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The latest.
    #[default]
    DepthFirst,
    /// The oldest.
    BreadthFirst,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who answers.
    pub solver: SolverChoice,
    /// For that solver.
    pub config: Config,
    /// Which steps are left out.
    pub reduction: Reduction,
    /// At most so many nodes are tried when a cover is forced; zero means that none is.
    pub force_limit: usize,
    /// Whether steps that are impossible on sight are refuted at once, and not only when an error is behind them.
    pub prune: bool,
    /// Whether a proof without a tree is tried first.
    pub modular: bool,
    /// At most so many changes of threads; without reduction.
    pub context_bound: Option<usize>,
    /// Which node is looked at next.
    pub order: Order,
    /// How labels are found.
    pub interpolants: Interpolants,
    /// At most so many threads, the initial one included.
    pub max_threads: usize,
    /// At most so many nodes.
    pub max_nodes: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            solver: SolverChoice::default(),
            config: Config::default(),
            reduction: Reduction::default(),
            force_limit: 20,
            prune: true,
            modular: true,
            context_bound: None,
            order: Order::default(),
            interpolants: Interpolants::default(),
            max_threads: 20,
            max_nodes: 1_000_000,
        }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Nothing can be violated.
    Safe(Proof),
    /// A real run, replayed.
    Bug(Bug),
    /// Neither is known.
    Unknown(Unknown),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The program is beyond this engine.
    Obstacle(Obstacle),
    /// More threads can be created than were looked at.
    Threads(usize),
    /// There are runs with more changes of threads.
    Contexts(usize),
    /// The tree is too large.
    Nodes(usize),
    /// A run reaches the end of what is modelled: this property.
    Limit(usize),
    /// The run to this property may not exist.
    Doubtful(usize),
    /// The program may do less than its source: this note.
    Under(NoteId),
    /// The solver did not answer about a path.
    Path,
    /// Time is over, or somebody asked to stop.
    Stopped,
}

impl Unknown {
    /// In words.
    pub fn text(&self, program: &Program) -> String {
        let name = |property: &usize| program.properties[*property].name.clone();
        match self {
            Unknown::Obstacle(obstacle) => obstacle.to_string(),
            Unknown::Threads(most) => {
                format!("more than {} can be created", plural(*most, "thread"))
            }
            Unknown::Contexts(most) => {
                format!("nothing found with {} of threads, and there are more", plural(*most, "change"))
            }
            Unknown::Nodes(most) => format!("the tree has more than {}", plural(*most, "node")),
            Unknown::Limit(property) => {
                let description = &program.properties[*property].description;
                format!("the end of what is modelled is reachable: {}: {description}", name(property))
            }
            Unknown::Doubtful(property) => format!("the run to {} may not exist", name(property)),
            Unknown::Under(note) => {
                let note = program.notes.get(note.0 as usize);
                let message = note.map_or("", |note| note.message.as_str());
                format!("no violation, but the source may do more: {message}")
            }
            Unknown::Path => "the solver has no answer about a path".to_owned(),
            Unknown::Stopped => "stopped before there was an answer".to_owned(),
        }
    }
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes of the tree.
    pub nodes: usize,
    /// Those that covers made.
    pub by_cover: usize,
    /// Paths that were refuted.
    pub refinements: usize,
    /// Covers.
    pub covers: usize,
    /// Covers that were forced, and attempts.
    pub forced: (usize, usize),
    /// Steps that were left out.
    pub skipped: usize,
    /// Those because they access other elements of an array.
    pub skipped_by_alias: usize,
    /// How implications were answered.
    pub implications: Counts,
    /// The greatest number of threads.
    pub threads: usize,
    /// The longest path.
    pub depth: usize,
}

impl Statistics {
    /// In lines for people.
    pub fn text(&self) -> String {
        let share = (100 * self.by_cover).checked_div(self.nodes).unwrap_or(0);
        let Statistics { nodes, refinements, covers, forced, skipped, skipped_by_alias, .. } = self;
        let Counts { syntactic, remembered, refuted, solver } = self.implications;
        format!(
            "nodes: {nodes}, {share}% by cover expansion; longest path {}; threads {}\n\
             refinements: {refinements}\n\
             covers: {covers}, {} of them forced in {} attempts\n\
             implications: {solver} by the solver, {syntactic} on sight, {remembered} remembered, {refuted} refuted by known models\n\
             steps left out: {skipped}, {skipped_by_alias} of them because of different elements of arrays\n",
            self.depth, self.threads, forced.0, forced.1
        )
    }
}

/// Everything that is known at the end.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// What was done.
    pub statistics: Statistics,
    /// The formulas on the longest path, where there is no answer: what keeps changing shows why.
    pub longest: Vec<Term>,
    /// The tree as a drawing, if asked for.
    pub dot: Option<String>,
}
