//! A key path in a scenario, such as `users.qos`, `resource[high].count`,
//! `resource.mips.uniform[1]`.
//!
//! Names are separated by dots. A list of tables, such as `[[resource]]`, stands for all its
//! entries; brackets select one of them by name or by index from 0, or an element of any other
//! list.

use serde_json::{Map, Value};
use thiserror::Error;

/// A parsed key path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    text: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// A key of a table, or of every table in a list.
    Name(String),
    /// An element of a list.
    Index(usize),
    /// The entry of a list that has this `name`.
    Named(String),
}

impl Key {
    /// Parses a key path.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (name, brackets) = part.split_at(part.find('[').unwrap_or(part.len()));
            if name.is_empty() {
                return Err(KeyError::EmptyName(text.to_owned()));
            }
            steps.push(Step::Name(name.to_owned()));
            for inner in brackets.split_inclusive(']') {
                let inner = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
                let inner = inner.filter(|inner| !inner.is_empty());
                let inner = inner.ok_or_else(|| KeyError::Brackets(text.to_owned()))?;
                steps.push(
                    inner.parse().map_or_else(|_| Step::Named(inner.to_owned()), Step::Index),
                );
            }
        }
        Ok(Self { text: text.to_owned(), steps })
    }

    /// Sets a value. Missing tables on the way are created; entries of lists must exist. Fails if a
    /// number or text is on the way.
    pub fn set(&self, root: &mut Value, value: &Value) -> Result<(), KeyError> {
        let place = |what| KeyError::Place { key: self.text.clone(), what };
        set(root, &self.steps, value).map_err(place)
    }
}

/// Why a key path is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum KeyError {
    #[error("key \"{0}\" has an empty name")]
    EmptyName(String),
    #[error("key \"{0}\" has unfinished brackets")]
    Brackets(String),
    #[error("key \"{key}\": {what}")]
    Place { key: String, what: PlaceError },
}

/// Why a key path does not fit the settings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum PlaceError {
    #[error("no entry {index}, there are {length}")]
    NoEntry { index: usize, length: usize },
    #[error("no entry named \"{0}\"")]
    NoName(String),
    #[error("\"{name}\" is asked of {kind}")]
    NoTable { name: String, kind: &'static str },
    #[error("brackets after {0}")]
    NoList(&'static str),
}

fn set(at: &mut Value, steps: &[Step], value: &Value) -> Result<(), PlaceError> {
    let Some((step, rest)) = steps.split_first() else {
        *at = value.clone();
        return Ok(());
    };
    match (step, at) {
        (Step::Name(name), Value::Object(table)) => {
            let entry = table.entry(name.clone());
            set(entry.or_insert_with(|| Value::Object(Map::new())), rest, value)
        }
        (Step::Name(_), Value::Array(entries)) if entries.iter().all(Value::is_object) => {
            entries.iter_mut().try_for_each(|entry| set(entry, steps, value))
        }
        (Step::Index(index), Value::Array(entries)) => {
            let length = entries.len();
            let entry = entries.get_mut(*index);
            let entry = entry.ok_or(PlaceError::NoEntry { index: *index, length })?;
            set(entry, rest, value)
        }
        (Step::Named(name), Value::Array(entries)) => {
            let is_it = |entry: &&mut Value| entry.get("name").is_some_and(|own| own == name);
            let entry = entries.iter_mut().find(is_it);
            set(entry.ok_or_else(|| PlaceError::NoName(name.clone()))?, rest, value)
        }
        (Step::Name(name), other) => {
            Err(PlaceError::NoTable { name: name.clone(), kind: kind(other) })
        }
        (Step::Index(_) | Step::Named(_), other) => Err(PlaceError::NoList(kind(other))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Object(_) => "a table",
        Value::Array(_) => "a list",
        Value::String(_) => "a text",
        Value::Number(_) => "a number",
        Value::Bool(_) | Value::Null => "a single value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(key: &str, value: Value) -> Result<Value, KeyError> {
        let mut root = json!({
            "resource": [
                { "name": "a", "count": 1 },
                { "name": "b", "mips": { "uniform": [1, 2] } },
            ],
            "users": [{ "qos": 0.5 }],
            "seed": 1
        });
        Key::parse(key)?.set(&mut root, &value)?;
        Ok(root)
    }

    #[test]
    fn one_all_and_elements() {
        let all = after("resource.count", json!(7)).expect("a key of every entry");
        assert_eq!(
            (&all["resource"][0]["count"], &all["resource"][1]["count"]),
            (&json!(7), &json!(7))
        );
        let one = after("resource[b].count", json!(7)).expect("an entry by name");
        assert_eq!(
            (&one["resource"][0]["count"], &one["resource"][1]["count"]),
            (&json!(1), &json!(7))
        );
        let element = after("resource[1].mips.uniform[1]", json!(9)).expect("an element");
        assert_eq!(element["resource"][1]["mips"]["uniform"], json!([1, 9]));
        let new = after("estimates.error", json!(10)).expect("a new table");
        assert_eq!(new["estimates"]["error"], 10);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = |key| after(key, json!(0)).expect_err("there is no such place").to_string();
        assert_eq!(error("resource[c].count"), "key \"resource[c].count\": no entry named \"c\"");
        assert_eq!(error("users[3].qos"), "key \"users[3].qos\": no entry 3, there are 1");
        assert_eq!(error("seed.of"), "key \"seed.of\": \"of\" is asked of a number");
        assert_eq!(error("seed[0]"), "key \"seed[0]\": brackets after a number");
        assert_eq!(error("a..b"), "key \"a..b\" has an empty name");
        assert_eq!(error("a[0"), "key \"a[0\" has unfinished brackets");
        assert_eq!(error("a[]"), "key \"a[]\" has unfinished brackets");
    }
}
