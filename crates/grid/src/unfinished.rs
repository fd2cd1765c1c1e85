//! Jobs that are still in the system when a simulation ends, by application.

use std::collections::BTreeMap;

use super::job::Job;
use super::jobs::PlainJob;
use gridsat_engine::time::Time;
use gridsat_workload::ContractId;

/// Unfinished jobs of one application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Number of the user who submitted them.
    pub user: u32,
    /// Number of the application among those of the user.
    pub application: u32,
    /// Arrival of the first of them.
    pub arrival: Time,
    /// Budget and deadline of the application, if it has any.
    pub contract: Option<ContractId>,
    /// Number of these jobs.
    pub jobs: u64,
}

impl Unfinished {
    /// Adds up jobs; in order of users and applications.
    pub(super) fn all<'a>(
        plain: impl Iterator<Item = &'a PlainJob>,
        others: impl Iterator<Item = &'a Job>,
    ) -> Vec<Self> {
        let plain = plain.map(|job| (job.user, job.application, job.arrival, None));
        let others = others.map(|job| {
            let spec = &job.spec;
            (spec.user, spec.application, Time(spec.arrival), spec.contract)
        });
        let mut all = BTreeMap::new();
        for (user, application, arrival, contract) in plain.chain(others) {
            let new = Self { user, application, arrival, contract, jobs: 0 };
            let one = all.entry((user, application)).or_insert(new);
            one.jobs += 1;
            one.arrival = one.arrival.min(arrival);
        }
        all.into_values().collect()
    }
}
