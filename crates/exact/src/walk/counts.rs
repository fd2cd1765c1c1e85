//! How many tasks each host gets, where k nearly fixes it.
//!
//! If the hosts have room for exactly n tasks, the counts are given. If there is room for a few
//! more, the counts of a mapping are a good guess unless the duals refute them; then places are
//! exchanged between hosts, the dearest for the cheapest, until they do not.

use super::duals::{Duals, Question};
use super::times::Times;
use gridsat_model::{Instance, Stop, Ticks};

/// Exchanges of places tried at most.
const EXCHANGES: usize = 60;
/// Counts are good enough if the duals leave this part of the room.
const ENOUGH: f64 = 2e-4;

/// Task prices from the duals, if k fixes the number of tasks of each host: what a task costs where
/// it is cheapest. They refute at least as much as the relaxation with counts does.
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
    // The same amount on every price of a place changes nothing but the sign of a cost.
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min).min(0.0);
    Some(costs.into_iter().map(|cost| cost - least).collect())
}

fn most_tasks(times: &Times, rooms: &[i64]) -> Vec<usize> {
    rooms.iter().enumerate().map(|(host, &room)| times.most_tasks(host, room)).collect()
}

/// The best duals for loads within the rooms, and the hosts of all tasks, changed if their counts
/// were impossible.
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
    // With more room than that, counts say little.
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

fn counted(hosts: &[usize], m: usize) -> Vec<usize> {
    let mut counts = vec![0; m];
    hosts.iter().for_each(|&host| counts[host] += 1);
    counts
}

/// Counts on the way to possible ones.
struct Fitting<'a> {
    times: &'a Times,
    rooms: &'a [i64],
    /// The most tasks that fit each host.
    most: Vec<usize>,
    counts: Vec<usize>,
    value: f64,
    duals: Duals,
}

impl Fitting<'_> {
    /// Gives places of dear hosts to cheap ones as long as that makes the bound weaker.
    fn exchange(&mut self, stop: &Stop) {
        let mut in_vain: Vec<(usize, usize)> = Vec::new();
        for _ in 0..EXCHANGES {
            if self.value <= -ENOUGH || stop.is_due() {
                break;
            }
            let Some((from, to)) = self.best_exchange(&in_vain) else { break };
            if self.try_exchange(from, to, stop) {
                in_vain.clear();
            } else {
                in_vain.push((from, to));
            }
        }
    }

    /// The exchange that weakens the bound most by the present duals.
    fn best_exchange(&self, in_vain: &[(usize, usize)]) -> Option<(usize, usize)> {
        let hosts = 0..self.counts.len();
        let givers = hosts.clone().filter(|&from| self.counts[from] > 0);
        let pairs = givers.flat_map(|from| hosts.clone().map(move |to| (from, to)));
        let possible = pairs.filter(|&(from, to)| from != to && self.counts[to] < self.most[to]);
        let gain = |&(from, to): &(usize, usize)| self.duals.places[to] - self.duals.places[from];
        let new = possible.filter(|pair| !in_vain.contains(pair));
        new.max_by(|one, other| gain(one).total_cmp(&gain(other)))
    }

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

    /// Every task where it costs least, then those of least regret moved until the counts hold.
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

    /// The cheapest move from a host with too many tasks to one with too few.
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
