//! The library that programs call, as C text: threads, locks, condition variables, semaphores, kernel locks, strings.
//!
//! The text of the selected models stands in front of the user's, and both are read as one file. Calls are then inlined like
//! any other. What the models may say is C without preprocessor, and a few functions more:
//!
//! | in a model | meaning |
//! |---|---|
//! | `__CPROVER_atomic_begin/end()` | one step; may nest; a false `__CPROVER_assume` inside means that the step cannot be taken now |
//! | `_Thread_local` at a field | one copy of the field per thread, zero when the object comes to life (figure 14 of the thesis) |
//! | `__CPROVER_passive_broadcast: x = e;` | assigns all other threads' `x`; `__CPROVER_passive(y)` in `e` is theirs (section 3.4) |
//! | `__monabs_check("mutex", e, "text")` | `e` must hold, else a violation at the user's call |
//! | `__monabs_approximate("text")` | a run that comes here may be one that reality does not have: never evidence of an error |
//! | `__monabs_guess_int("text")`, `__monabs_guess_long("text")` | any number, of which reality may have fewer: evidence of an error only if nothing depends on it |
//! | `__monabs_limit("text")` | not modelled: if control can come here there is no answer |
//! | `__monabs_try_alloc(size)` | a fresh zeroed object of this place in the program, or 0 when there are no more |
//! | `__monabs_spawn(f, a, handle)` | a new thread: `__monabs_self = handle`, then `__monabs_thread_finish(f(a))` |
//! | `__monabs_alloc(size)` | a new object with any content, as malloc |
//! | `__monabs_reads()` | 1 if data races are looked for or pointers are checked, else 0: whether reads matter that nobody uses |
//! | `__monabs_races()` | 1 if data races are looked for, else 0 |
//! | `__monabs_deadlocks()` | 1 if deadlocks are looked for, else 0 |
//! | `__monabs_wait(e)` | first in an atomic section: it cannot be entered as long as `e`; says that to wait for that may be a deadlock (see `deadlock.c`) |
//! | `__monabs_stop()` | this thread ends here |
//!
//! A comment above each function says what of it is exact and what is over-approximated. Nothing is under-approximated without
//! a word: functions that can fail for want of memory succeed, and memory is sequentially consistent.
//!
//! # Adding a model
//!
//! `--model FILE` adds a file of the same form behind the built-in ones. A function that the user's program defines wins over a
//! built-in model's, and one in a file of `--model` over both. A type that a model defines wins over that of the system's headers, which can
//! stay as they are; whose definition counts otherwise is said in `lower::declare::private`. A file begins with lines that say when it is used (see [`Directives`]):
//!
//! ```c
//! //! requires: pthread_mutex_t
//! //! unless-defined: pthread_mutex_lock
//! //! initialiser: pthread_mutex_t lp64 kind=4
//! ```

mod comment;
mod directive;
pub mod library;
mod user_text;

pub use comment::blank_comments;
pub use directive::{DirectiveError, Directives, Initialiser, parse_directives};
pub use user_text::UserText;

use crate::types::DataModel;

/// A file of C text that describes a part of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its file name, for messages.
    pub name: &'static str,
    /// Its text, with comments.
    pub text: &'static str,
}

macro_rules! models {
    ($($name:literal),* $(,)?) => { &[$(Model { name: $name, text: include_str!($name) }),*] };
}

/// All built-in models. A file may use what files before it define.
pub static MODELS: &[Model] = models![
    "deadlock.c",
    "destroyed.c",
    "kept.c",
    "base.c",
    "waiters.c",
    "stores.c",
    "keys.c",
    "identity.c",
    "detach_once.c",
    "detach_again.c",
    "anonymous.c",
    "initial.c",
    "not_initial.c",
    "join.c",
    "attached.c",
    "detached.c",
    "thread_attributes.c",
    "threads.c",
    "mutex_attributes.c",
    "mutex.c",
    "rwlock_attributes.c",
    "rwlock.c",
    "condition_attributes.c",
    "condition.c",
    "spin.c",
    "barrier_attributes.c",
    "barrier.c",
    "once.c",
    "semaphore.c",
    "c11_threads.c",
    "c11_join.c",
    "kernel_threads.c",
    "kernel_sxlock.c",
    "kernel_sleep.c",
    "kernel_later.c",
    "freebsd.c",
    "freebsd_condition.c",
    "freebsd_semaphore.c",
    "openbsd.c",
    "solaris.c",
    "solaris_condition.c",
    "linux.c",
    "delay.c",
    "memory.c",
    "string.c",
    "wide.c",
    "format.c",
    "ctype.c",
    "convert.c",
    "environment.c",
    "time.c",
    "timezone.c",
    "posix.c",
    "stdio.c",
    "allocate.c",
    "by_pointer.c",
    "division.c",
    "sort.c",
    "verifier.c",
    "unsupported.c",
];

/// How the names of files begin whose accesses are the user's: their insides are known by where they stand.
pub(crate) const LIBRARY_FOLDER: &str = "<library/";

/// The name of a model's file in line markers.
pub(crate) fn file_name(name: &str, directives: &Directives<'_>) -> String {
    let folder = if directives.accesses_of_user { LIBRARY_FOLDER } else { "<models/" };
    format!("{folder}{name}>")
}

impl Model {
    /// When the file is used and how its types are initialised. The built-in files have no errors in these lines: a test sees to it.
    pub fn directives(&self) -> Directives<'static> {
        parse_directives(self.text).unwrap_or_default()
    }

    /// Whether a program with this text needs the file.
    pub fn is_selected(&self, user: &UserText<'_>) -> bool {
        self.directives().select(user)
    }
}

/// The models for a program, in the order in which they have to stand in front of it.
pub fn prelude(user: &UserText<'_>) -> Vec<&'static Model> {
    MODELS.iter().filter(|model| model.is_selected(user)).collect()
}

/// Which fields of a type that a built-in model defines take which elements of an initialiser; see [`Initialiser`].
pub fn initialisers(type_name: &str, data_model: DataModel) -> Vec<(&'static str, usize)> {
    let fields = |model: &Model| Some(model.directives().initialiser(type_name, data_model)?.fields.clone());
    MODELS.iter().find_map(fields).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(text: &str) -> Vec<&'static str> {
        prelude(&UserText::scan(text)).iter().map(|model| model.name).collect()
    }

    const ALWAYS: [&str; 17] = [
        "deadlock.c",
        "kept.c",
        "base.c",
        "stores.c",
        "keys.c",
        "identity.c",
        "detach_once.c",
        "anonymous.c",
        "not_initial.c",
        "attached.c",
        "thread_attributes.c",
        "threads.c",
        "delay.c",
        "memory.c",
        "format.c",
        "environment.c",
        "unsupported.c",
    ];

    fn selected_beside_always(text: &str) -> Vec<&'static str> {
        selected(text).into_iter().filter(|name| !ALWAYS.contains(name)).collect()
    }

    #[test]
    fn built_in_directives_have_no_errors() {
        for model in MODELS {
            let directives = parse_directives(model.text);
            assert!(directives.is_ok(), "{}: {directives:?}", model.name);
        }
    }

    #[test]
    fn all_files_of_the_folder_are_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/models");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".c"))
            .collect();
        files.sort();
        let mut listed: Vec<String> = MODELS.iter().map(|model| model.name.to_owned()).collect();
        listed.sort();
        assert_eq!(files, listed);
    }

    #[test]
    fn every_function_says_how_exact_it_is() {
        for model in MODELS {
            let mut previous = "";
            for line in model.text.lines() {
                let starts_function = line.ends_with(") {") && !line.starts_with([' ', '}']);
                let is_internal = line.starts_with("static ");
                assert!(
                    !starts_function || is_internal || previous.starts_with("//"),
                    "{}: no comment above: {line}",
                    model.name
                );
                previous = line;
            }
        }
    }

    /// What stands in front of a program depends on names; the file must be there for each of its functions.
    #[test]
    fn library_files_are_selected_by_each_of_their_functions() {
        let of_library =
            |model: &&Model| !model.directives().requires.is_empty() && model.directives().accesses_of_user;
        let mut count = 0;
        for model in MODELS.iter().filter(of_library) {
            for function in UserText::scan(model.text).defined_functions() {
                if !function.starts_with("__monabs_") {
                    assert!(model.is_selected(&UserText::scan(function)), "{function} in {}", model.name);
                    count += 1;
                }
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn no_function_is_defined_twice_in_one_prelude() {
        for text in [
            "pthread_mutex_t sem_t mtx_plain",
            "mtx_lock cv_wait mutex_lock",
            "kmutex_t kcondvar_t spin_lock",
            "strlen isalpha atoi read fopen posix_memalign div qsort time",
        ] {
            let mut seen = Vec::new();
            for model in prelude(&UserText::scan(text)) {
                for function in UserText::scan(model.text).defined_functions() {
                    assert!(!seen.contains(&function), "{function} again in {}", model.name);
                    seen.push(function);
                }
            }
        }
    }

    #[test]
    fn a_program_without_threads_gets_what_is_always_there() {
        assert_eq!(selected("int main(void) { return 0; }"), ALWAYS);
    }

    #[test]
    fn types_select_files() {
        assert_eq!(
            selected_beside_always("pthread_mutex_t m; pthread_cond_t c;"),
            ["waiters.c", "mutex_attributes.c", "mutex.c", "condition_attributes.c", "condition.c"]
        );
        assert_eq!(selected_beside_always("sem_t s; int sem_wait(sem_t *);"), ["semaphore.c"]);
    }

    #[test]
    fn the_same_names_mean_c11_or_a_kernel() {
        let c11 = "enum { mtx_plain = 0 }; mtx_t mtx; void f(void) { mtx_lock(&mtx); }";
        assert_eq!(selected_beside_always(c11), ["c11_threads.c"]);
        let freebsd = "struct mtx m; struct cv c; void f(void) { mtx_lock(&m); cv_wait(&c, &m); }";
        assert_eq!(selected_beside_always(freebsd), ["freebsd.c", "freebsd_condition.c"]);
        let solaris = "kmutex_t m; kcondvar_t c; void f(void) { mutex_init(&m, 0, 0, 0); cv_wait(&c, &m); }";
        assert_eq!(selected_beside_always(solaris), ["solaris.c", "solaris_condition.c"]);
        let linux = "struct mutex m; void f(void) { mutex_init(&m); mutex_lock(&m); }";
        assert_eq!(selected_beside_always(linux), ["linux.c"]);
    }

    #[test]
    fn what_the_user_defines_is_his() {
        let own = "struct mtx { int l; }; void mtx_lock(struct mtx *m) { m->l = 1; } void f(struct mtx *m) { mtx_lock(m); }";
        assert_eq!(selected_beside_always(own), [""; 0]);
        let declared =
            "struct mtx { int l; }; void mtx_lock(struct mtx *m); void f(struct mtx *m) { mtx_lock(m); }";
        assert_eq!(selected_beside_always(declared), ["freebsd.c"]);
    }

    #[test]
    fn kinds_of_static_locks() {
        assert_eq!(initialisers("pthread_mutex_t", DataModel::Lp64), [("kind", 4)]);
        assert_eq!(initialisers("pthread_mutex_t", DataModel::Ilp32), [("kind", 3)]);
        assert_eq!(initialisers("pthread_rwlock_t", DataModel::Lp64), [("kind", 17)]);
        assert_eq!(initialisers("pthread_rwlock_t", DataModel::Ilp32), [("kind", 6)]);
        assert_eq!(initialisers("pthread_cond_t", DataModel::Lp64), []);
    }
}
