//! Schedulers: who decides where jobs run, and when they decide.
//!
//! A scheduler keeps the jobs sent to it until its [`Mode`] says it is time, shows its [`Mapper`] a
//! read-only [`View`] and sends the jobs where the mapper says. Its targets are resources, or other
//! schedulers: one scheduler over everything is central organisation, one over site schedulers is
//! hierarchical, several over the same resources compete.

mod broker;
mod by_heuristic;
mod fixed;
mod mapper;
mod onto_free;
mod site_model;
mod sorted;
mod view;
mod waiting;

pub use broker::{Broker, Optimise};
pub use by_heuristic::{ByHeuristic, OneByOne, instance};
pub use fixed::Fixed;
pub use mapper::{Assignment, JobIndex, Mapper, MapperError};
pub use onto_free::OntoFree;
pub use sorted::Sorted;
pub use view::{HostView, View};

use super::SimError;
use super::estimate::Estimator;
use super::grid::ResourceId;
use gridsat_engine::{EventId, Table};
use gridsat_model::{HostId, Ticks};
use waiting::Waiting;

gridsat_engine::id! {
    /// A scheduler, numbered from 0.
    SchedulerId
}

/// When a scheduler decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// At once, whenever a job arrives.
    OnLine,
    /// Every this many ticks, for all jobs that arrived.
    Batch(Ticks),
    /// When this many jobs have arrived, and when no more can come.
    Count(usize),
    /// Every this many ticks, but only until every target has enough to do until the next time
    /// (thesis, 4.3).
    TimeLimit(Ticks),
    /// When a job arrives or completes, and only to targets that are free: jobs queue at the
    /// scheduler.
    WhenFree,
}

impl Mode {
    /// The name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Self::OnLine => "on-line",
            Self::Batch(_) => "batch",
            Self::Count(_) => "count",
            Self::TimeLimit(_) => "time-limit",
            Self::WhenFree => "when-free",
        }
    }

    /// Ticks between decisions.
    pub fn period(self) -> Option<Ticks> {
        match self {
            Self::Batch(wait) | Self::TimeLimit(wait) => Some(wait),
            Self::OnLine | Self::Count(_) | Self::WhenFree => None,
        }
    }

    /// Nothing more is assigned when no target is free within this many ticks.
    pub fn until(self) -> Option<Ticks> {
        match self {
            Self::TimeLimit(wait) => Some(wait),
            Self::WhenFree => Some(Ticks(0)),
            Self::OnLine | Self::Batch(_) | Self::Count(_) => None,
        }
    }
}

/// Where a scheduler can send jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To be run.
    Resource(ResourceId),
    /// To be decided on.
    Scheduler(SchedulerId),
}

/// A scheduler as described.
pub struct SchedulerSpec {
    /// For reports.
    pub name: String,
    /// When it decides.
    pub mode: Mode,
    /// How.
    pub mapper: Box<dyn Mapper>,
    /// On what estimates.
    pub estimator: Estimator,
    /// Among what. Schedulers here have higher numbers than this one, so that there are no circles.
    pub targets: Vec<Target>,
}

impl SchedulerSpec {
    /// Decides on line among these resources, and is called as its mapper is.
    pub fn new(mapper: Box<dyn Mapper>, resources: impl IntoIterator<Item = ResourceId>) -> Self {
        Self {
            name: mapper.name(),
            mode: Mode::OnLine,
            mapper,
            estimator: Estimator::Auto,
            targets: resources.into_iter().map(Target::Resource).collect(),
        }
    }
}

/// Schedulers and their mappers. Apart, as a mapper looks at all schedulers while it decides.
type All = (Table<SchedulerId, Scheduler>, Table<SchedulerId, Box<dyn Mapper>>);

/// Targets, and the resources that jobs can end up on through them.
type Known = (Table<HostId, Target>, Vec<ResourceId>);

/// A scheduler at work.
pub(super) struct Scheduler {
    pub(super) name: String,
    pub(super) mode: Mode,
    pub(super) estimator: Estimator,
    pub(super) targets: Table<HostId, Target>,
    /// Resources its jobs can end up on.
    pub(super) reach: Vec<ResourceId>,
    /// Both with what it does not know of yet, if there is any.
    all: Option<Box<Known>>,
    pub(super) waiting: Waiting,
    /// The next time it decides.
    pub(super) activation: Option<EventId>,
}

impl Scheduler {
    /// Schedulers at work and their mappers.
    pub(super) fn all(specs: Vec<SchedulerSpec>) -> Result<All, SimError> {
        let mut all: Vec<(Self, Box<dyn Mapper>)> = Vec::with_capacity(specs.len());
        // Backwards, as what a scheduler reaches rests on those after it.
        for (number, spec) in specs.into_iter().enumerate().rev() {
            let SchedulerSpec { name, mode, mapper, estimator, targets } = spec;
            let mut reach = Vec::new();
            for &target in &targets {
                match target {
                    Target::Resource(id) => reach.push(id),
                    Target::Scheduler(id) => {
                        let after = id.index().checked_sub(number + 1);
                        let found = after.and_then(|after| all.len().checked_sub(after + 1));
                        let Some(position) = found else { return Err(SimError::Circle(name)) };
                        reach.extend(&all[position].0.reach);
                    }
                }
            }
            let scheduler = Self {
                name,
                mode,
                estimator,
                targets: targets.into(),
                reach,
                all: None,
                waiting: Waiting::default(),
                activation: None,
            };
            all.push((scheduler, mapper));
        }
        let (schedulers, mappers): (Vec<_>, Vec<_>) = all.into_iter().rev().unzip();
        Ok((schedulers.into(), mappers.into()))
    }

    /// Resources its jobs can end up on some day.
    pub(super) fn ever_reached(&self) -> &[ResourceId] {
        self.all.as_deref().map_or(&self.reach, |(_, reach)| reach)
    }

    /// These resources are known from now on, and no others.
    pub(super) fn know(&mut self, is_known: impl Fn(ResourceId) -> bool) {
        let known = (std::mem::take(&mut self.targets), std::mem::take(&mut self.reach));
        let all = self.all.take().unwrap_or_else(|| Box::new(known));
        let is_target = |target: &Target| match *target {
            Target::Resource(id) => is_known(id),
            Target::Scheduler(_) => true,
        };
        self.targets = all.0.iter().copied().filter(is_target).collect();
        self.reach = all.1.iter().copied().filter(|&id| is_known(id)).collect();
        self.all = (self.reach.len() < all.1.len()).then_some(all);
    }
}
