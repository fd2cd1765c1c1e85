//! Equation 4.3 of the thesis with any number of PEs: a job starts when the first PE is free.

use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

use super::super::belief::stretched;
use super::super::information::Told;
use super::super::resource::Resource;
use super::super::work::Speed;
use gridsat_engine::time::Time;

pub(super) fn state(resource: &Resource, now: Time) -> HostState {
    if let Some(delay) = resource.front().delay(now) {
        return HostState::Queue(delay);
    }
    let (pes, speed) = (resource.pe_count(), resource.speed());
    free_pes(resource.belief().delays(now, pes, speed), speed)
}

pub(super) fn told(told: &Told, now: Time) -> HostState {
    match told.delays(now)[..] {
        [delay] if told.seen.speed == Speed::FULL => HostState::Queue(delay),
        ref free => free_pes(free.to_vec(), told.seen.speed),
    }
}

fn free_pes(mut free: Vec<Ticks>, speed: Speed) -> HostState {
    free.sort_unstable();
    HostState::Other(Box::new(FreePes { free, speed }))
}

/// Ticks until each PE is free, soonest first.
#[derive(Clone, Debug)]
struct FreePes {
    free: Vec<Ticks>,
    speed: Speed,
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
