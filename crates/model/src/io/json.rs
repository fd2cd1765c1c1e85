//! The canonical format: one JSON object, with a matrix or with [lists] of tasks and hosts.
//!
//! Values are taken as raw slices of the text, so numbers are read from their digits, never through
//! a float, and each value's position is known. serde_json checks the grammar without recursion,
//! however deep the nesting is.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{Fault, Problem, offset_in, word_at};
use super::levels::{LevelList, read_level};
use super::table::{Names, Table, ready_time};
use super::{ReadOptions, lists};
use crate::text::excerpt;

/// There are six keys, so a seventh entry is unknown or a repetition.
const ENOUGH_ENTRIES: usize = 7;

/// Reads the object: a matrix `etc`, or lists of tasks and hosts.
pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Table, Fault> {
    let mut table = Table::default();
    let mut seen: Vec<String> = Vec::new();
    let entries = entries(text)?;
    let value = |wanted: &str| {
        let found = entries.iter().find(|(key, _)| key.get() == format!("\"{wanted}\""));
        found.map(|(_, value)| value.get())
    };
    let lists = match (value("etc"), value("tasks"), value("hosts")) {
        (None, Some(tasks), Some(hosts)) => Some((tasks, hosts)),
        _ => None,
    };
    for (raw_key, raw_value) in &entries {
        let (at, value) = (offset_in(text, raw_key.get()), raw_value.get());
        let key: String = string(text, raw_key.get(), "a key")?;
        let shown = excerpt(&key);
        if seen.contains(&key) {
            return Err(Fault::at(at, Problem::RepeatedKey { key: shown }));
        }
        match key.as_str() {
            "etc" => read_etc(text, value, &mut table)?,
            "name" => table.name = unless_null(value, |v| string(text, v, "a name in quotes"))?,
            "tasks" | "hosts" if lists.is_some() => {}
            "tasks" => table.tasks = unless_null(value, |v| names(text, v))?,
            "hosts" => table.hosts = unless_null(value, |v| names(text, v))?,
            "qos" => read_levels(text, value, &mut table)?,
            "ready" => read_ready(text, value, &mut table)?,
            _ => return Err(Fault::at(at, Problem::UnknownKey { key: shown })),
        }
        seen.push(key);
    }
    match lists {
        Some(lists) => lists::read(text, lists, options, &mut table)?,
        None if value("etc").is_none() => return Err(Fault::at(0, Problem::NoEtc)),
        None => {}
    }
    Ok(table)
}

type Entry<'a> = (&'a RawValue, &'a RawValue);

fn entries(text: &str) -> Result<Vec<Entry<'_>>, Fault> {
    let mut json = serde_json::Deserializer::from_str(text);
    let entries = json.deserialize_map(Entries).and_then(|entries| json.end().map(|()| entries));
    entries.map_err(|error| not_json(text, &error))
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<Entry<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while entries.len() < ENOUGH_ENTRIES {
            match map.next_entry()? {
                Some(entry) => entries.push(entry),
                None => return Ok(entries),
            }
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(entries)
    }
}

/// The keys and values of an object inside the text, each key once.
pub(super) fn entries_of<'a>(
    text: &str,
    value: &'a str,
    what: &'static str,
) -> Result<Vec<(String, &'a str)>, Fault> {
    let at = offset_in(text, value);
    let mut json = serde_json::Deserializer::from_str(value);
    let entries = json.deserialize_map(Entries).map_err(|_| Fault::expected(at, what, value))?;
    let mut found: Vec<(String, &str)> = Vec::new();
    for (raw_key, raw_value) in entries {
        let key = string(text, raw_key.get(), "a key")?;
        if found.iter().any(|(other, _)| *other == key) {
            let at = offset_in(text, raw_key.get());
            return Err(Fault::at(at, Problem::RepeatedKey { key: excerpt(&key) }));
        }
        found.push((key, raw_value.get()));
    }
    Ok(found)
}

/// Converts an error of serde_json: the position as an offset, and the word found there.
fn not_json(text: &str, error: &serde_json::Error) -> Fault {
    if error.is_data() {
        let start = text.len() - text.trim_start().len();
        return Fault::expected(start, "an object with the key 'etc'", &text[start..]);
    }
    let message = error.to_string();
    let reason = message.rfind(" at line ").map_or(&message[..], |end| &message[..end]);
    let reason = reason.replace("expected ident", "unknown word");
    let at = word_start(text, offset_of(text, error.line(), error.column()));
    if error.is_eof() {
        return Fault::at(text.trim_end().len(), Problem::EndsEarly { reason });
    }
    let found = match word_at(text, at) {
        "" => text[at..].chars().take(1).collect(),
        word => excerpt(word),
    };
    let found = excerpt(&found);
    // Python writes these for floats that are not finite.
    if ["nan", "inf", "infinity"].contains(&found.trim_start_matches('-').to_lowercase().as_str()) {
        return Fault::at(at, Problem::NoJsonNumber { found });
    }
    Fault::at(at, Problem::NotJson { reason, found })
}

/// The offset of a line and column (in bytes), both from 1, moved back to a character's start.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let newlines = text.match_indices('\n').map(|(at, _)| at + 1);
    let start = std::iter::once(0).chain(newlines).nth(line.saturating_sub(1)).unwrap_or(0);
    let at = (start + column.saturating_sub(1)).min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The start of the word that contains the offset.
fn word_start(text: &str, at: usize) -> usize {
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    let bytes = text.as_bytes();
    if !bytes.get(at).is_some_and(inside) {
        return at;
    }
    bytes[..at].iter().rposition(|byte| !inside(byte)).map_or(0, |before| before + 1)
}

fn unless_null<'a, T>(
    value: &'a str,
    read: impl FnOnce(&'a str) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    if value == "null" { Ok(None) } else { read(value).map(Some) }
}

/// Calls a function with each item of a list. Items are not collected, because a list can be as
/// long as the file.
pub(super) fn each_item<'a>(
    text: &str,
    value: &'a str,
    what: &'static str,
    call: impl FnMut(&'a str) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut fault = None;
    let each = EachItem { call, fault: &mut fault };
    let result = serde_json::Deserializer::from_str(value).deserialize_seq(each);
    match (fault, result) {
        (Some(fault), _) => Err(fault),
        (None, Ok(())) => Ok(()),
        (None, Err(_)) => Err(Fault::expected(offset_in(text, value), what, value)),
    }
}

struct EachItem<'f, F> {
    call: F,
    fault: &'f mut Option<Fault>,
}

impl<'de, F: FnMut(&'de str) -> Result<(), Fault>> Visitor<'de> for EachItem<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        while let Some(item) = items.next_element::<&RawValue>()? {
            if let Err(fault) = (self.call)(item.get()) {
                *self.fault = Some(fault);
                return Err(A::Error::custom("stopped by the fault"));
            }
        }
        Ok(())
    }
}

pub(super) fn string(text: &str, value: &str, what: &'static str) -> Result<String, Fault> {
    serde_json::from_str(value).map_err(|_| Fault::expected(offset_in(text, value), what, value))
}

fn names(text: &str, value: &str) -> Result<Names, Fault> {
    let mut list = Vec::new();
    each_item(text, value, "a list of names", |item| {
        let name = string(text, item, "a name in quotes")?;
        list.push((offset_in(text, item), name));
        Ok(())
    })?;
    Ok(Names { at: offset_in(text, value), list })
}

fn read_etc(text: &str, value: &str, table: &mut Table) -> Result<(), Fault> {
    table.at = offset_in(text, value);
    each_item(text, value, "a list of rows", |row| {
        each_item(text, row, "a list of times", |time| match time {
            "null" => table.push_forbidden(offset_in(text, time)),
            _ => table.push(text, unquoted_inf(time)),
        })?;
        table.end_row(offset_in(text, row));
        Ok(())
    })
}

/// `"inf"` is the only string that is a time.
fn unquoted_inf(value: &str) -> &str {
    if value.eq_ignore_ascii_case("\"inf\"") { &value[1..value.len() - 1] } else { value }
}

fn read_levels(text: &str, value: &str, table: &mut Table) -> Result<(), Fault> {
    if value == "null" {
        return Ok(());
    }
    let at = offset_in(text, value);
    let mut json = serde_json::Deserializer::from_str(value);
    let what = "an object with the keys 'tasks' and 'hosts'";
    let entries = json.deserialize_map(Entries).map_err(|_| Fault::expected(at, what, value))?;
    for (raw_key, raw_value) in entries {
        let at = offset_in(text, raw_key.get());
        let list = match raw_key.get() {
            "\"tasks\"" => &mut table.levels.tasks,
            "\"hosts\"" => &mut table.levels.hosts,
            other => return Err(Fault::expected(at, "'tasks' or 'hosts'", other)),
        };
        if list.is_some() {
            return Err(Fault::at(at, Problem::RepeatedKey { key: excerpt(raw_key.get()) }));
        }
        *list = Some(level_list(text, raw_value.get())?);
    }
    Ok(())
}

fn level_list(text: &str, value: &str) -> Result<LevelList, Fault> {
    let mut levels = Vec::new();
    each_item(text, value, "a list of levels", |item| {
        levels.push(read_level(offset_in(text, item), item)?);
        Ok(())
    })?;
    Ok(LevelList { at: offset_in(text, value), levels })
}

fn read_ready(text: &str, value: &str, table: &mut Table) -> Result<(), Fault> {
    if value == "null" {
        return Ok(());
    }
    let mut times = Vec::new();
    each_item(text, value, "a list of ready times", |item| {
        let at = offset_in(text, item);
        times.push((at, ready_time(at, item)?));
        Ok(())
    })?;
    table.set_ready(offset_in(text, value), times);
    Ok(())
}
