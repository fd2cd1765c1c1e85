//! Amounts of data, bandwidths and durations as integers, so that exactly what is reserved is
//! released.
//!
//! Bandwidths are integers in thousandths of a bit per second, so that rounding down a share loses
//! little. Durations are integers in millionths of a tick, and every division rounds them up: a sum
//! is never too short and hardly too long. Only [`Span::ticks`] rounds to ticks, up.

use std::ops::Add;

use gridsat_model::{Scale, Ticks};

/// An amount of data in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// Bandwidth in thousandths of a bit per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bandwidth(pub(super) u64);

impl Bandwidth {
    /// The bandwidth between a node and itself, or without a network.
    pub const UNLIMITED: Self = Self(u64::MAX);
    /// Largest bandwidth of a link or node, in bits per second: 100 terabits.
    pub const MOST: u64 = 100_000_000_000_000;

    /// This many bits per second, from 1 to [`Bandwidth::MOST`]; otherwise `None`.
    pub fn of(bits: u64) -> Option<Self> {
        (1..=Self::MOST).contains(&bits).then(|| Self(bits * 1000))
    }

    /// Thousandths of a bit per second.
    pub(crate) fn thousandths(self) -> u64 {
        self.0
    }

    /// Bits per second; infinite if unlimited.
    pub fn bits(self) -> f64 {
        if self == Self::UNLIMITED { f64::INFINITY } else { self.0 as f64 / 1000.0 }
    }
}

/// An amount of data to send, in thousandths of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Payload(u128);

impl Payload {
    /// All of it.
    pub fn of(size: Bytes) -> Self {
        Self(u128::from(size.0) * 8000)
    }

    /// This many halves of a packet.
    pub fn half_packets(mtu: u32, halves: u64) -> Self {
        Self(u128::from(mtu) * 4000 * u128::from(halves))
    }
}

/// A duration in millionths of a tick; saturates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span(u128);

const TICK: u128 = 1_000_000;

impl Span {
    pub const ZERO: Self = Self(0);
    const FOREVER: Self = Self(u128::MAX);

    /// One second at this scale.
    pub fn second(scale: Scale) -> Self {
        Self(u128::from(scale.ticks_per_unit()) * TICK)
    }

    /// Seconds to the nearest millionth of a tick; `None` if negative, not a number or too long.
    pub fn of_seconds(seconds: f64, second: Self) -> Option<Self> {
        let clock = Ticks::MAX.as_f64() * TICK as f64;
        let millionths = (seconds * second.0 as f64).round();
        (seconds >= 0.0 && millionths < clock).then_some(Self(millionths as u128))
    }

    /// Time to send data at a bandwidth.
    pub fn sending(payload: Payload, bandwidth: Bandwidth, second: Self) -> Self {
        if bandwidth == Bandwidth::UNLIMITED {
            return Self::ZERO;
        }
        let divide = |product: u128| Self(product.div_ceil(u128::from(bandwidth.0)));
        payload.0.checked_mul(second.0).map_or(Self::FOREVER, divide)
    }

    pub fn times(self, factor: u128) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// The duration in ticks, rounded up.
    pub fn ticks(self) -> Ticks {
        Ticks::try_from(self.0.div_ceil(TICK)).unwrap_or(Ticks::MAX)
    }
}

impl Add for Span {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self(self.0.saturating_add(more.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nanoseconds() -> Span {
        Span::second(Scale::new(9).expect("small"))
    }

    fn ticks(bytes: u64, bits: u64, second: Span) -> Ticks {
        let bandwidth = Bandwidth::of(bits).expect("within limits");
        Span::sending(Payload::of(Bytes(bytes)), bandwidth, second).ticks()
    }

    #[test]
    fn sending_takes_bits_by_bandwidth_rounded_up_to_a_tick() {
        assert_eq!(ticks(125, 1000, nanoseconds()), Ticks(1_000_000_000));
        assert_eq!(ticks(1, 3, nanoseconds()), Ticks(2_666_666_667));
        assert_eq!(ticks(1, 3, Span::second(Scale::default())), Ticks(3));
        assert_eq!(ticks(0, 1, nanoseconds()), Ticks(0));
    }

    #[test]
    fn what_is_too_long_to_count_lasts_forever() {
        assert_eq!(ticks(u64::MAX, 1, nanoseconds()), Ticks::MAX);
        let finest = Span::second(Scale::new(18).expect("small"));
        assert_eq!(ticks(u64::MAX, Bandwidth::MOST, finest), Ticks::MAX);
        assert_eq!((Span::FOREVER + Span(1)).times(3).ticks(), Ticks::MAX);
    }

    #[test]
    fn seconds_become_millionths_of_ticks() {
        let of = |seconds| Span::of_seconds(seconds, Span::second(Scale::default()));
        assert_eq!(of(0.25), Some(Span(250_000)));
        assert_eq!(of(0.0), Some(Span::ZERO));
        for bad in [-1e-3, f64::NAN, f64::INFINITY, 1e20] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }

    #[test]
    fn bandwidths_have_limits() {
        assert_eq!(Bandwidth::of(0), None);
        assert_eq!(Bandwidth::of(Bandwidth::MOST + 1), None);
        assert_eq!(Bandwidth::of(9600).map(Bandwidth::bits), Some(9600.0));
        assert!(Bandwidth::of(Bandwidth::MOST) < Some(Bandwidth::UNLIMITED));
        assert_eq!(Bandwidth::UNLIMITED.bits(), f64::INFINITY);
    }
}
