//! Instance files: four text formats read into, and written from, [`Instance`].
//!
//! | format | file names | text |
//! |---|---|---|
//! | `json` | `*.json` | the canonical object, see `instances/README.md` |
//! | `csv` | `*.csv` | one row per task; optional header of hosts and first column of tasks |
//! | `hcsp` | `*.0`, `*.etc`, `*.hcsp`, `*.u_c_hihi` and the like | `n m`, then a value a line |
//! | `rcmax` | `*.txt`, `*.rcmax` | `n`, `m`, then a line a job |
//!
//! Every reader turns text into a table of cells, each with its exact decimal and its place in the
//! text; one function makes the instance of it. So the checks and their messages are the same for
//! all formats, and a position is computed only when there is something to complain about.
//!
//! Input is not trusted: at most [`MAX_BYTES`] are read and at most [`MAX_TIMES`] times kept,
//! nothing is allocated because a header says so, and nothing recurses. Not here: decompression.

mod csv;
mod decimal;
mod error;
mod format;
mod hcsp;
mod json;
mod rcmax;
mod rows;
mod table;
mod write;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use decimal::{DecimalError, ticks_at_most};
pub use error::{Position, Problem, ReadError};
pub use format::{Format, UnknownFormat};
pub use rows::EtcValue;
pub use write::{WriteError, write, write_csv, write_hcsp, write_json, write_rcmax};

use crate::Instance;
use error::Fault;

/// The most bytes a file may have.
pub const MAX_BYTES: u64 = 1 << 30;

/// The most times (tasks × hosts) a file may have. With 16 bytes a time while reading and as many
/// while building, this bounds the memory whatever the file says.
pub const MAX_TIMES: usize = 1 << 26;

/// What the user says about a file beyond its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; `None` to tell it from the file name.
    pub format: Option<Format>,
    /// The number of tasks, where the file does not say; checked where it does.
    pub tasks: Option<usize>,
    /// The number of hosts, where the file does not say; checked where it does.
    pub hosts: Option<usize>,
}

/// Reads the instance in a file, or on standard input if the path is `-`.
pub fn read_file(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Instance, ReadError> {
    let path = path.as_ref();
    let stdin = path == Path::new("-");
    let shown = if stdin { "stdin".to_owned() } else { path.to_string_lossy().into_owned() };
    let fail = |problem| ReadError::new(&shown, None, problem);
    let format = options.format.or_else(|| Format::of_file(path));
    let format = format.ok_or_else(|| fail(Problem::NoFormat))?;
    let bytes = if stdin {
        read_at_most(std::io::stdin().lock(), MAX_BYTES)
    } else {
        File::open(path).map_err(Problem::Io).and_then(|file| read_at_most(file, MAX_BYTES))
    };
    parse(&bytes.map_err(fail)?, &shown, format, options)
}

/// Reads an instance from bytes; `source` is what error messages call them, and names the instance
/// if the text does not.
pub fn parse(
    bytes: &[u8],
    source: &str,
    format: Format,
    options: &ReadOptions,
) -> Result<Instance, ReadError> {
    let fail = |fault: Fault| fault.in_source(source, bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| fail(Fault::not_utf8(&error)))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let fail = |fault: Fault| fault.in_source(source, text.as_bytes());
    let table = match format {
        Format::Json => json::read(text),
        Format::Csv => csv::read(text),
        Format::Hcsp => hcsp::read(text, options),
        Format::Rcmax => rcmax::read(text),
    };
    table
        .and_then(|table| table.into_instance(text, format::instance_name(source), options))
        .map_err(fail)
}

/// Reads one byte beyond the limit to see that there is more, and no further.
fn read_at_most(input: impl Read, limit: u64) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
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
        assert_eq!(error.to_string(), "larger than 1000 bytes, the most that is read");
        assert_eq!(read_at_most(&b"[1]"[..], 3).expect("fits"), b"[1]");
    }
}
