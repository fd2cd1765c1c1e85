//! The R||Cmax text of Fanjul-Peyro and Ruiz: the number of jobs, the number of machines, then one
//! line per job with its times, separated (and followed) by tabs. Blank lines are ignored.

use super::error::{Fault, Problem, offset_in};
use super::hcsp::whole_number;
use super::table::Table;

/// Reads the text.
pub(super) fn read(text: &str) -> Result<Table, Fault> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let tasks = size(text, lines.next(), "the number of jobs alone in the first line")?;
    let hosts = size(text, lines.next(), "the number of machines alone in the second line")?;
    let mut table = Table::default();
    table.width = Some(usize::try_from(hosts).unwrap_or(usize::MAX));
    let mut last = text.trim_end().len();
    for line in lines {
        for value in line.split_ascii_whitespace() {
            table.push(text, value)?;
        }
        last = offset_in(text, line);
        table.end_row(last);
    }
    let (found, expected) = (table.row_count(), tasks);
    if found as u64 != expected {
        return Err(Fault::at(last, Problem::WrongLines { found, expected }));
    }
    Ok(table)
}

fn size(text: &str, line: Option<&str>, what: &'static str) -> Result<u64, Fault> {
    let Some(line) = line else {
        let reason = format!("expected {what}");
        return Err(Fault::at(text.trim_end().len(), Problem::EndsEarly { reason }));
    };
    let number = line.trim();
    whole_number(number).ok_or_else(|| Fault::expected(offset_in(text, number), what, number))
}
