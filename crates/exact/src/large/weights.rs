//! Host weights directly from the matrix, by multiplicative ascent.
//!
//! Every task is put on the host where its weighted time is least. A host with a load above the
//! value of the bound is then too cheap: its weight is multiplied by `exp(step·excess)`, where the
//! excess is relative to the value. The weight of an underloaded host shrinks in the same way. The
//! step shrinks only when the value did not rise. One round is one pass over the matrix. The passes
//! take nearly all the time, so they use single precision and eight hosts at a time. The bound that
//! the weights prove is computed elsewhere, in exact integers.

use gridsat_model::{Instance, Stop, Ticks};

/// Hosts compared at the same time: a block of the matrix row, suited to vector instructions.
const LANES: usize = 8;

/// The first step: a weight changes by a factor of at most `exp(0.5)` per round, before weights are
/// scaled to sum to one.
const FIRST_STEP: f64 = 0.5;
/// Factor of the step after a round in which the value did not rise.
const SHRINK: f64 = 0.93;

/// The ascent ends at this step. Smaller steps raise the bound by less than the levelling that
/// follows loses.
const LAST_STEP: f64 = 2e-5;

/// The least weight before scaling. Smaller weights make no difference to the bound, but would
/// take many rounds to grow again.
const LEAST: f64 = 1e-15;

/// The matrix in units of `upper`, in rows padded to full blocks of hosts.
pub(super) struct Table {
    /// The number of hosts, without the padding.
    hosts: usize,
    /// The blocks of all rows, one row per task. Times are infinite where the task cannot end by
    /// `upper`, and in the padding.
    rows: Vec<[f32; LANES]>,
    /// The ready time of each host.
    ready: Vec<f64>,
}

impl Table {
    /// Scales times to units of `upper`, so that loads are of order one. Pairs that end after
    /// `upper` are left out.
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

    /// The value of the bound, and the load of each host when every task is on its cheapest host.
    /// `weights` must sum to one.
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

/// The host with the least weighted time; host 0 if no host is possible.
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

/// The weights of the largest value found, which sum to one. If stopped, the best ones so far.
pub(super) fn ascend(table: &Table, stop: &Stop) -> Vec<f64> {
    let mut weights = vec![1.0 / table.hosts as f64; table.hosts];
    let (mut best, mut best_weights) = (f64::NEG_INFINITY, weights.clone());
    let (mut step, mut before) = (FIRST_STEP, f64::NEG_INFINITY);
    while step > LAST_STEP {
        let (value, loads) = table.value(&weights);
        if value > best {
            (best, best_weights) = (value, weights.clone());
        }
        // At a value of zero all loads are zero, so no weights are better than others.
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
