//! Each idiom of x86-64 that is known, with random operands, on the processor and here: both compute the same.
//!
//! An idiom is a statement over a variable `m` in memory, `v`, `w` in registers and a byte `f`. It is compiled and run for each width, then translated with
//! its result as an assertion: no assertion may fail, no limit may be met, and the end must be reached. Without a compiler for x86-64 the test says so and passes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::lower::Options;
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::reduce::{self, reduce};
use frontend::translate::translate_text;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Widths: the suffix of instructions, the type, and letters that an idiom is asked for.
const WIDTHS: [(&str, &str); 4] =
    [("b", "unsigned char"), ("w", "unsigned short"), ("l", "unsigned int"), ("q", "unsigned long")];

/// Statements with `@` for the suffix of a width, and the widths that they have.
const IDIOMS: &[(&str, &str)] = &[
    ("bwlq", r#""lock cmpxchg@ %3, %0; sete %1" : "+m"(m), "=q"(f), "+a"(v) : "q"(w) : "memory", "cc""#),
    ("bwlq", r#""lock; cmpxchg@ %3, %0" : "+m"(m), "=@ccz"(f), "+a"(v) : "q"(w) : "memory""#),
    ("bwlq", r#""lock cmpxchg@ %3, %0; setb %1" : "+m"(m), "=q"(f), "+a"(v) : "q"(w) : "memory", "cc""#),
    ("bwlq", r#""cmpxchg@ %3, %0; setne %1" : "+m"(m), "=q"(f), "+a"(v) : "q"(w) : "memory", "cc""#),
    ("lq", r#""lock ; cmpxchg %3, %1" : "=a"(v), "=m"(*p) : "a"(v), "r"(w) : "memory""#),
    ("bwlq", r#""xchg@ %0, %1" : "+q"(v), "+m"(m) : : "memory""#),
    ("wlq", r#""xchg %0, %1" : "=r"(v), "=m"(*p) : "0"(v) : "memory""#),
    ("wlq", r#""xchg %0, %1" : "+r"(v), "+r"(w)"#),
    ("bwlq", r#""lock xadd@ %0, %1; seto %2" : "+q"(v), "+m"(m), "=q"(f) : : "memory", "cc""#),
    ("lq", r#""lock ; xadd %0, %1" : "=r"(v), "=m"(*p) : "0"(v) : "memory", "cc""#),
    ("bwlq", r#""lock add@ %2, %0; setc %1" : "+m"(m), "=q"(f) : "q"(v) : "memory", "cc""#),
    ("bwlq", r#""lock sub@ %2, %0; setle %1" : "+m"(m), "=q"(f) : "q"(v) : "memory", "cc""#),
    ("bwlq", r#""lock sub@ %2, %0; seta %1" : "+m"(m), "=q"(f) : "q"(v) : "memory", "cc""#),
    ("bwlq", r#""lock and@ %2, %0; sets %1" : "+m"(m), "=q"(f) : "q"(v) : "memory", "cc""#),
    ("bwlq", r#""lock or@ %2, %0; setns %1" : "+m"(m), "=q"(f) : "q"(v) : "memory", "cc""#),
    ("bwlq", r#""lock xor@ %2, %0; setz %1" : "+m"(m), "=q"(f) : "q"(v) : "memory", "cc""#),
    ("bwlq", r#""lock inc@ %0; setz %1" : "+m"(m), "=q"(f) : : "memory", "cc""#),
    ("bwlq", r#""lock dec@ %0; setg %1" : "+m"(m), "=q"(f) : : "memory", "cc""#),
    ("bwlq", r#""lock neg@ %0; setc %1" : "+m"(m), "=q"(f) : : "memory", "cc""#),
    ("bwlq", r#""lock not@ %0" : "+m"(m) : : "memory""#),
    ("wlq", r#""lock bts@ $3, %0; setc %1" : "+m"(m), "=q"(f) : : "memory", "cc""#),
    ("wlq", r#""lock btr@ %2, %0; setc %1" : "+m"(m), "=q"(f) : "I"(5) : "memory", "cc""#),
    ("wlq", r#""lock btc@ %2, %0; setnc %1" : "+m"(m), "=q"(f) : "r"((typeof(m))(v & 15)) : "memory", "cc""#),
    ("wlq", r#""bt@ %2, %1; setc %0" : "=q"(f) : "r"(m), "r"(v) : "cc""#),
    (
        "lq",
        r#""lock bts@ %2, %1; sbb@ %0, %0" : "=r"(v), "+m"(m) : "r"((typeof(m))(w & 31)) : "memory", "cc""#,
    ),
    (
        "lq",
        r#""lock bts@ %2, %0; setc %1" : "+m"(array[1]), "=m"(f) : "r"((typeof(m))(v % 64)) : "memory", "cc""#,
    ),
    ("bwlq", r#""mov@ %1, %0" : "=q"(v) : "m"(m) : "memory""#),
    ("bwlq", r#""mov@ %1, %0" : "=m"(m) : "q"(v) : "memory""#),
    ("bwlq", r#""mov@ $7, %0; lock; orl $0, (%%rsp)" : "=m"(m) : : "memory", "cc""#),
    ("lq", r#""mov %1, %0 ; lock ; orl $0,(%%rsp)" : "=m"(m) : "r"(v) : "memory", "cc""#),
    ("lq", r#""movzb@ %b1, %0" : "=r"(v) : "q"(w)"#),
    ("lq", r#""movsb@ %b1, %0" : "=r"(v) : "q"(w)"#),
    ("q", r#""movslq %k1, %0" : "=r"(v) : "r"(w)"#),
    ("q", r#""movl %k1, %k0" : "=r"(v) : "r"(w)"#),
    ("lq", r#""movw %w1, %w0" : "+r"(v) : "r"(w)"#),
    ("lq", r#""movb %h1, %b0" : "+Q"(v) : "Q"(w)"#),
    ("lq", r#""addb %b1, %h0" : "+Q"(v) : "Q"((char)5) : "cc""#),
    ("q", r#""addl %k1, %k0" : "+r"(v) : "r"(w) : "cc""#),
    ("bwlq", r#""cmp@ %2, %1; setl %0" : "=q"(f) : "q"(v), "q"(w) : "cc""#),
    ("bwlq", r#""cmp@ %2, %1; setbe %0" : "=q"(f) : "q"(v), "m"(m) : "cc""#),
    ("bwlq", r#""cmp@ %2, %1" : "=@ccg"(f) : "q"(v), "q"(w)"#),
    ("bwlq", r#""test@ %2, %1; setnz %0" : "=q"(f) : "q"(v), "q"(w) : "cc""#),
    ("wlq", r#""cmp@ %2, %1; cmovae %2, %0" : "+&r"(v) : "r"(w), "r"(m) : "cc""#),
    ("bwlq", r#""add@ %2, %0; adc@ %4, %1; setc %3" : "+&q"(v), "+&q"(w), "+q"(m), "=m"(f) : "i"(3) : "cc""#),
    ("bwlq", r#""sub@ %1, %0; sbb@ $0, %1" : "+&q"(v), "+&q"(w) : : "cc""#),
    ("bwlq", r#""shl@ $3, %0; shr@ $1, %1" : "+q"(v), "+q"(w) : : "cc""#),
    ("bwlq", r#""sar@ %%cl, %0" : "+q"(v) : "c"(5) : "cc""#),
    ("lq", r#""bsf@ %1, %0" : "=r"(v) : "r"(w | 16) : "cc""#),
    ("lq", r#""bsr %1,%0 ; xor $63,%0" : "=r"(v) : "r"(w | 1) : "cc""#),
    ("lq", r#""bswap %0" : "+r"(v)"#),
    ("q", r#""lea 8(%1,%2,4), %0" : "=r"(v) : "r"(v), "r"(w)"#),
    ("bwlq", r#""mov@ %0, %%al; inc@ %%al; mov@ %%al, %0" : "+m"(m) : : "rax", "cc", "memory""#),
    (
        "lq",
        r#""1: mov@ %0, %2; mov@ %2, %1; add@ $3, %1; lock cmpxchg@ %1, %0; jne 1b" : "+m"(m), "=&r"(v), "=&a"(w) : : "memory", "cc""#,
    ),
    ("lq", r#""cmp@ %1, %0; jb 2f; xchg@ %0, %1; 2: dec@ %0" : "+&r"(v), "+&r"(w) : : "cc""#),
    (
        "lq",
        r#""mov@ $0, %0; 1: inc@ %0; shr@ %1; jmp 3f; 3: test@ %1, %1; jnz 1b" : "=&r"(v), "+&r"(w) : : "cc""#,
    ),
    ("bwlq", r#""mfence; lfence; sfence; pause; rep; nop; nop" : : : "memory""#),
    (
        "lq",
        r#"".pushsection .note.x; .long 671f - .; .popsection; 671: lock; dec@ %0" : "+m"(m) : : "memory", "cc""#,
    ),
    ("bwlq", r#""lock; add@ $0,0(%%rsp)" : : : "memory", "cc""#),
    ("bwlq", r#""" : "+r"(v), "=r"(w) : "1"(v) : "memory""#),
    ("wlq", r##""# a comment\n add{@ %1, %0| %0, %1} /* another; one */" : "+r"(v) : "r"(w) : "cc""##),
    ("bwlq", r#""add@ %[from], %[to]" : [to] "+q"(v) : [from] "qm"(w) : "cc""#),
];

/// The suffix of `mov@ %0, %%al` is a byte in all widths.
fn text_of(idiom: &str, suffix: &str) -> String {
    if idiom.contains("%%al") {
        let idiom = idiom.replace("mov@ %0, %%al", "movb %b0, %%al");
        return idiom
            .replace("inc@ %%al", "incb %%al")
            .replace("mov@ %%al, %0", "movb %%al, %b0")
            .replace("%b0", "%0");
    }
    idiom.replace("=@cc", "=?cc").replace('@', suffix).replace("=?cc", "=@cc")
}

/// A generator of Marsaglia's kind; small numbers, limits of types and equal operands are likely.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn number(&mut self) -> u64 {
        match self.next() % 6 {
            0 => self.next() % 4,
            1 => u64::MAX - self.next() % 3,
            2 => 1 << (self.next() % 64),
            3 => (1 << (self.next() % 64)) - 1,
            _ => self.next(),
        }
    }
}

/// C functions without parameters, one for each idiom, width and choice of operands.
fn functions(rounds: u64) -> Vec<String> {
    let mut random = Random(88_172_645_463_325_252);
    let mut functions = Vec::new();
    for (widths, idiom) in IDIOMS {
        for (suffix, ty) in WIDTHS.iter().filter(|(suffix, _)| widths.contains(suffix)) {
            for _ in 0..rounds {
                let (m, v, w) = (random.number(), random.number(), random.number());
                let v = if random.next().is_multiple_of(3) { m } else { v };
                let number = functions.len();
                let statement = text_of(idiom, suffix);
                functions.push(format!(
                    "static unsigned long f{number}(void) {{ {ty} m = ({ty}){m}ul, v = ({ty}){v}ul, w = ({ty}){w}ul; unsigned char f = 9; \
                     static volatile {ty} array[3]; volatile {ty} *p = &array[1]; escaped = (void *)p; array[0] = array[1] = array[2] = ({ty})({m}ul ^ {w}ul);\n  __asm__ volatile({statement});\n  \
                     return m * 3ul + v * 5ul + w * 7ul + f * 11ul + array[0] * 13ul + array[1] * 17ul + array[2] * 19ul; }}\n"
                ));
            }
        }
    }
    functions
}

/// What the processor computes; none without a compiler for it.
fn compiled(folder: &Path, functions: &[String]) -> Option<Vec<u64>> {
    let (source, binary) = (folder.join("case.c"), folder.join("case"));
    let mut all =
        format!("#include <stdio.h>\nvoid *volatile escaped;\n{}int main(void) {{\n", functions.concat());
    (0..functions.len()).for_each(|number| writeln!(all, "printf(\"%lu\\n\", f{number}());").unwrap());
    all.push_str("return 0; }\n");
    std::fs::write(&source, all).unwrap();
    if !cfg!(target_arch = "x86_64") {
        return None;
    }
    let built =
        Command::new("cc").args(["-std=gnu11", "-w", "-O1", "-o"]).arg(&binary).arg(&source).output().ok()?;
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().unwrap()).collect())
}

#[test]
fn instructions_compute_what_the_processor_computes() {
    let folder = std::env::temp_dir().join(format!("assembly-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let rounds = std::env::var("FRONTEND_DIFFERENTIAL").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let functions = functions(rounds);
    let Some(expected) = compiled(&folder, &functions) else {
        println!("skipped: there is no compiler for x86-64");
        return;
    };
    std::fs::remove_dir_all(&folder).unwrap();
    let mut wrong = Vec::new();
    for (batch, first) in functions.chunks(40).zip((0..).step_by(40)) {
        let mut text = format!(
            "extern void reach_error(void); void *volatile escaped;\n{}int main(void) {{\n",
            batch.concat()
        );
        for (number, value) in expected.iter().enumerate().skip(first).take(batch.len()) {
            writeln!(text, "__CPROVER_assert(f{number}() == {value}ul, \"f{number}\");").unwrap();
        }
        text.push_str("reach_error();\nreturn 0; }\n");
        let program = match translate_text("case.c", &text, &Options::default(), &[]) {
            Ok(translation) => translation.program,
            Err(errors) => panic!("{errors}"),
        };
        let (program, _) = reduce(program, &reduce::Options::default());
        let found = explore(&program, 1, &ExploreOptions::default()).unwrap();
        let failed = program.properties.iter().filter(|p| found.violated.contains_key(&p.name));
        let failed: Vec<String> = failed.map(|p| format!("{} ({:?})", p.description, p.position)).collect();
        let is_end = |text: &&String| text.contains("reach_error");
        if !failed.iter().any(|text| is_end(&text)) {
            wrong.push(format!("the end is not reached from f{first} on"));
        }
        wrong.extend(failed.iter().filter(|text| !is_end(text)).cloned());
    }
    let sources: Vec<&String> = functions
        .iter()
        .enumerate()
        .filter(|(n, _)| wrong.iter().any(|w| w.contains(&format!("f{n} "))))
        .map(|(_, f)| f)
        .take(3)
        .collect();
    assert!(wrong.is_empty(), "{}\n{sources:#?}", wrong.join("\n"));
}
