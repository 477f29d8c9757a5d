//! Deadlocks: programs whose answer is known, and random programs with locks and semaphores against a search that knows nothing of C.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use cseq::{Options, Verdict};
use frontend::lower;
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::program::random::Random;
use frontend::program::{Program, PropertyKind, Target};
use frontend::reduce::{self, reduce};
use frontend::translate::translate_text;
use smt::Config;
use std::collections::BTreeSet;

const HEAD: &str = "
typedef struct { int __opaque; } pthread_mutex_t;
typedef struct { int __opaque; } pthread_rwlock_t;
typedef struct { int __opaque; } pthread_barrier_t;
typedef struct { int __opaque; } sem_t;
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_timedlock(pthread_mutex_t *, const void *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_post(sem_t *);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
";

/// The program for engines.
fn program(text: &str) -> Program {
    let options = lower::Options { deadlock_check: true, mutex_check: false, ..lower::Options::default() };
    let text = format!("{HEAD}{text}");
    let lowered = match translate_text("deadlock.c", &text, &options, &[]) {
        Ok(translation) => translation.program,
        Err(errors) => panic!("{}\n{text}", errors.iter().map(ToString::to_string).collect::<String>()),
    };
    reduce(lowered, &reduce::Options::default()).0
}

/// Whether there is a deadlock with so many threads, tried by brute force; every property in a violation is one.
fn is_stuck(program: &Program, threads: usize) -> bool {
    let found = explore(program, threads, &ExploreOptions::default()).unwrap();
    assert!(found.complete || !found.violated.is_empty());
    for name in found.violated.keys() {
        let property = program.properties.iter().find(|property| property.name == *name).unwrap();
        assert_eq!(property.kind, PropertyKind::Deadlock, "{name}");
    }
    !found.violated.is_empty()
}

fn bounded(program: &Program, rounds: usize) -> Verdict {
    let watch = &mut |_: &_, explored: cseq::Explored| explored.rounds <= rounds;
    cseq::verify(program, &Options::default(), &Config::default(), watch).unwrap().verdict
}

/// A thread `one` and what the initial one does after creating it.
fn pair(one: &str, main: &str) -> String {
    format!(
        "pthread_mutex_t a, b; pthread_rwlock_t l; pthread_barrier_t r; sem_t s, t;
        void *one(void *u) {{ {one} return 0; }}
        int main(void) {{
          pthread_t p;
          pthread_barrier_init(&r, 0, 2);
          pthread_create(&p, 0, one, 0);
          {main}
          return 0;
        }}"
    )
}

const NEST: &str =
    "pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);";
const NEST_BACK: &str =
    "pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);";
const LOCK: &str = "pthread_mutex_lock(&a); pthread_mutex_unlock(&a);";
const UPGRADE: &str = "pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l);";
const NO_UPGRADE: &str = "pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l);";

#[test]
fn answers_that_are_known() {
    let cases = [
        (true, NEST, NEST_BACK),
        (false, NEST, NEST),
        (true, LOCK, "pthread_mutex_lock(&a); pthread_join(p, 0); pthread_mutex_unlock(&a);"),
        (false, LOCK, "pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_join(p, 0);"),
        // Who may give up in time does not wait.
        (
            false,
            "long time[2] = { 1, 0 }; if (pthread_mutex_timedlock(&a, time) == 0) pthread_mutex_unlock(&a);",
            "pthread_mutex_lock(&a); pthread_join(p, 0); pthread_mutex_unlock(&a);",
        ),
        // Who ends keeps the lock; the end of the initial thread is not that of the process, its return is.
        (true, "pthread_mutex_lock(&a);", "pthread_mutex_lock(&a);"),
        (true, "sem_wait(&s);", "pthread_exit(0);"),
        (false, "sem_wait(&s);", ""),
        (true, "sem_wait(&s); sem_post(&t);", "sem_wait(&t); sem_post(&s);"),
        (false, "sem_wait(&s); sem_post(&t);", "sem_post(&s); sem_wait(&t);"),
        (true, UPGRADE, "pthread_join(p, 0);"),
        (false, NO_UPGRADE, "pthread_join(p, 0);"),
        (
            true,
            "pthread_barrier_wait(&r); pthread_barrier_wait(&r);",
            "pthread_barrier_wait(&r); pthread_join(p, 0);",
        ),
        (false, "pthread_barrier_wait(&r);", "pthread_barrier_wait(&r); pthread_join(p, 0);"),
        // A run that an assumption ends does not count.
        (false, "__VERIFIER_assume(0);", "pthread_join(p, 0);"),
        (false, "for (;;);", "pthread_join(p, 0);"),
    ];
    for (expected, one, main) in cases {
        let text = pair(one, main);
        let reduced = program(&text);
        assert_eq!(is_stuck(&reduced, 2), expected, "{one} | {main}");
        match bounded(&reduced, 3) {
            Verdict::Bug(bug) => {
                assert!(expected, "{one} | {main}");
                assert_eq!(reduced.properties[bug.property].kind, PropertyKind::Deadlock);
            }
            Verdict::Safe(_) => assert!(!expected, "{one} | {main}"),
            Verdict::Unknown(why) => assert!(!expected, "{why:?}: {one} | {main}"),
        }
    }
}

/// A thread that leaves a barrier after the next round has ended finds the same phase, but does not wait.
#[test]
fn slow_threads_leave_barriers() {
    let text = |main: &str| {
        format!(
            "pthread_barrier_t r;
            void *one(void *u) {{ pthread_barrier_wait(&r); return 0; }}
            int main(void) {{
              pthread_t p, q, v;
              pthread_barrier_init(&r, 0, 2);
              pthread_create(&p, 0, one, 0); pthread_create(&q, 0, one, 0); pthread_create(&v, 0, one, 0);
              {main}
              pthread_join(p, 0); pthread_join(q, 0); pthread_join(v, 0);
              return 0;
            }}"
        )
    };
    assert!(!is_stuck(&program(&text("pthread_barrier_wait(&r);")), 4));
    assert!(is_stuck(&program(&text("")), 4));
}

/// What waits inside an atomic section of the program is not looked at: no answer rather than a wrong one.
#[test]
fn atomic_sections_of_the_user_are_a_limit() {
    let text = pair(
        "__VERIFIER_atomic_begin(); pthread_mutex_lock(&a); __VERIFIER_atomic_end();",
        "pthread_mutex_lock(&a); pthread_join(p, 0);",
    );
    let reduced = program(&text);
    let found = explore(&reduced, 2, &ExploreOptions::default()).unwrap();
    let limit = |name: &String| {
        let property = reduced.properties.iter().find(|property| property.name == *name).unwrap();
        property.kind == PropertyKind::Limit && matches!(property.target, Target::Location(_))
    };
    assert!(found.violated.keys().any(limit));
}

/// What a thread of a random program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Lock(usize),
    Unlock(usize),
    Wait(usize),
    Post(usize),
    /// The initial thread waits for the end of another.
    Join(usize),
}

impl Action {
    fn text(self) -> String {
        match self {
            Action::Lock(lock) => format!("pthread_mutex_lock(&m{lock});"),
            Action::Unlock(lock) => format!("pthread_mutex_unlock(&m{lock});"),
            Action::Wait(semaphore) => format!("sem_wait(&s{semaphore});"),
            Action::Post(semaphore) => format!("sem_post(&s{semaphore});"),
            Action::Join(thread) => format!("pthread_join(t{thread}, 0);"),
        }
    }
}

/// Critical sections that nest in any order, with semaphores between them.
fn actions(random: &mut Random) -> Vec<Action> {
    let (mut done, mut held) = (Vec::new(), Vec::new());
    for _ in 0..random.below(4) + 1 {
        match random.below(5) {
            0 => done.push(Action::Wait(random.below(2))),
            1 => done.push(Action::Post(random.below(2))),
            _ => {
                let lock = random.below(3);
                match held.iter().position(|known| *known == lock) {
                    Some(place) => {
                        held.remove(place);
                        done.push(Action::Unlock(lock));
                    }
                    None => {
                        held.push(lock);
                        done.push(Action::Lock(lock));
                    }
                }
            }
        }
    }
    // Now and then a lock is kept.
    if random.below(8) > 0 {
        done.extend(held.into_iter().rev().map(Action::Unlock));
    }
    done
}

fn source(threads: &[Vec<Action>]) -> String {
    let body = |actions: &[Action]| actions.iter().map(|action| action.text()).collect::<Vec<_>>().join(" ");
    let one =
        |number: usize| format!("void *f{number}(void *u) {{ {} return 0; }}\n", body(&threads[number]));
    let functions: String = (1..threads.len()).map(one).collect();
    let create =
        |number: usize| format!("pthread_t t{number}; pthread_create(&t{number}, 0, f{number}, 0);\n");
    let created: String = (1..threads.len()).map(create).collect();
    format!(
        "pthread_mutex_t m0, m1, m2; sem_t s0, s1;\n{functions}int main(void) {{\n{created}{}\nreturn 0;\n}}\n",
        body(&threads[0])
    )
}

/// Where each thread is, which locks are taken, and the values of semaphores.
type State = (Vec<usize>, [bool; 3], [u32; 2]);

fn after(threads: &[Vec<Action>], state: &State, thread: usize) -> Option<State> {
    let (mut at, mut locks, mut values) = state.clone();
    match *threads[thread].get(at[thread])? {
        Action::Lock(lock) if locks[lock] => return None,
        Action::Lock(lock) => locks[lock] = true,
        Action::Unlock(lock) => locks[lock] = false,
        Action::Wait(semaphore) => values[semaphore] = values[semaphore].checked_sub(1)?,
        Action::Post(semaphore) => values[semaphore] += 1,
        Action::Join(other) if at[other] < threads[other].len() => return None,
        Action::Join(_) => {}
    }
    at[thread] += 1;
    Some((at, locks, values))
}

/// Whether a state can be reached in which nobody can move, and the process has not ended.
fn has_deadlock(threads: &[Vec<Action>]) -> bool {
    let start: State = (vec![0; threads.len()], [false; 3], [0; 2]);
    let (mut seen, mut open) = (BTreeSet::from([start.clone()]), vec![start]);
    while let Some(state) = open.pop() {
        if state.0[0] == threads[0].len() {
            continue;
        }
        let next: Vec<State> =
            (0..threads.len()).filter_map(|thread| after(threads, &state, thread)).collect();
        if next.is_empty() {
            return true;
        }
        open.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
    }
    false
}

#[test]
fn random_programs_with_locks_and_semaphores() {
    let count = std::env::var("CSEQ").ok().and_then(|number| number.parse().ok()).unwrap_or(12);
    let (mut stuck, mut free, mut proved) = (0, 0, 0);
    for seed in 0..count {
        let mut random = Random::new(seed);
        let mut threads: Vec<Vec<Action>> = (0..3).map(|_| actions(&mut random)).collect();
        threads[0].truncate(random.below(3));
        threads[0].extend([Action::Join(1), Action::Join(2)]);
        let text = source(&threads);
        let expected = has_deadlock(&threads);
        let reduced = program(&text);
        assert_eq!(is_stuck(&reduced, 3), expected, "seed {seed}\n{text}");
        match bounded(&reduced, 3) {
            Verdict::Bug(_) => assert!(expected, "seed {seed}\n{text}"),
            Verdict::Safe(_) => {
                assert!(!expected, "seed {seed}\n{text}");
                proved += 1;
            }
            Verdict::Unknown(_) => {
                assert!(!expected, "seed {seed}: a deadlock is missed in three rounds\n{text}")
            }
        }
        stuck += usize::from(expected);
        free += usize::from(!expected);
    }
    println!("{stuck} with deadlocks, {free} without, {proved} proved");
    assert!(
        stuck * 5 > count as usize && free * 10 > count as usize,
        "{stuck} with deadlocks, {free} without"
    );
}
