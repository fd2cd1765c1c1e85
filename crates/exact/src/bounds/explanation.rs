//! Which hosts and tasks cause the linear bound, and how it would change with one more host.
//!
//! Weights that refute k also bound the instance with one more host like h that is ready at time 0:
//! the new host gets the weight of h, no task becomes cheaper where it is cheapest, and every tick
//! of k adds w_h to the right side. The resulting bound is computed in integers like any other. It
//! is a lower bound only: the best mapping with the extra host may be longer.

use std::collections::HashSet;

use super::reason::{first_not_refuted, without_dropping};
use super::{better, counting, linear};
use crate::reason::{LowerBound, Reason};
use gridsat_model::{HostId, Instance, InstanceParts, Stop, TaskId, Ticks};

/// At most this many kinds of hosts are tried as the extra host.
const MOST_KINDS: usize = 16;

/// Why the linear bound holds, in terms of hosts and tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The bound that is explained.
    pub bound: LowerBound,
    /// Hosts with their share of the total weight, largest first. A single host if the bound is its
    /// ready time; empty if the bound is a single task.
    pub hosts: Vec<(HostId, f64)>,
    /// Tasks with their share of the weighted work, largest first. A single task if no host
    /// completes it sooner than the bound; empty if the bound is a ready time.
    pub tasks: Vec<(TaskId, f64)>,
    /// One host of each kind, and a lower bound on the makespan with one more host like it that is
    /// ready at time 0. At most 16 kinds, those of most weight first.
    pub one_more: Vec<(HostId, Ticks)>,
}

impl Explanation {
    /// Explains the linear bound. If stopped early, the best bound found by then; kinds of hosts
    /// not yet tried are left out.
    pub fn new(instance: &Instance, stop: &Stop) -> Self {
        let linear = linear(instance, stop);
        let mut weights = linear.weights;
        let (mut hosts, mut tasks) = (Vec::new(), Vec::new());
        match linear.bound.reason() {
            Some(Reason::Ready { host, .. }) => hosts = vec![(HostId(*host), 1.0)],
            Some(Reason::LongestTask { task, .. }) => tasks = vec![(TaskId(*task), 1.0)],
            Some(Reason::Weights { k, weights: own }) => {
                weights.clone_from(own);
                hosts = shares(instance.hosts().zip(weights.iter().map(|&w| u128::from(w))));
                tasks = shares(costs(instance, &weights, *k));
            }
            _ => {}
        }
        let kinds = kinds(instance, &weights).into_iter();
        let one_more = kinds.filter_map(|host| {
            let bound = one_more(instance, &weights, host, stop)?;
            Some((host, bound))
        });
        Self { one_more: one_more.collect(), bound: linear.bound, hosts, tasks }
    }
}

/// The weighted time of each task on its cheapest host, among the hosts on which it can end by k.
fn costs<'a>(
    instance: &'a Instance,
    weights: &'a [u64],
    k: Ticks,
) -> impl Iterator<Item = (TaskId, u128)> + 'a {
    instance.tasks().map(move |task| {
        let fitting =
            instance.times(task).filter(move |&(host, time)| instance.ready(host) + time <= k);
        let costs =
            fitting.map(|(host, time)| u128::from(weights[host.index()]) * u128::from(time));
        (task, costs.min().unwrap_or(0))
    })
}

/// Each part as a share of the sum, largest first; parts of 0 are left out.
fn shares<T: Copy>(parts: impl Iterator<Item = (T, u128)>) -> Vec<(T, f64)> {
    let mut parts: Vec<(T, u128)> = parts.filter(|&(_, part)| part > 0).collect();
    parts.sort_by_key(|&(_, part)| std::cmp::Reverse(part));
    let sum: u128 = parts.iter().map(|&(_, part)| part).sum();
    parts.into_iter().map(|(of, part)| (of, part as f64 / sum as f64)).collect()
}

/// One host of each kind, most weight first. Hosts with the same times form one kind.
fn kinds(instance: &Instance, weights: &[u64]) -> Vec<HostId> {
    let mut hosts: Vec<HostId> = instance.hosts().collect();
    hosts.sort_by_key(|host| std::cmp::Reverse(weights[host.index()]));
    let mut seen = HashSet::new();
    let times = |host| instance.tasks().map(move |task| instance.time(task, host));
    hosts.retain(|&host| seen.len() < MOST_KINDS && seen.insert(Vec::from_iter(times(host))));
    hosts
}

/// A lower bound on the makespan with one more host like this one. `None` if the times of the
/// larger instance overflow, or when stopped.
fn one_more(instance: &Instance, weights: &[u64], like: HostId, stop: &Stop) -> Option<Ticks> {
    if stop.is_due() {
        return None;
    }
    let row = |task| {
        let own = instance.hosts().map(move |host| instance.time(task, host));
        own.chain([instance.time(task, like)]).collect()
    };
    let ready = instance.hosts().map(|host| instance.ready(host)).chain([Ticks(0)]);
    let larger = Instance::new(InstanceParts {
        etc: instance.tasks().map(row).collect(),
        ready: ready.collect(),
        scale: instance.scale(),
        ..InstanceParts::default()
    });
    let larger = larger.ok()?;
    let weights: Vec<u64> = weights.iter().copied().chain([weights[like.index()]]).collect();
    let start = without_dropping(&larger, &weights);
    let value = first_not_refuted(&larger, &weights, start, stop);
    let k = value.checked_sub(Ticks(1))?;
    let weighted = LowerBound::from(Reason::Weights { k, weights });
    Some(better(counting(&larger, stop), weighted).value())
}
