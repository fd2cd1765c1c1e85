//! Availability of a resource and its capacity over time.
//!
//! All models produce a sequence of changes in order of time. A resource is up with full capacity
//! before the first. Capacity is the percentage of its speed that it gives to the grid while it is
//! up, before local load is subtracted.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::Renewal;
use gridsat_engine::time::Time;
use gridsat_model::Scale;

/// A change of availability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The resource fails.
    Down,
    /// The resource is up again.
    Up,
    /// The resource gives this percentage of its speed from now on, or from when it is up again.
    Capacity(u8),
}

/// Changes at fixed times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes(Arc<[(Time, Change)]>);

/// Why a list of changes is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChangesError {
    /// The change at this index is earlier than the previous one.
    #[error("changes[{0}] is earlier than the one before it")]
    Order(usize),
    /// A capacity above 100 %.
    #[error("changes[{index}]: capacity is {percent}, not from 0 to 100")]
    Capacity {
        /// Index of the change.
        index: usize,
        /// The given percentage.
        percent: u8,
    },
}

impl Changes {
    /// Changes in order of time; equal times keep the order of the list.
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

    /// All changes, in order of time.
    pub fn iter(&self) -> impl Iterator<Item = (Time, Change)> + use<> {
        let changes = Arc::clone(&self.0);
        (0..changes.len()).map(move |index| changes[index])
    }
}

/// Availability model of a resource.
#[derive(Clone, Debug, PartialEq)]
pub enum Availability {
    /// A list of changes, which may be a measured trace.
    Changes(Changes),
    /// Random failures.
    Renewal(Renewal),
}

impl Availability {
    /// The changes in a simulation, from time 0 on.
    pub fn start(&self, random: ChaCha8Rng, scale: Scale) -> AvailabilityProcess {
        match self {
            Self::Changes(changes) => Box::new(changes.iter()),
            Self::Renewal(renewal) => Box::new(renewal.start(random, scale)),
        }
    }
}

/// Iterator over the changes, in order of time.
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
