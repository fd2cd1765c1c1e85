//! Hosts whose filling is forced: the longest task left, and the one task that takes as long as any
//! set that fits beside it, if hosts of one room only can have the longest task.
//!
//! Such a set and that task could be exchanged in every packing: the other host gets no more than
//! before. Martello and Toth (1990) use this for bin packing.

use super::super::sums::{LARGEST, Sums};
use super::case::{Case, Filling, Problem};

/// The forced filling of the host with the longest task left; `None` if there is a choice.
pub(super) fn forced(problem: &Problem, case: &Case) -> Option<Filling> {
    let longest = case.left().next()?;
    let time = problem.times[longest];
    let mut fitting = case.places().filter(|&place| problem.rooms[place] >= time);
    // Hosts of one room only may have the longest task.
    let place = fitting.next().filter(|_| fitting.next().is_none())?;
    let rest = problem.rooms[place] - time;
    let left = |class: usize| case.counts[class] - u32::from(class == longest);
    let fits = |&class: &usize| left(class) > 0 && problem.times[class] <= rest;
    let Some(second) = case.left().find(fits) else {
        return Some(Filling { place, classes: vec![longest as u32] });
    };
    let filling = Filling { place, classes: vec![longest as u32, second as u32] };
    let time = problem.times[second];
    if time == rest || shortest_two(problem, case, left).is_none_or(|sum| sum > rest) {
        return Some(filling);
    }
    if rest > LARGEST {
        return None;
    }
    let mut sums = Sums::new(rest);
    for class in case.left().filter(fits) {
        let most = (rest / problem.times[class]).min(left(class).into());
        for _ in 0..most {
            if sums.add(problem.times[class], 0) {
                return None;
            }
        }
    }
    (sums.largest() == time).then_some(filling)
}

/// The time of the two shortest tasks together.
fn shortest_two(problem: &Problem, case: &Case, left: impl Fn(usize) -> u32) -> Option<u64> {
    let equal =
        |class: usize| std::iter::repeat_n(problem.times[class], left(class).min(2) as usize);
    let mut shortest = case.left().rev().flat_map(equal);
    Some(shortest.next()? + shortest.next()?)
}
