//! Failures of a resource, and the jobs that wait until it is up again.

use super::Resource;
use crate::allocation::{JobId, Slot, Stopped};
use crate::belief::Belief;
use crate::failure::{AlsoLost, Checkpoints, Failures, OnFailure};
use crate::work::Work;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// State of a resource that can fail.
pub(super) struct Outages {
    pub(super) on_failure: OnFailure,
    pub(super) also_lost: AlsoLost,
    /// Time since when it is down, if it is.
    pub(super) down: Option<Time>,
    pub(super) down_time: Ticks,
    /// Jobs that start when it is up again, in order, and those among them that were halted.
    pub(super) stranded: Vec<JobId>,
}

impl Outages {
    /// A resource that is up, with these failures.
    pub(super) fn of(failures: &Failures) -> Self {
        let &Failures { on_failure, also_lost, .. } = failures;
        let (down_time, stranded) = (Ticks(0), Vec::new());
        Self { on_failure, also_lost, down: None, down_time, stranded }
    }
}

impl Resource {
    /// Whether the resource is up.
    #[inline]
    pub fn is_up(&self) -> bool {
        self.outages.as_ref().is_none_or(|outages| outages.down.is_none())
    }

    /// Rule for its jobs when it fails; `None` if it cannot fail.
    pub fn on_failure(&self) -> Option<OnFailure> {
        self.outages.as_ref().map(|outages| outages.on_failure)
    }

    /// Jobs that are lost when it fails although they do not run.
    pub(crate) fn also_lost(&self) -> AlsoLost {
        self.outages.as_ref().map_or(AlsoLost::default(), |outages| outages.also_lost)
    }

    /// The checkpoints that jobs make here, if any.
    #[inline]
    pub(crate) fn checkpoints(&self) -> Option<Checkpoints> {
        self.outages.as_ref()?.on_failure.checkpoints()
    }

    /// Total ticks in which it was down.
    pub fn down_time(&self, now: Time) -> Ticks {
        let of = |outages: &Outages| {
            outages.down_time + outages.down.map_or(Ticks(0), |since| now - since)
        };
        self.outages.as_deref().map_or(Ticks(0), of)
    }

    /// Lets a job wait until the resource is up.
    pub(crate) fn strand(&mut self, job: JobId) {
        let outages = self.outages.as_mut().expect("only what can fail is down");
        outages.stranded.push(job);
    }

    /// The resource fails: returns the running and queued jobs, in order. They still count as
    /// present until they are removed.
    pub(crate) fn go_down(&mut self) -> Vec<Stopped> {
        if let Some(outages) = &mut self.outages {
            outages.down = Some(self.now);
        }
        if let Some(belief) = &mut self.belief {
            *belief = Belief::default();
            let reserved = self.reserved.iter().flat_map(|reserved| &reserved.active);
            reserved.for_each(|&(_, pes, until)| belief.reserve(pes, until));
        }
        self.occupied_until = Time::ZERO;
        self.allocation.stop_all()
    }

    /// The resource is up again: returns the jobs that waited for it.
    pub(crate) fn go_up(&mut self) -> Vec<JobId> {
        let Some(outages) = &mut self.outages else { return Vec::new() };
        let since = outages.down.take();
        outages.down_time += since.map_or(Ticks(0), |since| self.now - since);
        std::mem::take(&mut outages.stranded)
    }

    /// Removes a waiting job that leaves or starts.
    pub(crate) fn unstrand(&mut self, job: JobId) {
        self.outages.iter_mut().for_each(|outages| outages.stranded.retain(|&other| other != job));
    }

    /// Resumes a halted job after or during an outage; returns the work it had left, if it has a
    /// slot.
    pub(crate) fn resume_stranded(&mut self, slot: Option<Slot>) -> Option<Work> {
        self.occupancy.resume();
        slot.map(|slot| self.allocation.cancel(slot))
    }
}
