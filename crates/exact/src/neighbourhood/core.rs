//! The pairs of task and host that good mappings use.
//!
//! With host weights w, a pair costs `w_h·p_th`. Good mappings do not use pairs that cost much
//! more than the cheapest pair of the task, so the search leaves them out. A bound must include
//! them.

use super::has_many_tasks;
use gridsat_model::{HostId, Instance, Ticks};

/// Pairs that cost more than this many times the task's cheapest pair are left out.
const RATIO: f64 = 5.0;
/// Pairs kept per task, at most: the cheapest ones. More would slow down the knapsacks.
const MOST: usize = 30;

/// With many tasks per host, pairs kept per host beside the cheapest pair of each task. They are
/// those of least regret, the cost above that of the task's cheapest pair.
const EXTRA: usize = 60;

/// A host that a task may run on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub host: usize,
    /// The time of the task on this host, in ticks.
    pub time: u64,
    /// The weight of the host times `time`.
    pub cost: f64,
}

/// The hosts considered for each task, and the first prices of the tasks.
pub(super) struct Core {
    /// The hosts considered for each task, the cheapest first.
    pub places: Vec<Vec<Place>>,
    /// Positive prices to start from: the cost of the cheapest pair of each task, scaled to a mean
    /// of about 1.
    pub prices: Vec<f64>,
    /// Whether tasks with one host stay there, because most tasks have only one.
    has_fixed: bool,
}

impl Core {
    /// Selects pairs by the host weights; none that ends after `upper`.
    pub fn new(instance: &Instance, weights: &[u64], upper: Ticks) -> Self {
        let places = |task| {
            let place = |(host, time): (HostId, Ticks)| {
                let cost = weights[host.index()] as f64 * time.as_f64();
                Place { host: host.index(), time: time.0, cost }
            };
            let fits = instance.times(task).filter(|&(h, time)| instance.ready(h) + time <= upper);
            nearest(fits.map(place).collect())
        };
        let mut places: Vec<Vec<Place>> = instance.tasks().map(places).collect();
        let has_fixed = has_many_tasks(instance);
        if has_fixed {
            keep(EXTRA * instance.host_count(), &mut places);
        }
        let least = places.iter().map(|places| places.first().map_or(0.0, |place| place.cost));
        Self { prices: positive(least.collect()), places, has_fixed }
    }

    /// Whether a task that is on this host may move to another.
    pub fn is_free(&self, task: usize, host: usize) -> bool {
        let places = &self.places[task];
        let is_elsewhere = || places.first().is_some_and(|place| place.host != host);
        !self.has_fixed || places.len() > 1 || is_elsewhere()
    }
}

/// The cheapest places, the cheapest first; at least two if there are two.
fn nearest(mut places: Vec<Place>) -> Vec<Place> {
    places.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.host.cmp(&b.host)));
    let least = places.first().map_or(0.0, |place| place.cost);
    let near = places.iter().take(MOST).take_while(|place| place.cost <= RATIO * least).count();
    places.truncate(near.max(2));
    places
}

/// Keeps the cheapest place of each task and the `extra` others of least regret.
fn keep(extra: usize, places: &mut [Vec<Place>]) {
    let regret = |least: &Place, place: &Place| place.cost - least.cost;
    let others = places.iter().filter_map(|places| places.split_first());
    let mut regrets: Vec<f64> = others
        .flat_map(|(least, others)| others.iter().map(move |place| regret(least, place)))
        .collect();
    if regrets.len() <= extra {
        return;
    }
    let most = *regrets.select_nth_unstable_by(extra, f64::total_cmp).1;
    for places in places {
        let Some(&least) = places.first() else { continue };
        places.retain(|place| regret(&least, place) < most || place.host == least.host);
    }
}

/// Scales prices to a mean of 1 and raises those below 1e-6 to it. So a task that takes no time has
/// a positive price as well; otherwise no knapsack would pack it.
pub(super) fn positive(mut prices: Vec<f64>) -> Vec<f64> {
    let sum: f64 = prices.iter().sum();
    let scale = if sum > 0.0 { prices.len() as f64 / sum } else { 0.0 };
    prices.iter_mut().for_each(|price| *price = (*price * scale).max(1e-6));
    prices
}
