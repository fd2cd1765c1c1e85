//! When would a job be completed on a resource, if it were sent there now?
//!
//! Three answers, all in ticks from now, made from the job's believed time alone at full speed:
//!
//! - [`Estimator::Delay`], equation 4.3 of the thesis: time + delay, the delay being when the first
//!   PE is free by what is believed of the jobs there. For space-shared resources.
//! - [`Estimator::Shares`], equations 4.4 (time-shared) and 4.5 (space-shared): from the numbers of
//!   running and queued jobs and the local load alone.
//! - [`Estimator::Exact`]: a copy of the resource is run ahead, with the true sizes of its jobs and
//!   the present local load for ever.
//!
//! On a resource that is down: never.

mod forecast;
mod pes;
mod queue;
mod shares;

pub(super) use shares::completion_among;

use super::information::Told;
use super::resource::Resource;
use gridsat_engine::time::Time;
use gridsat_heuristics::HostState;
use gridsat_model::Ticks;

/// How completion times are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Estimator {
    /// `Delay` on space-shared resources, `Shares` on time-shared ones.
    #[default]
    Auto,
    /// Equation 4.3.
    Delay,
    /// Equations 4.4 and 4.5.
    Shares,
    /// By running ahead.
    Exact,
}

impl Estimator {
    /// Names in files.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("auto", Self::Auto),
        ("delay", Self::Delay),
        ("shares", Self::Shares),
        ("exact", Self::Exact),
    ];

    /// Whether a space-shared resource is a queue to it.
    pub fn is_by_delay(self) -> bool {
        matches!(self, Self::Auto | Self::Delay)
    }

    /// What is known of the resource now, ready to have jobs assigned to it.
    pub fn state(self, resource: &Resource, now: Time) -> HostState {
        let is_space_shared = resource.is_space_shared();
        if !resource.is_up() {
            return HostState::Queue(Ticks::MAX);
        }
        match self {
            Self::Exact => forecast::state(resource, now),
            Self::Shares if is_space_shared => queue::state(&resource.seen()),
            Self::Auto | Self::Delay if is_space_shared => pes::state(resource, now),
            Self::Auto | Self::Delay | Self::Shares => shares::state(&resource.seen(), now),
        }
    }

    /// The same by what was told of it. [`Self::Exact`] needs the present and is refused before.
    pub(super) fn state_as_told(self, told: &Told, now: Time) -> HostState {
        if !told.seen.is_up {
            return HostState::Queue(Ticks::MAX);
        }
        match (self, told.is_space_shared()) {
            (Self::Shares, true) => queue::state(&told.seen),
            (_, true) => pes::told(told, now),
            (_, false) => shares::state(&told.seen, now),
        }
    }
}
