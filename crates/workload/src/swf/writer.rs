//! Writing of traces, line by line.

use std::io::{self, Write};

use super::header::Header;
use super::reader::Line;
use super::record::Record;

/// Writes a trace. The output should be buffered, because it is written in small pieces.
pub struct Writer<W> {
    out: W,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    pub fn new(out: W, header: &Header) -> io::Result<Self> {
        let mut writer = Self { out };
        header.comments().try_for_each(|comment| writer.line(comment))?;
        Ok(writer)
    }

    /// Writes a job.
    pub fn job(&mut self, record: &Record) -> io::Result<()> {
        writeln!(self.out, "{record}")
    }

    /// Writes a line that a reader has read.
    pub fn entry(&mut self, entry: &Line) -> io::Result<()> {
        match entry {
            Line::Comment(comment) => self.line(comment),
            Line::Job(record) => self.job(record),
        }
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn line(&mut self, text: &[u8]) -> io::Result<()> {
        self.out.write_all(text)?;
        self.out.write_all(b"\n")
    }
}
