//! The proven optimum: bounds, SAT solvers, proofs by cases, and the strategies that combine them.
//!
//! ```text
//! instance ──► strategy: bounds, cases, SAT ──► reason ──► solve: certificate ──► checker
//! ```
//!
//! [`strategy`] searches and trusts its solvers; [`solve`] turns their answers into proofs, has the
//! checker accept them, and only then calls a mapping optimal. The entry point is
//! [`solve::Solver`].
//!
//! Not here: the rules of certificates (`gridsat-check`), and mappings without a bound
//! (`gridsat-heuristics`). Depends on these two, `gridsat-encodings`, `gridsat-files` and
//! `gridsat-model`.

mod alike;
pub mod bounds;
pub mod cases;
pub mod export;
mod fill;
pub mod knapsack;
mod large;
mod neighbourhood;
pub mod reason;
pub mod sat;
pub mod solve;
pub mod strategy;
mod then;
mod threads;
pub mod veripb;
mod walk;
