//! Tables with a header, one row per line, whose cells are separated by one character and not
//! quoted: the logs of GNU parallel, Snakemake, Nextflow and `sacct --parsable2`.

use crate::error::Fault;

pub struct Table<'a> {
    names: Vec<&'a str>,
    rows: std::iter::Enumerate<std::str::Lines<'a>>,
    separator: char,
}

/// One row and its line.
pub struct Row<'a> {
    pub line: u64,
    cells: Vec<&'a str>,
}

impl<'a> Table<'a> {
    pub fn new(text: &'a str, separator: char) -> Self {
        let mut rows = text.lines().enumerate();
        let head = rows.by_ref().map(|(_, line)| line).find(|line| !line.trim().is_empty());
        let names = head.unwrap_or_default().split(separator).map(str::trim).collect();
        Self { names, rows, separator }
    }

    /// The place of a column, whatever the case of its name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|found| found.eq_ignore_ascii_case(name))
    }

    /// The place of the first of these columns that is there.
    pub fn one_of(&self, names: &[&str]) -> Result<usize, Fault> {
        let found = names.iter().find_map(|name| self.column(name));
        found.ok_or_else(|| Fault::at(1, format!("no column {}", names.join(" or "))))
    }

    pub fn rows(self) -> impl Iterator<Item = Result<Row<'a>, Fault>> {
        let Self { names, rows, separator } = self;
        let (expected, last) = (names.len(), names.len().saturating_sub(1));
        let rows = rows.filter(|(_, text)| !text.trim().is_empty());
        rows.map(move |(index, text)| {
            let line = index as u64 + 1;
            // What is left belongs to the last column: commands may contain tabs.
            let cells: Vec<&str> = text.splitn(last + 1, separator).collect();
            match cells.len() {
                found if found < expected => {
                    let message = format!("{found} columns, expected {expected}");
                    Err(Fault::at(line, message))
                }
                _ => Ok(Row { line, cells }),
            }
        })
    }
}

impl<'a> Row<'a> {
    pub fn cell(&self, column: usize) -> &'a str {
        self.cells.get(column).map_or("", |cell| cell.trim())
    }

    /// A cell that may be missing or empty.
    pub fn some(&self, column: Option<usize>) -> Option<String> {
        let cell = column.map(|column| self.cell(column)).filter(|cell| !cell.is_empty());
        cell.map(str::to_owned)
    }

    /// The cell as a duration.
    pub fn nanos(
        &self,
        column: usize,
        parse: impl FnOnce(&str) -> Result<u64, String>,
    ) -> Result<u64, Fault> {
        parse(self.cell(column)).map_err(|message| Fault::at(self.line, message))
    }
}
