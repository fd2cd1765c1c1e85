//! Bounds that need no search: latest ready time, longest task, average load.
//!
//! ```text
//! latest ready    max_h ready_h
//! longest task    max_t min_h (ready_h + p_th)
//! average load    ceil((Σ_t min_h p_th + Σ_h ready_h) / m)
//! ```
//!
//! The average load is strengthened: when k is refuted, pairs that cannot end by k are left out of
//! the minima, which can raise them. It is strong when hosts differ little and weak when one host
//! is fastest for all tasks.

use std::cmp::Reverse;

use super::reason::{earliest_end, first_not_refuted, without_dropping};
use crate::reason::{LowerBound, Reason};
use gridsat_model::{Instance, Stop};

/// No makespan is below the latest ready time, because a host counts even if it gets no task.
pub fn latest_ready(instance: &Instance) -> LowerBound {
    let value = instance.latest_ready();
    let host = instance.hosts().find(|&h| instance.ready(h) == value).expect("there is a host");
    LowerBound::new(value, |k| Reason::Ready { k, host: host.0 })
}

/// The task that would end last if each task ran alone; of equal ones the lowest number.
pub fn longest_task(instance: &Instance) -> LowerBound {
    let ends = instance.tasks().map(|task| (earliest_end(instance, task), Reverse(task)));
    let (value, Reverse(task)) = ends.max().expect("there is a task");
    LowerBound::new(value, |k| Reason::LongestTask { k, task: task.0 })
}

/// The bound of equal host weights. If stopped early, possibly less than they prove.
pub fn average_load(instance: &Instance, stop: &Stop) -> LowerBound {
    let weights = vec![1; instance.host_count()];
    let start = without_dropping(instance, &weights);
    let value = first_not_refuted(instance, &weights, start, stop);
    LowerBound::new(value, |k| Reason::Weights { k, weights })
}
