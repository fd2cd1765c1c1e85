//! Host weights directly from the matrix, by multiplicative ascent.
//!
//! Every task is put on the host where its weighted time is least. A host with a load above the
//! value of the bound is then too cheap: its weight is multiplied by `exp(step·excess)`, where the
//! excess is relative to the value. The weight of an underloaded host shrinks in the same way. The
//! step shrinks only when the value did not rise. One round is one pass over the matrix. The passes
//! take nearly all the time, so they use single precision and eight hosts at a time, and with a
//! million tasks most rounds use a sample of them. The bound that the weights prove is computed
//! elsewhere, in exact integers.

use gridsat_model::{Instance, Stop, Ticks};

/// Hosts compared at the same time: a block of the matrix row, suited to vector instructions.
const LANES: usize = 8;

/// The steps of an ascent. A step of 0.5 changes a weight by a factor of at most `exp(0.5)` per
/// round, before weights are scaled to sum to one.
#[derive(Clone, Copy)]
struct Steps {
    first: f64,
    /// The ascent ends at this step.
    last: f64,
    /// Factor of the step after a round in which the value rose.
    grow: f64,
    /// Factor of the step after a round in which it did not.
    shrink: f64,
    /// The ascent also ends when [`ROUNDS`] rounds have raised the value by less than this part.
    /// If they have more than halved the step, it was too large, and more rounds follow, up to
    /// three times.
    enough: f64,
}

/// Smaller steps than the last raise the bound by less than the levelling that follows loses.
const STEPS: Steps = Steps { first: 0.5, last: 2e-5, grow: 1.0, shrink: 0.93, enough: 0.0 };

/// On a sample. With many tasks the value is nearly smooth, so that the best step can be found.
/// After a sample the first step is the one found on it.
const ON_SAMPLE: Steps = Steps { last: 5e-3, grow: 1.1, shrink: 0.7, enough: 1e-5, ..STEPS };

/// On all tasks, after samples. What is left of the gap is far below the load of a task.
const AT_LAST: Steps = Steps { last: 2e-5, enough: 1e-7, ..ON_SAMPLE };

const ROUNDS: usize = 10;

/// With many tasks the ascent starts on samples: every 64th task, every 16th and so on, such that a
/// sample has at least this many tasks.
const SAMPLE: usize = 15_000;

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
    /// The latest end of a pair that is not left out.
    latest: Ticks,
}

impl Table {
    /// Scales times to units of `upper`, so that loads are of order one. Pairs that end after
    /// `upper` are left out.
    pub(super) fn new(instance: &Instance, upper: Ticks) -> Self {
        let (hosts, unit) = (instance.host_count(), upper.as_f64().max(1.0));
        let blocks = hosts.div_ceil(LANES);
        let mut latest = Ticks(0);
        let mut rows = vec![[f32::INFINITY; LANES]; blocks * instance.task_count()];
        for (task, row) in instance.tasks().zip(rows.chunks_mut(blocks)) {
            for (host, time) in instance.times(task) {
                let end = instance.ready(host) + time;
                if end <= upper {
                    latest = latest.max(end);
                    let place = &mut row[host.index() / LANES][host.index() % LANES];
                    *place = (time.as_f64() / unit) as f32;
                }
            }
        }
        let ready = instance.hosts().map(|host| instance.ready(host).as_f64() / unit);
        Self { hosts, rows, ready: ready.collect(), latest }
    }

    /// Whether a table for a smaller `upper` has fewer pairs.
    pub(super) fn shrinks_at(&self, upper: Ticks) -> bool {
        self.latest > upper
    }

    /// The value of the bound, and the load of each host when every task is on its cheapest host.
    /// Only every `stride`-th task counts, for as many. `weights` must sum to one.
    fn value(&self, weights: &[f64], stride: usize) -> (f64, Vec<f64>) {
        let blocks = self.hosts.div_ceil(LANES);
        let mut lanes = vec![[0.0_f32; LANES]; blocks];
        for (host, weight) in weights.iter().enumerate() {
            lanes[host / LANES][host % LANES] = *weight as f32;
        }
        let mut loads = vec![0.0; self.hosts];
        for row in self.rows.chunks(blocks).step_by(stride) {
            let host = cheapest(row, &lanes);
            let time = row[host / LANES][host % LANES];
            if time.is_finite() {
                loads[host] += f64::from(time);
            }
        }
        for (load, ready) in loads.iter_mut().zip(&self.ready) {
            *load = *load * stride as f64 + ready;
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
    let tasks = table.rows.len() / table.hosts.div_ceil(LANES);
    let weights = vec![1.0 / table.hosts as f64; table.hosts];
    let strides = (1..).map(|power| 4_usize.pow(power));
    let strides: Vec<usize> = strides.take_while(|stride| tasks / stride >= SAMPLE).collect();
    if strides.is_empty() {
        return ascend_by(table, weights, 1, STEPS, stop).0;
    }
    let mut from = (weights, ON_SAMPLE.first);
    for stride in strides.into_iter().rev() {
        from = ascend_by(table, from.0, stride, Steps { first: from.1, ..ON_SAMPLE }, stop);
    }
    ascend_by(table, from.0, 1, Steps { first: from.1, ..AT_LAST }, stop).0
}

/// The ascent from these weights on every `stride`-th task: the best weights and the last step.
fn ascend_by(
    table: &Table,
    mut weights: Vec<f64>,
    stride: usize,
    steps: Steps,
    stop: &Stop,
) -> (Vec<f64>, f64) {
    let (mut best, mut best_weights) = (f64::NEG_INFINITY, weights.clone());
    let (mut step, mut before) = (steps.first, f64::NEG_INFINITY);
    let (mut enough, mut half, mut in_vain) = (f64::NEG_INFINITY, 0.0, 0);
    for round in 0.. {
        let (value, loads) = table.value(&weights, stride);
        if value > best {
            (best, best_weights) = (value, weights.clone());
        }
        if round % ROUNDS == 0 {
            in_vain = if best < enough { in_vain + 1 } else { 0 };
            if in_vain == 3 || (in_vain > 0 && step > half) {
                break;
            }
            (enough, half) = (best * (1.0 + steps.enough), step / 2.0);
        }
        step *= if value > before { steps.grow } else { steps.shrink };
        // At a value of zero all loads are zero, so no weights are better than others.
        if value <= 0.0 || step <= steps.last || stop.is_due() {
            break;
        }
        before = value;
        for (weight, load) in weights.iter_mut().zip(loads) {
            let excess = (load / value - 1.0).clamp(-1.0, 1.0);
            *weight = (*weight * (step * excess).exp()).max(LEAST);
        }
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    (best_weights, step)
}
