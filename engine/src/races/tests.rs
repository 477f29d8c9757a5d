//! Races that matter for sequential consistency: small programs with and without them.

use super::*;
use frontend::lower::Options;
use frontend::translate::translate_text;

fn found(source: &str) -> Races {
    let text =
        format!("typedef unsigned long pthread_t;\ntypedef struct __monabs_mutex pthread_mutex_t;\n{source}");
    let options = Options { race_check: true, ..Options::default() };
    let translation = translate_text("a.c", &text, &options, &[]).unwrap();
    races(translation.program, 3, &AtomicBool::new(false))
}

const THREADS: &str = "
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    int x; _Atomic int lock;
    void enter(void) { int free; do { free = 0; } while (!__atomic_compare_exchange_n(&lock, &free, 1, 0, 5, 5)); }
    void leave(void) { __atomic_store_n(&lock, 0, 5); }
";

fn is_real(races: &Races, name: &str) -> bool {
    matches!(races, Races::Real(race) if race.starts_with(&format!("data race on {name}: ")))
}

#[test]
fn a_lock_excludes_races_of_any_number_of_threads() {
    let program = |before: &str| {
        format!(
            "{THREADS} void *f(void *a) {{ {before} x = x + 1; leave(); return 0; }}
             int main(void) {{ pthread_t t; x = 7; while (1) pthread_create(&t, 0, f, 0); }}"
        )
    };
    assert_eq!(found(&program("enter();")), Races::None);
    assert!(is_real(&found(&program("")), "x"));
}

#[test]
fn what_happens_before_and_after_threads_is_no_race() {
    let program = |join: &str| {
        format!(
            "{THREADS} void *f(void *a) {{ x = 1; return 0; }}
             int main(void) {{ pthread_t t; x = 7; pthread_create(&t, 0, f, 0); {join} return x; }}"
        )
    };
    assert_eq!(found(&program("pthread_join(t, 0);")), Races::None);
    assert!(is_real(&found(&program("")), "x"));
}

/// Two threads can be inside if a third one opens the door.
#[test]
fn a_lock_that_anybody_releases_is_none() {
    let source = format!(
        "{THREADS} void *f(void *a) {{ enter(); x = 1; leave(); return 0; }}
         void *g(void *a) {{ leave(); return 0; }}
         int main(void) {{ pthread_t t; while (1) {{ pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }} }}"
    );
    assert_ne!(found(&source), Races::None);
}
