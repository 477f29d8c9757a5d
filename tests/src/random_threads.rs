//! Small random thread programs in C: two shared bytes, a lock, atomic sections, an unbounded number of threads.

use crate::random::Random;
use std::fmt::Write as _;

/// A program as C text, a function of the seed. It asserts something in each thread.
pub fn program(seed: u64) -> String {
    let mut writer = Writer { random: Random::new(seed), text: String::new(), depth: 1 };
    writer.text.push_str(
        "typedef unsigned char byte;\nextern void __VERIFIER_assume(int);\nextern _Bool __VERIFIER_nondet_bool(void);\n\
         byte s = 1, t;\n_Thread_local byte own;\nstruct { byte held; } lock;\n",
    );
    writer.text.push_str(
        "static void acquire(void) { __CPROVER_atomic_begin(); __VERIFIER_assume(!lock.held); lock.held = 1; __CPROVER_atomic_end(); }\n\
         static void release(void) { lock.held = 0; }\n\
         static byte twice(byte *p) { return *p + *p; }\n",
    );
    writer.text.push_str("void thread(byte a) {\n  byte b = 0;\n");
    let length = writer.random.between(2, 4);
    (0..length).for_each(|_| writer.statement());
    let condition = writer.condition();
    let _ = writeln!(writer.text, "  __CPROVER_assert({condition}, \"claim\");\n}}");
    writer.text.push_str("int main(void) {\n  byte a = 0, b = 1;\n");
    if writer.random.chance(1, 2) {
        writer.text.push_str("  while (__VERIFIER_nondet_bool()) __CPROVER_ASYNC_1: thread(s);\n");
    } else {
        writer.text.push_str("  __CPROVER_ASYNC_1: thread(1);\n  __CPROVER_ASYNC_2: thread(t);\n");
    }
    writer.statement();
    writer.text.push_str("  return 0;\n}\n");
    writer.text
}

struct Writer {
    random: Random,
    text: String,
    depth: u32,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth as usize);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn variable(&mut self) -> &'static str {
        let names: [&'static str; 5] = ["s", "t", "own", "a", "b"];
        names[self.random.below(5) as usize]
    }

    fn value(&mut self) -> String {
        match self.random.below(6) {
            0 => self.random.below(3).to_string(),
            1 | 2 => self.variable().to_owned(),
            3 => format!("({} + 1) % 3", self.variable()),
            4 => format!("({} ^ {}) & 3", self.variable(), self.variable()),
            _ => format!("twice(&{}) & 1", self.random.pick(&["s", "t"])),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.variable(), self.value());
        let operator = *self.random.pick(&["==", "!=", "<", "<="]);
        let first = format!("{left} {operator} {right}");
        match self.random.below(4) {
            0 => format!("{first} && {} != 2", self.variable()),
            1 => format!("{first} || {} == 0", self.variable()),
            _ => first,
        }
    }

    fn assignment(&mut self) {
        let (target, value) = (self.variable(), self.value());
        let text = match self.random.below(4) {
            0 => format!("{target} ^= 1;"),
            1 => format!("{target} = {target} == 0;"),
            _ => format!("{target} = {value};"),
        };
        self.line(&text);
    }

    fn block(&mut self) {
        self.depth += 1;
        let length = self.random.between(1, 2);
        (0..length).for_each(|_| self.statement());
        self.depth -= 1;
    }

    fn statement(&mut self) {
        if self.depth > 3 {
            return self.assignment();
        }
        match self.random.below(12) {
            0 | 1 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.block();
                self.line("}");
            }
            2 => {
                let condition = self.condition();
                self.line(&format!("while ({condition}) {{"));
                self.block();
                self.line("  if (__VERIFIER_nondet_bool()) break;");
                self.line("}");
            }
            3 => {
                self.line("__CPROVER_atomic_begin();");
                self.block();
                self.line("__CPROVER_atomic_end();");
            }
            4 => {
                self.line("acquire();");
                self.block();
                self.line("release();");
            }
            5 => {
                let condition = self.condition();
                self.line(&format!("__VERIFIER_assume({condition});"));
            }
            6 => {
                let condition = self.condition();
                self.line(&format!("__CPROVER_assert({condition}, \"inner claim\");"));
            }
            7 => self.line("__CPROVER_passive_broadcast: own = own ^ 1;"),
            8 => self.line("own = __VERIFIER_nondet_bool();"),
            _ => self.assignment(),
        }
    }
}
