//! The table of all terms.
//!
//! A node is stored once and for the life of the process. The table is split into shards by hash, each under a lock of
//! its own, so that threads seldom wait for each other. An entry repeats the hash of its node: growing a shard and
//! skipping wrong candidates does not touch the nodes.

use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;

use crate::hash::StructuralHasher;
use crate::sort::Sort;
use crate::term::{Op, Term};

/// What a term points to.
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) sort: Sort,
    pub(crate) hash: u64,
    /// A bit for each constant in it; several constants may have the same one.
    pub(crate) mask: u64,
    args: Args,
}

/// Few arguments are part of the node: one allocation per term.
enum Args {
    None,
    One([Term; 1]),
    Two([Term; 2]),
    Three([Term; 3]),
    Many(Box<[Term]>),
}

impl Node {
    pub(crate) fn args(&self) -> &[Term] {
        match &self.args {
            Args::None => &[],
            Args::One(args) => args,
            Args::Two(args) => args,
            Args::Three(args) => args,
            Args::Many(args) => args,
        }
    }

    fn is(&self, op: &Op, args: &[Term], sort: Sort) -> bool {
        self.op == *op && self.args() == args && self.sort == sort
    }
}

impl From<&[Term]> for Args {
    fn from(args: &[Term]) -> Args {
        match *args {
            [] => Args::None,
            [first] => Args::One([first]),
            [first, second] => Args::Two([first, second]),
            [first, second, third] => Args::Three([first, second, third]),
            _ => Args::Many(args.into()),
        }
    }
}

type Shard = HashTable<(u64, &'static Node)>;

const SHARDS: usize = 64;

static TABLE: [Mutex<Shard>; SHARDS] = [const { Mutex::new(HashTable::new()) }; SHARDS];

/// The table itself uses the lowest and the highest bits of the hash.
fn shard(hash: u64) -> MutexGuard<'static, Shard> {
    TABLE[(hash >> 32) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
}

/// A function of the structure: it uses the hashes of arguments and names, never addresses.
fn structural_hash(op: &Op, args: &[Term], sort: Sort) -> u64 {
    let mut hasher = StructuralHasher::default();
    op.hash(&mut hasher);
    sort.hash(&mut hasher);
    args.iter().for_each(|arg| hasher.write_u64(arg.structural_hash()));
    hasher.finish()
}

fn mask(op: &Op, args: &[Term], hash: u64) -> u64 {
    match op {
        Op::Const(_) => 1 << (hash >> 58),
        _ => args.iter().fold(0, |mask, arg| mask | arg.mask()),
    }
}

/// The term with exactly this structure. The caller has simplified.
pub(crate) fn intern(op: Op, args: &[Term], sort: Sort) -> Term {
    let hash = structural_hash(&op, args, sort);
    let mut shard = shard(hash);
    if let Some(&(_, node)) = shard.find(hash, |entry| entry.0 == hash && entry.1.is(&op, args, sort)) {
        return Term::from_node(node);
    }
    let mask = mask(&op, args, hash);
    let node: &'static Node = Box::leak(Box::new(Node { op, sort, hash, mask, args: args.into() }));
    shard.insert_unique(hash, (hash, node), |entry| entry.0);
    Term::from_node(node)
}

/// The term with exactly this structure, if somebody has made it already.
pub(crate) fn find(op: &Op, args: &[Term], sort: Sort) -> Option<Term> {
    let hash = structural_hash(op, args, sort);
    let found =
        shard(hash).find(hash, |entry| entry.0 == hash && entry.1.is(op, args, sort)).map(|entry| entry.1);
    found.map(Term::from_node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::Symbol;

    fn word(name: &str) -> Term {
        Term::constant(Symbol::new(name), Sort::BitVec(32))
    }

    #[test]
    fn terms_are_stored_once() {
        let (x, y) = (word("x"), word("y"));
        assert_eq!(intern(Op::BvUdiv, &[x, y], x.sort()), x.bv_udiv(y));
        assert_ne!(x.bv_udiv(y), y.bv_udiv(x));
        assert_ne!(x, Term::constant(Symbol::new("x"), Sort::BitVec(33)));
        assert_eq!(find(&Op::BvUdiv, &[x, y], x.sort()), Some(x.bv_udiv(y)));
        assert_eq!(find(&Op::BvUdiv, &[x, word("never divided")], x.sort()), None);
    }

    #[test]
    fn threads_agree() {
        let build = || {
            let step = |term: Term, number: u128| {
                term.bv_mul(word("x")).bv_add(Term::bv(32, number)).bv_lshr(word("y"))
            };
            (0..10_000).fold(word("x"), step)
        };
        let built: Vec<Term> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(build)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(built.iter().all(|term| *term == built[0]));
    }

    /// The numbers are what they are. That they are the same in every run shows that no address goes into them.
    #[test]
    fn hashes_are_the_same_in_every_run() {
        let array = Term::constant(Symbol::new("a"), Sort::array(Sort::BitVec(32), Sort::BitVec(32)));
        let term = array.select(word("x")).bv_udiv(Term::bv(32, 7)).ult(word("y"));
        assert_eq!(term.structural_hash(), 8_488_877_107_714_855_033);
    }
}
