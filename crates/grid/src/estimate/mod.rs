//! Estimated completion time of a job on a resource if it were sent there now.
//!
//! Estimators, all in ticks from now, based on the job's estimated run time alone at full
//! speed:
//!
//! - [`Estimator::Delay`], equation 4.3 of the thesis: time + delay, where the delay is the time
//!   until the first PE is free according to the estimates of the jobs there. For space-shared
//!   resources.
//! - [`Estimator::Shares`], equations 4.4 (time-shared) and 4.5 (space-shared): from only the
//!   numbers of running and queued jobs and the local load.
//! - [`Estimator::SharesBusy`]: the same, but for time-limit modes a time-shared resource is busy
//!   until all its jobs are completed, also if a PE has no job.
//! - [`Estimator::Exact`]: by simulating a copy of the resource, with the true sizes of its jobs
//!   and a constant local load.
//!
//! [`Estimator::Delay`] and [`Estimator::Exact`] know the reservations of PEs that have been
//! offered or committed, [`Estimator::Shares`] only active ones.
//!
//! On a resource that is down the completion time is infinite.

mod forecast;
mod foresight;
mod pes;
mod queue;
mod shares;

pub(super) use pes::wide;
use shares::Delay;
pub(super) use shares::{SharedHost, completion_among};

use super::information::Told;
use super::resource::Resource;
use super::work::Speed;
use gridsat_engine::time::Time;
use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

/// How completion times are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Estimator {
    /// `Delay` on space-shared resources, `Shares` on time-shared ones.
    #[default]
    Auto,
    /// Equation 4.3 of the thesis.
    Delay,
    /// Equations 4.4 and 4.5 of the thesis.
    Shares,
    /// As `Shares`, with time-shared resources busy until all their jobs are completed.
    SharesBusy,
    /// By simulating a copy of the resource.
    Exact,
}

impl Estimator {
    /// Names in scenario files.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("auto", Self::Auto),
        ("delay", Self::Delay),
        ("shares", Self::Shares),
        ("shares-busy", Self::SharesBusy),
        ("exact", Self::Exact),
    ];

    /// Whether it estimates a space-shared resource by its delay.
    pub fn is_by_delay(self) -> bool {
        matches!(self, Self::Auto | Self::Delay)
    }

    /// Whether it uses equations 4.4 and 4.5 only, by which a resource may seem free that is not.
    pub fn is_by_shares(self) -> bool {
        matches!(self, Self::Shares | Self::SharesBusy)
    }

    /// The delay of a time-shared resource that has a PE without a job.
    fn shared(self) -> Delay {
        if self == Self::SharesBusy { Delay::Busy } else { Delay::Idle }
    }

    /// The current state of a resource, to which jobs can be assigned.
    pub fn state(self, resource: &Resource, now: Time) -> HostState {
        let is_space_shared = resource.is_space_shared();
        if !resource.is_up() {
            return HostState::Queue(Ticks::MAX);
        }
        match self {
            Self::Exact => forecast::state(resource, now),
            Self::Auto | Self::Delay if is_space_shared => pes::state(resource, now),
            _ if is_space_shared => queue::state(&resource.seen()),
            _ => shares::state(&resource.seen(), now, self.shared()),
        }
    }

    /// The delay of that state, if it can be computed without making the state.
    #[inline]
    pub fn delay(self, resource: &Resource, now: Time) -> Option<Ticks> {
        match self.quick_kind(resource)? {
            Quick::Down => Some(Ticks::MAX),
            Quick::Queue => Some(queue::host(&resource.seen()).delay()),
            Quick::Shared => Some(shares::host(resource, now, self.shared()).delay()),
        }
    }

    /// The completion of a job of this base time, if it can be computed without making the state.
    #[inline]
    pub fn completion(self, resource: &Resource, time: Ticks) -> Option<Ticks> {
        match self.quick_kind(resource)? {
            Quick::Down => Some(Ticks::MAX),
            Quick::Queue => Some(completion(&queue::host(&resource.seen()), time)),
            Quick::Shared => Some(shares::completion(resource, time)),
        }
    }

    /// The state of a time-shared resource that is up, if it follows from equation 4.4.
    #[inline]
    pub(super) fn shared_host(self, resource: &Resource, now: Time) -> Option<SharedHost> {
        let is_shared = matches!(self.quick_kind(resource), Some(Quick::Shared));
        is_shared.then(|| shares::host(resource, now, self.shared()))
    }

    /// What the state of a resource would be; `None` if it has to be made.
    #[inline]
    fn quick_kind(self, resource: &Resource) -> Option<Quick> {
        match (self, resource.is_space_shared()) {
            _ if !resource.is_up() => Some(Quick::Down),
            (Self::Exact, _) | (Self::Auto | Self::Delay, true) => None,
            (_, true) => Some(Quick::Queue),
            (_, false) => Some(Quick::Shared),
        }
    }

    /// The same for the reported state. [`Self::Exact`] needs the current state and has been
    /// rejected before.
    pub(super) fn state_as_told(self, told: &Told, now: Time) -> HostState {
        if !told.seen.is_up {
            return HostState::Queue(Ticks::MAX);
        }
        match (self, told.is_space_shared()) {
            (Self::Shares | Self::SharesBusy, true) => queue::state(&told.seen),
            (_, true) => pes::told(told, now),
            (_, false) => shares::state(&told.seen, now, self.shared()),
        }
    }
}

/// Resources whose state is known without making it.
enum Quick {
    Down,
    /// Space-shared, by equation 4.5.
    Queue,
    /// Time-shared.
    Shared,
}

fn completion(host: &impl HostModel, time: Ticks) -> Ticks {
    host.completion(time).unwrap_or(Ticks::MAX)
}

/// Ticks until each PE of a space-shared resource could start another job, in no particular order.
pub(super) fn delays(resource: &Resource, now: Time) -> Vec<Ticks> {
    if resource.coming().is_empty() || resource.speed() == Speed::ZERO {
        return resource.belief().delays(now, resource.layout(), resource.speed());
    }
    foresight::delays(resource, now)
}
