//! The checker of certificates, kept small and tested hardest.
//!
//! [`formula`] turns "is there a mapping with makespan ≤ k?" into clauses; [`verify`] repeats
//! every step of a certificate, and only it creates [`verify::Accepted`]. The search uses
//! [`formula`] too.
//!
//! Not here: bounds, searches and solvers, which must not be able to accept their own results.
//! Depends on `gridsat-encodings` and `gridsat-model` only.

pub mod formula;
mod knapsack;
pub mod verify;
