//! Bandwidth that is set aside on the links between two nodes.

use super::super::{Bandwidth, ChannelId};
use super::Guts;
use super::link::Link;
use super::routes::LinkId;

/// A channel, also one that is closed but still has transfers.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    bandwidth: Bandwidth,
    /// The links of its route with what belongs to the channel, in the order of routes.
    links: Vec<(LinkId, Link)>,
    is_open: bool,
}

impl Channel {
    /// Its links if it is open and this is its route, which routes that avoid a failed link are
    /// not.
    pub fn links(
        &self,
        route: impl Iterator<Item = LinkId>,
    ) -> Option<impl Iterator<Item = &Link>> {
        let is_same = self.is_open && route.eq(self.links.iter().map(|&(link, _)| link));
        is_same.then(|| self.links.iter().map(|(_, link)| link))
    }

    pub fn reserve(&mut self, bandwidth: Bandwidth) {
        self.links.iter_mut().for_each(|(_, link)| link.reserve(bandwidth));
    }

    fn release(&mut self, bandwidth: Bandwidth) {
        self.links.iter_mut().for_each(|(_, link)| link.release(bandwidth));
    }

    fn is_done(&self) -> bool {
        !self.is_open && self.links.iter().all(|(_, link)| link.transfers == 0)
    }
}

impl Guts {
    pub(super) fn add_channel(&mut self, id: ChannelId, way: &[u32], bandwidth: Bandwidth) {
        let part = |&link: &u32| (LinkId(link), self.links[link as usize].part(bandwidth));
        let links: Vec<_> = way.iter().map(part).collect();
        for (link, _) in &links {
            self.links[link.index()].set_aside += bandwidth.0;
        }
        self.channels.insert(id, Channel { bandwidth, links, is_open: true });
    }

    pub(super) fn shut_channel(&mut self, id: ChannelId) {
        let Some(channel) = self.channels.get_mut(&id) else { return };
        if std::mem::take(&mut channel.is_open) {
            for (link, _) in &channel.links {
                self.links[link.index()].set_aside -= channel.bandwidth.0;
            }
        }
        self.channels.retain(|_, channel| !channel.is_done());
    }

    /// A transfer on a channel has ended.
    pub(super) fn leave_channel(&mut self, id: ChannelId, bandwidth: Bandwidth) {
        if let Some(channel) = self.channels.get_mut(&id) {
            channel.release(bandwidth);
        }
        self.channels.retain(|_, channel| !channel.is_done());
    }
}
