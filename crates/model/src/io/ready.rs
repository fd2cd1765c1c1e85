//! Ready times given separately from the instance, on the command line or in a file.

use std::path::Path;

use super::decimal::Decimal;
use super::error::{Fault, offset_in};
use super::table::ready_time;
use super::{Format, ReadError, encoding, read_bytes, shown_name};

/// The time at which each host becomes free, in the time unit of the instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyTimes(Vec<Decimal>);

impl ReadyTimes {
    /// Reads numbers in the order of the hosts, separated by commas, semicolons or white space,
    /// with or without brackets around them; `source` is the name of the text in messages.
    pub fn parse(text: &str, source: &str) -> Result<Self, ReadError> {
        let words = text.split(|c: char| c.is_whitespace() || ",;[]".contains(c));
        let times = words.filter(|word| !word.is_empty());
        let time = |word| ready_time(offset_in(text, word), word);
        let times: Result<_, Fault> = times.map(time).collect();
        times.map(Self).map_err(|fault| fault.in_source(source, text.as_bytes()))
    }

    /// Reads ready times from a file.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let (source, bytes) = (shown_name(path), read_bytes(path)?);
        let (text, _) = encoding::decode(&bytes, Format::Csv)
            .map_err(|fault| fault.in_source(&source, &bytes))?;
        Self::parse(&text, &source)
    }

    pub(super) fn numbers(&self) -> &[Decimal] {
        &self.0
    }
}
