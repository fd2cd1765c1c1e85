//! The P||Cmax text: `p p_cmax n m`, then the times of the n tasks, which are the same on all m
//! hosts, then a 0. Line breaks have no meaning.

use super::ReadOptions;
use super::decimal::Decimal;
use super::error::{Fault, Problem, offset_in};
use super::hcsp::whole_number;
use super::host_list::HostList;
use super::table::Table;

/// The words that start the text.
const START: [&str; 2] = ["p", "p_cmax"];

/// Whether the text starts as P||Cmax text does; no other format does.
pub(super) fn is_start(bytes: &[u8]) -> bool {
    let mut words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    START.iter().all(|&word| words.next() == Some(word.as_bytes()))
}

/// Reads the text.
pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Table, Fault> {
    let mut words = text.split_ascii_whitespace();
    for expected in START {
        let word = next(text, &mut words, "the words 'p p_cmax'")?;
        if word != expected {
            return Err(Fault::expected(offset_in(text, word), "the words 'p p_cmax'", word));
        }
    }
    let tasks = size(text, &mut words, "the number of tasks")?;
    let hosts = size(text, &mut words, "the number of hosts")?;
    let hosts = HostList::equal(0, hosts)?;
    let mut table = Table::default();
    let mut times = Vec::new();
    for _ in 0..tasks {
        let word = next(text, &mut words, "another time")?;
        let at = offset_in(text, word);
        table.at = if times.is_empty() { at } else { table.at };
        if word == "0" && words.clone().next().is_none() {
            let reason = format!("{} times for {tasks} tasks", times.len());
            return Err(Fault::at(at, Problem::EndsEarly { reason }));
        }
        let time = Decimal::parse(positive(text, word, "a whole time above 0")?);
        times.push((at, time.map_err(|reason| Fault::bad_time(at, word, reason))?));
    }
    end(text, &mut words, tasks)?;
    options.host_list.as_ref().unwrap_or(&hosts).fill(&mut table, times.into_iter())?;
    Ok(table)
}

/// The times end with a 0, after which nothing follows.
fn end<'a>(
    text: &'a str,
    words: &mut impl Iterator<Item = &'a str>,
    tasks: usize,
) -> Result<(), Fault> {
    let last = next(text, words, "a 0 after the last time")?;
    match (whole_number(last), words.next()) {
        (Some(0), None) => Ok(()),
        (Some(0), Some(more)) => Err(Fault::expected(offset_in(text, more), "nothing", more)),
        _ => {
            let problem = Problem::MoreTimes { expected: tasks };
            Err(Fault::at(offset_in(text, last), problem))
        }
    }
}

fn next<'a>(
    text: &str,
    words: &mut impl Iterator<Item = &'a str>,
    what: &str,
) -> Result<&'a str, Fault> {
    let reason = || format!("expected {what}");
    let early = || Fault::at(text.trim_end().len(), Problem::EndsEarly { reason: reason() });
    words.next().ok_or_else(early)
}

fn size<'a>(
    text: &str,
    words: &mut impl Iterator<Item = &'a str>,
    what: &'static str,
) -> Result<usize, Fault> {
    let word = next(text, words, what)?;
    let size = whole_number(positive(text, word, what)?).unwrap_or(u64::MAX);
    Ok(usize::try_from(size).unwrap_or(usize::MAX))
}

/// The word, if it is a whole number above 0.
fn positive<'a>(text: &str, word: &'a str, what: &'static str) -> Result<&'a str, Fault> {
    match whole_number(word) {
        Some(number) if number > 0 => Ok(word),
        _ => Err(Fault::expected(offset_in(text, word), what, word)),
    }
}
