//! Files: who holds them, what jobs need and make, and what is on its way.
//!
//! ```text
//! job sent ──► gate: room? ──► requests ──► transfers ──► runs ──► outputs here ──► transfers home ──► finished
//!                                 ▲ files that do not exist yet       │
//!                                 └───────────────────────────────────┘
//! ```
//!
//! After the thesis, 3.6 and 3.7: a file is downloaded from the holder with the most bandwidth at
//! that moment; a request for a file that no node holds waits until one does, so jobs that make and
//! need files are the tasks of a graph. GridSim's jobs bring an input and take an output home; here
//! these are data without a name.
//!
//! - Every machine is a node of the network, of the same number; users' hosts, servers and routers
//!   follow.
//! - What a machine downloaded or made it keeps, and offers to others, until it needs the room;
//!   then the copy that was used longest ago goes. The last copy of a file never goes, nor what was
//!   there at first.
//! - A job gets into a machine with limited storage only when there is room for all that it brings
//!   and makes; those behind it wait, as with any queue. No job holds room while a file it needs
//!   does not exist.
//! - Disks and links do not fail with the PEs of their resource.
//!
//! Not here: copies made before anybody asks, files that change, local load on links.

mod catalogue;
mod movement;
mod predict;
mod store;
mod transfers;

pub use movement::DataSummary;
pub(super) use movement::Movement;
pub use transfers::Flow;
pub(super) use transfers::TransferId;

use super::network::{Bytes, Network, NodeId};

gridsat_engine::id! {
    /// A file, numbered from 0.
    FileId
}

/// A file as described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSpec {
    /// For reports.
    pub name: String,
    /// How large it is.
    pub size: Bytes,
    /// Who holds it from the beginning.
    pub holders: Vec<NodeId>,
}

/// What a job, or every job of a group, needs and makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Files that must be there before it starts.
    pub inputs: Vec<FileId>,
    /// Files that are there when it is done.
    pub outputs: Vec<FileId>,
    /// Its user's host, where its results go.
    pub home: Option<NodeId>,
    /// Data without a name that it brings from home.
    pub input: Bytes,
    /// Data without a name that it takes home.
    pub output: Bytes,
}

/// The data of a simulation.
pub struct Data {
    /// How it moves. The first nodes are the machines.
    pub network: Box<dyn Network>,
    /// Names of its nodes, for reports.
    pub nodes: Vec<String>,
    /// The files.
    pub files: Vec<FileSpec>,
    /// What jobs need; they name it by its number.
    pub needs: Vec<Needs>,
    /// Of each machine, what fits; `None` is no limit.
    pub storage: Vec<Option<Bytes>>,
}

#[cfg(test)]
mod tests;
