//! Manual pages have every option, with its value and its text.

use crate::support::{program, run};

/// The programs, and their commands that have pages.
const PAGES: &[(&str, &[&str])] = &[
    ("monabs", &["check"]),
    ("impara", &["check"]),
    ("cseq", &[]),
    ("asyncc", &[]),
    ("breach", &["check", "convert", "generate"]),
];

#[test]
fn every_option_has_its_text() {
    for (name, commands) in PAGES {
        look_at(name, None);
        commands.iter().for_each(|command| look_at(name, Some(command)));
    }
}

fn look_at(name: &str, command: Option<&str>) {
    let page = run(program(name).arg("man").args(command));
    let help = run(program(name).args(command).arg("--help"));
    assert_eq!((page.code, help.code), (Some(0), Some(0)), "{name} {command:?}");
    let lines: Vec<&str> = page.stdout.lines().collect();
    let mut described = Vec::new();
    for (index, _) in lines.iter().enumerate().filter(|(_, line)| **line == ".TP") {
        let (header, text) = (lines[index + 1], lines.get(index + 2).copied().unwrap_or_default());
        let is_text = !text.starts_with('.') && text.chars().any(char::is_alphabetic);
        assert!(is_text, "{name} {command:?}: {header} has no text");
        let plain =
            ["\\fB", "\\fI", "\\fR"].iter().fold(header.to_owned(), |text, font| text.replace(font, ""));
        described.push(plain.replace("\\-", "-"));
    }
    // Texts are further to the right.
    let is_option = |line: &&str| line.trim().starts_with('-') && !line.starts_with("          ");
    let options: Vec<&str> = help.stdout.lines().filter(is_option).map(str::trim).collect();
    assert!(options.len() > 2, "{name} {command:?}");
    for line in options {
        let words = line.split([' ', ',', '=', '[']).take_while(|word| !word.starts_with('<'));
        for option in words.filter(|word| word.starts_with('-')) {
            let option = option.trim_end_matches('.');
            let is_here = |header: &&String| {
                header.split(|c: char| c == '\\' || !(c.is_alphanumeric() || c == '-')).any(|w| w == option)
            };
            let header = described.iter().find(is_here);
            let header = header.unwrap_or_else(|| panic!("{name} {command:?}: {option} is missing"));
            let value = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
            if let Some((value, _)) = value {
                assert!(header.contains(&format!("<{value}>")), "{header}: no value {value}");
            }
        }
    }
    let synopsis = lines.iter().position(|line| *line == ".SH SYNOPSIS");
    let synopsis = lines[synopsis.unwrap() + 1..].iter().take_while(|line| !line.starts_with(".SH"));
    assert!(synopsis.clone().any(|line| line.contains("[OPTIONS]")), "{name} {command:?}: {synopsis:?}");
}
