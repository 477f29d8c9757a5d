//! Large C files: what comes out grows with what goes in, and no faster. Times are printed, never judged.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use frontend::lower::Options;
use frontend::program::Program;
use frontend::reduce::{self, reduce};
use frontend::translate::translate_text;
use std::fmt::Write as _;
use std::time::Instant;

fn lowered(text: &str) -> Program {
    let started = Instant::now();
    let program = match translate_text("large.c", text, &Options::default(), &[]) {
        Ok(translation) => translation.program,
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    };
    println!("{} lines: {} edges in {:?}", text.lines().count(), program.edges.len(), started.elapsed());
    program
}

fn calls(number: usize) -> Program {
    let mut text = "int s;\nstatic int step(int x) { if (x > s) return x - 1; return x + s; }\nint main(void) { int r = 0;\n".to_owned();
    (0..number).for_each(|_| text.push_str("r = step(r);\n"));
    text.push_str("__CPROVER_assert(r != 77, \"not 77\"); return 0; }\n");
    lowered(&text)
}

#[test]
fn calls_are_expanded_in_linear_size() {
    let [small, large] = [1_000, 2_000].map(calls);
    let per_call = small.edges.len() / 1_000;
    assert!(
        large.edges.len() <= 2_000 * (per_call + 1),
        "{} for 1000, {} for 2000",
        small.edges.len(),
        large.edges.len()
    );
    assert_eq!(
        large.variables.len(),
        small.variables.len() + 1_000,
        "one register for the result of each call"
    );
    let started = Instant::now();
    let (program, _) = reduce(large, &reduce::Options::default());
    println!("reduced to {} edges in {:?}", program.edges.len(), started.elapsed());
    assert!(program.edges.len() <= 2_000 * (per_call + 1));
}

#[test]
fn ten_thousand_lines() {
    let mut text = "int g[64];\n".to_owned();
    for number in 0..500 {
        writeln!(text, "static int f{number}(int a, int b) {{\nint x = a, y = b, z = 0;").unwrap();
        for line in 0..16 {
            let statement = match (number + line) % 5 {
                0 => "x = x * 3 + y;".to_owned(),
                1 => format!("if (x > y) {{ z += {line}; }} else {{ z -= x; }}"),
                2 => format!("g[{}] = x + z;", (number * 7 + line) % 64),
                3 => "for (int i = 0; i < 3; i++) y ^= i;".to_owned(),
                _ => "y = g[(unsigned)x % 64] & 255;".to_owned(),
            };
            text.push_str(&statement);
            text.push('\n');
        }
        text.push_str("return x + y + z;\n}\n");
    }
    text.push_str("int main(void) { int r = 0;\n");
    (0..500).for_each(|number| writeln!(text, "r = f{number}(r, {number});").unwrap());
    text.push_str("__CPROVER_assert(r != 12345, \"another result\"); return 0; }\n");
    assert!(text.lines().count() >= 10_000);
    let program = lowered(&text);
    assert!(program.edges.len() < 60_000, "{} edges", program.edges.len());
    let started = Instant::now();
    let (program, _) = reduce(program, &reduce::Options::default());
    println!("reduced to {} edges in {:?}", program.edges.len(), started.elapsed());
    assert!(program.edges.len() < 20_000, "{} edges", program.edges.len());
}

/// Functions in levels, each of which calls two of the next level: with a copy for each call there would be 2^levels. They work on objects of a
/// list through pointers, in two threads; some calls go through a table of functions.
fn layered(levels: usize, width: usize) -> String {
    let mut text = "struct node { int value; struct node *next; int (*act)(struct node *, int); };\n\
        static struct node nodes[4]; static int total;\n"
        .to_owned();
    let name = |level: usize, index: usize| format!("f{level}_{}", index % width);
    for level in (0..levels).rev() {
        for index in 0..width {
            writeln!(text, "static int {}(struct node *p, int x) {{", name(level, index)).unwrap();
            writeln!(text, "int y = x + {index}; struct node *q = p->next;").unwrap();
            text.push_str("if (q) q->value = q->value + y; else total = total + x;\n");
            if level + 1 < levels {
                writeln!(text, "y = {}(q ? q : p, y);", name(level + 1, index)).unwrap();
                writeln!(text, "if (y > x) y = {}(p, x);", name(level + 1, index + 1)).unwrap();
            } else if index == 0 {
                text.push_str("if (p->act) y = y + 1;\n");
            }
            text.push_str("return y;\n}\n");
        }
    }
    text.push_str("static void work(struct node *p) { p->act(p, 1); }\n");
    text.push_str("int main(void) { int r = 0;\nnodes[0].next = &nodes[1]; nodes[1].next = &nodes[2];\n");
    writeln!(text, "nodes[0].act = {}; nodes[1].act = {};", name(0, 0), name(0, 1)).unwrap();
    text.push_str("__CPROVER_ASYNC_1: work(&nodes[0]);\n");
    (0..width)
        .for_each(|index| writeln!(text, "r = r + {}(&nodes[{}], r);", name(0, index), index % 4).unwrap());
    text.push_str("__CPROVER_assert(r != 77, \"not 77\"); return 0; }\n");
    text
}

#[test]
fn deep_and_wide_call_graphs_are_linear() {
    let size = |levels, width| {
        let text = layered(levels, width);
        let program = lowered(&text);
        (text.lines().count(), program.edges.len())
    };
    let small = size(10, 10);
    for large in [size(20, 10), size(10, 20), size(40, 20)] {
        let (lines, edges) = (large.0 as f64 / small.0 as f64, large.1 as f64 / small.1 as f64);
        assert!(edges <= 1.3 * lines, "{lines:.2} times the lines, {edges:.2} times the edges");
    }
}
