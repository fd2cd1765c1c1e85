//! What a solver prints: one JSON object with the fields of `gridsat solve --format jsonl`, or some
//! of them.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::exact::Exact;
use super::row::Status;

/// The fields that a campaign reads; all others are ignored.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Answer {
    pub status: Option<Claimed>,
    pub makespan: Option<Exact>,
    pub lower_bound: Option<Exact>,
    pub seconds: Option<f64>,
    pub start_cpu_seconds: Option<f64>,
    pub nodes: Option<u64>,
    pub tasks: Option<u64>,
    pub hosts: Option<u64>,
    pub bound_by: Option<String>,
    /// gridsat itself as a peer, in another version, calls it `gridsat`.
    #[serde(alias = "gridsat")]
    pub version: Option<String>,
    pub note: Option<String>,
    /// Host of each task, checked by `gridsat verify`.
    pub mapping: Option<Box<RawValue>>,
}

/// What a solver says about its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Claimed {
    Optimal,
    Feasible,
    Unknown,
}

impl From<Claimed> for Status {
    fn from(claimed: Claimed) -> Self {
        match claimed {
            Claimed::Optimal => Self::Optimal,
            Claimed::Feasible => Self::Feasible,
            Claimed::Unknown => Self::Unknown,
        }
    }
}

/// What `gridsat verify` prints.
#[derive(Debug, Deserialize)]
pub(super) struct Verdict {
    pub tasks: u64,
    pub hosts: u64,
    pub accepted: bool,
    pub makespan: Option<Exact>,
    pub lower_bound: Option<Exact>,
    pub reason: Option<String>,
}

/// The answer in the output of a solver: all of it or, if other lines are printed, too, the last
/// line that begins with a brace. The error says what is wrong; `None` if there is no answer.
pub(super) fn read(path: &Path) -> Option<Result<Answer, String>> {
    if let Ok(answer) = whole(path) {
        return Some(Ok(answer));
    }
    let file = File::open(path).ok()?;
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    let is_object = |line: &Vec<u8>| line.trim_ascii_start().starts_with(b"{");
    let last = lines.filter(is_object).last()?;
    Some(serde_json::from_slice(&last).map_err(|error| format!("its answer is wrong: {error}")))
}

/// A file that holds one JSON object, without keeping its text in memory.
pub(super) fn whole<T: serde::de::DeserializeOwned>(path: &Path) -> io::Result<T> {
    Ok(serde_json::from_reader(BufReader::new(File::open(path)?))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Result<Answer, String>> {
        let file = tempfile::NamedTempFile::new().expect("a writable temporary directory");
        std::fs::write(file.path(), text).expect("writable");
        read(file.path())
    }

    #[test]
    fn the_last_object_is_the_answer() {
        let text =
            "log\n{\"makespan\": 9}\n{\"status\":\"optimal\",\"makespan\":7.0,\"x\":[1]}\nend\n";
        let answer = of(text).expect("there").expect("good");
        assert_eq!(answer.status, Some(Claimed::Optimal));
        assert_eq!(answer.makespan.map(|makespan| makespan.to_string()).as_deref(), Some("7"));
        let pretty = of("{\n \"mapping\": [0,\n 1]\n}\n").expect("there").expect("good");
        assert_eq!(pretty.mapping.map(|mapping| mapping.get().len()), Some(7));
        assert!(of("").is_none() && of("no braces\n").is_none());
        let error = of("{\"status\":\"best\"}\n").expect("there").expect_err("unknown");
        assert!(error.contains("unknown variant `best`, expected one of `optimal`"), "{error}");
    }
}
