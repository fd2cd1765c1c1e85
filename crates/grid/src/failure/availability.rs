//! When a resource is there, and how much of it.
//!
//! All models give the same thing: changes, one after the other in time. A resource is up with full
//! capacity before the first. Capacity is what it gives to the grid while it is up, in percent of
//! its speed, before local load takes its part.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::{Renewal, Trace};
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

    /// The change of this number, from 0.
    pub fn get(&self, number: usize) -> Option<(Time, Change)> {
        self.0.get(number).copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing ever changes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// When a resource is there.
#[derive(Clone, Debug, PartialEq)]
pub enum Availability {
    /// By a list.
    Changes(Changes),
    /// By chance.
    Renewal(Renewal),
    /// As it once was.
    Trace(Trace),
}

impl Availability {
    /// The changes of a simulation, from time 0 on.
    pub fn start(&self, random: ChaCha8Rng, scale: Scale) -> AvailabilityProcess {
        match self {
            Self::Changes(changes) => {
                AvailabilityProcess(Model::Listed { changes: changes.clone(), next: 0 })
            }
            Self::Trace(trace) => {
                AvailabilityProcess(Model::Listed { changes: trace.changes().clone(), next: 0 })
            }
            Self::Renewal(renewal) => {
                AvailabilityProcess(Model::Drawn(Box::new(renewal.start(random, scale))))
            }
        }
    }
}

/// An availability at work: its changes in order of time.
#[derive(Clone, Debug)]
pub struct AvailabilityProcess(Model);

#[derive(Clone, Debug)]
enum Model {
    Listed { changes: Changes, next: usize },
    Drawn(Box<super::renewal::RenewalProcess>),
}

impl Iterator for AvailabilityProcess {
    type Item = (Time, Change);

    fn next(&mut self) -> Option<(Time, Change)> {
        match &mut self.0 {
            Model::Drawn(renewal) => renewal.next(),
            Model::Listed { changes, next } => {
                *next += 1;
                changes.get(*next - 1)
            }
        }
    }
}

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
