//! Random programs that create threads: a mailbox for each site, filled by a creator, emptied by the thread that starts.
//!
//! Every site is passed once at most if there are no loops, and its thread has a number: sites of the initial thread first. So it is clear what "in the order of creation" means.
//! Some threads have a choice of first steps.

use frontend::program::Program;
use frontend::program::random::Random;
use frontend::program::text::read;
use std::fmt::Write as _;

/// The largest number of created threads.
pub const SITES: usize = 3;

/// A program, a function of the seed; with loops or without.
pub fn program(seed: u64, loops: bool) -> Program {
    let mut maker = Maker {
        random: Random::new(seed ^ 0x5e9),
        text: String::new(),
        locations: 0,
        edges: 0,
        errors: 0,
        loops,
    };
    maker.make();
    read(&maker.text).unwrap_or_else(|error| unreachable!("{error:?} in\n{}", maker.text))
}

struct Maker {
    random: Random,
    text: String,
    locations: usize,
    edges: usize,
    errors: usize,
    loops: bool,
}

impl Maker {
    fn make(&mut self) {
        let sites = 1 + self.random.below(SITES);
        let mut body = String::new();
        let mut properties = String::new();
        std::mem::swap(&mut self.text, &mut body);
        let main = self.location();
        let pool = self.location();
        // The last site may belong to the first created thread.
        let nested = sites > 1 && self.random.chance(1, 3);
        let own = if nested { sites - 1 } else { sites };
        self.code(main, &(0..own).collect::<Vec<_>>());
        for site in 0..sites {
            let start = self.location();
            let from = self.edge(pool, start);
            let _ = write!(from, "  guard full{site}\n  assign full{site} := false\n");
            if self.random.chance(1, 2) {
                let _ = writeln!(self.text, "  assign a := given{site}");
            }
            if self.random.chance(1, 4) {
                let value = self.random.pick("#b00", &["#b01", "#b11"]).to_owned();
                let other = self.edge(pool, start);
                let _ = write!(
                    other,
                    "  guard full{site}\n  assign full{site} := false\n  assign b := {value}\n"
                );
            }
            let creates = if nested && site == 0 { vec![sites - 1] } else { Vec::new() };
            self.code(start, &creates);
        }
        for error in 0..self.errors {
            let _ = writeln!(properties, "property p{error} assertion \"p\" at {}", self.location());
        }
        let edges = std::mem::take(&mut self.text);
        let mut text = String::from(
            "program 1\nshared x: u2 = 0\nshared y: u2 = 1\nshared z: [bool; 4 by u2] = {else false}\n",
        );
        text.push_str("local a: u2 = 0\nlocal b: u2 = 2\nlocal heard: bool = false\n");
        for site in 0..sites {
            let _ = writeln!(text, "shared full{site}: bool = false\nshared given{site}: u2 = 0");
        }
        for location in 0..self.locations {
            let _ = writeln!(text, "location {location} live a, b, heard");
        }
        let _ = writeln!(text, "main {main}\npool {pool}");
        // Errors were numbered before their locations were known.
        let first = self.locations - self.errors;
        let mut edges = edges;
        for error in (0..self.errors).rev() {
            edges = edges.replace(&format!("-> E{error}\n"), &format!("-> {}\n", first + error));
        }
        self.text = text + &edges + &properties;
    }

    fn location(&mut self) -> usize {
        self.locations += 1;
        self.locations - 1
    }

    fn edge(&mut self, from: usize, to: usize) -> &mut String {
        let _ = writeln!(self.text, "edge {}: {from} -> {to}", self.edges);
        self.edges += 1;
        &mut self.text
    }

    /// Code from a location on, which passes these sites.
    fn code(&mut self, start: usize, sites: &[usize]) {
        let mut at = start;
        let mut left = sites.iter();
        let pieces = sites.len() + 1 + self.random.below(3);
        for piece in 0..pieces {
            let next = self.location();
            let must = pieces - piece <= left.len();
            match self.random.below(7) {
                choice if must || choice == 0 => match left.next() {
                    Some(site) => self.create(at, next, *site),
                    None => self.step(at, next),
                },
                1 => self.branch(at, next),
                2 => self.check(at, next),
                3 if self.loops => self.repeat(at, next),
                4 if self.random.chance(1, 3) => {
                    let value = self.random.pick("true", &["heard@P", "(not heard@P)"]).to_owned();
                    let _ = writeln!(self.edge(at, next), "  passive assign heard := {value}");
                }
                _ => self.step(at, next),
            }
            at = next;
        }
        let end = self.location();
        self.check(at, end);
    }

    fn create(&mut self, from: usize, to: usize, site: usize) {
        let given = self.number();
        let _ = write!(
            self.edge(from, to),
            "  guard (not full{site})\n  assign full{site} := true\n  assign given{site} := {given}\n"
        );
        // Sometimes there is another way.
        if self.random.chance(1, 4) {
            let guard = self.truth();
            let _ = writeln!(self.edge(from, to), "  guard {guard}");
        }
    }

    fn step(&mut self, from: usize, to: usize) {
        let (guard, with_input) = (self.truth(), self.random.chance(1, 5));
        let (variable, value) = (self.random.pick("x", &["y", "a", "b"]).to_owned(), self.number());
        let store = self.random.chance(1, 5).then(|| (self.number(), self.truth()));
        let guarded = self.random.chance(1, 3);
        let text = self.edge(from, to);
        if with_input {
            let _ = writeln!(text, "  input any: u2");
        }
        if guarded {
            let _ = writeln!(text, "  guard {guard}");
        }
        let value = if with_input { format!("(bvadd any {value})") } else { value };
        let _ = writeln!(text, "  assign {variable} := {value}");
        if let Some((index, value)) = store {
            let _ = writeln!(text, "  assign z := (store z {index} {value})");
        }
    }

    fn branch(&mut self, from: usize, to: usize) {
        let (guard, middle) = (self.truth(), self.location());
        let other = if self.random.chance(1, 2) { format!("(not {guard})") } else { self.truth() };
        let _ = writeln!(self.edge(from, middle), "  guard {guard}");
        let _ = writeln!(self.edge(from, to), "  guard {other}");
        self.step(middle, to);
    }

    fn check(&mut self, from: usize, to: usize) {
        let guard = self.truth();
        let _ = writeln!(self.text, "edge {}: {from} -> E{}\n  guard {guard}", self.edges, self.errors);
        self.edges += 1;
        self.errors += 1;
        let _ = writeln!(self.edge(from, to), "  guard (not {guard})");
    }

    fn repeat(&mut self, from: usize, to: usize) {
        let (guard, middle) = (self.truth(), self.location());
        let _ = writeln!(self.edge(from, middle), "  guard {guard}");
        let _ = writeln!(self.edge(from, to), "  guard (not {guard})");
        self.step(middle, from);
    }

    fn number(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("(bvadd {} #b01)", self.random.pick("x", &["y", "a"])),
            1 => format!("(bvadd {} {})", self.random.pick("x", &["a"]), self.random.pick("y", &["b"])),
            2 => (self.random.pick("#b00", &["#b01", "#b10", "#b11"])).to_owned(),
            _ => (self.random.pick("x", &["y", "a", "b"])).to_owned(),
        }
    }

    fn truth(&mut self) -> String {
        let (one, other) = (self.number(), self.number());
        match self.random.below(6) {
            0 => format!("(select z {one})"),
            1 => "heard".to_owned(),
            2 => format!("(bvult {one} {other})"),
            3 => format!("(not (= {one} {other}))"),
            _ => format!("(= {one} {other})"),
        }
    }
}
