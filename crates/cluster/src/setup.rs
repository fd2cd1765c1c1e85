//! The input of a simulation of clusters.

use super::error::ClusterError;
use super::failure::Failures;
use super::grid::{ClusterId, ClusterSpec, Penalty};
use super::job::Source;
use super::pool::NodeChoice;
use super::queue_policy::{QueueChoice, QueuePolicy};
use super::reservation::ReservationSpec;
use gridsat_engine::StopRules;
use gridsat_model::{Scale, Ticks};

/// A scheduler with one queue for some clusters. One scheduler for all clusters is Beosim's
/// metascheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedulerSpec {
    /// Name of the scheduler.
    pub name: String,
    /// Its clusters, which belong to no other scheduler.
    pub clusters: Vec<ClusterId>,
    /// The order in which jobs start.
    pub policy: QueuePolicy,
    /// The order in which clusters are searched for nodes.
    pub choice: NodeChoice,
    /// Whether its clusters have queues of their own, and which of them is next.
    pub queues: QueueChoice,
}

/// What happens to jobs that run longer than estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overrun {
    /// They continue, as in traces. Schedulers double the expected run time each time it is
    /// exceeded.
    #[default]
    Extend,
    /// They are killed when their estimate has elapsed.
    Kill,
}

/// The input of a simulation of clusters.
pub struct Setup {
    /// The clusters of the grid.
    pub clusters: Vec<ClusterSpec>,
    /// The schedulers; each cluster belongs to exactly one.
    pub schedulers: Vec<SchedulerSpec>,
    /// The jobs, in order of submission.
    pub source: Source,
    /// Penalty for nodes that are not local.
    pub penalty: Penalty,
    /// What happens to jobs that run longer than estimated.
    pub overrun: Overrun,
    /// Whether jobs may have deadlines or migration costs, so that tables have columns for them.
    pub has_terms: bool,
    /// Advance reservations; jobs name them by number.
    pub reservations: Vec<ReservationSpec>,
    /// Failures of nodes, if there are any.
    pub failures: Option<Failures>,
    /// Rules that end the simulation early.
    pub stop: StopRules,
    /// Run times below this many ticks count as this in the bounded slowdown.
    pub threshold: Ticks,
    /// Length of a tick.
    pub scale: Scale,
}

impl Setup {
    /// One queue for all clusters, ticks of one second, a threshold of 10 s and no penalty.
    pub fn global(clusters: Vec<ClusterSpec>, policy: QueuePolicy, source: Source) -> Self {
        let ids = (0..clusters.len() as u32).map(ClusterId).collect();
        let name = "metascheduler".to_owned();
        let (choice, queues) = (NodeChoice::FirstFit, QueueChoice::One);
        let schedulers = vec![SchedulerSpec { name, clusters: ids, policy, choice, queues }];
        Self::with(clusters, schedulers, source)
    }

    /// One queue per cluster; jobs stay where they are submitted. Otherwise as [`Setup::global`].
    pub fn local(clusters: Vec<ClusterSpec>, policy: QueuePolicy, source: Source) -> Self {
        let scheduler = |(id, cluster): (usize, &ClusterSpec)| SchedulerSpec {
            name: cluster.name.clone(),
            clusters: vec![ClusterId(id as u32)],
            policy,
            choice: NodeChoice::FirstFit,
            queues: QueueChoice::One,
        };
        let schedulers = clusters.iter().enumerate().map(scheduler).collect();
        Self::with(clusters, schedulers, source)
    }

    fn with(clusters: Vec<ClusterSpec>, schedulers: Vec<SchedulerSpec>, source: Source) -> Self {
        Self {
            clusters,
            schedulers,
            source,
            penalty: Penalty::default(),
            overrun: Overrun::default(),
            has_terms: false,
            reservations: Vec::new(),
            failures: None,
            stop: StopRules::default(),
            threshold: Ticks(10),
            scale: Scale::default(),
        }
    }

    /// Checks clusters and schedulers; returns the scheduler of each cluster.
    pub(super) fn owners(&self) -> Result<Vec<u32>, ClusterError> {
        if self.clusters.is_empty() {
            return Err(ClusterError::NoClusters);
        }
        for cluster in &self.clusters {
            let nodes = cluster.nodes();
            if nodes == 0 || nodes > u64::from(u32::MAX) {
                return Err(ClusterError::Nodes { cluster: cluster.name.clone(), nodes });
            }
        }
        let nodes = self.clusters.iter().map(ClusterSpec::nodes).sum();
        if nodes > u64::from(u32::MAX) {
            return Err(ClusterError::TooMany { nodes });
        }
        let mut owners = vec![Vec::new(); self.clusters.len()];
        for (index, scheduler) in self.schedulers.iter().enumerate() {
            self.claim(index as u32, scheduler, &mut owners)?;
        }
        self.reservations.iter().try_for_each(|spec| self.check_reservation(spec))?;
        owners.iter().zip(&self.clusters).map(|(owners, cluster)| only(owners, cluster)).collect()
    }

    fn check_reservation(&self, spec: &ReservationSpec) -> Result<(), ClusterError> {
        let cluster = self.clusters.get(spec.cluster.index());
        let have = cluster.map_or(0, ClusterSpec::nodes);
        let is_preemptive =
            |scheduler: &SchedulerSpec| matches!(scheduler.policy, QueuePolicy::Preemptive { .. });
        let problem = if !(1..=have).contains(&u64::from(spec.nodes)) {
            format!("{} nodes are requested, but the cluster has {have}", spec.nodes)
        } else if spec.duration == Ticks(0) || spec.start.after(spec.duration).is_none() {
            format!("a duration of {} ticks is not possible", spec.duration)
        } else if spec.start < spec.requested {
            "it starts before it is requested".to_owned()
        } else if self.schedulers.iter().any(is_preemptive) {
            "policy 'preemptive' does not work with reservations".to_owned()
        } else {
            return Ok(());
        };
        Err(ClusterError::Reservation { reservation: spec.name.clone(), problem })
    }

    fn claim(
        &self,
        index: u32,
        scheduler: &SchedulerSpec,
        owners: &mut [Vec<u32>],
    ) -> Result<(), ClusterError> {
        let name = || scheduler.name.clone();
        if scheduler.clusters.is_empty() {
            return Err(ClusterError::Idle { scheduler: name() });
        }
        if !scheduler.queues.suits(scheduler.policy) {
            return Err(ClusterError::Queues { policy: scheduler.policy.name() });
        }
        for cluster in &scheduler.clusters {
            let clusters = owners.len();
            let owner = owners.get_mut(cluster.index());
            let unknown =
                || ClusterError::Unknown { scheduler: name(), cluster: cluster.0, clusters };
            owner.ok_or_else(unknown)?.push(index);
        }
        Ok(())
    }
}

fn only(owners: &[u32], cluster: &ClusterSpec) -> Result<u32, ClusterError> {
    let [owner] = owners else {
        let cluster = cluster.name.clone();
        return Err(ClusterError::Owners { cluster, schedulers: owners.len() });
    };
    Ok(*owner)
}
