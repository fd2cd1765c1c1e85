//! The simulated jobs as a trace, which can be simulated again.
//!
//! | field | content |
//! |---|---|
//! | wait | from submission to first start |
//! | run | how long it occupied nodes |
//! | CPU time | run time on reference nodes |
//! | processors used, requested | those of its last start; those it was submitted with |
//! | time requested, user, queue | its estimate, user and priority |
//! | status | completed, failed, cancelled or unknown |
//! | partition | the cluster it was submitted to, from 1, if there are several |
//!
//! CPU time differs from run only if nodes are not equal or not local; `run_time = "cpu"` reads it
//! back. A negative priority becomes unknown. The status is failed for a job killed at its
//! estimate, cancelled for one that fits on no cluster, and unknown for one that still waits or
//! runs.
//!
//! Jobs are written in order of submission, as the format requires; jobs that finish early are held
//! back until then. Components, speed-up curves, deadlines and migration costs are not written,
//! because the format has no field for them.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};

use gridsat_cluster::{
    ClusterEvents, ClusterId, ClusterSpec, Happening, JobRecord, Observer, Outcome, Setup,
};
use gridsat_engine::time::Time;
use gridsat_model::Scale;
use gridsat_model::VERSION;
use gridsat_workload::RigidJob;
use gridsat_workload::swf::{Decimal, Header, Record, Status, Writer};

/// Writes the trace of a simulation; a write error ends the simulation.
pub struct SwfLog<W: Write> {
    writer: Writer<W>,
    scale: Scale,
    /// Whether the partition field holds the home of each job.
    has_partitions: bool,
    /// Jobs from the first that has not left on, and whether each has left.
    jobs: VecDeque<(Record, bool)>,
    /// Index of each job that has not left, counted from the first job of the simulation.
    places: HashMap<u64, u64>,
    written: u64,
    failure: Option<io::Error>,
}

impl<W: Write> SwfLog<W> {
    /// Writes the header.
    pub fn new(out: W, setup: &Setup) -> io::Result<Self> {
        Ok(Self {
            writer: Writer::new(out, &header(setup))?,
            scale: setup.scale,
            has_partitions: setup.clusters.len() > 1,
            jobs: VecDeque::new(),
            places: HashMap::new(),
            written: 0,
            failure: None,
        })
    }

    /// Writes the jobs that have not left, in their current state, and returns the output; or the
    /// first write error.
    pub fn finish(mut self) -> io::Result<W> {
        self.jobs.iter_mut().for_each(|(_, is_done)| *is_done = true);
        self.write();
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(self.writer.into_inner()),
        }
    }

    fn add(&mut self, job: &RigidJob, home: ClusterId, status: Option<Status>) {
        let partition = self.has_partitions.then_some(home.0 + 1);
        let processors = None;
        let record = Record { status, partition, processors, ..Record::of_job(job, self.scale) };
        if status.is_none() {
            self.places.insert(job.number, self.written + self.jobs.len() as u64);
        }
        self.jobs.push_back((record, status.is_some()));
        self.write();
    }

    fn write(&mut self) {
        while let Some((record, true)) = self.jobs.front() {
            if let Err(error) = self.writer.job(record) {
                self.failure.get_or_insert(error);
            }
            self.jobs.pop_front();
            self.written += 1;
        }
    }
}

impl<W: Write> Observer<ClusterEvents> for SwfLog<W> {
    fn happened(&mut self, _: Time, what: &Happening) {
        match *what {
            Happening::Arrived { job, home } => self.add(job, home, None),
            Happening::Refused { job, home, .. } => self.add(job, home, Some(Status::Cancelled)),
            _ => {}
        }
    }

    fn left(&mut self, job: &JobRecord) {
        let place = self.places.remove(&job.job.number);
        let place = place.and_then(|place| self.jobs.get_mut((place - self.written) as usize));
        let Some((record, is_done)) = place else { return };
        let time = |ticks| Some(Decimal::from_ticks(ticks, self.scale));
        record.wait = time(job.wait());
        record.run = time(job.held);
        record.cpu_time = time(match job.outcome {
            Outcome::Finished => job.job.run,
            Outcome::Killed => job.job.run.min(job.job.estimate),
            Outcome::Lost => job.held,
        });
        record.processors = Some(job.nodes());
        record.status = Some(match job.outcome {
            Outcome::Finished => Status::Completed,
            Outcome::Killed | Outcome::Lost => Status::Failed,
        });
        *is_done = true;
        self.write();
    }

    fn wants_end(&self) -> bool {
        self.failure.is_some()
    }
}

/// The header, without dates and with no names but those of clusters, so that the same schedule
/// gives the same bytes.
fn header(setup: &Setup) -> Header {
    let mut header = Header::default();
    header.push("Version", "2.2");
    header.push("Conversion", &format!("gridsat {VERSION}"));
    let nodes: u64 = setup.clusters.iter().map(ClusterSpec::nodes).sum();
    header.push("MaxNodes", &nodes.to_string());
    header.push("MaxProcs", &nodes.to_string());
    if setup.clusters.len() > 1 {
        header.push("MaxPartitions", &setup.clusters.len().to_string());
        for (number, cluster) in (1..).zip(&setup.clusters) {
            header.push("Partition", &format!("{number} {}", cluster.name));
        }
    }
    if let Some(scheduler) = setup.schedulers.first() {
        header.push("Note", &format!("policy {}", scheduler.policy.name()));
    }
    header
}
