//! The best lower bound by the longest tasks on part of the hosts.
//!
//! Of the l longest tasks, the h hosts with most of them have at least
//! `q = h·⌊l / m⌋ + min(h, l mod m)`, so some host has a load of at least the mean over h hosts of
//! the q shortest of these tasks. As a load it is also a sum of times of some of the l tasks, so
//! the bound rises to the next such sum.
//!
//! For given l only h = l mod m and h = m must be tried. Up to l mod m, a further host adds
//! ⌊l / m⌋ + 1 tasks, all at least as long as those before, so the mean rises. From there on it
//! adds ⌊l / m⌋ tasks, longer with each host: the mean falls first and then rises.

use super::sums::{LARGEST, Sums};
use gridsat_model::Stop;

/// Bounds of so many parts are raised to the next sum.
const RAISED: usize = 8;

/// Some hosts and the longest tasks, and what they prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// No load of all hosts can be below this.
    pub bound: u64,
    pub hosts: usize,
    pub tasks: usize,
    /// Whether the bound was raised to the next sum.
    pub sums: bool,
}

impl Part {
    /// So many of the tasks are on these hosts at least, however all hosts share them.
    pub fn least(&self, all_hosts: usize) -> usize {
        self.hosts * (self.tasks / all_hosts) + self.hosts.min(self.tasks % all_hosts)
    }
}

/// The best part. `most` is the largest load of a packing, which no bound exceeds.
pub(super) fn best(times: &[u64], hosts: usize, most: u64, stop: &Stop) -> Part {
    let mut parts = by_means(times, hosts);
    parts.sort_by_key(|part| std::cmp::Reverse((part.bound, part.tasks)));
    let nothing = Part { bound: 0, hosts, tasks: 0, sums: false };
    let mut best = parts.first().copied().unwrap_or(nothing);
    for part in parts.into_iter().take(RAISED) {
        if stop.is_due() || best.bound >= most || most > LARGEST {
            break;
        }
        let bound = raised(times, part, most);
        if bound > best.bound {
            best = Part { bound, sums: bound > part.bound, ..part };
        }
    }
    best
}

/// The means of all parts worth trying.
pub(super) fn by_means(times: &[u64], hosts: usize) -> Vec<Part> {
    let sums: Vec<u64> = std::iter::once(0)
        .chain(times.iter().scan(0, |sum, time| {
            *sum += time;
            Some(*sum)
        }))
        .collect();
    let mean = |tasks: usize, part: usize| {
        let part = Part { bound: 0, hosts: part, tasks, sums: false };
        let work = sums[tasks] - sums[tasks - part.least(hosts)];
        Part { bound: work.div_ceil(part.hosts as u64), ..part }
    };
    let parts = |tasks: usize| [tasks % hosts, hosts].into_iter().filter(|&part| part > 0);
    (1..=times.len())
        .flat_map(|tasks| parts(tasks).map(move |part| (tasks, part)))
        .map(|(tasks, part)| mean(tasks, part))
        .collect()
}

/// The smallest sum of some of the part's tasks that is at least its bound.
fn raised(times: &[u64], part: Part, most: u64) -> u64 {
    let mut sums = Sums::new(most);
    for (item, &time) in times[..part.tasks].iter().enumerate() {
        sums.add(time, item as u32);
        if sums.has(part.bound as usize) {
            return part.bound;
        }
    }
    sums.next(part.bound).unwrap_or(most)
}
