//! Min-Min: again and again, of all tasks left, the one that can be completed first goes to the
//! host that completes it first.
//!
//! A heap holds the tasks by the completion time last seen. Loads only grow, so that is a lower
//! bound: if the top is still true it is the minimum, otherwise it is corrected and put back.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Heuristic, partial::Partial, shortlist::Shortlist};
use crate::model::{Instance, Mapping};

/// Min-Min.
pub struct MinMin;

impl Heuristic for MinMin {
    fn name(&self) -> &'static str {
        "minmin"
    }

    fn title(&self) -> &'static str {
        "Min-Min"
    }

    fn map(&self, instance: &Instance) -> Mapping {
        let mut partial = Partial::new(instance);
        let mut lists = Shortlist::of_all_tasks(&partial);
        let mut heap: BinaryHeap<_> = lists.iter().map(|l| Reverse((l.best.0, l.task))).collect();
        while let Some(Reverse((seen, task))) = heap.pop() {
            let list = &mut lists[task.index()];
            list.refresh(&partial);
            let (completion, host) = list.best;
            if completion == seen {
                partial.assign(task, host);
            } else {
                heap.push(Reverse((completion, task)));
            }
        }
        partial.finish()
    }
}
