//! Schedulers: where jobs are sent, and when that is decided.
//!
//! A scheduler keeps the jobs sent to it until its [`Mode`] triggers a decision. It then shows its
//! [`Mapper`] a read-only [`View`] and sends the jobs where the mapper says. Its targets are
//! resources or other schedulers: one scheduler over everything is a central organisation, one over
//! site schedulers is hierarchical, and several over the same resources compete.

mod broker;
mod by_heuristic;
mod fixed;
mod mapper;
mod onto_free;
mod passing;
mod plain_jobs;
mod proofs;
mod rescheduling;
mod site_model;
mod sorted;
mod view;
mod waiting;
mod waits;

pub use broker::{Broker, Optimise};
pub use by_heuristic::{ByHeuristic, OneByOne, instance};
pub use fixed::Fixed;
pub use mapper::{Assignment, JobIndex, Mapper, MapperError};
pub use onto_free::OntoFree;
pub(super) use passing::Burden;
pub use passing::Passing;
pub use proofs::Proofs;
pub(super) use rescheduling::Rounds;
pub use rescheduling::{Migration, Reconsider, Rescheduling};
pub use sorted::Sorted;
pub use view::{HostView, View};
pub(super) use waits::Pacing;
pub use waits::{Adapt, Waits};

use super::SimError;
use super::estimate::Estimator;
use super::grid::ResourceId;
use gridsat_engine::{EventId, Id, Table};
use gridsat_model::{HostId, Ticks};
use waiting::Waiting;

gridsat_engine::id! {
    /// Identifies a scheduler, numbered from 0.
    SchedulerId
}

/// When a scheduler decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Whenever a job arrives.
    OnLine,
    /// Every this many ticks, for all jobs that have arrived.
    Batch(Ticks),
    /// When this many jobs have arrived, and when no more can arrive.
    Count(usize),
    /// Every this many ticks, but only until every target is busy until the next decision (thesis,
    /// section 4.3).
    TimeLimit(Ticks),
    /// When a job arrives or completes, and only to targets that are free; jobs queue at the
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

    /// Ticks between decisions, in modes that have a period.
    pub fn period(self) -> Option<Ticks> {
        match self {
            Self::Batch(wait) | Self::TimeLimit(wait) => Some(wait),
            Self::OnLine | Self::Count(_) | Self::WhenFree => None,
        }
    }

    /// Time limit in ticks: nothing more is assigned when no target is free within it.
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
    /// A resource, which runs them.
    Resource(ResourceId),
    /// Another scheduler, which maps them.
    Scheduler(SchedulerId),
}

/// What a scheduler does beside deciding in its mode. Nothing by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conduct {
    /// Decides at other times than every period, in modes that have one.
    pub waits: Option<Waits>,
    /// Reconsiders jobs that it has sent.
    pub rescheduling: Option<Rescheduling>,
    /// Passes jobs to other schedulers, or takes theirs.
    pub passing: Option<Passing>,
}

impl Conduct {
    /// Whether it needs the current state of resources or of other schedulers.
    pub fn needs_current(&self) -> bool {
        let looks = |waits: &Waits| waits.early || waits.adapt == Some(Adapt::Dry);
        let Self { waits, rescheduling, passing } = self;
        waits.as_ref().is_some_and(looks) || rescheduling.is_some() || passing.is_some()
    }
}

/// Description of a scheduler.
pub struct SchedulerSpec {
    /// Name for reports.
    pub name: String,
    /// Id of its policy in reports, such as `tlmm`.
    pub policy: String,
    /// When it decides.
    pub mode: Mode,
    /// Decides which waiting jobs go to which target.
    pub mapper: Box<dyn Mapper>,
    /// How it estimates completion times.
    pub estimator: Estimator,
    /// Where it can send jobs. Schedulers among them must have higher numbers than this one, so
    /// that there are no cycles.
    pub targets: Vec<Target>,
    /// What it does beside deciding in its mode.
    pub conduct: Conduct,
}

impl SchedulerSpec {
    /// A scheduler that maps jobs on line onto these resources, named after its mapper.
    pub fn new(mapper: Box<dyn Mapper>, resources: impl IntoIterator<Item = ResourceId>) -> Self {
        Self {
            name: mapper.name(),
            policy: mapper.name(),
            mode: Mode::OnLine,
            mapper,
            estimator: Estimator::Auto,
            targets: resources.into_iter().map(Target::Resource).collect(),
            conduct: Conduct::default(),
        }
    }
}

/// Schedulers and their mappers, separate because a mapper reads all schedulers while it decides.
type All = (Table<SchedulerId, Scheduler>, Table<SchedulerId, Box<dyn Mapper>>);

/// Targets, and the resources that jobs can reach through them.
type Known = (Table<HostId, Target>, Vec<ResourceId>);

/// A scheduler during a simulation.
pub(super) struct Scheduler {
    pub(super) name: String,
    pub(super) mode: Mode,
    pub(super) estimator: Estimator,
    pub(super) targets: Table<HostId, Target>,
    /// Whether its targets are resource 0, resource 1 and so on.
    are_targets_in_order: bool,
    /// How often its targets were set anew.
    known: u64,
    /// Resources its jobs can reach.
    pub(super) reach: Vec<ResourceId>,
    /// Jobs below this QoS level can run on one of all its resources if they need no more than
    /// instructions.
    pub(super) levels: u32,
    /// Targets and resources including those not known yet, if there are any.
    all: Option<Box<Known>>,
    pub(super) waiting: Waiting,
    /// The event of its next decision.
    pub(super) activation: Option<EventId>,
    /// Other times of decisions, if any.
    pub(super) pacing: Option<Box<Pacing>>,
    /// How it reconsiders jobs that it has sent, if it does.
    pub(super) rounds: Option<Box<Rounds>>,
    /// How it passes jobs on, if it does.
    pub(super) passing: Option<Box<Passing>>,
    /// Number of jobs that peers have passed to it and that are on their way.
    pub(super) coming: u32,
    /// Whether it needs the current state of resources or of other schedulers.
    pub(super) needs_current: bool,
}

impl Scheduler {
    /// Creates the schedulers and their mappers.
    pub(super) fn all(specs: Vec<SchedulerSpec>) -> Result<All, SimError> {
        let mut all: Vec<(Self, Box<dyn Mapper>)> = Vec::with_capacity(specs.len());
        // From last to first, because what a scheduler reaches depends on later schedulers.
        let count = specs.len();
        for (number, spec) in specs.into_iter().enumerate().rev() {
            let SchedulerSpec { name, mode, mapper, estimator, targets, conduct, .. } = spec;
            let needs_current = conduct.needs_current();
            let is_wrong = |peer: &SchedulerId| peer.index() == number || peer.index() >= count;
            if conduct.passing.iter().flat_map(|passing| &passing.peers).any(is_wrong) {
                return Err(SimError::Peer(name));
            }
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
                are_targets_in_order: are_in_order(&targets),
                known: 0,
                targets: targets.into(),
                reach,
                levels: 0,
                all: None,
                waiting: Waiting::default(),
                activation: None,
                pacing: conduct
                    .waits
                    .zip(mode.period())
                    .map(|(waits, wait)| Box::new(Pacing::new(waits, wait))),
                rounds: conduct.rescheduling.map(|spec| Box::new(Rounds { spec, event: None })),
                passing: conduct.passing.map(Box::new),
                coming: 0,
                needs_current,
            };
            all.push((scheduler, mapper));
        }
        let (schedulers, mappers): (Vec<_>, Vec<_>) = all.into_iter().rev().unzip();
        Ok((schedulers.into(), mappers.into()))
    }

    /// Whether its targets are all `count` resources of the grid, in order.
    pub(super) fn sees_all(&self, count: usize) -> bool {
        self.are_targets_in_order && self.targets.len() == count
    }

    /// Resources its jobs can reach, including those not known yet.
    pub(super) fn ever_reached(&self) -> &[ResourceId] {
        self.all.as_deref().map_or(&self.reach, |(_, reach)| reach)
    }

    /// Sets the resources that are known from now on.
    pub(super) fn know(&mut self, is_known: impl Fn(ResourceId) -> bool) {
        let known = (std::mem::take(&mut self.targets), std::mem::take(&mut self.reach));
        let all = self.all.take().unwrap_or_else(|| Box::new(known));
        let is_target = |target: &Target| match *target {
            Target::Resource(id) => is_known(id),
            Target::Scheduler(_) => true,
        };
        let targets: Vec<Target> = all.0.iter().copied().filter(is_target).collect();
        self.are_targets_in_order = are_in_order(&targets);
        self.known += 1;
        self.targets = targets.into();
        self.reach = all.1.iter().copied().filter(|&id| is_known(id)).collect();
        self.all = (self.reach.len() < all.1.len()).then_some(all);
    }
}

/// Whether the targets are resource 0, resource 1 and so on.
fn are_in_order(targets: &[Target]) -> bool {
    let is_in_order = |(place, &target)| target == Target::Resource(ResourceId::at(place));
    targets.iter().enumerate().all(is_in_order)
}
