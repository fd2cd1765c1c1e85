//! Advance reservation: PEs of a space-shared resource, memory and disk space of its machine, and
//! bandwidth from there to another node, set aside for a period of time.
//!
//! A user requests amounts of these for a period. They are offered if no other reservation has
//! them, by the [`Book`] of each, or refused. An offer holds them until it is committed, cancelled,
//! or expires. Redrawn from figure 2.7 of the thesis, after Buyya:
//!
//! ```text
//! Requested ──► Offered ──────► Committed ──────► Active ──► Finished
//!      │           ├──► Expired      │               │
//!      ▼           ▼                 ▼               ▼
//!   Refused     Cancelled ◄──────────┴───────────────┘
//! ```
//!
//! Only reservations conflict with each other. When one becomes active, the jobs on its PEs are
//! suspended, which the [allocation](super::allocation) does. Memory, disk space and bandwidth that
//! others have are not taken from them, but they get no more until the reservation can have its
//! own. At the same time, ends come first, then requests, then starts, because periods are half
//! open.
//!
//! It costs its price for as long as it is active, used or not. Not modelled: negotiation beyond
//! one counter-offer.

mod book;
mod life;
mod pools;
mod request;
mod reservations;

pub use book::Book;
pub use life::{Period, ReservationState};
pub use reservations::ReservationSummary;
pub(super) use reservations::Reservations;

use pools::Books;
use thiserror::Error;

use super::data::Data;
use super::economy::Money;
use super::grid::{Grid, ResourceId};
use super::network::{Bandwidth, Bytes, NodeId};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// What to do if what is requested is not free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// The request is refused.
    #[default]
    Refuse,
    /// The nearest period in which it is free is taken.
    Move,
}

/// Bandwidth between the machine of a reservation and another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The other node.
    pub to: NodeId,
    /// How much of every link on the way there is reserved.
    pub bandwidth: Bandwidth,
}

/// A request for a reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservationSpec {
    /// Name for reports.
    pub name: String,
    /// The resource where its jobs run.
    pub resource: ResourceId,
    /// Number of PEs; with 0 its jobs share the other PEs with ordinary jobs.
    pub pes: u32,
    /// Memory of the machine, in bytes.
    pub memory: Bytes,
    /// Disk space of the machine, in bytes.
    pub storage: Bytes,
    /// Bandwidth for the data of its jobs.
    pub connection: Option<Connection>,
    /// Price of each PE for one second.
    pub price: Money,
    /// Price of everything else for one second.
    pub fee: Money,
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
    /// What to do if what it needs is not free.
    pub on_conflict: OnConflict,
}

impl ReservationSpec {
    /// PEs for a period, free of charge, requested and committed at time 0.
    pub fn new(name: &str, resource: ResourceId, pes: u32, period: Period) -> Self {
        Self {
            name: name.to_owned(),
            resource,
            pes,
            memory: Bytes(0),
            storage: Bytes(0),
            connection: None,
            price: Money::ZERO,
            fee: Money::ZERO,
            start: period.start,
            duration: period.end - period.start,
            requested: Time::ZERO,
            commit: Time::ZERO,
            timeout: None,
            cancel: None,
            on_conflict: OnConflict::Refuse,
        }
    }

    /// Whether its jobs need it before they have PEs, because it has memory, disk space or
    /// bandwidth for them.
    pub(super) fn is_more_than_pes(&self) -> bool {
        self.memory.0 > 0 || self.storage.0 > 0 || self.connection.is_some()
    }

    /// Price of all of it for one second.
    pub(super) fn rate(&self) -> Money {
        Money(self.price.0.saturating_mul(self.pes.into())) + self.fee
    }

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
    /// Neither PEs nor anything else is requested.
    #[error("it reserves nothing")]
    Nothing,
    /// More memory or disk space than the machine has, or none of it is limited.
    #[error(
        "{bytes} bytes of {what} are requested, but resource '{resource}' has {}", limit(.have)
    )]
    Bytes {
        /// `memory` or `storage`.
        what: &'static str,
        /// Requested amount.
        bytes: u64,
        /// Name of the resource.
        resource: String,
        /// The size of what it has; `None` if there is no limit, so that nothing can be reserved.
        have: Option<u64>,
    },
    /// No network with links leads from the resource to the other node.
    #[error("there are no links on which bandwidth could be reserved")]
    Links,
    /// More bandwidth than can be reserved on the way.
    #[error("{} bits/s are requested, but at most {} can be reserved", .asked.bits(), .most.bits())]
    Bandwidth {
        /// Requested bandwidth.
        asked: Bandwidth,
        /// What can be reserved on every link of the way.
        most: Bandwidth,
    },
    /// More PEs than the resource has.
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

/// Checks whether there is as much at all as a reservation requests.
pub fn check(
    spec: &ReservationSpec,
    grid: &Grid,
    data: Option<&Data>,
) -> Result<(), ReservationError> {
    request::check(spec, grid, data, &mut Books::default()).map(drop)
}

fn limit(have: &Option<u64>) -> String {
    have.map_or("no limit".to_owned(), |have| have.to_string())
}
