//! Jobs that were sent are reconsidered: queued ones are decided on again, running ones migrate
//! away from load (thesis, 2.4.2.6).
//!
//! Queued jobs return to their scheduler, which decides on them together with those that wait
//! there. A running job on a resource with much local load moves, with all its work, if another
//! resource would complete it earlier, the cost of the move included.
//!
//! Jobs with data stay where their data are, and jobs of reservations where those are.

use crate::work::Work;
use gridsat_engine::EventId;
use gridsat_model::Ticks;

/// When jobs are reconsidered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reconsider {
    /// When a job ends or a resource changes.
    PerEvent,
    /// Every this many ticks, at least 1.
    Every(Ticks),
}

/// Migration of running jobs because of load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// Work added to a job that moves.
    pub cost: Work,
    /// Jobs move from resources with at least this local load in percent.
    pub load: u8,
}

/// How a scheduler reconsiders jobs that it has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rescheduling {
    /// When it does.
    pub when: Reconsider,
    /// Whether running jobs migrate; otherwise only queued jobs are reconsidered.
    pub migration: Option<Migration>,
}

/// The same during a simulation, with the event of the next time.
#[derive(Clone, Debug)]
pub(in super::super) struct Rounds {
    pub spec: Rescheduling,
    pub event: Option<EventId>,
}
