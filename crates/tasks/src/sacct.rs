//! Slurm's accounting: `sacct --parsable2` and `sacct --json`.
//!
//! Jobs of the same name are measurements of one task; elements of a job array are tasks of their
//! own, `name[index]`. Steps of jobs (`123.batch`) are left out, and so are jobs that have not
//! ended or never ran.

use serde::Deserialize;

use crate::Record;
use crate::error::Fault;
use crate::json;
use crate::nanos::{NANOS, duration, seconds};
use crate::table::Table;

pub fn read(text: &str) -> Result<Vec<Record>, Fault> {
    if text.trim_start().starts_with('{') { read_json(text) } else { read_lines(text) }
}

/// States of jobs that have no duration yet.
const OPEN: [&str; 5] = ["PENDING", "RUNNING", "SUSPENDED", "REQUEUED", "RESIZING"];

fn record(
    name: &str,
    index: Option<&str>,
    nanos: u64,
    host: Option<String>,
    state: &str,
) -> Record {
    let (name, group) = match index {
        Some(index) => (format!("{name}[{index}]"), Some(name.to_owned())),
        None => (name.to_owned(), None),
    };
    let succeeded = state.is_empty() || state.starts_with("COMPLETED");
    Record { group, host, succeeded, ..Record::new(name, nanos) }
}

/// Whether the job was cancelled before it had a node.
fn never_ran(nodes: Option<&str>) -> bool {
    matches!(nodes, Some("None assigned" | "None"))
}

fn is_open(state: &str) -> bool {
    OPEN.iter().any(|open| state.starts_with(open))
}

/// What `sacct --parsable2` prints by itself has no times.
const NO_TIME: &str = "no column Elapsed or ElapsedRaw: give sacct \
    --format=JobID,JobName,Elapsed,State,NodeList";

fn read_lines(text: &str) -> Result<Vec<Record>, Fault> {
    let table = Table::new(text, '|');
    let (id, name) = (table.column("JobID"), table.column("JobName"));
    let label = name.or(id).ok_or_else(|| Fault::at(1, "no column JobName or JobID"))?;
    let raw = table.column("ElapsedRaw");
    let time = raw.or_else(|| table.column("Elapsed")).ok_or_else(|| Fault::at(1, NO_TIME))?;
    let (state, nodes) = (table.column("State"), table.column("NodeList"));
    let mut records = Vec::new();
    for row in table.rows() {
        let row = row?;
        let id = row.some(id).unwrap_or_default();
        let state = row.some(state).unwrap_or_default();
        let nodes = row.some(nodes);
        if id.contains('.') || is_open(&state) || never_ran(nodes.as_deref()) {
            continue;
        }
        let parse = |text: &str| if raw.is_some() { seconds(text) } else { duration(text) };
        let nanos = row.nanos(time, parse)?;
        let index = id.split_once('_').map(|(_, index)| index).filter(|_| name.is_some());
        if row.cell(label).is_empty() {
            return Err(Fault::at(row.line, "the job has no name"));
        }
        records.push(record(row.cell(label), index, nanos, nodes, &state));
    }
    Ok(records)
}

#[derive(Deserialize)]
struct Accounting {
    jobs: Vec<Job>,
}

#[derive(Deserialize)]
struct Job {
    name: String,
    #[serde(default)]
    nodes: String,
    time: Times,
    state: Option<State>,
    array: Option<Array>,
}

#[derive(Deserialize)]
struct Times {
    elapsed: Number,
}

#[derive(Deserialize)]
struct State {
    current: OneOrMore,
}

#[derive(Deserialize)]
struct Array {
    task_id: Option<Number>,
}

/// Versions differ in whether there is a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// Versions differ in whether numbers are in an object that says whether they are set.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Plain(u64),
    Object { set: bool, number: u64 },
    Null(()),
}

impl Number {
    fn value(&self) -> Option<u64> {
        match *self {
            Self::Plain(number) | Self::Object { set: true, number } => Some(number),
            _ => None,
        }
    }
}

fn read_json(text: &str) -> Result<Vec<Record>, Fault> {
    let Accounting { jobs } = json::read(text)?;
    let mut records = Vec::new();
    for job in jobs {
        let state = match job.state.map(|state| state.current) {
            Some(OneOrMore::One(state)) => state,
            Some(OneOrMore::More(states)) => states.into_iter().next().unwrap_or_default(),
            None => String::new(),
        };
        let Some(elapsed) =
            job.time.elapsed.value().filter(|_| !is_open(&state) && !never_ran(Some(&job.nodes)))
        else {
            continue;
        };
        let nanos = elapsed.checked_mul(NANOS).ok_or_else(|| {
            Fault::nowhere(format!("job '{}': '{elapsed}' is longer than 100 years", job.name))
        })?;
        let index = job.array.and_then(|array| array.task_id).and_then(|index| index.value());
        let index = index.map(|index| index.to_string());
        let host = Some(job.nodes).filter(|nodes| !nodes.is_empty());
        records.push(record(&job.name, index.as_deref(), nanos, host, &state));
    }
    Ok(records)
}
