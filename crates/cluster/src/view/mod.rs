//! A web page that plays back a run of [clusters](crate): clusters, queues and statistics over
//! time. It corresponds to Beoview, the viewer of Beosim (Jones and Pang 2003).
//!
//! ```text
//! simulation ──► recorder ──► record ──► page: page.html + page.css + *.js + the record as JSON
//!                   └─ nodes: assigns node numbers, where the simulator only counts
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `playback.js` | reads the record; the state at any time; does not access the document |
//! | `draw.js` | clusters, queues and charts on canvases |
//! | `timeline.js` | which job had which nodes when (Gantt) |
//! | `job.js` | details of a job |
//! | `page.js` | builds the page; controls and keys |
//!
//! The page loads nothing and works without a network. What it shows and how to use it is in
//! `docs/traces.md`.
//!
//! Not shown: reservations and delays, although the simulator reports them; queues in the order of
//! the policy.

mod nodes;
mod page;
mod record;
mod recorder;

pub use recorder::{Recorder, Window};
