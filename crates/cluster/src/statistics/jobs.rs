//! CSV table with one row per job, written when the job leaves.
//!
//! Times are in the unit of the scenario. `parts` are the nodes of the last start, as
//! `cluster:group:nodes`, counted from 0; a job that was refused has none, and no times after its
//! submission.

use std::io::{self, Write};

use crate::grid::{ClusterId, NodeShare};
use crate::happening::{ClusterEvents, Happening, JobRecord, Outcome};
use gridsat_engine::Observer;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::RigidJob;

const HEAD: [&str; 14] = [
    "job",
    "user",
    "priority",
    "home",
    "submit",
    "start",
    "end",
    "wait",
    "run",
    "estimate",
    "nodes",
    "parts",
    "suspensions",
    "outcome",
];

/// Writes one row per job; a write error ends the simulation.
pub struct JobCsv<W: Write> {
    writer: csv::Writer<W>,
    scale: Scale,
    failure: Option<io::Error>,
}

impl<W: Write> JobCsv<W> {
    /// Writes the header row.
    pub fn new(out: W, scale: Scale) -> Self {
        let mut jobs = Self { writer: csv::Writer::from_writer(out), scale, failure: None };
        jobs.write(HEAD.map(str::to_owned));
        jobs
    }

    /// Returns the output, or the first write error.
    pub fn finish(self) -> io::Result<W> {
        match self.failure {
            Some(failure) => Err(failure),
            None => self.writer.into_inner().map_err(|error| error.into_error()),
        }
    }

    fn write(&mut self, row: [String; 14]) {
        if let Err(error) = self.writer.write_record(row) {
            self.failure.get_or_insert_with(|| io::Error::other(error));
        }
    }

    fn row(
        &self,
        job: &RigidJob,
        home: ClusterId,
        times: [Option<Ticks>; 4],
        nodes: u32,
        end: [String; 3],
    ) -> [String; 14] {
        let time = |ticks: Ticks| self.scale.display(ticks).to_string();
        let [start, finish, wait, run] = times.map(|ticks| ticks.map(time).unwrap_or_default());
        let [parts, suspensions, outcome] = end;
        [
            job.number.to_string(),
            job.user.to_string(),
            job.priority.to_string(),
            home.0.to_string(),
            time(job.submit),
            start,
            finish,
            wait,
            run,
            time(job.estimate),
            nodes.to_string(),
            parts,
            suspensions,
            outcome,
        ]
    }
}

fn show(part: &NodeShare) -> String {
    format!("{}:{}:{}", part.cluster.0, part.group, part.nodes)
}

impl<W: Write> Observer<ClusterEvents> for JobCsv<W> {
    fn happened(&mut self, _: Time, what: &Happening) {
        if let Happening::Refused { job, home } = what {
            let end = [String::new(), "0".to_owned(), "refused".to_owned()];
            self.write(self.row(job, *home, [None; 4], job.nodes, end));
        }
    }

    fn left(&mut self, job: &JobRecord) {
        let times = [job.start.0, job.end.0, job.wait(), job.held].map(Some);
        let parts: Vec<String> = job.parts.iter().map(show).collect();
        let outcome = match job.outcome {
            Outcome::Finished => "finished",
            Outcome::Killed => "killed",
        };
        let end = [parts.join(" "), job.suspensions.to_string(), outcome.to_owned()];
        self.write(self.row(&job.job, job.home, times, job.nodes(), end));
    }

    fn wants_end(&self) -> bool {
        self.failure.is_some()
    }
}
