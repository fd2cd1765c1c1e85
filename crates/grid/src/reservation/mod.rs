//! Advance reservation: PEs of a space-shared resource, set aside for a stretch of time.
//!
//! A user asks for PEs from a start on, for some time. The resource looks into its [`Book`], and
//! offers them or says no. An offer holds the PEs until it is committed to, cancelled, or too old.
//! Figure 2.7 of the thesis, after Buyya, drawn anew:
//!
//! ```text
//! Requested ──► Offered ──────► Committed ──────► Active ──► Finished
//!      │           ├──► Expired      │               │
//!      ▼           ▼                 ▼               ▼
//!   Refused     Cancelled ◄──────────┴───────────────┘
//! ```
//!
//! Only reservations are in each other's way; jobs give way when one becomes active, which the
//! [allocation](super::allocation) sees to. At one moment what ends does so before anything is
//! asked for, and that before anything begins: periods are half open.
//!
//! Not here: negotiation beyond one counter-offer, reservations of anything but PEs, and their
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

/// What to do when the PEs are not free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// Nothing: the request is refused.
    #[default]
    Refuse,
    /// Take the nearest period in which they are.
    Move,
}

/// A reservation as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservationSpec {
    /// For reports.
    pub name: String,
    /// Where.
    pub resource: ResourceId,
    /// How many PEs.
    pub pes: u32,
    /// From when on.
    pub start: Time,
    /// For how long.
    pub duration: Ticks,
    /// When it is asked for.
    pub requested: Time,
    /// When an offer is committed to, unless it is too old by then.
    pub commit: Time,
    /// How long an offer holds; in any case no longer than until its start.
    pub timeout: Option<Ticks>,
    /// When it is called off, if it is.
    pub cancel: Option<Time>,
    /// What to do when the PEs are not free.
    pub on_conflict: OnConflict,
}

impl ReservationSpec {
    /// When the PEs are wanted.
    pub fn asked(&self) -> Period {
        Period { start: self.start, end: self.start + self.duration }
    }
}

/// Why there cannot be such a reservation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReservationError {
    /// There is no such resource.
    #[error("there is no resource {}", .0.0)]
    Resource(ResourceId),
    /// Jobs have no PEs of their own there.
    #[error("resource '{0}' is not space-shared")]
    Shared(String),
    /// None, or more than there are.
    #[error("{pes} PEs are asked for, and resource '{resource}' has {have}")]
    Pes {
        /// This many are asked for.
        pes: u32,
        /// Where.
        resource: String,
        /// This many are there.
        have: u32,
    },
    /// It is over before it begins, or goes beyond the clock.
    #[error("a duration of {0} ticks is not possible")]
    Duration(Ticks),
    /// What is past cannot be reserved.
    #[error("it starts before it is asked for")]
    Late,
}
