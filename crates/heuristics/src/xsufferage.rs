//! XSufferage (Casanova, Legrand, Zagorodnov and Berman 2000): sufferage between sites.
//!
//! A site completes a task when its best host does. The sufferage of a task is the completion on
//! its second best site minus that on its best, infinite if only one site can run it. One task per
//! round is assigned to its best host: the one with the largest sufferage, of equal ones the
//! lowest. This is the general loop of figure 2.8 of Rhodes' thesis. Losing one host of a site to
//! another task then costs little, because the next host of the site has the files too.
//!
//! Not here: passes as in Sufferage; with each host as a site that would be Sufferage again.

use std::cmp::Reverse;

use super::{Heuristic, Partial, Problem, heuristic::named, shortlist::Shortlist};
use gridsat_model::{HostId, TaskId};

/// The heuristic XSufferage.
pub struct XSufferage;

impl Heuristic for XSufferage {
    named!("xsufferage", "XSufferage");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        let mut partial = Partial::new(problem);
        let mut left = Shortlist::of_all_tasks(&partial, &problem.sites);
        while !partial.is_over() {
            let Some(position) = neediest(&left) else { break };
            let Shortlist { task, best: (_, host), .. } = left.swap_remove(position);
            partial.assign(task, host);
            let touched = left.iter_mut().filter(|list| !list.ignores(host, &partial));
            touched.for_each(|list| list.refresh(&partial, &problem.sites));
        }
        partial.finish()
    }
}

/// The index of the task with the largest sufferage, among those that some host completes.
fn neediest(left: &[Shortlist]) -> Option<usize> {
    let possible = left.iter().enumerate().filter(|(_, list)| list.is_somewhere());
    let neediest = possible.max_by_key(|(_, list)| (list.sufferage(), Reverse(list.task)));
    neediest.map(|(position, _)| position)
}
