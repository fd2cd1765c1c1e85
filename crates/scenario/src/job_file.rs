//! `[[job_file]]`: jobs in a file of their own, one per line, read while the simulation runs.
//!
//! CSV with a header line, or JSON lines; both have the columns `at` (required), `mi` or `io` or
//! both, `pes`, `memory`, `qos` and `name`, as in `[[job]]`. Jobs are in order of `at`. The file is
//! read once when the scenario is checked, to find errors before a run, and again in every run. So
//! memory does not depend on the number of jobs, and the file cannot be a pipe.
//!
//! Times are read as decimals, without a detour through floats. Deliberately not here: quotes in
//! CSV, data files, reservations, budgets and deadlines; `[[job]]` has them.

mod digits;

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::composite::{self, Wants};
use super::error::{At, Fault, ensure, label, quoted};
use super::jobs::Amount;
use super::number::{Number, scale, ticks};
use super::schedulers::Schedulers;
use super::{file, memory};
use gridsat_grid::{SchedulerId, SourceFailure};
use gridsat_model::Ticks;
use gridsat_workload::{Composite, Demand, JobSpec, Unit};

/// The longest line in bytes.
const MAX_LINE: u64 = 1 << 16;

/// A file of jobs that has been checked.
#[derive(Clone, Debug)]
pub(super) struct JobFile {
    pub label: String,
    path: PathBuf,
    pub scheduler: SchedulerId,
    pub count: u64,
    /// The largest demand of a job in each unit, and the highest QoS level among these jobs.
    pub most: Vec<(Unit, f64, u32)>,
    /// What jobs need beside an amount of work on one PE; none that another one covers.
    pub wants: Vec<Wants>,
}

/// A line of the file.
struct Row {
    at: Ticks,
    unit: Unit,
    amount: f64,
    /// I/O operations of a job that has instructions; otherwise 0.
    operations: f64,
    pes: u32,
    /// Bytes.
    memory: u64,
    qos: u32,
    name: Option<Arc<String>>,
}

impl Row {
    /// Nothing read yet.
    const EMPTY: Self = Self {
        at: Ticks(0),
        unit: Unit::Instructions,
        amount: 0.0,
        operations: 0.0,
        pes: 1,
        memory: 0,
        qos: 0,
        name: None,
    };

    fn wants(&self) -> Wants {
        let &Self { unit, qos, operations, pes, memory, .. } = self;
        Wants { unit, qos, operations, pes, memory }
    }

    fn demand(&self) -> Demand {
        let &Self { unit, amount, operations, pes, memory, .. } = self;
        if !self.wants().is_composite() {
            return unit.demand(amount);
        }
        let (instructions, operations) = match unit {
            Unit::Instructions => (amount, operations),
            Unit::Operations => (0.0, amount),
        };
        Composite { instructions, operations, pes, memory }.demand()
    }
}

impl JobFile {
    pub fn check(
        given: &file::JobFile,
        index: usize,
        folder: &Path,
        schedulers: &Schedulers,
    ) -> Result<Self, Fault> {
        let label = label("job_file", index, None);
        let of = || {
            let path = folder.join(&given.file);
            let scheduler = schedulers.named(given.scheduler.as_deref()).at("scheduler")?;
            let mut file = Self {
                label: label.clone(),
                path,
                scheduler,
                count: 0,
                most: Vec::new(),
                wants: Vec::new(),
            };
            let mut rows = Rows::open(&file.path).at("file")?;
            while let Some(row) = rows.next().at("file")? {
                file.count_in(&row);
            }
            ensure(file.count > 0, || format!("file: {} has no jobs", file.path.display()))?;
            Ok::<_, Fault>(file)
        };
        of().at(&label)
    }

    fn count_in(&mut self, row: &Row) {
        self.count += 1;
        match self.most.iter_mut().find(|(unit, ..)| *unit == row.unit) {
            Some((_, amount, qos)) => (*amount, *qos) = (amount.max(row.amount), row.qos.max(*qos)),
            None => self.most.push((row.unit, row.amount, row.qos)),
        }
        let wants = row.wants();
        if wants.is_composite() && !self.wants.iter().any(|known| known.covers(&wants)) {
            self.wants.retain(|known| !wants.covers(known));
            self.wants.push(wants);
        }
    }

    /// The jobs, submitted by this user. A file that has changed since it was checked ends them.
    pub fn source(&self, user: u32, failure: SourceFailure) -> Result<FileJobs, Fault> {
        let rows = Rows::open(&self.path).at("file").at(&self.label)?;
        Ok(FileJobs { rows, user, left: self.count, failure })
    }
}

/// The jobs of a file.
pub(super) struct FileJobs {
    rows: Rows,
    user: u32,
    left: u64,
    failure: SourceFailure,
}

impl Iterator for FileJobs {
    type Item = JobSpec;

    fn next(&mut self) -> Option<JobSpec> {
        if self.left == 0 {
            return None;
        }
        let row = match self.rows.next() {
            Ok(Some(row)) => row,
            wrong => {
                let what = wrong.err().map_or("it has fewer jobs".to_owned(), |e| e.to_string());
                let path = self.rows.path.display();
                let _ = self.failure.set(format!("{path} has changed since it was read: {what}"));
                return None;
            }
        };
        self.left -= 1;
        Some(JobSpec {
            name: row.name.clone(),
            user: self.user,
            application: (self.rows.jobs - 1) as u32,
            qos: row.qos,
            ..JobSpec::new(row.at, row.demand())
        })
    }
}

/// The lines of a file.
struct Rows {
    path: PathBuf,
    input: BufReader<File>,
    line: Vec<u8>,
    number: u64,
    jobs: u64,
    last: Ticks,
    /// The columns of a CSV file; `None` if the file has JSON lines.
    columns: Option<Vec<Column>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    At,
    Mi,
    Io,
    Pes,
    Memory,
    Qos,
    Name,
}

impl Column {
    const ALL: [(&'static str, Self); 7] = [
        ("at", Self::At),
        ("mi", Self::Mi),
        ("io", Self::Io),
        ("pes", Self::Pes),
        ("memory", Self::Memory),
        ("qos", Self::Qos),
        ("name", Self::Name),
    ];
}

/// A line as written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields<'a> {
    #[serde(borrow)]
    at: Option<&'a serde_json::value::RawValue>,
    mi: Option<f64>,
    io: Option<f64>,
    pes: Option<u32>,
    memory: Option<f64>,
    #[serde(default)]
    qos: u32,
    name: Option<String>,
}

impl Rows {
    fn open(path: &Path) -> Result<Self, Fault> {
        let input = File::open(path)
            .map_err(|error| Fault::new(format!("cannot read {}: {error}", path.display())))?;
        let mut rows = Self {
            path: path.to_owned(),
            input: BufReader::with_capacity(1 << 16, input),
            line: Vec::new(),
            number: 0,
            jobs: 0,
            last: Ticks(0),
            columns: None,
        };
        let is_json = ["jsonl", "ndjson", "json"].iter().any(|known| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(known))
        });
        if !is_json && rows.read_line()? {
            rows.columns = Some(columns(&rows.line).map_err(|fault| rows.wrong(fault))?);
        }
        Ok(rows)
    }

    /// Adds file and line to a fault.
    fn wrong(&self, fault: Fault) -> Fault {
        Fault::new(format!("{}:{}: {fault}", self.path.display(), self.number))
    }

    /// Reads the next line that is not blank, without its end; false if there is none.
    fn read_line(&mut self) -> Result<bool, Fault> {
        loop {
            self.line.clear();
            self.number += 1;
            // A line that has been read from the file already; lines across its borders are rare.
            let buffer = self.input.buffer();
            if let Some(end) = buffer.iter().position(|&byte| byte == b'\n')
                && end as u64 <= MAX_LINE
            {
                self.line.extend_from_slice(buffer[..end].trim_ascii_end());
                self.input.consume(end + 1);
                if !self.line.is_empty() {
                    return Ok(true);
                }
                continue;
            }
            let mut input = self.input.by_ref().take(MAX_LINE + 1);
            let read = input.read_until(b'\n', &mut self.line);
            match read.map_err(|error| self.wrong(error.into()))? {
                0 => return Ok(false),
                length if length as u64 > MAX_LINE => {
                    let fault = Fault::new(format!("longer than {MAX_LINE} bytes"));
                    return Err(self.wrong(fault));
                }
                _ => {}
            }
            while self.line.last().is_some_and(u8::is_ascii_whitespace) {
                self.line.pop();
            }
            if !self.line.is_empty() {
                return Ok(true);
            }
        }
    }

    fn next(&mut self) -> Result<Option<Row>, Fault> {
        let row = match self.next_plain() {
            Some(row) => Ok(row),
            None if !self.read_line()? => return Ok(None),
            None => match &self.columns {
                Some(columns) => of_csv(&self.line, columns),
                None => digits::of_json(&self.line).map_or_else(|| of_json(&self.line), Ok),
            },
        };
        let row = row.and_then(|row| self.in_order(row)).map_err(|fault| self.wrong(fault))?;
        (self.last, self.jobs) = (row.at, self.jobs + 1);
        Ok(Some(row))
    }

    /// The row of the next line of a CSV file if all of it has been read from the file and its
    /// values are plain decimals; neither copies nor searches it first.
    fn next_plain(&mut self) -> Option<Row> {
        let text = self.input.buffer();
        let (row, length) = digits::of_csv(text, self.columns.as_ref()?)?;
        if text[length - 1] != b'\n' {
            return None;
        }
        self.input.consume(length);
        self.number += 1;
        Some(row)
    }

    fn in_order(&self, row: Row) -> Result<Row, Fault> {
        ensure(row.at >= self.last, || {
            let [at, last] = [row.at, self.last].map(|time| scale().display(time));
            format!("at is {at}, before the {last} of the job above it: sort the jobs by at")
        })?;
        Ok(row)
    }
}

fn columns(header: &[u8]) -> Result<Vec<Column>, Fault> {
    let header = header.strip_prefix(b"\xef\xbb\xbf").unwrap_or(header);
    let text = text(header)?;
    let column = |name: &str| {
        let found = Column::ALL.iter().find(|(known, _)| *known == name.trim());
        let known = Column::ALL.map(|(known, _)| known);
        found.map(|&(_, column)| column).ok_or_else(|| Fault::unknown("column", name.trim(), known))
    };
    let columns = text.split(',').map(column).collect::<Result<Vec<_>, _>>()?;
    for (name, column) in Column::ALL {
        let count = columns.iter().filter(|&&other| other == column).count();
        ensure(count <= 1, || format!("column {name} is there twice"))?;
        ensure(count == 1 || column != Column::At, || "column at is missing")?;
    }
    Ok(columns)
}

fn of_csv(line: &[u8], columns: &[Column]) -> Result<Row, Fault> {
    let mut fields = text(line)?.split(',');
    let (mut given, mut at) = (Fields::default(), Ticks(0));
    for (index, column) in columns.iter().enumerate() {
        let field = fields
            .next()
            .map(str::trim)
            .ok_or_else(|| Fault::new(format!("{index} fields, but {} columns", columns.len())))?;
        match column {
            Column::At => at = time(field)?,
            _ if field.is_empty() => {}
            Column::Mi => given.mi = Some(number("mi", field)?),
            Column::Io => given.io = Some(number("io", field)?),
            Column::Memory => given.memory = Some(number("memory", field)?),
            Column::Pes => given.pes = Some(whole("pes", field)?),
            Column::Qos => given.qos = whole("qos", field)?,
            Column::Name => given.name = Some(field.to_owned()),
        }
    }
    ensure(fields.next().is_none(), || format!("more than {} fields", columns.len()))?;
    row(at, given)
}

fn of_json(line: &[u8]) -> Result<Row, Fault> {
    let fields: Fields<'_> =
        serde_json::from_slice(line).map_err(|error| Fault::new(format!("not a job: {error}")))?;
    let at = fields.at.ok_or_else(|| Fault::new("at is missing"))?;
    row(time(at.get())?, fields)
}

/// The row of fields whose time has been read.
fn row(at: Ticks, given: Fields<'_>) -> Result<Row, Fault> {
    let Amount { key, unit, amount, more } = Amount::of(("mi", given.mi), ("io", given.io))?;
    Number::Plain(amount).positive(key)?;
    more.map(|more| Number::Plain(more).positive("io")).transpose()?;
    Ok(Row {
        at,
        unit,
        amount,
        operations: more.unwrap_or(0.0),
        pes: composite::pes(given.pes, unit, "mi")?,
        memory: memory::of_job(given.memory)?,
        qos: given.qos,
        name: given.name.map(Arc::new),
    })
}

fn whole(key: &str, field: &str) -> Result<u32, Fault> {
    let whole = field.parse();
    whole.map_err(|_| Fault::new(format!("{key} is {}, not a whole number", quoted(field))))
}

fn text(line: &[u8]) -> Result<&str, Fault> {
    let text = std::str::from_utf8(line).map_err(|_| Fault::new("not UTF-8 text"))?;
    ensure(!text.contains('"'), || "quotes are not supported: use JSON lines (.jsonl)")?;
    Ok(text)
}

fn number(key: &str, field: &str) -> Result<f64, Fault> {
    let number = field.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| Fault::new(format!("{key} is {}, not a number", quoted(field))))
}

/// Seconds in ticks: exact with up to nine decimals, otherwise rounded to the nearest.
fn time(field: &str) -> Result<Ticks, Fault> {
    match exact_time(field) {
        Some(ticks) => Ok(ticks),
        None => ticks("at", number("at", field)?),
    }
}

fn exact_time(field: &str) -> Option<Ticks> {
    let decimals = scale().decimals() as usize;
    let (whole, fraction) = field.split_once('.').unwrap_or((field, ""));
    // So many digits fit into 64 bits.
    if whole.is_empty() || whole.len() > 9 || fraction.len() > decimals {
        return None;
    }
    let digit = |sum: Option<u64>, byte: u8| {
        byte.is_ascii_digit().then(|| u64::from(byte - b'0')).zip(sum).map(|(d, sum)| 10 * sum + d)
    };
    let digits = whole.bytes().chain(fraction.bytes()).fold(Some(0), digit)?;
    Some(Ticks(digits * 10_u64.pow((decimals - fraction.len()) as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_decimals() {
        let of = |field| time(field).map(|ticks| ticks.0).ok();
        assert_eq!(of("0"), Some(0));
        assert_eq!(of("12.5"), Some(12_500_000_000));
        assert_eq!(of("999999999.999999999"), Some(999_999_999_999_999_999));
        assert_eq!(of("1e3"), Some(1_000_000_000_000));
        assert_eq!(of("0.00000000051"), Some(1));
        assert_eq!([of("-1"), of(""), of("."), of("1.2.3"), of("inf"), of("1x")], [None; 6]);
    }
}
