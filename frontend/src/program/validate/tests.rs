//! Each rule of well-formed programs, broken once.

use super::*;
use crate::program::text::read;
use crate::program::{FileId, NamedAddress, Origin};
use smt::Value;

const VALID: &str = r#"program 1
file 0 "a.c"
note 0 over "rough"
address &x = 16 size 4
address &y = 32 size 4
shared x: u8 = 1
shared a: [u8; 4 by u2]
local l: u8
local m: bool
location 0 live l, m
location 1 atomic
main 0 pool 0
edge 0: 0 -> 1
  input n: u8
  guard (bvult l n)
  assign x := n
  assign l := x
  passive input k: u8
  passive assign l := (bvadd l@P (bvadd k n))
  approximate 0
  origin @0:1:1 in f "x = n;"
property p assertion @0:1:1 "" at 1
property r data-race "" race 0 [l] with 1 [x]
predicate (bvult l l@P)
"#;

/// The flaws after a change.
fn flaws(change: impl FnOnce(&mut Program)) -> Vec<String> {
    let mut program = read(VALID).unwrap();
    change(&mut program);
    validate(&program, Rules::default()).iter().map(ToString::to_string).collect()
}

fn constant(name: &str, width: u32) -> Term {
    Term::constant(Symbol::new(name), Sort::BitVec(width))
}

#[test]
fn a_valid_program_has_no_flaws() {
    assert_eq!(flaws(|_| {}), [""; 0]);
    let program = read(VALID).unwrap();
    assert_eq!(check(&program, Rules::default()), Ok(()));
    let strict = validate(&program, Rules { strictly_asynchronous: true });
    assert_eq!(strict, [Invalid { place: Place::Location(LocationId(1)), flaw: Flaw::Atomic }]);
}

#[test]
fn indices_must_be_in_range() {
    assert_eq!(flaws(|program| program.main = LocationId(2)), ["start: there is no location 2"]);
    assert_eq!(flaws(|program| program.pool = Some(LocationId(3))), ["start: there is no location 3"]);
    assert_eq!(flaws(|program| program.edges[0].from = LocationId(9)), ["edge 0: there is no location 9"]);
    assert_eq!(flaws(|program| program.edges[0].to = LocationId(9)), ["edge 0: there is no location 9"]);
    assert_eq!(
        flaws(|program| program.edges[0].approximate = Some(NoteId(1))),
        ["edge 0: there is no note 1"]
    );
    assert_eq!(
        flaws(|program| program.edges[0].assign.push((VariableId(7), Term::tru()))),
        ["edge 0: there is no variable 7"]
    );
    assert_eq!(
        flaws(|program| program.locations[1].live.push(VariableId(7))),
        ["location 1: there is no variable 7"]
    );
    let target = Target::Location(LocationId(5));
    assert_eq!(
        flaws(|program| program.properties[0].target = target),
        ["property 0: there is no location 5"]
    );
    let position = Position { file: FileId(1), line: 1, column: 1 };
    let origin = Origin { position, function: Symbol::new("f"), text: Symbol::new("") };
    assert_eq!(flaws(|program| program.edges[0].origin.push(origin)), ["edge 0: there is no file 1"]);
    assert_eq!(flaws(|program| program.notes[0].position = position), ["note 0: there is no file 1"]);
}

#[test]
fn names_must_be_unique() {
    assert_eq!(
        flaws(|program| program.variables[1].name = Symbol::new("x")),
        ["variable 1: the name `x` is taken"]
    );
    assert_eq!(
        flaws(|program| program.variables[1].name = Symbol::new("m@P")),
        ["variable 3: the name `m@P` is taken"]
    );
    assert_eq!(
        flaws(|program| program.variables[1].name = Symbol::new("")),
        ["variable 1: variables and inputs need names"]
    );
    for (name, count) in [("x", 1), ("l@P", 1), ("k", 2)] {
        let found = flaws(|program| {
            program.edges[0].inputs.push(Input { name: Symbol::new(name), sort: Sort::BitVec(8) });
            program.edges[0].guard = Term::tru();
        });
        // A name that hides another is reported where it hides it: by the input, or by the second input.
        assert_eq!(found[0], format!("edge 0: the name `{name}` is taken"));
        assert!(found.len() <= count, "{found:?}");
    }
    assert_eq!(
        flaws(|program| program.properties[1].name = "p".to_owned()),
        ["property 1: the name `p` is taken"]
    );
}

#[test]
fn types_must_make_sense() {
    let set = |data_type: DataType| {
        flaws(|program| {
            program.variables[1].data_type = data_type;
        })
    };
    let int = |width| Box::new(DataType::Int { width, signed: false });
    let array = |index_width, length, element| DataType::Array { index_width, length, element };
    assert_eq!(set(array(2, Some(5), int(8))), ["variable 1: an index of 2 bits cannot reach 5 elements"]);
    assert_eq!(set(array(64, Some(u64::MAX), int(8))), [""; 0]);
    assert_eq!(set(array(0, None, int(8))).len(), 1);
    assert_eq!(set(DataType::Int { width: 0, signed: true }), ["variable 1: `i0` is no type of a variable"]);
    let nested = set(array(2, None, Box::new(array(2, None, int(8)))));
    assert_eq!(nested, ["variable 1: `[[u8 by u2] by u2]` is no type of a variable"]);
    let sort = Sort::array(Sort::Bool, Sort::Bool);
    let found = flaws(|program| program.edges[0].inputs.push(Input { name: Symbol::new("z"), sort }));
    assert_eq!(found, [format!("edge 0: an input cannot have the sort {sort}")]);
}

#[test]
fn sorts_must_match() {
    assert_eq!(
        flaws(|program| program.variables[0].init = Some(Value::bits(9, 1))),
        ["variable 0: the initial value has the sort (_ BitVec 9), not (_ BitVec 8)"]
    );
    assert_eq!(
        flaws(|program| program.edges[0].guard = constant("x", 8)),
        ["edge 0: the guard has the sort (_ BitVec 8), not Bool"]
    );
    assert_eq!(
        flaws(|program| program.edges[0].assign[0].1 = Term::tru()),
        ["edge 0: an assigned value has the sort Bool, not (_ BitVec 8)"]
    );
    assert_eq!(
        flaws(|program| program.edges[0].broadcast.assign[0].1 = Term::tru()),
        ["edge 0: a broadcast value has the sort Bool, not (_ BitVec 8)"]
    );
    assert_eq!(
        flaws(|program| program.predicates[0].term = constant("x", 8)),
        ["predicate 0: the predicate has the sort (_ BitVec 8), not Bool"]
    );
    let access = |index| RaceAccess { location: LocationId(0), index: Some(index), write: true };
    let target = Target::Race(access(Term::tru()), access(constant("x", 8)));
    let found = flaws(|program| program.properties[1].target = target);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], "property 1: an index has the sort Bool, not that of a bit-vector");
}

#[test]
fn terms_see_only_what_they_may() {
    let unseen = "mentions `l@P` of sort (_ BitVec 8), which is nothing it can see";
    let guard = constant("l@P", 8).equals(Term::bv(8, 0));
    assert_eq!(flaws(|program| program.edges[0].guard = guard), [format!("edge 0: the guard {unseen}")]);
    let wrong_sort = constant("x", 9).equals(Term::bv(9, 0));
    assert_eq!(flaws(|program| program.edges[0].guard = wrong_sort).len(), 1);
    let of_passive = constant("k", 8);
    assert_eq!(flaws(|program| program.edges[0].assign[0].1 = of_passive).len(), 1);
    let of_shared = constant("x@P", 8);
    assert_eq!(flaws(|program| program.edges[0].broadcast.assign[0].1 = of_shared).len(), 1);
    let input = constant("n", 8).equals(Term::bv(8, 0));
    assert_eq!(flaws(|program| program.predicates[0].term = input).len(), 1);
}

#[test]
fn assignments_live_sets_and_tables_are_in_order() {
    assert_eq!(
        flaws(|program| program.edges[0].assign.push((VariableId(0), Term::bv(8, 0)))),
        ["edge 0: `x` is assigned twice"]
    );
    assert_eq!(
        flaws(|program| program.edges[0].broadcast.assign.push((VariableId(0), Term::bv(8, 0)))),
        ["edge 0: `x` is not local"]
    );
    assert_eq!(
        flaws(|program| program.locations[0].live = vec![VariableId(3), VariableId(2)]),
        ["location 0: the live variables are not sorted"]
    );
    assert_eq!(
        flaws(|program| program.locations[0].live = vec![VariableId(0)]),
        ["location 0: `x` is not local"]
    );
    let address = NamedAddress { name: Symbol::new("z"), address: 20, size: 1 };
    assert_eq!(flaws(|program| program.addresses.push(address)), ["address 2: the addresses are not sorted"]);
    assert_eq!(
        flaws(|program| program.pool = Some(LocationId(1))),
        ["start: the pool is an atomic location"]
    );
}

#[test]
fn all_flaws_are_one_error() {
    let mut program = read(VALID).unwrap();
    program.main = LocationId(4);
    program.edges[0].to = LocationId(5);
    let error = check(&program, Rules::default()).unwrap_err();
    assert_eq!(error.to_string(), "edge 0: there is no location 5\nstart: there is no location 4");
}
