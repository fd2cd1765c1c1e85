//! GridSim's network: one rate per entity, and no links.
//!
//! A transfer takes `bits / min(rate of sender, rate of receiver)`; one baud counts as one bit per
//! second. Source: Buyya and Murshed, section 5.3 of the GridSim paper. Every entity reaches every
//! other, in both directions and with any number of transfers at once, each at the full rate.
//!
//! Not modelled: the queue of a single Input or Output entity, which would serialise transfers; as
//! the paper says, several instances of these make transfers parallel.

use thiserror::Error;

use super::units::{Payload, Span};
use super::{Bandwidth, Bytes, Network, NodeId};
use gridsat_model::{Scale, Ticks};

/// Why rates are invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("baud rate of '{name}' is {rate}, must be from 1 to {} bits per second", Bandwidth::MOST)]
pub struct BaudRateError {
    /// Name of the entity.
    pub name: String,
    /// The given rate.
    pub rate: u64,
}

/// Entities with their rates.
#[derive(Clone, Debug)]
pub struct BaudRate {
    rates: Vec<Bandwidth>,
    second: Span,
}

impl BaudRate {
    /// Default rate of an entity, in bits per second.
    pub const DEFAULT: u64 = 9600;

    /// Names and rates in bits per second, in the order of the nodes. `scale` gives the number of
    /// ticks per second.
    pub fn new<'a>(
        entities: impl IntoIterator<Item = (&'a str, u64)>,
        scale: Scale,
    ) -> Result<Self, BaudRateError> {
        let rate = |(name, rate)| {
            Bandwidth::of(rate).ok_or_else(|| BaudRateError { name: String::from(name), rate })
        };
        let rates = entities.into_iter().map(rate).collect::<Result<_, _>>()?;
        Ok(Self { rates, second: Span::second(scale) })
    }
}

impl Network for BaudRate {
    fn offer(&self, from: NodeId, to: NodeId, size: Bytes) -> Option<(Bandwidth, Ticks)> {
        let lower = *self.rates.get(from.index())?.min(self.rates.get(to.index())?);
        let bandwidth = if from == to { Bandwidth::UNLIMITED } else { lower };
        Some((bandwidth, Span::sending(Payload::of(size), bandwidth, self.second).ticks()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::NoRoute;
    use super::*;
    use gridsat_engine::time::Time;

    const USER: NodeId = NodeId(0);
    const FAST: NodeId = NodeId(1);
    const NOBODY: NodeId = NodeId(2);

    /// Ticks are milliseconds.
    fn network() -> BaudRate {
        let entities = [("user", BaudRate::DEFAULT), ("fast", 1_000_000)];
        BaudRate::new(entities, Scale::new(3).expect("small")).expect("good rates")
    }

    #[test]
    fn the_slower_end_decides_in_both_directions() {
        // 1,200 bytes = 9,600 bits: one second at 9,600 baud.
        assert_eq!(network().predict(USER, FAST, Bytes(1200)), Some(Ticks(1000)));
        assert_eq!(network().predict(FAST, USER, Bytes(1200)), Some(Ticks(1000)));
        assert_eq!(network().predict(FAST, FAST, Bytes(1200)), Some(Ticks(0)));
        // 8 bits: 5/6 of a millisecond.
        assert_eq!(network().predict(USER, FAST, Bytes(1)), Some(Ticks(1)));
    }

    #[test]
    fn transfers_do_not_meet() {
        let mut network = network();
        let mut start = || network.start(USER, FAST, Bytes(1200), Time(Ticks(5))).expect("a route");
        let (first, second) = (start(), start());
        assert_eq!((first.ends(), second.ends()), (Time(Ticks(1005)), Time(Ticks(1005))));
        assert_eq!(first.bandwidth(), Bandwidth::of(9600).expect("positive"));
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        let failed = network().start(USER, NOBODY, Bytes(1), Time::ZERO);
        assert_eq!(failed, Err(NoRoute { from: USER, to: NOBODY }));
        assert_eq!(network().predict(NOBODY, NOBODY, Bytes(1)), None);
        let error = BaudRate::new([("lost", 0)], Scale::default()).expect_err("rate 0");
        let text = "baud rate of 'lost' is 0, must be from 1 to 100000000000000 bits per second";
        assert_eq!(error.to_string(), text);
    }
}
