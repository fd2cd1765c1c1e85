//! Simulations of grids and clusters: a scenario, possibly with your own policy, and the results of
//! all jobs.
//!
//! ```
//! use gridsat::simulate::{Changes, template};
//! use gridsat::{Policy, Scenario, heuristics};
//!
//! let scenario: Scenario = template("gsim-base").ok_or("no such template")?.text.parse()?;
//! let as_in_the_file = scenario.run(&Changes::default())?;
//! let built_in = scenario.run(&Changes::policy(scenario.policy("tlqmm")?))?;
//! let heuristic = scenario.run(&Changes::policy(Policy::of(&heuristics::MinMin)))?;
//! assert_eq!(heuristic.summary.counts.finished, 1000);
//! let last = built_in.jobs.iter().map(|job| job.end.0).max().unwrap();
//! assert_eq!(built_in.makespan().ticks(), last);
//! assert!(built_in.makespan().ticks() < as_in_the_file.makespan().ticks());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Scenario`](crate::Scenario) is a TOML or JSON file (see `docs/scenarios.md`) or one of
//! [`TEMPLATES`]. A [`Policy`](crate::Policy) is built in, a heuristic, or a [`Mapper`] that you
//! write yourself: see [`Scenario::run`](crate::Scenario::run). The same scenario, policy and seed
//! give the same run.
//!
//! Clusters work the same way: a [`ClusterScenario`](crate::ClusterScenario) (see
//! `docs/clusters.md`), a built-in [`QueuePolicy`] or a [`QueueRule`] that you write yourself, and
//! [`ClusterScenario::run`](crate::ClusterScenario::run).

pub use gridsat_cluster::{ClusterError, QueuePolicy, QueueRule, QueueView, WaitingJob};
pub use gridsat_grid::{
    Assignment, HostView, JobIndex, JobRecord, Mapper, MapperError, Outcome, SimError, Summary,
    View,
};
pub use gridsat_scenario::clusters::{ClusterChanges, ClusterRun};
pub use gridsat_scenario::{Changes, Means, Run, RunError, TEMPLATES, Template, When, template};
