//! What is counted while jobs come and go: nothing grows with the number of jobs.
//!
//! A job counts for the cluster it was submitted to, whichever ran it; nodes at work count for the
//! cluster they belong to. Run time is the time a job had nodes. All of Beosim's summary (section
//! 5.1) follows.

mod gauge;
mod jobs;
mod report;

pub use gauge::Gauge;
pub use jobs::JobCsv;
pub use report::{csv, json, object, text};

use super::grid::ClusterSpec;
use super::happening::{JobRecord, Outcome};
use gridsat_engine::End;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::Stream;

/// Mean and largest of ratios.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ratio {
    total: f64,
    count: u64,
    most: f64,
}

impl Ratio {
    fn add(&mut self, value: f64) {
        self.total += value;
        self.count += 1;
        self.most = self.most.max(value);
    }

    fn merge(&mut self, other: &Self) {
        self.total += other.total;
        self.count += other.count;
        self.most = self.most.max(other.most);
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.total / self.count as f64 }
    }

    /// The largest; 0 of none.
    pub fn most(&self) -> f64 {
        self.most
    }
}

/// Jobs of one cluster, or of all, counted as they come and go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobCounts {
    /// Arrived, refused ones too.
    pub submitted: u64,
    /// Did all their work.
    pub finished: u64,
    /// Stopped at their estimate.
    pub killed: u64,
    /// Too large to ever run.
    pub refused: u64,
    /// How often jobs lost their nodes to others.
    pub suspensions: u64,
    /// Nodes of jobs that left.
    pub nodes: Stream,
    /// Ticks that jobs had nodes.
    pub run: Stream,
    /// Submission to first start.
    pub wait: Stream,
    /// Submission to end.
    pub flow: Stream,
    /// Time in the system over run time.
    pub slowdown: Ratio,
    /// The same for run times of at least a threshold.
    pub bounded_slowdown: Ratio,
}

impl JobCounts {
    pub(super) fn add(&mut self, job: &JobRecord, threshold: Ticks) {
        match job.outcome {
            Outcome::Finished => self.finished += 1,
            Outcome::Killed => self.killed += 1,
        }
        self.suspensions += u64::from(job.suspensions);
        self.nodes.add(job.parts.iter().map(|part| u64::from(part.nodes)).sum());
        self.run.add(job.held.0);
        self.wait.add(job.wait().0);
        self.flow.add(job.flow().0);
        self.slowdown.add(job.slowdown());
        self.bounded_slowdown.add(job.bounded_slowdown(threshold));
    }

    fn merge(&mut self, other: &Self) {
        self.submitted += other.submitted;
        self.finished += other.finished;
        self.killed += other.killed;
        self.refused += other.refused;
        self.suspensions += other.suspensions;
        self.nodes.merge(&other.nodes);
        self.run.merge(&other.run);
        self.wait.merge(&other.wait);
        self.flow.merge(&other.flow);
        self.slowdown.merge(&other.slowdown);
        self.bounded_slowdown.merge(&other.bounded_slowdown);
    }
}

/// What happens at one cluster.
#[derive(Clone, Debug, Default)]
pub(super) struct Collector {
    pub jobs: JobCounts,
    /// Jobs submitted here that wait.
    pub queue: Gauge,
    /// Jobs submitted here that run.
    pub running: Gauge,
    /// Nodes of this cluster at work.
    pub busy: Gauge,
}

/// One cluster, or all, over the whole simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterSummary {
    /// Its name.
    pub name: String,
    /// Nodes.
    pub nodes: u64,
    /// Jobs submitted here.
    pub jobs: JobCounts,
    /// Those that still wait.
    pub queued: u64,
    /// Those that still run.
    pub running: u64,
    /// Mean number of waiting jobs, weighted with time.
    pub queue_depth: f64,
    /// The most jobs that waited at a time.
    pub max_queue_depth: u64,
    /// Nodes × ticks at work.
    pub busy: u128,
    /// Share of the nodes' time until the end that they were at work.
    pub utilisation: f64,
    /// Jobs that left, a tick.
    pub throughput: f64,
}

impl ClusterSummary {
    pub(super) fn new(spec: &ClusterSpec, tally: Collector, end: Time) -> Self {
        let nodes = spec.nodes();
        let busy = tally.busy.area(end);
        Self {
            name: spec.name.clone(),
            nodes,
            queued: tally.queue.value(),
            running: tally.running.value(),
            queue_depth: tally.queue.mean(end),
            max_queue_depth: tally.queue.max(),
            busy,
            utilisation: share(busy, nodes, end),
            throughput: rate(tally.jobs.run.count(), end),
            jobs: tally.jobs,
        }
    }

    pub(super) fn all(clusters: &[Self], queue: &Gauge, end: Time) -> Self {
        let mut jobs = JobCounts::default();
        clusters.iter().for_each(|cluster| jobs.merge(&cluster.jobs));
        let sum = |of: fn(&Self) -> u64| clusters.iter().map(of).sum();
        let busy = clusters.iter().map(|cluster| cluster.busy).sum();
        let nodes = sum(|cluster| cluster.nodes);
        Self {
            name: "all".to_owned(),
            nodes,
            queued: sum(|cluster| cluster.queued),
            running: sum(|cluster| cluster.running),
            queue_depth: queue.mean(end),
            max_queue_depth: queue.max(),
            busy,
            utilisation: share(busy, nodes, end),
            throughput: rate(jobs.run.count(), end),
            jobs,
        }
    }
}

fn share(busy: u128, nodes: u64, end: Time) -> f64 {
    let whole = u128::from(nodes) * u128::from(end.0);
    if whole == 0 { 0.0 } else { busy as f64 / whole as f64 }
}

fn rate(jobs: u64, end: Time) -> f64 {
    if end == Time::ZERO { 0.0 } else { jobs as f64 / end.0.as_f64() }
}

/// What a simulation comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Why it stopped.
    pub end: End,
    /// When it stopped.
    pub end_time: Time,
    /// When the last job ended.
    pub makespan: Time,
    /// All clusters together.
    pub all: ClusterSummary,
    /// Cluster by cluster.
    pub clusters: Vec<ClusterSummary>,
    /// Events that happened.
    pub events: u64,
    /// What a tick is.
    pub scale: Scale,
}
