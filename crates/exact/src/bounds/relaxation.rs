//! The dual of the linear relaxation, in floating point.
//!
//! If tasks may be split between hosts, but only between hosts on which the whole task ends by k,
//! the least makespan is
//!
//! ```text
//! z(k) = max over w ≥ 0, Σ w = 1 of f(w),   f(w) = Σ_t min_{h fits k} w_h·p_th + Σ_h w_h·ready_h
//! ```
//!
//! f is concave and piecewise linear in only m variables. Some weights refute k if and only if
//! z(k) is above k. Floats only guide the search for weights; the bound they prove is computed
//! elsewhere.

use gridsat_model::{Instance, Ticks};

/// The relaxation at one k. Times are in units of k, so that all numbers are of order one.
pub(super) struct Relaxation {
    hosts: usize,
    /// Times task by task; infinite where the task does not end by k.
    times: Vec<f64>,
    ready: Vec<f64>,
}

impl Relaxation {
    /// The relaxation at k > 0: only pairs that end by k.
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

    /// Ready time of each host, in units of k.
    pub(super) fn ready(&self) -> &[f64] {
        &self.ready
    }

    /// The times of each task on all hosts, in units of k.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.times.chunks(self.hosts)
    }

    /// Number of pairs that end by k.
    pub(super) fn pair_count(&self) -> usize {
        self.times.iter().filter(|time| time.is_finite()).count()
    }

    /// f(w), and the load of each host if every task goes to its cheapest host: a supergradient.
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

/// The host with the least weighted time, and that time.
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
