//! Tasks and hosts as two lists in a JSON object without `etc`: one time per task, and hosts that
//! differ in speed only.
//!
//! A task is an object with the keys `name` and `time`, or just its time. Either all tasks have a
//! name or none has.

use super::ReadOptions;
use super::decimal::Decimal;
use super::error::{Fault, Problem, offset_in};
use super::host_list::{HostKind, HostList, KEYS, count};
use super::json::{each_item, entries_of, string};
use super::table::{Names, Table};
use crate::text::excerpt;

/// Fills the table from the values of the keys `tasks` and `hosts`.
pub(super) fn read(
    text: &str,
    (tasks, hosts): (&str, &str),
    options: &ReadOptions,
    table: &mut Table,
) -> Result<(), Fault> {
    table.at = offset_in(text, tasks);
    let in_file = host_list(text, hosts)?;
    let mut works = Vec::new();
    let mut names = Names { at: table.at, list: Vec::new() };
    each_item(text, tasks, "a list of tasks", |item| task(text, item, &mut works, &mut names))?;
    let hosts = options.host_list.as_ref().unwrap_or(&in_file);
    hosts.fill(table, works.into_iter())?;
    table.tasks = (!names.list.is_empty()).then_some(names);
    Ok(())
}

fn task(
    text: &str,
    item: &str,
    works: &mut Vec<(usize, Decimal)>,
    names: &mut Names,
) -> Result<(), Fault> {
    let at = offset_in(text, item);
    let (mut name, mut work) = (None, None);
    if item.starts_with('{') {
        for (key, value) in entries_of(text, item, "a task: an object with the key 'time'")? {
            let place = offset_in(text, value);
            match key.as_str() {
                "name" => name = Some((place, string(text, value, "a name in quotes")?)),
                "time" => work = Some((place, time(place, value)?)),
                _ => {
                    let (key, known) = (excerpt(&key), "name, time");
                    return Err(Fault::at(at, Problem::UnknownEntry { key, known }));
                }
            }
        }
    } else {
        work = Some((at, time(at, item)?));
    }
    let missing = || Fault::expected(at, "a task with the key 'time'", item);
    let is_named = name.is_some() || !names.list.is_empty();
    if is_named && (name.is_none() || names.list.len() != works.len()) {
        return Err(Fault::expected(at, "names of all tasks or of none", item));
    }
    works.push(work.ok_or_else(missing)?);
    names.list.extend(name);
    Ok(())
}

fn time(at: usize, value: &str) -> Result<Decimal, Fault> {
    Decimal::parse(value).map_err(|reason| Fault::bad_time(at, value, reason))
}

/// The hosts: their number, or a list of kinds.
fn host_list(text: &str, value: &str) -> Result<HostList, Fault> {
    let at = offset_in(text, value);
    if !value.starts_with('[') {
        return HostList::equal(at, count(at, value)?);
    }
    let mut kinds = Vec::new();
    each_item(text, value, "a list of hosts", |item| {
        kinds.push(kind(text, item)?);
        Ok(())
    })?;
    HostList::of(at, kinds)
}

/// An object, or only a name.
fn kind(text: &str, item: &str) -> Result<HostKind, Fault> {
    let mut kind = HostKind::at(offset_in(text, item));
    if item.starts_with('"') {
        kind.name = Some(string(text, item, "a name")?);
        return Ok(kind);
    }
    for (key, value) in entries_of(text, item, "a host: an object with keys such as 'speed'")? {
        let at = offset_in(text, value);
        let is_text = value.starts_with('"');
        // Only names and fractions are in quotes.
        if is_text != (key == "name") && !(is_text && key == "speed") && is_known(&key) {
            let what = if key == "name" { "a name in quotes" } else { "a number" };
            return Err(Fault::expected(at, what, value));
        }
        match is_text {
            true => kind.set(&key, at, &string(text, value, "a text")?)?,
            false => kind.set(&key, at, value)?,
        }
    }
    Ok(kind)
}

fn is_known(key: &str) -> bool {
    KEYS.split(", ").any(|known| known == key)
}
