//! Models of library functions compute what the compiler's library computes.
//!
//! Calls have random arguments, a function of the seed. A program with all of them is compiled, linked with the real library and
//! run: it prints their results. The same calls, with the results as assertions, are then interpreted: no assertion may fail, and
//! the end must be reached. Twins with a wrong result must fail. Functions whose result is not fixed by C (`strcmp`) are compared by what is.
//! `LIBRARY_DIFFERENTIAL=10000` tries that many calls of each function.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::lower::Options;
use frontend::preprocess::PreprocessOptions;
use frontend::program::interpret::{ExploreOptions, explore};
use frontend::reduce::{self, reduce};
use frontend::translate::translate_file;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use tests::random::Random;

fn calls() -> u64 {
    std::env::var("LIBRARY_DIFFERENTIAL").ok().and_then(|n| n.parse().ok()).unwrap_or(4)
}

/// Headers, and helpers that make one number of a result.
const HEAD: &str = r#"
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
extern void reach_error(void);
static long sign(int n) { return n < 0 ? -1 : n > 0; }
static long place(const char *base, const char *found) { long i = 0; if (found == 0) return -1; while (base + i != found) i++; return i; }
static long digest(const char *text, int size) { long sum = 7; for (int i = 0; i < size; i++) sum = sum * 31 + text[i]; return sum; }
static int rising(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
"#;

/// Functions without a twin in glibc of this age: their text for the compiler.
const OWN: &str = r#"
#define strlcpy own_strlcpy
static size_t own_strlcpy(char *t, const char *s, size_t n) { size_t l = strlen(s); if (n) { size_t k = l < n ? l : n - 1; memcpy(t, s, k); t[k] = 0; } return l; }
"#;

struct Writer {
    random: Random,
}

impl Writer {
    fn text(&mut self, letters: &str, most: u32) -> String {
        let letters: Vec<char> = letters.chars().collect();
        let length = self.random.below(most + 1);
        (0..length).map(|_| *self.random.pick(&letters)).collect()
    }

    /// A number as text, often near the limits of its type.
    fn number(&mut self) -> String {
        let digits = match self.random.below(6) {
            0 => "9223372036854775807".to_owned(),
            1 => "9223372036854775808".to_owned(),
            2 => "18446744073709551615".to_owned(),
            3 => self.text("0123456789", 22),
            4 => {
                format!("0{}{}", self.random.pick(&["x", "X", "", "xg"]), self.text("0123456789abcdefXF", 5))
            }
            _ => self.text("019zaF", 4),
        };
        let front = *self.random.pick(&["", "-", "+", " \\t", "  -", "-+"]);
        format!("{front}{digits}{}", self.text(" z0", 2))
    }

    /// Statements that use a buffer `b` of 16 bytes, and an expression whose value is compared.
    fn call(&mut self, function: &str) -> (String, String) {
        let (s, t) = (self.text("abAB", 6), self.text("abAB", 3));
        let (n, m) = (self.random.below(8), self.random.below(5));
        let c = *self.random.pick(&['a', 'B', 'x']);
        // Elements that compare equal come in any order: few of them.
        let s = if function == "qsort" { s.chars().take(4).collect() } else { s };
        let fill = format!("memset(b, '#', 16); strcpy(b, \"{s}\");");
        let pure = |value: String| (String::new(), value);
        let buffer = |call: String| (format!("{fill} r = {call};"), "r * 131 + digest(b, 16)".to_owned());
        match function {
            "strlen" => pure(format!("strlen(\"{s}\")")),
            "strnlen" => pure(format!("strnlen(\"{s}\", {n})")),
            "strcmp" | "strcasecmp" | "strcoll" => pure(format!("sign({function}(\"{s}\", \"{t}\"))")),
            "strncmp" | "strncasecmp" => pure(format!("sign({function}(\"{s}\", \"{t}\", {n}))")),
            "memcmp" => pure(format!("sign(memcmp(\"{s}.......\", \"{t}.........\", {n}))")),
            "strcpy" | "strcat" => buffer(format!("place(b, {function}(b, \"{t}\"))")),
            "stpcpy" => buffer(format!("place(b, stpcpy(b, \"{t}\"))")),
            "strncpy" | "strncat" | "stpncpy" => buffer(format!("place(b, {function}(b, \"{t}\", {n}))")),
            "strlcpy" => buffer(format!("strlcpy(b, \"{t}\", {n})")),
            "strchr" | "strrchr" | "strchrnul" | "index" | "rindex" => {
                let c = if self.random.chance(1, 5) { "0".to_owned() } else { format!("'{c}'") };
                (format!("p = \"{s}\";"), format!("place(p, {function}(p, {c}))"))
            }
            "strspn" | "strcspn" => pure(format!("{function}(\"{s}\", \"{t}\")")),
            "strpbrk" | "strstr" | "strcasestr" => {
                (format!("p = \"{s}\";"), format!("place(p, {function}(p, \"{t}\"))"))
            }
            "strtok_r" => (
                format!(
                    "{fill} r = 0; for (p = strtok_r(b, \"{t}\", &q); p; p = strtok_r(0, \"{t}\", &q)) r = r * 17 + place(b, p) + 1;"
                ),
                "r * 131 + digest(b, 16)".to_owned(),
            ),
            "strtok" => (
                format!(
                    "{fill} r = 0; for (p = strtok(b, \"{t}\"); p; p = strtok(0, \"{t}\")) r = r * 17 + place(b, p) + 1;"
                ),
                "r * 131 + digest(b, 16)".to_owned(),
            ),
            "strdup" | "strndup" => {
                let call = if function == "strdup" {
                    format!("strdup(\"{s}\")")
                } else {
                    format!("strndup(\"{s}\", {n})")
                };
                (format!("p = {call};"), "digest(p, strlen(p) + 1)".to_owned())
            }
            "memcpy" | "memmove" | "mempcpy" => {
                let shift = if function == "memmove" { self.random.below(6) } else { 8 };
                let base = if function == "memmove" && self.random.chance(1, 2) { "b" } else { "b + 2" };
                let count =
                    if self.random.chance(1, 2) { format!("{m}") } else { format!("(volatile int){m}") };
                buffer(format!("place(b, {function}({base}, b + {}, {count}))", shift % 10))
            }
            "memset" => buffer(format!("place(b, memset(b + {m}, '{c}', {n}))")),
            "memchr" | "memrchr" => {
                (format!("p = \"{s}\";"), format!("place(p, {function}(p, '{c}', sizeof \"{s}\"))"))
            }
            "memccpy" => buffer(format!("place(b, memccpy(b + 4, \"{t}\", '{c}', sizeof \"{t}\"))")),
            "strtol" | "strtoll" | "strtoul" | "strtoull" => {
                let (text, base) = (self.number(), *self.random.pick(&[0, 0, 10, 10, 16, 8, 2, 36, 1]));
                (
                    format!("errno = 0; p = \"{text}\"; q = p; r = (long){function}(p, &q, {base});"),
                    "(unsigned long)r * 131 + place(p, q) * 7 + errno".to_owned(),
                )
            }
            "atoi" | "atol" | "atoll" => {
                let text = format!(
                    "{}{}{}",
                    self.random.pick(&["", " ", "-", "+", "x"]),
                    self.text("0123456789", 6),
                    self.text(" 1x", 2)
                );
                pure(format!("{function}(\"{text}\")"))
            }
            "abs" | "labs" | "llabs" => pure(format!("{function}({}L)", self.random.any() as i32)),
            "isalpha" | "isdigit" | "isalnum" | "isspace" | "isupper" | "islower" | "isxdigit"
            | "ispunct" | "isprint" | "isgraph" | "iscntrl" | "isblank" => pure(format!(
                "({function}({}) != 0) + (({function})({}) != 0) * 2",
                self.random.between(0, 255),
                self.random.between(0, 127)
            )),
            "toupper" | "tolower" => pure(format!("{function}({})", self.random.between(0, 127))),
            "qsort" => buffer("(qsort(b, strlen(b), 1, rising), 0)".to_owned()),
            "bsearch" => {
                ("p = \"abcdgk\";".to_owned(), format!("place(p, bsearch(\"{c}\", p, 6, 1, rising))"))
            }
            "sprintf" => {
                let (a, d) = (self.random.any() as i32, self.random.below(300));
                let format = *self.random.pick(&["%d", "<%u>", "%x", "%X%c", "%o", "%s%%", "%.2s", "%i"]);
                let argument = match format {
                    "%s%%" | "%.2s" => format!("\"{s}\""),
                    "%X%c" => format!("{d}, '{c}'"),
                    _ => format!("{a}"),
                };
                buffer(format!("sprintf(b, \"{format}\", {argument})"))
            }
            "snprintf" => {
                buffer(format!("snprintf(b, {n}, \"%d-%s\", {}, \"{t}\")", self.random.below(2000)))
            }
            "realloc" => (
                format!("p = malloc(4); strcpy(p, \"abc\"); p = realloc(p, {}); p[2] = 'z';", 3 + n % 2),
                "digest(p, 3)".to_owned(),
            ),
            "calloc" => {
                (format!("p = calloc({}, {});", n + 1, m + 1), format!("digest(p, {})", (n + 1) * (m + 1)))
            }
            "div" => pure(format!("div({}, {}).rem", self.random.any() as i32, n + 1)),
            "ffs" => pure(format!(
                "ffs({}) + ffsl({}L)",
                self.random.below(70),
                u64::from(self.random.below(5)) << 40
            )),
            "clz" | "ctz" | "popcount" | "parity" | "clrsb" => {
                let value = (self.random.any() as u32 >> self.random.below(30)) | 1;
                pure(format!(
                    "__builtin_{function}({value}u) * 100 + __builtin_{function}ll({}ull)",
                    self.random.any() | 1
                ))
            }
            "bswap" => pure(format!(
                "__builtin_bswap16({0}) + __builtin_bswap32({0}u) + __builtin_bswap64({0}ull)",
                self.random.any() as u32
            )),
            "overflow" => {
                let operation = *self.random.pick(&["add", "sub", "mul"]);
                let target = *self.random.pick(&["int", "unsigned", "long", "unsigned char", "short"]);
                let (a, b) = (self.random.any() as i32, self.random.any() as i32 >> self.random.below(31));
                (
                    format!(
                        "{{ {target} z = 0; r = __builtin_{operation}_overflow({a}, {b}, &z); r = r * 1000003 + z; int y = 0; r = r * 3 + __builtin_s{operation}_overflow({a}, {b}, &y); r = r * 1000003 + y; }}"
                    ),
                    "r".to_owned(),
                )
            }
            other => panic!("{other}"),
        }
    }
}

const FUNCTIONS: &[&str] = &[
    "strlen",
    "strnlen",
    "strcmp",
    "strcasecmp",
    "strncmp",
    "strncasecmp",
    "memcmp",
    "strcpy",
    "strcat",
    "stpcpy",
    "strncpy",
    "strncat",
    "stpncpy",
    "strlcpy",
    "strchr",
    "strrchr",
    "strchrnul",
    "index",
    "rindex",
    "strspn",
    "strcspn",
    "strpbrk",
    "strstr",
    "strcasestr",
    "strtok_r",
    "strtok",
    "strdup",
    "strndup",
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "memchr",
    "memrchr",
    "memccpy",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "atoi",
    "atol",
    "atoll",
    "abs",
    "labs",
    "llabs",
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "isxdigit",
    "ispunct",
    "isprint",
    "isgraph",
    "iscntrl",
    "isblank",
    "toupper",
    "tolower",
    "qsort",
    "bsearch",
    "sprintf",
    "snprintf",
    "realloc",
    "calloc",
    "div",
    "ffs",
    "clz",
    "ctz",
    "popcount",
    "parity",
    "clrsb",
    "bswap",
    "overflow",
];

/// A function with the calls and what each is compared with.
fn function(name: &str, head: &str, statements: &[(String, String)], results: Option<&[i64]>) -> String {
    let mut text = format!(
        "{head}static void test_{name}(void) {{\nchar b[16] = {{ 0 }}; char *p = 0, *q = 0; long r = 0;\n"
    );
    for (index, (before, value)) in statements.iter().enumerate() {
        let _ = match results {
            None => writeln!(text, "{before} printf(\"%ld\\n\", (long)({value}));"),
            Some(results) => writeln!(
                text,
                "{before} __CPROVER_assert((unsigned long)({value}) == {}ul, \"{name} {index}\");",
                results[index] as u64
            ),
        };
    }
    text.push_str("}\n");
    text
}

fn compiled(folder: &Path, text: &str) -> Option<Vec<i64>> {
    let (source, binary) = (folder.join("case.c"), folder.join("case"));
    std::fs::write(&source, text).unwrap();
    let flags = ["-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-builtin", "-o"];
    let built = Command::new("cc").args(flags).arg(&binary).arg(&source).output().ok()?;
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().unwrap()).collect())
}

/// The assertions that fail, and whether the end is reached.
fn interpreted(folder: &Path, text: &str) -> (BTreeSet<String>, bool) {
    let source = folder.join("checked.c");
    std::fs::write(&source, text).unwrap();
    let program = match translate_file(&source, &PreprocessOptions::default(), &Options::default(), &[]) {
        Ok(translation) => translation.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    };
    let (program, _) = reduce(program, &reduce::Options::default());
    let found = explore(&program, 1, &ExploreOptions::default()).unwrap();
    let violated = program.properties.iter().filter(|p| found.violated.contains_key(&p.name));
    let names: BTreeSet<String> = violated.map(|p| p.description.clone()).collect();
    let ends = names.iter().any(|name| name.contains("reach_error"));
    (names.into_iter().filter(|name| !name.contains("reach_error")).collect(), ends)
}

#[test]
fn functions_compute_what_those_of_the_library_do() {
    let folder = std::env::temp_dir().join(format!("c-library-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let only = std::env::var("LIBRARY_ONLY").ok();
    let mut writer = Writer { random: Random::new(2026) };
    let mut failures = Vec::new();
    for name in FUNCTIONS.iter().filter(|name| only.as_deref().is_none_or(|only| only == **name)) {
        let calls: Vec<(String, String)> = (0..calls()).map(|_| writer.call(name)).collect();
        let test = function(name, "", &calls, None);
        let text = format!("{HEAD}{OWN}{test}int main(void) {{ test_{name}(); return 0; }}\n");
        let Some(results) = compiled(&folder, &text) else {
            println!("skipped: there is no compiler");
            break;
        };
        let program = |results: &[i64]| {
            let test = function(name, "", &calls, Some(results));
            format!("{HEAD}{test}int main(void) {{ test_{name}(); reach_error(); return 0; }}\n")
        };
        let (failed, ends) = interpreted(&folder, &program(&results));
        if !failed.is_empty() || !ends {
            failures.push(format!("{name}: {failed:?}, end reached: {ends}\n{}", program(&results)));
            continue;
        }
        let wrong: Vec<i64> = results.iter().map(|result| result ^ 1).collect();
        let (failed, _) = interpreted(&folder, &program(&wrong));
        if failed.is_empty() {
            failures.push(format!("{name}: a wrong result is not refuted"));
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
