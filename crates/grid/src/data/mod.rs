//! Files: their holders, the files that jobs read and write, and transfers.
//!
//! ```text
//! job sent ─► room? ─► requests ─► transfers ─► runs ─► outputs here ─► transfers home ─► finished
//!                         ▲ files that do not exist yet    │
//!                         └────────────────────────────────┘
//! ```
//!
//! After the thesis, sections 3.6 and 3.7: a file is downloaded from the holder with the most
//! bandwidth at that time. A request for a file that no node holds waits until one does, so jobs
//! that write and read files form a task graph. The jobs of GridSim have an input from and an
//! output to their user's host; here these are unnamed data.
//!
//! - Every machine is a node of the network, with the same number; users' hosts, servers and
//!   routers follow.
//! - A machine keeps the files it downloaded or wrote, and offers them to others, until it needs
//!   the storage; then it removes the least recently used copy. The last copy of a file is never
//!   removed, nor are files stored initially.
//! - A job is admitted to a machine with limited storage only when there is room for all its input
//!   and output; jobs behind it wait, as in a queue. No job occupies storage while a file it needs
//!   does not exist.
//! - Storage that a reservation has set aside is for its jobs only. Files that stay when they are
//!   done count as ordinary ones again.
//! - Disks and links do not fail with the PEs of their resource, but can fail by themselves
//!   ([`Breakage`]).
//!
//! Not modelled: replication in advance, files that change.

mod breakage;
mod catalogue;
mod movement;
mod predict;
mod store;
mod transfers;

pub use breakage::{Breakage, Part};
pub use movement::DataSummary;
pub(super) use movement::{Movement, Reserved};
pub use transfers::Flow;
pub(super) use transfers::TransferId;

use super::network::{Bytes, Network, NodeId};

gridsat_engine::id! {
    /// Identifies a file, numbered from 0.
    FileId
}

/// Description of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSpec {
    /// Name for reports.
    pub name: String,
    /// Size in bytes.
    pub size: Bytes,
    /// Nodes that hold it initially.
    pub holders: Vec<NodeId>,
}

/// The data of a job, or of every job of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Files that must be on its machine before it starts.
    pub inputs: Vec<FileId>,
    /// Files that it writes; they exist when it is done.
    pub outputs: Vec<FileId>,
    /// The host of its user, where its results go.
    pub home: Option<NodeId>,
    /// Size of its unnamed input, transferred from `home`.
    pub input: Bytes,
    /// Size of its unnamed output, transferred to `home`.
    pub output: Bytes,
}

/// The data part of a simulation.
pub struct Data {
    /// The network model. Its first nodes are the machines.
    pub network: Box<dyn Network>,
    /// Names of the nodes, for reports.
    pub nodes: Vec<String>,
    /// All files.
    pub files: Vec<FileSpec>,
    /// The data of jobs, which refer to them by index.
    pub needs: Vec<Needs>,
    /// Storage capacity of each machine; `None` is unlimited.
    pub storage: Vec<Option<Bytes>>,
    /// Disks and links that can fail.
    pub breakages: Vec<Breakage>,
}

#[cfg(test)]
mod tests;
