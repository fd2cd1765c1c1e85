//! All that a simulation of clusters is made of.

use super::error::ClusterError;
use super::grid::{ClusterId, ClusterSpec, Penalty};
use super::job::Source;
use super::pool::NodeChoice;
use super::queue_policy::QueuePolicy;
use gridsat_engine::StopRules;
use gridsat_model::{Scale, Ticks};

/// A scheduler with one queue for some clusters. One for all is Beosim's metascheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedulerSpec {
    /// Its name.
    pub name: String,
    /// Its clusters; no other scheduler has them.
    pub clusters: Vec<ClusterId>,
    /// Who is next.
    pub policy: QueuePolicy,
    /// Where.
    pub choice: NodeChoice,
}

/// What happens to jobs that run longer than estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overrun {
    /// Nothing, as in traces; schedulers expect twice as much each time they were wrong.
    #[default]
    Extend,
    /// They are stopped when their estimate is over.
    Kill,
}

/// All that a simulation of clusters is made of.
pub struct Setup {
    /// What there is.
    pub clusters: Vec<ClusterSpec>,
    /// Who decides; each cluster belongs to one of them.
    pub schedulers: Vec<SchedulerSpec>,
    /// Who comes when.
    pub source: Source,
    /// What nodes cost that are not local.
    pub penalty: Penalty,
    /// What happens to jobs that run longer than estimated.
    pub overrun: Overrun,
    /// When to stop.
    pub stop: StopRules,
    /// Run times below it count as this in the bounded slowdown.
    pub threshold: Ticks,
    /// What a tick is.
    pub scale: Scale,
}

impl Setup {
    /// One queue for all clusters, ticks of a second, a threshold of 10 s and no penalty.
    pub fn global(clusters: Vec<ClusterSpec>, policy: QueuePolicy, source: Source) -> Self {
        let ids = (0..clusters.len() as u32).map(ClusterId).collect();
        let name = "metascheduler".to_owned();
        let choice = NodeChoice::FirstFit;
        let schedulers = vec![SchedulerSpec { name, clusters: ids, policy, choice }];
        Self::with(clusters, schedulers, source)
    }

    /// A queue for each cluster; jobs stay where they are submitted. The rest as in
    /// [`Setup::global`].
    pub fn local(clusters: Vec<ClusterSpec>, policy: QueuePolicy, source: Source) -> Self {
        let scheduler = |(id, cluster): (usize, &ClusterSpec)| SchedulerSpec {
            name: cluster.name.clone(),
            clusters: vec![ClusterId(id as u32)],
            policy,
            choice: NodeChoice::FirstFit,
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
            stop: StopRules::default(),
            threshold: Ticks(10),
            scale: Scale::default(),
        }
    }

    /// Checks clusters and schedulers; the scheduler of each cluster.
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
        owners.iter().zip(&self.clusters).map(|(owners, cluster)| only(owners, cluster)).collect()
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
