//! Random C programs that compute, and do nothing that C leaves undefined or unspecified.
//!
//! A program is a function of its seed. It uses a few parts of C at a time: all integer types with promotions and
//! conversions, all operators, side effects inside of expressions, structs, unions, bit-fields, arrays, initialisers of all forms, pointers,
//! calls, recursion, function pointers, all statements, and what `gadget` adds.
//! Two things make it defined whatever its variables hold: each expression knows the interval of its values, and operands are
//! converted or cut down where a result might not be defined (`scalar`, `arithmetic`); and each operand knows what the others read and
//! write (`generator`). What is implementation-defined is as gcc has it on x86: conversions to signed types wrap around,
//! shifts of negative numbers keep the sign, numbers are little-endian, `char` has a sign.
//!
//! At the end all variables are written to the *results*, the globals `o0`, `o1`, ... of type `unsigned long long`.

mod arithmetic;
mod constant;
mod control;
mod declaration;
mod expression;
mod function;
mod gadget;
mod generator;
mod initializer;
mod place;
pub mod scalar;
mod statement;
pub mod tree;
mod types;

use frontend::types::DataModel;
use generator::{Generator, Object};
use scalar::Int;
use tree::{Tree, item, tree};
use types::{Scalar, Type, leaves};

/// How many results a program has at most.
const MOST_RESULTS: usize = 60;

/// A program.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it comes from.
    pub seed: u64,
    /// The data model that it is meant for.
    pub model: DataModel,
    /// Its text.
    pub tree: Tree,
    /// What each result is the value of.
    pub results: Vec<String>,
}

impl Case {
    /// The program of a seed.
    pub fn new(seed: u64, model: DataModel) -> Case {
        let mut generator = Generator::new(seed, model);
        generator.data("@h", Type::Int(Scalar::plain(Int::ULongLong)), None, true);
        // Only statements that are meant for it use it.
        generator.visible.clear();
        generator.type_definitions();
        generator.globals();
        generator.functions();
        let count = generator.random.between(2, 9);
        let body = generator.statements(count, 2);
        let results = results(&mut generator);
        let mut parts = vec![tree![HEAD]];
        for number in 0..results.len() {
            parts.push(tree![format!("unsigned long long @o{number};\n")]);
        }
        parts.append(&mut generator.file);
        parts.push(tree!["int @main(void)\n{\n", body]);
        for (number, result) in results.iter().enumerate() {
            parts.push(item![format!("@o{number} = (unsigned long long){result};\n")]);
        }
        parts.push(tree!["return 0;\n}\n"]);
        Case { seed, model, tree: Tree::group(parts), results }
    }

    /// The text, with a prefix for all names of file scope.
    pub fn text(&self, prefix: &str) -> String {
        self.tree.print(prefix)
    }
}

/// The library functions that programs use, and what collects values on the way.
const HEAD: &str = "\
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
unsigned long long @h;
";

/// The scalars of all variables in scope.
fn results(generator: &mut Generator) -> Vec<String> {
    let mut results = vec!["@h".to_owned()];
    for &id in &generator.visible {
        let variable = &generator.variables[id];
        if let Object::Data(ty) = &variable.object {
            let mut all = Vec::new();
            leaves(&generator.records, ty, &variable.name, &mut all);
            for leaf in all {
                if leaf.kind.is_wide() {
                    results.push(format!("({} >> 64)", leaf.path));
                }
                results.push(leaf.path);
            }
        }
    }
    results.truncate(MOST_RESULTS);
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_program() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            assert_eq!(Case::new(3, model).text(""), Case::new(3, model).text(""));
            assert_ne!(Case::new(3, model).text(""), Case::new(4, model).text(""));
        }
    }

    /// Everything that the generator knows occurs.
    #[test]
    fn all_parts_of_c_are_frequent() {
        let texts: Vec<String> = (0..1000).map(|seed| Case::new(seed, DataModel::Lp64).text("")).collect();
        let parts = [
            "__int128",
            "_Bool",
            " ? ",
            " ?: ",
            "&&",
            "<<= ",
            "%= ",
            "++",
            "switch (",
            "case ",
            " ... ",
            "default: ",
            "goto ",
            "break;",
            "continue;",
            "do {",
            "while (",
            "for (",
            "struct ",
            "union ",
            "enum ",
            " : ",
            "typedef ",
            "static ",
            "const ",
            "volatile ",
            "typeof",
            "sizeof",
            "_Alignof",
            "__builtin_offsetof",
            "_Generic(",
            "({ ",
            "malloc(",
            "->",
            "(*",
            "[] = ",
            "] = ",
            ".m",
            "return ",
            "inline ",
            "table",
            " - 1)",
            "\"",
            "(struct ",
        ];
        for part in parts {
            let found = texts.iter().filter(|text| text.contains(part)).count();
            assert!(found >= 5 || part == "[] = ", "'{part}' is in {found} of {} programs", texts.len());
        }
    }
}
