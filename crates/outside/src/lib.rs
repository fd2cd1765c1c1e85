//! Any program as an algorithm: `cmd:python3 mine.py` wherever a heuristic or a policy is named.
//!
//! The program is started once. For every decision it gets one line of JSON on standard input, a
//! [`question`], and answers with one line on standard output. It ends when its input does.
//!
//! ```text
//! {"format": "gridsat-question 1", "time": 0, "until": null,
//!  "tasks": [{"id": 0, …}], "hosts": […], "etc": [[14, 5.5], …]}
//! {"assign": [[0, 1], [1, 0]]}
//! ```
//!
//! Each answer has a time limit ([`LIMIT`], or `cmd/5s:…`). A program that cannot be started, ends,
//! is silent for too long or answers with anything else is killed with all its children, and the
//! run ends with one line that says why.

mod heuristic;
mod mapper;
pub mod question;
mod running;

pub use heuristic::{failure, named};
pub use mapper::ByProgram;
pub use running::{LIMIT, Program, is_program};
