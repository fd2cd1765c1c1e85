//! Equal hosts (P||Cmax): bounds by counting and by sums, and packings by subset sums.
//!
//! With equal hosts the bound of the longest tasks on part of the hosts ([`parts`]) is mostly the
//! optimum, and a packing that reaches it is what is missing. It is sought in this order:
//!
//! * longest task first, to the host with the smallest load ([`lpt()`]);
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
mod lpt;
mod pack;
mod packer;
mod packing;
mod pairs;
mod parts;
mod repack;
mod sums;

pub(crate) use fillings::{Answer, Effort, Fillings};
pub(crate) use packer::Packer;
pub(crate) use packing::Packing;

use std::cmp::Reverse;

use crate::reason::{LowerBound, Reason};
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

/// From this many pairs on, steps of certificates must not look at each of them.
const MANY_PAIRS: usize = 10_000_000;

/// An instance with equal hosts.
#[derive(Clone, Debug)]
pub(crate) struct Alike {
    /// Tasks that take time, longest first; of equal ones the lowest number first.
    tasks: Vec<TaskId>,
    /// Their times in ticks.
    times: Vec<u64>,
    hosts: usize,
    /// When all hosts become free.
    ready: Ticks,
}

impl Alike {
    /// The instance, if its hosts are equal and there is more than one.
    pub fn of(instance: &Instance) -> Option<Self> {
        if !instance.has_equal_hosts() || instance.host_count() == 1 {
            return None;
        }
        let first = HostId(0);
        let pair = |task| Some((instance.time(task, first)?.0, task));
        let mut pairs: Vec<(u64, TaskId)> = instance.tasks().filter_map(pair).collect();
        pairs.retain(|&(time, _)| time > 0);
        pairs.sort_by_key(|&(time, _)| Reverse(time));
        let (times, tasks) = pairs.into_iter().unzip();
        Some(Self { tasks, times, hosts: instance.host_count(), ready: instance.ready(first) })
    }

    /// The best bound by parts of the hosts. `upper` is the makespan of a mapping.
    pub fn bound(&self, upper: Ticks, stop: &Stop) -> LowerBound {
        let most = (upper - self.ready).0;
        let part = parts::best(&self.times, self.hosts, most, stop);
        let is_average = part.hosts == self.hosts && part.tasks == self.times.len() && !part.sums;
        let (hosts, tasks) = (part.hosts as u32, part.tasks as u32);
        LowerBound::new(self.ready + Ticks(part.bound), |k| match self.times.first() {
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

    /// Longest task first, to the host with the smallest load.
    pub fn start(&self, instance: &Instance) -> Mapping {
        self.mapping(instance, &lpt::lpt(&self.times, self.hosts))
    }

    /// The packing as a mapping. Tasks that take no time are on the first host.
    fn mapping(&self, instance: &Instance, packing: &Packing) -> Mapping {
        let mut hosts = vec![HostId(0); instance.task_count()];
        for (host, list) in packing.hosts().enumerate() {
            for &item in list {
                hosts[self.tasks[item as usize].index()] = HostId(host as u32);
            }
        }
        Mapping::new(instance, hosts).expect("equal hosts can run every task")
    }

    /// The mapping as a packing.
    fn packing(&self, mapping: &Mapping) -> Packing {
        let host = |&task: &TaskId| mapping.host(task).index();
        Packing::of(self.hosts, self.tasks.iter().map(host))
    }
}

#[cfg(test)]
mod tests;
