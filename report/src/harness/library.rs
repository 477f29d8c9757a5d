//! Functions of the library that take a turn in the schedule; `functions.c` defines what they do.

/// How a function takes turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// One turn, at which it takes effect.
    Once,
    /// One turn to begin to wait, one to go on.
    Waits,
    /// None: its result is an input.
    Input,
    /// None: nobody else notices it.
    Passes,
}

/// Functions that take effect in one step. Those of the linker's list are replaced by it.
const ONCE: [&str; 24] = [
    "pthread_create",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_unlock",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "exit",
    "abort",
    "malloc",
    "calloc",
    "free",
];
const WAIT: [&str; 3] = ["pthread_cond_wait", "pthread_cond_timedwait", "pthread_barrier_wait"];
/// Functions that only the harness defines.
const KERNEL: [&str; 8] = [
    "mutex_enter",
    "mutex_exit",
    "mutex_tryenter",
    "mtx_lock",
    "mtx_unlock",
    "mtx_trylock",
    "cv_signal",
    "cv_broadcast",
];
const KERNEL_WAIT: [&str; 1] = ["cv_wait"];
/// Functions that run as they are, since no other thread notices them.
const PASSES: [&str; 20] = [
    "malloc",
    "calloc",
    "free",
    "exit",
    "abort",
    "pthread_exit",
    "pthread_self",
    "pthread_detach",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_rwlock_init",
    "pthread_barrier_init",
    "pthread_spin_init",
    "sem_init",
    "mutex_init",
    "mtx_init",
    "cv_init",
    "sched_yield",
];

/// How a function takes turns, if the harness knows it.
pub(super) fn role(function: &str) -> Option<Role> {
    if function == "rand" {
        Some(Role::Input)
    } else if PASSES.contains(&function) {
        Some(Role::Passes)
    } else if ONCE.contains(&function) || KERNEL.contains(&function) {
        Some(Role::Once)
    } else if WAIT.contains(&function) || KERNEL_WAIT.contains(&function) {
        Some(Role::Waits)
    } else {
        None
    }
}

/// Types of `__VERIFIER_nondet_...` whose values the harness supplies.
const NONDET: [&str; 17] = [
    "bool",
    "char",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "unsigned",
    "long",
    "ulong",
    "longlong",
    "ulonglong",
    "u8",
    "u16",
    "u32",
    "size_t",
    "pointer",
];

/// Whether the harness defines a function that returns any value.
pub(super) fn supplies(function: &str) -> bool {
    function.strip_prefix("__VERIFIER_nondet_").is_some_and(|name| NONDET.contains(&name))
}

/// Whether a function that returns any value is one that no library has.
pub(super) fn is_verifiers(function: &str) -> bool {
    function.contains("nondet")
}

/// Whether a function creates a thread.
pub(super) fn creates(function: &str) -> bool {
    function == "pthread_create"
}

/// Whether the text is an atomic operation that may fail without a reason, which an input decides.
pub(super) fn may_fail(text: &str) -> bool {
    text.contains("compare_exchange")
}

/// What the linker is to replace.
pub(super) fn wrapped() -> impl Iterator<Item = &'static str> {
    ONCE.into_iter().chain(WAIT).chain(["pthread_exit", "rand"])
}
