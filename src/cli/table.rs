//! Tables and lines in plain text: columns two spaces apart, without rules, at most as wide as the
//! terminal.

use std::cell::Cell;
use std::io::{self, Write};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Row, Table};
use gridsat_model::text::wrapped;

thread_local! {
    /// Whether what is written now goes to a file.
    static IS_FILE: Cell<bool> = const { Cell::new(false) };
}

/// Writes what goes to a file: tables and lines are as wide as they need.
pub fn for_file<T>(write: impl FnOnce() -> T) -> T {
    let before = IS_FILE.replace(true);
    let written = write();
    IS_FILE.set(before);
    written
}

/// Width of the terminal in columns; `None` if the output is not a terminal.
pub fn width() -> Option<u16> {
    if IS_FILE.get() {
        return None;
    }
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0)
}

/// A table without rows. The columns with these indices, from 0, hold numbers and are aligned to
/// the right; texts wrap at the end of the terminal.
pub fn with_head(head: impl Into<Row>, numbers: impl IntoIterator<Item = usize>) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(head);
    if let Some(width) = width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    for column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
            // Numbers must not wrap.
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

/// A text that continues on the next line where the terminal ends.
pub fn paragraph(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let room = width().map_or(usize::MAX, |width| usize::from(width).max(INDENT));
    wrapped(text, room).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// The column in which the values of [`line`]s begin.
const INDENT: usize = 14;

/// Writes a quantity and its value, wrapped below the value at the end of the terminal.
pub fn line(out: &mut dyn Write, what: &str, value: &str) -> io::Result<()> {
    let room = width().map(|width| usize::from(width).saturating_sub(INDENT).max(INDENT));
    for (number, part) in wrapped(value, room.unwrap_or(usize::MAX)).iter().enumerate() {
        let what = if number == 0 { what } else { "" };
        writeln!(out, "{what:<width$} {part}", width = INDENT - 1)?;
    }
    Ok(())
}
