//! A campaign, whose rows are added to a file as soon as they are known.

use std::cell::RefCell;
use std::path::Path;

use super::super::engine::{Driven, Watch, finish};
use super::super::{PartsError, Plan};
use super::{Working, folder_of, remove};
use crate::campaign::{Campaign, Row, Rows, Run};

/// Files that an engine leaves in a folder of parts if others may be at work on them.
const JOBS: [&str; 2] = ["slurm.job", "hyperqueue.job"];

/// How it ended.
#[derive(Debug)]
pub struct EndedCampaign {
    /// The rows of all runs that are done, earlier ones included, in the order of the runs.
    pub rows: Vec<Row>,
    /// Number of runs of the campaign; more than rows if it was stopped.
    pub planned: usize,
}

/// Executes what is not in the file of results yet; with `retry` also what failed.
pub fn run(
    campaign: &Campaign,
    out: &Path,
    retry: bool,
    working: Working<'_>,
) -> Result<EndedCampaign, PartsError> {
    let Working { program, engine, sizes, keep, stop, watch } = working;
    let runs = campaign.runs();
    let mut rows = Rows::open(out)?;
    rows.check(&runs, program)?;
    let is_done = |row: &&Row| !(retry && row.has_failed());
    let folder = folder_of(out);
    if runs.iter().any(|run| rows.of(run).filter(is_done).is_none()) {
        let plan = match Plan::campaign(&folder, campaign, sizes, program) {
            Err(error) if !is_busy(&folder) => {
                take_over(&folder, &mut rows, &program.version, error)?;
                Plan::campaign(&folder, campaign, sizes, program)?
            }
            plan => plan?,
        };
        prepare(&plan, &rows, retry)?;
        let collector = Collector { rows: RefCell::new(rows), watch };
        let driven = finish(plan, engine, program, stop, &collector);
        rows = collector.rows.into_inner();
        // Every row is in the file, so nothing is lost with the parts.
        if let Driven::Complete(_) | Driven::Stopped { .. } = driven?
            && !keep
        {
            remove(&folder)?;
        }
    }
    let done = runs.iter().filter_map(|run| rows.of(run).cloned()).collect();
    Ok(EndedCampaign { rows: done, planned: runs.len() })
}

/// Makes parts of the rows that are in the file; with `retry` parts that failed are missing.
fn prepare(plan: &Plan, rows: &Rows, retry: bool) -> Result<(), PartsError> {
    let is_done = |row: &&Row| !(retry && row.has_failed());
    for part in 0..plan.parts() {
        let known = |run: &Run| rows.of(run).filter(is_done).map(Row::line);
        let known: Option<Vec<String>> = plan.runs_of(part).iter().map(known).collect();
        match known {
            Some(lines) => plan.write_part(part, &lines)?,
            None if !plan.rows_of(part).iter().all(|row| is_done(&row)) => plan.remove(&[part])?,
            None => {}
        }
    }
    Ok(())
}

/// Whether jobs of an engine may still be at work on the parts in a folder.
fn is_busy(folder: &Path) -> bool {
    let has_job = JOBS.iter().any(|name| folder.join(name).exists());
    has_job && Plan::open(folder).is_ok_and(|plan| !plan.missing().is_empty())
}

/// Adds the rows of another campaign, which nobody is at work on, and removes its parts.
fn take_over(
    folder: &Path,
    rows: &mut Rows,
    version: &str,
    error: PartsError,
) -> Result<(), PartsError> {
    if !matches!(error, PartsError::OtherPlan { .. } | PartsError::NoPlan { .. }) {
        return Err(error);
    }
    if let Ok(plan) = Plan::open(folder) {
        let left = plan.files().into_iter().flat_map(|part| plan.rows_of(part));
        for row in left.filter(|row| row.gridsat == version) {
            rows.add(row)?;
        }
    }
    remove(folder)
}

/// Adds the rows of every part that is done to the file.
struct Collector<'a> {
    rows: RefCell<Rows>,
    watch: &'a dyn Watch,
}

impl Watch for Collector<'_> {
    fn parts(&self, done: usize, running: usize, failed: usize, of: usize) {
        self.watch.parts(done, running, failed, of);
    }

    fn say(&self, text: &str) {
        self.watch.say(text);
    }

    fn done(&self, plan: &Plan, part: usize) -> Result<(), PartsError> {
        for row in plan.rows_of(part) {
            let note = row.note.as_deref().unwrap_or_default();
            let failure = format!("failed: {}, {}: {note}", row.instance, row.solver);
            let has_failed = row.has_failed() || row.accepted == Some(false);
            if self.rows.borrow_mut().add(row)? && has_failed {
                self.watch.say(&failure);
            }
        }
        Ok(())
    }
}
