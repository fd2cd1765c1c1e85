//! Mapping heuristics: fast, without a guarantee of quality. They give the search its first upper
//! bound, are compared with the optimum, and schedule jobs in simulated grids.
//!
//! A [`Problem`] is an instance with the state of its hosts; in a static mapping every host is a
//! queue. All heuristics use only possible pairs and are deterministic: ties go to the host of
//! lowest index, then to the task of lowest index. With a time limit ([`Problem::until`]) Min-Min
//! is TLMM and QoS-guided Min-Min is TLQMM.
//!
//! Names and definitions follow Braun et al., "A comparison of eleven static heuristics for mapping
//! a class of independent tasks onto heterogeneous distributed computing systems" (2001), and
//! Maheswaran et al., "Dynamic mapping of a class of independent tasks onto heterogeneous computing
//! systems" (1999).
//!
//! [`search`] has the metaheuristics, which are randomised and take longer; [`generate`] draws
//! instances, and [`utility`] turns quality-of-service wishes into a matrix of times.
//!
//! Not here: lower bounds and proofs. Depends on `gridsat-model` and `gridsat-statistics`.

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
mod sufferage_passes;
mod sufferage_rounds;
pub mod utility;

use partial::Partial;

pub use by_weights::map_by_weights;
pub use duplex::Duplex;
pub use heuristic::Heuristic;
pub use heuristics::{Heuristics, UnknownHeuristic};
pub use host::{HostModel, HostState};
pub use list::List;
pub use local_search::{improve, improve_by_weights, improve_to, improve_while};
pub use max_min::MaxMin;
pub use min_min::MinMin;
pub use on_line::OnLine;
pub use problem::Problem;
pub use qgmm::Qgmm;
pub use sufferage_passes::{Sufferage, XSufferagePasses};
pub use sufferage_rounds::{SufferageRounds, XSufferage};
