//! Random structs and unions, laid out by us and by gcc: sizes, alignments, offsets and bit-fields must agree.

use crate::lower::{Lowerer, Options};
use crate::parse::parse_text;
use crate::types::{DataModel, Type};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

/// A generator of numbers that is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

const HEAD: &str = "
enum e { E0, E1 = 5 }; enum n { N0 = -1, N1 }; enum __attribute__((packed)) p { P0, P1 = 3 };
enum l { L0 = 0x100000000 };
typedef int u1 __attribute__((aligned(1))); typedef int a16 __attribute__((aligned(16)));
typedef long l2 __attribute__((aligned(2))); typedef l2 l2b; typedef char c8 __attribute__((__aligned__(1 << 3)));
typedef int wide __attribute__((mode(DI))); typedef unsigned __attribute__((__mode__(__HI__))) narrow;
typedef int g8 __attribute__((aligned(__alignof__(long long)))); typedef int g4 __attribute__((aligned(_Alignof(double))));
typedef struct { char c[3]; } three; typedef struct { short s[3]; } six; typedef struct { int i[2]; } eight;
";

const SCALARS: [&str; 30] = [
    "char",
    "short",
    "int",
    "long",
    "long long",
    "_Bool",
    "float",
    "double",
    "long double",
    "void *",
    "unsigned char",
    "_Atomic int",
    "_Atomic long long",
    "_Atomic double",
    "enum e",
    "enum n",
    "enum p",
    "u1",
    "a16",
    "l2b",
    "c8",
    "wide",
    "narrow",
    "three",
    "_Atomic three",
    "_Atomic six",
    "_Atomic eight",
    "enum l",
    "g8",
    "g4",
];
const BIT_TYPES: [(&str, usize); 12] = [
    ("char", 8),
    ("signed char", 8),
    ("short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum e", 32),
    ("enum p", 8),
    ("unsigned short", 16),
];
const NAMES: [&str; 4] = ["packed", "aligned", "unpacked", "mode"];

/// A struct or union: its text, members that have an offset, and bit-fields with their widths.
#[derive(Default)]
struct Sample {
    text: String,
    members: Vec<String>,
    bits: Vec<(String, usize)>,
}

fn member_attribute(random: &mut Random) -> &'static str {
    match random.below(9) {
        0 => "__attribute__((packed))",
        1 => "__attribute__((aligned(sizeof(long))))",
        2 => "__attribute__((unused, __aligned__(1 << 4)))",
        3 => "__attribute__((packed, aligned(2)))",
        4 => "__attribute__((__packed__)) __attribute__((aligned(4)))",
        _ => "",
    }
}

fn members(random: &mut Random, sample: &mut Sample, earlier: usize, depth: usize, count: &mut usize) {
    for _ in 0..1 + random.below(5) {
        *count += 1;
        let name = if *count <= NAMES.len() && random.one_in(3) {
            NAMES[*count - 1].to_owned()
        } else {
            format!("m{count}")
        };
        if random.below(5) < 2 {
            let (ty, most) = BIT_TYPES[random.below(BIT_TYPES.len())];
            let width = 1 + random.below(most);
            match random.below(8) {
                0 => _ = write!(sample.text, " {ty} : 0;"),
                1 => _ = write!(sample.text, " {ty} : {width};"),
                _ => {
                    _ = write!(sample.text, " {ty} {name} : {width} {};", member_attribute(random));
                    sample.bits.push((name, width));
                }
            }
        } else if depth < 2 && random.one_in(9) {
            let (kind, attribute) = (random.of(&["struct", "union"]), record_attribute(random));
            _ = write!(sample.text, " {kind} {{");
            members(random, sample, earlier, depth + 1, count);
            _ = write!(sample.text, " }} {attribute};");
        } else {
            let ty = match random.below(6) {
                0 if earlier > 0 => format!("struct s{}", random.below(earlier)),
                _ => random.of(&SCALARS).to_owned(),
            };
            let first = if random.one_in(12) { "_Alignas(16) " } else { "" };
            // gcc refuses arrays of elements that are aligned more than they are long, or not a multiple of that.
            let can_repeat = !matches!(ty.as_str(), "a16" | "c8" | "l2b" | "u1" | "g8" | "g4");
            let array = if can_repeat { random.of(&["", "", "", "[2]", "[3]", "[0]"]) } else { "" };
            let star = if random.one_in(12) { "*" } else { "" };
            _ = write!(sample.text, " {first}{ty} {star}{name}{array} {};", member_attribute(random));
            sample.members.push(name);
        }
    }
}

fn record_attribute(random: &mut Random) -> &'static str {
    match random.below(8) {
        0 => "__attribute__((packed))",
        1 => "__attribute__((aligned(8)))",
        2 => "__attribute__((packed, aligned(4)))",
        3 => "__attribute__((__packed__, __aligned__))",
        _ => "",
    }
}

fn sample(random: &mut Random, index: usize) -> Sample {
    let mut sample = Sample::default();
    let (before, behind) = match random.below(3) {
        0 => (record_attribute(random), ""),
        _ => ("", record_attribute(random)),
    };
    let pack = random.of(&["", "", "", "1", "2", "4", "8"]);
    if !pack.is_empty() {
        _ = writeln!(sample.text, "#pragma pack(push, {pack})");
    }
    _ = write!(sample.text, "struct {before} s{index} {{");
    let mut count = 0;
    members(random, &mut sample, index, 0, &mut count);
    // gcc wants another member with a name in front of it.
    if !sample.members.is_empty() && random.one_in(6) {
        _ = write!(sample.text, " {} last[];", random.of(&["char", "int", "long long"]));
        sample.members.push("last".to_owned());
    }
    _ = writeln!(sample.text, " }} {behind};");
    if !pack.is_empty() {
        sample.text.push_str("#pragma pack(pop)\n");
    }
    sample
}

/// What the compiler puts into the data of each variable.
fn images(text: &str, flag: &str) -> Option<BTreeMap<String, Vec<u8>>> {
    let mut child = Command::new("gcc")
        .args(["-S", "-w", "-O0", flag, "-x", "c", "-std=gnu11", "-o", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut pipe = child.stdin.take()?;
    let input = text.to_owned();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut pipe, input.as_bytes()).is_ok());
    let output = child.wait_with_output().ok()?;
    assert!(writer.join().is_ok() && output.status.success(), "gcc refuses the sample:\n{text}");
    let mut images: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut name = String::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(label) = line.strip_suffix(':') {
            name = label.to_owned();
            continue;
        }
        let mut words = line.split_whitespace();
        let (directive, argument) = (words.next().unwrap_or(""), words.next().unwrap_or("0"));
        let image = images.entry(name.clone()).or_default();
        let number = argument.parse::<i128>().unwrap_or(0);
        match directive {
            ".byte" => image.extend(&number.to_le_bytes()[..1]),
            ".value" => image.extend(&number.to_le_bytes()[..2]),
            ".long" => image.extend(&number.to_le_bytes()[..4]),
            ".quad" => image.extend(&number.to_le_bytes()[..8]),
            ".zero" => image.extend(vec![0; number as usize]),
            _ => {}
        }
    }
    Some(images)
}

fn compare(seed: u64, model: DataModel, flag: &str) -> usize {
    let mut random = Random(seed);
    let samples: Vec<Sample> = (0..60).map(|index| sample(&mut random, index)).collect();
    let mut text = HEAD.to_owned();
    let mut questions = String::new();
    for (index, sample) in samples.iter().enumerate() {
        text.push_str(&sample.text);
        _ = write!(questions, "unsigned i{index}[] = {{ sizeof(struct s{index}), _Alignof(struct s{index})");
        for member in &sample.members {
            _ = write!(questions, ", __builtin_offsetof(struct s{index}, {member})");
        }
        questions.push_str(" };\n");
        for (name, _) in &sample.bits {
            _ = writeln!(questions, "struct s{index} b{index}_{name} = {{ .{name} = -1 }};");
        }
    }
    let Some(images) = images(&format!("{text}{questions}"), flag) else { return 0 };
    let unit = parse_text("layout.c", &format!("{text}int main(void) {{ return 0; }}"), "").unwrap();
    let options = Options { data_model: model, ..Options::default() };
    let mut lowerer = Lowerer::new(&unit, &options);
    lowerer.file();
    assert!(lowerer.errors.is_empty(), "{:?}", lowerer.errors);
    let mut compared = 0;
    for (index, sample) in samples.iter().enumerate() {
        let Some(Type::Record(id)) = lowerer.lookup_tag(&format!("s{index}")).cloned() else {
            panic!("s{index}")
        };
        let record = lowerer.types.record(id);
        let mut found = vec![record.size, lowerer.types.align(&Type::Record(id))];
        let offset = |name: &str| lowerer.types.field(id, name).map_or(u64::MAX, |(offset, _)| offset);
        found.extend(sample.members.iter().map(|name| offset(name) / 8));
        let image = &images[&format!("i{index}")];
        let expected: Vec<u64> =
            image.chunks(4).map(|c| u64::from(u32::from_le_bytes(c.try_into().unwrap()))).collect();
        assert_eq!(found, expected, "{flag}, size, alignment, {:?} of\n{}", sample.members, sample.text);
        for (name, width) in &sample.bits {
            let image = &images[&format!("b{index}_{name}")];
            let set = |bit: &usize| image[bit / 8] >> (bit % 8) & 1 == 1;
            let bits: Vec<usize> = (0..image.len() * 8).filter(set).collect();
            let expected = (bits.first().map(|bit| *bit as u64), bits.len());
            assert_eq!(
                (Some(offset(name)), *width),
                expected,
                "{flag}, bit-field {name} of\n{}",
                sample.text
            );
        }
        compared += found.len() + sample.bits.len();
    }
    compared
}

#[test]
fn layouts_are_those_of_gcc() {
    for seed in 1..=20 {
        compare(seed, DataModel::Lp64, "-m64");
        compare(seed, DataModel::Ilp32, "-m32");
    }
}
