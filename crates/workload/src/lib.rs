//! Jobs and their sources.
//!
//! A source is an iterator over jobs in order of arrival. Sources are streams: except for lists,
//! memory does not grow with the number of jobs.
//!
//! ```text
//! list, Users ──► EstimateError ──► merge ──► simulator
//! ```
//!
//! Rigid jobs of clusters ([`RigidJob`]) come from traces (module `swf`) or from the models
//! [`Lublin`], [`WangZhang`], [`Beosim`].
//!
//! Arrivals, sizes, QoS levels and estimate errors are drawn from separate random streams, named
//! below: changing one leaves the others unchanged.
//!
//! The jobs are simulated in other crates. Depends on `gridsat-model` and `gridsat-statistics`.

use std::sync::Arc;

use thiserror::Error;

use gridsat_model::Ticks;
pub use gridsat_statistics::gamma_below;

mod beosim;
mod composite;
mod distribution;
mod estimate;
mod hours;
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
pub use composite::{Composite, Extras};
pub use distribution::Distribution;
pub use estimate::{EstimateError, Misjudged};
pub use hours::{Hours, HoursError};
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

/// Names of the random streams; their index is the number of the user group.
mod streams {
    /// Interarrival times of submissions.
    pub const ARRIVALS: &str = "workload/arrivals";
    /// Sizes of jobs.
    pub const SIZES: &str = "workload/sizes";
    /// QoS levels of applications.
    pub const QOS: &str = "workload/qos";
    /// I/O operations of jobs that need instructions, too.
    pub const OPERATIONS: &str = "workload/operations";
    /// Memory of jobs.
    pub const MEMORY: &str = "workload/memory";
    /// Estimate errors.
    pub const ERRORS: &str = "workload/errors";
}

/// Jobs in order of arrival.
pub type Source = Box<dyn Iterator<Item = JobSpec> + Send>;

/// The work of a job. Kept small, at most one pointer, because jobs are moved by the million.
#[derive(Clone, Debug, PartialEq)]
pub enum Demand {
    /// Million instructions (MI), processed by PEs.
    Instructions(f64),
    /// I/O operations, processed by a device.
    Operations(f64),
    /// Run time in ticks on each resource if alone there; `None` where the job cannot run.
    Times(Arc<Vec<Option<Ticks>>>),
    /// Work of both units, on several PEs, or with memory.
    Composite(Arc<Composite>),
}

impl Demand {
    /// Number of PEs that a job with this demand needs at once.
    pub fn pes(&self) -> u32 {
        if let Self::Composite(job) = self { job.pes } else { 1 }
    }
}

/// The unit in which jobs demand work and resources have rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Million instructions, processed by PEs.
    #[default]
    Instructions,
    /// I/O operations, processed by a device.
    Operations,
}

impl Unit {
    /// A demand of this amount.
    pub fn demand(self, amount: f64) -> Demand {
        match self {
            Self::Instructions => Demand::Instructions(amount),
            Self::Operations => Demand::Operations(amount),
        }
    }

    /// Whether a resource with a rate in this unit can run a job with this demand.
    pub fn can_serve(self, demand: &Demand) -> bool {
        match demand {
            Demand::Instructions(_) => self == Self::Instructions,
            Demand::Operations(_) => self == Self::Operations,
            Demand::Times(_) => true,
            Demand::Composite(job) => self == job.unit(),
        }
    }
}

/// A job before its submission.
#[derive(Clone, Debug, PartialEq)]
pub struct JobSpec {
    /// Submission time in ticks.
    pub arrival: Ticks,
    /// Number of the user who submits it.
    pub user: u32,
    /// Number of the application among those of the user.
    pub application: u32,
    /// The true amount of work.
    pub demand: Demand,
    /// Requested QoS level; 0 is none.
    pub qos: u32,
    /// Budget and deadline of its application, if it has any.
    pub contract: Option<ContractId>,
    /// The advance reservation it runs in, if any. Such a job bypasses the scheduler.
    pub reservation: Option<ReservationId>,
    /// Its input and output files, if any.
    pub data: Option<DataId>,
    /// The amount of work that schedulers assume, as a multiple of the true one.
    pub estimate: f64,
    /// A name for reports, if any.
    pub name: Option<Arc<String>>,
}

impl JobSpec {
    /// A job of user 0, without QoS, contract, reservation or data, and with an exact estimate.
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

/// Why the parameters describe no workload.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum WorkloadError {
    #[error("{what} is {value}, not a number >= 0")]
    Number { what: &'static str, value: f64 },
    #[error("uniform from {low} to {high}: the upper end is smaller")]
    Reversed { low: f64, high: f64 },
    #[error("shape is {value}, not a number above 0")]
    Shape { value: f64 },
    #[error("log-normal with {mu} and {sigma} is too large for a number")]
    LogNormal { mu: f64, sigma: f64 },
    #[error("the size of jobs is always 0 MI")]
    NoSize,
    #[error("number of {what} is 0")]
    None { what: &'static str },
    #[error("{count} users from number {first} on: user user numbers end at 4294967295")]
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

/// Checks that the number is finite and at least 0.
fn check_number(what: &'static str, value: f64) -> Result<(), WorkloadError> {
    let valid = value.is_finite() && value >= 0.0;
    if valid { Ok(()) } else { Err(WorkloadError::Number { what, value }) }
}
