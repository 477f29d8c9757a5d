//! Temporary objects: structs that calls return. They live until the end of the full expression (C11 6.2.4 p8).
//!
//! That matters to whoever keeps a pointer into an array in such a struct. It is done for expressions that are statements and for initial values; in conditions they live until the end of the
//! block.

use crate::lower::context::Lowerer;
use crate::lower::graph::{ObjectId, Op};

impl Lowerer<'_> {
    /// The object lives until the end of the full expression.
    pub(crate) fn is_temporary(&mut self, object: ObjectId) {
        if let Some(builder) = &mut self.builder {
            builder.passing.push(object);
        }
    }

    /// A full expression begins: how many temporary objects there are around it.
    pub(crate) fn begin_full_expression(&self) -> usize {
        self.builder.as_ref().map_or(0, |builder| builder.passing.len())
    }

    /// Its temporary objects end.
    pub(crate) fn end_full_expression(&mut self, around: usize) {
        let Some(builder) = &mut self.builder else { return };
        let mut ended = builder.passing.split_off(around.min(builder.passing.len()));
        // What is not translated has none.
        ended.retain(|object| builder.blocks.declares(*object));
        ended.into_iter().for_each(|object| self.emit(Op::Dead(object)));
    }
}
