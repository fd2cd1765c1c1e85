//! An experiment, whose result is a file.

use std::path::Path;

use gridsat_files as files;

use super::super::engine::{Driven, finish};
use super::super::{Merged, PartsError, Plan};
use super::{Working, folder_of, remove};
use crate::experiment::{
    Experiment, ExperimentError, ResultError, Results, existing, joined, rest,
};

/// How it ended.
#[derive(Debug)]
pub enum EndedExperiment {
    /// All runs are complete.
    Complete {
        /// All runs.
        results: Box<Results>,
        /// How many of them were run now.
        new: usize,
    },
    /// A stop was requested; what is complete is kept.
    Stopped {
        /// Number of completed parts.
        done: usize,
        /// Number of all parts.
        of: usize,
    },
}

/// Runs everything that is not yet in the result or in its parts. With `fresh` it starts over.
pub fn run(
    experiment: &Experiment,
    result: &Path,
    fresh: bool,
    working: Working<'_>,
) -> Result<EndedExperiment, PartsError> {
    let Working { program, engine, sizes, keep, stop, watch } = working;
    let folder = folder_of(result);
    if fresh {
        remove(&folder)?;
    }
    let earlier = if fresh { None } else { existing(experiment, result)? };
    let earlier = match earlier {
        Some(results) if results.experiment.replications == experiment.replications => {
            // The parts may be left from a process that was killed just after it wrote the result.
            if !keep {
                remove(&folder)?;
            }
            return Ok(EndedExperiment::Complete { results: Box::new(results), new: 0 });
        }
        earlier => earlier,
    };
    let left = rest(experiment, earlier.as_ref());
    let plan = Plan::experiment(&folder, &left, sizes, program, stop).map_err(fresh_helps)?;
    let new = plan.run_count(&plan.missing());
    let merged = match finish(plan, engine, program, stop, watch).map_err(fresh_helps)? {
        Driven::Complete(merged) => merged,
        Driven::Stopped { done, of } => return Ok(EndedExperiment::Stopped { done, of }),
    };
    let Merged::Experiment(found) = merged else { unreachable!("the plan is of an experiment") };
    let results = joined(experiment, earlier, *found);
    let written = files::write_with(result, |out| results.write(out));
    written.map_err(PartsError::write(result))?;
    if !keep {
        remove(&folder)?;
    }
    Ok(EndedExperiment::Complete { results: Box::new(results), new })
}

/// Parts of something else, which `--fresh` replaces.
fn fresh_helps(error: PartsError) -> PartsError {
    match error {
        PartsError::OtherPlan { path }
        | PartsError::OtherProgram { path, .. }
        | PartsError::NoPlan { path, .. } => {
            ExperimentError::result(&path, ResultError::OtherParts).into()
        }
        error => error,
    }
}
