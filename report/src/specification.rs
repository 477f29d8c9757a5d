//! `--spec`: property files of SV-COMP, as far as they are about what is checked here.
//!
//! ```text
//! CHECK( init(main()), LTL(G ! call(reach_error())) )
//! ```
//!
//! A file has one property; other text in it is an error, because to ignore it could turn a wrong answer into a right one.

use console::args::{InputArgs, PropertyArgs};
use console::input::read_text;
use console::{Failure, Result};
use frontend::preprocess::display_name;
use frontend::program::{Program, PropertyKind};
use std::path::Path;

/// What is to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    UnreachCall,
    NoDataRace,
    NoOverflow,
    MemorySafety,
    MemoryCleanup,
}

/// A property file.
#[derive(Clone, Debug)]
pub struct Specification {
    goal: Goal,
    /// Where programs start.
    function: String,
    /// The property as written, for witnesses.
    pub text: String,
}

impl Specification {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Specification> {
        let content = read_text(path)?;
        let lines: Vec<&str> = content.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let parsed = match lines[..] {
            [line] => parse(line),
            [_, _, _] => parse_memory_safety(&lines),
            _ => Err(format!("expected one property, found {}", lines.len())),
        };
        parsed.map_err(|message| Failure::Usage(format!("{}: {message}", display_name(path))))
    }

    /// The name of the property.
    pub fn name(&self) -> &'static str {
        match self.goal {
            Goal::UnreachCall => "unreach-call",
            Goal::NoDataRace => "no-data-race",
            Goal::NoOverflow => "no-overflow",
            Goal::MemorySafety => "valid-memsafety",
            Goal::MemoryCleanup => "valid-memcleanup",
        }
    }

    /// The answer in the words of SV-COMP.
    pub fn answer(&self, safe: Option<bool>, violated: Option<PropertyKind>) -> String {
        match safe {
            Some(true) => "true".to_owned(),
            Some(false) => {
                let part = match (self.goal, violated) {
                    (Goal::MemorySafety, Some(PropertyKind::Free)) => "valid-free",
                    (Goal::MemorySafety, _) => "valid-deref",
                    _ => self.name(),
                };
                format!("false({part})")
            }
            None => "unknown".to_owned(),
        }
    }

    /// Switches on the checks that it needs, and off those that it does not and that nobody asked for.
    pub fn apply(&self, input: &mut InputArgs) {
        let properties = &mut input.properties;
        properties.no_mutex_check |= !properties.mutex_check;
        properties.no_bounds_check |= !properties.bounds_check;
        properties.no_div_by_zero_check |= !properties.div_by_zero_check;
        match self.goal {
            Goal::UnreachCall => {}
            Goal::NoDataRace => properties.data_race_check = true,
            Goal::NoOverflow => properties.signed_overflow_check = true,
            Goal::MemorySafety | Goal::MemoryCleanup => properties.memory_safety_check = true,
        }
        input.translation.function.get_or_insert_with(|| self.function.clone());
    }

    /// Keeps the properties that it is about, those that the user asked for, and the limits of what is modelled. A program whose error
    /// function is built from assertions has no calls of one that is known: then assertions count.
    pub fn select(&self, program: &mut Program, asked: &PropertyArgs) {
        let has_errors = program.properties.iter().any(|p| p.kind == PropertyKind::ErrorFunction);
        let is_wanted = |kind: PropertyKind| match kind {
            PropertyKind::ErrorFunction => self.goal == Goal::UnreachCall,
            PropertyKind::Assertion => self.goal == Goal::UnreachCall && !has_errors,
            PropertyKind::DataRace => self.goal == Goal::NoDataRace || asked.data_race_check,
            PropertyKind::SignedOverflow => self.goal == Goal::NoOverflow || asked.signed_overflow_check,
            PropertyKind::Leak => self.goal == Goal::MemoryCleanup || self.goal == Goal::MemorySafety,
            PropertyKind::Bounds | PropertyKind::Pointer | PropertyKind::Free
                if self.goal == Goal::MemoryCleanup =>
            {
                false
            }
            // These are there only if somebody asked for them.
            PropertyKind::ErrorLabel
            | PropertyKind::Bounds
            | PropertyKind::DivisionByZero
            | PropertyKind::Mutex
            | PropertyKind::Shift
            | PropertyKind::Pointer
            | PropertyKind::Free
            | PropertyKind::Limit => true,
        };
        program.properties.retain(|property| is_wanted(property.kind));
        if self.goal == Goal::MemorySafety {
            // Memory that is not freed is lost only if nothing points to it any more, which is not looked at.
            for property in program.properties.iter_mut().filter(|p| p.kind == PropertyKind::Leak) {
                property.kind = PropertyKind::Limit;
                property.description.push_str(": it may be lost");
            }
        }
    }
}

/// The three parts of memory safety, in any order.
fn parse_memory_safety(lines: &[&str]) -> std::result::Result<Specification, String> {
    let mut found = Vec::new();
    let mut function = String::new();
    for line in lines {
        let (start, formula) = parts(line)?;
        found.push(formula);
        function = start;
    }
    found.sort();
    if found != ["Gvalid-deref", "Gvalid-free", "Gvalid-memtrack"] {
        return Err("these three properties do not belong together".to_owned());
    }
    Ok(Specification { goal: Goal::MemorySafety, function, text: lines.join("\n") })
}

/// The function to start with, and the formula without white space.
fn parts(line: &str) -> std::result::Result<(String, String), String> {
    let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = squeezed.strip_prefix("CHECK(init(").and_then(|rest| rest.strip_suffix("))"));
    let found = inner.and_then(|inner| inner.split_once("()),LTL("));
    let (function, formula) = found.ok_or_else(|| format!("this property is not known: {line}"))?;
    Ok((function.to_owned(), formula.to_owned()))
}

fn parse(line: &str) -> std::result::Result<Specification, String> {
    let unknown = || format!("this property is not known: {line}");
    let (function, formula) = parts(line)?;
    let goal = match formula.as_str() {
        "G!call(reach_error())" | "G!call(__VERIFIER_error())" => Goal::UnreachCall,
        "G!data-race" => Goal::NoDataRace,
        "G!overflow" => Goal::NoOverflow,
        "Gvalid-memcleanup" => Goal::MemoryCleanup,
        _ => return Err(unknown()),
    };
    Ok(Specification { goal, function, text: line.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_properties_of_the_competition() {
        for (formula, name) in [
            ("call(reach_error())", "unreach-call"),
            ("call(__VERIFIER_error())", "unreach-call"),
            ("data-race", "no-data-race"),
            ("overflow", "no-overflow"),
        ] {
            let found = parse(&format!("CHECK( init(main()), LTL(G ! {formula}) )")).unwrap();
            assert_eq!((found.name(), found.function.as_str()), (name, "main"));
            assert_eq!(found.answer(Some(false), None), format!("false({name})"));
        }
        for line in [
            "",
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(main()), LTL(G valid-free) )",
            "G ! overflow",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
