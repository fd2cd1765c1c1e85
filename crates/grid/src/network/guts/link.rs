//! One link: what it can do, and what is on it.

use super::super::units::{Bandwidth, Payload, Span};

/// A link at work. The letters of the thesis: capacity C, delay D, reserved A, transfers T.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub capacity: Bandwidth,
    pub delay: Span,
    pub mtu: u32,
    /// The sum of what transfers hold, which can be more than there is. At most 1 + 1/1 + … + 1/T
    /// times the capacity: those that found enough left hold at most all of it, the others a fair
    /// share each.
    pub reserved: u64,
    pub transfers: u32,
}

impl Link {
    /// `B = max(C - A, C / (T + 1))`, rounded down; never nothing, or a transfer would never end.
    pub fn available(&self) -> Bandwidth {
        let unreserved = self.capacity.0.saturating_sub(self.reserved);
        let share = self.capacity.0 / (u64::from(self.transfers) + 1);
        Bandwidth(unreserved.max(share).max(1))
    }

    /// What it adds to the way of a packet: `D + MTU / B · (T - 1/2)`, the latter only if T > 0.
    /// Every transfer has a packet waiting, and one of them is half sent.
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
