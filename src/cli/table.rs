//! Tables in plain text: columns two spaces apart, no lines.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Row, Table};

/// A table without rows. Columns with numbers, counted from 0, are aligned to the right.
pub fn with_head(head: impl Into<Row>, numbers: impl IntoIterator<Item = usize>) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(head);
    for column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
