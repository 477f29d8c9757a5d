//! Initialisers: with all braces, with braces left out, with designators, with strings, for a part of the object only.

use super::generator::{Generator, Value};
use super::scalar::Int;
use super::tree::{Tree, item, tree};
use super::types::{Record, Type, leaves};

impl Generator {
    /// A value for one scalar.
    fn initial_value(&mut self, constant: bool) -> Value {
        if constant {
            return self.constant(2);
        }
        self.purely(|s| s.value(1))
    }

    /// An initialiser for an object of the type; of constants for static ones. Has no side effects.
    pub(super) fn initializer(&mut self, ty: &Type, constant: bool) -> Tree {
        self.spend(2);
        match ty {
            Type::Int(_) => {
                let value = self.initial_value(constant);
                if self.chance(1, 12) { tree!["{ ", value.tree, " }"] } else { value.tree }
            }
            Type::Array(element, count) => self.array_initializer(ty, element, *count, constant),
            Type::Record(id) => {
                let record = self.records[*id].clone();
                self.record_initializer(ty, &record, constant)
            }
        }
    }

    fn array_initializer(&mut self, ty: &Type, element: &Type, count: u64, constant: bool) -> Tree {
        if is_character(element) && count > 1 && self.chance(1, 3) {
            return self.string(count);
        }
        match self.random.below(6) {
            0 => return self.flat_initializer(ty, constant),
            1 => return tree!["{ 0 }"],
            2 => return self.designated_array(element, count, constant),
            _ => {}
        }
        let given = if self.chance(1, 4) { u64::from(self.random.between(1, count as u32)) } else { count };
        let mut parts = vec![Tree::text("{ ")];
        for _ in 0..given {
            let value = self.initializer(element, constant);
            parts.push(item![value, ", "]);
        }
        parts.push(Tree::text("}"));
        Tree::group(parts)
    }

    /// Elements in any order, some several times, some for a range.
    fn designated_array(&mut self, element: &Type, count: u64, constant: bool) -> Tree {
        let mut parts = vec![Tree::text("{ ")];
        for _ in 0..self.random.between(1, 3) {
            let first = self.random.below(count as u32);
            let last = self.random.between(first, count as u32 - 1);
            let value = self.initializer(element, constant);
            parts.push(match self.random.below(3) {
                0 if last > first => item![format!("[{first} ... {last}] = "), value, ", "],
                _ => item![format!("[{first}] = "), value, ", "],
            });
        }
        parts.push(Tree::text("}"));
        Tree::group(parts)
    }

    fn record_initializer(&mut self, ty: &Type, record: &Record, constant: bool) -> Tree {
        let fields: Vec<_> = record.fields.iter().filter(|field| !field.is_padding()).cloned().collect();
        if record.union {
            // Only the first member of an automatic union covers all of it.
            let number = if constant && self.chance(1, 2) {
                self.random.below(fields.len() as u32) as usize
            } else {
                0
            };
            let field = &fields[number];
            let value = self.initializer(&field.ty, constant);
            if number == 0 && (field.name.is_empty() || self.chance(1, 2)) {
                return tree!["{ ", value, " }"];
            }
            return tree![format!("{{ .{} = ", field.name), value, " }"];
        }
        match self.random.below(6) {
            0 => return self.flat_initializer(ty, constant),
            1 => return tree!["{ 0 }"],
            _ => {}
        }
        let designated = self.chance(1, 3);
        let mut parts = vec![Tree::text("{ ")];
        if designated {
            let named: Vec<_> = fields.iter().filter(|field| !field.name.is_empty()).collect();
            for _ in 0..self.random.between(1, 3).min(named.len() as u32) {
                let field = named[self.random.below(named.len() as u32) as usize];
                let value = self.initializer(&field.ty, constant);
                parts.push(item![format!(".{} = ", field.name), value, ", "]);
            }
        } else {
            let given = if self.chance(1, 4) {
                self.random.between(1, fields.len() as u32) as usize
            } else {
                fields.len()
            };
            for field in &fields[..given] {
                let copied = match &field.ty {
                    Type::Record(id) if !constant && self.chance(1, 3) => {
                        self.purely(|s| s.record_place(*id, false))
                    }
                    _ => None,
                };
                let value = match copied {
                    Some(place) => place.tree,
                    None => self.initializer(&field.ty, constant),
                };
                parts.push(item![value, ", "]);
            }
        }
        parts.push(Tree::text("}"));
        Tree::group(parts)
    }

    /// Without inner braces: scalar by scalar, with jumps to any of them.
    fn flat_initializer(&mut self, ty: &Type, constant: bool) -> Tree {
        let mut all = Vec::new();
        leaves(&self.records, ty, "", &mut all);
        let mut parts = vec![Tree::text("{ ")];
        let mut next = 0;
        for _ in 0..self.random.between(1, all.len().min(8) as u32) {
            let jumps = self.chance(1, 5) && !all.is_empty();
            if jumps {
                next = self.random.below(all.len() as u32) as usize;
            }
            let Some(leaf) = all.get(next) else { break };
            let value = self.initial_value(constant);
            parts.push(if jumps {
                item![format!("{} = ", leaf.path), value.tree, ", "]
            } else {
                item![value.tree, ", "]
            });
            next += 1;
        }
        parts.push(Tree::text("}"));
        Tree::group(parts)
    }

    /// A string literal for so many characters; the closing zero may not fit.
    fn string(&mut self, count: u64) -> Tree {
        let parts = ["a", "B", "z9", " ", "\\n", "\\0", "\\x41", "\\101", "\\\\", "\\\"", "~", "\\377", "%d"];
        let lengths = [1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2];
        let mut text = String::from("\"");
        let mut length = 0;
        for _ in 0..self.random.below(count as u32 + 1) {
            let number = self.random.below(parts.len() as u32) as usize;
            if length + lengths[number] > count {
                break;
            }
            length += lengths[number];
            text.push_str(parts[number]);
            // A digit that follows would belong to the escape.
            if parts[number].starts_with('\\') || self.chance(1, 4) {
                text.push_str("\" \"");
            }
        }
        text.push('"');
        if self.chance(1, 6) { tree!["{ ", text, " }"] } else { tree![text] }
    }
}

fn is_character(ty: &Type) -> bool {
    matches!(ty, Type::Int(scalar) if matches!(scalar.kind, Int::Char | Int::SChar | Int::UChar))
}
