//! What a simulation is made of.

use crate::data::Data;
use crate::economy::Terms;
use crate::grid::Grid;
use crate::information::Information;
use crate::load::Start;
use crate::reservation::ReservationSpec;
use crate::scheduler::{SchedulerId, SchedulerSpec};
use gridsat_engine::StopRules;
use gridsat_engine::time::Time;
use gridsat_model::Scale;
use gridsat_workload::Source;

/// Jobs that come, and the schedulers their users send them to, user by user in turn.
pub struct Group {
    /// The jobs.
    pub source: Source,
    /// The schedulers, at least one.
    pub schedulers: Vec<SchedulerId>,
}

/// Something done to one job, or to the simulation, at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Stops the job for a while.
    Halt(u64),
    /// Lets it go on.
    Resume(u64),
    /// Takes it away.
    Cancel(u64),
    /// Ends the simulation.
    End,
}

impl Command {
    /// The job it is about.
    pub(super) fn job(self) -> Option<u64> {
        match self {
            Self::Halt(job) | Self::Resume(job) | Self::Cancel(job) => Some(job),
            Self::End => None,
        }
    }
}

/// All that a simulation is made of.
pub struct Setup {
    /// What there is.
    pub grid: Grid,
    /// Who decides.
    pub schedulers: Vec<SchedulerSpec>,
    /// Who submits what.
    pub groups: Vec<Group>,
    /// What schedulers know of resources.
    pub information: Information,
    /// Networks and files, if there are any.
    pub data: Option<Data>,
    /// What users demand for their applications; jobs name them by number.
    pub contracts: Vec<Terms>,
    /// PEs reserved for one user; jobs name them by number.
    pub reservations: Vec<ReservationSpec>,
    /// What is done from outside, and when.
    pub commands: Vec<(Time, Command)>,
    /// When to stop.
    pub stop: StopRules,
    /// What a tick is.
    pub scale: Scale,
    /// The date of time 0.
    pub start: Start,
    /// Where randomness starts.
    pub seed: u64,
    /// Whether to measure how long schedulers think.
    pub timing: bool,
}
