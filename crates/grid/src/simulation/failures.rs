//! Resources fail and come back, and what that does to jobs.
//!
//! The accounts are kept here: PE time given to a job is counted when a stint of it ends, and is useful,
//! lost, overhead or in progress from then on.

use super::super::allocation::{JobId, Slot};
use super::super::failure::Change;
use super::super::failure::{Goes, Keeps, OnFailure, Stint, Taken};
use super::super::grid::ResourceId;
use super::super::job::Saved;
use super::super::job::{Job, Outcome, Place};
use super::super::observer::Happening;
use super::super::resource::Stopped;
use super::super::scheduler::{Mode, SchedulerId};
use super::super::work::Work;
use super::{Event, Simulation};
use gridsat_engine::Engine;
use gridsat_model::Ticks;

impl Simulation<'_> {
    /// Looks up the next change of a resource.
    pub(super) fn expect_change(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        let Some(availability) = &mut self.availabilities[id.index()] else { return };
        let next = availability.next();
        let event =
            next.map(|(time, change)| engine.schedule(time, Event::Availability(id, change)));
        self.failure_events[id.index()] = event;
    }

    pub(super) fn change(&mut self, id: ResourceId, change: Change, engine: &mut Engine<Event>) {
        self.expect_change(id, engine);
        match (change, self.resources[id.index()].is_up()) {
            (Change::Down, true) => self.take_down(id, engine),
            (Change::Up, false) => self.bring_up(id, engine),
            (Change::Capacity(percent), _) => self.set_capacity(id, percent, engine),
            (Change::Down, false) | (Change::Up, true) => return,
        }
        self.look_again(engine);
    }

    fn set_capacity(&mut self, id: ResourceId, percent: u8, engine: &mut Engine<Event>) {
        let resource = &mut self.resources[id.index()];
        resource.advance(engine.now());
        if resource.set_capacity(percent) {
            let happening = Happening::Capacity { resource: id, percent };
            self.observer.happened(engine.now(), &happening);
            self.settle(id, engine);
        }
    }

    fn take_down(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        self.finish_due(id, engine);
        let resource = &mut self.resources[id.index()];
        let rule = resource.on_failure().expect("only what can fail fails");
        let stopped = resource.go_down();
        self.observer.happened(engine.now(), &Happening::Down { resource: id });
        self.settle(id, engine);
        for stopped in stopped {
            self.stop(stopped, id, rule, engine);
        }
        self.stop_staging(id, rule, engine);
        self.settle(id, engine);
    }

    fn bring_up(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        let resource = &mut self.resources[id.index()];
        resource.advance(engine.now());
        let stranded = resource.go_up();
        self.observer.happened(engine.now(), &Happening::Up { resource: id });
        for job in stranded {
            match self.jobs.get(job).place {
                Place::Stranded { is_halted: true, .. } => self.resources[id.index()].strand(job),
                _ => self.begin_or_strand(job, id, self.whole_time(job, id)),
            }
        }
        self.settle(id, engine);
    }

    /// One job at a resource that failed.
    fn stop(
        &mut self,
        Stopped { job: id, left, is_running }: Stopped,
        at: ResourceId,
        rule: OnFailure,
        engine: &mut Engine<Event>,
    ) {
        let (job, goes) = (self.jobs.get(id).number, rule.goes(is_running));
        match (is_running, goes) {
            (false, _) => self.save_all(id, at, left),
            (true, Goes::Nowhere) => {
                let taken = self.end_stint(id, at, left);
                self.accounts.lost += taken.safe + taken.at_risk;
            }
            (true, Goes::Stays | Goes::Back) => {
                let taken = self.end_stint(id, at, left);
                let happening = Happening::Interrupted { job, resource: at };
                self.observer.happened(engine.now(), &happening);
                self.keep(id, at, taken, rule);
            }
        }
        match goes {
            Goes::Nowhere => {
                self.accounts.lost += self.jobs.get(id).kept();
                self.drop_data(id, engine);
                self.resources[at.index()].lose();
                self.observer.happened(engine.now(), &Happening::Lost { job, resource: at });
                engine.job_was_active();
                self.leave(id, Outcome::Lost, engine);
            }
            Goes::Stays => {
                let job = self.jobs.get_mut(id);
                let believed = self.resources[at.index()].believed_time(&job.spec);
                job.believed = believed.unwrap_or(job.believed);
                self.begin_or_strand(id, at, self.whole_time(id, at));
            }
            Goes::Back => {
                self.resources[at.index()].leave(false);
                self.send_back(id, at, engine);
            }
        }
    }

    /// A job that has left its resource goes back to its scheduler.
    pub(super) fn send_back(&mut self, id: JobId, from: ResourceId, engine: &mut Engine<Event>) {
        self.drop_data(id, engine);
        let job = self.jobs.get_mut(id);
        let cost = self.resources[from.index()].cost(&job.spec).unwrap_or_default();
        self.ledger.release(job.spec.contract, cost);
        // Its next PE counts, not the one it had here.
        job.started = job.started.map(|(time, _)| (time, None));
        job.spec.reservation = None;
        let scheduler = job.scheduler;
        let happening = Happening::Returned { job: job.number, scheduler };
        self.observer.happened(engine.now(), &happening);
        self.wait_again(id, scheduler, engine);
    }

    /// What a job that ran keeps of its work.
    fn keep(&mut self, id: JobId, at: ResourceId, taken: Taken, rule: OnFailure) {
        let time = self.whole_time(id, at);
        let job = self.jobs.get_mut(id);
        if rule.keeps() == Keeps::Nothing {
            self.accounts.lost += job.kept() + taken.safe + taken.at_risk;
            let saved = job.saved.take();
            saved.iter().for_each(|saved| job.spec.estimate = saved.estimate);
            return;
        }
        // A move that was paid for in vain, as no work followed it, is to be paid again.
        let is_idle = taken.safe + taken.at_risk == Work::NONE;
        let unpaid = job.saved.as_ref().map_or(Work::NONE, |saved| saved.setup);
        let setup = rule.cost().max(if is_idle { unpaid } else { Work::NONE });
        let (kept, lost) = match rule.keeps() {
            Keeps::Everything => (taken.safe + taken.at_risk, Work::NONE),
            Keeps::LastCheckpoint | Keeps::Nothing => (taken.safe, taken.at_risk),
        };
        self.accounts.lost += lost;
        job.save(time, kept, setup);
    }

    /// How long the whole of a job takes at the resource it was sent to.
    pub(super) fn whole_time(&self, id: JobId, at: ResourceId) -> Ticks {
        let time = self.resources[at.index()].true_time(&self.jobs.get(id).spec);
        time.expect("jobs are sent only to resources that can run them")
    }

    /// A job at a resource begins, or waits until the resource is back. `time`: of the whole job.
    #[inline]
    pub(super) fn begin_or_strand(&mut self, id: JobId, at: ResourceId, time: Ticks) {
        let reservation = self.open_reservation(id);
        let resource = &mut self.resources[at.index()];
        let job = self.jobs.get_mut(id);
        job.place = if resource.is_up() {
            let time = match (&job.saved, resource.checkpoints()) {
                (None, None) => time,
                (_, checkpoints) => job.stint(time, checkpoints).ticks(),
            };
            let slot = match (reservation, job.spec.data) {
                (Some(reservation), _) => resource.begin_in(reservation, id, time),
                (None, None) => resource.begin(id, time, job.believed),
                (None, Some(_)) => resource.begin_expected(id, time, job.believed),
            };
            Place::At(at, slot)
        } else {
            resource.strand(id);
            Place::Stranded { resource: at, is_halted: false }
        };
    }

    /// A halted job goes on whose resource was down since, or still is.
    pub(super) fn resume_stranded(
        &mut self,
        id: JobId,
        at: ResourceId,
        slot: Option<Slot>,
        engine: &mut Engine<Event>,
    ) {
        let time = self.whole_time(id, at);
        let resource = &mut self.resources[at.index()];
        resource.advance(engine.now());
        let left = resource.resume_stranded(slot);
        if let Some(left) = left {
            self.save_all(id, at, left);
        }
        self.resources[at.index()].unstrand(id);
        self.begin_or_strand(id, at, time);
        self.settle(at, engine);
    }

    /// A stint ends of a job that did not run at the end: what it had done is on disk.
    fn save_all(&mut self, id: JobId, at: ResourceId, left: Work) {
        let stint = self.stint(id, at);
        let given = Work::of(stint.ticks()).less(left);
        if given == Work::NONE {
            return;
        }
        let taken = self.end_stint(id, at, left);
        let time = self.whole_time(id, at);
        self.jobs.get_mut(id).save(time, taken.safe + taken.at_risk, stint.setup.less(given));
    }

    /// What a job that is at a resource needed of it when it came.
    pub(super) fn stint(&self, id: JobId, at: ResourceId) -> Stint {
        let checkpoints = self.resources[at.index()].checkpoints();
        self.jobs.get(id).stint(self.whole_time(id, at), checkpoints)
    }

    /// A stint ends with so much left: what was given, and what became of it.
    pub(super) fn end_stint(&mut self, id: JobId, at: ResourceId, left: Work) -> Taken {
        let stint = self.stint(id, at);
        let given = Work::of(stint.ticks()).less(left);
        let taken = stint.after(given);
        self.accounts.given += given;
        self.accounts.overhead += taken.overhead;
        taken
    }

    pub(super) fn count_finished(&mut self, id: JobId, at: ResourceId) {
        let job = self.jobs.get(id);
        if job.saved.is_none() && self.resources[at.index()].checkpoints().is_none() {
            // Nothing but work: the case that has to be fast.
            let all = Work::of(self.whole_time(id, at));
            self.accounts.given += all;
            self.accounts.useful += all;
            return;
        }
        let taken = self.end_stint(id, at, Work::NONE);
        self.accounts.useful += self.jobs.get(id).kept() + taken.safe + taken.at_risk;
    }

    /// What jobs have done that are still there.
    pub(super) fn count_unfinished(&mut self) {
        for id in self.jobs.ids() {
            if let Place::At(at, slot) = self.jobs.get(id).place {
                let left = self.resources[at.index()].left_of(slot);
                let taken = self.end_stint(id, at, left);
                self.accounts.in_progress += taken.safe + taken.at_risk;
            }
            // The work of those that only bring their results home is counted.
            if !matches!(self.jobs.get(id).place, Place::Returning(_)) {
                self.accounts.in_progress += self.jobs.get(id).kept();
            }
        }
    }

    /// Schedulers with waiting jobs look again, as there may be more room or less.
    pub(super) fn look_again(&mut self, engine: &mut Engine<Event>) {
        self.wake(engine);
        self.flush_counts(engine);
        for number in 0..self.schedulers.len() {
            let scheduler = &self.schedulers[number];
            if matches!(scheduler.mode, Mode::Count(count) if scheduler.waiting.len() >= count) {
                self.decide_soon(SchedulerId(number as u32), engine);
            }
        }
    }
}

impl Job {
    /// Keeps so much of what the stint that ended was given, at a resource where the whole job takes so
    /// long, and begins the next one with `setup`.
    fn save(&mut self, time: Ticks, kept: Work, setup: Work) {
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
