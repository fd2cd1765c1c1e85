//! Comma-separated values: one row per task, one column per host; also with semicolons or tabs.
//!
//! A cell that is empty, or `inf`, `∞`, `x`, `-`, `NA`, `NaN` or `null`, means the task cannot run
//! there. Where cells are not separated by commas, a comma is a decimal mark. With the option for
//! it, the row that starts with `ready` holds the ready times.

use std::borrow::Cow;

use super::decimal::{Decimal, DecimalError};
use super::dialect;
use super::error::{Fault, Problem};
use super::heading::{Heading, is_ready_row, means_forbidden};
use super::records::{Field, Records};
use super::table::{Names, Table, ready_time};
use super::{CsvOptions, Note, Separator};
use crate::text::excerpt;

/// Reads the rows, twice: whether the first column holds names shows only at the end.
pub(super) fn read(text: &str, options: &CsvOptions) -> Result<Table, Fault> {
    let (separator, start) = dialect::detect(text);
    let records = || Records::new(text, start, separator);
    let heading = Heading::of(records(), options)?;
    let mut marks = Marks { separator, comma: false, point: false };
    let mut table = Table::default();
    let mut tasks = heading.index.then(Vec::new);
    let (mut rows, mut row) = (records(), Vec::new());
    let mut has_header = heading.header;
    let mut left = heading.rows;
    while left > 0 && rows.next(&mut row)? {
        left -= 1;
        row.truncate(heading.columns);
        let at = row[0].at;
        if std::mem::take(&mut has_header) {
            let list = row.drain(usize::from(heading.index)..).map(named).collect();
            table.hosts = Some(Names { at, list });
            table.width = table.hosts.as_ref().map(|names| names.list.len());
        } else if options.ready_row && is_ready_row(&row[0].text) {
            let times = row[1..].iter().map(|cell| {
                let number = ready_time(cell.at, &marks.number(&cell.text))?;
                Ok((cell.at, number))
            });
            table.set_ready(at, times.collect::<Result<_, _>>()?);
        } else {
            if let Some(tasks) = &mut tasks {
                tasks.extend(row.drain(..1).map(named));
            }
            for (column, cell) in row.iter().enumerate() {
                let name = name_option(&heading, table.row_count(), column);
                marks.push(cell, name, &mut table)?;
            }
            table.end_row(at);
        }
    }
    if options.ready_row && !table.has_ready() {
        return Err(Fault::nowhere(Problem::NoReadyRow));
    }
    let at = |list: &Vec<(usize, String)>| list.first().map_or(0, |&(at, _)| at);
    table.tasks = tasks.map(|list| Names { at: at(&list), list });
    table.notes.extend(marks.note());
    table.notes.push(heading.note());
    Ok(table)
}

/// The option that would make a name of the cell.
fn name_option(heading: &Heading, row: usize, column: usize) -> Option<&'static str> {
    match (heading.header, heading.index) {
        (false, _) if row == 0 => Some("--header yes"),
        (_, false) if column == 0 => Some("--index yes"),
        _ => None,
    }
}

fn named(cell: Field<'_>) -> (usize, String) {
    (cell.at, cell.text.into_owned())
}

/// Which decimal marks the times have: commas, where something else separates the cells, or points.
struct Marks {
    separator: Separator,
    comma: bool,
    point: bool,
}

impl Marks {
    fn note(&self) -> Option<Note> {
        let (separator, decimal_comma) = (self.separator, self.comma);
        (separator != Separator::Comma).then_some(Note::Dialect { separator, decimal_comma })
    }

    fn push(
        &mut self,
        cell: &Field<'_>,
        name_option: Option<&'static str>,
        table: &mut Table,
    ) -> Result<(), Fault> {
        let text = cell.text.trim();
        if means_forbidden(text) {
            return table.push_forbidden(cell.at);
        }
        let number = Decimal::parse(&self.number(text));
        if self.comma && self.point {
            return Err(Fault::at(cell.at, Problem::MixedMarks { value: excerpt(text) }));
        }
        let fault = |reason| match reason {
            DecimalError::NotANumber => Fault::at(cell.at, self.cause(text, name_option)),
            reason => Fault::bad_time(cell.at, text, reason),
        };
        table.push_number(cell.at, number.map_err(fault)?)
    }

    /// The number with a point for its mark.
    fn number<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        if self.separator == Separator::Comma {
            return Cow::Borrowed(text);
        }
        let (comma, point) = (text.contains(','), text.contains('.'));
        // Both are an error of this cell alone.
        if comma != point {
            self.comma |= comma;
            self.point |= point;
        }
        match comma && !point {
            true => Cow::Owned(text.replace(',', ".")),
            false => Cow::Borrowed(text),
        }
    }

    /// Why this is no time.
    fn cause(&self, text: &str, name_option: Option<&'static str>) -> Problem {
        let value = excerpt(text);
        let is_digit = |c: char| c.is_ascii_digit();
        let is_grouped = |c: char| is_digit(c) || c.is_whitespace() || ".,'’_".contains(c);
        let is_number = text.starts_with(is_digit) && text.chars().all(is_grouped);
        match is_number {
            true if text.contains(',') && self.separator == Separator::Comma => {
                Problem::CommaInTime { value }
            }
            true => Problem::Grouped { value },
            false => match name_option {
                Some(option) => Problem::TimeOrName { value, option },
                None => Problem::BadTime { value, reason: DecimalError::NotANumber },
            },
        }
    }
}
