//! Tests of expressions: what they mean, and what is said about wrong ones.

use super::*;
use crate::program::text::read;

const PROGRAM: &str = "program 1\naddress &x = 4096 size 4\nshared x: i32 = 0\nshared u: u32 = 0\nshared c: u8 = 0\n\
    shared b: bool = false\nshared a: [u8; 4 by u2] = {else 0}\nlocal f::l: u32 = 0\nlocal f::m: u32 = 0\n\
    local g::m: u32 = 0\nshared p.q: u64 = 0\nlocation 0\nmain 0\n";

fn term(text: &str) -> Result<String, String> {
    let program = read(PROGRAM).unwrap();
    parse(text, &program).map(|term| term.to_string()).map_err(|error| error.to_string())
}

#[test]
fn expressions_are_those_of_c() {
    for (text, same) in [
        ("x < 5", "(bvslt x #x00000005)"),
        ("u < 5", "(bvult u #x00000005)"),
        ("x < u", "(bvult x u)"),
        ("u == l", "(= u |f::l|)"),
        ("u > __CPROVER_passive(l)", "(bvult |f::l@P| u)"),
        ("f::m != g::m", "(not (= |f::m| |g::m|))"),
        ("b == 0", "(not b)"),
        ("!b", "(not b)"),
        ("1 != b", "(not b)"),
        ("p.q == &x", "(= p.q #x0000000000001000)"),
        ("x", "(not (= x #x00000000))"),
    ] {
        assert_eq!(term(text).as_deref(), Ok(same), "{text}");
    }
    for (text, same) in [
        ("x + 2 * u == 7 && b || x", "(x + (2 * u)) == 7 && b || x"),
        ("x << 1 > 3 & 1", "((x << 1) > 3) & 1"),
        ("b ? x : u", "(b ? x : u) != 0"),
        ("-x - -1 == 0", "(((-x) - (-1)) == 0)"),
        ("a[x + 1] >= 0x10", "(a[x+1]) >= 020"),
    ] {
        assert_eq!(term(text), term(same), "{text}");
        assert!(term(text).is_ok(), "{text}");
    }
}

/// A byte is an `int` before it is compared, so that 300 is not 44.
#[test]
fn narrow_operands_are_promoted() {
    assert_eq!(term("c == 300").as_deref(), Ok("false"));
    assert_eq!(term("c >= 0").as_deref(), Ok("true"));
    assert_eq!(term("x > 4294967295u").as_deref(), Ok("false"));
    assert_eq!(term("3000000000 > 0").as_deref(), Ok("true"));
}

#[test]
fn errors_have_a_place() {
    for (text, message) in [
        ("x +", "column 4: expected a variable or a number, found the end of the line"),
        ("x == y", "column 6: there is no variable 'y'"),
        ("m == 1", "column 1: 'm' is not clear: it can be 'f::m' or 'g::m'"),
        ("x 5", "column 3: expected an operator, found '5'"),
        ("__CPROVER_passive(x) == 1", "column 19: 'x' is shared: there is no passive copy"),
        ("(x == 1", "column 8: expected ')', found the end of the line"),
        ("x = 1", "column 3: '=' is not expected here"),
        ("x[1]", "column 2: only an array has elements"),
        ("a == 1", "column 7: a whole array is no value; '[' is missing"),
        ("12z", "column 1: '12z' is no integer"),
        ("&y", "column 2: the address of 'y' is not known"),
        ("\"x", "column 1: the closing '\"' is missing"),
        ("", "column 1: expected a variable or a number, found the end of the line"),
    ] {
        assert_eq!(term(text), Err(message.to_owned()), "{text}");
    }
    let deep = "(".repeat(100_000);
    assert!(term(&deep).unwrap_err().contains("nests too deep"));
    assert!(term(&"!".repeat(100_000)).unwrap_err().contains("nests too deep"));
}
