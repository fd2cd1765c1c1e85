//! PE time given to jobs, by stints. It is counted when a stint ends, as useful, lost, overhead or
//! in progress.

use super::{Event, Simulation};
use crate::allocation::{JobId, Slot};
use crate::failure::{Stint, Taken};
use crate::grid::ResourceId;
use crate::job::{Job, Place, Saved};
use crate::jobs::PlainJob;
use crate::work::Work;
use gridsat_engine::Engine;
use gridsat_model::Ticks;

impl Simulation<'_> {
    /// Run time of the whole job at the resource it was sent to.
    pub(super) fn whole_time(&self, id: JobId, at: ResourceId) -> Ticks {
        let time = self.resources[at].true_time(&self.jobs[id].spec);
        time.expect("jobs are sent only to resources that can run them")
    }

    /// Makes sure that a job can be looked up and changed.
    pub(super) fn unpack(&mut self, id: JobId) {
        let time = |job: &PlainJob| self.resources[job.resource].plain_time(job.amount);
        self.jobs.unpack(id, time);
    }

    /// Adds a job to a resource, or lets it wait until the resource is up. `time` is that of the
    /// whole job, which may have another id afterwards.
    #[inline]
    pub(super) fn begin_or_strand(&mut self, id: JobId, at: ResourceId, time: Ticks) {
        let reservation = self.reservation_with(id, |spec| spec.pes > 0);
        let resource = &mut self.resources[at];
        let job = &mut self.jobs[id];
        if !resource.is_up() {
            job.place = Place::Stranded { resource: at, is_halted: false };
            return resource.strand(id);
        }
        let time = match (&job.saved, resource.checkpoints()) {
            (None, None) => time,
            (_, checkpoints) => job.stint(time, checkpoints).ticks(),
        };
        let is_expected = matches!(job.place, Place::Staging { .. }) || job.spec.data.is_some();
        let believed = job.believed;
        let id = if resource.is_plain() { self.jobs.pack(id, at) } else { id };
        let slot = match (reservation, is_expected) {
            _ if resource.has_wide_jobs() => resource.begin_wide(id, time, believed, reservation),
            (Some(reservation), _) => resource.begin_in(reservation, id, time),
            (None, false) => resource.begin(id, time, believed),
            (None, true) => resource.begin_expected(id, time, believed),
        };
        self.jobs.put(id, at, slot);
    }

    /// Resumes a halted job whose resource has been or is down.
    pub(super) fn resume_stranded(
        &mut self,
        id: JobId,
        at: ResourceId,
        slot: Option<Slot>,
        engine: &mut Engine<Event>,
    ) {
        let time = self.whole_time(id, at);
        let resource = self.resources.now(at, engine.now());
        let left = resource.resume_stranded(slot);
        if let Some(left) = left {
            self.save_all(id, at, left);
        }
        self.resources[at].unstrand(id);
        self.begin_or_strand(id, at, time);
        self.settle(at, engine);
    }

    /// Ends a stint of a job that was not running: its work is on disk.
    pub(super) fn save_all(&mut self, id: JobId, at: ResourceId, left: Work) {
        let stint = self.stint(id, at);
        let given = Work::of(stint.ticks()).less(left);
        if given == Work::NONE {
            return;
        }
        let taken = self.end_stint(id, at, left);
        let time = self.whole_time(id, at);
        self.jobs[id].save(time, taken.safe + taken.at_risk, stint.setup.less(given));
    }

    /// What a job at a resource needed of it on arrival.
    pub(super) fn stint(&self, id: JobId, at: ResourceId) -> Stint {
        let checkpoints = self.resources[at].checkpoints();
        self.jobs[id].stint(self.whole_time(id, at), checkpoints)
    }

    /// Ends a stint with this much work left: the time given, and how it was used.
    pub(super) fn end_stint(&mut self, id: JobId, at: ResourceId, left: Work) -> Taken {
        let stint = self.stint(id, at);
        let given = Work::of(stint.ticks()).less(left);
        let taken = stint.after(given);
        self.accounting.work.given += given;
        self.accounting.work.overhead += taken.overhead;
        taken
    }

    pub(super) fn count_finished(&mut self, id: JobId, at: ResourceId) {
        let job = &self.jobs[id];
        if job.saved.is_none() && self.resources[at].checkpoints().is_none() {
            // Only work, without setup or checkpoints: the common case, which must be fast.
            let all = Work::of(self.whole_time(id, at));
            self.accounting.work.given += all;
            self.accounting.work.useful += all;
            return;
        }
        let taken = self.end_stint(id, at, Work::NONE);
        self.accounting.work.useful += self.jobs[id].kept() + taken.safe + taken.at_risk;
    }

    /// The work of a job that was counted as finished is lost after all, except for what it kept
    /// from before, which is counted when it leaves.
    pub(super) fn uncount_finished(&mut self, id: JobId, at: ResourceId) {
        let stint = self.stint(id, at);
        let taken = stint.after(Work::of(stint.ticks()));
        let last = taken.safe + taken.at_risk;
        let work = &mut self.accounting.work;
        work.useful = work.useful.less(self.jobs[id].kept() + last);
        work.lost += last;
    }

    /// Counts the work of jobs that are still in the system.
    pub(super) fn count_unfinished(&mut self) {
        for job in self.jobs.plain_jobs() {
            let resource = &mut self.resources[job.resource];
            let all = Work::of(resource.plain_time(job.amount));
            let given = all.less(resource.left_of(job.slot));
            self.accounting.work.given += given;
            self.accounting.work.in_progress += given;
        }
        self.count_unfinished_phases();
        let ids: Vec<JobId> = self.jobs.others().map(|(id, _)| id).collect();
        for id in ids {
            if let Place::At(at, slot) = self.jobs[id].place {
                let left = self.resources[at].left_of(slot);
                let taken = self.end_stint(id, at, left);
                self.accounting.work.in_progress += taken.safe + taken.at_risk;
            }
            // The work of jobs whose results are being transferred has been counted already.
            if !matches!(self.jobs[id].place, Place::Returning(_)) {
                self.accounting.work.in_progress += self.jobs[id].kept();
            }
        }
    }
}

impl Job {
    /// Keeps this much of the work of the last stint, at a resource where the whole job takes this
    /// long, and begins the next one with `setup`.
    pub(super) fn save(&mut self, time: Ticks, kept: Work, setup: Work) {
        let first = Saved {
            done: Work::NONE,
            of: time,
            kept: Work::NONE,
            setup: Work::NONE,
            estimate: self.spec.estimate,
        };
        let saved = self.saved.get_or_insert_with(|| Box::new(first));
        saved.done += kept;
        saved.kept += kept;
        saved.setup = setup;
        self.spec.estimate = saved.estimate * saved.share_left();
    }
}
