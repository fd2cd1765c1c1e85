//! What happens in clusters.

use std::borrow::Cow;

use super::grid::{ClusterId, NodeShare};
use gridsat_engine::Reports;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

/// Something that happened. Jobs are named by their own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are what their types and names say")]
pub enum Happening<'a> {
    /// A job came into the queue.
    Arrived { job: &'a RigidJob, home: ClusterId },
    /// A job came that can never run; it is counted and forgotten.
    Refused { job: &'a RigidJob, home: ClusterId },
    /// A waiting job is to start then at the latest, if estimates are right.
    Reserved { job: u64, start: Time },
    /// A job that started will delay another by so much, which may still be delayed so much more.
    Delayed { job: u64, by: Ticks, left: Ticks },
    /// A job runs on these nodes.
    Started { job: u64, parts: &'a [NodeShare] },
    /// A job lost its nodes and waits again.
    Suspended { job: u64 },
    /// A job is done, or its time is over.
    Ended { job: u64, outcome: Outcome },
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did all its work.
    Finished,
    /// It was stopped because it would have run longer than its estimate.
    Killed,
}

/// A job that left the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord<'a> {
    /// What it was.
    pub job: RigidJob,
    /// Where it was submitted.
    pub home: ClusterId,
    /// How it ended.
    pub outcome: Outcome,
    /// When it first ran.
    pub start: Time,
    /// When it left.
    pub end: Time,
    /// Ticks that it had nodes.
    pub held: Ticks,
    /// How often it was suspended.
    pub suspensions: u32,
    /// The nodes it had last.
    pub parts: Cow<'a, [NodeShare]>,
}

impl JobRecord<'_> {
    /// The same, to be kept.
    pub fn kept(&self) -> JobRecord<'static> {
        JobRecord { parts: self.parts.to_vec().into(), ..*self }
    }

    /// How many nodes it had last.
    pub fn nodes(&self) -> u32 {
        self.parts.iter().map(|part| part.nodes).sum()
    }

    /// Submission to first start.
    pub fn wait(&self) -> Ticks {
        self.start - Time(self.job.submit)
    }

    /// Submission to end.
    pub fn flow(&self) -> Ticks {
        self.end - Time(self.job.submit)
    }

    /// Time in the system, over the time it had nodes; a tick if it had them for none.
    pub fn slowdown(&self) -> f64 {
        self.flow().max(Ticks(1)).as_f64() / self.held.max(Ticks(1)).as_f64()
    }

    /// The same with run times below a threshold taken as that, and at least 1 (Feitelson 2001).
    pub fn bounded_slowdown(&self, threshold: Ticks) -> f64 {
        (self.flow().as_f64() / self.held.max(threshold).max(Ticks(1)).as_f64()).max(1.0)
    }
}

/// What a cluster simulation reports.
pub enum ClusterEvents {}

impl Reports for ClusterEvents {
    type Happening<'a> = Happening<'a>;
    type Record<'a> = JobRecord<'a>;
}
