//! A resource that fails and comes back, and the jobs that wait for that.

use super::Resource;
use crate::allocation::{JobId, Present, Slot};
use crate::belief::Belief;
use crate::failure::{Checkpoints, OnFailure};
use crate::work::Work;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// What there is to a resource that can fail.
pub(super) struct Outages {
    pub(super) on_failure: OnFailure,
    /// Since when it is down, if it is.
    pub(super) down: Option<Time>,
    pub(super) down_time: Ticks,
    /// Jobs that begin when it is back, in order, and those among them that were halted.
    pub(super) stranded: Vec<JobId>,
}

/// A job that a failure stopped.
pub(crate) struct Stopped {
    pub job: JobId,
    pub left: Work,
    pub is_running: bool,
}

impl Resource {
    /// Whether it is there.
    #[inline]
    pub fn is_up(&self) -> bool {
        self.outages.as_ref().is_none_or(|outages| outages.down.is_none())
    }

    /// What becomes of jobs when it fails, if it can.
    pub fn on_failure(&self) -> Option<OnFailure> {
        self.outages.as_ref().map(|outages| outages.on_failure)
    }

    /// The checkpoints that jobs make here.
    #[inline]
    pub(crate) fn checkpoints(&self) -> Option<Checkpoints> {
        self.outages.as_ref()?.on_failure.checkpoints()
    }

    /// Ticks it was down.
    pub fn down_time(&self, now: Time) -> Ticks {
        let of = |outages: &Outages| {
            outages.down_time + outages.down.map_or(Ticks(0), |since| now - since)
        };
        self.outages.as_deref().map_or(Ticks(0), of)
    }

    /// A job that is there waits until the resource is back.
    pub(crate) fn strand(&mut self, job: JobId) {
        let outages = self.outages.as_mut().expect("only what can fail is down");
        outages.stranded.push(job);
    }

    /// It fails: the jobs that run or wait, in order. They are there until they are taken away.
    pub(crate) fn go_down(&mut self) -> Vec<Stopped> {
        if let Some(outages) = &mut self.outages {
            outages.down = Some(self.now);
        }
        if let Some(belief) = &mut self.belief {
            *belief = Belief::default();
            let reserved = self.reserved.iter().flat_map(|reserved| &reserved.0);
            reserved.for_each(|&(_, pes, until)| belief.reserve(pes, until));
        }
        self.occupied_until = Time::ZERO;
        let present = self.allocation.present();
        let mut stopped: Vec<Option<Stopped>> = present.iter().map(|_| None).collect();
        // Those that wait first, so that none of them takes the place of another.
        for is_running in [false, true] {
            for (job, stopped) in present.iter().zip(&mut stopped).rev() {
                if job.is_running == is_running {
                    let &Present { job, slot, is_running } = job;
                    let left = self.allocation.cancel(slot);
                    *stopped = Some(Stopped { job, left, is_running });
                }
            }
        }
        stopped.into_iter().flatten().collect()
    }

    /// It is back: the jobs that waited for that.
    pub(crate) fn go_up(&mut self) -> Vec<JobId> {
        let Some(outages) = &mut self.outages else { return Vec::new() };
        let since = outages.down.take();
        outages.down_time += since.map_or(Ticks(0), |since| self.now - since);
        std::mem::take(&mut outages.stranded)
    }

    /// A stranded job leaves, or begins.
    pub(crate) fn unstrand(&mut self, job: JobId) {
        self.outages.iter_mut().for_each(|outages| outages.stranded.retain(|&other| other != job));
    }

    /// A halted job goes on after an outage, or during one; what it had left, if it has a place.
    pub(crate) fn resume_stranded(&mut self, slot: Option<Slot>) -> Option<Work> {
        self.occupancy.resume();
        slot.map(|slot| self.allocation.cancel(slot))
    }
}
