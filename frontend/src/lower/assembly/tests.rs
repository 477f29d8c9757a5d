//! AArch64 with results computed by hand, what constraints forbid, and steps of several threads. `frontend/tests/assembly.rs` runs
//! x86-64 on the processor.

use crate::lower::testing::{Outcome, outcome_with};
use crate::lower::{Options, testing};
use crate::program::PropertyKind::{Assertion, DataRace, Limit};
use crate::types::DataModel;

/// Declarations and statements of a function, and what must hold behind them.
fn run(statements: &str, condition: &str) -> Outcome {
    let text = format!(
        "extern void __VERIFIER_assert(int); typedef unsigned long u64; typedef unsigned int u32; u64 m = 10; u32 n = 7; unsigned char c = 200; \
         int main(void) {{ u64 a = 1, b = 2; u32 w = 0xfffffff0u, x = 3; (void)a; (void)b; (void)w; (void)x; {statements} __VERIFIER_assert({condition}); return 0; }}"
    );
    testing::outcome(&text)
}

fn holds(statements: &str, condition: &str) {
    let outcome = run(statements, condition);
    assert!(outcome.violated.is_empty(), "{statements}: {:?}", outcome.violated);
    let outcome = run(statements, &format!("!({condition})"));
    assert!(outcome.has(Assertion), "{statements}: the end is not reached");
}

fn is_limit(statements: &str) {
    let outcome = run(statements, "1");
    assert!(outcome.has(Limit), "{statements}: {:?}", outcome.violated);
}

#[test]
fn arithmetic_of_aarch64() {
    holds("asm(\"add %0, %1, %2\" : \"=r\"(a) : \"r\"(m), \"r\"(b));", "a == 12");
    holds("asm(\"add %w0, %w1, #32\" : \"=r\"(a) : \"r\"((u64)w));", "a == 0x10");
    holds("asm(\"subs %w0, %w1, #4\\n\\tcset %w0, lo\" : \"=&r\"(x) : \"r\"(x) : \"cc\");", "x == 1");
    holds("asm(\"cmp %1, %2\\n cset %0, hi\" : \"=r\"(a) : \"r\"(m), \"r\"(b) : \"cc\");", "a == 1");
    holds("asm(\"adds %w0, %w1, #32\\n cset %w0, cs\" : \"=&r\"(x) : \"r\"(w) : \"cc\");", "x == 1");
    holds("asm(\"bic %w0, %w1, #1\" : \"=r\"(x) : \"r\"(x));", "x == 2");
    holds("asm(\"rbit %0, %1\\n clz %0, %0\" : \"=r\"(a) : \"r\"(m));", "a == 1");
    holds("asm(\"clz %w0, %w1\" : \"=r\"(x) : \"r\"(x));", "x == 30");
    holds("asm(\"mvn %w0, wzr\" : \"=r\"(x));", "x == 0xffffffffu");
    holds("asm(\"lsl %0, %1, #3\" : \"=r\"(a) : \"r\"(m));", "a == 80");
}

#[test]
fn memory_of_aarch64() {
    holds("asm volatile(\"ldr %w0, %1\" : \"=r\"(x) : \"m\"(n));", "x == 7");
    holds("asm volatile(\"ldarb %w0, %1\" : \"=r\"(x) : \"Q\"(c));", "x == 200");
    holds("asm volatile(\"stlr %w1, %0\" : \"=Q\"(n) : \"r\"(x) : \"memory\");", "n == 3");
    holds("asm volatile(\"ldr %0, [%1]\" : \"=r\"(a) : \"r\"(&m) : \"memory\");", "a == 10");
    holds(
        "asm volatile(\"ldadd %w2, %w0, %1\" : \"=r\"(w), \"+Q\"(n) : \"r\"(x) : \"memory\");",
        "w == 7 && n == 10",
    );
    holds(
        "asm volatile(\"swpal %2, %0, %1\" : \"=r\"(a), \"+Q\"(m) : \"r\"(b) : \"memory\");",
        "a == 10 && m == 2",
    );
    holds(
        "asm volatile(\"ldclrb %w2, %w0, %1\" : \"=r\"(w), \"+Q\"(c) : \"r\"(8) : \"memory\");",
        "w == 200 && c == 192",
    );
    holds("asm volatile(\"stset %w1, %0\" : \"+Q\"(n) : \"r\"(8) : \"memory\");", "n == 15");
    let cas = "asm volatile(\"casal %w0, %w2, %1\" : \"+r\"(w), \"+Q\"(n) : \"r\"(x) : \"memory\");";
    holds(&format!("w = 7; {cas}"), "w == 7 && n == 3");
    holds(&format!("w = 8; {cas}"), "w == 7 && n == 7");
    holds("asm volatile(\"dmb ish; isb; yield; wfe; sevl\" ::: \"memory\");", "1");
}

const ADD: &str = "u32 r, s; asm volatile(\"1: ldxr %w0, %2\\n add %w0, %w0, %w3\\n stxr %w1, %w0, %2\\n cbnz %w1, 1b\" \
                   : \"=&r\"(r), \"=&r\"(s), \"+Q\"(n) : \"r\"(x) : \"memory\");";
const SWAP: &str = "u32 r, s; asm volatile(\"1: ldaxr %w0, %2\\n cmp %w0, %w3\\n b.ne 2f\\n stlxr %w1, %w4, %2\\n cbnz %w1, 1b\\n2:\" \
                    : \"=&r\"(r), \"=&r\"(s), \"+Q\"(n) : \"r\"(x), \"r\"(5) : \"memory\", \"cc\");";

#[test]
fn exclusive_loops() {
    holds(ADD, "r == 10 && n == 10");
    holds(SWAP, "r == 7 && n == 7");
    holds(&format!("x = 7; {SWAP}"), "r == 7 && n == 5");
    // A single attempt may fail.
    let once = "u32 r, s; asm volatile(\"ldxr %w0, %2\\n stxr %w1, %w3, %2\" : \"=&r\"(r), \"=&r\"(s), \"+Q\"(n) : \"r\"(x) : \"memory\");";
    holds(once, "r == 7 && (s == 0 ? n == 3 : s == 1 && n == 7)");
    assert!(run(once, "s == 0").has(Assertion));
    assert!(run(once, "s == 1").has(Assertion));
}

#[test]
fn exclusive_accesses_of_two_statements() {
    let load = "u32 r, s; asm volatile(\"ldxr %w0, %1\" : \"=r\"(r) : \"Q\"(n));";
    let store = "asm volatile(\"stxr %w0, %w2, %1\" : \"=&r\"(s), \"=Q\"(n) : \"r\"(x) : \"memory\");";
    holds(&format!("{load} {store}"), "s ? n == 7 : n == 3");
    holds(&format!("{load} n = 9; {store}"), "s && n == 9");
    holds(&format!("u32 s; {store}"), "s && n == 7");
}

#[test]
fn constraints_are_believed_or_a_limit() {
    // An input changes, a register changes, memory changes that is not named.
    is_limit("asm(\"incl %0\" : : \"r\"(x));");
    is_limit("asm(\"movl $1, %%ecx\" : : : \"memory\");");
    is_limit("asm volatile(\"movl $1, (%0)\" : : \"r\"(&n));");
    // Both may be in one register.
    is_limit("asm volatile(\"movl $1, %0; addl %2, %1\" : \"=r\"(x), \"+m\"(n) : \"r\"(w) : \"memory\");");
    holds(
        "asm volatile(\"movl $1, %0; addl %2, %1\" : \"=&r\"(x), \"+m\"(n) : \"r\"(3) : \"memory\");",
        "x == 1 && n == 10",
    );
    // An output only, but it is read.
    is_limit("asm volatile(\"incl %0\" : \"=m\"(n));");
    holds("asm volatile(\"incl %0\" : \"=m\"(n) : \"m\"(n));", "n == 8");
    is_limit("asm volatile(\"incl %0\" : \"=m\"(n) : : \"memory\");");
    holds("u32 *p = &n; asm volatile(\"incl %0\" : \"=m\"(*p) : : \"memory\");", "n == 8");
    // What is not known.
    is_limit("asm volatile(\"frobnicate %0\" : \"=r\"(x) : : \"memory\");");
    is_limit("asm volatile(\"jmp somewhere\" : : : \"memory\");");
    is_limit("asm volatile(\"incq %0\" : \"+m\"(n));");
    is_limit("asm volatile(\"inc %0\" : \"+m\"(n) : : \"memory\");");
    assert!(run("asm volatile(\"frobnicate %0\" : \"=r\"(x));", "x == 3").has(Assertion));
}

#[test]
fn widths_are_those_of_the_instruction() {
    holds("asm volatile(\"orb $1, %0\" : \"+m\"(n) : : \"memory\");", "n == 7");
    holds("n = 0x1ff; asm volatile(\"incb %0\" : \"+m\"(n) : : \"memory\");", "n == 0x100");
    holds("asm(\"movl %k1, %k0\" : \"=r\"(a) : \"r\"(0x500000007ul));", "a == 7");
    holds("a = 0x1122; asm(\"movb %h0, %b0\" : \"+q\"(a));", "a == 0x1111");
}

#[test]
fn labels_of_c() {
    let text = "asm goto(\"testl %0, %0; jz %l[zero]\" : : \"r\"(x) : \"cc\" : zero); a = 5; if (0) { zero: a = 6; }";
    holds(text, "a == 5");
    holds(&format!("x = 0; {text}"), "a == 6");
    is_limit("asm goto(\"frob %l[out]\" : : : : out); out: ;");
}

/// The outcome of a function that two threads run.
fn two(function: &str, condition: &str, options: &Options) -> Outcome {
    let text = format!(
        "extern void __VERIFIER_assert(int); unsigned n; int done; void t(void) {{ unsigned x = 1; {function} __sync_fetch_and_add(&done, 1); }} \
         int main(void) {{ __CPROVER_ASYNC_1: t(); __CPROVER_ASYNC_2: t(); if (__sync_fetch_and_add(&done, 0) == 2) __VERIFIER_assert({condition}); return 0; }}"
    );
    outcome_with(&text, options, 3)
}

#[test]
fn locked_instructions_are_one_step() {
    let options = Options::default();
    for step in ["lock; incl %0", "lock; addl $1, %0"] {
        let text = format!("asm volatile(\"{step}\" : \"+m\"(n) : : \"memory\");");
        assert!(two(&text, "n == 2", &options).violated.is_empty(), "{step}");
        let plain = text.replace("lock; ", "");
        assert!(two(&plain, "n == 2", &options).has(Assertion), "{plain}");
    }
    let add = ADD.replace("u32", "unsigned");
    assert!(two(&add, "n == 2", &options).violated.is_empty());
    assert!(two(&add, "n != 2", &options).has(Assertion));
    let plain = "asm volatile(\"ldr %w0, %1\\n add %w0, %w0, #1\\n str %w0, %1\" : \"=&r\"(x), \"+m\"(n) : : \"memory\");";
    assert!(two(plain, "n == 2", &options).has(Assertion));
    let exchange = "x = 5; asm volatile(\"xchgl %0, %1\" : \"+r\"(x), \"+m\"(n) : : \"memory\"); n = n;";
    assert!(!two(exchange, "n == 5", &options).has(Limit));
}

#[test]
fn assembly_is_atomic_for_races() {
    let options = Options { race_check: true, ..Options::default() };
    let load = "asm volatile(\"movl %1, %0\" : \"=r\"(x) : \"m\"(n) : \"memory\");";
    let store = "asm volatile(\"movl %1, %0\" : \"=m\"(n) : \"r\"(x) : \"memory\");";
    assert!(!two(&format!("{load} {store}"), "1", &options).has(DataRace));
    assert!(two(&format!("{load} n = x;"), "1", &options).has(DataRace));
}

#[test]
fn machines_of_32_bits() {
    let options = Options { data_model: DataModel::Ilp32, ..Options::default() };
    let text = "extern void __VERIFIER_assert(int); unsigned long long m = 5; int main(void) { unsigned char z; unsigned long long old = 5; \
                asm volatile(\"lock; cmpxchg8b %1; setz %0\" : \"=q\"(z), \"+m\"(m), \"+A\"(old) : \"b\"(7), \"c\"(1) : \"memory\", \"cc\"); \
                __VERIFIER_assert(z == 1 && m == 0x100000007ull && old == 5); return 0; }";
    let outcome = outcome_with(text, &options, 1);
    assert!(outcome.violated.is_empty(), "{:?}", outcome.violated);
}
