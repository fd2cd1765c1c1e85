//! Transfers on their way, each with what it carries.

use std::collections::VecDeque;

use super::super::allocation::JobId;
use super::super::network::{Bytes, Network, NoRoute, NodeId, Transfer};
use super::FileId;
use gridsat_engine::EventId;
use gridsat_engine::time::Time;

/// What a transfer carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    /// A file to a machine that has jobs for it.
    File(FileId),
    /// What a job brings from home.
    Input(JobId),
    /// What a job takes home.
    Output(JobId, Option<FileId>),
}

/// A transfer as observers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Where it comes from.
    pub from: NodeId,
    /// Where it goes.
    pub to: NodeId,
    /// How much it carries.
    pub size: Bytes,
    /// Which file, if it has a name.
    pub file: Option<FileId>,
}

/// A transfer on its way.
#[derive(Debug)]
pub(super) struct Moving {
    transfer: Transfer,
    pub load: Load,
    size: Bytes,
    pub since: Time,
    event: Option<EventId>,
}

impl Moving {
    pub fn flow(&self) -> Flow {
        let file = match self.load {
            Load::File(file) | Load::Output(_, Some(file)) => Some(file),
            Load::Input(_) | Load::Output(_, None) => None,
        };
        Flow { from: self.transfer.from(), to: self.transfer.to(), size: self.size, file }
    }
}

/// All of them, by numbers that are used again.
pub(super) struct Transfers {
    pub network: Box<dyn Network>,
    moving: Vec<Option<Moving>>,
    unused: Vec<u32>,
    /// Those that began and have no event yet.
    begun: VecDeque<u32>,
    /// The first one that had no route.
    fault: Option<NoRoute>,
}

impl Transfers {
    pub fn new(network: Box<dyn Network>) -> Self {
        let (moving, unused, begun) = (Vec::new(), Vec::new(), VecDeque::new());
        Self { network, moving, unused, begun, fault: None }
    }

    pub fn start(
        &mut self,
        [from, to]: [NodeId; 2],
        size: Bytes,
        load: Load,
        now: Time,
    ) -> Option<u32> {
        let started = self.network.start(from, to, size, now);
        let transfer = started.map_err(|fault| self.fault.get_or_insert(fault).to_owned()).ok()?;
        let moving = Some(Moving { transfer, load, size, since: now, event: None });
        let number = self.unused.pop().unwrap_or(self.moving.len() as u32);
        if number as usize == self.moving.len() {
            self.moving.push(moving);
        } else {
            self.moving[number as usize] = moving;
        }
        self.begun.push_back(number);
        Some(number)
    }

    /// One that began since the last call, with its end.
    pub fn take_begun(&mut self) -> Option<(u32, Flow, Time)> {
        let number = self.begun.pop_front()?;
        let moving = self.moving[number as usize].as_ref().expect("it has just begun");
        Some((number, moving.flow(), moving.transfer.ends()))
    }

    pub fn take_fault(&mut self) -> Option<NoRoute> {
        self.fault.take()
    }

    pub fn set_event(&mut self, number: u32, event: EventId) {
        if let Some(moving) = &mut self.moving[number as usize] {
            moving.event = Some(event);
        }
    }

    /// One is over: what it carried.
    pub fn end(&mut self, number: u32) -> (Flow, Load, Time) {
        let moving = self.take(number);
        let ended = (moving.flow(), moving.load, moving.since);
        self.network.finish(moving.transfer);
        ended
    }

    /// One is given up: the event of its end, if it has one.
    pub fn give_up(&mut self, number: u32) -> Option<EventId> {
        self.begun.retain(|&begun| begun != number);
        let moving = self.take(number);
        self.network.finish(moving.transfer);
        moving.event
    }

    fn take(&mut self, number: u32) -> Moving {
        self.unused.push(number);
        self.moving[number as usize].take().expect("a transfer ends once")
    }
}

#[cfg(test)]
impl Transfers {
    /// Results without a name that have not left the node yet.
    pub fn unnamed_from(&self, node: NodeId) -> u128 {
        let moving = self.moving.iter().flatten();
        let leaving = moving.filter(|moving| {
            matches!(moving.load, Load::Output(_, None)) && moving.transfer.from() == node
        });
        leaving.map(|moving| u128::from(moving.size.0)).sum()
    }
}
