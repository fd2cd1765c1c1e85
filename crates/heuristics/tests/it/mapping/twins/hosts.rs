//! Hosts with several processors, estimated as in Rhodes' thesis (equations 4.4 and 4.5).

use gridsat_heuristics::HostModel;
use gridsat_model::Ticks;

/// Time sharing: the jobs of a processor slow each other down. Without processors the host never
/// completes anything.
#[derive(Clone)]
pub struct TimeShared {
    pub pes: u64,
    pub jobs: u64,
}

impl HostModel for TimeShared {
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        Some(time * (self.jobs.checked_div(self.pes)? + 1))
    }

    fn assign(&mut self, _: Ticks) {
        self.jobs += 1;
    }

    /// One tick per job that has to share.
    fn delay(&self) -> Ticks {
        Ticks(self.jobs.checked_div(self.pes).unwrap_or(Ticks::MAX.0))
    }

    fn is_monotone(&self) -> bool {
        true
    }

    fn fork(&self) -> Box<dyn HostModel> {
        Box::new(self.clone())
    }
}

/// Space sharing: the wait is an average over the queue, so a short job can make it shorter.
#[derive(Clone)]
pub struct SpaceShared {
    pub pes: u64,
    pub jobs: u64,
    pub queued: Ticks,
}

impl HostModel for SpaceShared {
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        Some(self.delay() + time)
    }

    fn assign(&mut self, time: Ticks) {
        self.jobs += 1;
        self.queued += time;
    }

    fn delay(&self) -> Ticks {
        let average = self.queued.0.checked_div(self.jobs).unwrap_or(0);
        Ticks(average * (1 + self.jobs / self.pes))
    }

    fn is_monotone(&self) -> bool {
        false
    }

    fn fork(&self) -> Box<dyn HostModel> {
        Box::new(self.clone())
    }
}
