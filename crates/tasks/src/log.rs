//! One log: measurements in the order of the file.

use std::path::Path;

use gridsat_model::io;

use crate::error::Fault;
use crate::{Format, LogError};
use crate::{durations, hyperfine, joblog, junit, list, nextflow, sacct, snakemake};

/// The program that wrote a report, where it decides how tests are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// pytest, whose tests have node ids.
    Pytest,
    /// cargo-nextest, whose tests are a binary and a path.
    Nextest,
    /// Playwright, whose tests are a project, a file and titles.
    Playwright,
    /// Any other, or none.
    Other,
}

/// One measurement of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The task's name, equal for all measurements of it.
    pub name: String,
    /// Nanoseconds; `None` if the log names the task without a time.
    pub nanos: Option<u64>,
    /// What the task is part of: the file, class or binary of a test, or a column `group`.
    pub group: Option<String>,
    /// The command that runs the task, if the log has it.
    pub command: Option<String>,
    /// The machine on which it ran, if the log has it.
    pub host: Option<String>,
    /// Whether it ended well; failed runs count only for tasks that have no other.
    pub succeeded: bool,
}

impl Record {
    /// A successful measurement without anything else.
    pub fn new(name: impl Into<String>, nanos: u64) -> Self {
        Self {
            name: name.into(),
            nanos: Some(nanos),
            group: None,
            command: None,
            host: None,
            succeeded: true,
        }
    }
}

/// A log that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The name of the file.
    pub source: String,
    /// The format in which the log was read, given or recognised.
    pub format: Format,
    /// The test runner that wrote it.
    pub runner: Runner,
    /// The measurements, in the order of the file; at least one.
    pub records: Vec<Record>,
}

impl Log {
    /// Reads a file, or standard input if the path is `-`; by its content, unless a format is
    /// given.
    pub fn read(path: &Path, format: Option<Format>) -> Result<Self, LogError> {
        let source = io::shown_name(path);
        let bytes = io::read_bytes(path);
        let bytes = bytes.map_err(|error| LogError::of_file(&source, error.problem.to_string()))?;
        Self::parse(&bytes, &source, format)
    }

    /// Reads the bytes of a file; `source` is its name, in messages and where a log does not name
    /// its task.
    pub fn parse(bytes: &[u8], source: &str, format: Option<Format>) -> Result<Self, LogError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let offset = error.valid_up_to();
            LogError::of_file(source, format!("not UTF-8 text: invalid byte at offset {offset}"))
        })?;
        let text = text.trim_start_matches('\u{feff}');
        let format = match format.or_else(|| Format::of(text)) {
            Some(format) => format,
            None => return Err(LogError::of_file(source, not_recognised(text))),
        };
        let log = read(text, source, format).map_err(|fault| fault.in_file(source))?;
        let (runner, records) = log;
        if records.is_empty() {
            return Err(LogError::of_file(source, "contains no tasks"));
        }
        Ok(Self { source: source.to_owned(), format, runner, records })
    }
}

fn not_recognised(text: &str) -> String {
    let syntax = text.trim_start().starts_with(['{', '[']).then(|| crate::json::syntax(text));
    match syntax.flatten() {
        Some(message) => message,
        None => {
            let names = Format::ALL.map(Format::name).join("|");
            format!("cannot recognise the format by its content: use --from {names}")
        }
    }
}

fn read(text: &str, source: &str, format: Format) -> Result<(Runner, Vec<Record>), Fault> {
    let other = |records| (Runner::Other, records);
    match format {
        Format::Junit => junit::read(text),
        Format::PytestSplit => Ok((Runner::Pytest, durations::read(text)?)),
        Format::Joblog => joblog::read(text).map(other),
        Format::Hyperfine => hyperfine::read(text).map(other),
        Format::Snakemake => snakemake::read(text, source).map(other),
        Format::Nextflow => nextflow::read(text).map(other),
        Format::Sacct => sacct::read(text).map(other),
        Format::List => list::read(text).map(other),
    }
}
