//! Equal hosts (P||Cmax), and hosts that differ in speed and ready time only (Q||Cmax): bounds by
//! counting and by sums, and packings by subset sums.
//!
//! A task has a work, and a host has room for some work until k: equal hosts have equal rooms,
//! faster ones larger ones. A bound by counting, of parts of equal hosts ([`parts`]) or of all work
//! ([`loads`]), is mostly the optimum, and a packing that reaches it is what is missing. It is
//! sought in this order:
//!
//! * longest task first, to the host that is done first ([`lpt()`]);
//! * the same, but a task that fills the host exactly goes with it ([`fill_up()`]);
//! * host after host, each filled by a subset of the tasks left ([`pack()`]);
//! * two hosts of the best packing at a time, divided again ([`pairs`]);
//! * host after host in all ways that matter, guided by a linear program ([`fillings`]). This also
//!   proves that there is no packing.
//!
//! Not here: the methods for all instances, which take over where this does not close the gap.

mod complete;
mod fill_up;
mod fillings;
mod halves;
mod loads;
mod lpt;
mod pack;
mod packer;
mod packing;
mod pairs;
mod parts;
mod repack;
mod rooms;
mod sums;

pub(crate) use fillings::{Answer, Effort, Fillings};
pub(crate) use packer::Packer;
pub(crate) use packing::Packing;

use std::cmp::Reverse;

use crate::bounds;
use crate::reason::{LowerBound, Reason};
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks, Works};
use rooms::Rooms;

/// From this many pairs on, steps of certificates must not look at each of them.
const MANY_PAIRS: usize = 10_000_000;

/// With more pairs of tasks and classes of hosts than this, classes are of no use.
const MOST_PAIRS: usize = 50_000_000;

/// Pairs of tasks and hosts that are compared before all are.
const FIRST_TASKS: usize = 16;

/// Ticks by which bounds may differ are those of rounding if a task takes a million times as long.
const SMALL: u64 = 1_000_000;

/// An instance whose hosts are equal or differ in speed and ready time only.
#[derive(Clone, Debug)]
pub(crate) struct Alike {
    /// Tasks that take time, longest first; of equal ones the lowest number first.
    tasks: Vec<TaskId>,
    /// Their works: times in a unit of their own, the same on all hosts.
    times: Vec<u64>,
    /// Hosts in classes of equal ones.
    classes: Vec<HostClass>,
    hosts: usize,
    /// By so much a load can be longer than its work says, because times are rounded.
    rounding: Ticks,
}

/// Equal hosts.
#[derive(Clone, Debug)]
struct HostClass {
    hosts: Vec<HostId>,
    /// When they become free.
    ready: Ticks,
    /// This work takes this time.
    rate: (u64, Ticks),
}

impl HostClass {
    /// The work that a host can do until k; `None` if it is ready only after k.
    fn room(&self, k: Ticks) -> Option<u64> {
        let (work, time) = (u128::from(self.rate.0), u128::from(self.rate.1));
        let room = u128::from(k.checked_sub(self.ready)?) * work / time;
        Some(u64::try_from(room).unwrap_or(u64::MAX))
    }

    /// When a host with this work is done.
    fn end(&self, load: u64) -> Ticks {
        let (work, time) = (u128::from(self.rate.0), u128::from(self.rate.1));
        let busy = (u128::from(load) * time).div_ceil(work);
        self.ready.saturating_add(Ticks::try_from(busy).unwrap_or(Ticks::MAX))
    }
}

impl Alike {
    /// The instance, if there is more than one host and they are alike.
    pub fn of(instance: &Instance) -> Option<Self> {
        if instance.host_count() == 1 || !seem_alike(instance) {
            return None;
        }
        let works = Works::of(instance)?;
        // On equal hosts times need no other unit, and all bounds are in ticks.
        let is_equal = instance.has_equal_hosts();
        let class = |hosts: Vec<HostId>| {
            let rate = if is_equal { (1, Ticks(1)) } else { works.rate(instance, hosts[0]) };
            HostClass { ready: instance.ready(hosts[0]), hosts, rate }
        };
        let classes: Vec<HostClass> = instance.host_classes().into_iter().map(class).collect();
        if classes.len() > 1 && instance.task_count() * classes.len() > MOST_PAIRS {
            return None;
        }
        let rounding = match is_equal {
            true => Ticks::ZERO,
            false => rounding(instance, &works, &classes)?,
        };
        let pair = |task: TaskId| match is_equal {
            true => (instance.time(task, HostId(0)).unwrap_or_default().0, task),
            false => (works.of_task[task.index()], task),
        };
        let mut pairs: Vec<(u64, TaskId)> = instance.tasks().map(pair).collect();
        pairs.retain(|&(time, _)| time > 0);
        pairs.sort_by_key(|&(time, _)| Reverse(time));
        let (times, tasks) = pairs.into_iter().unzip();
        Some(Self { tasks, times, classes, hosts: instance.host_count(), rounding })
    }

    /// Whether all hosts are equal, ready times included.
    pub fn has_equal_hosts(&self) -> bool {
        self.classes.len() == 1
    }

    /// By so much a load can be longer than its work says, because times are rounded.
    pub fn rounding(&self) -> Ticks {
        self.rounding
    }

    /// A lower bound by counting. `upper` is the makespan of a mapping.
    pub fn bound(&self, instance: &Instance, upper: Ticks, stop: &Stop) -> LowerBound {
        match self.classes.as_slice() {
            [class] => self.bound_by_parts(class, upper, stop),
            _ if loads::suits(self, upper) => loads::bound(self, instance, upper, stop),
            _ => {
                let (weights, others) =
                    (bounds::by_speeds(instance, stop), bounds::counting(instance, stop));
                if weights.value() >= others.value() { weights } else { others }
            }
        }
    }

    /// The best bound by parts of equal hosts.
    fn bound_by_parts(&self, class: &HostClass, upper: Ticks, stop: &Stop) -> LowerBound {
        let most = class.room(upper).unwrap_or(0);
        let part = parts::best(&self.times, self.hosts, most, stop);
        let is_average = part.hosts == self.hosts && part.tasks == self.times.len() && !part.sums;
        let (hosts, tasks) = (part.hosts as u32, part.tasks as u32);
        LowerBound::new(class.end(part.bound), |k| match self.times.first() {
            None => Reason::Ready { k, host: 0 },
            // Simple reasons first: they have a form for VeriPB.
            Some(&longest) if longest == part.bound => {
                Reason::LongestTask { k, task: self.tasks[0].0 }
            }
            _ if is_average && self.times.len() * self.hosts < MANY_PAIRS => {
                Reason::Weights { k, weights: vec![1; self.hosts] }
            }
            _ => Reason::Part { k, hosts, tasks, sums: part.sums },
        })
    }

    /// Longest task first, to the host that is done first.
    pub fn start(&self, instance: &Instance) -> Mapping {
        let hosts: Vec<HostId> =
            self.classes.iter().flat_map(|class| &class.hosts).copied().collect();
        self.mapping(instance, &lpt::lpt(&self.times, &self.classes), &hosts)
    }

    /// The room that each host has for work until k; `None` if one is ready only after k.
    fn rooms(&self, k: Ticks) -> Option<Rooms> {
        let kinds = self.by_room(k)?.into_iter();
        Some(Rooms::new(kinds.map(|(room, class)| (room, class.hosts.len())).collect()))
    }

    /// The hosts in the order of their rooms.
    fn hosts_by_room(&self, k: Ticks) -> Option<Vec<HostId>> {
        let classes = self.by_room(k)?.into_iter();
        Some(classes.flat_map(|(_, class)| &class.hosts).copied().collect())
    }

    fn by_room(&self, k: Ticks) -> Option<Vec<(u64, &HostClass)>> {
        let classes = self.classes.iter().map(|class| Some((class.room(k)?, class)));
        let mut classes: Vec<(u64, &HostClass)> = classes.collect::<Option<_>>()?;
        classes.sort_by_key(|&(room, _)| Reverse(room));
        Some(classes)
    }

    /// The last moment until which hosts have the same rooms as until k.
    pub fn last_alike(&self, k: Ticks) -> Ticks {
        let next = |class: &HostClass| Some(class.end(class.room(k)?.saturating_add(1)));
        let first = self.classes.iter().filter_map(next).min();
        first.and_then(|first| first.checked_sub(Ticks(1))).map_or(k, |last| last.max(k))
    }

    /// A packing until k as a mapping.
    fn mapping_until(&self, instance: &Instance, packing: &Packing, k: Ticks) -> Option<Mapping> {
        Some(self.mapping(instance, packing, &self.hosts_by_room(k)?))
    }

    /// The packing as a mapping, for hosts in this order. Tasks that take no time are on the first
    /// host.
    fn mapping(&self, instance: &Instance, packing: &Packing, order: &[HostId]) -> Mapping {
        let mut hosts = vec![HostId(0); instance.task_count()];
        for (&host, list) in order.iter().zip(packing.hosts()) {
            for &item in list {
                hosts[self.tasks[item as usize].index()] = host;
            }
        }
        Mapping::new(instance, hosts).expect("every host can run every task")
    }

    /// The mapping as a packing on equal hosts.
    fn packing(&self, mapping: &Mapping) -> Packing {
        let host = |&task: &TaskId| mapping.host(task).index();
        Packing::of(self.hosts, self.tasks.iter().map(host))
    }
}

/// A quick look at a few tasks: whether they take twice as long as others on all hosts if they do
/// so on one, up to a tick for rounding.
fn seem_alike(instance: &Instance) -> bool {
    let time = |task: TaskId, host: HostId| Some(u128::from(instance.time(task, host)?));
    let are_alike = |a: TaskId, b: TaskId, host: HostId| {
        let [p, q, r, s] = [(a, host), (b, HostId(0)), (b, host), (a, HostId(0))]
            .map(|(task, host)| time(task, host));
        let (p, q, r, s) = (p?, q?, r?, s?);
        Some((p * q).abs_diff(r * s) <= p + q + r + s)
    };
    let classes = instance.host_classes();
    let pairs = instance.tasks().zip(instance.tasks().skip(1)).take(FIRST_TASKS);
    pairs
        .into_iter()
        .all(|(a, b)| classes.iter().all(|hosts| are_alike(a, b, hosts[0]).unwrap_or(false)))
}

/// By so much a load can be longer than its work says; `None` if times are not works divided by
/// speeds, rounded up if the instance says so.
fn rounding(instance: &Instance, works: &Works, classes: &[HostClass]) -> Option<Ticks> {
    let mut is_exact = true;
    for class in classes {
        for task in instance.tasks() {
            let time = u128::from(instance.time(task, class.hosts[0])?);
            let (work, unit) = (u128::from(class.rate.0), u128::from(class.rate.1));
            let exact = u128::from(works.of_task[task.index()]) * unit;
            is_exact &= time * work == exact;
            // Never below, by the choice of the rate.
            if time * work >= exact + work {
                return None;
            }
        }
    }
    if is_exact {
        return Some(Ticks::ZERO);
    }
    // Ticks that are not small beside the times are worth their effort.
    let ticks = Ticks(instance.task_count() as u64);
    let is_small = instance.tasks().any(|task| instance.shortest(task) / SMALL > ticks);
    instance.is_rounded().then_some(if is_small { ticks } else { Ticks::ZERO })
}

#[cfg(test)]
mod tests;
