//! The state of a host while jobs are assigned, as a [`HostState`], but without a box for the hosts
//! that are most frequent besides queues.

use crate::estimate::SharedHost;
use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

/// The state of a host while jobs are assigned.
pub(in super::super) enum State {
    /// A time-shared resource.
    Shared(SharedHost),
    /// Any host.
    Any(HostState),
}

impl State {
    /// The completion of a job of this base time; `Ticks::MAX` if never.
    #[inline]
    pub fn completion(&self, time: Ticks) -> Ticks {
        match self {
            Self::Shared(host) => host.completion(time).unwrap_or(Ticks::MAX),
            Self::Any(state) => state.completion(time),
        }
    }

    /// Assigns a job of this base time.
    #[inline]
    pub fn assign(&mut self, time: Ticks) {
        match self {
            Self::Shared(host) => host.assign(time),
            Self::Any(state) => state.assign(time),
        }
    }

    /// The time until the host could start another job.
    #[inline]
    pub fn delay(&self) -> Ticks {
        match self {
            Self::Shared(host) => host.delay(),
            Self::Any(state) => state.delay(),
        }
    }
}
