//! Duplex: runs Min-Min and Max-Min and keeps the better result.
//!
//! The result that assigns more tasks is better; of equal numbers the one that completes the last
//! task earlier; Min-Min's if both are equal. Numbers differ only under a time limit: then both
//! keep the hosts busy up to the limit, and the result with more tasks leaves fewer for later.

use std::cmp::Reverse;

use super::{Heuristic, Partial, Problem, heuristic::named, max_min, min_min};
use gridsat_model::{HostId, TaskId};

/// The heuristic Duplex.
pub struct Duplex;

impl Heuristic for Duplex {
    named!("duplex", "Duplex");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        let (min_min, max_min) = (min_min::run(problem), max_min::run(problem));
        // One of two results would pass for the better one.
        if problem.stop.is_due() {
            return Vec::new();
        }
        let rank = |partial: &Partial| (Reverse(partial.count()), partial.latest());
        if rank(&max_min) < rank(&min_min) { max_min.finish() } else { min_min.finish() }
    }
}
