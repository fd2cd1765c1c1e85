//! Advance reservation: PEs of a space-shared resource, set aside for a period of time.
//!
//! A user requests PEs for a period. The resource checks its [`Book`] and offers them or refuses.
//! An offer holds the PEs until it is committed, cancelled, or expires. Redrawn from figure 2.7 of
//! the thesis, after Buyya:
//!
//! ```text
//! Requested ──► Offered ──────► Committed ──────► Active ──► Finished
//!      │           ├──► Expired      │               │
//!      ▼           ▼                 ▼               ▼
//!   Refused     Cancelled ◄──────────┴───────────────┘
//! ```
//!
//! Only reservations conflict with each other; jobs are suspended when a reservation becomes
//! active, which the [allocation](super::allocation) does. At the same time, ends come first, then
//! requests, then starts, because periods are half open.
//!
//! Not modelled: negotiation beyond one counter-offer, reservations of anything but PEs, and their
//! price.

mod book;
mod life;
mod reservations;

pub use book::Book;
pub use life::{Period, ReservationState};
pub use reservations::ReservationSummary;
pub(super) use reservations::Reservations;

use thiserror::Error;

use super::grid::ResourceId;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// What to do if the PEs are not free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// The request is refused.
    #[default]
    Refuse,
    /// The nearest period in which they are free is taken.
    Move,
}

/// A request for a reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservationSpec {
    /// Name for reports.
    pub name: String,
    /// The resource whose PEs are reserved.
    pub resource: ResourceId,
    /// Number of PEs.
    pub pes: u32,
    /// Start of the period.
    pub start: Time,
    /// Length of the period in ticks.
    pub duration: Ticks,
    /// Time of the request.
    pub requested: Time,
    /// Time at which an offer is committed, unless it has expired by then.
    pub commit: Time,
    /// How long an offer is valid; never longer than until its start.
    pub timeout: Option<Ticks>,
    /// Time of its cancellation, if any.
    pub cancel: Option<Time>,
    /// What to do if the PEs are not free.
    pub on_conflict: OnConflict,
}

impl ReservationSpec {
    /// The requested period.
    pub fn asked(&self) -> Period {
        Period { start: self.start, end: self.start + self.duration }
    }
}

/// Why a reservation is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReservationError {
    /// There is no such resource.
    #[error("there is no resource {}", .0.0)]
    Resource(ResourceId),
    /// The resource is time-shared, so jobs are not bound to PEs there.
    #[error("resource '{0}' is not space-shared")]
    Shared(String),
    /// No PEs, or more than the resource has.
    #[error("{pes} PEs are requested, but resource '{resource}' has {have}")]
    Pes {
        /// Requested number of PEs.
        pes: u32,
        /// Name of the resource.
        resource: String,
        /// Number of PEs it has.
        have: u32,
    },
    /// The period is empty, or ends after the last tick.
    #[error("a duration of {0} ticks is not possible")]
    Duration(Ticks),
    /// The period starts before the request.
    #[error("it starts before it is requested")]
    Late,
}
