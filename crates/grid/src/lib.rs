//! The grid simulator.
//!
//! ```text
//! workload ─► simulation ─► scheduler: mode, mapper ─► resource: allocation, load, ─► summary
//!                 ▲              │ view, estimates,         failure, reservation      observer
//!                 │              │ information              │ completions
//!                 └── engine ◄───┴──────────────────────────┘
//! ```
//!
//! Reimplements two published simulators: G-Sim (Rhodes' thesis, chapters 3 and 4) and GridSim
//! (Buyya and Murshed 2002). Times are whole ticks and work is in millionths of ticks, so a run
//! gives the same bytes on every machine.
//!
//! [`Setup`] is the input of a simulation, [`Mapper`] is the trait of scheduling policies, and an
//! [`Observer`] receives every event. [`output`] writes summaries, tables and charts.
//!
//! Jobs on several PEs are in `gridsat-cluster`, scenario files and the names of policies in
//! `gridsat-scenario`. Depends on `gridsat-engine`, `gridsat-workload`, `gridsat-heuristics`,
//! `gridsat-draw` and their dependencies.

pub mod allocation;
pub mod data;
pub mod economy;
pub mod failure;
pub mod load;
pub mod network;
pub mod output;
pub mod reservation;
pub mod work;

mod belief;
mod error;
mod estimate;
mod grid;
mod happening;
mod information;
mod job;
mod jobs;
mod memory;
mod occupancy;
mod resource;
mod scheduler;
mod simulation;
mod summary;
mod unfinished;

pub use error::SimError;
pub use estimate::Estimator;
pub use grid::{Device, Grid, ResourceId, ResourceSpec, SiteId};
pub use gridsat_engine::Observer;
pub use happening::{GridEvents, Happening};
pub use information::{Information, Pings};
pub use job::{Job, JobRecord, Outcome, Place};
pub use memory::MemorySpec;
pub use scheduler::{
    Adapt, Assignment, Broker, ByHeuristic, Conduct, Fixed, HostView, JobIndex, Mapper,
    MapperError, Migration, Mode, OneByOne, OntoFree, Optimise, Passing, Proofs, Reconsider,
    Rescheduling, SchedulerId, SchedulerSpec, Sorted, Target, View, Waits, instance,
};
pub use simulation::{Command, Group, Run, Setup, SourceFailure, simulate};
pub use summary::{Accounts, Counts, Moments, ResourceSummary, Summary};
pub use unfinished::Unfinished;
