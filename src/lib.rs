//! Provably optimal mapping of independent tasks onto heterogeneous hosts.
//!
//! The map of the modules and who may name whom is in `src/README.md`.

pub mod bench;
pub mod bounds;
pub mod certificate;
pub mod claims;
pub mod cluster;
pub mod compare;
pub mod experiment;
pub mod export;
pub mod figure;
pub mod files;
pub mod formula;
pub mod gantt;
pub mod generate;
pub mod heuristics;
pub mod io;
pub mod kernel;
pub mod knapsack;
pub mod model;
pub mod optimal;
pub mod optimise;
pub mod page;
pub mod queueing;
pub mod random;
pub mod report;
pub mod sat;
pub mod scenario;
pub mod search;
pub mod sim;
pub mod solve;
pub mod statistics;
pub mod swf;
pub mod utility;
pub mod verify;
pub mod veripb;
pub mod view;
pub mod workload;

/// The version of gridsat, as in reports and certificates.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
