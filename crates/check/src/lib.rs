//! The checker of certificates, and nothing else: the smallest code with the strongest tests.
//!
//! [`formula`] turns "is there a mapping with makespan ≤ k?" into clauses; [`verify`] does every step of
//! a certificate again. The search uses [`formula`] too; this crate names no search, bound or solver,
//! and its `Cargo.toml` gives it none to name.

pub mod formula;
pub mod verify;
