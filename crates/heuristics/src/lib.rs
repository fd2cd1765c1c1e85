//! Mapping heuristics: fast, no promise about quality. They give the search its first upper bound,
//! are the peers the optimum is compared with, and schedule jobs in simulated grids.
//!
//! A [`Problem`] is an instance with the state of its hosts; a static mapping is the case in which
//! every host is a queue. All heuristics use only pairs that can run and are deterministic: among
//! equals the host of lowest index wins, then the task of lowest index. With a time limit
//! ([`Problem::until`]) Min-Min is TLMM and QoS-guided Min-Min is TLQMM.
//!
//! Names and definitions follow Braun et al., "A comparison of eleven static heuristics for mapping
//! a class of independent tasks onto heterogeneous distributed computing systems" (2001), and
//! Maheswaran et al., "Dynamic mapping of a class of independent tasks onto heterogeneous computing
//! systems" (1999).
//!
//! [`search`] has the metaheuristics, which take chances and their time; [`generate`] draws
//! instances, and [`utility`] maps by what mappings are worth to users.
//!
//! Not here: lower bounds and proofs. May name `gridsat-model` and `gridsat-statistics`.

mod by_weights;
mod duplex;
pub mod generate;
mod heuristic;
mod heuristics;
mod host;
mod list;
mod local_search;
mod max_min;
mod min_min;
mod on_line;
mod partial;
mod problem;
mod qgmm;
pub mod search;
mod shortlist;
mod sufferage;
pub mod utility;
mod xsufferage;

use partial::Partial;

pub use by_weights::map_by_weights;
pub use duplex::Duplex;
pub use heuristic::Heuristic;
pub use heuristics::{Heuristics, UnknownHeuristic};
pub use host::{HostModel, HostState};
pub use list::List;
pub use local_search::{improve, improve_by_weights, improve_while};
pub use max_min::MaxMin;
pub use min_min::MinMin;
pub use on_line::OnLine;
pub use problem::Problem;
pub use qgmm::Qgmm;
pub use sufferage::Sufferage;
pub use xsufferage::XSufferage;
