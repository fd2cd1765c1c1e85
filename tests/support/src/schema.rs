//! A small validator of JSON Schema for the keywords that our schemas use.
//!
//! It is stricter than the standard: a property that the schema does not name is a fault unless
//! `additionalProperties` allows it, so that a field without description is detected.

use serde_json::{Map, Value};

/// All faults of the value, each with its place; empty if the value matches the schema.
pub fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, value, "", &mut faults);
    faults
}

fn check(schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    match schema {
        Value::Bool(true) => {}
        Value::Object(keywords) => {
            for (keyword, argument) in keywords {
                if let Err(why) = check_one((keyword, argument), keywords, value, place, faults) {
                    faults.push(format!("{place}: {why}"));
                }
            }
        }
        other => faults.push(format!("{place}: {other} is no schema")),
    }
}

fn check_one(
    (keyword, argument): (&str, &Value),
    keywords: &Map<String, Value>,
    value: &Value,
    place: &str,
    faults: &mut Vec<String>,
) -> Result<(), String> {
    let list = argument.as_array().map(Vec::as_slice).unwrap_or_default();
    let is_good = match keyword {
        "title" | "description" | "format" | "$schema" => true,
        "type" if list.is_empty() => has_type(value, argument),
        "type" => list.iter().any(|one| has_type(value, one)),
        "const" => value == argument,
        "enum" => list.contains(value),
        "minimum" => value.as_f64() >= argument.as_f64() || !value.is_number(),
        "required" => !value.is_object() || list.iter().all(|key| has_key(value, key)),
        "oneOf" => list.iter().filter(|one| self::faults(one, value).is_empty()).count() == 1,
        "anyOf" => list.iter().any(|one| self::faults(one, value).is_empty()),
        "items" => {
            for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                check(argument, item, &format!("{place}[{number}]"), faults);
            }
            true
        }
        "properties" | "additionalProperties" => {
            let named = keywords.get("properties").and_then(Value::as_object);
            let others = keywords.get("additionalProperties").unwrap_or(&Value::Null);
            // The two keywords are checked together, so one of them is enough.
            let is_first = keyword == "properties" || named.is_none();
            for (key, value) in value.as_object().into_iter().flatten().filter(|_| is_first) {
                let schema = named.and_then(|named| named.get(key)).unwrap_or(others);
                check(schema, value, &format!("{place}.{key}"), faults);
            }
            true
        }
        other => return Err(format!("the validator does not know '{other}'")),
    };
    if is_good { Ok(()) } else { Err(format!("{value} is against {keyword} {argument}")) }
}

fn has_key(value: &Value, key: &Value) -> bool {
    key.as_str().is_some_and(|key| value.get(key).is_some())
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    }
}
