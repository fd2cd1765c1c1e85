//! Branch and bound over domains, depth first: the cheapest mapping in all of them, or the proof
//! that none is cheaper than the best known.

use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

use super::prices::{Loss, Point, Prices};
use super::{Then, improve::improve};
use crate::bounds::{Contradiction, Domain};

/// Steps of the climb at the root, and below it.
const STEPS: (usize, usize) = (300, 15);
/// Fixing is repeated while it removes at least one pair in this many.
const WORTHWHILE: usize = 20;
/// Changes looked at to improve the first mapping, and each mapping found in a case.
const CHANGES: (usize, usize) = (100_000_000, 300_000);
/// The most memory that open cases may take, in pairs of task and host.
const MOST_PAIRS: usize = 1 << 28;

/// The search, with the best mapping so far.
pub(super) struct Search<'a> {
    instance: &'a Instance,
    then: &'a Then,
    /// No host may end later.
    k: Ticks,
    pub best: Mapping,
    /// The cost of the best mapping.
    pub value: u64,
    stop: &'a Stop,
}

/// Some of the mappings: those in the domain.
struct Case<'a> {
    domain: Domain<'a>,
    prices: Prices,
    /// No mapping in the domain costs less.
    low: u64,
}

impl<'a> Search<'a> {
    /// Begins with the mapping, which ends by k, and for fewest moves also with the one that the
    /// moves are counted from.
    pub fn new(instance: &'a Instance, then: &'a Then, mapping: &Mapping, stop: &'a Stop) -> Self {
        let value = then.value(instance, mapping);
        let (k, best) = (mapping.makespan(), mapping.clone());
        let mut search = Self { instance, then, k, best, value, stop };
        if let Then::FewestMoves { from } = then {
            search.offer(from, CHANGES.0);
        }
        search.offer(mapping, CHANGES.0);
        search
    }

    /// Searches until nothing is left or the stop is due. The result is a bound on the cost of all
    /// mappings; equal to the value of the best if nothing is left. `low` is such a bound, too.
    pub fn run(&mut self, low: u64) -> u64 {
        let (n, m) = (self.instance.task_count(), self.instance.host_count());
        let pairs = n.saturating_mul(m);
        if pairs > MOST_PAIRS / 2 {
            return low;
        }
        let Ok(domain) = Domain::new(self.instance, self.k) else { return low };
        let mut open = vec![Case { domain, prices: Prices::new(n, self.value), low }];
        let mut steps = STEPS.0;
        while let Some(mut case) = open.pop() {
            let split = self.visit(&mut case, steps);
            let is_full = (open.len() + 2).saturating_mul(pairs) > MOST_PAIRS;
            // A visit that was cut short has proven nothing about its case.
            if self.stop.is_due() || (is_full && split.is_some()) {
                open.push(case);
                break;
            }
            if let Some(pair) = split {
                open.extend(halves(case, pair));
            }
            open.retain(|case| case.low < self.value);
            steps = STEPS.1;
        }
        open.iter().map(|case| case.low).min().unwrap_or(self.value).min(self.value).max(low)
    }

    /// Bounds the case and removes pairs from it. The pair to branch on, unless nothing is left.
    fn visit(&mut self, case: &mut Case<'a>, steps: usize) -> Option<(TaskId, HostId)> {
        loop {
            if let Some(mapping) = case.domain.mapping() {
                self.offer(&mapping, CHANGES.1);
                return None;
            }
            let limit = self.limit(&case.prices);
            let Case { domain, prices, low } = case;
            let point = prices.climb(domain, self.then, limit, steps, self.stop);
            *low = cost_of(point.bound, prices.scale()).max(*low);
            if point.bound > limit || self.stop.is_due() {
                return None;
            }
            self.repair(domain, &point);
            let limit = self.limit(prices);
            let (bound, losses) = prices.losses(domain, self.then, limit);
            let before = domain.pairs();
            if remove(domain, &losses, limit - bound).is_err() {
                return None;
            }
            if domain.mapping().is_some() {
                continue;
            }
            if (before - domain.pairs()) * WORTHWHILE < before {
                return branch(domain, &losses);
            }
        }
    }

    /// The largest bound that leaves room for a cheaper mapping.
    fn limit(&self, prices: &Prices) -> i128 {
        (i128::from(self.value) - 1) * prices.scale()
    }

    /// Keeps the mapping if it ends by k and is cheaper, after small changes that make it cheaper
    /// still.
    fn offer(&mut self, mapping: &Mapping, changes: usize) {
        if mapping.makespan() > self.k {
            return;
        }
        let limits = (changes, self.stop);
        let mapping = improve(self.instance, self.then, self.k, mapping, limits);
        let value = self.then.value(self.instance, &mapping);
        if value < self.value {
            (self.best, self.value) = (mapping, value);
        }
    }

    /// Makes a mapping of the packings, if that is possible: tasks that several hosts packed stay
    /// on the cheapest of them, tasks that no host packed go to the cheapest one with room.
    fn repair(&mut self, domain: &Domain<'a>, point: &Point) {
        let cost = |task, host| self.then.cost(self.instance, task, host);
        let time = |task, host| self.instance.time(task, host).unwrap_or(Ticks::MAX);
        let mut rooms: Vec<Ticks> = self.instance.hosts().map(|host| domain.room(host)).collect();
        let mut hosts: Vec<Option<HostId>> = Vec::new();
        for (task, packed_by) in self.instance.tasks().zip(&point.packed_by) {
            let host = packed_by.iter().copied().min_by_key(|&host| (cost(task, host), host));
            if let Some(host) = host {
                rooms[host.index()] -= time(task, host);
            }
            hosts.push(domain.placed(task).or(host));
        }
        let mut left: Vec<TaskId> =
            self.instance.tasks().filter(|task| hosts[task.index()].is_none()).collect();
        left.sort_by_key(|&task| std::cmp::Reverse(self.instance.shortest(task)));
        for task in left {
            let possible = self.instance.hosts().filter(|&host| {
                domain.is_possible(task, host) && time(task, host) <= rooms[host.index()]
            });
            let Some(host) = possible.min_by_key(|&host| (cost(task, host), host)) else { return };
            rooms[host.index()] -= time(task, host);
            hosts[task.index()] = Some(host);
        }
        let hosts: Option<Vec<HostId>> = hosts.into_iter().collect();
        if let Some(mapping) = hosts.and_then(|hosts| Mapping::new(self.instance, hosts).ok()) {
            self.offer(&mapping, CHANGES.1);
        }
    }
}

/// The smallest whole cost that is not below the bound.
fn cost_of(bound: i128, scale: i128) -> u64 {
    let cost = bound.div_euclid(scale) + i128::from(bound.rem_euclid(scale) > 0);
    u64::try_from(cost.max(0)).unwrap_or(u64::MAX)
}

/// Removes the pairs whose losses exceed the slack.
fn remove(domain: &mut Domain, losses: &[Loss], slack: i128) -> Result<(), Contradiction> {
    let gone = losses.iter().filter(|pair| pair.loss > slack);
    gone.for_each(|pair| domain.forbid(pair.task, pair.host));
    domain.settle()
}

/// The task whose second-best host loses most, with its best host: without it the bound rises.
fn branch(domain: &Domain, losses: &[Loss]) -> Option<(TaskId, HostId)> {
    let instance = domain.instance();
    let mut least: Vec<Option<(&Loss, i128)>> = vec![None; instance.task_count()];
    let is_open = |pair: &&Loss| {
        domain.placed(pair.task).is_none() && domain.is_possible(pair.task, pair.host)
    };
    for pair in losses.iter().filter(is_open) {
        let entry = &mut least[pair.task.index()];
        *entry = Some(match *entry {
            None => (pair, i128::MAX),
            Some((best, _)) if pair.loss < best.loss => (pair, best.loss),
            Some((best, second)) => (best, second.min(pair.loss)),
        });
    }
    let best = least.into_iter().flatten().max_by_key(|(pair, second)| {
        let longest = instance.shortest(pair.task);
        (*second, longest, std::cmp::Reverse(pair.task))
    });
    best.map(|(pair, _)| (pair.task, pair.host))
}

/// The case with the task elsewhere, and, to be visited first, the one with the task on the host.
fn halves<'a>(case: Case<'a>, (task, host): (TaskId, HostId)) -> impl Iterator<Item = Case<'a>> {
    let Case { domain, prices, low } = case;
    let mut on = domain.clone();
    on.force(task, host);
    let mut off = domain;
    off.forbid(task, host);
    [off, on].into_iter().filter_map(move |mut domain| {
        domain.settle().ok()?;
        Some(Case { domain, prices: prices.clone(), low })
    })
}
