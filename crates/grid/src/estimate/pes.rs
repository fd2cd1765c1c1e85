//! Equation 4.3 of the thesis with any number of PEs: a job starts when the first PE is free. A job
//! on p PEs starts when p are free.

use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

use super::super::belief::stretched;
use super::super::information::Told;
use super::super::resource::Resource;
use super::super::work::Speed;
use super::foresight;
use gridsat_engine::time::Time;

pub(super) fn state(resource: &Resource, now: Time) -> HostState {
    if let Some(delay) = resource.front().delay(now) {
        return HostState::Queue(delay);
    }
    let speed = resource.speed();
    let free = FreePes::new(resource.belief().delays(now, resource.layout(), speed), speed);
    if resource.coming().is_empty() || speed == Speed::ZERO {
        return HostState::Other(Box::new(free));
    }
    foresight::state(resource, now, free)
}

/// The state for one job on this many PEs: they are free at once when the last of them is.
pub(in super::super) fn wide(mut delays: Vec<Ticks>, pes: u32, speed: Speed) -> HostState {
    delays.sort_unstable();
    let last = delays.get(pes as usize - 1).copied().unwrap_or(Ticks::MAX);
    HostState::Other(Box::new(FreePes::new(vec![last], speed)))
}

pub(super) fn told(told: &Told, now: Time) -> HostState {
    match told.delays(now)[..] {
        [delay] if told.seen.speed == Speed::FULL => HostState::Queue(delay),
        ref free => HostState::Other(Box::new(FreePes::new(free.to_vec(), told.seen.speed))),
    }
}

/// Ticks until each PE is free, soonest first.
#[derive(Clone, Debug)]
pub(super) struct FreePes {
    free: Vec<Ticks>,
    speed: Speed,
}

impl FreePes {
    fn new(mut free: Vec<Ticks>, speed: Speed) -> Self {
        free.sort_unstable();
        Self { free, speed }
    }
}

impl HostModel for FreePes {
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        let completion = self.free[0].saturating_add(stretched(time, self.speed));
        (completion < Ticks::MAX).then_some(completion)
    }

    fn assign(&mut self, time: Ticks) {
        let end = self.free[0].saturating_add(stretched(time, self.speed));
        let place = self.free.partition_point(|&free| free <= end);
        self.free[..place].rotate_left(1);
        self.free[place - 1] = end;
    }

    fn delay(&self) -> Ticks {
        self.free[0]
    }

    fn fork(&self) -> Box<dyn HostModel> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_free_pe_gets_the_job() {
        let mut pes = FreePes { free: vec![Ticks(2), Ticks(3), Ticks(9)], speed: Speed::FULL };
        let mut ends = Vec::new();
        for time in [5, 1, 4, 0] {
            ends.push(pes.completion(Ticks(time)));
            pes.assign(Ticks(time));
        }
        assert_eq!(ends, [Some(Ticks(7)), Some(Ticks(4)), Some(Ticks(8)), Some(Ticks(7))]);
        assert_eq!(pes.free, [Ticks(7), Ticks(8), Ticks(9)]);
    }
}
