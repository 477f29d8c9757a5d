//! Random numbers and random terms: a function of the seed.

use smt::{Sort, Symbol, Term};

/// A generator of random numbers (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.next() & 1 == 1
    }
}

/// What random terms are made of.
#[derive(Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) width: u32,
    /// Bit-vectors; there are as many truth values.
    pub(crate) constants: usize,
    pub(crate) arrays: bool,
    /// Also products and quotients, which take solvers their time.
    pub(crate) products: bool,
}

impl Terms {
    fn constant(self, random: &mut Random, kind: &str, sort: Sort) -> Term {
        Term::constant(Symbol::new(&format!("{kind}{}", random.below(self.constants))), sort)
    }

    fn array_sort(self) -> Sort {
        Sort::array(Sort::BitVec(self.width), Sort::BitVec(self.width))
    }

    pub(crate) fn formula(self, random: &mut Random, depth: usize) -> Term {
        if depth == 0 {
            return match random.below(4) {
                0 => Term::bool(random.coin()),
                _ => self.constant(random, "p", Sort::Bool),
            };
        }
        let mut formula = || self.formula(random, depth - 1);
        let (a, b) = (formula(), formula());
        match random.below(13) {
            0 => a.not(),
            1 => a.and(b),
            2 => a.or(b),
            3 => a.xor(b),
            4 => a.implies(b),
            5 => a.equals(b),
            6 => a.ite(b, self.formula(random, depth - 1)),
            kind => {
                let (x, y) = (self.vector(random, depth - 1), self.vector(random, depth - 1));
                match kind {
                    7 => x.equals(y),
                    8 => x.ult(y),
                    9 => x.ule(y),
                    10 => x.slt(y),
                    11 => x.sle(y),
                    _ if self.arrays => self.array(random, depth - 1).equals(self.array(random, depth - 1)),
                    _ => x.distinct(y),
                }
            }
        }
    }

    pub(crate) fn vector(self, random: &mut Random, depth: usize) -> Term {
        if depth == 0 {
            return match random.below(3) {
                0 => Term::bv(self.width, u128::from(random.next()) << 64 | u128::from(random.next())),
                _ => self.constant(random, "x", Sort::BitVec(self.width)),
            };
        }
        let (x, y) = (self.vector(random, depth - 1), self.vector(random, depth - 1));
        match random.below(22) {
            0 => x.bv_not(),
            1 => x.bv_neg(),
            2 => x.bv_and(y),
            3 => x.bv_or(y),
            4 => x.bv_xor(y),
            5 => x.bv_add(y),
            6 => x.bv_sub(y),
            7 if self.products => x.bv_mul(y),
            8 if self.products => x.bv_udiv(y),
            9 if self.products => x.bv_urem(y),
            10 if self.products => x.bv_sdiv(y),
            11 if self.products => x.bv_srem(y),
            12 => x.bv_shl(y),
            13 => x.bv_lshr(y),
            14 => x.bv_ashr(y),
            15 => x.concat(y).extract(self.width, 1),
            16 => x.zero_extend(3).bv_add(y.sign_extend(3)).extract(self.width + 1, 2),
            17 => x.extract(self.width - 1, self.width / 2).resize_unsigned(self.width),
            18 => x.extract(self.width / 2, 0).resize_signed(self.width),
            19 if self.arrays => self.array(random, depth - 1).select(x),
            _ => self.formula(random, depth - 1).ite(x, y),
        }
    }

    fn array(self, random: &mut Random, depth: usize) -> Term {
        if depth == 0 {
            return match random.below(4) {
                // Not every solver can do others.
                0 => Term::const_array(self.array_sort(), Term::bv(self.width, u128::from(random.next()))),
                _ => self.constant(random, "a", self.array_sort()),
            };
        }
        let array = self.array(random, depth - 1);
        match random.below(3) {
            0 => self.formula(random, depth - 1).ite(array, self.array(random, depth - 1)),
            _ => array.store(self.vector(random, depth - 1), self.vector(random, depth - 1)),
        }
    }
}
