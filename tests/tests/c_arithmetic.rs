//! Straight-line and looping C over all integer types: our interpreter computes what the compiled program computes.
//!
//! Functions are random, a function of the seed, and free of undefined behaviour: signed overflow wraps (`-fwrapv`), shift amounts and divisors are
//! kept in range. Each is compiled and run, then translated with its result as an assertion: no assertion may fail, and the end must be
//! reached. `FRONTEND_DIFFERENTIAL=100000` tries that many functions. Without a compiler the test says so and passes.

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
use tests::random::Random;

const TYPES: [&str; 11] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "unsigned long long",
];
const BATCH: u64 = 50;

fn functions() -> u64 {
    let number = std::env::var("FRONTEND_DIFFERENTIAL").ok();
    number.and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

/// Random functions as C text.
struct Writer {
    random: Random,
    text: String,
    depth: usize,
}

impl Writer {
    fn function(seed: u64) -> String {
        let mut writer = Writer { random: Random::new(seed), text: String::new(), depth: 1 };
        let _ = writeln!(writer.text, "static unsigned long f{seed}(void) {{");
        for index in 0..5 {
            let ty = *writer.random.pick(&TYPES);
            let value = writer.random.any();
            writer.line(&format!("{ty} v{index} = ({ty}){value}ull;"));
        }
        let count = writer.random.between(3, 8);
        (0..count).for_each(|_| writer.statement());
        writer.line("return (unsigned long)v0 * 3 + (unsigned long)v1 * 5 + (unsigned long)v2 * 7 + (unsigned long)v3 * 11 + v4;");
        writer.text.push_str("}\n");
        writer.text
    }

    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn variable(&mut self) -> String {
        format!("v{}", self.random.below(5))
    }

    fn value(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(1, 4) {
            return match self.random.below(4) {
                0 => format!("{}", self.random.below(300)),
                1 => format!("-{}L", self.random.below(70_000)),
                2 => format!("{}u", self.random.any() as u32),
                _ => self.variable(),
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.below(14) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!("({a} / (int)((({b}) & 15) + 1))"),
            4 => format!("({a} % (unsigned char)((({b}) & 63) | 1))"),
            5 => format!("({a} << (({b}) & 7))"),
            6 => format!("({a} >> (({b}) & 7))"),
            7 => format!("({a} {} {b})", self.random.pick(&["&", "|", "^"])),
            8 => format!("({a} {} {b})", self.random.pick(&["<", "<=", ">", ">=", "==", "!="])),
            9 => format!("({a} {} {b})", self.random.pick(&["&&", "||"])),
            10 => format!("({}({a}))", self.random.pick(&["-", "~", "!", "+"])),
            11 => format!("({})({a})", self.random.pick(&TYPES)),
            12 => format!("({a} ? {b} : {})", self.variable()),
            _ => format!("({a} ?: {b})"),
        }
    }

    fn statement(&mut self) {
        let (target, value) = (self.variable(), self.value(3));
        match self.random.below(9) {
            0 if self.depth < 3 => {
                self.line(&format!("if ({value}) {{"));
                self.nested();
                self.line("}");
            }
            1 if self.depth < 3 => {
                let bound = self.random.between(2, 4);
                self.line(&format!("for (int i = 0; i < {bound}; i++) {{"));
                self.nested();
                self.line("}");
            }
            2 => {
                let other = self.value(2);
                let first = self.random.below(4);
                self.line(&format!(
                    "switch ({value} & 3) {{ case {first}: {target} ^= 5; default: {target}++; break; case {}: {target} = {other}; }}",
                    (first + 1) % 4
                ));
            }
            3 => {
                let operator = *self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                self.line(&format!("{target} {operator} {value};"));
            }
            4 => {
                let operator = *self.random.pick(&["++", "--"]);
                let other = self.variable();
                if other == target {
                    self.line(&format!("{target}{operator};"));
                } else {
                    self.line(&format!("{other} = {target}{operator};"));
                }
            }
            _ => self.line(&format!("{target} = {value};")),
        }
    }

    fn nested(&mut self) {
        self.depth += 1;
        let count = self.random.between(1, 2);
        (0..count).for_each(|_| self.statement());
        self.depth -= 1;
    }
}

/// What the compiled functions return; none without a compiler.
fn compiled(folder: &Path, text: &str, seeds: std::ops::Range<u64>) -> Option<Vec<u64>> {
    let (source, binary) = (folder.join("case.c"), folder.join("case"));
    let mut all = format!("#include <stdio.h>\n{text}int main(void) {{\n");
    seeds.for_each(|seed| writeln!(all, "printf(\"%lu\\n\", f{seed}());").unwrap());
    all.push_str("return 0; }\n");
    std::fs::write(&source, all).unwrap();
    let built = Command::new("cc")
        .args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-o"])
        .arg(&binary)
        .arg(&source)
        .output()
        .ok()?;
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().unwrap()).collect())
}

#[test]
fn arithmetic_is_that_of_the_compiler() {
    let folder = std::env::temp_dir().join(format!("c-arithmetic-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut first = 0;
    while first < functions() {
        let seeds = first..first + BATCH;
        let text: String = seeds.clone().map(Writer::function).collect();
        let Some(expected) = compiled(&folder, &text, seeds.clone()) else {
            println!("skipped: there is no compiler");
            break;
        };
        let mut checked = format!("extern void reach_error(void);\n{text}int main(void) {{\n");
        for (seed, value) in seeds.clone().zip(&expected) {
            writeln!(checked, "__CPROVER_assert(f{seed}() == {value}ul, \"f{seed}\");").unwrap();
        }
        checked.push_str("reach_error();\nreturn 0; }\n");
        let program = match translate_text("case.c", &checked, &Options::default(), &[]) {
            Ok(translation) => translation.program,
            Err(errors) => {
                panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
            }
        };
        let (reduced, _) = reduce(program.clone(), &reduce::Options::default());
        for program in [&program, &reduced] {
            let found = explore(program, 1, &ExploreOptions::default()).unwrap();
            let violated: Vec<&str> = found.violated.keys().map(String::as_str).collect();
            let wrong = program.properties.iter().filter(|p| violated.contains(&p.name.as_str()));
            let wrong: Vec<&str> =
                wrong.map(|p| p.description.as_str()).filter(|d| d.contains("f")).collect();
            let wrong: Vec<&str> = wrong.into_iter().filter(|d| !d.contains("reach_error")).collect();
            if let Some(name) = wrong.first() {
                let seed: u64 = name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap();
                panic!(
                    "{name} should return {}:\n{}",
                    expected[(seed - first) as usize],
                    Writer::function(seed)
                );
            }
            assert!(!violated.is_empty(), "the end is not reached, seeds from {first}");
        }
        first += BATCH;
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
