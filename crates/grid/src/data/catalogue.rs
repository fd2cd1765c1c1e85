//! Which nodes hold which files, and which machines wait for a file to be written.

use super::super::network::{Bandwidth, Bytes, ChannelId, Network, NodeId};
use super::{FileId, FileSpec};

struct File {
    size: Bytes,
    /// In order of number.
    holders: Vec<NodeId>,
    /// Machines that requested the file before it existed, in order.
    wanted: Vec<NodeId>,
}

/// The files of the grid.
pub(super) struct Catalogue(Vec<File>);

impl Catalogue {
    pub fn new(files: &[FileSpec]) -> Self {
        let file = |spec: &FileSpec| {
            let mut holders = spec.holders.clone();
            holders.sort_unstable();
            holders.dedup();
            File { size: spec.size, holders, wanted: Vec::new() }
        };
        Self(files.iter().map(file).collect())
    }

    pub fn size(&self, file: FileId) -> Bytes {
        self.0[file.index()].size
    }

    pub fn exists(&self, file: FileId) -> bool {
        !self.0[file.index()].holders.is_empty()
    }

    /// Whether the file would still exist without one of its copies.
    pub fn has_several(&self, file: FileId) -> bool {
        self.0[file.index()].holders.len() > 1
    }

    /// The holder with the most bandwidth to the node, on the channel where that leads to it; among
    /// equals the one with the lowest number.
    pub fn best_holder(
        &self,
        file: FileId,
        channel: Option<ChannelId>,
        to: NodeId,
        network: &dyn Network,
    ) -> Option<(NodeId, Bandwidth)> {
        let holders = self.0[file.index()].holders.iter();
        let bandwidth = |from: NodeId| {
            let on = channel.and_then(|id| network.offer_on(id, [from, to], Bytes(0)));
            on.map(|(bandwidth, _)| bandwidth).or_else(|| network.bandwidth(from, to))
        };
        let offers = holders.filter_map(|&from| Some((from, bandwidth(from)?)));
        offers.max_by_key(|&(from, bandwidth)| (bandwidth, std::cmp::Reverse(from)))
    }

    /// Adds a holder; returns the machines that waited for the first one.
    pub fn add(&mut self, file: FileId, holder: NodeId) -> Vec<NodeId> {
        let File { holders, wanted, .. } = &mut self.0[file.index()];
        if let Err(position) = holders.binary_search(&holder) {
            holders.insert(position, holder);
        }
        std::mem::take(wanted)
    }

    pub fn remove(&mut self, file: FileId, holder: NodeId) {
        self.0[file.index()].holders.retain(|&other| other != holder);
    }

    /// The machine gets the file once it exists.
    pub fn want(&mut self, file: FileId, by: NodeId) {
        self.0[file.index()].wanted.push(by);
    }
}
