//! Output of a simulation: summaries, tables of jobs and of users, an event log, a Gantt chart.
//!
//! ```text
//! Setup ──► Description ─┬► Jobs, Users, Events, Gantt: observers ──► files
//! simulate ──► Summary ──┴► Report ──► JSON, CSV
//! ```
//!
//! Rows and lines are written as events happen and are not stored; only the chart stores its bars,
//! up to a limit. Columns and keys are documented in `docs/output.md`.
//!
//! The table for the terminal is part of the program, not of this crate.

mod description;
mod events;
mod exact;
mod gantt;
mod jobs;
mod reservations;
mod row;
mod sink;
mod summary;
mod users;

pub use description::{Description, ResourceFacts, SchedulerFacts};
pub use events::Events;
pub use exact::Exact;
pub use gantt::Gantt;
pub use jobs::Jobs;
pub use reservations::{PeriodFacts, ReservationFacts};
pub use summary::Report;
pub use users::Users;
