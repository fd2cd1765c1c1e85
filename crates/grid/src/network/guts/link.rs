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
    /// Bandwidth of channels over this link, which other transfers cannot use.
    pub set_aside: u64,
}

/// Higher loads count as this one: the duration of a transfer is fixed when it starts, so one that
/// started at 100 % would never end.
pub(super) const MOST_LOAD: u8 = 99;

impl Link {
    /// `B = max(C - A, C / (T + 1))`, rounded down, but never 0, so that every transfer ends. Under
    /// a local load of p percent C is the capacity times (100 - p) / 100, less what is set aside
    /// for channels, but never less than a hundredth of the capacity.
    pub fn available(&self) -> Bandwidth {
        let mut capacity = match self.load {
            0 => self.capacity.0,
            load => self.percent(100 - load),
        };
        if self.set_aside > 0 {
            capacity = capacity.saturating_sub(self.set_aside).max(self.percent(100 - MOST_LOAD));
        }
        let unreserved = capacity.saturating_sub(self.reserved);
        let share = capacity / (u64::from(self.transfers) + 1);
        Bandwidth(unreserved.max(share).max(1))
    }

    /// This share of the capacity, rounded down.
    fn percent(&self, percent: u8) -> u64 {
        (u128::from(self.capacity.0) * u128::from(percent) / 100) as u64
    }

    /// How much of it channels may have together.
    pub fn most_set_aside(&self) -> Bandwidth {
        Bandwidth(self.percent(MOST_LOAD))
    }

    /// The part of it that belongs to a channel of this bandwidth.
    pub fn part(&self, bandwidth: Bandwidth) -> Self {
        let nothing = Self { reserved: 0, transfers: 0, load: 0, set_aside: 0, ..*self };
        Self { capacity: bandwidth, ..nothing }
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
