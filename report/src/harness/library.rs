//! Functions of the library that take a turn in the schedule; `functions.c` defines what they do.

/// How a function takes turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// One turn, at which it takes effect: the last of its steps that others notice.
    Once,
    /// One turn: the first of them.
    First,
    /// One turn to begin to wait, one to go on.
    Waits,
    /// None: its result is an input.
    Input,
    /// None: nobody else notices it.
    Passes,
}

/// Functions that take effect in one step. Those of the linker's list are replaced by it.
const ONCE: [&str; 23] = [
    "pthread_create",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_unlock",
    "pthread_once",
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
const FIRST: [&str; 2] = ["pthread_cond_signal", "pthread_cond_broadcast"];
const WAIT: [&str; 3] = ["pthread_cond_wait", "pthread_cond_timedwait", "pthread_barrier_wait"];
/// Functions that only the harness defines, or that it defines ahead of the library's.
const OWN: [&str; 10] = [
    "mutex_enter",
    "mutex_exit",
    "mutex_tryenter",
    "mtx_lock",
    "mtx_unlock",
    "mtx_trylock",
    "mtx_timedlock",
    "call_once",
    "thrd_create",
    "thrd_join",
];
const OWN_FIRST: [&str; 4] = ["cv_signal", "cv_broadcast", "cnd_signal", "cnd_broadcast"];
const OWN_WAIT: [&str; 3] = ["cv_wait", "cnd_wait", "cnd_timedwait"];
/// Functions that run as they are, or do nothing, since no other thread notices them.
const PASSES: [&str; 42] = [
    "malloc",
    "calloc",
    "free",
    "exit",
    "abort",
    "pthread_exit",
    "pthread_self",
    "pthread_equal",
    "pthread_detach",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutexattr_init",
    "pthread_mutexattr_settype",
    "pthread_mutexattr_destroy",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "pthread_barrier_init",
    "pthread_barrier_destroy",
    "pthread_spin_init",
    "pthread_spin_destroy",
    "sem_init",
    "sem_destroy",
    "mutex_init",
    "mtx_init",
    "mtx_destroy",
    "cv_init",
    "cnd_init",
    "cnd_destroy",
    "thrd_current",
    "thrd_equal",
    "thrd_detach",
    "thrd_exit",
    "thrd_yield",
    "thrd_sleep",
    "sched_yield",
    "pthread_yield",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
];
/// Functions that take no turn, and that the linker replaces all the same.
const REPLACED: [&str; 7] =
    ["pthread_exit", "pthread_barrier_init", "rand", "sleep", "usleep", "nanosleep", "clock_nanosleep"];

/// How a function takes turns, if the harness knows it.
pub(super) fn role(function: &str) -> Option<Role> {
    if function == "rand" {
        Some(Role::Input)
    } else if PASSES.contains(&function) {
        Some(Role::Passes)
    } else if ONCE.contains(&function) || OWN.contains(&function) {
        Some(Role::Once)
    } else if FIRST.contains(&function) || OWN_FIRST.contains(&function) {
        Some(Role::First)
    } else if WAIT.contains(&function) || OWN_WAIT.contains(&function) {
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
    matches!(function, "pthread_create" | "thrd_create")
}

/// Whether a function calls one of the user's, once.
pub(super) fn calls_back(function: &str) -> bool {
    matches!(function, "pthread_once" | "call_once")
}

/// Whether the text is an atomic operation that may fail without a reason, which an input decides.
pub(super) fn may_fail(text: &str) -> bool {
    text.contains("compare_exchange")
}

/// What the linker is to replace.
pub(super) fn wrapped() -> impl Iterator<Item = &'static str> {
    ONCE.into_iter().chain(FIRST).chain(WAIT).chain(REPLACED)
}
