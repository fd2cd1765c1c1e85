//! Fast mappings without proof, and heuristics that you write yourself.
//!
//! ```
//! use gridsat::Instance;
//! use gridsat::heuristics::{Heuristic, Heuristics, HostId, Problem, TaskId};
//!
//! /// Tasks in turn to hosts in turn.
//! struct RoundRobin;
//!
//! impl Heuristic for RoundRobin {
//!     fn name(&self) -> &'static str {
//!         "roundrobin"
//!     }
//!
//!     fn title(&self) -> &'static str {
//!         "Round robin"
//!     }
//!
//!     fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
//!         problem.instance.tasks().zip(problem.instance.hosts().cycle()).collect()
//!     }
//! }
//!
//! let instance = Instance::from_rows([[4, 7], [3, 5], [6, 2]])?;
//! assert_eq!(RoundRobin.map(&instance).makespan().0, 10);
//! let all = Heuristics::built_in().with(&RoundRobin);
//! let best = all.iter().map(|one| one.map(&instance).makespan()).min();
//! assert_eq!(best.map(|ticks| ticks.0), Some(7));
//! # Ok::<(), gridsat::ReadError>(())
//! ```
//!
//! In a simulation a heuristic is a policy: [`Policy::of`](crate::Policy::of).

pub use gridsat_heuristics::{
    Duplex, Heuristic, Heuristics, HostState, List, MaxMin, MinMin, OnLine, Problem, Qgmm,
    Sufferage, UnknownHeuristic, XSufferage, improve,
};
pub use gridsat_model::{HostId, TaskId, Ticks};
