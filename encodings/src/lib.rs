//! CNF encodings of two constraints, *at most one of these literals* and *the weight of the true
//! literals is at most k*, written clause by clause into a [`ClauseSink`].
//!
//! The crate knows only literals and clauses; their meaning is up to the caller. The same encoder
//! therefore fills a solver, streams a DIMACS file, or only counts.
//!
//! The rest of this page is the crate's README.
#![doc = include_str!("../README.md")]

mod at_most_one;
mod budget;
mod dimacs;
mod lit;
mod load;
mod sink;
pub mod window;

pub use at_most_one::AtMostOne;
pub use budget::{Budget, OverBudget};
pub use dimacs::{DimacsWriter, push_number};
pub use lit::{Lit, Var};
pub use load::{LoadBound, LoadEncoding, Term, thesis};
pub use sink::{ClauseSink, Cnf, Counter, Meaning};
