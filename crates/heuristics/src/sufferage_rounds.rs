//! Sufferage in rounds: the general loop of figure 2.8 of Rhodes' thesis, one task per round.
//!
//! The task with the largest sufferage, of equal ones the lowest, goes to its best host; then all
//! completions are looked at again. Between hosts this is the Sufferage of the thesis. Between
//! sites it is XSufferage (Casanova, Legrand, Zagorodnov and Berman 2000): a site completes a task
//! when its best host does, and the sufferage is the completion on the second best site minus that
//! on the best, infinite if only one site can run it. Losing one host of a site to another task
//! then costs little, because the next host of the site has the files too.
//!
//! Not here: passes in which every host gets a task, in `sufferage_passes`.

use std::cmp::Reverse;

use super::{Heuristic, Partial, Problem, heuristic::named, shortlist::Shortlist};
use gridsat_model::{HostId, TaskId};

/// Sufferage between hosts, one task per round.
pub struct SufferageRounds;

/// Sufferage between sites, one task per round.
pub struct XSufferage;

impl Heuristic for SufferageRounds {
    named!("sufferage-rounds", "Sufferage in rounds");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        in_rounds(problem, &problem.each_host_a_site())
    }
}

impl Heuristic for XSufferage {
    named!("xsufferage", "XSufferage");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        in_rounds(problem, &problem.sites)
    }
}

fn in_rounds(problem: &Problem, sites: &[u32]) -> Vec<(TaskId, HostId)> {
    let mut partial = Partial::new(problem);
    let mut left = Shortlist::of_all_tasks(&partial, sites);
    while !partial.is_over() {
        let Some(position) = neediest(&left) else { break };
        let Shortlist { task, best: (_, host), .. } = left.swap_remove(position);
        partial.assign(task, host);
        let touched = left.iter_mut().filter(|list| !list.ignores(host, &partial));
        touched.for_each(|list| list.refresh(&partial, sites));
    }
    partial.finish()
}

/// The index of the task with the largest sufferage, among those that some host completes.
fn neediest(left: &[Shortlist]) -> Option<usize> {
    let possible = left.iter().enumerate().filter(|(_, list)| list.is_somewhere());
    let neediest = possible.max_by_key(|(_, list)| (list.sufferage(), Reverse(list.task)));
    neediest.map(|(position, _)| position)
}
