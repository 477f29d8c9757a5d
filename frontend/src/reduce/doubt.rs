//! Doubts about values that do not matter are no doubts.
//!
//! A mark of approximation says one of two things about its edge: that a run need not be able to pass it, or, where the edge gives a
//! variable any value, that reality may not have each of the values. The latter is void once nothing depends on the variable,
//! so that its assignment is gone. Before edges are composed, the two kinds are told apart by whether the edge assigns.

use crate::program::{NoteId, Program};
use rustc_hash::FxHashSet;

/// The marks that are about values. Only before edges are composed.
pub(super) fn about_values(program: &Program) -> FxHashSet<NoteId> {
    let is_about_value = |edge: &&crate::program::Edge| !edge.assign.is_empty() && !edge.inputs.is_empty();
    program.edges.iter().filter(is_about_value).filter_map(|edge| edge.approximate).collect()
}

/// Drops marks about values from edges that assign nothing any more.
pub(super) fn drop_void(program: &mut Program, about_values: &FxHashSet<NoteId>) {
    for edge in &mut program.edges {
        let is_void = edge.assign.is_empty() && edge.broadcast.is_empty();
        edge.approximate = edge.approximate.filter(|note| !(is_void && about_values.contains(note)));
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::Options;
    use crate::reduce::{self, reduce};
    use crate::translate::translate_text;

    fn doubts(text: &str) -> usize {
        let program = translate_text("x.c", text, &Options::default(), &[]).unwrap().program;
        let (program, _) = reduce(program, &reduce::Options::default());
        program.edges.iter().filter(|edge| edge.approximate.is_some()).count()
    }

    #[test]
    fn only_values_that_matter_are_doubted() {
        let program = |condition: &str| {
            format!(
                "int f(int); extern int g(void); void reach_error(void); int x;
                 int main(void) {{ int a = f(3); x = a; if ({condition}) reach_error(); }}"
            )
        };
        assert_eq!(doubts(&program("__VERIFIER_nondet_int() == 7")), 0);
        assert!(doubts(&program("a == 7")) > 0);
        assert!(doubts(&program("x == 7")) > 0);
        assert!(doubts(&program("g()")) > 0);
    }
}
