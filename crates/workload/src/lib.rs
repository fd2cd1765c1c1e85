//! Jobs and where they come from.
//!
//! A source is an iterator of jobs in the order of their arrival. Sources are streams: a million
//! jobs need no more memory than one, unless they are given as a list.
//!
//! ```text
//! list, Users ──► EstimateError ──► merge ──► simulator
//! ```
//!
//! Rigid jobs of clusters ([`RigidJob`]) come from traces (module `swf`) or from models, each in a
//! file of its own: [`Lublin`], [`WangZhang`], [`Beosim`].
//!
//! Arrivals, sizes, QoS levels and estimate errors are drawn from random streams of their own,
//! named below: changing one leaves the others as they were.
//!
//! Not here: what becomes of jobs. May name `gridsat-model` and `gridsat-statistics`.

use std::sync::Arc;

use thiserror::Error;

use gridsat_model::Ticks;
pub use gridsat_statistics::gamma_below;

mod beosim;
mod distribution;
mod estimate;
mod hyper_gamma;
mod ids;
mod list;
mod lublin;
mod merge;
mod parameters;
mod qos;
mod rigid;
pub mod swf;
mod two_stage;
mod users;
mod wang_zhang;

pub use beosim::{Beosim, BeosimJobs, BeosimLaw};
pub use distribution::Distribution;
pub use estimate::{EstimateError, Misjudged};
pub use hyper_gamma::HyperGamma;
pub use ids::{ContractId, DataId, ReservationId};
pub use list::list;
pub use lublin::{JobTypes, Lublin, LublinJobs, LublinParameters};
pub use merge::{Merged, merge};
pub use parameters::ModelError;
pub use qos::Qos;
pub use rigid::RigidJob;
pub use two_stage::TwoStage;
pub use users::{Submissions, Users};
pub use wang_zhang::{GridArrivals, GridJob, GridJobs, WangZhang, WangZhangParameters};

/// The names of the random streams; the index is that of the group of users.
mod streams {
    /// Gaps between submissions.
    pub const ARRIVALS: &str = "workload/arrivals";
    /// Sizes of jobs.
    pub const SIZES: &str = "workload/sizes";
    /// QoS levels of applications.
    pub const QOS: &str = "workload/qos";
    /// Estimate errors.
    pub const ERRORS: &str = "workload/errors";
}

/// Jobs in the order of their arrival.
pub type Source = Box<dyn Iterator<Item = JobSpec> + Send>;

/// What a job needs. Jobs are moved by the million, so its parts are kept small: one pointer each.
#[derive(Clone, Debug, PartialEq)]
pub enum Demand {
    /// Million instructions.
    Instructions(f64),
    /// Input and output operations, for a device and not for PEs.
    Operations(f64),
    /// Ticks alone on each resource; `None` where it cannot run.
    Times(Arc<Vec<Option<Ticks>>>),
}

/// What jobs need and resources have rates of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Million instructions, by PEs.
    #[default]
    Instructions,
    /// Input and output operations, by a device.
    Operations,
}

impl Unit {
    /// This many of them.
    pub fn demand(self, amount: f64) -> Demand {
        match self {
            Self::Instructions => Demand::Instructions(amount),
            Self::Operations => Demand::Operations(amount),
        }
    }

    /// Whether a resource that has a rate of them is of use to a job that demands this.
    pub fn can_serve(self, demand: &Demand) -> bool {
        match demand {
            Demand::Instructions(_) => self == Self::Instructions,
            Demand::Operations(_) => self == Self::Operations,
            Demand::Times(_) => true,
        }
    }
}

/// A job that will arrive.
#[derive(Clone, Debug, PartialEq)]
pub struct JobSpec {
    /// When it is submitted.
    pub arrival: Ticks,
    /// Who submits it.
    pub user: u32,
    /// Which of the user's applications it is part of.
    pub application: u32,
    /// What it really needs.
    pub demand: Demand,
    /// The QoS level it asks for; 0 is none.
    pub qos: u32,
    /// What its application may cost and how long it may take, if its user cares.
    pub contract: Option<ContractId>,
    /// The reservation it runs in, if it has one: no scheduler is asked then.
    pub reservation: Option<ReservationId>,
    /// What data it needs and makes, if any.
    pub data: Option<DataId>,
    /// What schedulers believe it needs, as a multiple of what it really needs.
    pub estimate: f64,
    /// A name for reports, if it has one.
    pub name: Option<Arc<String>>,
}

impl JobSpec {
    /// A job of user 0 that asks for nothing else.
    pub fn new(arrival: Ticks, demand: Demand) -> Self {
        Self {
            arrival,
            user: 0,
            application: 0,
            demand,
            qos: 0,
            contract: None,
            reservation: None,
            data: None,
            estimate: 1.0,
            name: None,
        }
    }
}

/// Why jobs cannot be made like this.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum WorkloadError {
    #[error("{what} is {value}, not a number from 0")]
    Number { what: &'static str, value: f64 },
    #[error("uniform from {low} to {high}: the second is smaller")]
    Reversed { low: f64, high: f64 },
    #[error("shape is {value}, not a number above 0")]
    Shape { value: f64 },
    #[error("log-normal with {mu} and {sigma} is beyond all numbers")]
    LogNormal { mu: f64, sigma: f64 },
    #[error("the size of jobs is always 0 MI")]
    NoSize,
    #[error("number of {what} is 0")]
    None { what: &'static str },
    #[error("{count} users from number {first} on: numbers end at 4294967295")]
    Users { first: u32, count: u32 },
    #[error("the probability of a high QoS is {value}, not from 0 to 1")]
    Probability { value: f64 },
    #[error("the weights of QoS levels add up to {sum}")]
    Weights { sum: f64 },
    #[error("job {job}: size is {value} MI, not a number above 0")]
    Size { job: usize, value: f64 },
    #[error("job {job} can run nowhere")]
    Nowhere { job: usize },
    #[error("job {job}: estimate is {value} times the size, not a number above 0")]
    Estimate { job: usize, value: f64 },
    #[error("the estimate error is up to {value} %, not from 0 to below 100")]
    ErrorPercent { value: f64 },
    #[error("the estimate error's {what} factor is {value}, not from 0 to 1")]
    ErrorFactor { what: &'static str, value: f64 },
}

/// Is it a finite number from 0?
fn check_number(what: &'static str, value: f64) -> Result<(), WorkloadError> {
    let valid = value.is_finite() && value >= 0.0;
    if valid { Ok(()) } else { Err(WorkloadError::Number { what, value }) }
}
