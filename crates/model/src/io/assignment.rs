//! Mappings as tables: one row per task with its host, each by number or by name.
//!
//! The header names the columns: `task` (or `task_name`) and `host` (or `host_name`); others are
//! ignored. If both forms are present, as in `solve --format csv`, `task` and `host` hold numbers.
//! Otherwise a cell is a number or a name; a cell that is the number of one host and the name of
//! another is rejected.

use std::collections::HashMap;

use csv::StringRecord;
use thiserror::Error;

use crate::Instance;
use crate::text::excerpt;

/// Why a table is not a mapping.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum AssignmentError {
    #[error("a mapping as CSV needs a header with the columns task and host; '{0}' is missing")]
    NoColumn(&'static str),
    #[error("line {line}: there is no {kind} '{cell}'")]
    Unknown { line: u64, kind: &'static str, cell: String },
    #[error(
        "line {line}: '{cell}' is the number of one {kind} and the name of another; use both \
         columns, {kind} for the number and {kind}_name"
    )]
    Ambiguous { line: u64, kind: &'static str, cell: String },
    #[error("line {line}: task '{cell}' has two hosts")]
    Twice { line: u64, cell: String },
    #[error("task '{0}' has no host")]
    Missing(String),
    #[error(transparent)]
    Csv(#[from] csv::Error),
}

/// The number of each task's host. Whether such hosts exist is not checked.
pub fn read_assignment(instance: &Instance, text: &str) -> Result<Vec<u32>, AssignmentError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers()?.clone();
    let task_names = instance.tasks().map(|task| instance.task_name(task));
    let tasks = Column::new(&header, ["task", "task_name"], task_names)?;
    let host_names = instance.hosts().map(|host| instance.host_name(host));
    let hosts = Column::new(&header, ["host", "host_name"], host_names)?;
    let mut found: Vec<Option<u32>> = vec![None; instance.task_count()];
    for record in reader.records() {
        let record = record?;
        let (task, host) = (tasks.number(&record)?, hosts.number(&record)?);
        let place = found.get_mut(task as usize).ok_or_else(|| tasks.unknown(&record))?;
        if place.replace(host).is_some() {
            let (line, cell) = tasks.place(&record);
            return Err(AssignmentError::Twice { line, cell });
        }
    }
    let missing = |task| AssignmentError::Missing(excerpt(instance.task_name(task)));
    let all = found.into_iter().zip(instance.tasks());
    all.map(|(host, task)| host.ok_or_else(|| missing(task))).collect()
}

/// The number of each name, from 0; `None` if several items have the name.
pub fn numbers_of<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<&'a str, Option<u32>> {
    let mut numbers = HashMap::new();
    for (number, name) in (0..).zip(names) {
        numbers.entry(name).and_modify(|one| *one = None).or_insert(Some(number));
    }
    numbers
}

/// A column of numbers or names.
struct Column<'a> {
    kind: &'static str,
    place: usize,
    /// Whether the cells are numbers because names have a separate column.
    is_number: bool,
    /// The number of each name; `None` if several items have it.
    names: HashMap<&'a str, Option<u32>>,
}

impl<'a> Column<'a> {
    fn new(
        header: &StringRecord,
        [kind, name]: [&'static str; 2],
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Self, AssignmentError> {
        let place = |title| header.iter().position(|cell| cell.eq_ignore_ascii_case(title));
        let (number, named) = (place(kind), place(name));
        Ok(Self {
            kind,
            place: number.or(named).ok_or(AssignmentError::NoColumn(kind))?,
            is_number: number.is_some() && named.is_some(),
            names: numbers_of(names),
        })
    }

    fn number(&self, record: &StringRecord) -> Result<u32, AssignmentError> {
        let cell = record.get(self.place).unwrap_or_default();
        let name = self.names.get(cell).copied().flatten().filter(|_| !self.is_number);
        match (cell.parse().ok(), name) {
            (Some(number), None) => Ok(number),
            (None, Some(number)) => Ok(number),
            (Some(number), Some(named)) if number == named => Ok(number),
            (Some(_), Some(_)) => {
                let (line, cell) = self.place(record);
                Err(AssignmentError::Ambiguous { line, kind: self.kind, cell })
            }
            (None, None) => Err(self.unknown(record)),
        }
    }

    fn unknown(&self, record: &StringRecord) -> AssignmentError {
        let (line, cell) = self.place(record);
        AssignmentError::Unknown { line, kind: self.kind, cell }
    }

    fn place(&self, record: &StringRecord) -> (u64, String) {
        let line = record.position().map_or(0, csv::Position::line);
        (line, excerpt(record.get(self.place).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u32>, String> {
        let json = r#"{"etc": [[1, 2], [3, 4]], "tasks": ["a b", "1"], "hosts": ["x", "0"]}"#;
        let instance: Instance = json.parse().expect("valid");
        read_assignment(&instance, text).map_err(|error| error.to_string())
    }

    #[test]
    fn by_number_and_by_name() {
        let ours = "task,task_name,host,host_name,time\n1,1,0,x,3\n0,a b,1,0,2\n";
        assert_eq!(read(ours), Ok(vec![1, 0]));
        assert_eq!(read("task,host\na b,x\n1,1\n"), Ok(vec![0, 1]));
        assert_eq!(read("host_name,Task\nx,0\nx,1\n"), Ok(vec![0, 0]));
    }

    #[test]
    fn what_is_no_mapping() {
        for (text, part) in [
            ("a,b\n1,2\n", "'task' is missing"),
            ("task\n1\n", "'host' is missing"),
            ("task,host\n0,0\n1,x\n", "line 2: '0' is the number of one host"),
            ("task,host\nc,x\n", "line 2: there is no task 'c'"),
            ("task,host\n7,x\n", "there is no task '7'"),
            ("task,host\n1,y\n", "there is no host 'y'"),
            ("task,host\n1,x\n1,x\n", "line 3: task '1' has two hosts"),
            ("task,host\n1,x\n", "task 'a b' has no host"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
