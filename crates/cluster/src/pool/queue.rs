//! What waits and what runs, in order.

use super::blocks::{Blocks, Item, Key};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// A waiting job.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    pub key: Key,
    pub slot: u32,
    /// The fewest nodes it can start with.
    pub nodes: u32,
    /// It is expected to take at least so long, wherever it runs.
    pub least: Ticks,
}

/// The smallest and the shortest of several waiting jobs.
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
    /// Numbers starts, to tell equal times apart.
    pub start: u64,
    pub slot: u32,
    pub nodes: u32,
}

impl Item for Release {
    /// Nodes together.
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

/// Waiting jobs, first the one that is next.
pub type Queue = Blocks<Waiting>;

/// Running jobs by when they are expected to end.
pub type Releases = Blocks<Release>;
