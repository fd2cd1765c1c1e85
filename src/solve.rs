//! The search for a proven optimum, with limits and options.
//!
//! ```
//! use std::time::Duration;
//!
//! use gridsat::heuristics::{Heuristic, MinMin};
//! use gridsat::solve::Event;
//! use gridsat::{Instance, Solver};
//!
//! let instance = Instance::from_rows([[14, 5, 9], [3, 8, 2], [7, 7, 4], [6, 6, 5]])?;
//! let mut bounds = 0;
//! let solution = Solver::new()
//!     .time_limit(Duration::from_secs(60))
//!     .threads(2)
//!     .start_from(MinMin.map(&instance))
//!     .watch(|event| bounds += u32::from(matches!(event, Event::Bound { .. })))
//!     .solve(&instance)?;
//! assert!(solution.lower_bound() == solution.makespan() && solution.is_optimal());
//! assert!(bounds > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A search that is stopped early is not an error: its solution has the best mapping found, a
//! certified lower bound and the [`gap`](Solution::gap) between them.

pub use gridsat_exact::solve::{
    Certificate, CertifyError, Decided, Outcome, SaveError, Solution, SolveError, Solver, decide,
};
pub use gridsat_exact::strategy::{Event, Origin, Strategy};
pub use gridsat_model::{Stop, Time};
