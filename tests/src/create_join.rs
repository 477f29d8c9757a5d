//! C programs that create and join threads in loops, in pairs: a safe one and one that is not.

use std::fmt::{self, Write as _};

/// What protects the counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// A mutex; the unsafe twin has none.
    Mutex,
    /// One atomic step; in the unsafe twin, a load and a store.
    Atomic,
}

/// How a thread gets its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// As the argument itself.
    Value,
    /// By a pointer to an element of an array.
    Element,
    /// By a pointer to memory that the creator has allocated, and the thread frees.
    Heap,
}

/// One program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// How many threads are created.
    pub threads: u32,
    /// What protects the counter.
    pub protection: Protection,
    /// How a thread gets its number.
    pub argument: Argument,
    /// Whether the values that threads return are collected.
    pub results: bool,
    /// Whether the program is safe.
    pub safe: bool,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Task { threads, protection, argument, results, safe } = self;
        let results = if *results { "results" } else { "none" };
        let safe = if *safe { "safe" } else { "unsafe" };
        write!(f, "{threads}-{protection:?}-{argument:?}-{results}-{safe}")
    }
}

impl Task {
    /// All programs with so many threads.
    pub fn all(threads: u32) -> Vec<Task> {
        let mut tasks = Vec::new();
        for protection in [Protection::Mutex, Protection::Atomic] {
            for argument in [Argument::Value, Argument::Element, Argument::Heap] {
                for results in [false, true] {
                    let task = |safe| Task { threads, protection, argument, results, safe };
                    tasks.extend([task(true), task(false)]);
                }
            }
        }
        tasks
    }

    /// The program.
    pub fn text(&self) -> String {
        let mut text = String::from("#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n");
        match self.protection {
            Protection::Mutex => {
                text.push_str("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint count;\n")
            }
            Protection::Atomic => text.push_str("#include <stdatomic.h>\n_Atomic int count;\n"),
        }
        text.push_str(&self.worker());
        text.push_str(&self.main());
        text
    }

    fn worker(&self) -> String {
        let number = match self.argument {
            Argument::Value => "  long number = (long)given;\n",
            Argument::Element => "  long number = *(int *)given;\n",
            Argument::Heap => "  long number = *(int *)given;\n  free(given);\n",
        };
        let add = match (self.protection, self.safe) {
            (Protection::Mutex, true) => {
                "  pthread_mutex_lock(&m);\n  count += (int)number;\n  pthread_mutex_unlock(&m);\n"
            }
            (Protection::Mutex, false) => "  count += (int)number;\n",
            (Protection::Atomic, true) => "  atomic_fetch_add(&count, (int)number);\n",
            (Protection::Atomic, false) => {
                "  int old = atomic_load(&count);\n  atomic_store(&count, old + (int)number);\n"
            }
        };
        let result = if self.results { "(void *)(number + 1)" } else { "0" };
        format!("void *worker(void *given) {{\n{number}{add}  return {result};\n}}\n")
    }

    fn main(&self) -> String {
        let threads = self.threads;
        let mut text = format!("int main(void) {{\n  pthread_t t[{threads}];\n");
        if self.argument == Argument::Element {
            let _ = writeln!(text, "  int numbers[{threads}];");
        }
        if self.results {
            text.push_str("  long sum = 0;\n");
        }
        let _ = writeln!(text, "  for (int i = 0; i < {threads}; i++) {{");
        text.push_str(match self.argument {
            Argument::Value => "    pthread_create(&t[i], 0, worker, (void *)(long)(i + 1));\n",
            Argument::Element => {
                "    numbers[i] = i + 1;\n    pthread_create(&t[i], 0, worker, &numbers[i]);\n"
            }
            Argument::Heap => {
                "    int *number = malloc(sizeof(int));\n    *number = i + 1;\n    pthread_create(&t[i], 0, worker, number);\n"
            }
        });
        let _ = writeln!(text, "  }}\n  for (int i = 0; i < {threads}; i++) {{");
        text.push_str(if self.results {
            "    void *result;\n    pthread_join(t[i], &result);\n    sum += (long)result;\n"
        } else {
            "    pthread_join(t[i], 0);\n"
        });
        let total = threads * (threads + 1) / 2;
        let _ = writeln!(text, "  }}\n  assert(count == {total});");
        if self.results {
            let _ = writeln!(text, "  assert(sum == {});", total + threads);
        }
        text.push_str("  return 0;\n}\n");
        text
    }
}
