//! Programs as one JSON document, for other tools.
//!
//! ```text
//! { "format": "program", "version": 1,
//!   "files": [name...],
//!   "variables": [ { "name", "scope": "shared" or "local", "type", "init": value or null, "identity": whether it says which thread this is, "position" }... ],
//!   "locations": [ { "function", "position", "live": [name...], "atomic": bool }... ],
//!   "main": location, "pool": location or null,
//!   "edges": [ { "from": location, "to": location, "inputs": [input...], "guard": term, "assign": [assignment...],
//!                "broadcast": { "inputs": [input...], "assign": [assignment...] }, "approximate": note or null,
//!                "origin": [ { "file", "line", "column", "function", "text" }... ] }... ],
//!   "properties": [ { "name", "kind", "description", "position",
//!                     "target": { "location" } or { "race": [access, access] } }... ],
//!   "notes": [ { "effect": "over", "under", "inexact" or "assumption", "assumption": kind or null, "position", "message" }... ],
//!   "addresses": [ { "name", "address", "size" }... ],
//!   "predicates": [ { "term", "position" }... ] }
//! type       = { "kind": "bool" } | { "kind": "int", "width", "signed": bool }
//!            | { "kind": "array", "index_width", "length": number or null, "element": type }
//! input      = { "name", "sort": text of SMT-LIB }
//! assignment = { "variable": name, "value": term }
//! access     = { "location", "index": term or null, "write": bool }
//! position   = { "file": name, "line", "column" } or null
//! ```
//!
//! Locations, edges and notes are numbers: indices into their lists. Terms and values are texts of SMT-LIB; `x@P` is a passive
//! thread's copy. Kinds of properties are the words of the textual format. Fields are in alphabetical order, so
//! that the same program is the same text.

use super::{
    DataType, Edge, Input, Location, Origin, Position, Program, Property, RaceAccess, Scope, Target,
    Variable, VariableId,
};
use serde_json::{Value, json};
use smt::Term;

/// The program as JSON.
pub fn to_json(program: &Program) -> Value {
    json!({
        "format": "program",
        "version": 1,
        "files": program.files,
        "variables": list(&program.variables, |variable| self::variable(program, variable)),
        "locations": list(&program.locations, |location| self::location(program, location)),
        "main": program.main.0,
        "pool": program.pool.map(|pool| pool.0),
        "edges": list(&program.edges, |edge| self::edge(program, edge)),
        "properties": list(&program.properties, |property| self::property(program, property)),
        "notes": list(&program.notes, |note| json!({
            "effect": note.effect.word(),
            "assumption": note.assumption.map(|kind| kind.word()),
            "position": position(program, note.position),
            "message": note.message,
        })),
        "addresses": list(&program.addresses, |address| json!({
            "name": address.name.as_str(),
            "address": address.address,
            "size": address.size,
        })),
        "predicates": list(&program.predicates, |predicate| json!({
            "term": predicate.term.to_string(),
            "position": position(program, predicate.position),
        })),
    })
}

fn list<T>(elements: &[T], each: impl Fn(&T) -> Value) -> Value {
    Value::Array(elements.iter().map(each).collect())
}

/// A place in the source.
fn position(program: &Program, position: Position) -> Value {
    if !position.is_some() {
        return Value::Null;
    }
    let file = program.files.get(position.file.index());
    json!({ "file": file, "line": position.line, "column": position.column })
}

/// A piece of source; also in traces.
pub(super) fn origin(program: &Program, origin: &Origin) -> Value {
    let mut object = match position(program, origin.position) {
        Value::Null => json!({ "file": null, "line": 0, "column": 0 }),
        place => place,
    };
    object["function"] = json!(origin.function.as_str());
    object["text"] = json!(origin.text.as_str());
    object
}

fn variable(program: &Program, variable: &Variable) -> Value {
    json!({
        "name": variable.name.as_str(),
        "scope": match variable.scope { Scope::Shared => "shared", Scope::Local => "local" },
        "type": data_type(&variable.data_type),
        "identity": variable.identity,
        "init": variable.init.as_ref().map(ToString::to_string),
        "position": position(program, variable.position),
    })
}

fn data_type(data_type: &DataType) -> Value {
    match data_type {
        DataType::Bool => json!({ "kind": "bool" }),
        DataType::Int { width, signed } => json!({ "kind": "int", "width": width, "signed": signed }),
        DataType::Array { index_width, length, element } => json!({
            "kind": "array",
            "index_width": index_width,
            "length": length,
            "element": self::data_type(element),
        }),
    }
}

fn location(program: &Program, location: &Location) -> Value {
    json!({
        "function": location.function.as_str(),
        "position": position(program, location.position),
        "live": list(&location.live, |live| name(program, *live)),
        "atomic": location.atomic,
    })
}

fn name(program: &Program, id: VariableId) -> Value {
    json!(program.variables.get(id.index()).map(|variable| variable.name.as_str()))
}

fn edge(program: &Program, edge: &Edge) -> Value {
    json!({
        "from": edge.from.0,
        "to": edge.to.0,
        "inputs": list(&edge.inputs, input),
        "guard": edge.guard.to_string(),
        "assign": assignments(program, &edge.assign),
        "broadcast": {
            "inputs": list(&edge.broadcast.inputs, input),
            "assign": assignments(program, &edge.broadcast.assign),
        },
        "approximate": edge.approximate.map(|note| note.0),
        "origin": list(&edge.origin, |origin| self::origin(program, origin)),
    })
}

fn input(input: &Input) -> Value {
    json!({ "name": input.name.as_str(), "sort": input.sort.to_string() })
}

fn assignments(program: &Program, assign: &[(VariableId, Term)]) -> Value {
    list(assign, |(id, term)| json!({ "variable": name(program, *id), "value": term.to_string() }))
}

fn property(program: &Program, property: &Property) -> Value {
    let access = |access: &RaceAccess| {
        json!({
            "location": access.location.0,
            "index": access.index.map(|index| index.to_string()),
            "write": access.write,
        })
    };
    json!({
        "name": property.name,
        "kind": property.kind.word(),
        "description": property.description,
        "position": position(program, property.position),
        "target": match &property.target {
            Target::Location(location) => json!({ "location": location.0 }),
            Target::Race(first, second) => json!({ "race": [access(first), access(second)] }),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::text::read;

    #[test]
    fn everything_is_there_and_in_order() {
        let text = r#"program 1
            file 0 "a.c"
            note 0 over @0:2:0 "rough"
            address &x = 16 size 4
            shared x: i8 = -1 @0:1:5
            local l: [bool; 2 by u1]
            location 0 in f @0:3:1 live l
            location 1 atomic
            main 0 pool 0
            edge 0: 0 -> 1
              input n: u8
              guard (bvslt x n)
              assign x := n
              passive input m: bool
              passive assign l := (store l@P #b0 m)
              approximate 0
              origin @0:3:1 in f "x = any();"
            property p assertion @0:4:1 "x" at 1
            property r data-race "y" race 0 [x] write with 1
            predicate (= x #x00)"#;
        let json = to_json(&read(text).unwrap());
        let expected = json!({
            "format": "program", "version": 1,
            "files": ["a.c"],
            "notes": [{ "effect": "over", "assumption": null, "position": { "file": "a.c", "line": 2, "column": 0 }, "message": "rough" }],
            "addresses": [{ "name": "&x", "address": 16, "size": 4 }],
            "variables": [
                { "name": "x", "scope": "shared", "type": { "kind": "int", "width": 8, "signed": true },
                  "init": "#xff", "identity": false, "position": { "file": "a.c", "line": 1, "column": 5 } },
                { "name": "l", "scope": "local", "init": null, "identity": false, "position": null,
                  "type": { "kind": "array", "index_width": 1, "length": 2, "element": { "kind": "bool" } } },
            ],
            "locations": [
                { "function": "f", "position": { "file": "a.c", "line": 3, "column": 1 }, "live": ["l"],
                  "atomic": false },
                { "function": "", "position": null, "live": [], "atomic": true },
            ],
            "main": 0, "pool": 0,
            "edges": [{
                "from": 0, "to": 1,
                "inputs": [{ "name": "n", "sort": "(_ BitVec 8)" }],
                "guard": "(bvslt x n)",
                "assign": [{ "variable": "x", "value": "n" }],
                "broadcast": {
                    "inputs": [{ "name": "m", "sort": "Bool" }],
                    "assign": [{ "variable": "l", "value": "(store l@P #b0 m)" }],
                },
                "approximate": 0,
                "origin": [{ "file": "a.c", "line": 3, "column": 1, "function": "f", "text": "x = any();" }],
            }],
            "properties": [
                { "name": "p", "kind": "assertion", "description": "x", "target": { "location": 1 },
                  "position": { "file": "a.c", "line": 4, "column": 1 } },
                { "name": "r", "kind": "data-race", "description": "y", "position": null,
                  "target": { "race": [
                      { "location": 0, "index": "x", "write": true },
                      { "location": 1, "index": null, "write": false },
                  ] } },
            ],
            "predicates": [{ "term": "(= x #x00)", "position": null }],
        });
        assert_eq!(json, expected);
        assert!(
            json.to_string().starts_with(r#"{"addresses":[{"address":16,"name":"&x","size":4}],"edges":"#)
        );
    }
}
