//! Reading of traces, line by line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::decimal::Decimal;
use super::error::{Problem, SwfError};
use super::fields::{Rules, first_usual};
use super::header::Header;
use super::record::Record;

/// Longest line accepted, in bytes: hundreds of times what any trace has.
const LONGEST_LINE: u64 = 1 << 20;
/// Largest number of header lines kept.
const LONGEST_HEADER: usize = 1 << 20;

/// Bytes read at once: lines across two pieces take longer.
const AT_ONCE: usize = 1 << 16;

/// The decompressed text of a file.
pub type Input = Box<dyn BufRead + Send>;

/// A line after the header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "almost all entries are jobs, and none is kept")]
pub enum Line {
    /// A comment after the header, including its `;`.
    Comment(Vec<u8>),
    /// A job.
    Job(Record),
}

/// Iterator over the jobs of a trace, in order; ends after the first error.
pub struct Reader<R> {
    input: R,
    rules: Rules,
    header: Header,
    file: String,
    line: u64,
    buffer: Vec<u8>,
    /// The line after the header, which was read to find the header's end.
    first: Option<Line>,
    /// The job that [`Reader::advance`] found.
    record: Record,
    /// Submit time of the latest job.
    latest: Option<Decimal>,
    is_done: bool,
}

impl Reader<Input> {
    /// Opens a file. Compression by gzip is recognised by the first bytes, not by the name.
    pub fn open(path: &Path, rules: Rules) -> Result<Self, SwfError> {
        let name = path.display().to_string();
        let input =
            File::open(path).and_then(|file| unpacked(BufReader::with_capacity(AT_ONCE, file)));
        Self::new(input.map_err(|error| Problem::Io(error).at(&name, None))?, &name, rules)
    }
}

/// Marks a problem that only the stricter rules report.
fn strict(problem: Problem, line: &[u8]) -> Problem {
    match Record::parse(line, Rules::Lenient) {
        Ok(_) => Problem::Strict(Box::new(problem)),
        Err(_) => problem,
    }
}

/// Decompresses the input if it is compressed.
fn unpacked(mut input: impl BufRead + Send + 'static) -> io::Result<Input> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let is_packed = input.fill_buf()?.starts_with(&GZIP);
    if is_packed {
        return Ok(Box::new(BufReader::new(MultiGzDecoder::new(input))));
    }
    Ok(Box::new(input))
}

impl<R: BufRead> Reader<R> {
    /// Reads the header; messages use this file name.
    pub fn new(input: R, file: &str, rules: Rules) -> Result<Self, SwfError> {
        let (header, file) = (Header::new(file), file.to_owned());
        let mut reader = Self {
            input,
            rules,
            header,
            file,
            line: 0,
            buffer: Vec::new(),
            first: None,
            record: Record::default(),
            latest: None,
            is_done: false,
        };
        let read = reader.read_header();
        read.map_err(|problem| reader.here(problem))?;
        Ok(reader)
    }

    /// The comments before the first job.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next job or comment; `None` at the end.
    pub fn entry(&mut self) -> Result<Option<Line>, SwfError> {
        if let Some(entry) = self.first.take() {
            return Ok(Some(entry));
        }
        if self.is_done {
            return Ok(None);
        }
        let entry = self.read_entry();
        self.is_done = !matches!(entry, Ok(Some(_)));
        entry.map_err(|problem| self.here(problem))
    }

    /// The next job, in memory of the reader; `None` at the end.
    pub(super) fn advance(&mut self) -> Result<Option<&Record>, SwfError> {
        match self.next_usual() {
            Err(problem) => {
                self.is_done = true;
                return Err(self.here(problem));
            }
            Ok(true) => return Ok(Some(&self.record)),
            Ok(false) => {}
        }
        loop {
            match self.entry()? {
                None => return Ok(None),
                Some(Line::Comment(_)) => {}
                Some(Line::Job(record)) => {
                    self.record = record;
                    return Ok(Some(&self.record));
                }
            }
        }
    }

    /// Reads the next line if it is completely in the buffer of the input and as lines usually are;
    /// neither copies nor searches it first.
    #[inline]
    fn next_usual(&mut self) -> Result<bool, Problem> {
        if self.first.is_some() || self.is_done {
            return Ok(false);
        }
        let text = self.input.fill_buf()?;
        let Some(length) = first_usual(text, &mut self.record) else { return Ok(false) };
        self.input.consume(length);
        self.line += 1;
        let (submit, rules) = (self.record.submit, self.rules);
        check_order(&mut self.latest, submit, rules).map(|()| true)
    }

    fn read_header(&mut self) -> Result<(), Problem> {
        for _ in 0..=LONGEST_HEADER {
            match self.read_entry()? {
                Some(Line::Comment(comment)) => self.header.comment(comment, self.line),
                other => {
                    self.is_done = other.is_none();
                    self.first = other;
                    return Ok(());
                }
            }
        }
        Err(Problem::LongHeader { limit: LONGEST_HEADER })
    }

    fn read_entry(&mut self) -> Result<Option<Line>, Problem> {
        while self.read_line()? {
            let text = self.buffer.trim_ascii_start();
            match text.first() {
                None => {}
                Some(b';') => return Ok(Some(Line::Comment(without_end(text).to_vec()))),
                Some(_) => {
                    let record = Record::parse(text, self.rules);
                    let record = record.map_err(|problem| strict(problem, text))?;
                    check_order(&mut self.latest, record.submit, self.rules)?;
                    return Ok(Some(Line::Job(record)));
                }
            }
        }
        Ok(None)
    }

    /// Reads the next line; false at the end.
    fn read_line(&mut self) -> Result<bool, Problem> {
        self.line += 1;
        self.buffer.clear();
        let mut limited = self.input.by_ref().take(LONGEST_LINE + 1);
        let length = limited.read_until(b'\n', &mut self.buffer)?;
        if length as u64 > LONGEST_LINE {
            return Err(Problem::LongLine { limit: LONGEST_LINE });
        }
        Ok(length > 0)
    }

    fn here(&self, problem: Problem) -> SwfError {
        problem.at(&self.file, Some(self.line))
    }
}

/// Checks that jobs are in order of submission; `latest` is the time of the job before.
#[inline]
fn check_order(
    latest: &mut Option<Decimal>,
    submit: Option<Decimal>,
    rules: Rules,
) -> Result<(), Problem> {
    let (Some(submit), Rules::Archive) = (submit, rules) else { return Ok(()) };
    match latest.replace(submit) {
        Some(before) if submit < before => {
            Err(Problem::Order { submit: submit.to_string(), before: before.to_string() })
        }
        _ => Ok(()),
    }
}

/// The line without line feed and carriage returns at its end. If one of several carriage returns
/// were left, a comment would lose another each time it is written and read.
fn without_end(mut line: &[u8]) -> &[u8] {
    while let Some(shorter) = line.strip_suffix(b"\n").or_else(|| line.strip_suffix(b"\r")) {
        line = shorter;
    }
    line
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, SwfError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.entry().transpose()? {
                Ok(Line::Comment(_)) => {}
                Ok(Line::Job(record)) => return Some(Ok(record)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
