//! Networks: how long transfers of data between nodes take.
//!
//! | model | duration of a transfer | transfers slow each other down |
//! | --- | --- | --- |
//! | [`NoNetwork`] | 0 | no |
//! | [`BaudRate`] | size / lower rate of the two ends (GridSim) | no |
//! | [`Guts`] | delays of a route + size / bandwidth of its bottleneck (thesis, E15) | yes |
//!
//! Rules for all models:
//!
//! - The end of a transfer is determined at its start and never changes.
//! - From a node to itself a transfer takes no time, at [`Bandwidth::UNLIMITED`].
//! - A duration is rounded up to a tick once, at the end; its terms are in millionths of ticks. One
//!   that does not fit is `Ticks::MAX`, and its transfer ends at [`Time::NEVER`].
//!
//! - A link that fails is on no route until it is back; transfers over it are aborted.
//! - A channel is bandwidth that is set aside on every link between two nodes, in models with
//!   links. Transfers on it share only that.
//!
//! Not modelled: lost packets. Files are in another module.

mod baud_rate;
mod guts;
mod none;
mod units;

pub use baud_rate::{BaudRate, BaudRateError};
pub use guts::{Guts, GutsError, LinkSpec, LinkState};
pub use none::NoNetwork;
pub use units::{Bandwidth, Bytes};

use thiserror::Error;

use crate::load::LocalLoad;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

gridsat_engine::id! {
    /// Identifies a machine or router, numbered from 0 in the order of the description.
    NodeId
}

gridsat_engine::id! {
    /// Identifies bandwidth that is set aside between two nodes.
    ChannelId
}

/// There is no route between two nodes, or one of them does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no route from node {} to node {}", from.0, to.0)]
pub struct NoRoute {
    /// Sending node.
    pub from: NodeId,
    /// Receiving node.
    pub to: NodeId,
}

/// A current transfer. It cannot be copied, so that its bandwidth is released exactly once.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "what it holds is only given back by Network::finish"]
pub struct Transfer {
    from: NodeId,
    to: NodeId,
    bandwidth: Bandwidth,
    ends: Time,
    /// Its links, if routes can change.
    route: Option<Box<[u32]>>,
    /// The channel whose bandwidth it uses.
    channel: Option<ChannelId>,
}

impl Transfer {
    fn new([from, to]: [NodeId; 2], bandwidth: Bandwidth, ends: Time) -> Self {
        Self { from, to, bandwidth, ends, route: None, channel: None }
    }

    /// Sending node.
    pub fn from(&self) -> NodeId {
        self.from
    }

    /// Receiving node.
    pub fn to(&self) -> NodeId {
        self.to
    }

    /// Its bandwidth, from start to end.
    pub fn bandwidth(&self) -> Bandwidth {
        self.bandwidth
    }

    /// Time at which all data have arrived.
    pub fn ends(&self) -> Time {
        self.ends
    }
}

/// The local load of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkLoad {
    /// Number of the connection in its network.
    pub number: u32,
    /// The nodes that it connects.
    pub ends: [NodeId; 2],
    /// How much of its bandwidth others use.
    pub load: LocalLoad,
}

/// Nodes and the connections between them.
pub trait Network: Send + Sync {
    /// Local loads of connections, if there are any.
    fn loads(&self) -> Vec<LinkLoad> {
        Vec::new()
    }

    /// Sets a local load in percent; it affects only transfers that start afterwards.
    fn set_load(&mut self, _number: u32, _percent: u8) {}

    /// Bandwidth and duration of a transfer that starts now; `None` without a route.
    fn offer(&self, from: NodeId, to: NodeId, size: Bytes) -> Option<(Bandwidth, Ticks)>;

    /// Duration of a transfer that starts now; `None` without a route.
    fn predict(&self, from: NodeId, to: NodeId, size: Bytes) -> Option<Ticks> {
        self.offer(from, to, size).map(|(_, ticks)| ticks)
    }

    /// Bandwidth of a transfer that starts now; `None` without a route.
    fn bandwidth(&self, from: NodeId, to: NodeId) -> Option<Bandwidth> {
        self.offer(from, to, Bytes(0)).map(|(bandwidth, _)| bandwidth)
    }

    /// Starts a transfer. Its duration is that of [`predict`](Network::predict) immediately before.
    fn start(
        &mut self,
        from: NodeId,
        to: NodeId,
        size: Bytes,
        now: Time,
    ) -> Result<Transfer, NoRoute> {
        let (bandwidth, ticks) = self.offer(from, to, size).ok_or(NoRoute { from, to })?;
        let mut transfer = Transfer::new([from, to], bandwidth, now + ticks);
        self.reserve(&mut transfer);
        Ok(transfer)
    }

    /// The links between two nodes, each with the bandwidth that channels may have of it together;
    /// `None` without a route, or if there are no links.
    fn way(&self, _a: NodeId, _b: NodeId) -> Option<Vec<(u32, Bandwidth)>> {
        None
    }

    /// Sets bandwidth aside on the links of a [way](Network::way), for transfers on this channel.
    fn open_channel(&mut self, _channel: ChannelId, _way: &[u32], _bandwidth: Bandwidth) {}

    /// Gives the bandwidth of a channel back to others. Current transfers on it keep theirs.
    fn close_channel(&mut self, _channel: ChannelId) {}

    /// Bandwidth and duration of a transfer that starts now on a channel; `None` if the channel is
    /// not open, does not connect these nodes, or has a link that failed.
    fn offer_on(
        &self,
        _channel: ChannelId,
        _ends: [NodeId; 2],
        _size: Bytes,
    ) -> Option<(Bandwidth, Ticks)> {
        None
    }

    /// Starts a transfer on a channel; `None` where [`offer_on`](Network::offer_on) gives none.
    fn start_on(
        &mut self,
        channel: ChannelId,
        ends: [NodeId; 2],
        size: Bytes,
        now: Time,
    ) -> Option<Transfer> {
        let (bandwidth, ticks) = self.offer_on(channel, ends, size)?;
        let mut transfer = Transfer::new(ends, bandwidth, now + ticks);
        transfer.channel = Some(channel);
        self.reserve(&mut transfer);
        Some(transfer)
    }

    /// Reserves the bandwidth of a transfer that starts now, until [`finish`](Network::finish).
    fn reserve(&mut self, _: &mut Transfer) {}

    /// From now on links can fail: transfers keep their routes.
    fn let_links_fail(&mut self) {}

    /// Whether links can fail, so that there may be no route for a while.
    fn can_fail(&self) -> bool {
        false
    }

    /// A link fails or is back, by its number in the description. Routes change; current transfers
    /// are not aborted.
    fn set_link(&mut self, _link: u32, _is_up: bool) {}

    /// Whether a transfer crosses a link. Only known if links can fail.
    fn crosses(&self, transfer: &Transfer, link: u32) -> bool {
        transfer.route.as_ref().is_some_and(|route| route.contains(&link))
    }

    /// Releases the bandwidth of a transfer of this network: at its end, or earlier if it is
    /// aborted.
    fn finish(&mut self, transfer: Transfer) {
        drop(transfer);
    }
}
