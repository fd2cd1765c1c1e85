//! An experiment in parts: ranges of its runs.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use super::sizes::{self, Cuts, Sizes};
use crate::experiment::{
    Experiment, Outcomes, Points, Results, read_part, run_part, seconds_of_runs,
};
use gridsat_model::Stop;

/// Measuring before parts are made takes no longer, except for the run that is being measured.
const MEASURING: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExperimentWork {
    pub experiment: Experiment,
    /// The first run of each part.
    cuts: Cuts,
}

impl ExperimentWork {
    /// All runs are one part.
    pub fn new(experiment: &Experiment) -> Self {
        Self { experiment: experiment.clone(), cuts: vec![0] }
    }

    /// The same runs in parts of the sizes.
    pub fn divided(self, points: &Points, sizes: Sizes, stop: &Stop) -> Result<Self, PartsError> {
        let cuts = match sizes.parts {
            Some(parts) => sizes::equal(self.experiment.run_count(), parts),
            None => {
                let seconds = seconds_of_runs(&self.experiment, points, MEASURING, stop)?;
                sizes::by_seconds(&seconds, sizes.time.as_secs_f64())
            }
        };
        Ok(Self { cuts, ..self })
    }

    pub fn check(&self) -> Result<(), String> {
        self.experiment.check().map_err(|error| error.to_string())?;
        let is_whole = sizes::is_whole(&self.cuts, self.experiment.run_count());
        if is_whole { Ok(()) } else { Err("its parts are not all runs, each once".to_owned()) }
    }

    pub fn is_like(&self, other: &Self) -> bool {
        self.experiment.has_runs_of(&other.experiment)
    }

    pub fn parts(&self) -> usize {
        self.cuts.len()
    }

    /// The runs of a part.
    pub fn range(&self, part: usize) -> Option<Range<usize>> {
        sizes::range(&self.cuts, part, self.experiment.run_count())
    }

    /// The lines of a part; `None` if a stop was requested.
    pub fn work(
        &self,
        points: &Points,
        part: usize,
        stop: &Stop,
    ) -> Result<Option<Vec<String>>, PartsError> {
        let range = self.range(part).ok_or(PartsError::NoPart { part, of: self.parts() })?;
        Ok(run_part(&self.experiment, points, range, stop)?)
    }

    /// The outcomes in the lines of a part; the error says why they are not.
    pub fn read(&self, part: usize, lines: &[String]) -> Result<Outcomes, String> {
        let range = self.range(part).ok_or("no such part")?;
        read_part(&self.experiment, range, lines).map_err(|error| error.to_string())
    }

    /// The result, from the outcomes of all parts.
    pub fn merge(&self, parts: &[Outcomes]) -> Results {
        let mut all = Outcomes::new(self.experiment.metrics.len());
        parts.iter().for_each(|part| all.append(part, 0, part.len()));
        Results::new(self.experiment.clone(), all)
    }
}
