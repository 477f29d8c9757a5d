//! Programs that allocate, use, pass on and free objects. Those with an odd seed contain one fault.
//!
//! Without the fault nothing is lost, used too late or outside of its bounds; what the sanitizer says about both kinds decides.

use crate::random::Random;
use std::fmt::Write as _;

/// How many pointers there are.
const SLOTS: usize = 3;

/// Writes one program.
struct Writer {
    random: Random,
    text: String,
    /// The number of elements of the object that a pointer has.
    live: [Option<usize>; SLOTS],
    labels: usize,
}

/// True if the program of this seed has a fault.
pub fn has_fault(seed: u64) -> bool {
    seed % 2 == 1
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let text = "#include <stdlib.h>
#include <string.h>
static int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}
static void release(int **p) {
  free(*p);
  *p = 0;
}
int main(void) {
  int *p0 = 0, *p1 = 0, *p2 = 0, s = 0;
";
    let mut writer =
        Writer { random: Random::new(seed), text: text.to_owned(), live: [None; SLOTS], labels: 0 };
    let count = writer.random.between(4, 9);
    let faulty = writer.random.below(count);
    for number in 0..count {
        if has_fault(seed) && number == faulty {
            writer.fault();
        } else {
            writer.statement();
        }
    }
    for slot in 0..SLOTS {
        if writer.live[slot].take().is_some() {
            writer.line(&format!("free(p{slot});"));
        }
    }
    writer.text.push_str("  return s == 12345;\n}\n");
    writer.text
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    /// A pointer that has an object, and the number of its elements.
    fn living(&mut self) -> (usize, usize) {
        let slot = self.random.below(SLOTS as u32) as usize;
        if let Some(count) = self.live[slot] {
            return (slot, count);
        }
        let count = self.random.between(1, 3) as usize;
        if self.random.chance(1, 2) {
            self.line(&format!("p{slot} = calloc({count}, sizeof(int));"));
        } else {
            self.line(&format!("p{slot} = malloc({count} * sizeof(int));"));
            (0..count).for_each(|index| self.line(&format!("p{slot}[{index}] = {index};")));
        }
        self.live[slot] = Some(count);
        (slot, count)
    }

    fn statement(&mut self) {
        let (slot, count) = self.living();
        let index = self.random.below(count as u32);
        self.labels += 1;
        let id = self.labels;
        match self.random.below(8) {
            0 | 1 => self.line(&format!("p{slot}[{index}] = s + 1;")),
            2 => self.line(&format!("s += sum(p{slot}, {count});")),
            3 => self.line(&format!("int *q{id} = p{slot} + {index}; *q{id} += 2;")),
            4 => {
                self.live[slot] = None;
                let release = format!("release(&p{slot});");
                let free = format!("free(p{slot}); p{slot} = 0;");
                let choice = if self.random.chance(1, 2) { release } else { free };
                self.line(&choice);
            }
            5 => {
                let more = count + self.random.below(2) as usize;
                self.line(&format!("p{slot} = realloc(p{slot}, {more} * sizeof(int));"));
                (count..more).for_each(|index| self.line(&format!("p{slot}[{index}] = 0;")));
                self.live[slot] = Some(more);
            }
            6 => self.line(&format!("memset(p{slot}, 1, {count} * sizeof(int)); s += p{slot}[{index}];")),
            _ => self.line(&format!("{{ int x{id} = 3; int *q{id} = &x{id}; *q{id} += s; s = *q{id}; }}")),
        }
    }

    /// Something that must not be done.
    fn fault(&mut self) {
        let (slot, count) = self.living();
        let index = self.random.below(count as u32);
        let used = *self.random.pick(&["s += *q;", "*q = 1;", "memset(q, 0, 4);", "s += sum(q, 1);"]);
        match self.random.below(9) {
            0 => self.line(&format!("{{ int *q = p{slot}; free(p{slot}); p{slot} = 0; {used} }}")),
            1 => self.line(&format!("{{ int *q = p{slot}; free(q); free(p{slot}); p{slot} = 0; }}")),
            2 => self.line(&format!("{{ int *q = p{slot} + {count}; {used} free(p{slot}); p{slot} = 0; }}")),
            3 => self.line(&format!("{{ int *q = p{slot} - 1; {used} free(p{slot}); p{slot} = 0; }}")),
            4 => self.line(&format!("free((char *)(p{slot} + {index}) + 1); p{slot} = 0;")),
            5 => self.line(&format!("p{slot} = 0;")),
            6 => self
                .line(&format!("{{ int *q; {{ int x = 1; q = &x; }} {used} free(p{slot}); p{slot} = 0; }}")),
            7 => self.line(&format!("{{ int x = 1; int *q = &x; free(q); free(p{slot}); p{slot} = 0; }}")),
            _ => self.line(&format!(
                "{{ int *q = p{slot}; p{slot} = realloc(p{slot}, 400); {used} free(p{slot}); p{slot} = 0; }}"
            )),
        }
        self.live[slot] = None;
    }
}
