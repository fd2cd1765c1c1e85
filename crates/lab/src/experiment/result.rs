//! Results as files: one line of JSON about the experiment, one per run, and a last one with the
//! number of runs, by which an incomplete file is recognised.
//!
//! ```text
//! {"gridsat_result":1,"gridsat":"0.1.0","experiment":{…}}
//! {"point":0,"replication":0,"algorithm":0,"values":[32771.2,48.9]}
//! {"point":0,"replication":0,"algorithm":1,"error":"…"}
//! {"runs":2}
//! ```
//!
//! Runs are in the order of points, replications, algorithms. Nothing in the file depends on when
//! or where it was made.

use std::io::{self, BufReader, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::describe::Experiment;
use super::error::{ExperimentError, ResultError};
use super::id::{AlgorithmId, Keyed, MetricId, PointId, Replication, RunId};
use super::outcomes::Outcomes;
use crate::lines::next_line;
use gridsat_model::VERSION;
use gridsat_model::io::open;

/// Version of the format.
pub(super) const FORMAT: u32 = 1;

/// The outcome of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// One value per metric; `None` where it is undefined.
    Values(Keyed<MetricId, Option<f64>>),
    /// The error of a failed run.
    Error(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    point: PointId,
    replication: Replication,
    algorithm: AlgorithmId,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Keyed<MetricId, Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    gridsat_result: u32,
    pub gridsat: String,
    pub experiment: Experiment,
}

impl Header {
    pub fn of(experiment: &Experiment) -> Self {
        let experiment = experiment.clone();
        Self { gridsat_result: FORMAT, gridsat: VERSION.to_owned(), experiment }
    }

    pub fn line(&self) -> String {
        json_line(self)
    }

    pub fn parse(line: &str) -> Result<Self, ResultError> {
        #[derive(Deserialize)]
        struct Mark {
            gridsat_result: u32,
        }
        let mark: Option<Mark> = serde_json::from_str(line).ok();
        match mark.map(|mark| mark.gridsat_result) {
            Some(FORMAT) => {}
            Some(other) => return Err(ResultError::Format(other)),
            None => return Err(ResultError::NoResult),
        }
        let header: Self = serde_json::from_str(line)?;
        header.experiment.check()?;
        Ok(header)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    runs: usize,
}

fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data with text keys is JSON") + "\n"
}

/// Formats a run as a line.
pub(super) fn line(run: RunId, outcome: &Outcome) -> String {
    let RunId { point, replication, algorithm } = run;
    let (values, error) = match outcome {
        Outcome::Values(values) => (Some(values.clone()), None),
        Outcome::Error(error) => (None, Some(error.clone())),
    };
    json_line(&Line { point, replication, algorithm, values, error })
}

/// Parses a run and its outcome.
pub(super) fn parse_line(
    text: &str,
    experiment: &Experiment,
) -> Result<(RunId, Outcome), ResultError> {
    let line: Line = serde_json::from_str(text)?;
    let Line { point, replication, algorithm, values, error } = line;
    let run = RunId { point, replication, algorithm };
    run.place(experiment).ok_or(ResultError::NoRun)?;
    let outcome = match (values, error) {
        (Some(values), None) if values.len() == experiment.metrics.len() => Outcome::Values(values),
        (Some(values), None) => {
            return Err(ResultError::Values { found: values.len(), of: experiment.metrics.len() });
        }
        (None, Some(error)) => Outcome::Error(error),
        _ => return Err(ResultError::ValuesOrError),
    };
    Ok((run, outcome))
}

/// The results of a complete experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The definition of the experiment.
    pub experiment: Experiment,
    /// Version of gridsat that ran it.
    pub version: String,
    /// In the order of runs.
    outcomes: Outcomes,
}

impl Results {
    /// From the outcomes of all runs, in the order of points, replications, algorithms.
    pub(crate) fn new(experiment: Experiment, outcomes: Outcomes) -> Self {
        Self { experiment, version: VERSION.to_owned(), outcomes }
    }

    /// Reads a complete result, from standard input if the path is `-`.
    pub fn read(path: &Path) -> Result<Self, ExperimentError> {
        let fail = |what| ExperimentError::result(path, what);
        let read = |error| fail(ResultError::Read(error));
        let mut file = BufReader::new(open(path).map_err(read)?);
        let first = next_line(&mut file).map_err(read)?;
        let first = first.ok_or_else(|| fail(ResultError::NoResult))?;
        let Header { experiment, gridsat, .. } =
            Header::parse(&first).map_err(|what| fail(what.at(1)))?;
        let mut outcomes = Outcomes::new(experiment.metrics.len());
        loop {
            let at = |what: ResultError| fail(what.at(outcomes.len() + 2));
            let text = next_line(&mut file).map_err(read)?;
            let text = text.ok_or_else(|| at(ResultError::NoEnd))?;
            if let Ok(End { runs }) = serde_json::from_str(&text) {
                let is_whole = runs == outcomes.len() && runs == experiment.run_count();
                if !is_whole {
                    let (found, expected) = (outcomes.len(), experiment.run_count());
                    return Err(at(ResultError::Runs { found, expected }));
                }
                return Ok(Self { experiment, version: gridsat, outcomes });
            }
            let (run, outcome) = parse_line(&text, &experiment).map_err(at)?;
            if let Some(found) = run.place(&experiment).filter(|&place| place != outcomes.len()) {
                return Err(at(ResultError::Order { found, expected: outcomes.len() }));
            }
            outcomes.push(outcome);
        }
    }

    /// Writes the complete result.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let header = Header { gridsat: self.version.clone(), ..Header::of(&self.experiment) };
        out.write_all(header.line().as_bytes())?;
        for (place, run) in self.experiment.runs().enumerate() {
            out.write_all(line(run, &self.outcomes.get(place)).as_bytes())?;
        }
        out.write_all(json_line(&End { runs: self.outcomes.len() }).as_bytes())
    }

    /// The outcomes of all runs, in order.
    pub(super) fn outcomes(&self) -> &Outcomes {
        &self.outcomes
    }

    /// The outcome of a run.
    pub fn outcome(&self, run: RunId) -> Outcome {
        self.outcomes.get(self.place(run))
    }

    fn place(&self, run: RunId) -> usize {
        run.place(&self.experiment).expect("asked for a run of the experiment")
    }

    /// A metric of a run; `None` if the run failed or the metric is undefined.
    pub fn value(&self, run: RunId, metric: MetricId) -> Option<f64> {
        self.outcomes.value(self.place(run), metric)
    }

    /// The values of a metric, world by world; `None` where there is none.
    pub fn values(
        &self,
        point: PointId,
        algorithm: AlgorithmId,
        metric: MetricId,
    ) -> Vec<Option<f64>> {
        let value = |replication| self.value(RunId { point, replication, algorithm }, metric);
        self.experiment.worlds().map(value).collect()
    }

    /// Failed runs: their names and errors.
    pub fn failures(&self) -> impl Iterator<Item = (String, &str)> {
        let runs = self.experiment.runs().enumerate();
        let failed = runs.filter_map(|(place, run)| Some((run, self.outcomes.error(place)?)));
        failed.map(|(run, error)| (self.run_label(run), error))
    }

    fn run_label(&self, run: RunId) -> String {
        let RunId { point, replication, algorithm } = run;
        let (name, seed) =
            (&self.experiment.algorithms[algorithm], self.experiment.world_seed(replication));
        match self.experiment.point_label(point) {
            label if label.is_empty() => format!("{name}, seed {seed}"),
            label => format!("{label}, {name}, seed {seed}"),
        }
    }
}
