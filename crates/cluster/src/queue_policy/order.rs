//! Sort orders of a queue. Equal jobs stay in order of arrival.
//!
//! Beosim names LJF and BJF without defining them. Here *largest* means most nodes, the opposite of
//! SMJF, and *biggest* most work, the opposite of SWJF. With these definitions LJF_SCAN has the
//! best utilisation, as Beosim reports; sorted by run time it does not. Longest run time first is
//! available too.

use crate::job::ParallelJob;
use gridsat_engine::time::Time;

/// Sort order of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueOrder {
    /// First come, first served.
    Fcfs,
    /// Shortest (estimated) run time first.
    Sjf,
    /// Longest (estimated) run time first.
    Longest,
    /// Fewest nodes first.
    Smjf,
    /// Most nodes first.
    Ljf,
    /// Least work, nodes × run time, first.
    Swjf,
    /// Most work, nodes × run time, first.
    Bjf,
    /// Highest priority first.
    Priority,
    /// Earliest deadline first; jobs without one last.
    Edf,
}

impl QueueOrder {
    /// All orders.
    pub const ALL: [Self; 9] = [
        Self::Fcfs,
        Self::Sjf,
        Self::Longest,
        Self::Smjf,
        Self::Ljf,
        Self::Swjf,
        Self::Bjf,
        Self::Priority,
        Self::Edf,
    ];

    /// Sort rank; smaller ranks come first.
    pub(crate) fn rank(self, spec: &ParallelJob) -> u64 {
        let job = &spec.rigid;
        let nodes = u64::from(job.nodes);
        let work = nodes.saturating_mul(job.estimate.0);
        match self {
            Self::Fcfs => 0,
            Self::Sjf => job.estimate.0,
            Self::Longest => u64::MAX - job.estimate.0,
            Self::Smjf => nodes,
            Self::Ljf => u64::MAX - nodes,
            Self::Swjf => work,
            Self::Bjf => u64::MAX - work,
            // Offset binary, reversed.
            Self::Priority => u64::MAX - (i64::from(job.priority) - i64::from(i32::MIN)) as u64,
            Self::Edf => spec.deadline().unwrap_or(Time::NEVER).0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Terms;
    use gridsat_model::Ticks;
    use gridsat_workload::RigidJob;

    /// Job 2 has no deadline; the others have 40 minus ten times their number.
    fn with_deadline(job: &RigidJob) -> ParallelJob {
        let deadline = (job.number != 2).then(|| Time(Ticks(40 - 10 * job.number)));
        let terms = Terms { deadline, ..Terms::default() };
        ParallelJob { terms: Some(terms.into()), ..(*job).into() }
    }

    #[test]
    fn each_order_by_hand() {
        let job = |number, nodes, estimate, priority| RigidJob {
            number,
            submit: Ticks(0),
            nodes,
            run: Ticks(1),
            estimate,
            priority,
            user: 0,
        };
        let jobs = [
            job(1, 3, Ticks(50), -1),
            job(2, 9, Ticks(10), i32::MAX),
            job(3, 4, Ticks(20), i32::MIN),
        ];
        let sorted = |order: QueueOrder| {
            let mut sorted = jobs;
            sorted.sort_by_key(|job| order.rank(&with_deadline(job)));
            sorted.map(|job| job.number)
        };
        let expected = [
            [1, 2, 3],
            [2, 3, 1],
            [1, 3, 2],
            [1, 3, 2],
            [2, 3, 1],
            [3, 2, 1],
            [1, 2, 3],
            [2, 1, 3],
            [3, 1, 2],
        ];
        assert_eq!(QueueOrder::ALL.map(sorted), expected);
    }
}
