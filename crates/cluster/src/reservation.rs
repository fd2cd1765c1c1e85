//! Advance reservations: nodes of a cluster that only certain jobs may use for a period.
//!
//! ```text
//! Requested ──► Granted ──► Active ──► Ended
//!      └──────► Refused
//! ```
//!
//! A reservation is granted if enough nodes of the cluster are unreserved for the whole period, in
//! order of its groups. From then on every policy starts a job only on nodes that it will have left
//! by the estimates when the period begins. If jobs are in the way all the same, because they run
//! longer than estimated or started before the request, those that started last are suspended with
//! their work. While it is active, its own jobs run on its nodes, first come first served; at its
//! end, those that are not done lose their nodes and become ordinary jobs. It costs its price for
//! all its nodes and the whole period, used or not.
//!
//! Not modelled: counter-offers and cancellation. Nodes of an active reservation do not fail.

use super::grid::ClusterId;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};

/// A request for a reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservationSpec {
    /// Name for reports.
    pub name: String,
    /// The cluster of the nodes.
    pub cluster: ClusterId,
    /// Number of nodes.
    pub nodes: u32,
    /// Start of the period.
    pub start: Time,
    /// Length of the period.
    pub duration: Ticks,
    /// When it is requested, and becomes known to policies.
    pub requested: Time,
    /// Price of a node for one second, in millionths of a currency unit.
    pub price: u64,
}

impl ReservationSpec {
    /// End of the period.
    pub fn end(&self) -> Time {
        self.start + self.duration
    }

    /// Price of all nodes for the whole period, in millionths, rounded up.
    pub fn cost(&self, scale: Scale) -> u128 {
        let time = u128::from(self.nodes) * u128::from(self.duration);
        time.saturating_mul(self.price.into()).div_ceil(scale.ticks_per_unit().into())
    }
}

/// State of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "drawn above")]
pub enum ReservationState {
    Requested,
    Refused,
    Granted,
    Active,
    Ended,
}

impl ReservationState {
    /// The name of the state, one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Refused => "refused",
            Self::Granted => "granted",
            Self::Active => "active",
            Self::Ended => "ended",
        }
    }

    /// Whether its nodes were promised.
    pub fn is_granted(self) -> bool {
        matches!(self, Self::Granted | Self::Active | Self::Ended)
    }
}

/// The result of a reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservationSummary {
    /// What was asked for.
    pub spec: ReservationSpec,
    /// Its state at the end.
    pub state: ReservationState,
    /// Number of jobs that were submitted for it while it was open.
    pub jobs: u64,
    /// Time for which its jobs had its nodes, in nodes × ticks.
    pub used: u128,
    /// What it costs, in millionths of a currency unit; 0 if it was not granted.
    pub cost: u128,
}
