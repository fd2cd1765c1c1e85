//! Tables and lines in plain text: columns two spaces apart, no rules, and no wider than the
//! terminal.

use std::io::{self, Write};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Row, Table};
use gridsat_model::text::wrapped;

/// The columns of the terminal; `None` where the output goes elsewhere.
pub fn width() -> Option<u16> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0)
}

/// A table without rows. Columns with numbers, counted from 0, are aligned to the right; texts wrap
/// where the terminal ends.
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
