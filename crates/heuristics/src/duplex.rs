//! Duplex: runs Min-Min and Max-Min and keeps the better result.
//!
//! Better is what assigns more tasks, and of the same number what completes the last one earlier;
//! Min-Min's if both are equal. Numbers differ only under a time limit: then both keep the hosts
//! busy up to the limit, and more tasks mean fewer are left.

use std::cmp::Reverse;

use super::{Heuristic, Partial, Problem, heuristic::named, max_min, min_min};
use gridsat_model::{HostId, TaskId};

/// Duplex.
pub struct Duplex;

impl Heuristic for Duplex {
    named!("duplex", "Duplex");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        let (min_min, max_min) = (min_min::run(problem), max_min::run(problem));
        let rank = |partial: &Partial| (Reverse(partial.count()), partial.latest());
        if rank(&max_min) < rank(&min_min) { max_min.finish() } else { min_min.finish() }
    }
}
