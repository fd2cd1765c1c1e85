//! Runs an experiment on all cores.
//!
//! Runs are distributed one by one and stored in the journal as they end. Their outcomes depend
//! only on point, seed and algorithm, and the result is written in order at the end: its bytes are
//! the same with any number of threads, and after any number of interruptions. A run that fails,
//! even by a panic, is recorded with its error; the others continue.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::describe::Experiment;
use super::error::{ExperimentError, ResultError};
use super::id::{Keyed, PointId, RunId};
use super::journal::{Done, Journal, path_of};
use super::result::{Outcome, Results};
use super::subject::Prepared;
use gridsat_files as files;
use gridsat_model::Stop;

/// Settings of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Number of threads; 0 for the number of cores.
    pub threads: usize,
    /// Start from the beginning and ignore existing results.
    pub fresh: bool,
}

/// How it ended.
#[derive(Debug)]
pub enum Ended {
    /// All runs are complete.
    Complete {
        /// All runs.
        results: Box<Results>,
        /// How many of them were run now.
        new: usize,
    },
    /// A stop was requested; the journal has the completed runs.
    Stopped {
        /// Number of completed runs.
        done: usize,
        /// Total number of runs.
        of: usize,
    },
}

/// Receives progress, from several threads.
pub trait Progress: Sync {
    /// The experiment starts or is resumed.
    fn begin(&self, done: usize, of: usize);
    /// One more run has ended. `failure` says which and why, if it failed.
    fn advance(&self, failure: Option<&str>);
}

/// Runs everything that is not yet in the result or its journal.
pub fn run(
    experiment: &Experiment,
    result: &Path,
    options: Options,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Ended, ExperimentError> {
    let points = experiment.prepare(stop)?;
    let earlier = if options.fresh { None } else { existing(experiment, result)? };
    let earlier = match earlier {
        Some(results) if results.experiment.replications == experiment.replications => {
            // Left by a process that was killed just after the result was written.
            let _ = std::fs::remove_file(path_of(result));
            return Ok(Ended::Complete { results: Box::new(results), new: 0 });
        }
        earlier => earlier,
    };
    let (journal, mut done) = Journal::open(result, experiment, options.fresh)?;
    done.extend(earlier.iter().flat_map(Results::runs));
    let of = experiment.run_count();
    let new = of - done.len();
    progress.begin(done.len(), of);
    let crew = Crew { experiment, points: &points, stop, progress };
    let (journal, done) = crew.work(journal, done, options.threads)?;
    if done.len() < of {
        return Ok(Ended::Stopped { done: done.len(), of });
    }
    let results = Results::new(experiment.clone(), done.into_values().collect());
    let written = files::write_with(result, |out| results.write(out));
    written.map_err(|error| ExperimentError::write(result, error))?;
    journal.remove()?;
    Ok(Ended::Complete { results: Box::new(results), new })
}

/// The existing result, if any: of this experiment, or of fewer of its worlds. These are the first
/// ones, because seeds are consecutive. It gets the texts of this experiment.
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

/// The worker threads.
struct Crew<'a> {
    experiment: &'a Experiment,
    points: &'a Keyed<PointId, Box<dyn Prepared>>,
    stop: &'a Stop,
    progress: &'a dyn Progress,
}

/// The state they share.
struct Desk {
    journal: Journal,
    done: Done,
    error: Option<ExperimentError>,
}

impl Crew<'_> {
    fn work(
        &self,
        journal: Journal,
        done: Done,
        threads: usize,
    ) -> Result<(Journal, Done), ExperimentError> {
        let left: Vec<RunId> =
            self.experiment.runs().filter(|run| !done.contains_key(run)).collect();
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads }.clamp(1, left.len().max(1));
        let desk = Mutex::new(Desk { journal, done, error: None });
        let next = AtomicUsize::new(0);
        let one = || {
            while let Some(&run) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                if !self.do_run(run, &desk) {
                    break;
                }
            }
        };
        thread::scope(|scope| {
            (1..threads).for_each(|_| drop(scope.spawn(one)));
            one();
        });
        let desk = desk.into_inner().expect("no thread panics with the lock");
        desk.error.map_or(Ok((desk.journal, desk.done)), Err)
    }

    /// Runs one run; returns whether to continue.
    fn do_run(&self, run: RunId, desk: &Mutex<Desk>) -> bool {
        let outcome = outcome(self.experiment, &*self.points[run.point], run);
        if self.stop.is_due() {
            // The run may have ended early because of the stop, so its outcome is not reproducible.
            return false;
        }
        let failure = match &outcome {
            Outcome::Error(error) => Some(self.failure(run, error)),
            Outcome::Values(_) => None,
        };
        let mut desk = desk.lock().expect("no thread panics with the lock");
        if desk.error.is_some() {
            return false;
        }
        match desk.journal.add(run, &outcome) {
            Ok(()) => desk.done.insert(run, outcome),
            Err(error) => {
                desk.error = Some(error);
                return false;
            }
        };
        drop(desk);
        self.progress.advance(failure.as_deref());
        true
    }

    fn failure(&self, run: RunId, error: &str) -> String {
        let (experiment, seed) = (self.experiment, self.experiment.world_seed(run.replication));
        let place = experiment.point_label(run.point);
        format!("{place}, {}, seed {seed}: {error}", experiment.algorithms[run.algorithm])
    }
}

/// Runs one run at its prepared point.
pub(super) fn outcome(experiment: &Experiment, point: &dyn Prepared, run: RunId) -> Outcome {
    let algorithm = &experiment.algorithms[run.algorithm];
    let seed = experiment.world_seed(run.replication);
    match catch_unwind(AssertUnwindSafe(|| point.run(algorithm, seed))) {
        Ok(Ok(values)) => {
            let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
            Outcome::Values(values.into_iter().map(finite).collect())
        }
        Ok(Err(error)) => Outcome::Error(error.to_string()),
        Err(panic) => Outcome::Error(format!("panicked: {}", message(&*panic))),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message").to_owned()
}
