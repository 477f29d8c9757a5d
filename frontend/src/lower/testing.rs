//! Helpers for tests of this module: C text is translated and run by the interpreter.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption"
)]

use super::Options;
use super::code::Code;
use super::expand::Expanded;
use crate::program::interpret::{ExploreOptions, explore};
use crate::program::{Effect, PropertyKind};
use crate::reduce::{self, reduce};
use crate::translate::translate_text;

/// What can be violated by a number of threads, and the messages of remarks.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Kinds and descriptions.
    pub violated: Vec<(PropertyKind, String)>,
    /// Remarks with their effect.
    pub notes: Vec<(Effect, String)>,
}

impl Outcome {
    pub(crate) fn has(&self, kind: PropertyKind) -> bool {
        self.violated.iter().any(|(found, _)| *found == kind)
    }

    pub(crate) fn notes_with(&self, text: &str) -> usize {
        self.notes.iter().filter(|(_, message)| message.contains(text)).count()
    }
}

/// Runs a program with so many threads in the pool.
pub(crate) fn outcome_with(text: &str, options: &Options, threads: usize) -> Outcome {
    let translation = match translate_text("test.c", text, options, &[]) {
        Ok(translation) => translation,
        Err(errors) => panic!("{errors}"),
    };
    let notes = translation.program.notes.iter().map(|note| (note.effect, note.message.clone())).collect();
    let (program, _) = reduce(translation.program, &reduce::Options::default());
    let found = explore(&program, threads, &ExploreOptions::default()).unwrap();
    let of = |name: &String| {
        let property = program.properties.iter().find(|p| p.name == *name).unwrap();
        (property.kind, property.description.clone())
    };
    Outcome { violated: found.violated.keys().map(of).collect(), notes }
}

pub(crate) fn outcome(text: &str) -> Outcome {
    outcome_with(text, &Options::default(), 1)
}

/// Whether the text is refused.
pub(crate) fn is_refused(text: &str) -> bool {
    translate_text("test.c", text, &Options::default(), &[]).is_err()
}

/// The operations of a function, in the order in which they were made, with the names of objects.
pub(crate) fn operations(text: &str, function: &str) -> Vec<String> {
    let unit = crate::parse::parse_text("test.c", text, "").unwrap();
    let options = Options::default();
    let mut lowerer = super::context::Lowerer::new(&unit, &options);
    lowerer.file();
    assert!(lowerer.errors.is_empty(), "{:?}", lowerer.errors);
    let found = lowerer.functions.iter().find(|f| f.name.as_str() == function).unwrap();
    let name = |object: super::graph::ObjectId| lowerer.objects[object.index()].name.to_string();
    let shown = |edge: &super::graph::GraphEdge| match &edge.op {
        super::graph::Op::Dead(object) => format!("dead {}", name(*object)),
        super::graph::Op::Forget(object) => format!("forget {}", name(*object)),
        super::graph::Op::Call(super::graph::Callee::Direct(id), ..) => {
            format!("call {}", lowerer.functions[id.index()].name)
        }
        super::graph::Op::AtomicBegin => "begin".to_owned(),
        super::graph::Op::AtomicEnd => "end".to_owned(),
        super::graph::Op::Load(_, _, access) => format!("load {:?}", access.order),
        super::graph::Op::Store(_, access, _) => format!("store {:?}", access.order),
        _ => String::new(),
    };
    found.body.as_ref().unwrap().graph.edges.iter().map(shown).filter(|s| !s.is_empty()).collect()
}

/// The code of a text without models, expanded.
pub(crate) fn expanded<T>(text: &str, look: impl FnOnce(&mut Code<'_>, &mut Expanded) -> T) -> T {
    // What threads that are started by a label get from the models.
    let text = format!("unsigned long __monabs_new_identity(void) {{ return 1; }} {text}");
    let unit = crate::parse::parse_text("test.c", &text, "").unwrap();
    let options = Options::default();
    let (mut code, main) = super::file(&unit, &options).unwrap();
    let mut expanded = super::expand::expand(&mut code, main);
    look(&mut code, &mut expanded)
}
