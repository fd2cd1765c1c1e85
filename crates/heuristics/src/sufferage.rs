//! Sufferage: a host goes to the task that would suffer most without it.
//!
//! The sufferage of a task is its second earliest completion time minus its earliest, and infinite
//! if it can run on one host only. This is the version in passes (Maheswaran et al. 1999): in a
//! pass every task left requests, in task order, its best host; a host keeps the request with the
//! larger sufferage, of equal ones the earlier. Loads are updated only when the pass ends, so a
//! time limit is checked before each pass.
//!
//! Not here: the version that assigns only the task of largest sufferage per round; that is
//! XSufferage with each host as a site.

use super::{Heuristic, Partial, Problem, heuristic::named, shortlist::Shortlist};
use gridsat_model::{HostId, TaskId, Ticks};

/// The heuristic Sufferage.
pub struct Sufferage;

impl Heuristic for Sufferage {
    named!("sufferage", "Sufferage");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        let sites: Vec<u32> = problem.instance.hosts().map(|host| host.0).collect();
        let mut partial = Partial::new(problem);
        let mut left = Shortlist::of_all_tasks(&partial, &sites);
        let mut is_assigned = vec![false; problem.instance.task_count()];
        while !partial.is_over() {
            left.retain(|list| list.is_somewhere() && !is_assigned[list.task.index()]);
            if left.is_empty() {
                break;
            }
            for (host, winner) in problem.instance.hosts().zip(winners(&partial, &left)) {
                if let Some((_, task)) = winner {
                    partial.assign(task, host);
                    is_assigned[task.index()] = true;
                }
            }
            left.iter_mut().for_each(|list| list.refresh(&partial, &sites));
        }
        partial.finish()
    }
}

/// The task each host keeps, with its sufferage.
fn winners(partial: &Partial, left: &[Shortlist]) -> Vec<Option<(Ticks, TaskId)>> {
    let mut winners: Vec<Option<(Ticks, TaskId)>> = vec![None; partial.hosts().len()];
    for list in left {
        let sufferage = list.sufferage();
        let winner = &mut winners[list.best.1.index()];
        if winner.is_none_or(|(largest, _)| largest < sufferage) {
            *winner = Some((sufferage, list.task));
        }
    }
    winners
}
