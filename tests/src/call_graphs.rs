//! C programs with deep and wide call graphs, in pairs: what is asserted holds, or does not.
//!
//! - [`deep`]: each function calls the next one from two places, so that there are 2^n ways to the last one, of which a run takes one.
//! - [`wide`]: many functions call one that is long.
//! - [`recursive`]: two functions call each other from two places each.
//! - [`threaded`]: threads change a shared variable at the end of a deep call graph, with a lock or without.

use std::fmt::Write as _;

/// Counts the bits of a number along one of 2^depth ways.
pub fn deep(depth: u32, is_right: bool) -> String {
    let mut text = String::from("extern void abort(void);\nvoid reach_error(void) { abort(); }\n");
    text.push_str("static int f0(unsigned bits) { return (int)(bits & 0u); }\n");
    for number in 1..=depth {
        let next = number - 1;
        let _ = writeln!(
            text,
            "static int f{number}(unsigned bits) {{ if (bits & 1u) return f{next}(bits >> 1) + 1; return f{next}(bits >> 1); }}"
        );
    }
    let bits = 0b1011_0111_0110_1101_u32 & (1_u32 << depth.min(31)).wrapping_sub(1);
    let count = bits.count_ones() + u32::from(!is_right);
    let _ = writeln!(text, "int main(void) {{ if (f{depth}({bits}u) != {count}) reach_error(); return 0; }}");
    text
}

/// So many functions call a long one; its global counts.
pub fn wide(width: u32, is_right: bool) -> String {
    let mut text = String::from("extern void abort(void);\nvoid reach_error(void) { abort(); }\n");
    text.push_str("static unsigned sum;\nstatic void add(unsigned number) {\n");
    for bit in 0..16 {
        let _ = writeln!(text, "  if (number & {}u) sum += {}u;", 1_u32 << bit, 1_u32 << bit);
    }
    text.push_str("}\n");
    for number in 0..width {
        let _ = writeln!(text, "static void g{number}(void) {{ add({number}u); add({number}u); }}");
    }
    text.push_str("int main(void) {\n");
    for number in 0..width {
        let _ = writeln!(text, "  g{number}();");
    }
    let sum = width * width.saturating_sub(1) + u32::from(!is_right);
    let _ = writeln!(text, "  if (sum != {sum}u) reach_error();\n  return 0;\n}}");
    text
}

/// Two functions call each other, `depth` deep, from two places each.
pub fn recursive(depth: u32, is_right: bool) -> String {
    let result = depth + u32::from(!is_right);
    format!(
        "extern void abort(void);\nvoid reach_error(void) {{ abort(); }}\nstatic int odd(int n, int up);\n\
         static int even(int n, int up) {{ int own = up; if (n == 0) return own; if (n & 1) return odd(n - 1, up + 1) + own - up; \
         return odd(n - 1, up + 1); }}\n\
         static int odd(int n, int up) {{ int own = up; if (n == 0) return up; if (n & 2) return even(n - 1, up + 1); \
         return even(n - 1, up + 1) + own - up; }}\n\
         int main(void) {{ if (even({depth}, 0) != {result}) reach_error(); return 0; }}\n"
    )
}

/// Any number of threads increment a shared variable at the end of a deep call graph.
pub fn threaded(depth: u32, is_locked: bool) -> String {
    let (begin, end) =
        if is_locked { ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();") } else { ("", "") };
    let mut text = String::from(
        "extern void abort(void);\nextern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n\
         void reach_error(void) { abort(); }\nstatic unsigned value;\n",
    );
    let _ = writeln!(
        text,
        "static void f0(void) {{ {begin} unsigned old = value; value = old + 1u; if (value != old + 1u) reach_error(); {end} }}"
    );
    for number in 1..=depth {
        let call = if number == 1 { "f0();".to_owned() } else { format!("f{}(way >> 1);", number - 1) };
        let _ = writeln!(
            text,
            "static void f{number}(unsigned way) {{ if (way & 1u) {{ {call} }} else {{ {call} }} }}"
        );
    }
    let _ = writeln!(
        text,
        "static void worker(void) {{ f{depth}(5u); }}\n\
         int main(void) {{\n  __CPROVER_ASYNC_1: worker();\n  __CPROVER_ASYNC_2: worker();\n  return 0;\n}}"
    );
    text
}
