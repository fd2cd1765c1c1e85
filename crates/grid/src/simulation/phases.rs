//! Jobs that need both I/O operations and instructions: first the device of the machine, then PEs.
//!
//! A job of a GridSim user has a length and disk operations; here the operations come first, as
//! reading input does, and the PEs are not used meanwhile. Until its operations are done the job
//! counts as waiting at its resource, and as running at the device. If the device fails, the
//! operations start again; they are never checkpointed.

use std::collections::HashMap;

use super::{Event, Simulation};
use crate::allocation::{JobId, Slot, Stopped};
use crate::failure::{Goes, OnFailure};
use crate::grid::ResourceId;
use crate::happening::Happening;
use crate::job::Outcome;
use crate::work::Work;
use gridsat_engine::Engine;
use gridsat_model::Ticks;

/// The I/O phase of a job.
#[derive(Clone, Copy, Debug)]
struct Phase {
    device: ResourceId,
    time: Ticks,
    /// `None` while the device is down.
    slot: Option<Slot>,
    is_halted: bool,
}

/// Jobs in their I/O phase.
#[derive(Default)]
pub(super) struct Phases(HashMap<JobId, Phase>);

impl Phases {
    /// Whether the job is at a device before it goes on to its resource.
    #[inline]
    pub fn has(&self, job: JobId) -> bool {
        !self.0.is_empty() && self.0.contains_key(&job)
    }
}

impl Simulation<'_> {
    /// Sends a job that waits at a resource to its device first; false if it needs none.
    pub(super) fn begin_phase(
        &mut self,
        id: JobId,
        at: ResourceId,
        engine: &mut Engine<Event>,
    ) -> bool {
        let Some((device, time)) = self.resources[at].io_phase(&self.jobs[id].spec) else {
            return false;
        };
        let phase = Phase { device, time, slot: None, is_halted: false };
        self.phases.0.insert(id, phase);
        self.resources.now(device, engine.now()).occupancy.enter();
        self.start_phase(id, engine);
        true
    }

    /// Starts the operations, unless the device is down.
    fn start_phase(&mut self, id: JobId, engine: &mut Engine<Event>) {
        let Some(phase) = self.phases.0.get_mut(&id) else { return };
        let device = self.resources.now(phase.device, engine.now());
        if !device.is_up() {
            return;
        }
        phase.slot = Some(device.begin(id, phase.time, phase.time));
        let device = phase.device;
        self.settle(device, engine);
    }

    /// The operations of a job are done: it goes on to its resource.
    pub(super) fn end_phase(&mut self, id: JobId, engine: &mut Engine<Event>) {
        let Some(phase) = self.phases.0.remove(&id) else { return };
        let all = Work::of(phase.time);
        self.accounting.work.given += all;
        self.accounting.work.useful += all;
        self.run(id, engine);
    }

    /// Halts a job at its device; false if it is not at one.
    pub(super) fn halt_phase(&mut self, id: JobId, engine: &mut Engine<Event>) -> bool {
        let Some(phase) = self.phases.0.get_mut(&id) else { return false };
        phase.is_halted = true;
        let Phase { device, slot, .. } = *phase;
        let at = self.resources.now(device, engine.now());
        match slot {
            Some(slot) => drop(at.halt(id, slot)),
            None => at.occupancy.halt(),
        }
        self.settle(device, engine);
        true
    }

    /// Resumes a job at its device; false if it is not at one.
    pub(super) fn resume_phase(&mut self, id: JobId, engine: &mut Engine<Event>) -> bool {
        let Some(phase) = self.phases.0.get_mut(&id) else { return false };
        phase.is_halted = false;
        let Phase { device, slot, time, .. } = *phase;
        let at = self.resources.now(device, engine.now());
        match slot {
            // It keeps its slot and its progress until the device is up.
            Some(_) if !at.is_up() => {}
            Some(slot) => drop(at.resume(id, slot, time)),
            None => {
                at.occupancy.resume();
                self.start_phase(id, engine);
            }
        }
        self.settle(device, engine);
        true
    }

    /// Removes a job that leaves its resource from the device.
    pub(super) fn drop_phase(&mut self, id: JobId, engine: &mut Engine<Event>) {
        if !self.phases.has(id) {
            return;
        }
        let Phase { device, slot, is_halted, .. } = self.phases.0[&id];
        let at = self.resources.now(device, engine.now());
        match slot {
            Some(slot) => {
                let left = at.cancel(id, slot);
                self.give_up_work(id, left);
            }
            None => at.occupancy.cancel(is_halted),
        }
        self.phases.0.remove(&id);
        self.settle(device, engine);
    }

    /// Counts what a job has done of its operations as lost; it starts them again.
    fn give_up_work(&mut self, id: JobId, left: Work) {
        let Some(phase) = self.phases.0.get_mut(&id) else { return };
        let done = Work::of(phase.time).less(left);
        phase.slot = None;
        self.accounting.work.given += done;
        self.accounting.work.lost += done;
    }

    /// Treats a job whose device failed.
    pub(super) fn stop_phase(
        &mut self,
        Stopped { job: id, left, .. }: Stopped,
        rule: OnFailure,
        engine: &mut Engine<Event>,
    ) {
        let Some(&Phase { device, .. }) = self.phases.0.get(&id) else { return };
        let at = self.jobs[id].place.resource().expect("it was sent there");
        let job = self.jobs[id].number;
        self.give_up_work(id, left);
        match rule.goes(true) {
            Goes::Stays => {
                let happening = Happening::Interrupted { job, resource: device };
                self.observer.happened(engine.now(), &happening);
            }
            Goes::Back => {
                let happening = Happening::Interrupted { job, resource: device };
                self.observer.happened(engine.now(), &happening);
                self.resources.now(at, engine.now()).leave_staging(id, false);
                self.send_back(id, at, engine);
            }
            Goes::Nowhere => {
                self.drop_data(id, engine);
                self.resources.now(at, engine.now()).lose_staging(id);
                self.observer.happened(engine.now(), &Happening::Lost { job, resource: at });
                engine.job_was_active();
                self.leave(id, Outcome::Lost, engine);
            }
        }
    }

    /// Starts the operations of the jobs that waited until their device is up, in order of their
    /// numbers.
    pub(super) fn restart_phases(&mut self, device: ResourceId, engine: &mut Engine<Event>) {
        let waits = |phase: &Phase| phase.device == device && !phase.is_halted;
        let waiting = self.phases.0.iter().filter(|(_, phase)| waits(phase));
        let mut waiting: Vec<(u64, JobId)> =
            waiting.map(|(&id, _)| (self.jobs[id].number, id)).collect();
        waiting.sort_unstable();
        for (_, id) in waiting {
            match self.phases.0[&id] {
                Phase { slot: None, .. } => self.start_phase(id, engine),
                // Resumed while the device was down.
                Phase { slot: Some(slot), time, .. } => {
                    self.resources[device].resume(id, slot, time);
                }
            }
        }
    }

    /// Counts the operations of jobs that are still at a device at the end.
    pub(super) fn count_unfinished_phases(&mut self) {
        for phase in self.phases.0.values() {
            let Some(slot) = phase.slot else { continue };
            let left = self.resources[phase.device].left_of(slot);
            let done = Work::of(phase.time).less(left);
            self.accounting.work.given += done;
            self.accounting.work.in_progress += done;
        }
    }
}
