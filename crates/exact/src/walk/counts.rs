//! The number of tasks of each host, where k nearly fixes it.
//!
//! If the hosts have room for exactly n tasks, the counts are given. If there is room for a few
//! more, the counts of a mapping are a good guess unless the duals refute them. In that case hosts
//! with places of low price give places to hosts with places of high price, until the duals no
//! longer refute the counts.

use super::duals::{Duals, Question};
use super::times::Times;
use gridsat_model::{Instance, Stop, Ticks};

/// Exchanges of places tried, at most.
const EXCHANGES: usize = 60;
/// Counts are good enough if the bound by the duals is below the room by this fraction of it.
const ENOUGH: f64 = 2e-4;

/// Task prices from the duals: the cost of each task on its cheapest host. They refute at least as
/// much as the relaxation with counts. `None` if k does not fix the number of tasks of each host or
/// a host is not ready by k.
pub(crate) fn prices(
    instance: &Instance,
    k: Ticks,
    weights: &[u64],
    stop: &Stop,
) -> Option<Vec<f64>> {
    let times = Times::new(instance);
    let rooms = super::rooms(instance, k)?;
    let most = most_tasks(&times, &rooms);
    if most.iter().sum::<usize>() != times.task_count() {
        return None;
    }
    let weights: Vec<f64> = weights.iter().map(|&weight| weight as f64).collect();
    let question = Question { times: &times, rooms: &rooms, counts: Some(&most) };
    let (_, duals) = question.ascend_roughly(Duals::from_weights(&weights), stop);
    let costs: Vec<f64> =
        (0..times.task_count()).map(|task| duals.cheapest(&times, task).1).collect();
    // Counts sum to n, so adding one amount to all prices of places does not change the bound.
    // Here it makes all costs nonnegative.
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min).min(0.0);
    Some(costs.into_iter().map(|cost| cost - least).collect())
}

/// The largest number of tasks that fit each host.
fn most_tasks(times: &Times, rooms: &[i64]) -> Vec<usize> {
    rooms.iter().enumerate().map(|(host, &room)| times.most_tasks(host, room)).collect()
}

/// The best duals for loads within the rooms. `hosts` holds the host of each task, and is changed
/// if the duals refute its counts.
pub(super) fn duals(
    times: &Times,
    rooms: &[i64],
    weights: &[f64],
    hosts: &mut [usize],
    stop: &Stop,
) -> Duals {
    let most = most_tasks(times, rooms);
    let places: usize = most.iter().sum();
    let start = Duals::from_weights(weights);
    let (n, m) = (times.task_count(), times.host_count());
    let ascend = |counts: Option<&[usize]>| Question { times, rooms, counts }.ascend(start, stop);
    if places == n {
        return ascend(Some(&most)).1;
    }
    // With room for more than one further task per host, counts hardly help.
    if places < n || places > n + m {
        return ascend(None).1;
    }
    let counts = counted(hosts, m);
    let (value, duals) = ascend(Some(&counts));
    if value <= 0.0 {
        return duals;
    }
    let mut fitting = Fitting { times, rooms, most, counts, value, duals };
    fitting.exchange(stop);
    fitting.rearrange(hosts);
    fitting.duals
}

/// The number of tasks of each of the m hosts.
fn counted(hosts: &[usize], m: usize) -> Vec<usize> {
    let mut counts = vec![0; m];
    hosts.iter().for_each(|&host| counts[host] += 1);
    counts
}

/// Counts that are changed until the duals no longer refute them.
struct Fitting<'a> {
    times: &'a Times,
    rooms: &'a [i64],
    /// The most tasks that fit each host.
    most: Vec<usize>,
    counts: Vec<usize>,
    /// The value of the duals, as of [`Question::ascend`].
    value: f64,
    duals: Duals,
}

impl Fitting<'_> {
    /// Moves places between hosts, one at a time, as long as that weakens the bound.
    fn exchange(&mut self, stop: &Stop) {
        let mut failed: Vec<(usize, usize)> = Vec::new();
        for _ in 0..EXCHANGES {
            if self.value <= -ENOUGH || stop.is_due() {
                break;
            }
            let Some((from, to)) = self.best_exchange(&failed) else { break };
            if self.try_exchange(from, to, stop) {
                failed.clear();
            } else {
                failed.push((from, to));
            }
        }
    }

    /// The exchange that weakens the bound most at the present duals, as (from, to), except those
    /// tried without success.
    fn best_exchange(&self, failed: &[(usize, usize)]) -> Option<(usize, usize)> {
        let hosts = 0..self.counts.len();
        let givers = hosts.clone().filter(|&from| self.counts[from] > 0);
        let pairs = givers.flat_map(|from| hosts.clone().map(move |to| (from, to)));
        let possible = pairs.filter(|&(from, to)| from != to && self.counts[to] < self.most[to]);
        let gain = |&(from, to): &(usize, usize)| self.duals.places[to] - self.duals.places[from];
        let new = possible.filter(|pair| !failed.contains(pair));
        new.max_by(|one, other| gain(one).total_cmp(&gain(other)))
    }

    /// Moves one place if that weakens the bound; whether it did.
    fn try_exchange(&mut self, from: usize, to: usize, stop: &Stop) -> bool {
        let mut counts = self.counts.clone();
        counts[from] -= 1;
        counts[to] += 1;
        let question = Question { times: self.times, rooms: self.rooms, counts: Some(&counts) };
        let (value, duals) = question.ascend_nearby(self.duals.clone(), stop);
        let is_better = value < self.value;
        if is_better {
            (self.value, self.duals, self.counts) = (value, duals, counts);
        }
        is_better
    }

    /// Puts every task where it costs least, then moves tasks of least regret until the counts
    /// hold.
    fn rearrange(&self, hosts: &mut [usize]) {
        for (task, host) in hosts.iter_mut().enumerate() {
            *host = self.duals.cheapest(self.times, task).0;
        }
        let mut taken = counted(hosts, self.counts.len());
        while let Some((task, to)) = self.least_regret(hosts, &taken) {
            taken[hosts[task]] -= 1;
            taken[to] += 1;
            hosts[task] = to;
        }
    }

    /// The move of least regret from a host with too many tasks to one with too few, as (task, to).
    fn least_regret(&self, hosts: &[usize], taken: &[usize]) -> Option<(usize, usize)> {
        let cost = |task, host| self.duals.cost(self.times, task, host);
        let mut best: Option<(f64, usize, usize)> = None;
        let leaving = hosts.iter().enumerate().filter(|(_, h)| taken[**h] > self.counts[**h]);
        for (task, &from) in leaving {
            for to in (0..taken.len()).filter(|&to| taken[to] < self.counts[to]) {
                let regret = cost(task, to) - cost(task, from);
                if regret.is_finite() && best.is_none_or(|(least, ..)| regret < least) {
                    best = Some((regret, task, to));
                }
            }
        }
        best.map(|(_, task, to)| (task, to))
    }
}
