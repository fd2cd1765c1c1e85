//! From an instance to a mapping whose optimality has been checked.
//!
//! Search, write the reason as a certificate, have the checker accept it, and only then call the
//! mapping optimal. A bound that rests on a solver's answer is proven again in a fresh solver that
//! logs a proof. If that fails (stopped, disk full), the best bound that needs no solver is
//! certified instead, and the failure is reported.

mod certificate;
mod certify;
mod decide;
mod parts;
mod solution;
mod solver;
mod veripb_files;

pub use crate::then::{Second, Then};
pub use certificate::{Certificate, SaveError};
pub use certify::CertifyError;
pub use decide::{Decided, decide};
pub use parts::{ProvenCase, certificate_of_tree, prove_node};
pub use solution::{Outcome, Solution};
pub use solver::{SolveError, Solver};
pub use veripb_files::{DEFAULT_PROOF_LIMIT, NoProof, WriteVeripbError, is_veripb, write_veripb};
