//! Work in parts: what one thread or process need not do alone.
//!
//! ```text
//! experiment, campaign, proof ──► plan ──► DIR/plan.json
//!                                              │ part 0, 1, 2, …: anywhere, any order
//!                                              ▼
//!            result ◄── merge ◄── DIR/parts ◄── work
//! ```
//!
//! A plan is immutable and names everything that the work depends on: the build of gridsat, digests
//! of all input files, seeds. A part is a number; its file is written aside and renamed, so that
//! several processes may work on the same part, be killed, or be started again without any harm.
//! No two processes write to the same file. Whoever starts the processes (a job array, another
//! program, a person) only passes the number: see [`engine`]. Threads of one process do the same.

pub mod beside;
mod campaign;
pub mod engine;
mod error;
mod experiment;
mod inputs;
mod lock;
mod make;
mod manifest;
mod part_file;
mod plan;
mod proof;
mod ranges;
mod sizes;

pub use error::PartsError;
pub use make::PlannedProof;
pub use plan::{Merged, Plan, Worked};
pub use ranges::ranges;
pub use sizes::Sizes;
