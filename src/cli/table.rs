//! Tables and lines in plain text: columns two spaces apart, no rules, and no wider than the
//! terminal.

use std::io::{self, Write};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Row, Table};

/// The columns of the terminal; `None` where the output goes elsewhere.
pub fn width() -> Option<u16> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0)
}

/// A table without rows. Columns with numbers, counted from 0, are aligned to the right; texts wrap
/// where the terminal ends.
pub fn with_head(head: impl Into<Row>, numbers: impl IntoIterator<Item = usize>) -> Table {
    limited(head, numbers, width())
}

fn limited(
    head: impl Into<Row>,
    numbers: impl IntoIterator<Item = usize>,
    width: Option<u16>,
) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(head);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    for column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
            // Half a number is none.
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

/// Where the values of [`line`]s begin.
const INDENT: usize = 14;

/// A quantity and its value, continued below the value where the terminal ends.
pub fn line(out: &mut dyn Write, what: &str, value: &str) -> io::Result<()> {
    let room = width().map(|width| usize::from(width).saturating_sub(INDENT).max(INDENT));
    for (number, part) in wrapped(value, room.unwrap_or(usize::MAX)).iter().enumerate() {
        let what = if number == 0 { what } else { "" };
        writeln!(out, "{what:<width$} {part}", width = INDENT - 1)?;
    }
    Ok(())
}

/// The text in lines of at most this many characters, cut between words; a longer word is a line.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is one line at least");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= room {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_wrap_between_words() {
        assert_eq!(wrapped("a bc def", 100), ["a bc def"]);
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrapped("a bcdefgh i", 4), ["a", "bcdefgh", "i"]);
        assert_eq!(wrapped("", 4), [""]);
    }

    #[test]
    fn texts_wrap_and_numbers_do_not() {
        let table = |width| {
            let mut table = limited(["host", "load", "tasks"], [1], width);
            table.add_row(["a", "123456789.125", "one two three four five six seven eight nine"]);
            table.to_string()
        };
        assert_eq!(table(None).lines().count(), 2);
        let narrow = table(Some(40));
        assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
        assert!(narrow.lines().count() > 2 && narrow.contains("123456789.125"), "{narrow}");
    }
}
