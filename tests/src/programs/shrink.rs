//! Makes a program that is judged wrongly as small as possible.
//!
//! Greedy: of all simpler programs the first that still fails replaces the program, until none does. Simpler is to drop predicates,
//! properties, edges, assignments and inputs, to replace terms by parts of them or by constants, and to leave out locations and
//! variables that nothing mentions. A simpler program that is not well-formed is not tried.

use super::family::Question;
use frontend::program::validate::{Rules, validate};
use frontend::program::{Edge, LocationId, Program, Target, VariableId, liveness};
use smt::{Sort, Term, Value};
use std::time::{Duration, Instant};

/// Shrinks a question as long as `fails` holds, for at most as long as `patience`. Only the strictly asynchronous program counts.
pub fn shrink(question: &Question, patience: Duration, mut fails: impl FnMut(&Question) -> bool) -> Question {
    let start = Instant::now();
    let mut smallest = question.clone();
    loop {
        let mut candidates = simpler(&smallest).into_iter().filter(is_well_formed);
        match candidates.find(|candidate| start.elapsed() < patience && fails(candidate)) {
            Some(question) => smallest = question,
            None => return smallest,
        }
    }
}

/// The program as text, with the user's predicates as those of the program.
pub fn show(question: &Question) -> String {
    let mut text = frontend::program::text::print(&question.program);
    text.push_str(&format!("// {:?}, search: {}\n", question.method, question.search));
    for predicate in &question.predicates {
        text.push_str(&format!("predicate {predicate}\n"));
    }
    text
}

fn is_well_formed(question: &Question) -> bool {
    validate(&question.program, Rules { strictly_asynchronous: true }).is_empty()
}

/// All questions that are a bit simpler, those that drop most first.
fn simpler(question: &Question) -> Vec<Question> {
    let mut all = Vec::new();
    for index in 0..question.predicates.len() {
        let mut next = question.clone();
        next.predicates.remove(index);
        all.push(next);
    }
    let mut programs = Vec::new();
    drop_parts(&question.program, &mut programs);
    simplify_edges(&question.program, &mut programs);
    let same_liveness = programs.iter().map(|program| with(question, program.clone()));
    all.extend(same_liveness);
    let mut tight = question.program.clone();
    liveness::annotate(&mut tight);
    if tight != question.program {
        all.push(with(question, tight));
    }
    for (index, predicate) in question.predicates.iter().enumerate() {
        for part in parts(*predicate) {
            let mut next = question.clone();
            next.predicates[index] = part;
            all.push(next);
        }
    }
    all
}

fn with(question: &Question, program: Program) -> Question {
    Question { original: program.clone(), program, ..question.clone() }
}

fn edited(program: &Program, edit: impl FnOnce(&mut Program)) -> Program {
    let mut program = program.clone();
    edit(&mut program);
    program
}

fn drop_parts(program: &Program, all: &mut Vec<Program>) {
    for index in 0..program.properties.len() {
        all.push(edited(program, |p| drop(p.properties.remove(index))));
    }
    for index in 0..program.edges.len() {
        all.push(edited(program, |p| drop(p.edges.remove(index))));
    }
    let unused =
        (0..program.locations.len() as u32).map(LocationId).find(|&id| !mentions_location(program, id));
    all.extend(unused.map(|id| without_location(program, id)));
    all.extend((0..program.variables.len()).rev().filter_map(|index| without_variable(program, index)));
    for (index, variable) in program.variables.iter().enumerate() {
        let zero = Value::zero(variable.data_type.sort());
        if variable.init.as_ref() != Some(&zero) {
            all.push(edited(program, |p| p.variables[index].init = Some(zero)));
        }
    }
    if program.pool.is_some() {
        all.push(edited(program, |p| p.pool = None));
    }
}

fn mentions_location(program: &Program, id: LocationId) -> bool {
    program.main == id
        || program.pool == Some(id)
        || program.edges.iter().any(|edge| edge.from == id || edge.to == id)
        || program.properties.iter().any(|property| match &property.target {
            Target::Location(location) => *location == id,
            Target::Race(first, second) => first.location == id || second.location == id,
        })
}

fn without_location(program: &Program, id: LocationId) -> Program {
    let moved = |location: &mut LocationId| {
        if location.0 > id.0 {
            location.0 -= 1;
        }
    };
    edited(program, |p| {
        p.locations.remove(id.index());
        moved(&mut p.main);
        p.pool.iter_mut().for_each(moved);
        for edge in &mut p.edges {
            moved(&mut edge.from);
            moved(&mut edge.to);
        }
        for property in &mut p.properties {
            match &mut property.target {
                Target::Location(location) => moved(location),
                Target::Race(first, second) => {
                    moved(&mut first.location);
                    moved(&mut second.location);
                }
            }
        }
    })
}

/// Without a variable and its assignments; what still reads it makes the program ill-formed.
fn without_variable(program: &Program, index: usize) -> Option<Program> {
    let id = VariableId(index as u32);
    let moved = |variable: &mut VariableId| {
        if variable.0 > id.0 {
            variable.0 -= 1;
        }
    };
    let program = edited(program, |p| {
        p.variables.remove(index);
        for location in &mut p.locations {
            location.live.retain(|live| *live != id);
            location.live.iter_mut().for_each(moved);
        }
        for edge in &mut p.edges {
            for list in [&mut edge.assign, &mut edge.broadcast.assign] {
                list.retain(|(variable, _)| *variable != id);
                list.iter_mut().for_each(|(variable, _)| moved(variable));
            }
        }
    });
    validate(&program, Rules { strictly_asynchronous: true }).is_empty().then_some(program)
}

fn simplify_edges(program: &Program, all: &mut Vec<Program>) {
    for (index, edge) in program.edges.iter().enumerate() {
        let mut edges = Vec::new();
        simpler_edges(edge, &mut edges);
        all.extend(edges.into_iter().map(|edge| edited(program, |p| p.edges[index] = edge)));
    }
}

fn simpler_edges(edge: &Edge, all: &mut Vec<Edge>) {
    let mut edit = |change: &dyn Fn(&mut Edge)| {
        let mut edge = edge.clone();
        change(&mut edge);
        all.push(edge);
    };
    if !edge.broadcast.is_empty() {
        edit(&|edge| edge.broadcast = frontend::program::Broadcast::default());
    }
    for index in 0..edge.assign.len() {
        edit(&|edge| {
            edge.assign.remove(index);
        });
    }
    for index in 0..edge.broadcast.assign.len() {
        edit(&|edge| {
            edge.broadcast.assign.remove(index);
        });
    }
    for index in 0..edge.inputs.len() {
        edit(&|edge| {
            edge.inputs.remove(index);
        });
    }
    for index in 0..edge.broadcast.inputs.len() {
        edit(&|edge| {
            edge.broadcast.inputs.remove(index);
        });
    }
    if !edge.origin.is_empty() {
        edit(&|edge| edge.origin.clear());
    }
    if edge.approximate.is_some() {
        edit(&|edge| edge.approximate = None);
    }
    for part in parts(edge.guard) {
        edit(&|edge| edge.guard = part);
    }
    for (index, (_, term)) in edge.assign.iter().enumerate() {
        for part in parts(*term) {
            edit(&|edge| edge.assign[index].1 = part);
        }
    }
    for (index, (_, term)) in edge.broadcast.assign.iter().enumerate() {
        for part in parts(*term) {
            edit(&|edge| edge.broadcast.assign[index].1 = part);
        }
    }
}

/// Simpler terms of the same sort: constants, sub-terms, and the term with one argument made simpler.
fn parts(term: Term) -> Vec<Term> {
    if term.as_value().is_some() {
        return Vec::new();
    }
    let mut parts = constants(term.sort());
    if term.as_constant().is_some() {
        return parts;
    }
    parts.extend(term.args().iter().copied().filter(|argument| argument.sort() == term.sort()));
    for (index, argument) in term.args().iter().enumerate() {
        for simpler in self::parts(*argument) {
            let mut arguments = term.args().to_vec();
            arguments[index] = simpler;
            parts.push(term.rebuild(&arguments));
        }
    }
    let size = |term: &Term| smt::traverse::constants([*term]).len();
    parts.retain(|part| *part != term && size(part) <= size(&term));
    parts
}

fn constants(sort: Sort) -> Vec<Term> {
    if sort.is_bool() {
        return vec![Term::tru(), Term::fls()];
    }
    sort.width().map(|width| Term::bv(width, 0)).into_iter().collect()
}
