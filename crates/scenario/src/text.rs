//! Scenario files as keys and values, parsed once before their kind is known.

use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::path::Path;

use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::DeTable;

use super::error::{Fault, ScenarioError};
use super::place::{place, place_of};
use gridsat_model::io::{Position, open, shown_name};

/// Largest accepted file size in bytes.
const MAX_BYTES: u64 = 1 << 28;

/// Syntax of a scenario file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// TOML 1.
    Toml,
    /// JSON, with the same keys.
    Json,
}

/// The text of a file, its name in error messages, and its folder.
pub struct Text<'a> {
    /// The complete text.
    pub text: String,
    /// Syntax, determined by the file name.
    pub syntax: Syntax,
    /// Name of the file in error messages.
    pub shown: Cow<'a, str>,
    /// The folder at which relative paths start.
    pub folder: &'a Path,
}

impl<'a> Text<'a> {
    /// Reads a file, or standard input if the path is `-`. JSON if its name ends in `.json` or, on
    /// standard input, if its first character is `{`; otherwise TOML.
    pub fn load(path: &'a Path) -> Result<Self, ScenarioError> {
        let fail = |what: String| ScenarioError::new(&shown_name(path), None, what);
        let mut bytes = Vec::new();
        let read = open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| fail(format!("cannot read: {error}")))?;
        Self::of(path, bytes)
    }

    /// The same for bytes that were read before.
    pub fn of(path: &'a Path, bytes: Vec<u8>) -> Result<Self, ScenarioError> {
        let shown = Cow::Owned(shown_name(path));
        let fail = |what: String| ScenarioError::new(&shown, None, what);
        if bytes.len() as u64 > MAX_BYTES {
            return Err(fail(format!("larger than the limit of {MAX_BYTES} bytes")));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            fail(format!(
                "not UTF-8 text: invalid byte at offset {}",
                error.utf8_error().valid_up_to()
            ))
        })?;
        let is_json = match path.extension() {
            Some(extension) => extension.eq_ignore_ascii_case("json"),
            None => path == Path::new("-") && text.trim_start().starts_with('{'),
        };
        let syntax = if is_json { Syntax::Json } else { Syntax::Toml };
        Ok(Self { text, syntax, shown, folder: path.parent().unwrap_or(Path::new("")) })
    }

    /// Parses the text.
    pub fn keys(&self) -> Keys<'_> {
        Keys::parse(&self.text, self.syntax, &self.shown, self.folder)
    }
}

/// Keys and values of a file, or values made by a program, not yet interpreted.
pub struct Keys<'a> {
    values: Values<'a>,
    pub(super) file: &'a str,
    pub(super) folder: &'a Path,
}

/// `None` if the text is not valid TOML or JSON.
enum Values<'a> {
    Toml(&'a str, Option<Spanned<DeTable<'a>>>),
    Json(&'a str, Option<Value>),
    Made(&'a Value),
}

impl<'a> Keys<'a> {
    /// Parses a text. Errors name it `file`; relative paths start at `folder`. A text that cannot
    /// be parsed has no keys, and [`Keys::read`] returns the error.
    pub fn parse(text: &'a str, syntax: Syntax, file: &'a str, folder: &'a Path) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let values = match syntax {
            Syntax::Toml => Values::Toml(text, DeTable::parse(text).ok()),
            Syntax::Json => {
                let tree: Option<Tree> = serde_json::from_str(text).ok();
                Values::Json(text, tree.map(|Tree(value)| value))
            }
        };
        Self { values, file, folder }
    }

    /// Values that are not from a file; errors about them have no position.
    pub fn of(values: &'a Value, file: &'a str, folder: &'a Path) -> Self {
        Self { values: Values::Made(values), file, folder }
    }

    /// The file that later errors refer to.
    pub(super) fn source(&self) -> Source<'a> {
        let text = match self.values {
            Values::Toml(text, _) => Some((text, Syntax::Toml)),
            Values::Json(text, _) => Some((text, Syntax::Json)),
            Values::Made(_) => None,
        };
        Source { file: self.file, text }
    }

    /// Whether there is a value at this key.
    pub fn has(&self, key: &str) -> bool {
        match &self.values {
            Values::Toml(_, table) => {
                table.as_ref().is_some_and(|table| table.get_ref().contains_key(key))
            }
            Values::Json(_, value) => value.as_ref().is_some_and(|value| has_value(value, key)),
            Values::Made(value) => has_value(value, key),
        }
    }

    /// Deserialises the values; an error has its position in the text.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, ScenarioError> {
        match self.values {
            Values::Toml(text, table) => {
                let read = match table {
                    Some(table) => T::deserialize(toml::Deserializer::from(table)),
                    None => toml::from_str(text),
                };
                read.map_err(|error| {
                    let position = error.span().map(|span| position(text, span.start));
                    ScenarioError::new(self.file, position, error.message())
                })
            }
            // Only the text has positions; it is parsed again if there is an error to report.
            Values::Json(text, value) => match value.as_ref().map(T::deserialize) {
                Some(Ok(read)) => Ok(read),
                _ => serde_json::from_str(text).map_err(|error| {
                    let position = Position { line: error.line(), column: error.column().max(1) };
                    json_error(self.file, Some(position), &error)
                }),
            },
            Values::Made(value) => {
                T::deserialize(value).map_err(|error| json_error(self.file, None, &error))
            }
        }
    }
}

/// A file, with its text if there is one.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub file: &'a str,
    text: Option<(&'a str, Syntax)>,
}

impl Source<'_> {
    /// The fault with the position of the value it concerns.
    pub fn error(self, fault: Fault) -> ScenarioError {
        let at = self.text.and_then(|(text, syntax)| {
            place(text, syntax, &fault).map(|start| position(text, start))
        });
        ScenarioError::new(self.file, at, fault)
    }
}

/// Deserialises a text; errors name it `file`.
pub fn read_keys<T: DeserializeOwned>(
    text: &str,
    syntax: Syntax,
    file: &str,
) -> Result<T, ScenarioError> {
    Keys::parse(text, syntax, file, Path::new("")).read()
}

/// Where the value at these keys stands in a text, as far as the text has them; a key may come with
/// the number of an item of its list. `None` if the text has not even the first.
pub fn position_of(text: &str, syntax: Syntax, keys: &[(&str, Option<usize>)]) -> Option<Position> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    place_of(text, syntax, keys).map(|start| position(text, start))
}

/// In JSON, `null` means that the key is absent.
fn has_value(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(|value| !value.is_null())
}

fn json_error(file: &str, at: Option<Position>, error: &serde_json::Error) -> ScenarioError {
    let message = error.to_string();
    let what = message.rfind(" at line ").map_or(&message[..], |end| &message[..end]);
    ScenarioError::new(file, at, what)
}

/// Line and column of a byte offset, from 1; columns count characters.
fn position(text: &str, at: usize) -> Position {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    Position { line, column: before[line_start..].chars().count() + 1 }
}

/// JSON in which duplicate keys of an object are an error; [`Value`] alone would keep the last.
struct Tree(Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Tree, E> {
        Ok(Tree(Value::Null))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree(value.into()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree(value.into()))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut all = Vec::new();
        while let Some(Tree(item)) = items.next_element()? {
            all.push(item);
        }
        Ok(Tree(Value::Array(all)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut all = Map::new();
        while let Some((key, Tree(value))) = entries.next_entry()? {
            if all.insert(key, value).is_some() {
                return Err(A::Error::custom("duplicate field"));
            }
        }
        Ok(Tree(Value::Object(all)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Seed {
        seed: u64,
    }

    #[test]
    fn text_and_values_are_read_alike() {
        let value = serde_json::json!({ "seed": 7, "cluster": null });
        let json = value.to_string();
        let folder = Path::new("");
        for keys in [
            Keys::parse("seed = 7", Syntax::Toml, "x", folder),
            Keys::parse(&json, Syntax::Json, "x", folder),
            Keys::of(&value, "x", folder),
        ] {
            assert!(keys.has("seed") && !keys.has("cluster"));
            assert_eq!(keys.read::<Seed>(), Ok(Seed { seed: 7 }));
        }
    }

    #[test]
    fn faults_have_their_place_if_there_is_a_text() {
        let fault = |keys: Keys<'_>| keys.read::<Seed>().expect_err("wrong").to_string();
        let json = "{ \"seed\": 1,\n  \"seed\": 2 }";
        let folder = Path::new("");
        assert_eq!(
            fault(Keys::parse(json, Syntax::Json, "x", folder)),
            "x:2:8: duplicate field `seed`"
        );
        let value = serde_json::json!({ "seed": "a" });
        let what = "invalid type: string \"a\", expected u64";
        assert_eq!(fault(Keys::of(&value, "x", folder)), format!("x: {what}"));
        let toml = Keys::parse("\nseed = 'a'", Syntax::Toml, "x", folder);
        assert_eq!(fault(toml), format!("x:2:8: {what}"));
    }
}
