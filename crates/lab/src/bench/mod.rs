//! The benchmark set, and measurements of algorithms on it.
//!
//! ```text
//!  manifest ──► Set ──► instances ─┐
//!                 │ bounds         ├─► run ──► outcomes ──► standings ──► plot
//!  heuristics, searches ───────────┘    ▲
//!                                       └ verify: every makespan
//! ```
//!
//! Each instance has a proven optimum, or a lower bound and the best known makespan, so that
//! algorithms are compared with what is possible rather than with each other. The set is in
//! `instances/bench`; other sets are manifests in the same format.
//!
//! The proofs of the optima are made by `solve`.

mod algorithm;
mod manifest;
mod plot;
mod run;
mod standings;

pub use algorithm::{Algorithm, AlgorithmError, Mapped};
pub use manifest::{FORMAT, FORMAT_VERSION, ManifestError, Set, SetError, SetInstance};
pub use plot::plot;
pub use run::{BenchError, Options, Outcome, Step, run};
pub use standings::{Standing, Standings, by, overall};
