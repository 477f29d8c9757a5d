//! Accesses wider than the machine: C and the target promise that a plain access is one piece only up to the width of a pointer.
//!
//! The same holds for members of packed structs, which may cross any boundary: their pieces are bytes.
//! A wider one is done in pieces, the lowest first, and other threads may come between. Each piece reads or writes the scalar as a
//! whole and keeps the other bits, so that the object stays one scalar. Where data races are checked, two such accesses are a race
//! anyway, and one step shows it.

use crate::lower::context::Lowerer;
use crate::lower::graph::{Access, Address, Op};
use crate::types::Type;
use smt::Term;

/// The most pieces; only unions are wider, and are then accessed at once.
const MAX_PIECES: u32 = 8;

impl Lowerer<'_> {
    /// Bits of each piece; none if one is enough.
    fn pieces(&self, access: &Access, unaligned: bool) -> Option<Vec<(u32, u32)>> {
        let Access { width, ref ty, order, .. } = *access;
        let piece = if unaligned { 8 } else { self.pointer_width() };
        // A bit-field is read and written with its neighbours, by whoever writes it.
        let single = order.is_some()
            || access.bit_field
            || width <= piece
            || width.div_ceil(piece) > MAX_PIECES
            || *ty.unatomic() == Type::Bool
            || ty.is_float()
            || self.options.race_check
            || self.builder.as_ref().is_none_or(|b| b.model || b.symbolic || b.passive.is_some());
        if single {
            return None;
        }
        Some((0..width).step_by(piece as usize).map(|low| ((low + piece).min(width) - 1, low)).collect())
    }

    /// Reads a scalar, in as many steps as it takes.
    pub(crate) fn load_in_pieces(&mut self, address: Address, access: Access, unaligned: bool) -> Term {
        let Some(pieces) = self.pieces(&access, unaligned) else {
            return self.load(address, access);
        };
        let mut value: Option<Term> = None;
        for (high, low) in pieces {
            let part = self.load(address.clone(), access.clone()).extract(high, low);
            value = Some(value.map_or(part, |value| part.concat(value)));
        }
        value.unwrap_or_else(|| Term::bv(access.width, 0))
    }

    /// Writes a scalar, in as many steps as it takes.
    pub(crate) fn store_in_pieces(&mut self, address: Address, access: Access, value: Term, unaligned: bool) {
        let Some(pieces) = self.pieces(&access, unaligned) else {
            self.emit(Op::Store(address, access, value));
            return;
        };
        for (high, low) in pieces {
            self.emit(Op::AtomicBegin);
            let before = self.load(address.clone(), access.clone());
            let mut merged = value.extract(high, low);
            if low > 0 {
                merged = merged.concat(before.extract(low - 1, 0));
            }
            if high + 1 < access.width {
                merged = before.extract(access.width - 1, high + 1).concat(merged);
            }
            self.emit(Op::Store(address.clone(), access.clone(), merged));
            self.emit(Op::AtomicEnd);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::Options;
    use crate::lower::testing::outcome_with;
    use crate::program::PropertyKind::Assertion;
    use crate::types::DataModel;

    fn tears(ty: &str, data_model: DataModel) -> bool {
        let text = format!(
            "extern void __VERIFIER_assert(int); {ty} x; void t(void) {{ x = ({ty})-1; }} \
             int main(void) {{ __CPROVER_ASYNC_1: t(); {ty} y = x; __VERIFIER_assert(y == 0 || y == ({ty})-1); return 0; }}"
        );
        outcome_with(&text, &Options { data_model, ..Options::default() }, 2).has(Assertion)
    }

    #[test]
    fn members_of_packed_structs_tear() {
        let text = "extern void __VERIFIER_assert(int); struct { char c; int x; unsigned f : 25; } __attribute__((packed)) s; \
                    void t(void) { s.x = -1; } int main(void) { __CPROVER_ASYNC_1: t(); s.f = 77; int y = s.x; \
                    __VERIFIER_assert(s.f == 77); __VERIFIER_assert(y == 0 || y == -1); return 0; }";
        let found = outcome_with(text, &Options::default(), 2);
        assert_eq!(found.violated.len(), 1, "{:?}", found.violated);
        assert!(found.has(Assertion));
    }

    #[test]
    fn wide_accesses_take_several_steps() {
        assert!(tears("long long", DataModel::Ilp32));
        assert!(tears("__int128", DataModel::Lp64));
        assert!(!tears("long long", DataModel::Lp64));
        assert!(!tears("int", DataModel::Ilp32));
        assert!(!tears("_Atomic(long long)", DataModel::Ilp32));
    }
}
