//! Replay of a mapping in the simulator: it must reproduce the makespan exactly on dedicated hosts,
//! and shows how the makespan changes under worse conditions.
//!
//! Each host becomes a resource of one PE, each task a job whose time there is its ETC; a scheduler
//! sends every job to the host of its mapping. On dedicated, space-shared hosts and with the ticks
//! of the instance, the last job of a host ends exactly at `ready + Σ times`. This is checked on
//! every call, so that simulator and arithmetic confirm each other.
//!
//! Jobs of a host arrive at its ready time. Flow times nevertheless count from time 0, when the
//! tasks were mapped.
//!
//! The other conditions use ticks with up to nine more decimals, so that rounding is negligible.
//! Loads and errors depend only on seed, host and task: they are the same for all mappings.
//!
//! Schedulers that react are not modelled here: a mapping is fixed before the first task runs.

use thiserror::Error;

use gridsat_grid::allocation::{AllocationPolicy, Pes};
use gridsat_grid::load::{Average, EvenInLimit, LocalLoad, Randomiser};
use gridsat_grid::{
    Fixed, GridEvents, JobRecord, Mode, Observer, ResourceId, ResourceSpec, Setup, SimError,
    simulate,
};
use gridsat_model::{HostId, Instance, Mapping, Scale, TaskId, Ticks};
use gridsat_workload::{Demand, EstimateError, JobSpec, WorkloadError, list};

/// Average local load under [`Condition::Loaded`], in percent.
pub const LOAD: u8 = 50;
/// Largest difference of a load from the average, in points.
pub const SPREAD: u8 = 20;
/// Number of changes of load during the reference makespan.
pub const CHANGES: u64 = 20;
/// True times under [`Condition::Misjudged`] are uniform within this fraction of the ETC.
pub const ERROR: f64 = 0.1;

/// Bound on the factor by which times grow: at most 100 / (100 - 70) by loads or 1.1 by errors,
/// never both.
const STRETCH: u128 = 4;
const EXTRA_DECIMALS: u32 = 9;

/// Conditions on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Dedicated hosts, as the mapping assumes.
    Dedicated,
    /// Hosts run all their tasks at the same time, with equal shares.
    Shared,
    /// The owners use [`LOAD`] ± [`SPREAD`] percent of each host, uniformly and drawn again at
    /// intervals.
    Loaded {
        /// Seed of the loads.
        seed: u64,
    },
    /// Tasks take up to [`ERROR`] more or less than estimated.
    Misjudged {
        /// Seed of the errors.
        seed: u64,
    },
}

/// Results of a replay, in ticks of the instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replayed {
    /// Time at which the last host finished.
    pub makespan: f64,
    /// Mean over the tasks of their completion times.
    pub mean_flow: f64,
}

/// Why a replay failed.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum ReplayError {
    #[error("in the replay, host '{host}' is done after {found} ticks, but its load is {expected}")]
    Differs { host: String, found: Ticks, expected: Ticks },
    #[error("replay: {0}")]
    Workload(#[from] WorkloadError),
    #[error("replay: {0}")]
    Sim(#[from] SimError),
}

/// An instance whose mappings are replayed.
pub struct Replay<'a> {
    instance: &'a Instance,
    reference: Ticks,
}

impl<'a> Replay<'a> {
    /// `reference` is a makespan that determines the interval between changes of load; it must be
    /// the same for all mappings that are compared.
    pub fn new(instance: &'a Instance, reference: Ticks) -> Self {
        Self { instance, reference }
    }

    /// Runs the mapping to its end.
    pub fn run(&self, mapping: &Mapping, condition: Condition) -> Result<Replayed, ReplayError> {
        let finer = match condition {
            Condition::Dedicated => 1,
            _ => finer(self.instance.scale(), mapping.makespan().max(self.reference)),
        };
        let play = Play { replay: self, mapping, condition, finer };
        let mut ends =
            Ends { hosts: self.instance.hosts().map(|host| play.ready(host)).collect(), total: 0 };
        simulate(play.setup()?, &mut ends)?;
        if condition == Condition::Dedicated {
            self.check(mapping, &ends.hosts)?;
        }
        let last = ends.hosts.iter().copied().max().unwrap_or(Ticks(0));
        let tasks = self.instance.task_count() as f64;
        Ok(Replayed {
            makespan: last.as_f64() / finer as f64,
            mean_flow: ends.total as f64 / finer as f64 / tasks,
        })
    }

    fn check(&self, mapping: &Mapping, ends: &[Ticks]) -> Result<(), ReplayError> {
        let both = ends.iter().zip(mapping.loads());
        for (host, (&found, &expected)) in self.instance.hosts().zip(both) {
            if found != expected {
                let host = self.instance.host_name(host).to_owned();
                return Err(ReplayError::Differs { host, found, expected });
            }
        }
        Ok(())
    }
}

/// Number of finer ticks per tick of the instance: as many as cannot overflow.
fn finer(scale: Scale, makespan: Ticks) -> u64 {
    let decimals = EXTRA_DECIMALS.min(Scale::MAX_DECIMALS - scale.decimals());
    let factors = (0..=decimals).rev().map(|decimals| 10_u64.pow(decimals));
    let fits = |factor: &u64| {
        let last = u128::from(makespan) * STRETCH * u128::from(*factor);
        last <= u128::from(Instance::MAX_TOTAL) && scale.finer(*factor).is_some()
    };
    let mut factors = factors.filter(fits);
    factors.next().unwrap_or(1)
}

/// One mapping under one condition.
struct Play<'a> {
    replay: &'a Replay<'a>,
    mapping: &'a Mapping,
    condition: Condition,
    finer: u64,
}

impl Play<'_> {
    fn setup(&self) -> Result<Setup, ReplayError> {
        let instance = self.replay.instance;
        let seed = match self.condition {
            Condition::Loaded { seed } | Condition::Misjudged { seed } => seed,
            Condition::Dedicated | Condition::Shared => 0,
        };
        let jobs = list(self.jobs(seed)?)?;
        let host_of = |job: &JobSpec| ResourceId(self.mapping.host(TaskId(job.application)).0);
        let mapper = Fixed(jobs.as_slice().iter().map(host_of).collect());
        let resources: Vec<_> = instance.hosts().map(|host| self.resource(host)).collect();
        let scale = match instance.scale().parts() {
            1 => Scale::new(instance.scale().decimals() + self.finer.ilog10()),
            _ => instance.scale().finer(self.finer),
        };
        let scale = scale.expect("made so that it fits");
        let mut setup = Setup { scale, seed, ..Setup::new(resources, mapper, jobs) };
        // All jobs that arrive together are sent at once.
        setup.schedulers[0].mode = Mode::Batch(Ticks(1));
        Ok(setup)
    }

    fn ready(&self, host: HostId) -> Ticks {
        self.replay.instance.ready(host) * self.finer
    }

    fn resource(&self, host: HostId) -> ResourceSpec {
        let policy = match self.condition {
            Condition::Shared => AllocationPolicy::Equal,
            _ => AllocationPolicy::SpaceShared,
        };
        let name = self.replay.instance.host_name(host);
        let pes = Pes::new(&[(1, 1.0)]).expect("one PE of one MIPS");
        let spec = ResourceSpec::new(name, pes);
        ResourceSpec { machine: host.0, policy, load: self.load(), ..spec }
    }

    fn load(&self) -> LocalLoad {
        let (average, randomiser) = match self.condition {
            Condition::Loaded { .. } => {
                let even = EvenInLimit::new(SPREAD).expect("narrow enough");
                (LOAD, Some(Randomiser::EvenInLimit(even)))
            }
            _ => (0, None),
        };
        let period = (self.replay.reference * self.finer / CHANGES).max(Ticks(1));
        LocalLoad::new(Average::Constant(average), randomiser, Some(period)).expect("a valid load")
    }

    /// Errors are drawn in task order, regardless of arrivals.
    fn jobs(&self, seed: u64) -> Result<Vec<JobSpec>, ReplayError> {
        let error = match self.condition {
            Condition::Misjudged { .. } => EstimateError::GridSim { less: ERROR, more: ERROR },
            _ => EstimateError::None,
        };
        let jobs = self.replay.instance.tasks().map(|task| self.job(task));
        Ok(error.over(jobs, seed, 0)?.collect())
    }

    fn job(&self, task: TaskId) -> JobSpec {
        let instance = self.replay.instance;
        let host = self.mapping.host(task);
        let time = instance.time(task, host).expect("a mapping uses possible pairs only");
        let mut times = vec![None; instance.host_count()];
        times[host.index()] = Some(time * self.finer);
        let demand = Demand::Times(times.into());
        JobSpec { application: task.0, ..JobSpec::new(self.ready(host), demand) }
    }
}

/// Completion time of each host, and the sum of those of the tasks.
struct Ends {
    hosts: Vec<Ticks>,
    total: u128,
}

impl Observer<GridEvents> for Ends {
    fn left(&mut self, job: &JobRecord) {
        let (resource, _) = job.sent.expect("every job is sent when it arrives");
        let end = &mut self.hosts[resource.index()];
        *end = (*end).max(job.end.0);
        self.total += u128::from(job.end.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finer_clock_has_all_decimals_that_fit() {
        let scale = |decimals| Scale::new(decimals).expect("at most 18");
        assert_eq!(finer(scale(0), Ticks(1_000_000)), 1_000_000_000);
        assert_eq!(finer(scale(12), Ticks(1000)), 1_000_000);
        assert_eq!(finer(scale(0), Ticks(1 << 50)), 1000);
        assert_eq!(finer(scale(0), Instance::MAX_TOTAL), 1);
        let parts = |parts| Scale::of_parts(parts).expect("few");
        assert_eq!(finer(parts(3), Ticks(1_000_000)), 1_000_000_000);
        assert_eq!(finer(parts(3_000_000_000), Ticks(1_000_000)), 100_000_000);
    }
}
