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
}

impl Link {
    /// `B = max(C - A, C / (T + 1))`, rounded down, but never 0, so that every transfer ends.
    pub fn available(&self) -> Bandwidth {
        let unreserved = self.capacity.0.saturating_sub(self.reserved);
        let share = self.capacity.0 / (u64::from(self.transfers) + 1);
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
