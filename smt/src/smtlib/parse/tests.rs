//! Terms as text and back.

use super::*;

fn byte(name: &str) -> Term {
    Term::constant(Symbol::new(name), Sort::BitVec(8))
}

fn parse(text: &str) -> Result<Term, ParseError> {
    let array = Term::constant(Symbol::new("a"), Sort::array(Sort::BitVec(8), Sort::BitVec(8)));
    let p = Term::constant(Symbol::new("p"), Sort::Bool);
    let q = Term::constant(Symbol::new("q"), Sort::Bool);
    parse_term(text, [byte("x"), byte("y"), array, p, q])
}

fn assert_same(left: &str, right: &str) {
    assert_eq!(parse(left).unwrap(), parse(right).unwrap(), "{left}");
}

#[test]
fn literals() {
    assert_eq!(parse("#b101"), Ok(Term::bv(3, 5)));
    assert_eq!(parse("#xfF"), Ok(Term::bv(8, 255)));
    assert_eq!(parse("(_ bv300 9)"), Ok(Term::bv(9, 300)));
    assert_eq!(parse("|x|"), Ok(byte("x")));
    for wrong in
        ["#b", "#b2", "#xg", "(_ bv300 8)", "(_ bv 8)", "(_ bv1 0)", "(_ bv1 65537)", "(_ c 8)", "12"]
    {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn operators_that_stand_for_others() {
    assert_same("(bvugt x y)", "(bvult y x)");
    assert_same("(bvsge x y)", "(bvsle y x)");
    assert_same("(bvnand x y)", "(bvnot (bvand x y))");
    assert_same("(bvcomp x y)", "(ite (= x y) #b1 #b0)");
    assert_same("(=> p q p)", "(=> p (=> q p))");
    assert_same("(xor p q p)", "q");
    assert_same("(= x y #x01)", "(and (= x y) (= y #x01))");
    assert_same("(distinct x y #x01)", "(and (not (= x y)) (not (= y #x01)) (not (= x #x01)))");
    assert_same("(bvadd x y x)", "(bvadd (bvadd x y) x)");
    assert_same("(concat x y x)", "(concat (concat x y) x)");
    assert_same("((_ repeat 3) x)", "(concat (concat x x) x)");
    assert_same("((_ rotate_left 3) x)", "(concat ((_ extract 4 0) x) ((_ extract 7 5) x))");
    assert_same("((_ rotate_right 3) x)", "((_ rotate_left 5) x)");
    assert_same("((_ rotate_right 8) x)", "x");
    assert_same("(and p)", "p");
    assert_same("(select (store a x y) x)", "y");
}

#[test]
fn bindings_are_parallel_and_end() {
    assert_same("(let ((x y) (y x)) (bvudiv x y))", "(bvudiv y x)");
    assert_same("(bvudiv (let ((x #x01)) (bvurem y x)) x)", "(bvudiv #x00 x)");
    assert_same("(let ((z x)) (let ((z (bvudiv z y))) (bvurem z y)))", "(bvurem (bvudiv x y) y)");
    assert!(parse("(bvadd (let ((z x)) z) z)").is_err());
}

#[test]
fn shared_parts_are_bound() {
    let (x, y) = (byte("x"), byte("?0"));
    let shared = x.bv_udiv(y);
    let term = shared.bv_urem(shared.bv_lshr(x));
    let text = term.to_string();
    assert_eq!(text, "(let ((??0 (bvudiv x ?0))) (bvurem ??0 (bvlshr ??0 x)))");
    assert_eq!(parse_term(&text, [x, y]), Ok(term));
}

#[test]
fn doubling_is_linear() {
    let mut term = byte("x");
    (0..1000).for_each(|_| term = term.bv_udiv(term.bv_lshr(term)));
    let text = term.to_string();
    assert!(text.len() < 100_000, "{}", text.len());
    assert_eq!(parse(&text), Ok(term));
}

#[test]
fn strange_names_survive() {
    for name in
        ["", "let", "true", "and", "bvadd", "x y", "1x", "a|b\\c", "%7c", "é", "\n\t\0", "_", "a%b", "%61nd"]
    {
        let constant = byte(name);
        let term = constant.bv_udiv(byte("x"));
        assert_eq!(parse_term(&term.to_string(), [constant, byte("x")]), Ok(term), "{name:?}");
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let wrong = [
        "(not x)",
        "(and p x)",
        "(ite x p q)",
        "(ite p x q)",
        "(= p x)",
        "(bvadd x #b1)",
        "(bvadd x)",
        "(bvnot p)",
        "(bvult x p)",
        "(bvult x y x)",
        "((_ extract 8 0) x)",
        "((_ extract 0 1) x)",
        "((_ zero_extend 1) p)",
        "((_ zero_extend 65536) x)",
        "((_ zero_extend 4294967295) x)",
        "((_ zero_extend 4294967296) x)",
        "(select x x)",
        "(select a #b1)",
        "(store a x p)",
        "(store a x)",
        "(concat x)",
        "(concat x p)",
        "(concat p p)",
        "((as const (Array (_ BitVec 8) Bool)) x)",
        "((as const Bool) p)",
        "((as const (Array Bool Bool)) p)",
        "((_ repeat 0) x)",
        "((_ repeat 4294967295) x)",
        "(f x)",
        "(x x)",
        "((_ f 1) x)",
        "((as f Bool) x)",
        "(p)",
        "()",
        "(",
        ")",
        "p q",
        "(let () x)",
        "(let ((z)) x)",
        "(let ((z x) x)",
        "(let ((z x)) z",
        "(distinct x)",
        "(=> p)",
        "(_ extract 1 0)",
        "((a))",
        "(\"s\" x)",
        "true false",
        "",
        "(true)",
        "(const x)",
        "and",
    ];
    for text in wrong {
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn errors_have_places() {
    let error = parse("(bvadd x\n  (bvmul y z))").unwrap_err();
    assert_eq!(error.to_string(), "2:12: unknown constant 'z'");
    let error = parse("(and p\n  (bvmul p q))").unwrap_err();
    assert_eq!(error.to_string(), "2:3: 'bvmul' does not take these arguments");
    let error = parse("(and p\n  (bvfoo x x))").unwrap_err();
    assert_eq!(error.to_string(), "2:3: unknown operator 'bvfoo'");
}

#[test]
fn sorts_are_limited() {
    let nested = |depth: usize| {
        let sort = format!("{}Bool{}", "(Array (_ BitVec 1) ".repeat(depth), ")".repeat(depth));
        super::super::parse_script(&format!("(declare-const x {sort})"))
    };
    assert!(nested(60).is_ok());
    assert!(nested(70).is_err());
    assert!(nested(100_000).is_err());
}
