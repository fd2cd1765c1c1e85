//! Errors in files, as one line: `FILE:LINE:COLUMN: what and which value`.
//!
//! Readers report a byte offset ([`Fault`]); line and column are computed at the end, only for the
//! reported offset. Both count from 1, columns in characters.

use std::fmt;
use std::str::Utf8Error;

use thiserror::Error;

use super::decimal::DecimalError;
use super::note::RoundedTo;
use super::rounding::MIN_DIGITS;
use super::{Format, Kind, MAX_TIMES};
use crate::InstanceError;
use crate::text::{excerpt, on_one_line, without_code};

/// A file that is not an instance. Always printed on one line, whatever the file contains.
///
/// ```
/// let error = gridsat_model::Instance::from_rows([[3, 4], [5, -6]]).unwrap_err();
/// assert_eq!(error.position.map(|at| (at.line, at.column)), Some((2, 3)));
/// ```
#[derive(Debug, Error)]
pub struct ReadError {
    /// The name of the file.
    pub file: String,
    /// The position in the file, if the error has one.
    pub position: Option<Position>,
    /// What is wrong at that position.
    #[source]
    pub problem: Problem,
}

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// What is wrong with a file. Texts from the file are shortened and without control characters.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum Problem {
    #[error("cannot read: {}", without_code(&.0.to_string()))]
    Io(std::io::Error),
    #[error("cannot recognise the format by the file name: use --from json|csv|hcsp|rcmax|pcmax")]
    NoFormat,
    #[error("larger than the limit of {limit} bytes")]
    TooManyBytes { limit: u64 },
    #[error("more than {MAX_TIMES} entries (tasks x hosts)")]
    TooManyTimes,
    #[error("this is {0}, not an instance: {remedy}", remedy = .0.remedy())]
    OtherKind(Kind),
    #[error("{0}")]
    NoMapping(String),
    #[error("not UTF-8 text: invalid byte at offset {offset}")]
    NotUtf8 { offset: usize },
    #[error("not valid UTF-16, although it starts with its byte order mark: save it as UTF-8")]
    NotUtf16,
    #[error("not JSON: {reason} at '{found}'")]
    NotJson { reason: String, found: String },
    #[error("'{found}' is not JSON: write null where the task cannot run")]
    NoJsonNumber { found: String },
    #[error("unexpected end of file: {reason}")]
    EndsEarly { reason: String },
    #[error("a quote is not closed")]
    OpenQuote,
    #[error("expected {what}, found '{found}'")]
    Expected { what: &'static str, found: String },
    #[error("unknown key '{key}' (known: name, etc, tasks, hosts, ready, qos)")]
    UnknownKey { key: String },
    #[error("unknown key '{key}' (known: {known})")]
    UnknownEntry { key: String, known: &'static str },
    #[error("{found} cells, expected {expected} as in the first row")]
    WrongCells { found: usize, expected: usize },
    #[error("key '{key}' appears twice")]
    RepeatedKey { key: String },
    #[error("key 'etc' is missing, or the keys 'tasks' and 'hosts' of lists")]
    NoEtc,
    #[error("'{value}' {reason}")]
    BadTime { value: String, reason: DecimalError },
    #[error("'{value}' {}; if it is a name, use {option}", DecimalError::NotANumber)]
    TimeOrName { value: String, option: &'static str },
    #[error("'{value}' has a comma: write a decimal point, or separate cells by semicolons")]
    CommaInTime { value: String },
    #[error(
        "'{value}' has digit groups: write times without spaces or thousands separators, and \
         separate them by a comma, semicolon or tab"
    )]
    Grouped { value: String },
    #[error(
        "'{value}': some times have a decimal point and others a decimal comma; use one of them"
    )]
    MixedMarks { value: String },
    #[error(
        "'{value}' is too large: in ticks of {decimals} decimals it exceeds 2^62 (use a larger \
         unit, or fewer decimals)"
    )]
    TicksOverflow { value: String, decimals: u8 },
    #[error(
        "'{value}' is too small next to '{largest}': rounding up to {}, which fits, leaves fewer \
         than {MIN_DIGITS} of its digits (--decimals {decimals} rounds anyway)",
        RoundedTo((*decimals).into())
    )]
    TooFewDigits { value: String, largest: String, decimals: u8 },
    #[error("no row starts with 'ready'")]
    NoReadyRow,
    #[error("a second row starts with 'ready'")]
    SecondReadyRow,
    #[error("no row and no column is called 'qos'")]
    NoQos,
    #[error("a second row or column is called 'qos'")]
    SecondQos,
    #[error("{option} is for CSV files only, and this is {format}")]
    OnlyCsv { option: &'static str, format: Format },
    #[error("found {found} times, expected {tasks} x {hosts} = {expected}")]
    WrongTimes { found: usize, tasks: u64, hosts: u64, expected: u128 },
    #[error("found {found} lines of times, expected {expected}")]
    WrongLines { found: usize, expected: u64 },
    #[error("more times than the {expected} that the first line states, or no 0 after them")]
    MoreTimes { expected: usize },
    #[error("{found} {what} in the file, but {option} says {said}")]
    OptionDiffers { found: u64, what: &'static str, option: &'static str, said: usize },
    #[error("the file has its own hosts: a list of hosts needs a list of tasks (task,time)")]
    MatrixHosts,
    #[error("the first line has no sizes: use --tasks and --hosts")]
    NoSizes,
    #[error("{0}")]
    Instance(InstanceError),
}

impl ReadError {
    pub(super) fn new(file: &str, position: Option<Position>, problem: Problem) -> Self {
        let file = on_one_line(file);
        Self { file, position, problem }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(Position { line, column }) = self.position {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.problem)
    }
}

/// A problem and its byte offset in the text.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: Option<usize>,
    pub problem: Problem,
}

impl Fault {
    pub fn at(at: usize, problem: Problem) -> Self {
        Self { at: Some(at), problem }
    }

    pub fn nowhere(problem: Problem) -> Self {
        Self { at: None, problem }
    }

    pub fn expected(at: usize, what: &'static str, found: &str) -> Self {
        let found = excerpt(found);
        Self::at(at, Problem::Expected { what, found })
    }

    pub fn bad_time(at: usize, value: &str, reason: DecimalError) -> Self {
        let value = excerpt(value);
        Self::at(at, Problem::BadTime { value, reason })
    }

    pub fn not_utf8(error: &Utf8Error) -> Self {
        let offset = error.valid_up_to();
        Self::at(offset, Problem::NotUtf8 { offset })
    }

    pub fn in_source(self, file: &str, text: &[u8]) -> ReadError {
        let position = self.at.map(|at| position(text, at));
        ReadError::new(file, position, self.problem)
    }
}

/// The line and column of a byte. Columns count characters.
fn position(text: &[u8], at: usize) -> Position {
    let before = &text[..at.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let lines = before.iter().filter(|&&byte| byte == b'\n').count();
    let starts_char = |byte: &&u8| **byte & 0b1100_0000 != 0b1000_0000;
    let column = before[line_start..].iter().filter(starts_char).count() + 1;
    Position { line: lines + 1, column }
}

/// The offset in `text` of `part`, a slice of it.
pub(super) fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// The word at an offset, for messages.
pub(super) fn word_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("").trim_start_matches('"');
    let end = |c: char| c.is_whitespace() || ",]}\"".contains(c);
    rest.find(end).map_or(rest, |length| &rest[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let text = "äb\ncd\r\n\nx".as_bytes();
        let at = |offset| {
            let Position { line, column } = position(text, offset);
            (line, column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 2));
        assert_eq!(at(4), (2, 1));
        assert_eq!(at(9), (4, 1));
        assert_eq!(at(99), (4, 2));
    }

    #[test]
    fn words_end_where_values_do() {
        assert_eq!(word_at("[1, \"inf\", 25]", 4), "inf");
        assert_eq!(word_at("[1, 25]", 4), "25");
        assert_eq!(word_at("7", 0), "7");
        assert_eq!(word_at("7", 5), "");
    }
}
