//! Which cells of a CSV file are names: a first row of hosts, a first column of tasks.
//!
//! Names are distinguished from times by how they look ([`Look`]), so a mistyped number is an error
//! and not a name. The first cell of the file, the corner, decides if it is empty, as pandas writes
//! it, or says `task`: then there are both, whatever they look like. Otherwise
//! - the first row holds host names if it has a name and nothing after the corner looks like a
//!   time;
//! - the first column holds task names if the first cell of every row is a name;
//! - there are both if the corner is a word for a list (`id`, `index`, …), unless that can only
//!   be a task's name.
//!
//! The user's options override all of this. Where the result is ambiguous, because names are
//! numbers or times are 0, 1, 2, …, a note reports the choice.

use super::error::Fault;
use super::records::{Field, Records};
use super::{CsvOptions, Note};

/// The contents of the first row and the first column.
pub(super) struct Heading {
    pub header: bool,
    pub index: bool,
    /// Whether the choice is certain: names and times cannot be confused.
    sure: bool,
    /// Number of rows and columns without empty ones at the end, which spreadsheets leave.
    pub rows: usize,
    pub columns: usize,
}

/// What a cell looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// A number, or a word that is never a name: empty, `-`, `inf`, `∞`, `nan`, `null`.
    Time,
    /// `x` or `NA`: "cannot run" among times, a name among names.
    Either,
    Name,
}

impl Look {
    fn of(cell: &str) -> Self {
        let cell = cell.trim();
        let number = cell.trim_start_matches(['+', '-', '.', ',']);
        let is_time = number.starts_with(|c: char| c.is_ascii_digit())
            || is_one_of(cell, &NO_NAMES)
            || is_one_of(number, &["inf", "nan"]);
        match is_time {
            true => Self::Time,
            false if is_one_of(cell, &EITHER) => Self::Either,
            false => Self::Name,
        }
    }
}

const NO_NAMES: [&str; 7] = ["", "-", "inf", "infinity", "∞", "nan", "null"];
const EITHER: [&str; 3] = ["x", "na", "n/a"];

/// Words in the corner that announce a list of names below.
const LIST_WORDS: [&str; 7] = ["job", "jobs", "id", "index", "name", "names", "unnamed: 0"];

/// Whether the cell means that the task cannot run on the host.
pub(super) fn means_forbidden(cell: &str) -> bool {
    is_one_of(cell, &NO_NAMES) || is_one_of(cell, &EITHER)
}

/// Whether the row or column is the one with levels of service.
pub(super) fn is_qos(name: &str) -> bool {
    is_one_of(name, &["qos"])
}

/// Whether the row is the one with the ready times.
pub(super) fn is_ready_row(first: &str) -> bool {
    is_one_of(first, &["ready"])
}

fn is_one_of(cell: &str, words: &[&str]) -> bool {
    words.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

impl Heading {
    pub fn of(mut records: Records<'_>, options: &CsvOptions) -> Result<Self, Fault> {
        let (mut first_row, mut fields) = (Vec::new(), Vec::new());
        let mut column: Vec<Field<'_>> = Vec::new();
        let (mut rows, mut columns) = (0, 0);
        while records.next(&mut fields)? {
            let last = fields.iter().rposition(|cell| !cell.text.is_empty());
            column.push(fields[0].clone());
            if let Some(last) = last {
                (rows, columns) = (column.len(), columns.max(last + 1));
            }
            if column.len() == 1 {
                first_row = fields.clone();
            }
        }
        column.truncate(rows);
        first_row.truncate(columns);
        let mut column = column.split_off(rows.min(1));
        if options.ready_row {
            column.retain(|cell| !is_ready_row(&cell.text));
        }
        if options.qos {
            column.retain(|cell| !is_qos(&cell.text));
        }
        let (header, index, sure) = decide(&first_row, column, options);
        Ok(Self { header, index, sure, rows, columns })
    }

    pub fn note(&self) -> Note {
        Note::Names { header: self.header, index: self.index, sure: self.sure }
    }
}

/// Whether there is a header, whether there is an index, and whether that is certain; from the
/// first row and the first cells of all other rows.
fn decide(row: &[Field<'_>], column: Vec<Field<'_>>, options: &CsvOptions) -> (bool, bool, bool) {
    let Some((corner, others)) = row.split_first() else {
        return (false, false, true);
    };
    let corner_is = |words| !others.is_empty() && is_one_of(&corner.text, words);
    // A task may be called "job", but then the other tasks have names, too.
    let by_corner = corner_is(&["", "task", "tasks"])
        || (corner_is(&LIST_WORDS) && !(have_times(others) && are_names(&column)));
    let header = options.header.unwrap_or_else(|| {
        let has_name = row.iter().any(|cell| looks(cell) == Look::Name);
        by_corner || (has_name && !have_times(others))
    });
    let column = if header { column } else { [vec![corner.clone()], column].concat() };
    let is_index = || (header && by_corner) || are_names(&column);
    let index = options.index.unwrap_or_else(is_index);
    let names = if index { others } else { row };
    // An empty corner could also mean that the first task cannot run on the first host.
    let by_gap = corner.text.is_empty();
    let is_doubtful = |is_heading, cells: &[Field<'_>]| match is_heading {
        true => by_gap && have_times(cells),
        false => counts(cells),
    };
    let sure = (options.header.is_some() || !is_doubtful(header, names))
        && (options.index.is_some() || !is_doubtful(index, &column));
    (header, index, sure)
}

fn looks(cell: &Field<'_>) -> Look {
    Look::of(&cell.text)
}

fn have_times(cells: &[Field<'_>]) -> bool {
    cells.iter().any(|cell| looks(cell) == Look::Time)
}

/// Whether all cells may be names and at least one certainly is.
fn are_names(cells: &[Field<'_>]) -> bool {
    let is_no_time = |cell| looks(cell) != Look::Time;
    cells.iter().all(is_no_time) && cells.iter().any(|cell| looks(cell) == Look::Name)
}

/// Whether the cells are 0, 1, 2, … or 1, 2, 3, …
fn counts(cells: &[Field<'_>]) -> bool {
    let number = |cell: &Field<'_>| cell.text.parse::<usize>().ok();
    let from = |start: usize| (start..).zip(cells).all(|(n, cell)| number(cell) == Some(n));
    cells.len() > 1 && (from(0) || from(1))
}
