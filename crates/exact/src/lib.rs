//! The proven optimum: bounds, SAT solvers, proofs by cases, and the strategies that join them.
//!
//! ```text
//! instance ──► strategy: bounds, cases, SAT ──► reason ──► solve: certificate ──► checker
//! ```
//!
//! [`strategy`] searches and believes its solvers; [`solve`] proves what they said, asks the
//! checker, and only then calls a mapping optimal. The way in is [`solve::Solver`].
//!
//! Not here: what makes a certificate true (`gridsat-check`), and mappings without a bound
//! (`gridsat-heuristics`). May name these two, `gridsat-encodings`, `gridsat-files` and
//! `gridsat-model`.

pub mod bounds;
pub mod cases;
pub mod export;
pub mod knapsack;
mod large;
pub mod reason;
pub mod sat;
pub mod solve;
pub mod strategy;
pub mod veripb;
