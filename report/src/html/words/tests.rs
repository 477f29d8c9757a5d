//! Sentences about predicates and places.

use super::*;
use frontend::program::expression;

const PROGRAM: &str = r#"program 1
file 0 "a.c"
shared next: u32 = 0
shared held: bool = false
local lock::ticket: u32 = 0
local work::ready: bool = false
local "work::$3": i32 = 0 @0:7:1
local "work::$4": u32 = 0 @0:8:1
shared m.lock.locked: bool = false
local m.lock.mine: bool = false
shared spawn.work: bool = false
location 0
main 0
edge 0: 0 -> 0
  assign work::$4 := next
"#;

fn say(formula: &str) -> [String; 2] {
    let program = frontend::program::text::read(PROGRAM).unwrap();
    let words = Words::new(&program);
    let term = match formula.strip_prefix("not ") {
        Some(formula) => expression::parse(formula, &program).unwrap().not(),
        None => expression::parse(formula, &program).unwrap(),
    };
    [words.sentence(term, true), words.sentence(term, false)]
}

#[test]
fn formulas_of_one_thread() {
    assert_eq!(say("held"), ["`held` is set", "`held` is not set"]);
    assert_eq!(say("work::ready"), ["my `ready` is set", "my `ready` is not set"]);
    assert_eq!(say("next == 3"), ["`next` is 3".replace("3", "`3`"), "`next` is not `3`".to_owned()]);
    assert_eq!(
        say("lock::ticket < next"),
        ["my `ticket` is less than `next`", "my `ticket` is at least `next`"]
    );
    assert_eq!(say("lock::ticket == next")[1], "my `ticket` differs from `next`");
    assert_eq!(
        say("held && next == 1"),
        ["`held` is set and `next` is `1`", "`held` is not set or `next` is not `1`"]
    );
    assert_eq!(say("lock::ticket - next == 1")[0], "`my.ticket - next` is `1`");
    assert_eq!(say("work::$3 == -1")[0], "my `value@7` (a value of line 7) is `-1`");
}

#[test]
fn names_that_the_user_has_not_given() {
    assert_eq!(say("work::$4 == 1")[0], "the `next` that I work with in line 8 is `1`");
    assert_eq!(
        say("__CPROVER_passive(work::$4) == lock::ticket")[1],
        "some other thread's `next@8` differs from my `ticket`"
    );
    assert_eq!(say("m.lock.locked"), ["`m` is locked", "`m` is not locked"]);
    let created =
        ["a", "no"].map(|some| format!("{some} thread for `work` has been created that has not started yet"));
    assert_eq!(say("spawn.work"), created);
    assert_eq!(say("m.lock.mine"), ["I hold `m`", "I do not hold `m`"]);
    assert_eq!(
        say("not __CPROVER_passive(m.lock.mine)"),
        ["no other thread holds `m`", "some other thread holds `m`"]
    );
}

#[test]
fn formulas_about_other_threads() {
    assert_eq!(
        say("__CPROVER_passive(lock::ticket) != lock::ticket"),
        ["no other thread has my `ticket`", "some other thread has my `ticket`"]
    );
    assert_eq!(
        say("__CPROVER_passive(lock::ticket) == lock::ticket"),
        ["every other thread has my `ticket`", "some other thread has another `ticket` than I"]
    );
    assert_eq!(
        say("__CPROVER_passive(lock::ticket) < next"),
        [
            "every other thread's `ticket` is less than `next`",
            "some other thread's `ticket` is at least `next`"
        ]
    );
    assert_eq!(
        say("__CPROVER_passive(lock::ticket) < lock::ticket"),
        ["every other thread's `ticket` is less than mine", "some other thread's `ticket` is at least mine"]
    );
    assert_eq!(
        say("__CPROVER_passive(lock::ticket) != next"),
        ["no other thread's `ticket` equals `next`", "some other thread's `ticket` equals `next`"]
    );
    assert_eq!(
        say("__CPROVER_passive(work::ready)"),
        ["`ready` is set in every other thread", "`ready` is not set in some other thread"]
    );
    assert_eq!(
        say("not __CPROVER_passive(work::ready)"),
        ["`ready` is set in no other thread", "`ready` is set in some other thread"]
    );
}

#[test]
fn other_formulas_are_said_in_c() {
    assert_eq!(
        say("__CPROVER_passive(lock::ticket) + 1 == lock::ticket"),
        [
            "for every other thread: `its.ticket + 1` equals my `ticket`",
            "for some other thread: `its.ticket + 1` differs from my `ticket`"
        ]
    );
    assert_eq!(
        say("__CPROVER_passive(work::ready) || __CPROVER_passive(lock::ticket) == 0")[1],
        "for some other thread: its `ready` is not set and its `ticket` is not `0`"
    );
}
