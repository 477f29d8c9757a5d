//! A run as C: the globals of a program, and each of its edges as a block of statements.
//!
//! For programs whose threads are told apart already: without locals, inputs and broadcasts. Whoever prints a run puts the blocks in its order.

use super::block::{Block, Mode};
use super::{CError, Emission};
use crate::program::Program;

/// A program without control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Declarations and functions that the blocks need, and the variables.
    pub head: String,
    /// By edge: statements. `__VERIFIER_assume` gets the guard, then everything is assigned.
    pub edges: Vec<Vec<String>>,
}

/// The blocks of a program.
pub fn blocks(program: &Program) -> Result<Blocks, CError> {
    let mut emission = Emission::new(program);
    let mut edges = Vec::new();
    for edge in &program.edges {
        let mut block = Block::new(&mut emission, Mode::Active);
        let writes = block.step(edge)?;
        block.lines.extend(writes);
        edges.push(block.lines);
    }
    let mut head = emission.head();
    head.push_str(&emission.globals()?);
    Ok(Blocks { head, edges })
}
