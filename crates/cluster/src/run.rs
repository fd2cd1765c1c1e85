//! Runs a simulation and keeps a record of every job.

use super::error::ClusterError;
use super::happening::{ClusterEvents, JobRecord};
use super::setup::Setup;
use super::simulation::simulate;
use super::statistics::Summary;
use gridsat_engine::Observer;

/// The results of a simulation.
#[derive(Clone, Debug)]
pub struct Run {
    /// Statistics over all jobs.
    pub summary: Summary,
    /// The jobs that left, sorted by number.
    pub jobs: Vec<JobRecord<'static>>,
}

impl Run {
    /// Time at which the last job left, in seconds.
    pub fn makespan(&self) -> gridsat_model::Time {
        self.summary.scale.display(self.summary.makespan.0)
    }
}

impl Setup {
    /// Runs the simulation to its end and keeps a record of every job that left.
    pub fn run(self) -> Result<Run, ClusterError> {
        let mut records = Records::default();
        let summary = simulate(self, &mut records)?;
        let mut jobs = records.0;
        jobs.sort_by_key(|job| job.job.number);
        Ok(Run { summary, jobs })
    }
}

#[derive(Default)]
struct Records(Vec<JobRecord<'static>>);

impl Observer<ClusterEvents> for Records {
    fn left(&mut self, job: &JobRecord) {
        self.0.push(job.kept());
    }

    fn follows_events(&self) -> bool {
        false
    }
}
