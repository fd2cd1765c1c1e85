//! The dual of the linear relaxation, in floating point.
//!
//! Letting tasks be cut between hosts, but only where they alone end by k, the least makespan is
//!
//! ```text
//! z(k) = max over w ≥ 0, Σ w = 1 of f(w),   f(w) = Σ_t min_{h fits k} w_h·p_th + Σ_h w_h·ready_h
//! ```
//!
//! f is concave and piecewise linear in only m variables. k is refuted by some weights exactly if
//! z(k) > k. Floats only guide the search for weights; what they prove is computed elsewhere.

use gridsat_model::{Instance, Ticks};

/// Times in units of k, so that everything is of order one.
pub(super) struct Relaxation {
    hosts: usize,
    /// Row-major; infinite where the task does not end by k.
    times: Vec<f64>,
    ready: Vec<f64>,
}

impl Relaxation {
    /// Only pairs that end by k, which must be positive.
    pub(super) fn new(instance: &Instance, k: Ticks) -> Self {
        let unit = k.as_f64();
        let mut times = vec![f64::INFINITY; instance.task_count() * instance.host_count()];
        for (task, row) in instance.tasks().zip(times.chunks_mut(instance.host_count())) {
            for (host, time) in instance.times(task) {
                if instance.ready(host) + time <= k {
                    row[host.index()] = time.as_f64() / unit;
                }
            }
        }
        let ready = instance.hosts().map(|h| instance.ready(h).as_f64() / unit);
        Self { hosts: instance.host_count(), times, ready: ready.collect() }
    }

    pub(super) fn host_count(&self) -> usize {
        self.hosts
    }

    /// Ready time of each host.
    pub(super) fn ready(&self) -> &[f64] {
        &self.ready
    }

    /// Times of each task.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.times.chunks(self.hosts)
    }

    /// Pairs that fit.
    pub(super) fn pair_count(&self) -> usize {
        self.times.iter().filter(|time| time.is_finite()).count()
    }

    /// f(w), and the load of each host if every task goes where it is cheapest: a supergradient.
    pub(super) fn value(&self, weights: &[f64]) -> (f64, Vec<f64>) {
        let mut loads = self.ready.clone();
        for row in self.rows() {
            let (host, cost) = cheapest(row, weights);
            if cost.is_finite() {
                loads[host] += row[host];
            }
        }
        let value = loads.iter().zip(weights).map(|(load, w)| load * w).sum();
        (value, loads)
    }
}

/// The host with the least weighted time, and that.
pub(super) fn cheapest(row: &[f64], weights: &[f64]) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for (host, (time, weight)) in row.iter().zip(weights).enumerate() {
        let cost = time * weight;
        if cost < best.1 {
            best = (host, cost);
        }
    }
    best
}

/// Makes the weights sum to one.
pub(super) fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
}
