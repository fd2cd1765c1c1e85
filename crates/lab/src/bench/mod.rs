//! The benchmark set, and algorithms measured on it.
//!
//! ```text
//!  manifest ──► Set ──► instances ─┐
//!                 │ bounds         ├─► run ──► outcomes ──► standings ──► plot
//!  heuristics, searches ───────────┘    ▲
//!                                       └ verify: every makespan
//! ```
//!
//! Each instance comes with a proven optimum, or with a lower bound and the best makespan known, so
//! algorithms are judged by how far they are from what is possible rather than from each other.
//! The set itself is in `instances/bench`; a set of one's own is a manifest in the same format.
//!
//! Not here: how the optima were proven (`solve`), and how algorithms work.

mod algorithm;
mod manifest;
mod plot;
mod run;
mod standings;

pub use algorithm::{Algorithm, Mapped, UnknownAlgorithm};
pub use manifest::{FORMAT, FORMAT_VERSION, ManifestError, Set, SetError, SetInstance};
pub use plot::plot;
pub use run::{BenchError, Options, Outcome, Step, run};
pub use standings::{Standing, Standings, by, overall};
