//! Comma-separated values: one row per task, one column per host, quotes as in RFC 4180.
//!
//! Names are recognised, never configured:
//! - the first row is a header of host names if its first cell is `task` or `tasks`, or if it has a
//!   name and none of its other cells looks like a time;
//! - the first column holds task names if the header's first cell is empty, `task` or `tasks`, or
//!   if the first cell of every row is a name.
//!
//! A cell looks like a time if it starts like a number, or is empty, `inf`, `nan`, `null` or `-`;
//! anything else is a name. So a mistyped number is an error and not a header. Hosts whose names
//! look like times need `task` in the corner. An empty cell, `inf`, `null` or `-` means the task
//! cannot run there. Not here: other separators, ready times.

use std::ops::Range;

use csv::{ReaderBuilder, StringRecord};

use super::decimal::Decimal;
use super::error::{Fault, Problem};
use super::table::{Names, Table};
use crate::text::excerpt;

/// Reads the rows, twice: whether the first column holds names shows only at the end.
pub(super) fn read(text: &str) -> Result<Table, Fault> {
    check_quotes(text)?;
    let layout = Layout::of(text)?;
    let mut table = Table::default();
    let (mut hosts, mut tasks) = (None, Vec::new());
    each_record(text, |index, span, cells| {
        let at = span.start;
        let mut cells = cells_with_places(text, span, cells);
        let name = if layout.task_names { cells.next() } else { None };
        if index == 0 && layout.header {
            let list = cells.map(|(at, cell)| (at, cell.to_owned())).collect();
            hosts = Some(Names { at, list });
            return Ok(());
        }
        tasks.extend(name.map(|(at, name)| (at, name.to_owned())));
        push_row(at, cells, &mut table)
    })?;
    table.hosts = hosts;
    let at = tasks.first().map_or(0, |&(at, _)| at);
    table.tasks = layout.task_names.then_some(Names { at, list: tasks });
    Ok(table)
}

/// Which names the file has.
struct Layout {
    header: bool,
    task_names: bool,
}

impl Layout {
    fn of(text: &str) -> Result<Self, Fault> {
        let (mut header, mut by_corner) = (false, false);
        let (mut rows, mut named) = (0_usize, 0_usize);
        each_record(text, |index, _, cells| {
            let first = cells.get(0).unwrap_or("").trim();
            if index == 0 && is_header(cells) {
                header = true;
                by_corner = first.is_empty() || is_task_word(first);
            } else {
                rows += 1;
                named += usize::from(!looks_like_time(first));
            }
            Ok(())
        })?;
        let task_names = by_corner || (rows > 0 && named == rows);
        Ok(Self { header, task_names })
    }
}

/// Quotes come in pairs, whether they enclose or escape.
fn check_quotes(text: &str) -> Result<(), Fault> {
    match text.rfind('"') {
        Some(last) if text.matches('"').count() % 2 == 1 => {
            Err(Fault::at(last, Problem::OpenQuote))
        }
        _ => Ok(()),
    }
}

/// Calls with the number, the span in the text and the cells of each row that is not blank.
fn each_record(
    text: &str,
    mut call: impl FnMut(usize, Range<usize>, &StringRecord) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut builder = ReaderBuilder::new();
    let mut reader = builder.has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    let mut index = 0;
    // Reading UTF-8 from memory with any number of cells a row cannot fail, but should it ever,
    // it must not pass for the end of the file.
    let failed = |error: csv::Error| {
        let reason = excerpt(&error.to_string());
        Fault::nowhere(Problem::EndsEarly { reason })
    };
    while reader.read_record(&mut record).map_err(failed)? {
        let end = (reader.position().byte() as usize).min(text.len());
        call(index, start(text, &record)..end, &record)?;
        index += 1;
    }
    Ok(())
}

/// Where the row starts: the library counts the line ends before it as part of it.
fn start(text: &str, record: &StringRecord) -> usize {
    let at = record.position().map_or(0, |position| position.byte() as usize);
    let rest = text.get(at..).unwrap_or("");
    text.len() - rest.trim_start_matches(['\r', '\n']).len()
}

/// The cells without blanks around them, each with the place where it starts in the text. A quote
/// in the middle of a cell can put places off, never the cells.
fn cells_with_places<'a>(
    text: &'a str,
    span: Range<usize>,
    cells: &'a StringRecord,
) -> impl Iterator<Item = (usize, &'a str)> {
    let mut quoted = false;
    let ends_cell = move |&(_, &byte): &(usize, &u8)| {
        quoted ^= byte == b'"';
        byte == b',' && !quoted
    };
    let start = span.start;
    let bytes = text.as_bytes()[span].iter().enumerate();
    let after_commas = bytes.filter(ends_cell).map(move |(comma, _)| start + comma + 1);
    let skip_blanks = |at: usize| text.len() - text[at..].trim_start_matches([' ', '\t']).len();
    let starts = std::iter::once(start).chain(after_commas).map(skip_blanks);
    let starts = starts.chain(std::iter::repeat(start));
    cells.iter().map(str::trim).zip(starts).map(|(cell, at)| (at, cell))
}

fn is_header(cells: &StringRecord) -> bool {
    let corner = cells.get(0).unwrap_or("");
    let others_are_names = !cells.iter().skip(1).any(looks_like_time);
    is_task_word(corner) || (others_are_names && cells.iter().any(|cell| !looks_like_time(cell)))
}

fn is_task_word(cell: &str) -> bool {
    is_one_of(cell, &["task", "tasks"])
}

fn looks_like_time(cell: &str) -> bool {
    let number = cell.trim().trim_start_matches(['+', '-', '.']);
    means_forbidden(cell)
        || number.starts_with(|c: char| c.is_ascii_digit())
        || is_one_of(number, &["inf", "nan"])
}

fn means_forbidden(cell: &str) -> bool {
    is_one_of(cell, &["", "-", "inf", "null"])
}

fn is_one_of(cell: &str, words: &[&str]) -> bool {
    words.iter().any(|word| cell.trim().eq_ignore_ascii_case(word))
}

fn push_row<'a>(
    row: usize,
    cells: impl Iterator<Item = (usize, &'a str)>,
    table: &mut Table,
) -> Result<(), Fault> {
    for (at, cell) in cells {
        if means_forbidden(cell) {
            table.push_forbidden(at)?;
        } else {
            let number =
                Decimal::parse(cell).map_err(|reason| Fault::bad_time(at, cell, reason))?;
            table.push_number(at, number)?;
        }
    }
    table.end_row(row);
    Ok(())
}
