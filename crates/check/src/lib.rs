//! The checker of certificates, and nothing else: the smallest code with the strongest tests.
//!
//! [`formula`] turns "is there a mapping with makespan ≤ k?" into clauses; [`verify`] does every
//! step of a certificate again, and alone gives out [`verify::Accepted`]. Those who search use
//! [`formula`] too.
//!
//! Not here: any bound, search or solver, which must not be able to accept their own results. May
//! name `gridsat-encodings` and `gridsat-model`.

pub mod formula;
pub mod verify;
