//! Creation of threads as one step: who may start when.
//!
//! In a `Program` creation is a handshake: the creator fills a mailbox, some thread of the pool empties it. An engine that tells threads apart
//! does both at once, so that creation costs no change of threads.
//!
//! Why that loses nothing: take a run, a step c that fills a mailbox, and the later step s that empties it. Between them no other thread
//! touches the mailbox: every edge that mentions one of its variables, but for the edges out of the pool, demands that it is empty
//! (this is what [`Handshake::of`] checks), and it is full. The step s reads and writes nothing but the mailbox and locals of its own thread, which has done
//! nothing before, and no broadcast reads or writes what s does (checked). So s can be done right after c, and all steps between them are possible after it with the same effect; every state of the run is still
//! passed, but for those with a full mailbox. These differ from their successors by s in one thread that stands in the pool, where no property asks (checked, too).
//! Where nobody empties a mailbox any more the thread did not start, and what it does not do, others do not miss: there, s is added.
//!
//! A run with fused steps is a run of the program: the two steps one after the other.

use frontend::program::{Edge, EdgeId, Program, Scope, Target, VariableId, passive};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term, Value};

/// Why creation cannot be one step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// Threads start by themselves, or on a condition of another form.
    #[error("threads start on a condition that is no mailbox")]
    NoMailbox(EdgeId),
    /// Something else looks at a mailbox.
    #[error("a mailbox is used by others")]
    Looked(EdgeId),
    /// A property asks about threads that have not started, or an edge leads back to the pool.
    #[error("threads that have not started are looked at")]
    Pool,
}

/// How threads start.
#[derive(Clone, Debug, Default)]
pub struct Handshake {
    /// The edges out of the pool, by the variable that says that their mailbox is full.
    starts: Vec<(VariableId, EdgeId)>,
}

impl Handshake {
    /// The handshake of a program, if creation can be one step. A program without a pool has one.
    pub fn of(program: &Program) -> Result<Handshake, Obstacle> {
        let Some(pool) = program.pool else { return Ok(Handshake::default()) };
        let names = names(program);
        let is_target = |property: &frontend::program::Property| match &property.target {
            Target::Location(location) => *location == pool,
            Target::Race(first, second) => first.location == pool || second.location == pool,
        };
        if program.main == pool
            || program.edges.iter().any(|edge| edge.to == pool)
            || program.properties.iter().any(is_target)
        {
            return Err(Obstacle::Pool);
        }
        let mut starts = Vec::new();
        // Variables of mailboxes, each with the flags that must be false for others to touch it.
        let mut mailbox: FxHashMap<VariableId, FxHashSet<VariableId>> = FxHashMap::default();
        for (index, edge) in program.edges.iter().enumerate().filter(|(_, edge)| edge.from == pool) {
            let id = EdgeId(index as u32);
            let flag = flag(program, &names, edge).ok_or(Obstacle::NoMailbox(id))?;
            starts.push((flag, id));
            for variable in mentioned(&names, edge) {
                if program.variable(variable).scope == Scope::Shared {
                    mailbox.entry(variable).or_default().insert(flag);
                }
            }
        }
        let heard = heard(program, &names);
        for &(_, start) in &starts {
            if mentioned(&names, program.edge(start)).iter().any(|variable| heard.contains(variable)) {
                return Err(Obstacle::Looked(start));
            }
        }
        for (index, edge) in program.edges.iter().enumerate().filter(|(_, edge)| edge.from != pool) {
            let conjuncts = edge.guard.conjuncts();
            for flags in mentioned(&names, edge).iter().filter_map(|variable| mailbox.get(variable)) {
                let is_empty = |flag: &VariableId| conjuncts.contains(&program.variable(*flag).term().not());
                if !flags.iter().all(is_empty) {
                    return Err(Obstacle::Looked(EdgeId(index as u32)));
                }
            }
        }
        let looks = |index: Option<Term>| {
            let constants = index.into_iter().flat_map(Term::constants);
            constants
                .filter_map(Term::as_constant)
                .any(|name| names.get(&name).is_some_and(|variable| mailbox.contains_key(variable)))
        };
        for property in &program.properties {
            if let Target::Race(first, second) = &property.target
                && (looks(first.index) || looks(second.index))
            {
                return Err(Obstacle::Pool);
            }
        }
        Ok(Handshake { starts })
    }

    /// The edges that an edge's step may be followed by: those whose mailbox it may fill.
    pub fn after(&self, edge: &Edge) -> impl Iterator<Item = EdgeId> {
        self.filled(edge).map(|(_, start)| start)
    }

    /// The same, each with the variable that says that its mailbox is full.
    pub fn filled(&self, edge: &Edge) -> impl Iterator<Item = (VariableId, EdgeId)> {
        let filled = edge.assign.iter().filter(|(_, value)| !value.is_false()).map(|(variable, _)| *variable);
        let filled: Vec<VariableId> = filled.collect();
        self.starts.iter().copied().filter(move |(flag, _)| filled.contains(flag))
    }
}

/// Whether threads are created again and again on no condition: from an edge that creates one control gets back to it along edges that are possible whatever the
/// values of variables are, but for mailboxes and identities.
pub fn is_unbounded(program: &Program, handshake: &Handshake) -> bool {
    let names = names(program);
    let flags: FxHashSet<VariableId> = handshake.starts.iter().map(|(flag, _)| *flag).collect();
    let is_free = |edge: &Edge| {
        let constants = edge.guard.constants().into_iter().filter_map(Term::as_constant);
        let mut variables = constants.filter_map(|name| names.get(&name));
        variables.all(|variable| flags.contains(variable))
    };
    let edges_from = program.edges_from();
    let creates = |edge: &&Edge| is_free(edge) && handshake.after(edge).next().is_some();
    program.edges.iter().filter(creates).any(|create| {
        let mut seen = FxHashSet::default();
        let mut open = vec![create.to];
        while let Some(location) = open.pop() {
            if location == create.from {
                return true;
            }
            if seen.insert(location) {
                let next = edges_from[location.index()].iter().map(|&edge| program.edge(edge));
                open.extend(next.filter(|edge| is_free(edge)).map(|edge| edge.to));
            }
        }
        false
    })
}

/// Variables by name.
pub fn names(program: &Program) -> FxHashMap<Symbol, VariableId> {
    let variables = program.variables.iter().enumerate();
    variables.map(|(index, variable)| (variable.name, VariableId(index as u32))).collect()
}

/// Locals that broadcasts read or write in passive threads.
pub fn heard(program: &Program, names: &FxHashMap<Symbol, VariableId>) -> FxHashSet<VariableId> {
    let passives = names.iter().map(|(name, variable)| (passive(*name), *variable));
    let passives: FxHashMap<Symbol, VariableId> = passives.collect();
    let assigned = || program.edges.iter().flat_map(|edge| &edge.broadcast.assign);
    let read =
        smt::traverse::constants(assigned().map(|(_, term)| *term)).into_iter().filter_map(Term::as_constant);
    let read = read.filter_map(|name| passives.get(&name).copied());
    read.chain(assigned().map(|(variable, _)| *variable)).collect()
}

/// The variable that says that the mailbox of an edge out of the pool is full: at first it is not, the edge demands it, and resets it.
fn flag(program: &Program, names: &FxHashMap<Symbol, VariableId>, edge: &Edge) -> Option<VariableId> {
    if !edge.broadcast.is_empty() {
        return None;
    }
    edge.guard.conjuncts().into_iter().find_map(|conjunct| {
        let variable = *names.get(&conjunct.as_constant()?)?;
        let declared = program.variable(variable);
        let is_flag = declared.scope == Scope::Shared && declared.init == Some(Value::Bool(false));
        (is_flag && edge.assigned(variable) == Some(Term::fls())).then_some(variable)
    })
}

/// All variables that an edge reads or writes.
pub fn mentioned(names: &FxHashMap<Symbol, VariableId>, edge: &Edge) -> FxHashSet<VariableId> {
    let assigned = edge.assign.iter().chain(&edge.broadcast.assign);
    let terms = assigned.clone().map(|(_, term)| *term).chain([edge.guard]);
    let read = smt::traverse::constants(terms).into_iter().filter_map(Term::as_constant);
    read.filter_map(|name| names.get(&name).copied()).chain(assigned.map(|(variable, _)| *variable)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::program::text::read;

    const CREATE: &str = "program 1
        shared full: bool = false
        shared x: u8 = 0
        local a: u8 = 0
        location 0
        location 1
        location 2
        location 3
        main 0
        pool 2
        edge 0: 0 -> 1
          guard (not full)
          assign full := true
        edge 1: 2 -> 3
          guard full
          assign full := false
        edge 2: 1 -> 1
          assign x := (bvadd x #x01)
        property p assertion \"p\" at 3
        ";

    #[test]
    fn creation_is_a_handshake() {
        let program = read(CREATE).unwrap();
        let handshake = Handshake::of(&program).unwrap();
        let after: Vec<EdgeId> = handshake.after(program.edge(EdgeId(0))).collect();
        assert_eq!(after, [EdgeId(1)]);
        assert_eq!(handshake.after(program.edge(EdgeId(2))).count(), 0);
    }

    /// A loop without a condition has no end, one with a condition may have.
    #[test]
    fn creation_without_end() {
        let unbounded = |text: &str| {
            let program = read(text).unwrap();
            is_unbounded(&program, &Handshake::of(&program).unwrap())
        };
        assert!(!unbounded(CREATE));
        let endless = CREATE.replace("edge 2: 1 -> 1", "edge 2: 1 -> 0");
        assert!(unbounded(&endless));
        assert!(!unbounded(&endless.replace("assign x :=", "guard (bvult x #x03)\n          assign x :=")));
    }

    #[test]
    fn who_looks_at_a_mailbox_stands_in_the_way() {
        let cases = [
            ("assign x := (bvadd x #x01)", "guard full", Obstacle::Looked(EdgeId(2))),
            (
                "guard (not full)\n          assign full := true",
                "assign full := true",
                Obstacle::Looked(EdgeId(0)),
            ),
            ("guard full\n          assign full := false", "guard full", Obstacle::NoMailbox(EdgeId(1))),
            ("full: bool = false", "full: bool = true", Obstacle::NoMailbox(EdgeId(1))),
            ("at 3", "at 2", Obstacle::Pool),
            (
                "assign full := false\n        edge 2: 1 -> 1\n          assign x := (bvadd x #x01)",
                "assign full := false\n          assign a := #x01\n        edge 2: 1 -> 1\n          passive assign a := #x00",
                Obstacle::Looked(EdgeId(1)),
            ),
        ];
        for (old, new, expected) in cases {
            assert!(CREATE.contains(old), "{old}");
            let program = read(&CREATE.replace(old, new)).unwrap();
            assert_eq!(Handshake::of(&program).unwrap_err(), expected, "{new}");
        }
    }
}
