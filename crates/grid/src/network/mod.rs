//! Networks: how long data takes from one node to another.
//!
//! | model | a transfer takes | transfers slow each other down |
//! | --- | --- | --- |
//! | [`NoNetwork`] | nothing | no |
//! | [`BaudRate`] | size / lower rate of the two ends (GridSim) | no |
//! | [`Guts`] | delays and queues of a route, size / bandwidth of its bottleneck (thesis 3.6, erratum E15) | yes |
//!
//! What holds for all of them:
//!
//! - A transfer's end is known when it starts and never changes afterwards.
//! - From a node to itself everything is there at once, at [`Bandwidth::UNLIMITED`].
//! - A duration is rounded up to a tick, once, at the end: what it is the sum of counts in
//!   millionths. One beyond the end of the clock is `Ticks::MAX`, and its transfer ends at
//!   [`Time::NEVER`].
//!
//! Not here: local load on links, links that fail, lost packets; files, and who may hold them.

mod baud_rate;
mod guts;
mod none;
mod units;

pub use baud_rate::{BaudRate, BaudRateError};
pub use guts::{Guts, GutsError, LinkSpec, LinkState};
pub use none::NoNetwork;
pub use units::{Bandwidth, Bytes};

use thiserror::Error;

use gridsat_engine::time::Time;
use gridsat_model::Ticks;

gridsat_engine::id! {
    /// A machine or router, numbered from 0 in the order of the description.
    NodeId
}

/// There is no way between two nodes, or one of them does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no route from node {} to node {}", from.0, to.0)]
pub struct NoRoute {
    /// Where it was to start.
    pub from: NodeId,
    /// Where it was to end.
    pub to: NodeId,
}

/// A transfer on its way. It cannot be copied, so what it holds is given back once.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "what it holds is only given back by Network::finish"]
pub struct Transfer {
    from: NodeId,
    to: NodeId,
    bandwidth: Bandwidth,
    ends: Time,
}

impl Transfer {
    /// Where it comes from.
    pub fn from(&self) -> NodeId {
        self.from
    }

    /// Where it goes.
    pub fn to(&self) -> NodeId {
        self.to
    }

    /// What it got, from start to end.
    pub fn bandwidth(&self) -> Bandwidth {
        self.bandwidth
    }

    /// When everything has arrived.
    pub fn ends(&self) -> Time {
        self.ends
    }
}

/// Nodes and what connects them.
pub trait Network: Send + Sync {
    /// What a transfer would get, and how long it would take, if it started now; `None` without a
    /// route.
    fn offer(&self, from: NodeId, to: NodeId, size: Bytes) -> Option<(Bandwidth, Ticks)>;

    /// How long a transfer would take if it started now; `None` without a route.
    fn predict(&self, from: NodeId, to: NodeId, size: Bytes) -> Option<Ticks> {
        self.offer(from, to, size).map(|(_, ticks)| ticks)
    }

    /// What a transfer would get if it started now; `None` without a route.
    fn bandwidth(&self, from: NodeId, to: NodeId) -> Option<Bandwidth> {
        self.offer(from, to, Bytes(0)).map(|(bandwidth, _)| bandwidth)
    }

    /// Starts a transfer. It takes what [`predict`](Network::predict) said just before.
    fn start(
        &mut self,
        from: NodeId,
        to: NodeId,
        size: Bytes,
        now: Time,
    ) -> Result<Transfer, NoRoute> {
        let (bandwidth, ticks) = self.offer(from, to, size).ok_or(NoRoute { from, to })?;
        let transfer = Transfer { from, to, bandwidth, ends: now + ticks };
        self.reserve(&transfer);
        Ok(transfer)
    }

    /// Sets aside what a transfer that starts now holds until [`finish`](Network::finish).
    fn reserve(&mut self, _: &Transfer) {}

    /// Gives back what a transfer of this network holds: at its end, or before if it is given up.
    fn finish(&mut self, transfer: Transfer) {
        drop(transfer);
    }
}
