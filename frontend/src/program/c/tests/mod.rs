//! The text itself, and what a C compiler says to it.

mod execute;

use super::*;
use crate::program::random::{Shape, program_with};
use crate::program::text::read;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// A directory for one test.
struct Scratch(PathBuf);

impl Scratch {
    /// None where there is no C compiler; then there is nothing to compare with.
    fn new(name: &str) -> Option<Scratch> {
        Command::new("gcc").arg("--version").output().ok().filter(|output| output.status.success())?;
        let directory = std::env::temp_dir().join(format!("frontend-c-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        Some(Scratch(directory))
    }

    fn gcc(&self, text: &str, arguments: &[&str]) {
        let file = self.0.join("program.c");
        std::fs::write(&file, text).unwrap();
        let output = Command::new("gcc").args(arguments).arg(&file).current_dir(&self.0).output().unwrap();
        assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    }

    /// Compiles and returns what a program prints.
    fn run(&self, text: &str, arguments: &[&str]) -> String {
        self.gcc(
            text,
            &["-std=gnu11", "-w", "-fsanitize=undefined", "-fno-sanitize-recover", "-o", "program"],
        );
        self.again(arguments.first().unwrap_or(&"1"))
    }

    /// Runs what was compiled last.
    fn again(&self, argument: &str) -> String {
        let output = Command::new(self.0.join("program")).arg(argument).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const STRICT: [&str; 4] = ["-std=gnu11", "-fsyntax-only", "-Wall", "-Werror"];

#[test]
fn a_program_in_full() {
    let text = r#"program 1
        file 0 "lock.c"
        shared lock: i32 = 0
        shared n: u5
        local main::seen: i32 = -1
        local got: bool = false
        location 0 in main @0:3:1
        location 1
        location 2 in worker
        location 3 atomic
        main 0 pool 1
        edge 0: 0 -> 0 guard (= lock #x00000000) assign lock := #x00000001 origin @0:3:1 in main "lock = 1; /* x */"
        edge 1: 1 -> 2 assign main::seen := lock assign lock := (bvadd |main::seen| lock)
        edge 2: 2 -> 3 guard (bvslt |main::seen| lock) passive assign got := (or got@P got (= n #b00001))
        edge 3: 2 -> 1
        edge 4: 3 -> 1
        property worker.assertion.1 assertion "" at 2"#;
    let expected = r#"#pragma GCC diagnostic ignored "-Wunused-label"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#include <stdint.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int32_t lock = 0;
uint8_t n;
_Thread_local _Bool got = 0;
_Bool bv_3; /* got of the active thread */

static void bv_4(void) {
    __CPROVER_passive_broadcast: got = GOT;
}

static void main_thread(void) {
    goto location_0;
location_0:; /* main lock.c:3 */
    { /* edge 0: lock = 1; / * x * / */
        __VERIFIER_atomic_begin();
        __VERIFIER_assume((uint32_t)lock == 0u);
        lock = 1;
        __VERIFIER_atomic_end();
        goto location_0;
    }
}

static void pool_thread(void) {
    int32_t main__seen = -1; /* main::seen */
    goto location_1;
location_1:;
    { /* edge 1 */
        __VERIFIER_atomic_begin();
        const uint32_t bv_1 = (uint32_t)lock;
        const uint32_t bv_2 = SUM;
        main__seen = (int32_t)bv_1;
        lock = (int32_t)bv_2;
        __VERIFIER_atomic_end();
        goto location_2;
    }
location_2:; /* worker */
    reach_error(); /* worker.assertion.1 */
    if (__VERIFIER_nondet_bool()) { /* edge 2 */
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(main__seen < lock);
        bv_3 = got;
        bv_4();
        goto location_3;
    }
    { /* edge 3 */
        __VERIFIER_atomic_begin();
        __VERIFIER_atomic_end();
        goto location_1;
    }
location_3:;
    { /* edge 4 */
        __VERIFIER_atomic_end();
        goto location_1;
    }
}

int main(void) {
    n = __VERIFIER_nondet_uchar() & 31u;
    while (__VERIFIER_nondet_bool()) {
        __CPROVER_ASYNC_1: pool_thread();
    }
    main_thread();
    return 0;
}
"#;
    let found = to_c(&read(text).unwrap()).unwrap();
    // The order of operands of commutative operators is that of the terms.
    let patterns = [("got = GOT;", "got = "), ("bv_2 = SUM;", "bv_2 = ")];
    let mut expected = expected.to_owned();
    for (pattern, start) in patterns {
        let line = found.lines().find(|line| line.contains(start) && !line.contains("= 0")).unwrap();
        expected = expected.replace(pattern, line[line.find(start).unwrap()..].trim());
    }
    assert_eq!(found, expected);
    if let Some(scratch) = Scratch::new("full") {
        scratch.gcc(&found, &STRICT);
    }
}

#[test]
fn odd_names_and_types_are_accepted_by_gcc() {
    let text = r#"program 1
        shared "a b": u8 = 1 shared "a_b": u8 = 2 shared int: i64 = -9223372036854775808 shared "9": bool
        shared bv_1: u128 = 340282366920938463463374607431768211455 shared "*/ \\ \"": i13 = -1
        shared array: [i16; 3 by u64] = {1: -5, else 7} shared flags: [bool by u3]
        local location_0: u33 local l: [u7; 2 by u8] local unused: u8
        location 0 in "f */" main 0 pool 0
        edge 0: 0 -> 0
          input any: [bool by u3] input n: u100
          guard (and (= flags any) (not (= array (store array #x0000000000000002 #x0001))))
          assign array := (ite |9| (store array ((_ zero_extend 56) |a b|) #xffff) ((as const (Array (_ BitVec 64) (_ BitVec 16))) #x0003))
          assign flags := (store any #b001 (bvult n #x0000000000000000000000001))
          assign bv_1 := ((_ sign_extend 28) n)
          assign "*/ \\ \"" := ((_ extract 12 0) (bvashr int ((_ zero_extend 31) location_0)))
          passive input p: [u7 by u8]
          passive assign l := (store (ite (= l p) l@P l) |a b| #b0000001)
          passive assign location_0 := (bvudiv location_0@P location_0)
        property r data-race "" race 0 with 0"#;
    let found = to_c(&read(text).unwrap()).unwrap();
    if let Some(scratch) = Scratch::new("odd") {
        scratch.gcc(&found, &STRICT);
    }
}

#[test]
fn what_c_cannot_have_is_an_error() {
    let wide = read("program 1 shared x: u129 location 0 main 0").unwrap();
    assert_eq!(to_c(&wide), Err(CError::TooWide(129)));
    let long = read("program 1 shared x: [u8 by u32] location 0 main 0").unwrap();
    assert_eq!(to_c(&long), Err(CError::NoLength(Symbol::new("x"))));
    let text = "program 1 local x: [u8; 65 by u8] location 0 main 0 pool 0
        edge 0: 0 -> 0 passive assign x := (store x@P #x00 #x01)";
    assert_eq!(to_c(&read(text).unwrap()), Err(CError::LongBroadcast(Symbol::new("x"))));
}

#[test]
fn gcc_accepts_random_programs_without_a_warning() {
    let Some(scratch) = Scratch::new("random") else { return };
    for seed in 0..30 {
        let program = program_with(seed, Shape { arrays: true, ..Shape::default() });
        scratch.gcc(&to_c(&program).unwrap(), &STRICT);
    }
}
