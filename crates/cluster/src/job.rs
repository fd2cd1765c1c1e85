//! Jobs of a grid of clusters: a rigid job, the cluster it is submitted to, and how its nodes may
//! be distributed.
//!
//! The three kinds of requests for nodes in several clusters are those of Bucur and Epema (2003),
//! as listed by Beosim: ordered, unordered and total.

use std::sync::Arc;

use super::grid::ClusterId;
use super::speedup::Moldable;
use super::terms::Terms;
use gridsat_engine::time::Time;
use gridsat_workload::RigidJob;

/// Sizes of the components of a job, largest first; no two run in the same cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components(Arc<[u32]>);

impl Components {
    /// Sorts the sizes.
    pub fn new(mut sizes: Vec<u32>) -> Self {
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        Self(sizes.into())
    }

    /// The sizes, largest first.
    pub fn sizes(&self) -> &[u32] {
        &self.0
    }
}

/// How the nodes of a job may be distributed over clusters.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Request {
    /// Any number of nodes from any clusters.
    #[default]
    Total,
    /// All in one cluster, which may be any.
    Single,
    /// A given number from each cluster, in the order of the grid.
    Ordered(Arc<[u32]>),
    /// Each component in a different cluster, which may be any.
    Unordered(Components),
    /// As many as are free in one cluster, within a range; the rigid job gives the run time on
    /// [`RigidJob::nodes`] nodes.
    Moldable(Arc<Moldable>),
}

/// A job before its submission.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelJob {
    /// Submission time, size and run time.
    pub rigid: RigidJob,
    /// The cluster it is submitted to, whose nodes are local to it.
    pub home: ClusterId,
    /// How its nodes may be distributed.
    pub request: Request,
    /// Its deadline and migration cost, if it has either.
    pub terms: Option<Box<Terms>>,
}

/// A job submitted to the first cluster, with nodes from any clusters.
impl From<RigidJob> for ParallelJob {
    fn from(rigid: RigidJob) -> Self {
        Self { rigid, home: ClusterId(0), request: Request::Total, terms: None }
    }
}

impl ParallelJob {
    /// When it should have finished, if it has a deadline.
    pub fn deadline(&self) -> Option<Time> {
        self.terms.as_ref().and_then(|terms| terms.deadline)
    }

    /// The smallest number of nodes it can start with.
    pub(super) fn least_nodes(&self) -> u32 {
        match &self.request {
            Request::Moldable(range) => range.least(),
            _ => self.rigid.nodes,
        }
    }

    /// Total size of its components, if it has any.
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

/// Jobs in order of submission, read one by one; an error ends the simulation.
pub type Source = Box<dyn Iterator<Item = Result<ParallelJob, SourceError>> + Send>;

/// A source of jobs that cannot fail.
pub fn source<J: Into<ParallelJob>>(
    jobs: impl IntoIterator<Item = J, IntoIter: Send + 'static>,
) -> Source {
    Box::new(jobs.into_iter().map(|job| Ok(job.into())))
}
