//! Validates JSON documents against the schemas in `docs/json-schema`.
//!
//! The part of JSON Schema (draft 2020-12) that these files use, and one thing more: a field that the schema does not mention is an error, too.
//! The schemas themselves allow such fields, so that later versions may add some; the tests do not, so that none is added without a
//! description. A keyword that is not known here is an error and not passed over.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// All schemas of a folder, by file name.
#[derive(Debug)]
pub struct Schemas(BTreeMap<String, Value>);

/// Where a schema is, to look up references in the same file.
#[derive(Clone, Copy)]
struct Place<'a> {
    file: &'a str,
    schema: &'a Value,
}

type Checked = Result<(), String>;

impl Schemas {
    /// Reads all files of a folder.
    pub fn read(folder: &Path) -> Result<Schemas, String> {
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
        let mut schemas = BTreeMap::new();
        for path in crate::repository::files_below(folder).map_err(|error| fail(&error))? {
            let text = std::fs::read_to_string(&path).map_err(|error| fail(&error))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let schema: Value = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
            // References are relative to it: without it readers that know no folders do not find the other files.
            if schema["$id"] != *name {
                return Err(format!("{name}: its $id is another name"));
            }
            schemas.insert(name, schema);
        }
        Ok(Schemas(schemas))
    }

    /// The first way in which a document is not as the schema says.
    pub fn validate(&self, file: &str, document: &Value) -> Checked {
        let (file, schema) =
            self.0.get_key_value(file).ok_or_else(|| format!("there is no schema {file}"))?;
        self.check(Place { file, schema }, document, "$")
    }

    fn check(&self, place: Place<'_>, value: &Value, path: &str) -> Checked {
        let keywords =
            place.schema.as_object().ok_or_else(|| format!("{}: a schema is no object", place.file))?;
        for (keyword, expected) in keywords {
            let inner = Place { schema: expected, ..place };
            match keyword.as_str() {
                "$schema" | "$id" | "title" | "description" | "$defs" => {}
                "$ref" => self.check(self.referred(inner)?, value, path)?,
                "type" => require(has_type(expected, value), path, "type", expected, value)?,
                "const" => require(value == expected, path, keyword, expected, value)?,
                "enum" => {
                    let is_listed = expected.as_array().is_some_and(|all| all.contains(value));
                    require(is_listed, path, keyword, expected, value)?;
                }
                "minimum" => {
                    let number = value.as_f64().unwrap_or(f64::INFINITY);
                    require(
                        expected.as_f64().is_some_and(|least| number >= least),
                        path,
                        keyword,
                        expected,
                        value,
                    )?;
                }
                "required" => {
                    for name in expected.as_array().into_iter().flatten().filter_map(Value::as_str) {
                        let is_there = value.as_object().is_none_or(|object| object.contains_key(name));
                        require(is_there, path, keyword, &Value::from(name), value)?;
                    }
                }
                "properties" | "additionalProperties" => {}
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(inner, item, &format!("{path}[{index}]"))?;
                    }
                }
                "anyOf" => self.any_of(inner, value, path)?,
                _ => return Err(format!("{}: the keyword {keyword} is not known here", place.file)),
            }
        }
        self.fields(place, value, path)
    }

    /// `properties` and `additionalProperties` of an object, and that there are no others.
    fn fields(&self, place: Place<'_>, value: &Value, path: &str) -> Checked {
        let (known, others) = (place.schema.get("properties"), place.schema.get("additionalProperties"));
        let Some(object) = value.as_object().filter(|_| known.or(others).is_some()) else { return Ok(()) };
        for (name, field) in object {
            let schema = known.and_then(|known| known.get(name)).or(others);
            let schema = schema.ok_or_else(|| format!("{path}.{name} is not in {}", place.file))?;
            self.check(Place { schema, ..place }, field, &format!("{path}.{name}"))?;
        }
        Ok(())
    }

    fn any_of(&self, place: Place<'_>, value: &Value, path: &str) -> Checked {
        let mut complaints = Vec::new();
        for schema in place.schema.as_array().into_iter().flatten() {
            match self.check(Place { schema, ..place }, value, path) {
                Ok(()) => return Ok(()),
                Err(complaint) => complaints.push(complaint),
            }
        }
        Err(format!("{path}: none of the alternatives: {}", complaints.join("; ")))
    }

    /// `FILE#/$defs/NAME`, or without the file.
    fn referred<'a>(&'a self, place: Place<'a>) -> Result<Place<'a>, String> {
        let reference = place.schema.as_str().unwrap_or_default();
        let missing = || format!("{}: there is no {reference}", place.file);
        let (file, pointer) = reference.split_once('#').ok_or_else(missing)?;
        let file = if file.is_empty() { place.file } else { file };
        let (file, root) = self.0.get_key_value(file).ok_or_else(missing)?;
        Ok(Place { file, schema: root.pointer(pointer).ok_or_else(missing)? })
    }
}

fn require(holds: bool, path: &str, keyword: &str, expected: &Value, value: &Value) -> Checked {
    let shown: String = value.to_string().chars().take(80).collect();
    if holds { Ok(()) } else { Err(format!("{path}: {keyword} {expected} is violated by {shown}")) }
}

fn has_type(expected: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    match expected {
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        name => name.as_str().is_some_and(is),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_wrong_is_found() {
        let schema = json!({
            "type": "object", "required": ["a"],
            "properties": {
                "a": { "$ref": "#/$defs/count" }, "b": { "type": ["array", "null"], "items": { "enum": ["x", "y"] } },
                "c": { "anyOf": [{ "const": 1 }, { "type": "object", "additionalProperties": { "type": "string" } }] }
            },
            "$defs": { "count": { "type": "integer", "minimum": 0 } }
        });
        let schemas = Schemas(BTreeMap::from([("s.json".to_owned(), schema)]));
        let check = |document: Value| schemas.validate("s.json", &document);
        for good in [
            json!({ "a": 0 }),
            json!({ "a": 1, "b": ["x"], "c": 1 }),
            json!({ "a": 1, "b": null, "c": { "d": "" } }),
        ] {
            assert_eq!(check(good), Ok(()));
        }
        for bad in [
            json!([]),
            json!({}),
            json!({ "a": -1 }),
            json!({ "a": 0.5 }),
            json!({ "a": 0, "b": ["z"] }),
            json!({ "a": 0, "b": 1 }),
            json!({ "a": 0, "c": 2 }),
            json!({ "a": 0, "c": { "d": 0 } }),
            json!({ "a": 0, "other": 0 }),
        ] {
            assert!(check(bad.clone()).is_err(), "{bad}");
        }
        assert!(schemas.validate("t.json", &json!({})).is_err());
        let unknown = Schemas(BTreeMap::from([("s.json".to_owned(), json!({ "oneOf": [] }))]));
        assert!(unknown.validate("s.json", &json!(0)).is_err());
    }
}
