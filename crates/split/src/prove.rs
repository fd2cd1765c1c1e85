//! Hands a packing to the search: it certifies the packing, or finds a better one within a fixed
//! amount of work.

use gridsat_exact::solve::{Solution, Solver};
use gridsat_exact::strategy::Options;
use gridsat_model::{HostId, Instance, InstanceParts, Mapping, Stop, Ticks, io};

use crate::problem::{Problem, SplitError};
use crate::{Runner, pack};

/// Turns of each method of the search.
const ROUNDS: usize = 40;

/// Gaps that are not worth the search with more pairs of task and shard than this: measured times
/// are never that exact.
const NEAR: [(usize, f64); 3] = [(1_000_000, 1e-5), (2_000, 1e-6), (0, 0.0)];

/// Checks of the stop until the search ends: some seconds at most.
const CHECKS: u64 = 30_000;

/// The instance of equal shards.
pub fn equal(problem: &Problem, shards: usize) -> Result<Instance, SplitError> {
    let names = (1..=shards).map(|shard| format!("shard-{shard}")).collect();
    let parts = parts(problem, names, |ticks| vec![Some(Ticks(ticks))]);
    Ok(Instance::with_equal_hosts(parts, shards)?)
}

/// The instance of unequal runners: time / speed, rounded up to a tick.
pub fn unequal(problem: &Problem, runners: &[Runner]) -> Result<Instance, SplitError> {
    let names = runners.iter().map(|runner| runner.name.clone()).collect();
    let on = |ticks: u64, runner: &Runner| {
        let ticks = (u128::from(ticks) * 1000).div_ceil(u128::from(runner.speed));
        Some(Ticks(u64::try_from(ticks).unwrap_or(u64::MAX)))
    };
    let (tasks, shards) = (problem.items.len(), runners.len());
    if tasks.checked_mul(shards).is_none_or(|pairs| pairs > io::MAX_TIMES) {
        return Err(SplitError::TooMany { tasks, shards, most: io::MAX_TIMES });
    }
    let row = |ticks| runners.iter().map(|runner| on(ticks, runner)).collect();
    Ok(Instance::new(parts(problem, names, row))?)
}

fn parts(
    problem: &Problem,
    hosts: Vec<String>,
    row: impl Fn(u64) -> Vec<Option<Ticks>>,
) -> InstanceParts {
    InstanceParts {
        name: "split".to_owned(),
        etc: problem.items.iter().map(|item| row(item.ticks)).collect(),
        ready: vec![Ticks(problem.overhead); hosts.len()],
        hosts,
        scale: problem.scale,
        ..InstanceParts::default()
    }
}

fn mapping(instance: &Instance, place: &[usize]) -> Result<Mapping, SplitError> {
    let hosts = place.iter().map(|&shard| HostId(shard as u32)).collect();
    Ok(Mapping::new(instance, hosts).map_err(gridsat_exact::solve::SolveError::from)?)
}

/// A lower bound that counting gives, with its certificate. Which mapping it goes with does not
/// matter.
pub fn bound(instance: &Instance) -> Result<Solution, SplitError> {
    let any = mapping(instance, &vec![0; instance.task_count()])?;
    Ok(Solver::new().stop(Stop::after(0)).judge(any).solve(instance)?)
}

/// The best mapping that is found from this one, and what is proven about it.
pub fn solve(instance: &Instance, place: &[usize]) -> Result<Solution, SplitError> {
    let start = mapping(instance, place)?;
    let pairs = instance.task_count().saturating_mul(instance.host_count());
    let gap = NEAR.iter().find(|(most, _)| pairs > *most).map_or(0.0, |(_, gap)| *gap);
    let options = Options { rounds: Some(ROUNDS), gap, ..Options::default() };
    let mut solver = Solver::with(options).stop(Stop::after(CHECKS)).start_from(start);
    Ok(solver.solve(instance)?)
}

/// Longest first, each where it ends soonest.
pub fn longest_first(instance: &Instance, times: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by_key(|&item| (std::cmp::Reverse(times[item]), item));
    let mut loads: Vec<Ticks> = instance.hosts().map(|host| instance.ready(host)).collect();
    let mut place = vec![0; times.len()];
    for item in order {
        let times = instance.times(gridsat_model::TaskId(item as u32));
        let ends = times.map(|(host, time)| (loads[host.index()] + time, host.index()));
        let Some((end, host)) = ends.min() else { continue };
        (loads[host], place[item]) = (end, host);
    }
    place
}

/// The packing into equal shards.
pub fn packed(problem: &Problem, shards: usize) -> Vec<usize> {
    pack::pack(&problem.times(), shards)
}
