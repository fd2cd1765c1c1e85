//! The exact check of the reasons of bounds.

use super::prices;
use crate::reason::Reason;
use gridsat_model::{HostId, Instance, Stop, TaskId, Ticks};

/// Largest weight. It keeps every weighted sum within an `i128`: a sum has at most 2^24 terms (one
/// per host) below 2^40·2^62, or is at most 2^40 times the total of all times, which is below
/// 2^62.
pub(super) const MAX_WEIGHT: u64 = 1 << 40;

/// Whether the reason, applied to this k, proves that no mapping has makespan ≤ k. The
/// computation is exact; `false` if weights are too large to compute or not one per host, and for
/// reasons that are not bounds.
///
/// Refuting k implies refuting every smaller k: there is less room, and there are fewer pairs.
pub fn refutes(instance: &Instance, reason: &Reason, k: Ticks) -> bool {
    match reason {
        Reason::Ready { host, .. } => instance.ready(HostId(*host)) > k,
        Reason::LongestTask { task, .. } => earliest_end(instance, TaskId(*task)) > k,
        Reason::Weights { weights, .. } => weights_refute(instance, weights, k),
        Reason::Prices { prices, .. } => prices::refute(instance, prices, k),
        Reason::Part { .. } | Reason::Fillings { .. } | Reason::Tree { .. } | Reason::Unsat(_) => {
            false
        }
    }
}

/// The earliest end of the task if it is alone on its host.
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

/// The weighted work: each task on its cheapest host among those on which it can end by k.
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

/// The smallest value the weights do not refute, if they or another reason refute everything below
/// `from`.
///
/// Refutation is monotone, so steps of doubling length find an interval and bisection the value. If
/// stopped early, one more than the largest value known to be refuted.
pub(super) fn first_not_refuted(
    instance: &Instance,
    weights: &[u64],
    from: Ticks,
    stop: &Stop,
) -> Ticks {
    let refuted = |k| !stop.is_due() && weights_refute(instance, weights, k);
    let (mut low, mut step) = (from, 1);
    // The makespan of a mapping is never refuted and is at most 2^62, so nothing overflows.
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

/// A lower estimate of that value, without dropping pairs:
/// `ceil((Σ_t min_h w_h·p_th + Σ_h w_h·ready_h) / Σ_h w_h)`. A good starting value.
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
    // `room` at k = 0 is minus the sum of weighted ready times.
    let ceiling = (work - room + total - 1) / total;
    Ticks::try_from(ceiling).unwrap_or(Ticks(0))
}
