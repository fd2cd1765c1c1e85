//! A run of [clusters](crate) as one HTML page that plays it back: clusters, queues, running
//! statistics. The part that Beoview has beside Beosim (Jones and Pang 2003).
//!
//! ```text
//! simulation ──► recorder ──► record ──► page: page.html + page.css + *.js + the record as JSON
//!                   └─ nodes: which nodes a job has, where the simulator only counts
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `playback.js` | reads the record; the state at any time, forwards and backwards; touches no document |
//! | `draw.js` | clusters, queues and charts on canvases |
//! | `timeline.js` | which job had which nodes when (Gantt) |
//! | `job.js` | facts of a job |
//! | `page.js` | puts it together; controls and keys |
//!
//! The page needs no network and loads nothing. What it shows and how to use it is in
//! `docs/view.md`.
//!
//! Not here: reservations and delays, which the simulator tells too; queues in the order of the
//! policy.

mod nodes;
mod page;
mod record;
mod recorder;

pub use recorder::{Recorder, Window};
