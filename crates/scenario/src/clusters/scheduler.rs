//! `[scheduler]`: the policy, and the choice of clusters.

use super::file;
use super::grid::Clusters;
use super::words::one_of;
use crate::error::{Fault, ensure};
use gridsat_cluster::{ClusterId, NodeChoice, QueueChoice, QueuePolicy, SchedulerSpec};

const POLICY: &str = "fcfs";

/// One queue for all clusters, or one per cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Queues {
    Global,
    Local,
    /// One per cluster, and a metascheduler that takes the next job from one of them.
    Chosen(QueueChoice),
}

/// The checked settings of the scheduler.
#[derive(Clone, Debug)]
pub(super) struct Scheduler {
    policy: QueuePolicy,
    pub queues: Queues,
    choice: NodeChoice,
    numbers: Numbers,
}

/// Parameters of policies. They are kept if another policy replaces that of the file.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    max_hops: Option<u32>,
    delay_percent: Option<u32>,
    keeps_work: Option<bool>,
}

impl Numbers {
    fn apply(self, policy: QueuePolicy) -> QueuePolicy {
        match policy {
            QueuePolicy::NoStarvation { max_hops } => {
                QueuePolicy::NoStarvation { max_hops: self.max_hops.unwrap_or(max_hops) }
            }
            QueuePolicy::Backfill { delay_percent } if delay_percent > 0 => {
                QueuePolicy::Backfill { delay_percent: self.delay_percent.unwrap_or(delay_percent) }
            }
            QueuePolicy::Preemptive { keeps_work } => {
                QueuePolicy::Preemptive { keeps_work: self.keeps_work.unwrap_or(keeps_work) }
            }
            other => other,
        }
    }
}

impl Scheduler {
    pub fn check(given: &file::Scheduler) -> Result<Self, Fault> {
        ensure(given.delay_percent != Some(0), || {
            "delay_percent is 0, must be above 0; for no delay use policy \
                 \"fcfs-scan-backfill\""
        })?;
        let &file::Scheduler { max_hops, delay_percent, keeps_work, .. } = given;
        let queues = [
            ("global", Queues::Global),
            ("local", Queues::Local),
            ("priority", Queues::Chosen(QueueChoice::Priority)),
            ("in-turn", Queues::Chosen(QueueChoice::InTurn)),
            ("random", Queues::Chosen(QueueChoice::Random { seed: 0 })),
        ];
        let choices =
            [("first-fit", NodeChoice::FirstFit), ("nearest-fit", NodeChoice::NearestFit)];
        Ok(Self {
            policy: find(given.policy.as_deref().unwrap_or(POLICY))?,
            queues: one_of("queue", given.queue.as_deref(), &queues)?,
            choice: one_of("choice", given.choice.as_deref(), &choices)?,
            numbers: Numbers { max_hops, delay_percent, keeps_work },
        })
    }

    /// The policy of that name; for `None` that of the file.
    pub fn policy(&self, name: Option<&str>) -> Result<QueuePolicy, Fault> {
        let policy = name.map_or(Ok(self.policy), find)?;
        if let Queues::Chosen(choice) = self.queues {
            ensure(choice.suits(policy), || {
                let policy = policy.name();
                format!(
                    "policy \"{policy}\" needs queue \"global\" or \"local\"; \
                     where jobs are chosen from several queues, use a plain or scan policy"
                )
            })?;
        }
        Ok(self.numbers.apply(policy))
    }

    pub fn build(&self, clusters: &Clusters, policy: QueuePolicy, seed: u64) -> Vec<SchedulerSpec> {
        let queues = match self.queues {
            Queues::Global | Queues::Local => QueueChoice::One,
            Queues::Chosen(QueueChoice::Random { .. }) => QueueChoice::Random { seed },
            Queues::Chosen(choice) => choice,
        };
        let ids = || (0..clusters.specs.len() as u32).map(ClusterId);
        let spec = |name: &str, clusters| SchedulerSpec {
            name: name.to_owned(),
            clusters,
            policy,
            choice: self.choice,
            queues,
        };
        match self.queues {
            Queues::Global | Queues::Chosen(_) => vec![spec("metascheduler", ids().collect())],
            Queues::Local => {
                ids().map(|id| spec(&clusters.specs[id.index()].name, vec![id])).collect()
            }
        }
    }
}

fn find(name: &str) -> Result<QueuePolicy, Fault> {
    let known = || QueuePolicy::all().into_iter().map(QueuePolicy::name);
    QueuePolicy::named(name).ok_or_else(|| Fault::unknown("policy", name, known()))
}
