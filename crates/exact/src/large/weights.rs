//! Host weights straight from the matrix, by multiplicative ascent.
//!
//! With every task on the host where its weighted time is least, a host loaded above the value of
//! the bound is too cheap: its weight grows by `exp(step·excess)`, and that of an underloaded one
//! shrinks. The step shrinks only when the value did not rise. One round is one pass over the
//! matrix, in single precision and eight hosts at a time, because the passes are all there is to
//! it. What the weights prove is computed elsewhere, in exact integers.

use gridsat_model::{Instance, Stop, Ticks};

/// Hosts looked at together.
const LANES: usize = 8;

const FIRST_STEP: f64 = 0.5;
const SHRINK: f64 = 0.93;

/// Smaller steps gain less than the moves that follow lose.
const LAST_STEP: f64 = 2e-5;

/// Weights below this change nothing that matters, but would slow down their way back.
const LEAST: f64 = 1e-15;

/// The matrix with rows padded to full lanes; infinite where a task does not end by `upper`.
pub(super) struct Table {
    hosts: usize,
    rows: Vec<[f32; LANES]>,
    ready: Vec<f64>,
}

impl Table {
    /// Times in units of `upper`, so that everything is of order one.
    pub(super) fn new(instance: &Instance, upper: Ticks) -> Self {
        let (hosts, unit) = (instance.host_count(), upper.as_f64().max(1.0));
        let blocks = hosts.div_ceil(LANES);
        let mut rows = vec![[f32::INFINITY; LANES]; blocks * instance.task_count()];
        for (task, row) in instance.tasks().zip(rows.chunks_mut(blocks)) {
            for (host, time) in instance.times(task) {
                if instance.ready(host) + time <= upper {
                    let place = &mut row[host.index() / LANES][host.index() % LANES];
                    *place = (time.as_f64() / unit) as f32;
                }
            }
        }
        let ready = instance.hosts().map(|host| instance.ready(host).as_f64() / unit);
        Self { hosts, rows, ready: ready.collect() }
    }

    /// The value of the bound, and the load of each host with every task where it is cheapest.
    fn value(&self, weights: &[f64]) -> (f64, Vec<f64>) {
        let blocks = self.hosts.div_ceil(LANES);
        let mut lanes = vec![[0.0_f32; LANES]; blocks];
        for (host, weight) in weights.iter().enumerate() {
            lanes[host / LANES][host % LANES] = *weight as f32;
        }
        let mut loads = self.ready.clone();
        for row in self.rows.chunks(blocks) {
            let host = cheapest(row, &lanes);
            let time = row[host / LANES][host % LANES];
            if time.is_finite() {
                loads[host] += f64::from(time);
            }
        }
        let value = loads.iter().zip(weights).map(|(load, weight)| load * weight).sum();
        (value, loads)
    }
}

/// The host with the least weighted time.
fn cheapest(row: &[[f32; LANES]], weights: &[[f32; LANES]]) -> usize {
    let mut least = [f32::INFINITY; LANES];
    let mut block_of = [0_u32; LANES];
    for (block, (times, weights)) in row.iter().zip(weights).enumerate() {
        for lane in 0..LANES {
            let cost = times[lane] * weights[lane];
            let is_less = cost < least[lane];
            least[lane] = if is_less { cost } else { least[lane] };
            block_of[lane] = if is_less { block as u32 } else { block_of[lane] };
        }
    }
    let mut best = 0;
    for lane in 1..LANES {
        if least[lane] < least[best] {
            best = lane;
        }
    }
    block_of[best] as usize * LANES + best
}

/// The best weights met, which sum to one. Stopped, the best by then.
pub(super) fn ascend(table: &Table, stop: &Stop) -> Vec<f64> {
    let mut weights = vec![1.0 / table.hosts as f64; table.hosts];
    let (mut best, mut best_weights) = (f64::NEG_INFINITY, weights.clone());
    let (mut step, mut before) = (FIRST_STEP, f64::NEG_INFINITY);
    while step > LAST_STEP {
        let (value, loads) = table.value(&weights);
        if value > best {
            (best, best_weights) = (value, weights.clone());
        }
        // A value of zero means that all work is free: no direction is better than another.
        if value <= 0.0 || stop.is_due() {
            break;
        }
        if value <= before {
            step *= SHRINK;
        }
        before = value;
        for (weight, load) in weights.iter_mut().zip(loads) {
            let excess = (load / value - 1.0).clamp(-1.0, 1.0);
            *weight = (*weight * (step * excess).exp()).max(LEAST);
        }
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    best_weights
}
