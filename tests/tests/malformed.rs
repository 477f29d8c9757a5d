//! Thousands of damaged files: each is read, or refused with a place in it. Never a panic.
//!
//! Every file of `examples/`, the proofs and runs that answer them, and states as on the command line are mutated with
//! a fixed seed. `fuzz/` does the same without end and with a sense of direction.

use breach::check::{parse_proof, parse_trace, replay, verify, write_proof, write_trace};
use breach::coverability::{Options, Verdict, check_coverability};
use breach::diagnostics::{Diagnostic, Source};
use breach::emdr::{parse_init, parse_target, parse_targets};
use breach::input::{Format, Input};
use breach::system::{InitialStates, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tests::random::Random;
use tests::repository::{Example, files_below, root};

/// How many mutants of each text.
const MUTANTS: u64 = 150;

/// What makes a text wrong in ways that bytes alone rarely do.
const TOKENS: [&str; 40] = [
    "->",
    "+>",
    "~>",
    "->0",
    "|",
    "/",
    "^",
    ",",
    ";",
    ":",
    "'",
    "=",
    ">=",
    "+",
    "-",
    "#",
    "#init ",
    "#target ",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\0",
    "\u{feff}",
    "é",
    "0|0",
    "0/0",
    "vars",
    "rules",
    "init",
    "target",
    "invariants",
    "end",
    "element",
    "step",
    "thread",
    "system",
    "true",
    "breach-proof 1\n",
    "x' = x - 1",
];

/// Numbers at the edges of what fits somewhere.
const NUMBERS: [&str; 10] = [
    "0",
    "1",
    "-1",
    "00",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "99999999999999999999999",
    "1.5",
];

/// A text with one to three changes.
fn mutate(random: &mut Random, text: &str, other: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.between(1, 3) {
        change(random, &mut bytes, other.as_bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let range = range(random, bytes, 40);
    let place = range.start;
    match random.below(14) {
        0 => bytes.truncate(place),
        1 => drop(bytes.drain(range)),
        2 => {
            let copy = bytes[range].to_vec();
            let to = random.below(bytes.len() as u32 + 1) as usize;
            bytes.splice(to..to, copy);
        }
        3 => {
            let from = self::range(random, other, 200);
            bytes.splice(range, other[from].iter().copied());
        }
        4 if place < bytes.len() => bytes[place] ^= 1 << random.below(8),
        5 if place < bytes.len() => bytes[place] = random.any() as u8,
        6 => replace_number(random, bytes, place),
        7..10 => change_digit(random, bytes, place),
        10..12 => change_line(random, bytes, place),
        _ => {
            let token = *random.pick(&TOKENS);
            let end = if random.chance(1, 2) { range.end.min(place + token.len()) } else { place };
            bytes.splice(place..end, token.bytes());
        }
    }
}

/// Some part of a text, maybe empty.
fn range(random: &mut Random, bytes: &[u8], most: u32) -> std::ops::Range<usize> {
    let start = random.below(bytes.len() as u32 + 1) as usize;
    let length = random.below(most) as usize;
    start..bytes.len().min(start + length)
}

/// Puts another number in the place of the next one.
fn replace_number(random: &mut Random, bytes: &mut Vec<u8>, from: usize) {
    let is_digit = |b: &u8| b.is_ascii_digit();
    let Some(start) = bytes[from..].iter().position(is_digit).map(|offset| from + offset) else { return };
    let end = bytes[start..].iter().position(|b| !is_digit(b)).map_or(bytes.len(), |offset| start + offset);
    bytes.splice(start..end, random.pick(&NUMBERS).bytes());
}

/// Changes one digit: the text often stays readable and means something else.
fn change_digit(random: &mut Random, bytes: &mut [u8], from: usize) {
    if let Some(digit) = bytes[from..].iter_mut().find(|b| b.is_ascii_digit()) {
        *digit = b'0' + random.below(10) as u8;
    }
}

/// Drops a line, or says it twice.
fn change_line(random: &mut Random, bytes: &mut Vec<u8>, place: usize) {
    let is_end = |b: &u8| *b == b'\n';
    let start = bytes[..place].iter().rposition(is_end).map_or(0, |end| end + 1);
    let end = bytes[place..].iter().position(is_end).map_or(bytes.len(), |offset| place + offset + 1);
    if random.chance(1, 2) {
        bytes.drain(start..end);
    } else {
        let line = bytes[start..end].to_vec();
        bytes.splice(start..start, line);
    }
}

fn source(text: &str) -> Source<'_> {
    Source { name: "mutant", text }
}

/// What is wrong with an error: its place must be in the text, its line the one that it quotes.
fn misplaced(text: &str, error: &Diagnostic) -> Result<(), String> {
    let line = error.line.checked_sub(1).and_then(|index| text.split('\n').nth(index));
    let columns = 1..=line.unwrap_or_default().chars().count() + 1;
    let quoted = line.map(|line| line.trim_end_matches('\r'));
    let shown = error.to_string();
    if quoted == Some(&error.source_line) && columns.contains(&error.column) && shown.contains("error: ") {
        Ok(())
    } else {
        Err(format!("an error without a place: {error:?}\n{shown}"))
    }
}

/// A result that is fine, or an error in its place.
fn examine<T>(text: &str, result: Result<T, Diagnostic>) -> Result<Option<T>, String> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) => misplaced(text, &error).map(|()| None),
    }
}

/// Reads a system, and if that works, prints it and reads it again.
fn read_system(format: Format, text: &str) -> Result<bool, String> {
    let Some(input) = examine(text, format.parse(source(text)))? else { return Ok(false) };
    let printed = match format {
        Format::Emdr => breach::emdr::print(&input).map_err(|e| e.to_string())?,
        Format::Spec => breach::spec::print(&input).map_err(|e| e.to_string())?,
    };
    let again = format.parse(source(&printed)).map_err(|e| format!("{e}\n{printed}"))?;
    // Where a transition stands in the file is not part of its meaning.
    let without_lines = |input: Input| Input { system: System { lines: vec![], ..input.system }, ..input };
    if without_lines(input) == without_lines(again) {
        Ok(true)
    } else {
        Err(format!("printed and read again, it is another system:\n{printed}"))
    }
}

fn read_states(system: &System, text: &str) -> Result<bool, String> {
    let init = examine(text, parse_init(source(text), system))?.is_some();
    let target = examine(text, parse_target(source(text), system))?.is_some();
    let targets = examine(text, parse_targets(source(text), system))?.is_some();
    Ok(init || target || targets)
}

/// Reads a proof or a run, and if that works, checks it.
fn read_evidence(system: &System, text: &str) -> Result<bool, String> {
    let proof = examine(text, parse_proof(source(text), system))?;
    let trace = examine(text, parse_trace(source(text), system))?;
    if let Some(proof) = &proof {
        let written = write_proof(system, proof);
        if parse_proof(source(&written), system).as_ref() != Ok(proof) {
            return Err(format!("written and read again, it is another proof:\n{written}"));
        }
        // The predecessors of an element of many threads can be very many.
        if proof.max_threads() <= 4 {
            let _ = verify(system, proof);
        }
    }
    if let Some(trace) = &trace {
        let written = write_trace(system, trace);
        if parse_trace(source(&written), system).as_ref() != Ok(trace) {
            return Err(format!("written and read again, it is another run:\n{written}"));
        }
        let init = InitialStates::new(trace.shared, trace.threads.iter().copied(), vec![]);
        let _ = replay(system, &init, std::slice::from_ref(&trace.target), trace);
    }
    Ok(proof.is_some() || trace.is_some())
}

/// How many mutants there were, and how many of them could still be read.
#[derive(Debug, Default)]
struct Counts {
    mutants: u64,
    readable: u64,
}

impl Counts {
    /// Tries one text; a panic counts as a fault and does not hide which text it was.
    fn examine(&mut self, name: &str, text: &str, read: impl Fn(&str) -> Result<bool, String>) {
        let found = catch_unwind(AssertUnwindSafe(|| read(text)));
        self.mutants += 1;
        match found {
            Ok(Ok(readable)) => self.readable += u64::from(readable),
            Ok(Err(fault)) => self.report(name, text, &fault),
            Err(_) => self.report(name, text, "it panics"),
        }
    }

    #[allow(clippy::panic, reason = "this is how a test fails")]
    fn report(&self, name: &str, text: &str, fault: &str) {
        panic!("mutant {} of {name}: {fault}\n--- {text:?}\n--- as text:\n{text}", self.mutants);
    }

    /// Mutation that destroys nearly all texts, or none, tests little.
    fn assert_balanced(&self) {
        println!("{self:?}");
        assert!(self.readable * 20 > self.mutants, "too few mutants can be read: {self:?}");
        assert!(self.readable * 20 < self.mutants * 19, "too few mutants are refused: {self:?}");
    }
}

#[test]
fn damaged_systems() {
    let files = files_below(&root().join("examples")).unwrap();
    let texts: Vec<_> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let mut counts = Counts::default();
    let mut random = Random::new(1);
    for (file, text) in files.iter().zip(&texts) {
        let name = file.display().to_string();
        let format = Format::of_path(file);
        for _ in 0..MUTANTS {
            let other = &texts[random.below(texts.len() as u32) as usize];
            let mutant = mutate(&mut random, text, other);
            counts.examine(&name, &mutant, |text| {
                let emdr = read_system(Format::Emdr, text)?;
                let spec = read_system(Format::Spec, text)?;
                Ok(if format == Some(Format::Spec) { spec } else { emdr })
            });
        }
    }
    counts.assert_balanced();
}

#[test]
fn damaged_proofs_and_runs() {
    let options = Options { proof: true, ..Options::default() };
    let mut claims = Vec::new();
    for example in Example::read_all("examples").unwrap() {
        let system = example.problem.system.clone();
        let claim = match check_coverability(&example.problem, &options).unwrap().verdict {
            Verdict::Coverable(trace) => write_trace(&system, &trace),
            Verdict::Uncoverable(Some(proof)) => write_proof(&system, &proof),
            other => panic!("{}: {other:?}", example.path.display()),
        };
        claims.push((example.path.display().to_string(), system, claim));
    }
    let mut counts = Counts::default();
    let mut random = Random::new(2);
    for (name, system, claim) in &claims {
        for _ in 0..MUTANTS {
            let other = &claims[random.below(claims.len() as u32) as usize].2;
            let mutant = mutate(&mut random, claim, other);
            counts.examine(name, &mutant, |text| read_evidence(system, text));
        }
    }
    counts.assert_balanced();
}

#[test]
fn damaged_states() {
    let numbers = System { shared_states: 3, local_states: 20, ..System::default() };
    let names = ["p1", "p2", "free"].map(str::to_owned).to_vec();
    let names = System { shared_states: 1, local_states: 3, local_names: names, ..System::default() };
    let numbered =
        ["0|16,16", "0|1,2/3", "0/2", "1|", "0|7^12,8", "2|1,2,3/4,5\n", "0|1\n# comment\n1|2,2\n"];
    let named = ["0|p1,p2", "0|free/p2", "0/p1", "0|p1^3,free"];
    let mut counts = Counts::default();
    let mut random = Random::new(3);
    for (system, texts) in [(&numbers, &numbered[..]), (&names, &named[..])] {
        for text in texts {
            for _ in 0..5 * MUTANTS {
                let other = *random.pick(texts);
                let mutant = mutate(&mut random, text, other);
                counts.examine(text, &mutant, |text| read_states(system, text));
            }
        }
    }
    counts.assert_balanced();
}

/// Errors at the very end and in the middle of unusual characters.
#[test]
fn truncated_everywhere() {
    let mut counts = Counts::default();
    for name in ["examples/emdr/running-example.emdr", "examples/emdr/petri-net-transfer.spec"] {
        let path = root().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            for rest in ["", "é", "\r\n", "#target"] {
                let text = format!("{}{rest}", &text[..end]);
                let format = Format::of_path(&path).unwrap();
                counts.examine(name, &text, |text| read_system(format, text));
            }
        }
    }
    counts.assert_balanced();
}
