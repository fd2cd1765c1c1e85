//! Executes the runs of a campaign that have no result yet.
//!
//! Runs are taken in order: all solvers on one instance, then the next instance, so that the times
//! of different solvers are measured side by side.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gridsat_model::Stop;

use super::error::CampaignError;
use super::listing::Listed;
use super::results::Results;
use super::row::Row;
use super::run::{Limits, Run};
use super::solver::{Program, Solver};
use crate::experiment::Progress;

/// Instances, solvers and how they are run.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// What is solved, in this order.
    pub instances: Vec<Listed>,
    /// What solves it, in this order.
    pub solvers: Vec<Solver>,
    /// What each solver is allowed.
    pub limits: Limits,
    /// Runs at the same time. With more than one the times disturb each other.
    pub jobs: usize,
    /// Whether failed runs are repeated.
    pub retry: bool,
    /// Where certificates are kept, if they are.
    pub certificates: Option<PathBuf>,
}

/// How a campaign ended.
#[derive(Debug)]
pub struct Ended {
    /// The rows of all runs that are done, earlier ones included, in the order of the runs.
    pub rows: Vec<Row>,
    /// Number of runs of the campaign; more than rows if it was stopped.
    pub planned: usize,
}

impl Campaign {
    /// All runs, in the order in which they are executed.
    pub fn runs(&self) -> Vec<Run> {
        let limits = self.limits;
        let runs = self.instances.iter().flat_map(|instance| {
            self.solvers.iter().map(move |solver| (instance.clone(), solver.clone()))
        });
        runs.map(|(instance, solver)| Run { instance, solver, limits }).collect()
    }

    /// Executes what is not in the file of results yet.
    pub fn run(
        &self,
        path: &Path,
        program: &Program,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> Result<Ended, CampaignError> {
        let runs = self.runs();
        let results = Results::open(path)?;
        results.check(&runs, program)?;
        let is_done = |row: &Row| !(self.retry && row.has_failed());
        let left: Vec<&Run> =
            runs.iter().filter(|run| !results.row(run).is_some_and(is_done)).collect();
        progress.begin(runs.len() - left.len(), runs.len());
        let desk = Mutex::new((results, None));
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(run) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                let row = run.execute(program, self.certificates.as_deref(), stop);
                if !store(row, &desk, progress) {
                    break;
                }
            }
        };
        thread::scope(|scope| {
            (1..self.jobs.min(left.len())).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        let (results, error) = desk.into_inner().expect("no thread panics with the lock");
        let rows = runs.iter().filter_map(|run| results.row(run).cloned()).collect();
        error.map_or(Ok(Ended { rows, planned: runs.len() }), Err)
    }
}

/// Stores what came out of a run; returns whether to continue.
fn store(
    row: Result<Option<Row>, CampaignError>,
    desk: &Mutex<(Results, Option<CampaignError>)>,
    progress: &dyn Progress,
) -> bool {
    let mut desk = desk.lock().expect("no thread panics with the lock");
    let (results, error) = &mut *desk;
    let row = match row {
        Ok(Some(row)) if error.is_none() => row,
        Ok(_) => return false,
        Err(failure) => {
            error.get_or_insert(failure);
            return false;
        }
    };
    let note = row.note.as_deref().unwrap_or_default();
    let failure = format!("{}, {}: {note}", row.instance, row.solver);
    let failure = Some(failure).filter(|_| row.has_failed() || row.accepted == Some(false));
    if let Err(failure) = results.add(row) {
        error.get_or_insert(failure);
        return false;
    }
    progress.advance(failure.as_deref());
    true
}
