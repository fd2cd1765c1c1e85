//! Errors in a trace, in one line: `FILE:LINE: problem and value`.

use gridsat_model::text::excerpt;
use std::fmt;
use std::io;

use thiserror::Error;

use super::fields::FIELDS;

/// An error that stops the reading of a trace.
#[derive(Debug, Error)]
pub struct SwfError {
    /// Name of the file.
    pub file: String,
    /// Line number, from 1; `None` if the error concerns no particular line.
    pub line: Option<u64>,
    /// What is wrong.
    #[source]
    pub problem: Problem,
}

/// What is wrong. Texts from the file are shortened, with control characters replaced.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum Problem {
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    #[error("longer than the limit of {limit} bytes per line")]
    LongLine { limit: u64 },
    #[error("the header has more than {limit} lines")]
    LongHeader { limit: usize },
    #[error("{found} fields, expected {expected}", expected = FIELDS.len())]
    Fields { found: usize },
    #[error("{name} is '{value}', not {expected}")]
    Value { name: String, value: String, expected: &'static str },
    /// An error only under the rules of the archive; the lenient rules accept it.
    #[error("{0}; --lenient accepts it (in a scenario: lenient = true in [jobs])")]
    Strict(Box<Problem>),
    #[error("submit time is {submit}, before that of the previous job, {before}")]
    Order { submit: String, before: String },
}

impl fmt::Display for SwfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.problem)
    }
}

impl Problem {
    /// A field or directive with an invalid value.
    pub(super) fn value(name: &str, value: &[u8], expected: &'static str) -> Self {
        let value = excerpt(&String::from_utf8_lossy(value));
        Self::Value { name: excerpt(name), value, expected }
    }

    /// The error with file and line.
    pub(super) fn at(self, file: &str, line: Option<u64>) -> SwfError {
        SwfError { file: file.to_owned(), line, problem: self }
    }
}
