//! Results of fewer worlds, to which further ones are added.
//!
//! Seeds of worlds are consecutive, so the worlds of a smaller number of replications are the first
//! ones of a larger number, and those that remain are an experiment with a later first seed.

use std::path::Path;

use super::describe::Experiment;
use super::error::{ExperimentError, ResultError};
use super::id::Replication;
use super::outcomes::Outcomes;
use super::result::Results;

/// The existing result, if any: of this experiment, or of fewer of its worlds. It gets the texts of
/// this experiment.
pub fn existing(experiment: &Experiment, path: &Path) -> Result<Option<Results>, ExperimentError> {
    if !path.exists() {
        return Ok(None);
    }
    let mut results = Results::read(path)?;
    let replications = results.experiment.replications.min(experiment.replications);
    let part = Experiment { replications, ..experiment.clone() };
    if !part.has_runs_of(&results.experiment) || results.version != gridsat_model::VERSION {
        return Err(ExperimentError::result(path, ResultError::OtherResult));
    }
    results.experiment = part;
    Ok(Some(results))
}

/// The worlds of the experiment that an earlier result does not have.
pub(crate) fn rest(experiment: &Experiment, earlier: Option<&Results>) -> Experiment {
    let known = earlier.map_or(0, |results| results.experiment.replications);
    let seed = experiment.world_seed(Replication(known));
    Experiment { seed, replications: experiment.replications - known, ..experiment.clone() }
}

/// All worlds of the experiment, from an earlier result and the [`rest`].
pub(crate) fn joined(experiment: &Experiment, earlier: Option<Results>, rest: Results) -> Results {
    let Some(earlier) = earlier else { return rest };
    let mut outcomes = Outcomes::new(experiment.metrics.len());
    for point in 0..experiment.point_count() {
        for worlds in [&earlier, &rest] {
            let of_point = worlds.experiment.replications as usize * experiment.algorithms.len();
            outcomes.append(worlds.outcomes(), point * of_point, of_point);
        }
    }
    Results::new(experiment.clone(), outcomes)
}

#[cfg(test)]
mod tests {
    use super::super::made::{made, sweep};
    use super::super::{Replication, RunId};
    use super::*;

    /// Values by point and seed: the rest has the seeds that follow.
    #[test]
    fn further_worlds_find_their_places() {
        let sweeps = sweep("key = \"users.qos\"\nvalues = [0, 1]");
        let value = |first: u64| {
            move |run: RunId| {
                let seed = first + u64::from(run.replication.0);
                Some(1000.0 * run.point.0 as f64 + 10.0 * seed as f64 + run.algorithm.0 as f64)
            }
        };
        let earlier = made(&sweeps, value(1));
        let whole = Experiment { replications: 6, ..earlier.experiment.clone() };
        let rest_of = rest(&whole, Some(&earlier));
        assert_eq!((rest_of.seed, rest_of.replications), (4, 3));
        let all = joined(&whole, Some(earlier.clone()), made(&sweeps, value(4)));
        for run in whole.runs() {
            assert_eq!(all.value(run, super::super::MetricId(0)), value(1)(run), "{run:?}");
        }
        assert_eq!(rest(&whole, None), whole);
        assert_eq!(whole.world_seed(Replication(3)), 4);
    }
}
