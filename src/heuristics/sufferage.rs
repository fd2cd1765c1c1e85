//! Sufferage: a host goes to the task that would suffer most without it.
//!
//! The sufferage of a task is its second earliest completion time minus its earliest, and infinite
//! if it can run on one host only. This is the version in passes (Maheswaran et al. 1999): in a
//! pass every task left asks, in task order, for its best host; a host keeps the asker with the
//! larger sufferage, the earlier one of equals; loads are updated only when the pass ends.
//!
//! Not here: the version that assigns only the one most suffering task a round.

use super::{Heuristic, partial::Partial, shortlist::Shortlist};
use crate::model::{Instance, Mapping, TaskId, Ticks};

/// Sufferage.
pub struct Sufferage;

impl Heuristic for Sufferage {
    fn name(&self) -> &'static str {
        "sufferage"
    }

    fn title(&self) -> &'static str {
        "Sufferage"
    }

    fn map(&self, instance: &Instance) -> Mapping {
        let mut partial = Partial::new(instance);
        let mut left = Shortlist::of_all_tasks(&partial);
        let mut assigned = vec![false; instance.task_count()];
        while !left.is_empty() {
            let winners = pass(instance.host_count(), &left);
            for (host, winner) in instance.hosts().zip(winners) {
                if let Some((_, task)) = winner {
                    partial.assign(task, host);
                    assigned[task.index()] = true;
                }
            }
            left.retain(|list| !assigned[list.task.index()]);
            left.iter_mut().for_each(|list| list.refresh(&partial));
        }
        partial.finish()
    }
}

/// The task each host keeps, with its sufferage.
fn pass(host_count: usize, left: &[Shortlist]) -> Vec<Option<(Ticks, TaskId)>> {
    let mut winners: Vec<Option<(Ticks, TaskId)>> = vec![None; host_count];
    for list in left {
        let (_, host) = list.best;
        let sufferage = list.sufferage();
        let winner = &mut winners[host.index()];
        if winner.is_none_or(|(largest, _)| largest < sufferage) {
            *winner = Some((sufferage, list.task));
        }
    }
    winners
}
