//! Provably optimal mapping of independent tasks onto heterogeneous hosts, and simulators that show
//! what mappings and scheduling policies are worth.
//!
//! ```
//! use gridsat::Instance;
//!
//! // The time of each task (row) on each host (column).
//! let instance = Instance::from_rows([[14, 5, 9], [3, 8, 2], [7, 7, 4]])?;
//! let solution = gridsat::solve(&instance)?;
//! assert!(solution.is_optimal());
//! assert_eq!(solution.makespan().to_string(), "5");
//! assert_eq!(solution.assignment().next(), Some(("t0", "h1")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | for | start with |
//! | --- | --- |
//! | the optimum, or a bound on it, with a certificate | [`solve()`], [`Solver`] |
//! | checking a certificate without trusting the search | [`verify()`] |
//! | tasks with measured times in shards, with a proven bound | [`split`] |
//! | logs of test and job runners as tasks | [`tasks`] |
//! | fast mappings without proof; your own heuristics | [`heuristics`] |
//! | grids with jobs that arrive over time; your own policies | [`Scenario`], [`Policy`] |
//! | clusters with queues of parallel jobs; your own queue policies | [`ClusterScenario`] |
//! | both simulators in detail | [`simulate`] |
//!
//! Programs that need more can depend directly on the crates behind this one (`gridsat-model`,
//! `gridsat-exact`, `gridsat-cluster`, …). The feature `cli`, on by default, is the program
//! `gridsat`; with `default-features = false` nothing of the command line is compiled.
//!
//! Arithmetic in bounds and proofs must be exact or panic: set `overflow-checks = true` in your
//! release profile, as the program does.

pub mod heuristics;
pub mod simulate;
pub mod solve;
pub mod split;
pub mod tasks;

use std::path::Path;

pub use gridsat_check::verify::{FileVerdict, VerifyError};
pub use gridsat_model::io::{Note, ReadError};
pub use gridsat_model::{Instance, Mapping, VERSION};
pub use gridsat_scenario::clusters::ClusterScenario;
pub use gridsat_scenario::{Policy, Scenario, ScenarioError};
pub use solve::{Certificate, Solution, SolveError, Solver};

/// A mapping of smallest makespan, with a certificate; [`Solver`] has limits and options.
///
/// ```
/// let instance = gridsat::Instance::from_rows([[2, 3], [2, 3], [2, 3]])?;
/// assert_eq!(gridsat::solve(&instance)?.makespan().to_string(), "4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(instance: &Instance) -> Result<Solution, SolveError> {
    Solver::new().solve(instance)
}

/// Checks the certificate or mapping in a file, whatever program wrote it. No part of the search is
/// used.
///
/// ```
/// let instance = gridsat::Instance::from_rows([[2.5, 3.0], [2.5, 3.0], [2.5, 3.0]])?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("proof.json");
/// gridsat::solve(&instance)?.certificate().save(&path)?;
/// let gridsat::FileVerdict::Certificate(accepted) = gridsat::verify(&instance, &path)? else {
///     return Err("only a mapping".into());
/// };
/// assert!(accepted.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(instance: &Instance, path: impl AsRef<Path>) -> Result<FileVerdict, VerifyError> {
    gridsat_check::verify::verify_file(instance, path.as_ref())
}

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
