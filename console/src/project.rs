//! Files of a project, from a compilation database: a list of commands, each with the directory in which it runs.
//!
//! Of a command, what the preprocessor has to know is taken: macros, where headers are, the language, 32 or 64 bits. What changes the meaning of types and is
//! not modelled is an error; the rest (warnings, optimisation, outputs) does not matter here.

use crate::failure::{Failure, Result};
use crate::input::read_text;
use frontend::preprocess::{MacroOption, PreprocessOptions};
use frontend::translate::Source;
use frontend::types::DataModel;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// The C files of a database that match one of the patterns, or all; `given` is what the command line says.
pub fn sources(database: &Path, only: &[String], given: &PreprocessOptions) -> Result<Vec<Source>> {
    let name = database.display().to_string();
    let fail = |message: String| Failure::about_file(name.clone(), message);
    let json: Json =
        serde_json::from_str(&read_text(database)?).map_err(|error| fail(format!("is not JSON: {error}")))?;
    let Json::Array(commands) = &json else { return Err(fail("is not a list of commands".to_owned())) };
    let home = database.parent().unwrap_or(Path::new("")).to_owned();
    let mut units = Vec::new();
    for (index, command) in commands.iter().enumerate() {
        units
            .push(Unit::read(command, &home).map_err(|error| fail(format!("entry {}: {error}", index + 1)))?);
    }
    let none = |pattern: &&String| !units.iter().any(|unit| matches_path(pattern, &unit.file));
    if let Some(pattern) = only.iter().find(none) {
        return Err(fail(format!("no file matches --only '{pattern}'")));
    }
    let mut sources: Vec<Source> = Vec::new();
    for unit in units {
        let is_chosen = only.is_empty() || only.iter().any(|pattern| matches_path(pattern, &unit.file));
        // The same file may be there once for each library that it is part of.
        let is_new = sources.iter().all(|known| known.path != unit.path);
        if is_chosen && is_new {
            sources.push(unit.source(given)?);
        }
    }
    if sources.is_empty() {
        return Err(fail("names no files".to_owned()));
    }
    Ok(sources)
}

/// A command.
struct Unit {
    /// As the database names it.
    file: String,
    directory: PathBuf,
    path: PathBuf,
    words: Vec<String>,
}

impl Unit {
    fn read(command: &Json, home: &Path) -> std::result::Result<Unit, String> {
        let text = |key: &str| command[key].as_str().ok_or_else(|| format!("'{key}' is missing"));
        let directory = home.join(command["directory"].as_str().unwrap_or(""));
        let file = text("file")?.to_owned();
        let words = match &command["arguments"] {
            Json::Array(list) => {
                let words = list.iter().map(|word| word.as_str().map(str::to_owned));
                words.collect::<Option<Vec<_>>>().ok_or("'arguments' is not a list of words")?
            }
            _ => split(text("command")?)?,
        };
        let path = directory.join(&file);
        Ok(Unit { file, directory, path, words })
    }

    /// The file with what its command tells the preprocessor, behind what the command line says.
    fn source(&self, given: &PreprocessOptions) -> Result<Source> {
        let refuse = |message: String| Err(Failure::about_file(self.path.display().to_string(), message));
        let is_c = self.path.extension().is_some_and(|suffix| suffix == "c" || suffix == "i");
        if !is_c {
            return refuse("is not C; leave it out with --only".to_owned());
        }
        let mut options = given.clone();
        let mut macros = Vec::new();
        // What is passed on to the preprocessor is between commas.
        let mut words = self.words.iter().skip(1).flat_map(|word| match word.strip_prefix("-Wp,") {
            Some(list) => list.split(',').collect(),
            None => vec![word.as_str()],
        });
        while let Some(word) = words.next() {
            if word.starts_with('@') {
                return refuse(format!("the options in the file '{}' are not read", &word[1..]));
            }
            if UNMODELLED.iter().any(|unmodelled| word.starts_with(unmodelled)) {
                return refuse(format!("'{word}' changes what types are, which is not modelled"));
            }
            if let Some(name) = word.strip_prefix("-std=") {
                options.standard = Some(name.to_owned());
                continue;
            }
            match word {
                "-m32" => options.data_model = DataModel::Ilp32,
                "-m64" => options.data_model = DataModel::Lp64,
                "-nostdinc" => options.search.push(word.into()),
                "-ansi" => options.standard = Some("c90".to_owned()),
                _ => {}
            }
            let Some(option) = WITH_VALUE.iter().find(|option| word.starts_with(**option)) else { continue };
            let value = match &word[option.len()..] {
                "" => words.next().unwrap_or_default(),
                value => value,
            };
            match *option {
                "-D" => macros.push(MacroOption::Define(value.to_owned())),
                "-U" => macros.push(MacroOption::Undefine(value.to_owned())),
                "-I" => options.include_directories.push(self.directory.join(value)),
                "-include" => options.includes.push(self.directory.join(value)),
                "-isystem" | "-iquote" | "-idirafter" => {
                    options.search.extend([(*option).into(), self.directory.join(value).into_os_string()]);
                }
                _ => {}
            }
        }
        // What is said on the command line comes last and counts.
        macros.append(&mut options.macros);
        options.macros = macros;
        Ok(Source { path: self.path.clone(), options })
    }
}

/// Options with a value, which may be a word of its own. Those of the dependency generator have one, too.
const WITH_VALUE: [&str; 13] = [
    "-include",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-imacros",
    "-D",
    "-U",
    "-I",
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-x",
];

/// Options under which types are not what they are taken for.
const UNMODELLED: [&str; 7] =
    ["-funsigned-char", "-fshort-enums", "-fpack-struct", "-fshort-wchar", "-mx32", "-m16", "-imacros"];

/// The words of a command as a shell sees them: quotes and backslashes, no substitution.
fn split(command: &str) -> std::result::Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                let quoted = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('\'') => break,
                        Some(letter) => quoted.push(letter),
                        None => return Err("a quote in 'command' is not closed".to_owned()),
                    }
                }
            }
            '"' => {
                let quoted = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('"') => break,
                        Some('\\') => match letters.next() {
                            Some(letter @ ('"' | '\\' | '$' | '`')) => quoted.push(letter),
                            Some(letter) => quoted.extend(['\\', letter]),
                            None => return Err("a quote in 'command' is not closed".to_owned()),
                        },
                        Some(letter) => quoted.push(letter),
                        None => return Err("a quote in 'command' is not closed".to_owned()),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(letters.next()),
            letter if letter.is_whitespace() => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Whether a path matches a pattern: without a slash by its last name, otherwise by its end.
fn matches_path(pattern: &str, path: &str) -> bool {
    if !pattern.contains('/') {
        return matches(pattern, path.rsplit('/').next().unwrap_or(path));
    }
    let starts = path.match_indices('/').map(|(index, _)| index + 1);
    std::iter::once(0).chain(starts).any(|start| matches(pattern, &path[start..]))
}

/// `?` is a letter, `*` letters, neither a slash; `**` is anything.
fn matches(pattern: &str, text: &str) -> bool {
    let rest_of = |text: &str, is_crossing: bool, rest: &str| {
        let stop = if is_crossing { text.len() } else { text.find('/').unwrap_or(text.len()) };
        (0..=stop).filter(|index| text.is_char_boundary(*index)).any(|index| matches(rest, &text[index..]))
    };
    if let Some(rest) = pattern.strip_prefix("**") {
        return rest_of(text, true, rest);
    }
    if let Some(rest) = pattern.strip_prefix('*') {
        return rest_of(text, false, rest);
    }
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    match (pattern.next(), text.next()) {
        (None, None) => true,
        (Some('?'), Some(letter)) if letter != '/' => matches(pattern.as_str(), text.as_str()),
        (Some(wanted), Some(letter)) if wanted == letter => matches(pattern.as_str(), text.as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        let words = split(r#"cc -DA="\"x y\"" '-DB=a b' -DC=\"q\" c\ d.c """#).unwrap();
        assert_eq!(words, ["cc", "-DA=\"x y\"", "-DB=a b", "-DC=\"q\"", "c d.c", ""]);
        assert!(split("cc 'x").is_err() && split("cc \"x\\").is_err());
    }

    #[test]
    fn patterns() {
        for (pattern, path) in
            [("*.c", "a/b.c"), ("b.c", "/x/b.c"), ("a/*.c", "/x/a/b.c"), ("a/**", "a/b/c.c"), ("?.c", "b.c")]
        {
            assert!(matches_path(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in
            [("*.c", "a/b.h"), ("a/*.c", "a/b/c.c"), ("b", "b.c"), ("?.c", "bb.c"), ("a/b.c", "xa/b.c")]
        {
            assert!(!matches_path(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn options_of_a_command() {
        let json = serde_json::json!({
            "directory": "/d", "file": "x.c",
            "arguments": ["cc", "-Iinc", "-I", "/abs", "-isystem", "sys", "-DA=1", "-U", "B", "-std=c99", "-m32",
                "-include", "first.h", "-o", "-DNOT", "-O2", "-c", "x.c"],
        });
        let unit = Unit::read(&json, Path::new("")).unwrap();
        let given =
            PreprocessOptions { macros: vec![MacroOption::Define("LAST".to_owned())], ..Default::default() };
        let Source { path, options } = unit.source(&given).unwrap();
        assert_eq!(path, Path::new("/d/x.c"));
        assert_eq!(options.include_directories, [Path::new("/d/inc"), Path::new("/abs")]);
        assert_eq!(options.search, ["-isystem", "/d/sys"]);
        assert_eq!(options.includes, [Path::new("/d/first.h")]);
        let macros = [MacroOption::Define("A=1".to_owned()), MacroOption::Undefine("B".to_owned())];
        assert_eq!(options.macros, [&macros[..], &given.macros].concat());
        assert_eq!((options.standard.as_deref(), options.data_model), (Some("c99"), DataModel::Ilp32));
    }

    #[test]
    fn what_changes_types_is_refused() {
        let refused = |word: &str, file: &str| {
            let json = serde_json::json!({ "file": file, "arguments": ["cc", word, file] });
            Unit::read(&json, Path::new("")).unwrap().source(&PreprocessOptions::default()).is_err()
        };
        assert!(refused("-funsigned-char", "x.c") && refused("-O", "x.cpp") && !refused("-O", "x.c"));
    }
}
