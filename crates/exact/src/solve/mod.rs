//! From an instance to a mapping whose optimality has been checked.
//!
//! Search, write the reason down as a certificate, have the checker accept it, and only then call
//! the mapping optimal. A bound that rests on a solver's word is proven anew in a fresh solver that
//! logs a proof. If that cannot be done (stopped, disk full), the best bound that needs no solver
//! is certified instead, and the failure reported.
//!
//! ```
//! use gridsat_exact::solve::Solver;
//! use gridsat_model::{Instance, InstanceParts, Ticks};
//!
//! let etc = vec![vec![Some(Ticks(3)), Some(Ticks(5))]; 3];
//! let instance = Instance::new(InstanceParts { etc, ..InstanceParts::default() })?;
//! let solution = Solver::new().solve(&instance)?;
//! assert!(solution.is_optimal());
//! assert_eq!(solution.makespan().to_string(), "6");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certificate;
mod certify;
mod solution;
mod solver;
mod veripb_files;

pub use certificate::{Certificate, SaveError};
pub use certify::CertifyError;
pub use solution::{Outcome, Solution};
pub use solver::{SolveError, Solver};
pub use veripb_files::{WriteVeripbError, is_veripb, write_veripb};
