//! What the user can choose about the translation.

use crate::program::PropertyKind;
use crate::types::DataModel;
use crate::watch::Watch;

/// What a function without a definition may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// Nothing.
    #[default]
    Pure,
    /// The objects that its arguments point to.
    Arguments,
    /// These, and all global variables; and it may run functions that it is given in threads.
    All,
    /// It must not be called.
    Refuse,
}

/// Choices for the translation of a file.
#[derive(Clone, Debug)]
pub struct Options {
    /// ILP32 or LP64.
    pub data_model: DataModel,
    /// The function that the initial thread runs.
    pub function: String,
    /// Each statement is one step (the thesis' granularity) rather than each memory access.
    pub atomic_statements: bool,
    /// How deep recursive calls are expanded.
    pub unwind_recursion: u32,
    /// How many objects of an allocation site that may run more than once are modelled.
    pub objects_per_site: u64,
    /// How many threads of a creation site that may run more than once have an identity, for joining.
    pub thread_identities: u64,
    /// How many operations the program may have after calls are expanded.
    pub max_operations: usize,
    /// Up to so many operations each call gets a copy of what it calls; larger programs share functions between calls.
    pub copied_operations: usize,
    /// What a function without a definition may change.
    pub undefined: Undefined,
    /// Labels that are errors.
    pub error_labels: Vec<String>,
    /// Indices outside of their array.
    pub bounds_check: bool,
    /// Division by zero.
    pub division_check: bool,
    /// Misuse of mutexes.
    pub mutex_check: bool,
    /// Signed results that do not fit.
    pub overflow_check: bool,
    /// Shifts by a negative or too large amount.
    pub shift_check: bool,
    /// Invalid dereferences.
    pub pointer_check: bool,
    /// Invalid and repeated `free`.
    pub free_check: bool,
    /// Memory that is not freed at the end.
    pub leak_check: bool,
    /// Conflicting accesses at once.
    pub race_check: bool,
    /// Threads that wait while nobody can move.
    pub deadlock_check: bool,
    /// Who is told what is being done.
    pub watch: Watch,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            data_model: DataModel::Lp64,
            function: "main".to_owned(),
            atomic_statements: false,
            unwind_recursion: 4,
            objects_per_site: 4,
            thread_identities: 16,
            max_operations: 2_000_000,
            copied_operations: 50_000,
            undefined: Undefined::default(),
            error_labels: Vec::new(),
            bounds_check: true,
            division_check: true,
            mutex_check: true,
            overflow_check: false,
            shift_check: false,
            pointer_check: false,
            free_check: false,
            leak_check: false,
            race_check: false,
            deadlock_check: false,
            watch: Watch::default(),
        }
    }
}

impl Options {
    /// Whether violations of this kind are looked for.
    pub fn checks(&self, kind: PropertyKind) -> bool {
        match kind {
            PropertyKind::Bounds => self.bounds_check,
            PropertyKind::DivisionByZero => self.division_check,
            PropertyKind::Mutex => self.mutex_check,
            PropertyKind::SignedOverflow => self.overflow_check,
            PropertyKind::Shift => self.shift_check,
            PropertyKind::Pointer => self.pointer_check,
            PropertyKind::Free => self.free_check,
            PropertyKind::Leak => self.leak_check,
            PropertyKind::DataRace => self.race_check,
            PropertyKind::Deadlock => self.deadlock_check,
            PropertyKind::Assertion
            | PropertyKind::ErrorFunction
            | PropertyKind::ErrorLabel
            | PropertyKind::Limit => true,
        }
    }
}
