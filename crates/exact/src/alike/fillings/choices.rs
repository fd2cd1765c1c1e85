//! All fillings of the host with the longest task left that matter.
//!
//! A filling matters if its price leaves the other hosts no more than they can hold, and if it
//! cannot be made longer by adding a task or by taking one in place of a shorter one: of all
//! packings, one in which the host is filled longest has such a filling. The order is that of the
//! certificate, lexicographic by times, longest first.

use super::case::{Case, Filling, Problem};

/// More fillings than this are not looked at.
const MOST: usize = 100_000;

/// Steps in the search for fillings: as many as it takes, and few.
pub(super) const STEPS: u64 = 20_000_000;
pub(super) const FEW_STEPS: u64 = 50_000;

/// The fillings with at least this price, which depends on the room; `None` if there are too many
/// to find in so many steps. Prices are by class.
pub(super) fn choices(
    problem: &Problem,
    case: &mut Case,
    prices: &[u64],
    least: impl Fn(usize) -> u64,
    most_steps: u64,
) -> Option<Vec<Filling>> {
    let longest = case.left().next()?;
    let time = problem.times[longest];
    let left: Vec<usize> = case.left().collect();
    let mut steepest = vec![0.0; left.len()];
    let mut most = 0.0_f64;
    for (place, &class) in left.iter().enumerate().rev() {
        // A little more than the ratio, so that rounding loses no filling.
        most = most.max(prices[class] as f64 / problem.times[class] as f64 * (1.0 + 1e-9));
        steepest[place] = most;
    }
    let places: Vec<usize> = case.places().filter(|&place| problem.rooms[place] >= time).collect();
    let filling = Filling { place: *places.first()?, classes: vec![longest as u32] };
    let mut search =
        Search { problem, prices, left, steepest, filling, found: Vec::new(), steps: most_steps };
    case.counts[longest] -= 1;
    let is_whole = places.into_iter().all(|place| {
        search.filling.place = place;
        let least = least(place).saturating_sub(prices[longest]);
        search.extend(case, 0, problem.rooms[place] - time, least)
    });
    case.counts[longest] += 1;
    is_whole.then_some(search.found)
}

struct Search<'a> {
    problem: &'a Problem,
    prices: &'a [u64],
    left: Vec<usize>,
    /// The highest price per time of each class in `left` and those after it.
    steepest: Vec<f64>,
    filling: Filling,
    found: Vec<Filling>,
    /// Steps left.
    steps: u64,
}

impl Search<'_> {
    /// Adds tasks of this class and the following ones in all ways; false if there are too many. As
    /// deep as tasks fit a host, but the number of steps is limited.
    fn extend(&mut self, case: &mut Case, from: usize, room: u64, least: u64) -> bool {
        if self.steps == 0 || self.found.len() > MOST || self.filling.classes.len() > 1000 {
            return false;
        }
        for place in from..self.left.len() {
            let class = self.left[place];
            let time = self.problem.times[class];
            self.steps = self.steps.saturating_sub(1);
            if self.steepest[place] * (room as f64) < least as f64 - 0.5 {
                break;
            }
            if case.counts[class] == 0 || time > room {
                continue;
            }
            case.counts[class] -= 1;
            self.filling.classes.push(class as u32);
            let rest = least.saturating_sub(self.prices[class]);
            let is_whole = self.extend(case, place, room - time, rest);
            self.filling.classes.pop();
            case.counts[class] += 1;
            if !is_whole {
                return false;
            }
        }
        if least == 0 && self.is_longest(case, room) {
            self.found.push(self.filling.clone());
        }
        true
    }

    /// Whether no task can be added or taken in place of a shorter one.
    fn is_longest(&mut self, case: &Case, room: u64) -> bool {
        let times = &self.problem.times;
        let shortest = self.left.iter().rev().find(|&&class| case.counts[class] > 0);
        if shortest.is_some_and(|&class| times[class] <= room) {
            return false;
        }
        let longer = |in_set: u32| {
            let time = times[in_set as usize];
            let place = self.left.partition_point(|&class| class < in_set as usize);
            let before = self.left[..place].iter().rev();
            let mut fitting = before.take_while(|&&class| times[class] - time <= room);
            fitting.any(|&class| case.counts[class] > 0)
        };
        !self.filling.classes[1..].iter().any(|&class| longer(class))
    }
}
