//! Jobs of a grid of clusters: a rigid job, where it is submitted, and how its nodes may be spread.
//!
//! The three ways to ask for nodes in several clusters are those of Bucur and Epema (2003), as
//! Beosim lists them: ordered, unordered and total.

use std::sync::Arc;

use super::grid::ClusterId;
use super::speedup::Moldable;
use gridsat_workload::RigidJob;

/// Sizes of the components of a job, from the largest; no two go to the same cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components(Arc<[u32]>);

impl Components {
    /// Puts them in order.
    pub fn new(mut sizes: Vec<u32>) -> Self {
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        Self(sizes.into())
    }

    /// From the largest.
    pub fn sizes(&self) -> &[u32] {
        &self.0
    }
}

/// How the nodes of a job may be spread over clusters.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Request {
    /// Anywhere, any number from any cluster.
    #[default]
    Total,
    /// All in one cluster, whichever.
    Single,
    /// This many in the first cluster of the grid, this many in the second, ….
    Ordered(Arc<[u32]>),
    /// Each component in a cluster of its own, whichever.
    Unordered(Components),
    /// As many as are free in one cluster, in a range; the rigid job says how long it takes on
    /// [`RigidJob::nodes`] nodes.
    Moldable(Arc<Moldable>),
}

/// A job that will arrive.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelJob {
    /// When, how large, how long.
    pub rigid: RigidJob,
    /// The cluster it is submitted to, whose nodes are local to it.
    pub home: ClusterId,
    /// How its nodes may be spread.
    pub request: Request,
}

/// Submitted to the first cluster, nodes from anywhere.
impl From<RigidJob> for ParallelJob {
    fn from(rigid: RigidJob) -> Self {
        Self { rigid, home: ClusterId(0), request: Request::Total }
    }
}

impl ParallelJob {
    /// The fewest nodes it can start with.
    pub(super) fn least_nodes(&self) -> u32 {
        match &self.request {
            Request::Moldable(range) => range.least(),
            _ => self.rigid.nodes,
        }
    }

    /// What its components add up to, if it has any.
    pub(super) fn component_sum(&self) -> Option<u64> {
        let sizes = match &self.request {
            Request::Ordered(sizes) => sizes,
            Request::Unordered(components) => components.sizes(),
            Request::Total | Request::Single | Request::Moldable(_) => return None,
        };
        Some(sizes.iter().map(|&size| u64::from(size)).sum())
    }
}

/// Why no more jobs can be read.
pub type SourceError = Box<dyn std::error::Error + Send + Sync>;

/// Jobs in the order of their submission, read one by one; an error ends the simulation.
pub type Source = Box<dyn Iterator<Item = Result<ParallelJob, SourceError>> + Send>;

/// A source of jobs that cannot fail.
pub fn source<J: Into<ParallelJob>>(
    jobs: impl IntoIterator<Item = J, IntoIter: Send + 'static>,
) -> Source {
    Box::new(jobs.into_iter().map(|job| Ok(job.into())))
}
