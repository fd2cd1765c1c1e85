//! Events that a simulation of clusters reports.

use std::borrow::Cow;

use super::grid::{ClusterId, NodeShare};
use super::terms::Terms;
use gridsat_engine::Reports;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

/// Something that happened. Jobs are identified by their numbers in the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are what their types and names say")]
pub enum Happening<'a> {
    /// A job entered the queue.
    Arrived { job: &'a RigidJob, home: ClusterId },
    /// A job arrived that can never run. It is counted and dropped. Also reported to observers that
    /// follow only the jobs that leave.
    Refused { job: &'a RigidJob, home: ClusterId, terms: Option<&'a Terms> },
    /// A waiting job received a reservation: it starts at this time at the latest, if estimates are
    /// right.
    Reserved { job: u64, start: Time },
    /// A job started that delays `job` by `by` ticks; `left` ticks of its delay budget remain.
    Delayed { job: u64, by: Ticks, left: Ticks },
    /// A job started on these nodes.
    Started { job: u64, parts: &'a [NodeShare] },
    /// A job lost its nodes and waits again.
    Suspended { job: u64 },
    /// Nodes of a cluster failed; jobs on them were suspended or have ended.
    Failed { cluster: ClusterId, nodes: u32 },
    /// Nodes of a cluster are up again.
    Repaired { cluster: ClusterId, nodes: u32 },
    /// A job finished, was killed or lost.
    Ended { job: u64, outcome: Outcome },
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It completed its work.
    Finished,
    /// It was killed because it would have run longer than its estimate.
    Killed,
    /// It was lost because a node failed.
    Lost,
}

/// A job that has left the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord<'a> {
    /// The job as submitted.
    pub job: RigidJob,
    /// The cluster it was submitted to.
    pub home: ClusterId,
    /// How it ended.
    pub outcome: Outcome,
    /// Time of its first start.
    pub start: Time,
    /// Time at which it left.
    pub end: Time,
    /// Ticks during which it occupied nodes.
    pub held: Ticks,
    /// Number of times it was suspended.
    pub suspensions: u32,
    /// The nodes of its last start.
    pub parts: Cow<'a, [NodeShare]>,
    /// Its deadline and migration cost, if it had either.
    pub terms: Option<Terms>,
    /// Ticks that its migration took at its last start.
    pub migration: Ticks,
}

impl JobRecord<'_> {
    /// An owned copy.
    pub fn kept(&self) -> JobRecord<'static> {
        JobRecord { parts: self.parts.to_vec().into(), ..*self }
    }

    /// Number of nodes of its last start.
    pub fn nodes(&self) -> u32 {
        self.parts.iter().map(|part| part.nodes).sum()
    }

    /// Ticks from submission to first start.
    pub fn wait(&self) -> Ticks {
        self.start - Time(self.job.submit)
    }

    /// Ticks from submission to end.
    pub fn flow(&self) -> Ticks {
        self.end - Time(self.job.submit)
    }

    /// Time in the system divided by the time it occupied nodes, which counts as at least one tick.
    pub fn slowdown(&self) -> f64 {
        slowdown(self.flow(), self.held)
    }

    /// The slowdown with run times below the threshold replaced by the threshold, and at least 1
    /// (Feitelson 2001).
    pub fn bounded_slowdown(&self, threshold: Ticks) -> f64 {
        bounded_slowdown(self.flow(), self.held, threshold)
    }
}

/// Time in the system divided by the time on nodes, which counts as at least one tick.
#[inline]
pub(super) fn slowdown(flow: Ticks, held: Ticks) -> f64 {
    flow.max(Ticks(1)).as_f64() / held.max(Ticks(1)).as_f64()
}

/// The same with times on nodes below the threshold replaced by it, and at least 1.
#[inline]
pub(super) fn bounded_slowdown(flow: Ticks, held: Ticks, threshold: Ticks) -> f64 {
    (flow.as_f64() / held.max(threshold).max(Ticks(1)).as_f64()).max(1.0)
}

/// Marker for what a cluster simulation reports.
pub enum ClusterEvents {}

impl Reports for ClusterEvents {
    type Happening<'a> = Happening<'a>;
    type Record<'a> = JobRecord<'a>;
}
