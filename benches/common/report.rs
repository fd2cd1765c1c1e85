//! Markdown tables for people, and one CSV file for programs.

use std::fmt::Display;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;

/// A Markdown table, printed row by row as it grows.
pub struct Table;

impl Table {
    /// Prints the title and the header.
    pub fn start(title: &str, columns: &[&str]) -> Self {
        println!("\n### {title}\n");
        println!("| {} |", columns.join(" | "));
        println!("|{}", "---|".repeat(columns.len()));
        Self
    }

    /// Prints a row.
    pub fn row(&self, cells: &[String]) {
        println!("| {} |", cells.join(" | "));
    }
}

/// Every measured value: `section,instance,subject,measure,value`, flushed row by row, so that an
/// aborted run leaves a valid file.
pub struct Record(Option<csv::Writer<File>>);

impl Record {
    /// Writes to the file; without a path nothing is written.
    pub fn new(path: Option<&Path>) -> Result<Self> {
        let mut record = Self(path.map(csv::Writer::from_path).transpose()?);
        record.write(["section", "instance", "subject", "measure", "value"])?;
        Ok(record)
    }

    /// Adds one value. Times are in seconds.
    pub fn put(&mut self, place: [&str; 3], measure: &str, value: impl Display) -> Result<()> {
        let [section, instance, subject] = place;
        self.write([section, instance, subject, measure, &value.to_string()])
    }

    fn write(&mut self, row: [&str; 5]) -> Result<()> {
        if let Some(writer) = &mut self.0 {
            writer.write_record(row)?;
            writer.flush()?;
        }
        Ok(())
    }
}

/// Three significant digits, from milliseconds up.
pub fn seconds(time: Duration) -> String {
    let value = time.as_secs_f64();
    match value {
        _ if value >= 100.0 => format!("{value:.0} s"),
        _ if value >= 10.0 => format!("{value:.1} s"),
        _ if value >= 1.0 => format!("{value:.2} s"),
        _ if value >= 0.01 => format!("{:.0} ms", value * 1e3),
        _ => format!("{:.2} ms", value * 1e3),
    }
}
