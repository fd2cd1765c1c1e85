//! Failures of disks and links.
//!
//! - A **disk** that fails loses all files that no job there needs at the moment, also those stored
//!   initially. While it is down no job is admitted; then it is empty. A file of which the last
//!   copy is lost exists again only when a job writes it.
//! - A **link** that fails is on no route until it is back. Transfers over it are aborted and begin
//!   again, on another route or when there is one; a file then comes from the holder with the most
//!   bandwidth. Transfers without a route wait.
//!
//! Estimates count 0 for a transfer without a route. Running jobs have read their files and go on.

use super::super::network::{Bytes, NodeId};
use super::movement::Movement;
use super::transfers::Cargo;
use crate::failure::Availability;
use gridsat_engine::EventId;
use gridsat_engine::time::Time;

/// The disk or the link that fails and is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The storage of this machine.
    Disk(NodeId),
    /// The link of this number in the description of the network.
    Link(u32),
}

/// A disk or link that can fail, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakage {
    /// The disk or link.
    pub part: Part,
    /// When it is up or down; changes of capacity have no effect.
    pub availability: Availability,
    /// Name for reports.
    pub name: String,
}

/// A transfer that waits for a route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stalled {
    pub ends: [NodeId; 2],
    pub size: Bytes,
    pub cargo: Cargo,
}

impl Movement {
    /// A disk fails or is back.
    pub(in super::super) fn set_disk(&mut self, at: NodeId, is_up: bool, now: Time) {
        self.stores[at].is_down = !is_up;
        if is_up {
            return self.open(at, now);
        }
        for file in self.stores[at].erase() {
            self.catalogue.remove(file, at);
        }
    }

    /// A link fails or is back; returns events that are no longer needed.
    pub(in super::super) fn set_link(&mut self, link: u32, is_up: bool, now: Time) -> Vec<EventId> {
        self.transfers.network.set_link(link, is_up);
        if is_up {
            self.start_stalled(now);
            return Vec::new();
        }
        let (stopped, events) = self.transfers.stop_on(link);
        self.transfers.stalled.extend(stopped);
        self.start_stalled(now);
        events
    }

    /// Begins the transfers that waited for a route, as far as there is one.
    fn start_stalled(&mut self, now: Time) {
        for Stalled { ends: [from, to], size, cargo } in std::mem::take(&mut self.transfers.stalled)
        {
            match cargo {
                Cargo::File(file) if self.catalogue.exists(file) => {
                    self.download(file, None, to, now);
                }
                // Its last copy is gone.
                Cargo::File(file) => self.catalogue.want(file, to),
                Cargo::Input(job) => {
                    let channel = self.channel(job);
                    let id = self.transfers.start([from, to], channel, size, cargo, now);
                    self.entry(job).input = id;
                }
                Cargo::Output(job, _) => {
                    let channel = self.channel(job);
                    self.transfers.start([from, to], channel, size, cargo, now);
                }
            }
        }
    }
}
