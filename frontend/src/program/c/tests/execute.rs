//! The C text means what the program means: compiled, run and compared with the interpreter.

use super::*;
use crate::program::interpret::{ExploreOptions, Interpreter, explore};
use crate::program::random::Random;
use crate::program::{Choice, EdgeId, LocationId};
use smt::{Bits, Term};

/// Random terms over the variables of a program.
struct Terms<'a> {
    random: Random,
    program: &'a Program,
}

const WIDTHS: [u32; 10] = [1, 3, 8, 13, 16, 32, 33, 64, 100, 128];

impl Terms<'_> {
    fn number(&mut self, width: u32, depth: usize) -> Term {
        let choice = if depth == 0 { self.random.below(3) } else { 3 + self.random.below(14) };
        let two = |terms: &mut Self| (terms.number(width, depth - 1), terms.number(width, depth - 1));
        match choice {
            0 => Term::bv_signed(width, self.random.below(5) as i128 - 2),
            1 | 2 => self.variable(width),
            3 => two(self).0.bv_neg(),
            4 => two(self).0.bv_not(),
            5 => {
                let condition = self.condition(depth - 1);
                let (a, b) = two(self);
                condition.ite(a, b)
            }
            6 => self.resized(width, depth),
            7 => {
                let (array, index) = if width > 13 { (7, 2) } else { (8, 3) };
                let array = self.array(array, depth - 1);
                array.select(self.number(index, depth - 1)).resize_signed(width)
            }
            8 if width > 1 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                self.number(width - low, depth - 1).concat(self.number(low, depth - 1))
            }
            _ => {
                let (a, b) = two(self);
                match self.random.below(13) {
                    0 => a.bv_add(b),
                    1 => a.bv_sub(b),
                    2 => a.bv_mul(b),
                    3 => a.bv_and(b),
                    4 => a.bv_or(b),
                    5 => a.bv_xor(b),
                    6 => a.bv_udiv(b),
                    7 => a.bv_urem(b),
                    8 => a.bv_sdiv(b),
                    9 => a.bv_srem(b),
                    10 => a.bv_shl(b),
                    11 => a.bv_lshr(b),
                    _ => a.bv_ashr(b),
                }
            }
        }
    }

    fn resized(&mut self, width: u32, depth: usize) -> Term {
        let other = WIDTHS[self.random.below(WIDTHS.len())];
        let inner = self.number(other, depth - 1);
        if other > width {
            let low = self.random.below((other - width) as usize + 1) as u32;
            inner.extract(low + width - 1, low)
        } else if self.random.chance(1, 2) {
            inner.resize_signed(width)
        } else {
            inner.resize_unsigned(width)
        }
    }

    fn variable(&mut self, width: u32) -> Term {
        let fitting: Vec<Term> = self.program.variables.iter().map(Variable::term).collect();
        let fitting: Vec<Term> = fitting.into_iter().filter(|term| term.width() == width).collect();
        fitting.get(self.random.below(fitting.len())).copied().unwrap_or(Term::bv(width, 1))
    }

    fn condition(&mut self, depth: usize) -> Term {
        let width = WIDTHS[self.random.below(WIDTHS.len())];
        let depth = depth.saturating_sub(1);
        let (a, b) = (self.number(width, depth), self.number(width, depth));
        match self.random.below(8) {
            0 => a.ult(b),
            1 => a.ule(b),
            2 => a.slt(b),
            3 => a.sle(b),
            4 if depth > 0 => self.condition(depth).xor(self.condition(depth)),
            5 if depth > 0 => self.condition(depth).or(self.condition(depth)),
            6 if depth > 0 => self.array(9, depth).equals(self.array(9, depth)),
            _ => a.equals(b),
        }
    }

    /// An array like the one with this number.
    fn array(&mut self, number: usize, depth: usize) -> Term {
        let sort = self.program.variables[number].data_type.sort();
        let element = |terms: &mut Self| match sort.element().and_then(Sort::width) {
            Some(width) => terms.number(width, depth.saturating_sub(1)),
            None => terms.condition(depth.saturating_sub(1)),
        };
        if depth == 0 || self.random.chance(1, 5) {
            return self.program.variables[number].term();
        }
        match self.random.below(4) {
            0 => Term::const_array(sort, element(self)),
            1 => self.condition(depth - 1).ite(self.array(number, depth - 1), self.array(number, depth - 1)),
            _ => {
                let index = sort.index().and_then(Sort::width).unwrap_or(1);
                let index = self.number(index, depth - 1);
                self.array(number, depth - 1).store(index, element(self))
            }
        }
    }
}

/// Variables of all kinds with random values, and one edge that assigns all of them at once.
fn calculation(seed: u64) -> Program {
    let mut text = String::from("program 1 ");
    for (number, _) in ["a", "b", "c", "d", "e", "f", "g"].iter().enumerate() {
        let _ = write!(text, "shared bit{number}: bool = true ");
    }
    text.push_str(
        "shared wide: [u33; 4 by u2] = {else 5} shared narrow: [i13; 8 by u3] = {2: -7, else 1}
         shared flags: [bool; 4 by u2] = {else false} location 0 location 1 main 0 edge 0: 0 -> 1
         property done assertion \"\" at 1",
    );
    let mut program = read(&text).unwrap();
    let mut random = Random::new(seed);
    for width in WIDTHS {
        for (number, signed) in [true, false, true].into_iter().enumerate() {
            let value = u128::from(random.next()) << random.below(65) | u128::from(random.next());
            let init = Some(Value::Bits(Bits::new(width, value)));
            let name = Symbol::new(&format!("v{width}_{number}"));
            let data_type = DataType::Int { width, signed };
            let position = crate::program::Position::NONE;
            program.variables.push(Variable {
                name,
                scope: Scope::Shared,
                data_type,
                init,
                identity: false,
                position,
            });
        }
    }
    let mut assign = Vec::new();
    let mut terms = Terms { random, program: &program };
    for (index, variable) in program.variables.iter().enumerate() {
        let term = match variable.data_type.sort() {
            Sort::Bool => terms.condition(4),
            Sort::BitVec(width) => terms.number(width, 4),
            Sort::Array(_) => terms.array(index, 3),
        };
        assign.push((VariableId(index as u32), term));
    }
    program.edges[0].assign = assign;
    program
}

/// Definitions of what the text leaves open: choices are a function of the first argument of the program.
const RUNTIME: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static unsigned long long seed, calls;
static unsigned long long draw(void) {
    seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
    return seed >> 8;
}
void __VERIFIER_assume(int condition) { if (!condition) exit(0); }
void __VERIFIER_atomic_begin(void) { if (++calls > 200) exit(0); }
void __VERIFIER_atomic_end(void) { if (++calls > 200) exit(0); }
_Bool __VERIFIER_nondet_bool(void) { return draw() & 1; }
unsigned char __VERIFIER_nondet_uchar(void) { return draw(); }
unsigned short __VERIFIER_nondet_ushort(void) { return draw(); }
unsigned int __VERIFIER_nondet_uint(void) { return draw(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return draw(); }
static void show(unsigned __int128 number) {
    printf("%016llx%016llx\n", (unsigned long long)(number >> 64), (unsigned long long)number);
}
__attribute__((constructor)) static void start(int count, char **arguments) {
    seed = count > 1 ? 88172645463325252ull + 2654435761u * strtoull(arguments[1], 0, 10) : 1;
    for (int i = 0; i < 20; i++) draw();
}
"#;

/// Prints a scalar.
fn show(data_type: &DataType, name: &str) -> String {
    format!("show(({}){name});", value_type(data_type.sort()).unwrap())
}

#[test]
fn calculations_give_the_same_results_as_the_interpreter() {
    let Some(scratch) = Scratch::new("calculate") else { return };
    for seed in 0..6 {
        let program = calculation(seed);
        let mut printing = String::new();
        let mut expected = String::new();
        let interpreter = Interpreter::new(&program, 1).unwrap();
        let state = interpreter.initial_state(|_, _| Value::Bool(false));
        let choice = Choice { thread: 0, edge: EdgeId(0), inputs: vec![], passive_inputs: vec![] };
        let next = interpreter.step(&state, &choice).unwrap();
        assert_eq!(interpreter.location(&next, 0), LocationId(1));
        let line = |value: &Value| match value {
            Value::Bool(value) => format!("{:032x}\n", u8::from(*value)),
            Value::Bits(bits) => format!("{:032x}\n", bits.to_u128().unwrap()),
            Value::Array(_) => panic!("an element is no array"),
        };
        for (index, variable) in program.variables.iter().enumerate() {
            let value = interpreter.value(&next, 0, VariableId(index as u32));
            match (&variable.data_type, &value) {
                (DataType::Array { index_width, element, .. }, Value::Array(array)) => {
                    for number in 0..length(&variable.data_type, variable.name).unwrap() {
                        printing.push_str(&show(element, &format!("{}[{number}]", variable.name)));
                        expected.push_str(&line(array.select(&Bits::new(*index_width, u128::from(number)))));
                    }
                }
                (data_type, value) => {
                    printing.push_str(&show(data_type, variable.name.as_str()));
                    expected.push_str(&line(value));
                }
            }
        }
        let text = to_c(&program).unwrap();
        scratch.gcc(&text, &STRICT);
        let text = format!("{text}{RUNTIME}void reach_error(void) {{ {printing} exit(0); }}\n");
        assert_eq!(scratch.run(&text, &[]), expected, "seed {seed}");
    }
}

#[test]
fn errors_that_compiled_programs_reach_exist() {
    let Some(scratch) = Scratch::new("reach") else { return };
    let mut found = 0;
    // As many programs with errors as without.
    let mut wanted = [4, 4];
    for seed in 0.. {
        let mut program = program_with(seed, Shape { arrays: true, races: false, ..Shape::default() });
        program.pool = None;
        let possible = !explore(&program, 1, &ExploreOptions::default()).unwrap().violated.is_empty();
        let wanted_here = &mut wanted[usize::from(possible)];
        if *wanted_here == 0 {
            continue;
        }
        *wanted_here -= 1;
        let text = to_c(&program).unwrap().replace("for (;;) { }", "exit(0);");
        let start = "#include <stdlib.h>\n";
        let text = format!("{start}{text}{RUNTIME}void reach_error(void) {{ show(1); exit(0); }}\n");
        scratch.run(&text, &["0"]);
        for choices in 1..60 {
            let output = scratch.again(&choices.to_string());
            assert!(output.is_empty() || possible, "seed {seed}, choices {choices}");
            found += usize::from(!output.is_empty());
        }
        if wanted == [0, 0] {
            break;
        }
    }
    assert!(found > 20, "{found}");
}
