//! The position in the text of the value that a fault concerns, for faults found after parsing.
//!
//! A fault names the keys that lead to it: `resource[1] "slow": load: average is 101`. They are
//! followed in the text as far as they exist, so a missing key is reported at the start of its
//! table. The text is parsed again for this, but only if there is a fault.

use std::collections::HashMap;

use serde_json::value::RawValue;
use toml::de::{DeTable, DeValue};

use super::error::Fault;
use super::text::Syntax;

/// The byte offset of the value; `None` if not even the first key is in the text.
pub(super) fn place(text: &str, syntax: Syntax, fault: &Fault) -> Option<usize> {
    let mut keys = Vec::new();
    follow(fault, &mut keys);
    find(text, syntax, &keys)
}

/// The same for keys that are known, each with the number of an item if it holds a list.
pub(super) fn place_of(
    text: &str,
    syntax: Syntax,
    keys: &[(&str, Option<usize>)],
) -> Option<usize> {
    let keys: Vec<Key<'_>> = keys.iter().map(|&(name, index)| Key { name, index }).collect();
    find(text, syntax, &keys)
}

fn find(text: &str, syntax: Syntax, keys: &[Key<'_>]) -> Option<usize> {
    match syntax {
        Syntax::Toml => in_toml(text, keys),
        Syntax::Json => in_json(text, keys),
    }
}

/// A key, and the index if it is an item of a list.
#[derive(Debug, PartialEq)]
struct Key<'a> {
    name: &'a str,
    index: Option<usize>,
}

impl<'a> Key<'a> {
    /// Parses the first word of a text: `job[3] "render"` is the third item of `job`.
    fn first_of(text: &'a str) -> Self {
        let end = text.find([' ', ':']).unwrap_or(text.len());
        let word = &text[..end];
        let indexed = word.strip_suffix(']').and_then(|word| word.split_once('['));
        let indexed = indexed.and_then(|(name, index)| Some((name, index.parse().ok()?)));
        match indexed {
            Some((name, index)) => Self { name, index: Some(index) },
            None => Self { name: word, index: None },
        }
    }
}

/// Collects the keys that a fault names, outermost first.
fn follow<'a>(fault: &'a Fault, keys: &mut Vec<Key<'a>>) {
    match fault {
        Fault::At { key, fault } => {
            keys.push(Key::first_of(key));
            follow(fault, keys);
        }
        Fault::Unknown { key, .. } | Fault::Zero { key } | Fault::Only { key, .. } => {
            keys.push(Key::first_of(key));
        }
        Fault::Exclusive { one, .. } => keys.push(Key::first_of(one)),
        Fault::Other(what) => keys.push(Key::first_of(what)),
    }
}

fn in_toml(text: &str, keys: &[Key<'_>]) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let mut table = table.get_ref();
    let mut found = None;
    for key in keys {
        let Some(value) = table.get(key.name) else { break };
        found = Some(value.span().start);
        let item = match (value.get_ref(), key.index) {
            (DeValue::Array(items), Some(index)) => items.get(index),
            _ => Some(value),
        };
        let Some(item) = item else { break };
        found = Some(item.span().start);
        match item.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => break,
        }
    }
    found
}

fn in_json(text: &str, keys: &[Key<'_>]) -> Option<usize> {
    // Raw values are slices of the text, so their addresses give their offsets.
    let start = |value: &RawValue| value.get().as_ptr() as usize - text.as_ptr() as usize;
    let mut part = text;
    let mut found = None;
    for key in keys {
        let table: Option<HashMap<String, &RawValue>> = serde_json::from_str(part).ok();
        let Some(&value) = table.as_ref().and_then(|table| table.get(key.name)) else { break };
        let items: Option<Vec<&RawValue>> = serde_json::from_str(value.get()).ok();
        let item = items.zip(key.index).and_then(|(items, index)| items.get(index).copied());
        let item = item.unwrap_or(value);
        found = Some(start(item));
        part = item.get();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::At;

    fn fault() -> Fault {
        let wrong: Result<(), Fault> = Err("average is 101".into());
        wrong.at("load").at("resource[1] \"slow\"").expect_err("wrong")
    }

    #[test]
    fn keys_are_followed_as_far_as_they_go() {
        let toml = "[[resource]]\nmips = 1\n[[resource]]\nload = { average = 101 }\n";
        assert_eq!(place(toml, Syntax::Toml, &fault()), toml.find("101"));
        let toml = "[[resource]]\nmips = 1\n[[resource]]\nload = { weekdays = [] }\n";
        assert_eq!(place(toml, Syntax::Toml, &fault()), toml.find("{ weekdays"));
        let toml = "[[resource]]\nmips = 1\n[[resource]]\nmips = 2\n";
        assert_eq!(place(toml, Syntax::Toml, &fault()), toml.rfind("[[resource]]"));
        assert_eq!(place("seed = 1", Syntax::Toml, &fault()), None);
    }

    #[test]
    fn json_has_the_same_places() {
        let json = r#"{ "resource": [{}, { "load": { "average":  101 } }] }"#;
        assert_eq!(place(json, Syntax::Json, &fault()), json.find("101"));
        let json = r#"{ "resource": [{}, { "mips": 5 }] }"#;
        assert_eq!(place(json, Syntax::Json, &fault()), json.find("{ \"mips"));
        assert_eq!(place("{}", Syntax::Json, &fault()), None);
    }
}
