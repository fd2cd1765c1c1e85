//! Hosts that differ in speed and ready time only, each kind with its number.
//!
//! In JSON they are a number (`8` equal hosts) or a list of objects with the keys `name`, `speed`,
//! `count` and `ready`, all optional; in CSV a table with these columns. Several hosts of a kind
//! `big` are called `big0`, `big1`, …; kinds without a name have hosts `h` and their number.

use std::path::Path;

use super::decimal::Decimal;
use super::error::{Fault, Problem};
use super::quotients::Quotients;
use super::records::Records;
use super::speed::Speed;
use super::table::{Names, Table, ready_time};
use super::{Format, ReadError, dialect, encoding, read_bytes, shown_name};
use crate::columns::Columns;
use crate::text::excerpt;
use crate::{Instance, InstanceError};

/// The keys of a kind of hosts.
pub(super) const KEYS: &str = "name, speed, count, ready";

/// Hosts of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HostKind {
    /// The offset in the text that lists the hosts.
    pub at: usize,
    pub name: Option<String>,
    pub speed: Speed,
    pub count: usize,
    pub ready: Decimal,
}

impl HostKind {
    /// One host of speed 1 without a name, ready at once.
    pub fn at(at: usize) -> Self {
        Self { at, name: None, speed: Speed::ONE, count: 1, ready: Decimal::ZERO }
    }

    /// Sets what a key or a column says; `value` is its text without quotes.
    pub fn set(&mut self, key: &str, at: usize, value: &str) -> Result<(), Fault> {
        match key {
            "name" => self.name = Some(value.to_owned()),
            "speed" => {
                let what = "a speed above 0, such as 2, 0.5 or 4/3";
                self.speed = Speed::parse(value).ok_or_else(|| Fault::expected(at, what, value))?;
            }
            "count" => self.count = count(at, value)?,
            "ready" => self.ready = ready_time(at, value)?,
            _ => {
                let (key, known) = (excerpt(key), KEYS);
                return Err(Fault::at(at, Problem::UnknownEntry { key, known }));
            }
        }
        Ok(())
    }
}

/// A number of hosts.
pub(super) fn count(at: usize, value: &str) -> Result<usize, Fault> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let what = "a number of hosts, at least 1";
    match value.parse::<u128>() {
        Ok(0) => Err(Fault::expected(at, what, value)),
        Ok(count) => Ok(usize::try_from(count).unwrap_or(usize::MAX)),
        Err(_) if is_number => Ok(usize::MAX),
        Err(_) => Err(Fault::expected(at, what, value)),
    }
}

/// The hosts of an instance, apart from its tasks.
///
/// ```
/// use gridsat_model::io::{Format, HostList, ReadOptions, parse};
/// use gridsat_model::{HostId, TaskId, Ticks};
///
/// let hosts = HostList::parse("name,speed,count\nbig,2,4\nsmall,1,12\n", "hosts.csv")?;
/// assert_eq!(hosts.len(), 16);
/// let options = ReadOptions { host_list: Some(hosts), ..ReadOptions::default() };
/// let tasks = br#"{"tasks": [{"name": "a", "time": 5}], "hosts": 1}"#;
/// let instance = parse(tasks, "tasks.json", Format::Json, &options)?;
/// assert_eq!((instance.host_count(), instance.host_name(HostId(3))), (16, "big3"));
/// assert_eq!(instance.time(TaskId(0), HostId(0)), Some(Ticks(25)));
/// assert_eq!(instance.scale().decimals(), 1);
/// # Ok::<(), gridsat_model::io::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostList {
    at: usize,
    kinds: Vec<HostKind>,
    total: usize,
}

impl HostList {
    /// The kinds in a list at this offset; they must not be too many hosts together.
    pub(super) fn of(at: usize, kinds: Vec<HostKind>) -> Result<Self, Fault> {
        if kinds.is_empty() {
            return Err(Fault::at(at, Problem::Instance(InstanceError::NoHosts)));
        }
        let mut total = 0_usize;
        for kind in &kinds {
            total = total.saturating_add(kind.count);
            if total > Instance::MAX_HOSTS {
                let (what, limit) = ("number of hosts", Instance::MAX_HOSTS);
                let error = InstanceError::TooLarge { what, found: total, limit };
                return Err(Fault::at(kind.at, Problem::Instance(error)));
            }
        }
        let list = Self { at, kinds, total };
        list.names().map_or(Ok(()), |names| names.check("host"))?;
        Ok(list)
    }

    /// So many equal hosts.
    pub(super) fn equal(at: usize, count: usize) -> Result<Self, Fault> {
        Self::of(at, vec![HostKind { count, ..HostKind::at(at) }])
    }

    /// Reads CSV with a header; `source` is the name of the text in messages.
    pub fn parse(text: &str, source: &str) -> Result<Self, ReadError> {
        read_csv(text).map_err(|fault| fault.in_source(source, text.as_bytes()))
    }

    /// Reads a CSV file with a header.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let (source, bytes) = (shown_name(path), read_bytes(path)?);
        let (text, _) = encoding::decode(&bytes, Format::Csv)
            .map_err(|fault| fault.in_source(&source, &bytes))?;
        Self::parse(&text, &source)
    }

    /// The number of hosts, at least one.
    #[allow(clippy::len_without_is_empty, reason = "there is always a host")]
    pub fn len(&self) -> usize {
        self.total
    }

    /// Fills a table: the hosts, and the times of tasks by their times at speed 1, which have a
    /// place in the text.
    pub(super) fn fill(
        &self,
        table: &mut Table,
        works: impl Iterator<Item = (usize, Decimal)>,
    ) -> Result<(), Fault> {
        let (columns, first) = Columns::by_kind(self.hosts().map(|kind| kind.speed));
        let speeds: Vec<Speed> = {
            let hosts: Vec<&HostKind> = self.hosts().collect();
            first.iter().map(|&host| hosts[host].speed).collect()
        };
        // Equal hosts of speed 1 have the times that are written.
        let keeps_works = speeds != [Speed::ONE];
        let mut kept = Vec::new();
        for (at, work) in works {
            kept.extend(keeps_works.then_some(work));
            for speed in &speeds {
                let time = speed.time(work).ok_or_else(|| {
                    let decimals = work.decimals.min(u8::MAX.into()) as u8;
                    let value = crate::text::decimal(work.mantissa.into(), work.decimals.into());
                    Fault::at(at, Problem::TicksOverflow { value, decimals })
                })?;
                table.push_number(at, time)?;
            }
            table.end_row(at);
        }
        table.quotients = keeps_works.then_some(Quotients { works: kept, speeds });
        if self.kinds.iter().any(|kind| kind.ready != Decimal::ZERO) {
            let ready = self.hosts().map(|kind| (kind.at, kind.ready));
            table.set_ready(self.at, ready.collect());
        }
        (table.width, table.columns, table.hosts) =
            (Some(first.len()), Some(columns), self.names());
        Ok(())
    }

    /// One entry per host.
    fn hosts(&self) -> impl Iterator<Item = &HostKind> {
        self.kinds.iter().flat_map(|kind| std::iter::repeat_n(kind, kind.count))
    }

    /// The names of all hosts, if a kind has one.
    fn names(&self) -> Option<Names> {
        self.kinds.iter().find(|kind| kind.name.is_some())?;
        let mut list = Vec::with_capacity(self.total);
        for kind in &self.kinds {
            for number in 0..kind.count {
                let name = match &kind.name {
                    None => format!("h{}", list.len()),
                    Some(name) if kind.count == 1 => name.clone(),
                    Some(name) => format!("{name}{number}"),
                };
                list.push((kind.at, name));
            }
        }
        Some(Names { at: self.at, list })
    }
}

fn read_csv(text: &str) -> Result<HostList, Fault> {
    let (separator, start) = dialect::detect(text);
    let mut records = Records::new(text, start, separator);
    let (mut head, mut row) = (Vec::new(), Vec::new());
    if !records.next(&mut head)? {
        return Err(Fault::at(0, Problem::Instance(InstanceError::NoHosts)));
    }
    let keys: Vec<String> = head.iter().map(|cell| cell.text.trim().to_lowercase()).collect();
    for (column, (cell, key)) in head.iter().zip(&keys).enumerate() {
        // A key that is not known is reported as if it were in the first row.
        if !KEYS.split(", ").any(|known| known == key) {
            let (key, known) = (excerpt(key), KEYS);
            return Err(Fault::at(cell.at, Problem::UnknownEntry { key, known }));
        }
        if keys[..column].contains(key) {
            return Err(Fault::at(cell.at, Problem::RepeatedKey { key: excerpt(key) }));
        }
    }
    let mut kinds = Vec::new();
    while records.next(&mut row)? {
        let at = row[0].at;
        if row.len() != keys.len() {
            let (found, expected) = (row.len(), keys.len());
            return Err(Fault::at(at, Problem::WrongCells { found, expected }));
        }
        let mut kind = HostKind::at(at);
        for (key, cell) in keys.iter().zip(&row).filter(|(_, cell)| !cell.text.trim().is_empty()) {
            kind.set(key, cell.at, cell.text.trim())?;
        }
        kinds.push(kind);
    }
    HostList::of(start, kinds)
}
