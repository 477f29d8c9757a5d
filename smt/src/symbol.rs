//! Interned names.
//!
//! A name is stored once and for the life of the process, so a [`Symbol`] is a pointer: cheap to copy, compare and
//! hash. The hash of a symbol is a function of its text alone, and symbols are ordered by text: neither depends on
//! the order in which threads met the names.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;

use crate::hash::StructuralHasher;

/// An interned name. Equal symbols have the same text.
#[derive(Copy, Clone)]
pub struct Symbol(&'static Entry);

#[derive(Debug)]
struct Entry {
    hash: u64,
    text: Box<str>,
}

static NAMES: Mutex<HashTable<Symbol>> = Mutex::new(HashTable::new());

impl Symbol {
    /// The symbol with this text.
    pub fn new(text: &str) -> Symbol {
        let mut hasher = StructuralHasher::default();
        hasher.write(text.as_bytes());
        let hash = hasher.finish();
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = names.entry(hash, |known| *known.0.text == *text, |known| known.0.hash);
        *entry.or_insert_with(|| Symbol(Box::leak(Box::new(Entry { hash, text: text.into() })))).get()
    }

    /// The text.
    pub fn as_str(self) -> &'static str {
        &self.0.text
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> Ordering {
        if self == other { Ordering::Equal } else { self.0.text.cmp(&other.0.text) }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_symbol() {
        assert_eq!(Symbol::new("shared"), Symbol::new(&["sha", "red"].concat()));
        assert_ne!(Symbol::new("shared"), Symbol::new("Shared"));
        assert_eq!(Symbol::new("").as_str(), "");
    }

    #[test]
    fn order_is_that_of_the_texts() {
        let (late, early) = (Symbol::new("zeta"), Symbol::new("alpha"));
        assert!(early < late);
        assert_eq!(late.cmp(&late), Ordering::Equal);
    }

    #[test]
    fn threads_agree() {
        let names: Vec<String> = (0..1000).map(|number| format!("thread symbol {number}")).collect();
        let intern = || names.iter().map(|name| Symbol::new(name)).collect::<Vec<_>>();
        let (first, second) = std::thread::scope(|scope| {
            let other = scope.spawn(intern);
            (intern(), other.join().unwrap())
        });
        assert_eq!(first, second);
    }
}
