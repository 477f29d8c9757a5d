//! Objects with a layout that is known: aligned to 8 bytes, without padding, so that every byte has a value that C defines.

use crate::random::Random;
use std::fmt::Write as _;

/// An integer type with its size.
pub type Scalar = (&'static str, usize);

/// The integer types.
pub const SCALARS: [Scalar; 8] = [
    ("signed char", 1),
    ("unsigned char", 1),
    ("short", 2),
    ("unsigned short", 2),
    ("int", 4),
    ("unsigned", 4),
    ("long", 8),
    ("unsigned long", 8),
];

/// An object of a function.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its declaration, or its definition and allocation.
    pub declaration: String,
    /// Its first byte, as an `unsigned char *`.
    pub base: String,
    /// The object itself, where it can be assigned as a whole.
    pub whole: Option<String>,
    /// Its type, where it has a name.
    pub tag: Option<String>,
    /// Its size.
    pub size: usize,
    /// Parts of it that can be read and written.
    pub parts: Vec<String>,
    /// True if it has to be freed.
    pub on_heap: bool,
}

/// Members of a structure: text and the paths to its scalars. Full words in the order of their sizes, hence no padding.
fn members(random: &mut Random, words: usize, packed: bool) -> (String, Vec<String>, usize) {
    let mut text = String::new();
    let mut parts = Vec::new();
    if packed {
        text.push_str(" unsigned char k;");
        parts.push("k".to_owned());
    }
    for word in 0..words {
        match random.below(6) {
            0 => {
                let _ = write!(text, " long l{word};");
                parts.push(format!("l{word}"));
            }
            1 => {
                let _ =
                    write!(text, " int i{word}; short s{word}; signed char c{word}; unsigned char d{word};");
                parts.extend(["i", "s", "c", "d"].map(|name| format!("{name}{word}")));
            }
            2 => {
                let first = random.between(1, 31);
                let second = random.between(1, 31);
                let _ = write!(
                    text,
                    " unsigned a{word} : {first}, b{word} : {}; int e{word} : {second}, f{word} : {};",
                    32 - first,
                    32 - second
                );
                parts.extend(["a", "b", "e", "f"].map(|name| format!("{name}{word}")));
            }
            3 => {
                let _ = write!(text, " unsigned short v{word}[4];");
                parts.extend((0..4).map(|index| format!("v{word}[{index}]")));
            }
            4 => {
                let _ = write!(text, " struct {{ int x; unsigned y; }} n{word};");
                parts.extend(["x", "y"].map(|name| format!("n{word}.{name}")));
            }
            _ => {
                let _ = write!(text, " unsigned u{word}; int w{word};");
                parts.extend(["u", "w"].map(|name| format!("{name}{word}")));
            }
        }
    }
    (text, parts, words * 8 + usize::from(packed))
}

impl Object {
    /// A random one with this name.
    pub fn random(random: &mut Random, name: &str) -> Object {
        match random.below(6) {
            0 | 1 => Object::array(random, name),
            2 => Object::matrix(random, name),
            3 => Object::heap(random, name),
            4 => Object::union_of(random, name),
            _ => Object::structure(random, name),
        }
    }

    fn storage(random: &mut Random) -> &'static str {
        if random.chance(1, 2) { "_Alignas(8) " } else { "static _Alignas(8) " }
    }

    fn array(random: &mut Random, name: &str) -> Object {
        let (ty, width) = *random.pick(&SCALARS);
        let size = *random.pick(&[8, 16, 24]);
        let count = size / width;
        Object {
            declaration: format!("{}{ty} {name}[{count}];", Object::storage(random)),
            base: format!("((unsigned char *){name})"),
            whole: None,
            tag: None,
            size,
            parts: (0..count).map(|index| format!("{name}[{index}]")).collect(),
            on_heap: false,
        }
    }

    fn matrix(random: &mut Random, name: &str) -> Object {
        let (ty, width) = *random.pick(&SCALARS[2..6]);
        let columns = 8 / width;
        let parts = (0..3).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Object {
            declaration: format!("{}{ty} {name}[3][{columns}];", Object::storage(random)),
            base: format!("((unsigned char *){name})"),
            whole: None,
            tag: None,
            size: 24,
            parts: parts.map(|(row, column)| format!("{name}[{row}][{column}]")).collect(),
            on_heap: false,
        }
    }

    fn heap(random: &mut Random, name: &str) -> Object {
        let size = *random.pick(&[8, 16, 24]);
        let (ty, width) = *random.pick(&SCALARS);
        let allocation =
            if random.chance(1, 2) { format!("malloc({size})") } else { format!("calloc({size}, 1)") };
        Object {
            declaration: format!("{ty} *{name} = {allocation};"),
            base: format!("((unsigned char *){name})"),
            whole: None,
            tag: None,
            size,
            parts: (0..size / width).map(|index| format!("{name}[{index}]")).collect(),
            on_heap: true,
        }
    }

    fn structure(random: &mut Random, name: &str) -> Object {
        let packed = random.chance(1, 4);
        let words = random.between(1, 2) as usize;
        let (text, parts, size) = members(random, words, packed);
        let attribute = if packed { " __attribute__((packed))" } else { "" };
        let storage = Object::storage(random);
        Object {
            declaration: format!("struct t{name} {{{text} }}{attribute}; {storage}struct t{name} {name};"),
            base: format!("((unsigned char *)&{name})"),
            whole: Some(name.to_owned()),
            tag: Some(format!("struct t{name}")),
            size,
            parts: parts.iter().map(|part| format!("{name}.{part}")).collect(),
            on_heap: false,
        }
    }

    fn union_of(random: &mut Random, name: &str) -> Object {
        let words = random.between(1, 2) as usize;
        let (text, parts, size) = members(random, words, false);
        let (ty, width) = *random.pick(&SCALARS);
        let (other, _) = *random.pick(&SCALARS);
        let count = size / width;
        let storage = Object::storage(random);
        let mut all: Vec<String> = parts.iter().map(|part| format!("{name}.s.{part}")).collect();
        all.extend((0..count).map(|index| format!("{name}.a[{index}]")));
        all.push(format!("{name}.o"));
        Object {
            declaration: format!(
                "union t{name} {{ {ty} a[{count}]; {other} o; struct {{{text} }} s; }}; {storage}union t{name} {name};"
            ),
            base: format!("((unsigned char *)&{name})"),
            whole: Some(name.to_owned()),
            tag: Some(format!("union t{name}")),
            size,
            parts: all,
            on_heap: false,
        }
    }

    /// An aligned place of the type in the object, as an expression.
    pub fn view(&self, random: &mut Random, (ty, width): Scalar) -> String {
        let places = self.size / width;
        let offset = random.below(places as u32) as usize * width;
        format!("*({ty} *)({} + {offset})", self.base)
    }
}
