//! Loops, `switch` and `goto`: all of them end, because each counts in a variable that nothing else writes.

use super::generator::Generator;
use super::scalar::{Int, Range};
use super::tree::{Tree, item, tree};
use super::types::{Scalar, Type};

impl Generator {
    /// A counter that the text in its scope may read only.
    fn counter(&mut self, name: &str, kind: Int, range: Range) {
        let id = self.data(name, Type::Int(Scalar::plain(kind)), Some(range), false);
        self.variables[id].writable = false;
    }

    /// Text that runs so many times.
    fn repeated(&mut self, times: u64, depth: u32, is_loop: bool) -> Tree {
        self.factor *= times.max(1);
        self.breakable += u32::from(is_loop);
        self.continuable += u32::from(is_loop);
        let count = self.random.between(1, 3);
        let body = self.block(count, depth - 1);
        self.breakable -= u32::from(is_loop);
        self.continuable -= u32::from(is_loop);
        self.factor /= times.max(1);
        body
    }

    pub(super) fn repetition(&mut self, depth: u32) -> Tree {
        let times = i128::from(self.random.between(1, 4));
        let name = self.name("i");
        let kind =
            self.pick(&[Int::Int, Int::UInt, Int::UChar, Int::SChar, Int::Short, Int::Long, Int::ULong]);
        self.spend(4 * times as u64);
        let start = i128::from(self.random.below(4));
        match self.random.below(6) {
            0 | 1 => self.scoped(|s| {
                s.counter(&name, kind, Range { low: start, high: start + times - 1 });
                let body = s.repeated(times as u64, depth, true);
                let step = s.pick(&["++$", "$++", "$ += 1", "$ = $ + 1"]).replace('$', &name);
                let head = format!(
                    "for ({} {name} = {start}; {name} < {}; {step}) {{\n",
                    kind.name(),
                    start + times
                );
                item![head, body, "}\n"]
            }),
            2 => self.scoped(|s| {
                s.counter(&name, kind, Range { low: 0, high: times - 1 });
                let body = s.repeated(times as u64, depth, true);
                item![format!("for ({} {name} = {times}; {name}-- > 0; ) {{\n", kind.name()), body, "}\n"]
            }),
            3 => self.scoped(|s| {
                // Two counters, and no condition in the head.
                s.counter(&name, kind, Range { low: 0, high: times });
                let other = s.name("j");
                s.counter(&other, Int::Int, Range { low: 10 - times, high: 10 });
                let body = s.repeated(times as u64, depth, true);
                let head = format!(
                    "{{ {} {name};\nint {other};\nfor ({name} = 0, {other} = 10; ; {name}++, --{other}) {{\n",
                    kind.name()
                );
                item![head, format!("if ({name} >= {times}) break;\n"), body, "}\n}\n"]
            }),
            4 => self.scoped(|s| {
                s.counter(&name, kind, Range { low: 0, high: times });
                let more = s.value(1);
                let body = s.repeated(times as u64, depth, true);
                let head = format!("{{ {} {name} = 0;\ndo {{\n{name}++;\n", kind.name());
                item![head, body, format!("}} while ({name} < {times} && "), more.tree, ");\n}\n"]
            }),
            _ => self.scoped(|s| {
                s.counter(&name, kind, Range { low: 0, high: times });
                let body = s.repeated(times as u64, depth, true);
                let head =
                    format!("{{ {} {name} = 0;\nwhile ({name} < {times}) {{\n{name}++;\n", kind.name());
                item![head, body, "}\n}\n"]
            }),
        }
    }

    pub(super) fn switch(&mut self, depth: u32) -> Tree {
        self.spend(6);
        let value = self.value(2);
        let value = if value.kind.is_wide() { self.cast(value, Int::Long) } else { value };
        let value = if self.chance(2, 3) { self.fit(value, Range { low: 0, high: 7 }) } else { value };
        self.breakable += 1;
        let mut parts = vec![tree!["switch (", value.tree, ") {\n"]];
        let mut next = i128::from(self.random.below(3)) - 1;
        let count = self.random.between(1, 4);
        let default = self.random.below(6);
        for number in 0..count {
            let label = self.label(&mut next, number == default);
            let body = self.block(1, depth - 1);
            let end = if self.chance(1, 2) { "break;\n" } else { "" };
            parts.push(item![label, "{\n", body, "}\n", end]);
        }
        self.breakable -= 1;
        parts.push(Tree::text("}\n"));
        Tree::new(super::tree::Kind::Item, parts.into_iter().map(Into::into).collect())
    }

    /// One or several labels of a `switch`, from `next` upwards.
    fn label(&mut self, next: &mut i128, default: bool) -> Tree {
        if default {
            return tree!["default: "];
        }
        *next += i128::from(self.random.below(2));
        if *next >= 0 && self.chance(1, 5) {
            let high = *next + i128::from(self.random.below(3));
            let text = format!("case {} ... {high}: ", *next);
            *next = high + 1;
            return tree![text];
        }
        let (value, number) = self.known_constant(Range { low: *next, high: *next + 1 });
        *next = number + 1;
        let mut label = tree!["case ", value.tree, ": "];
        if self.chance(1, 5) {
            label = tree![label, format!("case {}: ", *next)];
            *next += 1;
        }
        label
    }

    pub(super) fn jump(&mut self, depth: u32) -> Tree {
        let label = self.name("l");
        if self.chance(1, 2) {
            let condition = self.value(2);
            let body = self.repeated(1, depth, false);
            return item![
                "if (",
                condition.tree,
                format!(") goto {label};\n{{\n"),
                body,
                format!("}}\n{label}: ;\n")
            ];
        }
        let times = i128::from(self.random.between(2, 3));
        let name = self.name("k");
        self.scoped(|s| {
            s.counter(&name, Int::Int, Range { low: 0, high: times });
            let condition = s.value(1);
            // Control leaves through the end only: there is no loop around for `break`.
            let body = s.repeated(times as u64, depth, false);
            let head = format!("{{ int {name} = 0;\n{label}: {name}++;\n{{\n");
            item![
                head,
                body,
                format!("}}\nif ({name} < {times} && "),
                condition.tree,
                format!(") goto {label};\n}}\n")
            ]
        })
    }
}
