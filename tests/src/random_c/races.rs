//! Programs of two threads in which each variable is used in one way: under a lock, atomically, by one thread only, or before and after the
//! threads. Those with an odd seed contain one access that keeps to no such rule; the sanitizer for races decides about them, where it notices it.

use crate::random::Random;
use std::fmt::Write as _;

/// How a variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Under the lock of this number.
    Lock(u32),
    /// By atomic operations.
    Atomic,
    /// By the thread of this number.
    Own(usize),
    /// Only read by threads.
    Constant,
}

/// The variables: members, elements, scalars.
const VARIABLES: [&str; 5] = ["x", "a[0]", "a[1]", "s.m", "s.n"];

/// Writes one program.
struct Writer {
    random: Random,
    rules: [Rule; VARIABLES.len()],
}

/// True if the program of this seed has an access that may race.
pub fn has_fault(seed: u64) -> bool {
    seed % 2 == 1
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut rules = [Rule::Constant; VARIABLES.len()];
    for rule in &mut rules {
        *rule = match random.below(5) {
            0 | 1 => Rule::Lock(random.below(2)),
            2 => Rule::Atomic,
            3 => Rule::Own(random.below(2) as usize),
            _ => Rule::Constant,
        };
    }
    let mut writer = Writer { random, rules };
    let mut text = "#include <pthread.h>
static int x, a[2];
static struct {
  char c;
  int m, n;
} s;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
"
    .to_owned();
    let faulty = (has_fault(seed)).then(|| writer.random.below(2) as usize);
    for thread in 0..2 {
        let _ = writeln!(text, "static void *thread{thread}(void *arg) {{\n  int t = 0;");
        let count = writer.random.between(2, 4);
        let at = writer.random.below(count);
        for number in 0..count {
            if faulty == Some(thread) && number == at {
                let _ = writeln!(text, "  {}", writer.fault(thread));
            }
            let _ = writeln!(text, "  {}", writer.statement(thread));
        }
        text.push_str("  return t == 12345 ? arg : 0;\n}\n");
    }
    text.push_str(
        "int main(void) {
  pthread_t t0, t1;
  x = 1;
  s.m = 2;
  pthread_create(&t0, 0, thread0, 0);
  pthread_create(&t1, 0, thread1, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  return x + a[0] + a[1] + s.m + s.n == 12345;
}
",
    );
    text
}

impl Writer {
    fn access(&mut self, variable: &str) -> String {
        match self.random.below(3) {
            0 => format!("t += {variable};"),
            1 => format!("{variable} = t;"),
            _ => format!("{variable}++;"),
        }
    }

    fn statement(&mut self, thread: usize) -> String {
        let index = self.random.below(VARIABLES.len() as u32) as usize;
        let variable = VARIABLES[index];
        match self.rules[index] {
            Rule::Lock(lock) => {
                let access = self.access(variable);
                if self.random.chance(1, 4) {
                    return format!(
                        "if (!pthread_mutex_trylock(&m{lock})) {{ {access} pthread_mutex_unlock(&m{lock}); }}"
                    );
                }
                format!("pthread_mutex_lock(&m{lock}); {access} pthread_mutex_unlock(&m{lock});")
            }
            Rule::Atomic => match self.random.below(3) {
                0 => format!("t += __atomic_load_n(&{variable}, __ATOMIC_SEQ_CST);"),
                1 => format!("__atomic_store_n(&{variable}, t, __ATOMIC_SEQ_CST);"),
                _ => format!("__sync_fetch_and_add(&{variable}, 1);"),
            },
            Rule::Own(owner) if owner == thread => self.access(variable),
            Rule::Constant => format!("t += {variable};"),
            Rule::Own(_) => "t++;".to_owned(),
        }
    }

    /// An access without a rule.
    fn fault(&mut self, thread: usize) -> String {
        let shared = (0..VARIABLES.len()).filter(|index| self.rules[*index] != Rule::Own(thread));
        let shared: Vec<usize> = shared.collect();
        if shared.is_empty() {
            return "t++;".to_owned();
        }
        let variable = VARIABLES[*self.random.pick(&shared)];
        self.access(variable)
    }
}
