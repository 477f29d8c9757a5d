//! Programs survive printing and reading.

use super::*;
use crate::program::random::{Random, Shape, program_with};
use crate::program::validate::{Rules, validate};
use crate::program::{
    Assumption, DataType, Effect, FileId, NamedAddress, Note, NoteId, Origin, Position, Program, Scope,
    UserPredicate, Variable,
};
use proptest::prelude::*;
use smt::{ArrayValue, Bits, Sort, Symbol, Term, Value};

const RACY: &str = r#"program 1

file 0 "racy.c"
note 0 over @0:7:0 "joins are \"ignored\"\n"

address &x = 4096 size 4

shared x: i32 = 0 @0:1:5
shared a: [u8; 4 by u64] = {1: 7, 3: 255, else 0}
local main::t: i32
local "odd name|%": u3 = 5

location 0 in main @0:4:3
location 1 in main @0:5:3 live main::t
location 2 atomic live main::t, "odd name|%"
main 0
pool 0

edge 0: 0 -> 1
  input n: u32
  guard (bvslt x n)
  assign main::t := x
  passive input m: bool
  passive assign main::t := (ite m |main::t@P| x)
  approximate 0
  origin @0:4:3 in main "t = x;"

edge 1: 1 -> 2

property main.assertion.1 assertion @0:9:3 "assertion x == 2" at 2
property race data-race "two writes" race 1 [|main::t|] with 2

predicate @0:1:1 (bvslt |main::t| |main::t@P|)
"#;

#[test]
fn a_program_with_everything_reads_and_prints_as_it_was() {
    let program = read(RACY).unwrap();
    assert_eq!(print(&program), RACY);
    assert_eq!(validate(&program, Rules::default()), []);
    assert_eq!(program.variables[3].name, Symbol::new("odd name|%"));
    assert_eq!(program.variables[1].init.as_ref().unwrap().as_array().unwrap().entries().count(), 2);
    assert_eq!(program.edges[0].broadcast.inputs[0].sort, Sort::Bool);
    assert!(program.edges[1].guard.is_true());
}

#[test]
fn several_guards_are_one() {
    let read = |guards: &str| {
        read(&format!(
            "program 1\nshared a: bool\nshared b: bool\nlocation 0\nmain 0\nedge 0: 0 -> 0\n{guards}"
        ))
    };
    let (apart, together) =
        (read("  guard a\n  guard (not b)\n").unwrap(), read("  guard (and a (not b))\n").unwrap());
    assert_eq!(apart.edges[0].guard, together.edges[0].guard);
}

#[test]
fn comments_and_line_ends_are_space() {
    let program = read("program 1 // nothing\n// more\nlocation\n0 main 0").unwrap();
    assert_eq!(program.locations.len(), 1);
    assert_eq!(program.pool, None);
}

#[test]
fn errors_say_where() {
    let cases = [
        ("", 1, 1, "expected `program`"),
        ("program 2", 1, 1, "version 2"),
        ("program 1\nmain", 2, 5, "expected a number, found the end"),
        ("program 1\nlocation 0", 2, 11, "`main` is missing"),
        ("program 1\n  shared x: i0", 2, 13, "expected a type"),
        ("program 1\nshared x: u8 = 256", 2, 16, "no number of 8 bits"),
        ("program 1\nshared x: i8 = 128", 2, 16, "no number of 8 bits"),
        ("program 1\nshared x: i8 = -128 shared x: i8", 2, 28, "declared twice"),
        ("program 1\nshared x: [[u8 by u8] by u8]", 2, 12, "one dimension"),
        ("program 1\nfile 1 \"x\"", 2, 6, "should be 0"),
        ("program 1\nfile 0 \"x", 2, 8, "does not end"),
        ("program 1\nfile 0 \"\\q\"", 2, 9, "unknown escape"),
        ("program 1\nlocation 0 live y", 2, 17, "no variable `y`"),
        ("program 1\nedge 0: 0 -> 1\n guard (and true\n   z)", 4, 4, "z"),
        ("program 1\nedge 0: 0 -> 1\n guard z", 3, 8, "z"),
        ("program 1\nedge 0: 0 -> 1\n guard #b1", 3, 8, "has the sort"),
        ("program 1\nedge 0: 0 -> 1\n guard (and", 3, 8, "does not end"),
        ("program 1\nproperty p nonsense", 2, 12, "kind of property"),
        ("program 1\nwhat", 2, 1, "expected a declaration, found `what`"),
        ("program 1\n%", 2, 1, "`%`"),
    ];
    for (text, line, column, message) in cases {
        let error = read(text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
        assert!(error.message.contains(message), "{text:?}: {error}");
    }
}

/// Adds what random programs do not have.
fn decorate(program: &mut Program, seed: u64) {
    let mut random = Random::new(seed);
    let position = |random: &mut Random| Position {
        file: FileId(random.below(2) as u32),
        line: random.below(3) as u32,
        column: random.below(3) as u32,
    };
    let odd =
        ["a b", "x|y", "\\", "\u{7f}é\n", "plain", "a::b", "1st", "@P", "%41", "true", "a:", "\"", ":: "];
    let text = |random: &mut Random| odd[random.below(odd.len())].to_owned();
    program.files.push(text(&mut random));
    for effect in Effect::all() {
        program.notes.push(Note::new(effect, position(&mut random), text(&mut random)));
    }
    for kind in Assumption::all() {
        program.notes.push(Note::assumption(kind, position(&mut random), text(&mut random)));
    }
    program.addresses.push(NamedAddress {
        name: Symbol::new(&text(&mut random)),
        address: random.next(),
        size: random.next(),
    });
    for width in [1, 64, 128, 129, 200] {
        let bits = Bits::ones(width).sub(&Bits::new(width, random.below(3) as u128));
        let signed = random.chance(1, 2);
        program.variables.push(Variable {
            name: Symbol::new(&format!("{}{width}", text(&mut random))),
            scope: if random.chance(1, 2) { Scope::Shared } else { Scope::Local },
            data_type: DataType::Int { width, signed },
            init: random.chance(1, 2).then_some(Value::Bits(bits)),
            identity: false,
            position: position(&mut random),
        });
    }
    let array = ArrayValue::constant(Sort::BitVec(70), Value::Bool(true));
    program.variables.push(Variable {
        name: Symbol::new("array"),
        scope: Scope::Shared,
        data_type: DataType::Array { index_width: 70, length: None, element: Box::new(DataType::Bool) },
        init: Some(Value::Array(array.store(Bits::new(70, 1 << 69), Value::Bool(false)))),
        identity: false,
        position: Position::NONE,
    });
    let wide = program.variables[program.variables.len() - 2].term();
    program.predicates.push(UserPredicate {
        term: wide.bv_add(Term::bv(200, 3)).ult(wide.bv_mul(wide)),
        position: position(&mut random),
    });
    for edge in &mut program.edges {
        edge.approximate = random.chance(1, 3).then(|| NoteId(random.below(3) as u32));
        edge.origin.push(Origin {
            position: position(&mut random),
            function: Symbol::new(&text(&mut random)),
            text: Symbol::new(&text(&mut random)),
        });
    }
    for (index, property) in program.properties.iter_mut().enumerate() {
        property.kind = KINDS[random.below(KINDS.len())].0;
        property.name = format!("{}{index}", text(&mut random));
        property.description = text(&mut random);
    }
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(seed: u64) {
        let mut program = program_with(seed, Shape { arrays: true, ..Shape::default() });
        prop_assert_eq!(&read(&print(&program)).unwrap(), &program);
        decorate(&mut program, seed);
        let text = print(&program);
        match read(&text) {
            Ok(back) => prop_assert_eq!(&back, &program, "{}", text),
            Err(error) => prop_assert!(false, "{error}\n{text}"),
        }
    }

    #[test]
    fn damaged_texts_do_not_panic(cut in 0..RACY.len(), insert in ".{0,3}", skip in 0..4_usize) {
        let start = RACY.floor_char_boundary(cut);
        let end = RACY.ceil_char_boundary((start + skip).min(RACY.len()));
        let text = format!("{}{insert}{}", &RACY[..start], &RACY[end..]);
        if let Ok(program) = read(&text) {
            let again = read(&print(&program));
            prop_assert_eq!(again.as_ref(), Ok(&program));
        }
    }

    #[test]
    fn arbitrary_texts_do_not_panic(text in "(program 1)?(\\PC|[ \n]){0,60}") {
        let _ = read(&text);
    }
}
