//! Keeps characters that command a terminal out of what is printed.
//!
//! Names come from files that anyone may have written. In tables and CSV such a character becomes
//! `�`; in JSON it is escaped, so that every reader gets it back. Line breaks and tabulators stay.
//! `--csv-safe` also keeps spreadsheets from taking a name for a formula.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use gridsat_model::text::is_unsafe;

use super::args::Format;

/// What a text is, and so what may be changed in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// For people.
    Text,
    /// Characters may be escaped.
    Json,
    /// Cells that begin like a formula are neutralised with `--csv-safe`.
    Csv,
    /// For programs that need every character.
    Exact,
}

impl From<Format> for Shown {
    fn from(format: Format) -> Self {
        match format {
            Format::Table => Self::Text,
            Format::Json | Format::Jsonl => Self::Json,
            Format::Csv => Self::Csv,
        }
    }
}

/// Whether `--csv-safe` was given.
static CSV_SAFE: AtomicBool = AtomicBool::new(false);

/// Neutralises formulas in all CSV from now on.
pub fn neutralise_formulas() {
    CSV_SAFE.store(true, Ordering::Relaxed);
}

/// Writes what `fill` writes, without the characters that the kind of text does not allow.
pub fn write(
    out: &mut dyn Write,
    shown: Shown,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if shown == Shown::Exact {
        return fill(out);
    }
    let mut plain = Plain { out, shown, rest: Vec::new() };
    if shown == Shown::Csv && CSV_SAFE.load(Ordering::Relaxed) {
        let mut text = Vec::new();
        fill(&mut text)?;
        without_formulas(&text, &mut plain)?;
    } else {
        fill(&mut plain)?;
    }
    plain.finish()
}

/// Copies CSV with an apostrophe before each cell that a spreadsheet would calculate. Numbers keep
/// their sign.
fn without_formulas(text: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(out);
    for record in reader.records() {
        let record = record.map_err(io::Error::other)?;
        writer.write_record(record.iter().map(|cell| match is_formula(cell) {
            true => format!("'{cell}"),
            false => cell.to_owned(),
        }))?;
    }
    writer.flush()
}

fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err()
}

/// A writer that replaces characters.
struct Plain<'a> {
    out: &'a mut dyn Write,
    shown: Shown,
    /// The start of a character whose end is not yet written.
    rest: Vec<u8>,
}

impl Plain<'_> {
    fn finish(mut self) -> io::Result<()> {
        if !self.rest.is_empty() {
            self.rest.clear();
            self.out.write_all("\u{fffd}".as_bytes())?;
        }
        self.out.flush()
    }

    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let mut text = String::with_capacity(all.len());
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            chunk.valid().chars().for_each(|c| self.push(&mut text, c));
            let is_start = std::str::from_utf8(chunk.invalid())
                .is_err_and(|error| error.error_len().is_none());
            if chunks.peek().is_none() && is_start {
                self.rest = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                text.push('\u{fffd}');
            }
        }
        self.out.write_all(text.as_bytes())
    }

    fn push(&self, text: &mut String, c: char) {
        match (is_unsafe(c) && !matches!(c, '\n' | '\t'), self.shown) {
            (false, _) => text.push(c),
            (true, Shown::Json) => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            (true, _) => text.push('\u{fffd}'),
        }
    }
}

impl Write for Plain<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = |&byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if self.rest.is_empty() && bytes.iter().all(is_plain) {
            self.out.write_all(bytes)?;
        } else {
            self.replace(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
