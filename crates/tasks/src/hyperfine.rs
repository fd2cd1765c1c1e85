//! hyperfine's `--export-json`: for each command the times of all runs, with its exit codes.

use serde::Deserialize;

use crate::Record;
use crate::error::Fault;
use crate::json::{self, Seconds};

#[derive(Deserialize)]
struct Export {
    results: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    command: String,
    median: Option<Seconds>,
    mean: Option<Seconds>,
    #[serde(default)]
    times: Vec<Seconds>,
    #[serde(default)]
    exit_codes: Vec<Option<i64>>,
}

pub fn read(text: &str) -> Result<Vec<Record>, Fault> {
    let Export { results } = json::read(text)?;
    let mut records = Vec::new();
    for benchmark in results {
        let Benchmark { command, median, mean, times, exit_codes } = benchmark;
        let times = if times.is_empty() { median.or(mean).into_iter().collect() } else { times };
        if times.is_empty() {
            let message = format!("command '{command}' has neither times nor median nor mean");
            return Err(Fault::nowhere(message));
        }
        for (run, Seconds(nanos)) in times.into_iter().enumerate() {
            records.push(Record {
                command: Some(command.clone()),
                succeeded: exit_codes.get(run).is_none_or(|&code| code == Some(0)),
                ..Record::new(&command, nanos)
            });
        }
    }
    Ok(records)
}
