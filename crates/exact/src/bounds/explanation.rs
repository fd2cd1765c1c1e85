//! What carries the linear bound, and what one more host could change about it.
//!
//! Weights that refute k for an instance also say something about the instance with one more host
//! like h, free from the start: the new host gets the weight of h, tasks cost no less than before
//! where they are cheapest, and every tick gives w_h more room. What that proves is computed in
//! integers like any other bound. It says what no mapping onto the hosts and the new one can beat;
//! what the best one reaches is another question.

use std::collections::HashSet;

use super::reason::{first_not_refuted, without_dropping};
use super::{better, counting, linear};
use crate::reason::{LowerBound, Reason};
use gridsat_model::{HostId, Instance, InstanceParts, Stop, TaskId, Ticks};

/// Kinds of hosts of which one more is looked at.
const MOST_KINDS: usize = 16;

/// Why the linear bound holds, in terms of hosts and tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The bound.
    pub bound: LowerBound,
    /// Hosts with their share of all weight, largest first. One host alone if it is ready only
    /// then; none if the bound is a single task.
    pub hosts: Vec<(HostId, f64)>,
    /// Tasks with their share of the weighted work, largest first. One task alone if no host
    /// completes it sooner; none if the bound is a ready time.
    pub tasks: Vec<(TaskId, f64)>,
    /// A host of each kind, and what no mapping is below if there were one more like it, free from
    /// the start. Kinds of most weight, at most 16.
    pub one_more: Vec<(HostId, Ticks)>,
}

impl Explanation {
    /// Of the linear bound. Stopped, of the best found by then; kinds that are left are left out.
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

/// What each task costs where it is cheapest among the hosts it can end on by k.
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

/// Parts of their sum, largest first; what is nothing is left out.
fn shares<T: Copy>(parts: impl Iterator<Item = (T, u128)>) -> Vec<(T, f64)> {
    let mut parts: Vec<(T, u128)> = parts.filter(|&(_, part)| part > 0).collect();
    parts.sort_by_key(|&(_, part)| std::cmp::Reverse(part));
    let sum: u128 = parts.iter().map(|&(_, part)| part).sum();
    parts.into_iter().map(|(of, part)| (of, part as f64 / sum as f64)).collect()
}

/// One host of each kind, of most weight first. Hosts with the same times are of one kind.
fn kinds(instance: &Instance, weights: &[u64]) -> Vec<HostId> {
    let mut hosts: Vec<HostId> = instance.hosts().collect();
    hosts.sort_by_key(|host| std::cmp::Reverse(weights[host.index()]));
    let mut seen = HashSet::new();
    let times = |host| instance.tasks().map(move |task| instance.time(task, host));
    hosts.retain(|&host| seen.len() < MOST_KINDS && seen.insert(Vec::from_iter(times(host))));
    hosts
}

/// What no mapping is below with one more host like this one. `None` if the larger instance has
/// times too large, or when stopped.
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
