//! Statistics collected during a simulation; their size does not depend on the number of jobs.
//!
//! A job counts for the cluster it was submitted to, even if another ran it; busy nodes count for
//! the cluster they belong to. Run time is the time a job occupied nodes. All figures of Beosim's
//! summary (section 5.1) are included.

mod gauge;
mod jobs;
mod line;
mod report;

pub use gauge::Gauge;
pub use jobs::JobCsv;
pub use report::{csv, json, object, text};

use super::failure::FailureCounts;
use super::grid::ClusterSpec;
use super::happening::{Outcome, bounded_slowdown, slowdown};
use super::reservation::ReservationSummary;
use super::terms::TermCounts;
use gridsat_engine::End;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::Stream;

/// Mean and maximum of ratios.
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

    /// The mean; 0 without values.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.total / self.count as f64 }
    }

    /// The maximum; 0 without values.
    pub fn most(&self) -> f64 {
        self.most
    }
}

/// Statistics of the jobs of one cluster, or of all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobCounts {
    /// Jobs that arrived, including those refused.
    pub submitted: u64,
    /// Jobs that completed their work.
    pub finished: u64,
    /// Jobs killed at their estimate.
    pub killed: u64,
    /// Jobs that fit on no cluster.
    pub refused: u64,
    /// Number of times jobs lost their nodes to others.
    pub suspensions: u64,
    /// Number of nodes, of jobs that left.
    pub nodes: Stream,
    /// Ticks during which jobs occupied nodes.
    pub run: Stream,
    /// Ticks from submission to first start.
    pub wait: Stream,
    /// Ticks from submission to end.
    pub flow: Stream,
    /// Time in the system divided by run time.
    pub slowdown: Ratio,
    /// Slowdown with run times below the threshold replaced by the threshold.
    pub bounded_slowdown: Ratio,
    /// Deadlines and migrations.
    pub terms: TermCounts,
    /// Failures of nodes and jobs.
    pub failures: FailureCounts,
}

impl JobCounts {
    /// Adds a job that left.
    #[inline]
    pub(super) fn add(&mut self, job: &Departure, threshold: Ticks) {
        let &Departure { outcome, nodes, suspensions, held, wait, flow } = job;
        match outcome {
            Outcome::Finished => self.finished += 1,
            Outcome::Killed => self.killed += 1,
            // Counted with the failures only.
            Outcome::Lost => return,
        }
        self.suspensions += u64::from(suspensions);
        self.nodes.add(nodes.into());
        self.run.add(held.0);
        self.wait.add(wait.0);
        self.flow.add(flow.0);
        self.slowdown.add(slowdown(flow, held));
        self.bounded_slowdown.add(bounded_slowdown(flow, held, threshold));
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
        self.terms.merge(&other.terms);
        self.failures.merge(&other.failures);
    }
}

/// What counts of a job that left.
pub(super) struct Departure {
    pub outcome: Outcome,
    /// Number of nodes of its last start.
    pub nodes: u32,
    pub suspensions: u32,
    /// Ticks during which it occupied nodes.
    pub held: Ticks,
    /// Ticks from submission to first start.
    pub wait: Ticks,
    /// Ticks from submission to end.
    pub flow: Ticks,
}

/// Collects the statistics of one cluster.
#[derive(Clone, Debug, Default)]
pub(super) struct Collector {
    pub jobs: JobCounts,
    /// Waiting jobs that were submitted here.
    pub queue: Gauge,
    /// Number of running jobs that were submitted here.
    pub running: u64,
    /// Busy time of the nodes of this cluster, in nodes × ticks, without the jobs that still run.
    pub busy: u128,
}

/// Statistics of one cluster, or of all, over the whole simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterSummary {
    /// Name of the cluster.
    pub name: String,
    /// Number of nodes.
    pub nodes: u64,
    /// Jobs submitted here.
    pub jobs: JobCounts,
    /// Jobs that still wait at the end.
    pub queued: u64,
    /// Jobs that still run at the end.
    pub running: u64,
    /// Mean number of waiting jobs over time.
    pub queue_depth: f64,
    /// Largest number of jobs waiting at the same time.
    pub max_queue_depth: u64,
    /// Busy time, in nodes × ticks.
    pub busy: u128,
    /// Fraction of the nodes' time until the end in which they were busy, from 0 to 1.
    pub utilisation: f64,
    /// Jobs that left per tick.
    pub throughput: f64,
}

impl ClusterSummary {
    pub(super) fn new(spec: &ClusterSpec, tally: Collector, end: Time) -> Self {
        let (nodes, busy) = (spec.nodes(), tally.busy);
        Self {
            name: spec.name.clone(),
            nodes,
            queued: tally.queue.value(),
            running: tally.running,
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

/// The results of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Why the simulation stopped.
    pub end: End,
    /// When the simulation stopped.
    pub end_time: Time,
    /// Time at which the last job ended.
    pub makespan: Time,
    /// All clusters together.
    pub all: ClusterSummary,
    /// Each cluster, in order.
    pub clusters: Vec<ClusterSummary>,
    /// The reservations, in order.
    pub reservations: Vec<ReservationSummary>,
    /// Number of events processed.
    pub events: u64,
    /// Length of a tick.
    pub scale: Scale,
}
