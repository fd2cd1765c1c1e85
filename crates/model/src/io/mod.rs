//! Instance files: five text formats read into, and written from, [`Instance`].
//!
//! | format | file names | text |
//! |---|---|---|
//! | `json` | `*.json` | the canonical object: a matrix, or lists of tasks and hosts |
//! | `csv` | `*.csv`, `*.tsv` | one row per task; header of hosts and column of tasks are optional |
//! | `hcsp` | `*.0`, `*.etc`, `*.hcsp`, `*.u_c_hihi`, … | `n m`, then one value per line |
//! | `rcmax` | `*.txt`, `*.rcmax` | `n`, `m`, then one line per job |
//! | `pcmax` | starts with `p p_cmax` | `p p_cmax n m`, then one time per task, for equal hosts |
//!
//! Plain JSON and CSV are streamed into the instance (`plain`). Every other text, whether unusual
//! or wrong, goes to the reader of its format, which turns it into a table of cells, each with its
//! decimal and its position in the text; one function builds the instance from it. So checks and
//! messages are the same for all formats, and line and column are computed only for an error.
//! [Notes](Instance::notes) say what a reader assumed or changed.
//!
//! Input is not trusted: at most [`MAX_BYTES`] are read and at most [`MAX_TIMES`] times kept, no
//! memory is allocated because a header asks for it, and nothing recurses. Not here: decompression.

mod assignment;
mod builder;
mod csv;
mod decimal;
mod dialect;
mod encoding;
mod error;
mod format;
mod hcsp;
mod heading;
mod host_list;
mod json;
mod kind;
mod levels;
mod lists;
mod mapping;
mod note;
mod pcmax;
mod plain;
mod quotients;
mod rcmax;
mod ready;
mod records;
mod rounding;
mod rows;
mod speed;
mod table;
mod write;
mod write_lists;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use assignment::{AssignmentError, numbers_of, read_assignment};
pub use builder::InstanceBuilder;
pub use decimal::{DecimalError, ticks_at_most};
pub use dialect::Separator;
pub use encoding::Encoding;
pub use error::{Position, Problem, ReadError};
pub use format::{Format, UnknownFormat};
pub use host_list::HostList;
pub use kind::Kind;
pub use mapping::{parse_mapping, read_mapping};
pub use note::Note;
pub use ready::ReadyTimes;
pub use rounding::Precision;
pub use rows::EtcValue;
pub use write::{
    WriteError, check_names, write, write_csv, write_hcsp, write_json, write_pcmax, write_rcmax,
};
pub use write_lists::{write_host_list, write_task_list};

use crate::Instance;
use error::Fault;

/// Largest file, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;

/// Largest number of times (tasks × hosts) in a file. Reading takes at most 16 bytes per time and
/// the instance 8 more, so this bounds the memory whatever the file says.
pub const MAX_TIMES: usize = 1 << 26;

/// Options for reading a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; `None` to recognise it by the file name.
    pub format: Option<Format>,
    /// The number of tasks, where the file does not state it; compared where it does.
    pub tasks: Option<usize>,
    /// The number of hosts, where the file does not state it; compared where it does.
    pub hosts: Option<usize>,
    /// Hosts for a list of tasks, in place of those in the file.
    pub host_list: Option<HostList>,
    /// What happens to times with more digits than ticks can hold.
    pub precision: Precision,
    /// Ready times that replace those in the file.
    pub ready: Option<ReadyTimes>,
    /// The layout of a CSV file.
    pub csv: CsvOptions,
}

/// The layout of a CSV file. A field that is `None` is recognised from the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvOptions {
    /// Whether the first row holds host names.
    pub header: Option<bool>,
    /// Whether the first column holds task names.
    pub index: Option<bool>,
    /// Whether the row that starts with `ready` holds the ready times.
    pub ready_row: bool,
    /// Whether the row and the column `qos` hold levels of service.
    pub qos: bool,
}

impl CsvOptions {
    /// The name of the first option that is set.
    fn given(&self) -> Option<&'static str> {
        let Self { header, index, ready_row, qos } = *self;
        let all = [
            ("--header", header.is_some()),
            ("--index", index.is_some()),
            ("--ready-row", ready_row),
            ("--qos", qos),
        ];
        all.into_iter().find(|&(_, is_given)| is_given).map(|(name, _)| name)
    }
}

/// Reads the instance in a file, or on standard input if the path is `-`.
pub fn read_file(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Instance, ReadError> {
    let path = path.as_ref();
    match plain::read_file(path, options) {
        Some(instance) => Ok(instance),
        None => parse_file(path, &read_bytes(path)?, options),
    }
}

/// Reads the instance in the bytes of a file, whose path names it and may tell its format.
pub fn parse_file(path: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Instance, ReadError> {
    let source = shown_name(path);
    let fail = |problem| ReadError::new(&source, None, problem);
    // No other format starts with a brace.
    let is_json = || bytes.trim_ascii_start().starts_with(b"{").then_some(Format::Json);
    let is_pcmax = || pcmax::is_start(bytes).then_some(Format::Pcmax);
    let by_name = || Format::of_file(path);
    let format = options.format.or_else(is_pcmax).or_else(by_name).or_else(is_json);
    let no_format = || fail(Kind::of(bytes).map_or(Problem::NoFormat, Problem::OtherKind));
    parse(bytes, &source, format.ok_or_else(no_format)?, options)
}

/// Reads an instance from bytes. `source` is their name in error messages, and the name of the
/// instance if the text has none.
pub fn parse(
    bytes: &[u8],
    source: &str,
    format: Format,
    options: &ReadOptions,
) -> Result<Instance, ReadError> {
    match plain::read(bytes, source, format, options) {
        Some(instance) => Ok(instance),
        None => parse_carefully(bytes, source, format, options),
    }
}

fn parse_carefully(
    bytes: &[u8],
    source: &str,
    format: Format,
    options: &ReadOptions,
) -> Result<Instance, ReadError> {
    let blame = |fault: Fault, text: &[u8]| match Kind::of(text) {
        None | Some(Kind::Instance) => fault.in_source(source, text),
        Some(kind) => ReadError::new(source, None, Problem::OtherKind(kind)),
    };
    let decoded = encoding::decode(bytes, format);
    let (text, encoding) = decoded.map_err(|fault| blame(fault, bytes))?;
    let read = || {
        let mut table = table(&text, format, options)?;
        table.notes.splice(..0, encoding.map(Note::Encoding));
        table.into_instance(&text, format::instance_name(source), options)
    };
    read().map_err(|fault| blame(fault, text.as_bytes()))
}

fn table(text: &str, format: Format, options: &ReadOptions) -> Result<table::Table, Fault> {
    if let Some(option) = options.csv.given().filter(|_| format != Format::Csv) {
        return Err(Fault::nowhere(Problem::OnlyCsv { option, format }));
    }
    match format {
        Format::Json => json::read(text, options),
        Format::Csv => csv::read(text, &options.csv),
        Format::Hcsp => hcsp::read(text, options),
        Format::Rcmax => rcmax::read(text),
        Format::Pcmax => pcmax::read(text, options),
    }
}

/// Opens a file, or standard input if the path is `-`.
pub fn open(path: &Path) -> std::io::Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    Ok(Box::new(File::open(path)?))
}

/// The name of a file in messages.
pub fn shown_name(path: &Path) -> String {
    if path == Path::new("-") { "stdin".to_owned() } else { path.to_string_lossy().into_owned() }
}

/// The bytes of a file, or of standard input if the path is `-`; at most [`MAX_BYTES`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let bytes = open(path).map_err(Problem::Io).and_then(|file| read_at_most(file, MAX_BYTES));
    bytes.map_err(|problem| ReadError::new(&shown_name(path), None, problem))
}

/// Reads at most one byte beyond the limit, to detect a larger file.
fn read_at_most(input: impl Read, limit: u64) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes).map_err(Problem::Io)?;
    if bytes.len() as u64 > limit {
        return Err(Problem::TooManyBytes { limit });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_reading_just_past_the_limit() {
        let endless = std::io::repeat(b'[');
        let error = read_at_most(endless, 1000).expect_err("endless");
        assert_eq!(error.to_string(), "larger than the limit of 1000 bytes");
        assert_eq!(read_at_most(&b"[1]"[..], 3).expect("fits"), b"[1]");
    }
}
