//! What a simulation tells: summaries, one row per job, one line per event, a picture.
//!
//! ```text
//! Setup ──► Description ─┬► Jobs, Events, Gantt: observers ──► jobs.csv, events.log, gantt.svg
//! simulate ──► Summary ──┴► Report ──► JSON, CSV
//! ```
//!
//! Rows and lines are written as things happen and kept nowhere; only the picture keeps its bars,
//! and no more than it can show. What each column and key means is in `docs/output.md`.
//!
//! Not here: the table for the terminal, which is part of the program.

mod description;
mod events;
mod exact;
mod gantt;
mod jobs;
mod reservations;
mod row;
mod sink;
mod summary;

pub use description::{Description, ResourceFacts, SchedulerFacts};
pub use events::Events;
pub use exact::Exact;
pub use gantt::Gantt;
pub use jobs::Jobs;
pub use reservations::{PeriodFacts, ReservationFacts};
pub use summary::Report;
