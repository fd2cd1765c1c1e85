//! The proven optimum: bounds, SAT decisions, proofs by cases, and the search that joins them.

pub mod bounds;
pub mod cases;
pub mod export;
pub mod knapsack;
pub mod reason;
pub mod sat;
pub mod solve;
pub mod strategy;
pub mod veripb;
