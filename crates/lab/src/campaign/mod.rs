//! Campaigns: gridsat and other solvers over many instances, every answer checked.
//!
//! ```text
//! files, lists ──► instances ─┐
//! options, peers ──► solvers ─┴─► runs ──► rows (one line each) ──► report
//! ```
//!
//! A [`Run`] describes one instance, one solver and its limits; [`Run::execute`] turns it into a
//! [`Row`] without any other state, so that the runs of a campaign can be executed anywhere. A row
//! contains all that identifies it. Solvers are processes, gridsat included.

mod answer;
mod error;
mod exact;
mod judge;
mod known;
mod listing;
mod process;
mod report;
mod results;
mod row;
mod run;
mod runs;
mod solver;

pub use error::{CampaignError, ListError, PeerError, ResultsError};
pub use exact::{Exact, NotExact};
pub use known::{Known, KnownValues};
pub(crate) use listing::digest;
pub use listing::{Listed, instances};
pub use report::{By, Group, Line, Literature, Measures, Report, Section, SolverNote, plot};
pub use results::{Rows, read as read_results};
pub use row::{FORMAT, Key, Row, Status};
pub use run::{Limits, Run};
pub use runs::Campaign;
pub use solver::{OURS, Peer, Program, Solver, peers};
