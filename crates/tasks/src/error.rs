//! Errors in logs, as one line: `FILE:LINE: what and which value`.

use std::fmt;

use gridsat_model::text::on_one_line;

/// A file that is not a log of tasks. Always printed on one line, whatever the file contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError {
    /// The name of the file; empty if the error is not about one.
    pub file: String,
    /// The line, from 1, if the error has one.
    pub line: Option<u64>,
    /// What is wrong, and with which value.
    pub message: String,
}

impl LogError {
    /// An error about a file as a whole.
    pub fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, message: message.into() }
    }

    /// An error that is not about one file.
    pub fn new(message: impl Into<String>) -> Self {
        Self::of_file("", message)
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}", on_one_line(&self.file))?;
            match self.line {
                Some(line) => write!(f, ":{line}: ")?,
                None => f.write_str(": ")?,
            }
        }
        f.write_str(&on_one_line(&self.message))
    }
}

impl std::error::Error for LogError {}

/// An error in a text whose name the caller adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub line: Option<u64>,
    pub message: String,
}

impl Fault {
    pub fn at(line: u64, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }

    pub fn nowhere(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }

    pub fn in_file(self, file: &str) -> LogError {
        LogError { file: file.to_owned(), line: self.line, message: self.message }
    }
}
