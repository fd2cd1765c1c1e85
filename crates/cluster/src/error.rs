//! Errors that prevent or end a simulation of clusters.

use thiserror::Error;

use super::job::SourceError;

/// Why a simulation of clusters could not start, or ended early.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum ClusterError {
    #[error("no clusters")]
    NoClusters,
    #[error("cluster '{cluster}' has {nodes} nodes, not from 1 to 4294967295")]
    Nodes { cluster: String, nodes: u64 },
    #[error("all clusters have {nodes} nodes, more than 4294967295")]
    TooMany { nodes: u64 },
    #[error("scheduler '{scheduler}' has no clusters")]
    Idle { scheduler: String },
    #[error("scheduler '{scheduler}' names cluster {cluster}, but there are {clusters}")]
    Unknown { scheduler: String, cluster: u32, clusters: usize },
    #[error("cluster '{cluster}' belongs to {schedulers} schedulers, not to one")]
    Owners { cluster: String, schedulers: usize },
    #[error(
        "policy '{policy}' needs one queue: with one per cluster only plain and scan policies work"
    )]
    Queues { policy: String },
    #[error("reservation '{reservation}': {problem}")]
    Reservation { reservation: String, problem: String },
    #[error("job {job} cannot run in reservation {reservation}: {problem}")]
    Reserved { job: u64, reservation: u32, problem: &'static str },
    #[error("job {job} requests 0 nodes")]
    NoNodes { job: u64 },
    #[error("job {job} is submitted at {submit}, before job {previous} at {last}")]
    QueueOrder { job: u64, submit: u64, previous: u64, last: u64 },
    #[error("job {job} is submitted to cluster {cluster}, but there are {clusters}")]
    Home { job: u64, cluster: u32, clusters: usize },
    #[error("job {job} requests {nodes} nodes, but its components add up to {sum}")]
    Components { job: u64, nodes: u32, sum: u64 },
    #[error("{0}")]
    Source(#[source] SourceError),
}
