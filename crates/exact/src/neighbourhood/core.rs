//! The pairs of task and host that good mappings use.
//!
//! By host weights w, a pair costs `w_h·p_th`. A pair much dearer than the task's cheapest is not
//! in a good mapping, so a search may do without it. A bound may not.

use gridsat_model::{HostId, Instance, Ticks};

/// Pairs dearer than this many times the cheapest are left out …
const RATIO: f64 = 5.0;
/// … and all beyond this many, the cheapest first.
const MOST: usize = 30;

/// A host a task may be on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub host: usize,
    pub time: u64,
    /// Weighted.
    cost: f64,
}

/// See the module.
pub(super) struct Core {
    /// The places of each task, the cheapest first.
    pub places: Vec<Vec<Place>>,
    /// Positive prices to start from: the least cost of each task, 1 on average.
    pub prices: Vec<f64>,
}

impl Core {
    /// Without pairs that end after `upper`.
    pub fn new(instance: &Instance, weights: &[u64], upper: Ticks) -> Self {
        let places = |task| {
            let place = |(host, time): (HostId, Ticks)| {
                let cost = weights[host.index()] as f64 * time.as_f64();
                Place { host: host.index(), time: time.0, cost }
            };
            let fits = instance.times(task).filter(|&(h, time)| instance.ready(h) + time <= upper);
            nearest(fits.map(place).collect())
        };
        let places: Vec<Vec<Place>> = instance.tasks().map(places).collect();
        let least = places.iter().map(|places| places.first().map_or(0.0, |place| place.cost));
        Self { prices: positive(least.collect()), places }
    }
}

/// The cheapest places, at least two of them.
fn nearest(mut places: Vec<Place>) -> Vec<Place> {
    places.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.host.cmp(&b.host)));
    let least = places.first().map_or(0.0, |place| place.cost);
    let near = places.iter().take(MOST).take_while(|place| place.cost <= RATIO * least).count();
    places.truncate(near.max(2));
    places
}

/// Scaled to 1 on average. A task that takes no time has a price all the same, or no host would
/// want it.
pub(super) fn positive(mut prices: Vec<f64>) -> Vec<f64> {
    let sum: f64 = prices.iter().sum();
    let scale = if sum > 0.0 { prices.len() as f64 / sum } else { 0.0 };
    prices.iter_mut().for_each(|price| *price = (*price * scale).max(1e-6));
    prices
}
