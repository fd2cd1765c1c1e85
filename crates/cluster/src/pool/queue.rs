//! The waiting and the running jobs, in order.

use super::blocks::{Blocks, Item, Key};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// A waiting job.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    pub key: Key,
    pub slot: u32,
    /// The smallest number of nodes it can start with.
    pub nodes: u32,
    /// Lower bound on its expected run time, on any nodes.
    pub least: Ticks,
}

/// The smallest size and the shortest run time of several waiting jobs.
#[derive(Clone, Copy, Debug)]
pub struct Least {
    pub nodes: u32,
    pub least: Ticks,
}

impl Item for Waiting {
    type Digest = Least;

    fn key(&self) -> Key {
        self.key
    }

    fn digest(&self) -> Least {
        Least { nodes: self.nodes, least: self.least }
    }

    fn join(a: Least, b: Least) -> Least {
        Least { nodes: a.nodes.min(b.nodes), least: a.least.min(b.least) }
    }
}

/// Nodes that are expected to become free.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    pub time: Time,
    /// Sequence number of the start, which orders equal times.
    pub start: u64,
    pub slot: u32,
    pub nodes: u32,
}

impl Item for Release {
    /// Total number of nodes.
    type Digest = u32;

    fn key(&self) -> Key {
        (self.time.0.0, self.start)
    }

    fn digest(&self) -> u32 {
        self.nodes
    }

    fn join(a: u32, b: u32) -> u32 {
        a + b
    }
}

/// Waiting jobs in queue order.
pub type Queue = Blocks<Waiting>;

/// Running jobs by expected end.
pub type Releases = Blocks<Release>;
