//! Comma-separated values: one row per task, one column per host; also with semicolons or tabs.
//!
//! A cell that is empty, or `inf`, `∞`, `x`, `-`, `NA`, `NaN` or `null`, means the task cannot
//! run there. Where cells are not separated by commas, a comma is a decimal mark. With the option
//! for it, the row that starts with `ready` holds the ready times; with another option, the row
//! `qos` holds the levels of service of the hosts and the column `qos` those of the tasks.

use std::borrow::Cow;

use super::decimal::{Decimal, DecimalError};
use super::dialect;
use super::error::{Fault, Problem};
use super::heading::{Heading, is_qos, is_ready_row, means_forbidden};
use super::levels::{LevelList, read_level};
use super::records::{Field, Records};
use super::table::{Names, Table, ready_time};
use super::{CsvOptions, Note, Separator};
use crate::text::excerpt;

/// Reads the rows twice, because only the last row shows whether the first column holds names.
pub(super) fn read(text: &str, options: &CsvOptions) -> Result<Table, Fault> {
    let (separator, start) = dialect::detect(text);
    let records = || Records::new(text, start, separator);
    let heading = Heading::of(records(), options)?;
    let marks = Marks { separator, comma: false, point: false };
    let (table, tasks) = (Table::default(), Vec::new());
    let mut reader = Reader { heading, marks, table, tasks, qos: None };
    let (mut rows, mut row) = (records(), Vec::new());
    for number in 0..reader.heading.rows {
        rows.next(&mut row)?;
        row.truncate(reader.heading.columns);
        if number == 0 && reader.heading.header {
            if options.qos {
                reader.find_qos(&mut row)?;
            }
            reader.hosts(&mut row);
        } else if options.qos && is_qos(&row[0].text) {
            reader.host_levels(&mut row)?;
        } else if options.ready_row && is_ready_row(&row[0].text) {
            reader.ready(&mut row)?;
        } else {
            reader.task(&mut row)?;
        }
    }
    if options.ready_row && !reader.table.has_ready() {
        return Err(Fault::nowhere(Problem::NoReadyRow));
    }
    let levels = &reader.table.levels;
    if options.qos && levels.tasks.is_none() && levels.hosts.is_none() {
        return Err(Fault::nowhere(Problem::NoQos));
    }
    Ok(reader.finish())
}

/// The layout of the file, and the table read so far.
struct Reader {
    heading: Heading,
    marks: Marks,
    table: Table,
    tasks: Vec<(usize, String)>,
    /// The column with the levels of tasks.
    qos: Option<usize>,
}

impl Reader {
    fn hosts(&mut self, row: &mut Vec<Field<'_>>) {
        let at = row[0].at;
        let list: Vec<_> = row.drain(usize::from(self.heading.index)..).map(named).collect();
        let has_qos = list.iter().any(|(_, name)| is_qos(name));
        self.table.notes.extend(has_qos.then_some(Note::QosName));
        self.table.width = Some(list.len());
        self.table.hosts = Some(Names { at, list });
    }

    fn ready(&mut self, row: &mut Vec<Field<'_>>) -> Result<(), Fault> {
        let at = row[0].at;
        self.take_qos(row);
        if self.table.has_ready() {
            return Err(Fault::at(at, Problem::SecondReadyRow));
        }
        let time = |cell: &Field<'_>| {
            Ok((cell.at, ready_time(cell.at, &self.marks.number(cell.text.trim()))?))
        };
        let times = row[1..].iter().map(time).collect::<Result<_, _>>()?;
        self.table.set_ready(at, times);
        Ok(())
    }

    /// Finds the column with the levels of tasks.
    fn find_qos(&mut self, row: &mut Vec<Field<'_>>) -> Result<(), Fault> {
        let mut named = (0..row.len()).filter(|&column| is_qos(&row[column].text));
        self.qos = named.next();
        if let Some(second) = named.next() {
            return Err(Fault::at(row[second].at, Problem::SecondQos));
        }
        if let Some(cell) = self.take_qos(row) {
            self.table.levels.tasks = Some(LevelList { at: cell.at, levels: Vec::new() });
        }
        Ok(())
    }

    /// Removes the cell of that column from a row.
    fn take_qos<'a>(&self, row: &mut Vec<Field<'a>>) -> Option<Field<'a>> {
        self.qos.filter(|&column| column < row.len()).map(|column| row.remove(column))
    }

    fn host_levels(&mut self, row: &mut Vec<Field<'_>>) -> Result<(), Fault> {
        let at = row[0].at;
        if self.table.levels.hosts.is_some() {
            return Err(Fault::at(at, Problem::SecondQos));
        }
        self.take_qos(row);
        let level = |cell: &Field<'_>| read_level(cell.at, cell.text.trim());
        let levels = row[1..].iter().map(level).collect::<Result<_, _>>()?;
        self.table.levels.hosts = Some(LevelList { at, levels });
        Ok(())
    }

    fn task(&mut self, row: &mut Vec<Field<'_>>) -> Result<(), Fault> {
        let at = row[0].at;
        if let (Some(cell), Some(list)) = (self.take_qos(row), &mut self.table.levels.tasks) {
            list.levels.push(read_level(cell.at, cell.text.trim())?);
        }
        if self.heading.index {
            self.table.notes.extend(is_qos(&row[0].text).then_some(Note::QosName));
            self.table.notes.extend(is_ready_row(&row[0].text).then_some(Note::ReadyTask));
            self.tasks.extend(row.drain(..1).map(named));
        }
        for (column, cell) in row.iter().enumerate() {
            let name_option = self.name_option(column);
            self.marks.push(cell, name_option, &mut self.table)?;
        }
        self.table.end_row(at);
        Ok(())
    }

    /// The option that would make the cell in this column of the current row a name.
    fn name_option(&self, column: usize) -> Option<&'static str> {
        let Heading { header, index, .. } = self.heading;
        match (header, index) {
            (false, _) if self.table.row_count() == 0 => Some("--header yes"),
            (_, false) if column == 0 => Some("--index yes"),
            _ => None,
        }
    }

    fn finish(self) -> Table {
        let Self { heading, marks, mut table, tasks, .. } = self;
        let at = tasks.first().map_or(0, |&(at, _)| at);
        table.tasks = heading.index.then_some(Names { at, list: tasks });
        table.notes.extend(marks.note());
        table.notes.push(heading.note());
        table
    }
}

fn named(cell: Field<'_>) -> (usize, String) {
    (cell.at, cell.text.into_owned())
}

/// The decimal marks of the times: commas, where another character separates the cells, or points.
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

    /// The number with a point as decimal mark.
    fn number<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        if self.separator == Separator::Comma {
            return Cow::Borrowed(text);
        }
        let (comma, point) = (text.contains(','), text.contains('.'));
        // A cell with both marks is an error of this cell alone.
        if comma != point {
            self.comma |= comma;
            self.point |= point;
        }
        match comma && !point {
            true => Cow::Owned(text.replace(',', ".")),
            false => Cow::Borrowed(text),
        }
    }

    /// Why the text is not a time.
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
