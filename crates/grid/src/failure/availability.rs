//! When a resource is there, and how much of it.
//!
//! All models give the same thing: changes, one after the other in time. A resource is up with full
//! capacity before the first. Capacity is what it gives to the grid while it is up, in percent of
//! its speed, before local load takes its part.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::Renewal;
use gridsat_engine::time::Time;
use gridsat_model::Scale;

/// What changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It fails.
    Down,
    /// It is back.
    Up,
    /// It gives this many percent of its speed from now on, or when it is back.
    Capacity(u8),
}

/// Changes at times that were fixed before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes(Arc<[(Time, Change)]>);

/// Why these are no changes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChangesError {
    /// One is before the one listed ahead of it.
    #[error("changes[{0}] is earlier than the one before it")]
    Order(usize),
    /// More than all of it.
    #[error("changes[{index}]: capacity is {percent}, not from 0 to 100")]
    Capacity {
        /// Which of them.
        index: usize,
        /// What was asked for.
        percent: u8,
    },
}

impl Changes {
    /// In order of time; of equal times the later in the list happens later.
    pub fn new(changes: &[(Time, Change)]) -> Result<Self, ChangesError> {
        for (index, &(time, change)) in changes.iter().enumerate() {
            if index > 0 && changes[index - 1].0 > time {
                return Err(ChangesError::Order(index));
            }
            if let Change::Capacity(percent @ 101..) = change {
                return Err(ChangesError::Capacity { index, percent });
            }
        }
        Ok(Self(changes.into()))
    }

    /// All of them, in order of time.
    pub fn iter(&self) -> impl Iterator<Item = (Time, Change)> + use<> {
        let changes = Arc::clone(&self.0);
        (0..changes.len()).map(move |index| changes[index])
    }
}

/// When a resource is there.
#[derive(Clone, Debug, PartialEq)]
pub enum Availability {
    /// By a list, which may be a trace of how it once was.
    Changes(Changes),
    /// By chance.
    Renewal(Renewal),
}

impl Availability {
    /// The changes of a simulation, from time 0 on.
    pub fn start(&self, random: ChaCha8Rng, scale: Scale) -> AvailabilityProcess {
        match self {
            Self::Changes(changes) => Box::new(changes.iter()),
            Self::Renewal(renewal) => Box::new(renewal.start(random, scale)),
        }
    }
}

/// An availability at work: its changes in order of time.
pub type AvailabilityProcess = Box<dyn Iterator<Item = (Time, Change)>>;

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::Ticks;

    #[test]
    fn lists_are_in_order_of_time() {
        let change = |time, change| (Time(time), change);
        let good = [
            change(Ticks(3), Change::Down),
            change(Ticks(3), Change::Up),
            change(Ticks(9), Change::Capacity(0)),
        ];
        let changes = Changes::new(&good).expect("in order");
        let random = gridsat_statistics::random::stream(1, "test", 0);
        let running = Availability::Changes(changes).start(random, Scale::default());
        assert_eq!(running.collect::<Vec<_>>(), good);
        let bad = [change(Ticks(3), Change::Down), change(Ticks(2), Change::Up)];
        assert_eq!(Changes::new(&bad), Err(ChangesError::Order(1)));
        let much = Changes::new(&[change(Ticks(3), Change::Capacity(101))]);
        let message = "changes[0]: capacity is 101, not from 0 to 100";
        assert_eq!(much.expect_err("too much").to_string(), message);
    }
}
