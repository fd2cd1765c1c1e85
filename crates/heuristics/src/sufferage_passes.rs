//! Sufferage in passes (Maheswaran et al. 1999): a host goes to the task that would suffer most
//! without it, and every host gets a task before loads are looked at again.
//!
//! The sufferage of a task is its second earliest completion time minus its earliest, and infinite
//! if it can run on one host only. In a pass every task left requests, in task order, its best
//! host; a host keeps the request with the larger sufferage, of equal ones the earlier. Loads are
//! updated only when the pass ends, so a time limit is checked before each pass.
//!
//! Between sites the second completion is that on the best other site, as in XSufferage; hosts
//! still keep one task each per pass.
//!
//! Not here: one task per round, in `sufferage_rounds`.

use super::{Heuristic, Partial, Problem, heuristic::named, shortlist::Shortlist};
use gridsat_model::{HostId, TaskId, Ticks};

/// Sufferage between hosts, in passes.
pub struct Sufferage;

/// Sufferage between sites, in passes.
pub struct XSufferagePasses;

impl Heuristic for Sufferage {
    named!("sufferage", "Sufferage");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        in_passes(problem, &problem.each_host_a_site())
    }
}

impl Heuristic for XSufferagePasses {
    named!("xsufferage-passes", "XSufferage in passes");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        in_passes(problem, &problem.sites)
    }
}

fn in_passes(problem: &Problem, sites: &[u32]) -> Vec<(TaskId, HostId)> {
    let mut partial = Partial::new(problem);
    let mut left = Shortlist::of_all_tasks(&partial, sites);
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
        left.iter_mut().for_each(|list| list.refresh(&partial, sites));
    }
    partial.finish()
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
