//! A link: its properties and its current transfers.

use super::super::units::{Bandwidth, Payload, Span};

/// A link with its transfers. Letters of the thesis: capacity C, delay D, reserved A, transfers T.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub capacity: Bandwidth,
    pub delay: Span,
    pub mtu: u32,
    /// Sum of the bandwidths that transfers hold, which can exceed the capacity: at most by the
    /// factor 1 + 1/1 + … + 1/T, because transfers that found enough left hold at most all of it
    /// together, and the others a fair share each.
    pub reserved: u64,
    pub transfers: u32,
    /// Local load in percent, at most [`MOST_LOAD`].
    pub load: u8,
}

/// Higher loads count as this one: the duration of a transfer is fixed when it starts, so one that
/// started at 100 % would never end.
pub(super) const MOST_LOAD: u8 = 99;

impl Link {
    /// `B = max(C - A, C / (T + 1))`, rounded down, but never 0, so that every transfer ends. Under
    /// a local load of p percent C is the capacity times (100 - p) / 100.
    pub fn available(&self) -> Bandwidth {
        let capacity = match self.load {
            0 => self.capacity.0,
            load => (u128::from(self.capacity.0) * u128::from(100 - load) / 100) as u64,
        };
        let unreserved = capacity.saturating_sub(self.reserved);
        let share = capacity / (u64::from(self.transfers) + 1);
        Bandwidth(unreserved.max(share).max(1))
    }

    /// Time that the link adds to the way of a packet: `D + MTU / B · (T - 1/2)`, the latter only
    /// if T > 0. Every transfer has a packet waiting, and one of them is half sent.
    pub fn crossing(&self, available: Bandwidth, second: Span) -> Span {
        if self.transfers == 0 {
            return self.delay;
        }
        let halves = 2 * u64::from(self.transfers) - 1;
        self.delay + Span::sending(Payload::half_packets(self.mtu, halves), available, second)
    }

    pub fn reserve(&mut self, bandwidth: Bandwidth) {
        self.reserved += bandwidth.0;
        self.transfers += 1;
    }

    pub fn release(&mut self, bandwidth: Bandwidth) {
        self.reserved -= bandwidth.0;
        self.transfers -= 1;
    }
}
