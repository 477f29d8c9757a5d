//! Task definitions of SV-COMP, versions 1 and 2: which file, which properties, and what is expected.
//!
//! ```text
//! format_version: '2.0'
//! input_files: 'lock.i'
//! properties:
//!   - property_file: ../properties/unreach-call.prp
//!     expected_verdict: true
//! options:
//!   data_model: ILP32
//! ```

use super::yaml::{self, Value};
use std::fmt;
use std::path::{Path, PathBuf};

/// The sizes of C's types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DataModel {
    #[default]
    Ilp32,
    Lp64,
}

impl DataModel {
    /// The option of `monabs`.
    pub(crate) fn option(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "--32",
            DataModel::Lp64 => "--64",
        }
    }
}

/// One property of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    /// As written, seen from the folder of the definition.
    pub(crate) file: PathBuf,
    /// Nothing if the definition does not say, as for tasks that ask for tests.
    pub(crate) expected: Option<bool>,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.file.file_stem().unwrap_or_default().to_string_lossy())
    }
}

/// A task definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    /// As written, seen from the folder of the definition.
    pub(crate) input: PathBuf,
    pub(crate) properties: Vec<Property>,
    pub(crate) data_model: DataModel,
    /// What was left aside because it is not known; the task can be run.
    pub(crate) notes: Vec<String>,
}

impl Definition {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Definition, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        Definition::parse(&text)
    }

    /// Reads a definition. An error says what is broken or not supported.
    pub(crate) fn parse(text: &str) -> Result<Definition, String> {
        let mut notes = Vec::new();
        let (mut version, mut inputs, mut properties) = (None, None, None);
        let mut data_model = DataModel::default();
        for (key, value) in entries(yaml::parse(text)?, "a task definition")? {
            match &*key {
                "format_version" => version = Some(text_of(value, "format_version")?),
                "input_files" => inputs = Some(texts_of(value, "input_files")?),
                "properties" => properties = Some(read_properties(value, &mut notes)?),
                "options" => data_model = read_options(value, &mut notes)?,
                // Files that the input includes, and remarks.
                "required_files" | "additional_information" => {}
                _ => notes.push(format!("'{key}' is not known")),
            }
        }
        let version = version.ok_or("no format_version")?;
        if !matches!(&*version, "1.0" | "2.0" | "2.1") {
            return Err(format!("format_version {version} is not known"));
        }
        let input = match &inputs.ok_or("no input_files")?[..] {
            [input] => PathBuf::from(input),
            several => return Err(format!("{} input_files; only one is supported", several.len())),
        };
        Ok(Definition { input, properties: properties.ok_or("no properties")?, data_model, notes })
    }
}

fn entries(value: Value, what: &str) -> Result<Vec<(String, Value)>, String> {
    match value {
        Value::Map(entries) => Ok(entries),
        _ => Err(format!("{what} has to be keys with values")),
    }
}

fn text_of(value: Value, what: &str) -> Result<String, String> {
    match value {
        Value::Text(text) => Ok(text),
        _ => Err(format!("{what} has to be a text")),
    }
}

/// One text or a list of them.
fn texts_of(value: Value, what: &str) -> Result<Vec<String>, String> {
    match value {
        Value::List(items) => items.into_iter().map(|item| text_of(item, what)).collect(),
        single => Ok(vec![text_of(single, what)?]),
    }
}

fn read_properties(value: Value, notes: &mut Vec<String>) -> Result<Vec<Property>, String> {
    match value {
        Value::List(items) => items.into_iter().map(|item| read_property(item, notes)).collect(),
        Value::Nothing => Ok(Vec::new()),
        _ => Err("properties has to be a list".to_owned()),
    }
}

fn read_property(value: Value, notes: &mut Vec<String>) -> Result<Property, String> {
    let (mut file, mut expected) = (None, None);
    for (key, value) in entries(value, "a property")? {
        match &*key {
            "property_file" => file = Some(PathBuf::from(text_of(value, "property_file")?)),
            "expected_verdict" => {
                expected = Some(match &*text_of(value, "expected_verdict")? {
                    "true" => true,
                    "false" => false,
                    other => return Err(format!("expected_verdict has to be true or false, not {other}")),
                });
            }
            // Which part of the property does not hold: points do not depend on it.
            "subproperty" => {}
            _ => notes.push(format!("'{key}' of a property is not known")),
        }
    }
    Ok(Property { file: file.ok_or("a property has no property_file")?, expected })
}

fn read_options(value: Value, notes: &mut Vec<String>) -> Result<DataModel, String> {
    let mut data_model = DataModel::default();
    for (key, value) in entries(value, "options")? {
        match &*key {
            "data_model" => {
                data_model = match &*text_of(value, "data_model")? {
                    "ILP32" => DataModel::Ilp32,
                    "LP64" => DataModel::Lp64,
                    other => return Err(format!("data_model has to be ILP32 or LP64, not {other}")),
                };
            }
            "language" => {
                let language = text_of(value, "language")?;
                if language != "C" {
                    return Err(format!("the language is {language}, not C"));
                }
            }
            _ => notes.push(format!("option '{key}' is not known")),
        }
    }
    Ok(data_model)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "format_version: '2.0'\ninput_files: 'a.i'\n";

    fn error(text: &str) -> String {
        Definition::parse(text).unwrap_err()
    }

    #[test]
    fn a_task_of_version_2() {
        let text = "# a comment\nformat_version: '2.0'\n\ninput_files: ['lock.i']\n\nproperties:\n  - property_file: ../p/unreach-call.prp\n    \
            expected_verdict: true\n  - property_file: ../p/no-data-race.prp\n    expected_verdict: false\n    subproperty: x\n  \
            - property_file: ../p/coverage.prp\n\noptions:\n  language: C\n  data_model: LP64\n";
        let definition = Definition::parse(text).unwrap();
        let expected = Definition {
            input: "lock.i".into(),
            properties: vec![
                Property { file: "../p/unreach-call.prp".into(), expected: Some(true) },
                Property { file: "../p/no-data-race.prp".into(), expected: Some(false) },
                Property { file: "../p/coverage.prp".into(), expected: None },
            ],
            data_model: DataModel::Lp64,
            notes: vec![],
        };
        assert_eq!(definition, expected);
        assert_eq!(definition.properties[1].to_string(), "no-data-race");
        assert_eq!(definition.data_model.option(), "--64");
    }

    #[test]
    fn a_task_of_version_1_is_for_32_bits() {
        let text = "format_version: '1.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: u.prp\n    expected_verdict: false\n";
        let definition = Definition::parse(text).unwrap();
        assert_eq!((definition.data_model.option(), definition.properties.len()), ("--32", 1));
    }

    #[test]
    fn unknown_keys_are_noted() {
        let text = format!(
            "{HEAD}properties:\n  - property_file: u.prp\n    weight: 3\ncolour: red\noptions:\n  endian: big\n"
        );
        let notes = Definition::parse(&text).unwrap().notes;
        assert_eq!(
            notes,
            ["'weight' of a property is not known", "'colour' is not known", "option 'endian' is not known"]
        );
    }

    #[test]
    fn broken_definitions_are_errors() {
        assert_eq!(error(""), "a task definition has to be keys with values");
        assert_eq!(error("input_files: a\nproperties:\n"), "no format_version");
        assert_eq!(
            error("format_version: 9\ninput_files: a\nproperties:\n"),
            "format_version 9 is not known"
        );
        assert_eq!(error("format_version: 2.0\nproperties:\n"), "no input_files");
        assert_eq!(error(HEAD), "no properties");
        let two = "format_version: '2.0'\ninput_files: [a.i, b.i]\nproperties:\n";
        assert_eq!(error(two), "2 input_files; only one is supported");
        let cases = [
            ("properties:\n  - expected_verdict: true\n", "a property has no property_file"),
            ("properties: text\n", "properties has to be a list"),
            (
                "properties:\n  - property_file: u.prp\n    expected_verdict: maybe\n",
                "expected_verdict has to be true or false, not maybe",
            ),
            ("options:\n  language: Java\n", "the language is Java, not C"),
            ("options:\n  data_model: LLP64\n", "data_model has to be ILP32 or LP64, not LLP64"),
            ("options: *model\n", "line 3: while parsing node, found unknown anchor"),
        ];
        for (rest, message) in cases {
            assert_eq!(error(&format!("{HEAD}{rest}")), message);
        }
    }
}
