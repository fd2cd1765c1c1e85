//! The GUTS model: whole transfers on a graph, each with a constant bandwidth until it ends.
//!
//! With s the size and P the links of the route, in the state at the start of a new transfer:
//!
//! ```text
//! B_l = max(C_l - A_l, C_l / (T_l + 1))            available on link l
//! B_b = min over P of B_l                          at the bottleneck
//! q   = Σ over P with T_l > 0 of MTU_l / B_l · (T_l - 1/2)
//! d   = 3 · (Σ over P of D_l + q) + s / B_b        duration
//! ```
//!
//! C_l is the capacity, less the local load on the link, D_l the propagation delay, A_l the
//! bandwidth reserved and T_l the number of transfers. From start to end the transfer counts in T_l
//! and holds B_b in A_l on every link of P. Delays count three times, because the two packets that
//! open the connection take the same way as the data.
//!
//! Source: Rhodes' thesis, section 3.6, equations 3.7 and 3.8, and erratum E15. Figure 3.14 counts
//! the new transfer before it computes d, but the text counts only transfers found on the link, as
//! does this code. A link is one cable with one A_l and T_l: both directions share it (full duplex
//! would be two). Any node forwards; the distinction between routers and machines matters only to
//! files.
//!
//! A channel of bandwidth R is the same graph again, with C_l = R on its links and none but its own
//! transfers. For all others it reduces C_l by R while it is open.
//!
//! Starting, finishing and predicting take O(links of the route); routes are found once
//! ([`routes`]).
//!
//! The model is coarse by design: the first transfer on a link holds all of its bandwidth until it
//! ends, and later ones exceed the capacity.

mod channel;
mod link;
mod routes;
mod spec;

pub use spec::{GutsError, LinkSpec};

use std::collections::{BTreeMap, HashSet};

use super::units::{Payload, Span};
use super::{Bandwidth, Bytes, ChannelId, LinkLoad, Network, NodeId, Transfer};
use crate::load::LocalLoad;
use channel::Channel;
use gridsat_model::{Scale, Ticks};
use link::Link;
use routes::{LinkId, Routes};
use spec::{Names, Reader};

/// Number of times a packet crosses the route: two to open the connection, one for the data.
const HANDSHAKE: u128 = 3;

/// A graph of machines and routers with the transfers on it.
#[derive(Clone, Debug)]
pub struct Guts {
    names: Names,
    routes: Routes,
    links: Vec<Link>,
    /// Local loads, by number of the link; none that are always 0.
    loads: Vec<(u32, LocalLoad)>,
    second: Span,
    can_fail: bool,
    channels: BTreeMap<ChannelId, Channel>,
}

/// The current transfers of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkState {
    /// Its ends, the lower-numbered first.
    pub ends: [NodeId; 2],
    /// Number of transfers that use it.
    pub transfers: u32,
    /// Total bandwidth that they hold, which can exceed the capacity.
    pub reserved: Bandwidth,
}

impl Guts {
    /// A network without transfers. `scale` gives the number of ticks per second.
    pub fn new(nodes: &[String], links: &[LinkSpec], scale: Scale) -> Result<Self, GutsError> {
        let names = Names::new(nodes)?;
        let second = Span::second(scale);
        let mut reader = Reader { names: &names, second, pairs: HashSet::new() };
        let loaded = (0..).zip(links).filter(|(_, spec)| spec.load != LocalLoad::default());
        let loads = loaded.map(|(number, spec)| (number, spec.load.clone())).collect();
        let read = links.iter().map(|spec| reader.read(spec)).collect::<Result<Vec<_>, _>>()?;
        let mut routes = Routes::new(nodes.len());
        let mut links = Vec::with_capacity(read.len());
        for (ends, link) in read {
            routes.connect(ends, link.delay);
            links.push(link);
        }
        let (can_fail, channels) = (false, BTreeMap::new());
        Ok(Self { names, routes, links, loads, second, can_fail, channels })
    }

    /// The node of this name.
    pub fn node(&self, name: &str) -> Option<NodeId> {
        self.names.get(name)
    }

    /// The links, in the order of the description.
    pub fn links(&self) -> impl Iterator<Item = LinkState> {
        self.links.iter().zip(0..).map(|(link, number)| LinkState {
            ends: self.routes.ends(LinkId(number)),
            transfers: link.transfers,
            reserved: Bandwidth(link.reserved),
        })
    }
}

impl Guts {
    /// Bandwidth and duration of a transfer over these links.
    fn over<'a>(&self, links: impl Iterator<Item = &'a Link>, size: Bytes) -> (Bandwidth, Ticks) {
        let (mut bandwidth, mut crossing) = (Bandwidth::UNLIMITED, Span::ZERO);
        for link in links {
            let available = link.available();
            bandwidth = bandwidth.min(available);
            crossing = crossing + link.crossing(available, self.second);
        }
        let sending = Span::sending(Payload::of(size), bandwidth, self.second);
        (bandwidth, (crossing.times(HANDSHAKE) + sending).ticks())
    }
}

impl Network for Guts {
    fn loads(&self) -> Vec<LinkLoad> {
        let of = |&(number, ref load): &(u32, LocalLoad)| LinkLoad {
            number,
            ends: self.routes.ends(LinkId(number)),
            load: load.clone(),
        };
        self.loads.iter().map(of).collect()
    }

    fn set_load(&mut self, number: u32, percent: u8) {
        if let Some(link) = self.links.get_mut(number as usize) {
            link.load = percent.min(link::MOST_LOAD);
        }
    }

    /// Bandwidth and duration over the route. The route from a node to itself has no links; every
    /// link reduces the bandwidth and adds time.
    fn offer(&self, from: NodeId, to: NodeId, size: Bytes) -> Option<(Bandwidth, Ticks)> {
        let links = self.routes.between(from, to)?;
        Some(self.over(links.map(|link| &self.links[link.index()]), size))
    }

    fn reserve(&mut self, transfer: &mut Transfer) {
        let &mut Transfer { from, to, bandwidth, channel, .. } = transfer;
        if self.can_fail {
            let route = self.routes.between(from, to).into_iter().flatten();
            transfer.route = Some(route.map(|link| link.0).collect());
        }
        if let Some(channel) = channel.and_then(|id| self.channels.get_mut(&id)) {
            return channel.reserve(bandwidth);
        }
        for link in self.routes.between(from, to).into_iter().flatten() {
            self.links[link.index()].reserve(bandwidth);
        }
    }

    fn finish(&mut self, Transfer { from, to, bandwidth, route, channel, .. }: Transfer) {
        if let Some(id) = channel {
            return self.leave_channel(id, bandwidth);
        }
        if let Some(route) = route {
            let links = route.iter().map(|&link| link as usize);
            return links.for_each(|link| self.links[link].release(bandwidth));
        }
        for link in self.routes.between(from, to).into_iter().flatten() {
            self.links[link.index()].release(bandwidth);
        }
    }

    fn let_links_fail(&mut self) {
        self.can_fail = true;
    }

    fn can_fail(&self) -> bool {
        self.can_fail
    }

    fn set_link(&mut self, link: u32, is_up: bool) {
        self.routes.set_up(LinkId(link), is_up);
    }

    fn way(&self, a: NodeId, b: NodeId) -> Option<Vec<(u32, Bandwidth)>> {
        let links = self.routes.between(a, b)?;
        Some(links.map(|link| (link.0, self.links[link.index()].most_set_aside())).collect())
    }

    fn open_channel(&mut self, channel: ChannelId, way: &[u32], bandwidth: Bandwidth) {
        self.add_channel(channel, way, bandwidth);
    }

    fn close_channel(&mut self, channel: ChannelId) {
        self.shut_channel(channel);
    }

    fn offer_on(
        &self,
        channel: ChannelId,
        [from, to]: [NodeId; 2],
        size: Bytes,
    ) -> Option<(Bandwidth, Ticks)> {
        let channel = self.channels.get(&channel)?;
        let links = channel.links(self.routes.between(from, to)?)?;
        Some(self.over(links, size))
    }
}

#[cfg(test)]
mod tests;
