//! Current transfers and what each carries.

use std::collections::VecDeque;

use super::super::allocation::JobId;
use super::super::network::{Bytes, ChannelId, Network, NoRoute, NodeId, Transfer};
use super::FileId;
use super::breakage::Stalled;
use gridsat_engine::time::Time;
use gridsat_engine::{EventId, Slab};

gridsat_engine::id! {
    /// Identifies a current transfer; reused after it has ended.
    TransferId
}

/// What a transfer carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cargo {
    /// A file to a machine whose jobs need it.
    File(FileId),
    /// The unnamed input of a job, from its home.
    Input(JobId),
    /// The output of a job, to its home; a file or unnamed data.
    Output(JobId, Option<FileId>),
}

/// A transfer as reported to observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Sending node.
    pub from: NodeId,
    /// Receiving node.
    pub to: NodeId,
    /// Size in bytes.
    pub size: Bytes,
    /// The file, unless the data are unnamed.
    pub file: Option<FileId>,
}

/// A current transfer.
#[derive(Debug)]
pub(super) struct Moving {
    transfer: Transfer,
    pub cargo: Cargo,
    size: Bytes,
    pub since: Time,
    event: Option<EventId>,
}

impl Moving {
    pub fn flow(&self) -> Flow {
        let file = match self.cargo {
            Cargo::File(file) | Cargo::Output(_, Some(file)) => Some(file),
            Cargo::Input(_) | Cargo::Output(_, None) => None,
        };
        Flow { from: self.transfer.from(), to: self.transfer.to(), size: self.size, file }
    }
}

/// All current transfers.
pub(in super::super) struct Transfers {
    pub network: Box<dyn Network>,
    moving: Slab<TransferId, Moving>,
    /// Transfers that have begun and have no event yet.
    begun: VecDeque<TransferId>,
    /// Transfers that wait for a route, because a link has failed.
    pub(super) stalled: Vec<Stalled>,
    /// The first transfer without a route, if any.
    fault: Option<NoRoute>,
}

impl Transfers {
    pub fn new(network: Box<dyn Network>) -> Self {
        let (moving, begun) = (Slab::default(), VecDeque::new());
        Self { network, moving, begun, stalled: Vec::new(), fault: None }
    }

    /// Starts a transfer, on the channel if that leads there.
    pub(super) fn start(
        &mut self,
        ends: [NodeId; 2],
        channel: Option<ChannelId>,
        size: Bytes,
        cargo: Cargo,
        now: Time,
    ) -> Option<TransferId> {
        let [from, to] = ends;
        let reserved = channel.and_then(|id| self.network.start_on(id, ends, size, now));
        let started = reserved.map_or_else(|| self.network.start(from, to, size, now), Ok);
        if started.is_err() && self.network.can_fail() {
            self.stalled.push(Stalled { ends: [from, to], size, cargo });
            return None;
        }
        let transfer = started.map_err(|fault| self.fault.get_or_insert(fault).to_owned()).ok()?;
        let moving = Moving { transfer, cargo, size, since: now, event: None };
        let id = self.moving.insert(moving);
        self.begun.push_back(id);
        Some(id)
    }

    /// A transfer that has begun since the last call, with its end.
    pub fn take_begun(&mut self) -> Option<(TransferId, Flow, Time)> {
        let id = self.begun.pop_front()?;
        let moving = &self.moving[id];
        Some((id, moving.flow(), moving.transfer.ends()))
    }

    /// The first pair of nodes without a route between them, if any.
    pub fn take_fault(&mut self) -> Option<NoRoute> {
        self.fault.take()
    }

    /// Stores the event of its end.
    pub fn set_event(&mut self, id: TransferId, event: EventId) {
        self.moving[id].event = Some(event);
    }

    /// Ends a transfer; returns what it carried.
    pub(super) fn end(&mut self, id: TransferId) -> (Flow, Cargo, Time) {
        let moving = self.take(id);
        let ended = (moving.flow(), moving.cargo, moving.since);
        self.network.finish(moving.transfer);
        ended
    }

    /// Current transfers of the results of a job.
    pub(super) fn results_of(&self, job: JobId) -> Vec<(TransferId, Option<FileId>, Bytes)> {
        let of_job = self.moving.pairs().filter_map(|(id, moving)| match moving.cargo {
            Cargo::Output(by, file) if by == job => Some((id, file, moving.size)),
            _ => None,
        });
        of_job.collect()
    }

    /// Aborts the transfers over a link, in order of their starts; returns them, and events that
    /// are no longer needed.
    pub(super) fn stop_on(&mut self, link: u32) -> (Vec<Stalled>, Vec<EventId>) {
        let crosses = |moving: &Moving| self.network.crosses(&moving.transfer, link);
        let over = self.moving.pairs().filter(|(_, moving)| crosses(moving));
        let mut over: Vec<(Time, TransferId)> =
            over.map(|(id, moving)| (moving.since, id)).collect();
        over.sort_unstable();
        let (mut stopped, mut events) = (Vec::new(), Vec::new());
        for (_, id) in over {
            let Moving { cargo, size, transfer, .. } = &self.moving[id];
            let ends = [transfer.from(), transfer.to()];
            stopped.push(Stalled { ends, size: *size, cargo: *cargo });
            events.extend(self.give_up(id));
        }
        (stopped, events)
    }

    /// Aborts a transfer; returns the event of its end, if it has one.
    pub fn give_up(&mut self, id: TransferId) -> Option<EventId> {
        self.begun.retain(|&begun| begun != id);
        let moving = self.take(id);
        self.network.finish(moving.transfer);
        moving.event
    }

    fn take(&mut self, id: TransferId) -> Moving {
        self.moving.remove(id).expect("a transfer ends once")
    }
}

#[cfg(test)]
impl Transfers {
    /// Bytes of unnamed results that have not left the node yet.
    pub fn unnamed_from(&self, node: NodeId) -> u128 {
        let leaving = self.moving.pairs().filter(|(_, moving)| {
            matches!(moving.cargo, Cargo::Output(_, None)) && moving.transfer.from() == node
        });
        leaving.map(|(_, moving)| u128::from(moving.size.0)).sum()
    }
}
