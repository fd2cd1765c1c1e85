//! Mapping heuristics: fast, no promise about quality. They give the search its first upper bound
//! and are the peers the optimum is compared with.
//!
//! All of them start from the hosts' ready times, use only pairs that can run, and are
//! deterministic: among equals the host of lowest index wins, then the task of lowest index.
//! Names and definitions follow Braun et al., "A comparison of eleven static heuristics for mapping
//! a class of independent tasks onto heterogeneous distributed computing systems" (2001), and
//! Maheswaran et al., "Dynamic mapping of a class of independent tasks onto heterogeneous computing
//! systems" (1999).
//!
//! Not here: anything population based (genetic algorithms and the like).

mod by_weights;
mod duplex;
mod heuristic;
mod local_search;
mod max_min;
mod mct;
mod met;
mod min_min;
mod olb;
mod partial;
mod registry;
mod shortlist;
mod sufferage;

pub use by_weights::map_by_weights;
pub use duplex::Duplex;
pub use heuristic::Heuristic;
pub use local_search::{improve, improve_by_weights};
pub use max_min::MaxMin;
pub use mct::Mct;
pub use met::Met;
pub use min_min::MinMin;
pub use olb::Olb;
pub use registry::{all, by_name};
pub use sufferage::Sufferage;
