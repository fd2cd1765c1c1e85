//! Free nodes over time: a list of steps, each with the free nodes of every cell.
//!
//! A sorted vector, changed in place. Finding the earliest start takes one scan over the steps if
//! nodes are equal; with cells of several speeds or clusters a start may be tried again with other
//! nodes.

use crate::job::ParallelJob;
use crate::pool::{Places, Share, has};
use crate::speed::Done;
use gridsat_engine::time::Time;

/// Free nodes over time; the last step lasts for ever.
pub struct Mixed {
    cells: usize,
    times: Vec<Time>,
    /// `cells` numbers per step.
    free: Vec<u32>,
    /// Reused to save allocations.
    window: Vec<u32>,
}

impl Mixed {
    pub fn new(cells: usize) -> Self {
        Self { cells, times: Vec::new(), free: Vec::new(), window: Vec::new() }
    }

    /// A profile of one cell with these steps.
    pub fn of_steps(steps: impl Iterator<Item = (Time, u32)>) -> Self {
        let (times, free) = steps.unzip();
        Self { cells: 1, times, free, window: Vec::new() }
    }

    /// Sets the free nodes from now on.
    pub fn reset(&mut self, now: Time, free: &[u32]) {
        self.times.clear();
        self.times.push(now);
        self.free.clear();
        self.free.extend_from_slice(free);
    }

    /// Removes steps that are past.
    pub fn advance(&mut self, now: Time) {
        let past = self.times.partition_point(|&time| time <= now).saturating_sub(1);
        self.times.drain(..past);
        self.free.drain(..past * self.cells);
        if let Some(first) = self.times.first_mut() {
            *first = now.max(*first);
        }
    }

    /// Marks nodes as occupied from one time to another.
    pub fn take(&mut self, from: Time, to: Time, shares: &[Share]) {
        self.change(from, to, shares, |free, nodes| *free -= nodes);
    }

    /// Marks nodes as free from one time to another.
    pub fn give(&mut self, from: Time, to: Time, shares: &[Share]) {
        self.change(from, to, shares, |free, nodes| *free += nodes);
    }

    /// The first time from one to another at which these nodes are not free; the second if there is
    /// none.
    pub fn has_until(&self, from: Time, to: Time, shares: &[Share]) -> Time {
        let first = self.times.partition_point(|&time| time <= from).saturating_sub(1);
        let steps = (first..self.times.len()).take_while(|&step| self.times[step] < to);
        let mut lacking = steps.filter(|&step| !has(self.at(step), shares));
        lacking.next().map_or(to, |step| self.times[step].max(from))
    }

    fn change(&mut self, from: Time, to: Time, shares: &[Share], change: fn(&mut u32, u32)) {
        let from = from.max(self.times[0]);
        if from >= to {
            return;
        }
        let first = self.cut(from);
        let last = self.cut(to);
        for step in first..last {
            for share in shares {
                change(&mut self.free[step * self.cells + share.cell as usize], share.nodes);
            }
        }
        self.mend(last);
        self.mend(first);
    }

    /// Splits a step so that one begins at this time; returns its index.
    fn cut(&mut self, time: Time) -> usize {
        let step = self.times.partition_point(|&other| other < time);
        if self.times.get(step) != Some(&time) {
            self.times.insert(step, time);
            let before = (step - 1) * self.cells..step * self.cells;
            self.free.extend_from_within(before.clone());
            // Moves the copy appended at the end to its place.
            self.free[before.end..].rotate_right(self.cells);
        }
        step
    }

    /// Removes a step that is equal to the previous one.
    fn mend(&mut self, step: usize) {
        if step == 0 || step >= self.times.len() || self.at(step - 1) != self.at(step) {
            return;
        }
        self.times.remove(step);
        self.free.drain(step * self.cells..(step + 1) * self.cells);
    }

    fn at(&self, step: usize) -> &[u32] {
        &self.free[step * self.cells..(step + 1) * self.cells]
    }

    fn total(&self, step: usize) -> u32 {
        self.at(step).iter().sum()
    }

    /// Whether this many nodes are free at some time before a limit. If not, no job that needs them
    /// can start before it.
    pub fn may_start_before(&self, limit: Time, nodes: u32) -> bool {
        let steps = self.times.partition_point(|&time| time < limit);
        (0..steps).any(|step| self.total(step) >= nodes)
    }

    /// The earliest start of a job; its placement is stored in `shares`.
    pub fn earliest(
        &mut self,
        places: &Places,
        job: &ParallelJob,
        shares: &mut Vec<Share>,
    ) -> Time {
        let nodes = job.least_nodes();
        let mut window = std::mem::take(&mut self.window);
        let mut step = 0;
        loop {
            while self.total(step) < nodes {
                step += 1;
            }
            window.clear();
            window.extend_from_slice(self.at(step));
            match self.hold(step, places, job, shares, &mut window) {
                Ok(()) => break,
                Err(next) => step = next,
            }
        }
        self.window = window;
        self.times[step]
    }

    /// Finds nodes that stay free for the duration of the job; if there are none, returns the next
    /// step to try.
    fn hold(
        &self,
        step: usize,
        places: &Places,
        job: &ParallelJob,
        shares: &mut Vec<Share>,
        window: &mut [u32],
    ) -> Result<(), usize> {
        let mut next = step + 1;
        while places.place(job, window, shares) {
            let end = self.times[step] + places.expected_span(job, shares, Done::NOTHING);
            loop {
                if self.times.get(next).is_none_or(|&time| time >= end) {
                    return Ok(());
                }
                let free = self.at(next);
                window.iter_mut().zip(free).for_each(|(least, free)| *least = *free.min(least));
                next += 1;
                if !has(window, shares) {
                    break;
                }
            }
        }
        // If the last step alone does not have enough nodes, no start before it is possible.
        let is_full = self.total(next - 1) < job.least_nodes();
        Err(if is_full { next } else { step + 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{ClusterId, ClusterSpec, Penalty};
    use crate::pool::NodeChoice;
    use gridsat_model::Ticks;
    use gridsat_workload::RigidJob;

    fn share(nodes: u32) -> [Share; 1] {
        [Share { cell: 0, nodes }]
    }

    fn steps(profile: &Mixed) -> Vec<(u64, u32)> {
        profile.times.iter().map(|time| time.0.0).zip(profile.free.iter().copied()).collect()
    }

    #[test]
    fn steps_by_hand() {
        let mut profile = Mixed::new(1);
        profile.reset(Time(Ticks(5)), &[10]);
        profile.take(Time(Ticks(5)), Time(Ticks(20)), &share(4));
        profile.take(Time(Ticks(10)), Time(Ticks(30)), &share(6));
        assert_eq!(steps(&profile), [(5, 6), (10, 0), (20, 4), (30, 10)]);
        profile.advance(Time(Ticks(12)));
        assert_eq!(steps(&profile), [(12, 0), (20, 4), (30, 10)]);
        profile.give(Time(Ticks(10)), Time(Ticks(20)), &share(4));
        profile.give(Time(Ticks(12)), Time(Ticks(30)), &share(6));
        assert_eq!(steps(&profile), [(12, 10)]);
    }

    #[test]
    fn finds_the_earliest_hole_that_lasts() {
        let clusters = [ClusterSpec::equal("a", 10)];
        let places =
            Places::new(&clusters, vec![ClusterId(0)], NodeChoice::FirstFit, Penalty::default());
        let mut profile = Mixed::new(1);
        profile.reset(Time(Ticks(0)), &[10]);
        profile.take(Time(Ticks(0)), Time(Ticks(20)), &share(4));
        profile.take(Time(Ticks(10)), Time(Ticks(30)), &share(6));
        let mut earliest = |nodes, estimate| {
            let rigid = RigidJob {
                number: 1,
                submit: Ticks(0),
                nodes,
                run: Ticks(1),
                estimate,
                priority: 0,
                user: 0,
            };
            profile.earliest(&places, &rigid.into(), &mut Vec::new()).0
        };
        assert_eq!(earliest(6, Ticks(10)), Ticks(0));
        assert_eq!(earliest(6, Ticks(11)), Ticks(30));
        assert_eq!(earliest(4, Ticks(11)), Ticks(20));
        assert_eq!(earliest(5, Ticks(0)), Ticks(0));
        assert_eq!(earliest(7, Ticks(0)), Ticks(30));
    }
}
