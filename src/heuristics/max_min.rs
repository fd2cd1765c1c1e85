//! Max-Min: like Min-Min, but of all tasks left the one whose earliest completion is *latest* goes
//! first, so that long tasks do not come last.
//!
//! A completion time seen earlier is only a lower bound, so a heap as in Min-Min would not find the
//! maximum. Instead every round refreshes the tasks whose best host has just got a task; the best
//! host of all others is unchanged. O(n²) comparisons.

use std::cmp::Reverse;

use super::{Heuristic, partial::Partial, shortlist::Shortlist};
use crate::model::{Instance, Mapping};

/// Max-Min.
pub struct MaxMin;

impl Heuristic for MaxMin {
    fn name(&self) -> &'static str {
        "maxmin"
    }

    fn title(&self) -> &'static str {
        "Max-Min"
    }

    fn map(&self, instance: &Instance) -> Mapping {
        let mut partial = Partial::new(instance);
        let mut left = Shortlist::of_all_tasks(&partial);
        while let Some(position) = latest(&left) {
            let chosen = left.swap_remove(position);
            let (_, host) = chosen.best;
            partial.assign(chosen.task, host);
            let touched = left.iter_mut().filter(|list| list.best.1 == host);
            touched.for_each(|list| list.refresh(&partial));
        }
        partial.finish()
    }
}

/// Where the task that completes last is; of equals the lowest task.
fn latest(left: &[Shortlist]) -> Option<usize> {
    let keys = left.iter().map(|list| (list.best.0, Reverse(list.task)));
    keys.enumerate().max_by_key(|&(_, key)| key).map(|(position, _)| position)
}
