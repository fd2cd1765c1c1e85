//! The exact check of reasons.

use super::prices;
use crate::reason::Reason;
use gridsat_model::{HostId, Instance, Stop, TaskId, Ticks};

/// Weights up to this keep every weighted sum inside an `i128`: a sum has at most 2^24 terms (one a
/// host) below 2^40·2^62, or is at most 2^40 times the total of all times, which is below 2^62.
pub(super) const MAX_WEIGHT: u64 = 1 << 40;

/// Whether the reason, applied to k instead of its own, shows that no mapping has makespan ≤ k.
/// Exact; `false` where weights are so large that it cannot be computed or are not one per host,
/// and for reasons that no bound gives.
///
/// Refuting k implies refuting every smaller k: less room, and fewer pairs to choose from.
pub fn refutes(instance: &Instance, reason: &Reason, k: Ticks) -> bool {
    match reason {
        Reason::Ready { host, .. } => instance.ready(HostId(*host)) > k,
        Reason::LongestTask { task, .. } => earliest_end(instance, TaskId(*task)) > k,
        Reason::Weights { weights, .. } => weights_refute(instance, weights, k),
        Reason::Prices { prices, .. } => prices::refute(instance, prices, k),
        Reason::Tree { .. } | Reason::Unsat(_) => false,
    }
}

/// When the task ends if it is alone on its best host.
pub(super) fn earliest_end(instance: &Instance, task: TaskId) -> Ticks {
    let ends = instance.times(task).map(|(h, time)| instance.ready(h) + time);
    ends.min().expect("every task can run somewhere")
}

fn weights_refute(instance: &Instance, weights: &[u64], k: Ticks) -> bool {
    if weights.len() != instance.host_count() {
        return false;
    }
    match (work(instance, weights, k), room(instance, weights, k)) {
        (Work::Impossible, _) => true,
        (Work::AtLeast(work), Some(room)) => work > room,
        _ => false,
    }
}

/// What the tasks cost, each where it is cheapest among the hosts it can end on by k.
enum Work {
    AtLeast(i128),
    /// Some task ends after k on every host.
    Impossible,
    Overflow,
}

fn work(instance: &Instance, weights: &[u64], k: Ticks) -> Work {
    let mut sum = 0_i128;
    for task in instance.tasks() {
        let fitting = instance.times(task).filter(|&(host, time)| instance.ready(host) + time <= k);
        let cheapest =
            fitting.map(|(host, time)| i128::from(weights[host.index()]) * i128::from(time)).min();
        let Some(cost) = cheapest else {
            return Work::Impossible;
        };
        match sum.checked_add(cost) {
            Some(larger) => sum = larger,
            None => return Work::Overflow,
        }
    }
    Work::AtLeast(sum)
}

/// `Σ_h w_h·(k − ready_h)`; a host that is not ready by k counts negative.
fn room(instance: &Instance, weights: &[u64], k: Ticks) -> Option<i128> {
    let free = |host| i128::from(k) - i128::from(instance.ready(host));
    instance.hosts().zip(weights).try_fold(0_i128, |sum, (host, &weight)| {
        sum.checked_add(i128::from(weight).checked_mul(free(host))?)
    })
}

/// The smallest value the weights do not refute, given that they or another reason refute
/// everything below `from`.
///
/// As refutation is monotone, steps of doubling length find an interval and halving does the rest.
/// Stopped, the largest value found to be refuted so far, and one more.
pub(super) fn first_not_refuted(
    instance: &Instance,
    weights: &[u64],
    from: Ticks,
    stop: &Stop,
) -> Ticks {
    let refuted = |k| !stop.is_due() && weights_refute(instance, weights, k);
    let (mut low, mut step) = (from, 1);
    // The makespan of any mapping is never refuted and is at most 2^62: no overflow.
    while refuted(low + Ticks(step) - Ticks(1)) {
        low += Ticks(step);
        step *= 2;
    }
    // Everything below `low` is refuted, `low + step − 1` is not.
    let mut high = low + Ticks(step) - Ticks(1);
    while low < high {
        let middle = low + (high - low) / 2;
        if refuted(middle) {
            low = middle + Ticks(1);
        } else {
            high = middle;
        }
    }
    low
}

/// The best integer `v` with every k < v refuted by the weights even if no pair is dropped:
/// `ceil((Σ_t min_h w_h·p_th + Σ_h w_h·ready_h) / Σ_h w_h)`. A good place to start from.
pub(super) fn without_dropping(instance: &Instance, weights: &[u64]) -> Ticks {
    let total: i128 = weights.iter().map(|&weight| i128::from(weight)).sum();
    let (Work::AtLeast(work), Some(room)) =
        (work(instance, weights, Instance::MAX_TOTAL), room(instance, weights, Ticks(0)))
    else {
        return Ticks(0);
    };
    if total == 0 {
        return Ticks(0);
    }
    // `room` at k = 0 is minus the weighted ready times.
    let ceiling = (work - room + total - 1) / total;
    Ticks::try_from(ceiling).unwrap_or(Ticks(0))
}
