//! Jobs by slot; the slots of jobs that left are used again, so memory follows the most jobs at
//! once.

use std::ops::{Index, IndexMut};

use super::{JobId, Present, Slot};
use crate::work::Work;
use gridsat_workload::ReservationId;

/// A number given to one placement of one job and never again. What is kept elsewhere about that
/// placement carries it, and is out of date as soon as the job no longer has it.
pub(super) type Stamp = u64;

/// The stamp of jobs that are placed nowhere.
pub(super) const NOWHERE: Stamp = Stamp::MAX;

/// A job at a resource.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub id: JobId,
    /// When it was submitted, or last resumed, among all jobs.
    pub order: Stamp,
    /// Its present placement.
    pub stamp: Stamp,
    /// Its PE, where that matters.
    pub pe: u32,
    /// Its reservation, where there are any.
    pub hold: Option<ReservationId>,
    pub state: JobState,
}

impl Job {
    /// A job that is nowhere yet.
    pub fn new(id: JobId) -> Self {
        let state = JobState::Halted(Work::NONE);
        Self { id, order: NOWHERE, stamp: NOWHERE, pe: 0, hold: None, state }
    }

    pub fn is_halted(&self) -> bool {
        matches!(self.state, JobState::Halted(_))
    }

    /// What it has left, if it is halted.
    pub fn halted(&self) -> Work {
        if let JobState::Halted(left) = self.state { left } else { Work::NONE }
    }
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobState {
    /// In the queue, with so much to do.
    Queued(Work),
    /// Had to give way to a reservation, with so much to do.
    Suspended(Work),
    /// Running until its pool has served so much.
    Running(Work),
    /// Done, but not yet taken away.
    Due,
    /// Stopped, with so much to do.
    Halted(Work),
}

/// Jobs by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Slab<T> {
    entries: Vec<Option<T>>,
    free: Vec<Slot>,
}

impl<T> Slab<T> {
    pub fn new() -> Self {
        Self { entries: Vec::new(), free: Vec::new() }
    }

    pub fn insert(&mut self, entry: T) -> Slot {
        if let Some(slot) = self.free.pop() {
            self.entries[slot.0 as usize] = Some(entry);
            return slot;
        }
        let slot = Slot(u32::try_from(self.entries.len()).expect("fewer jobs than job numbers"));
        self.entries.push(Some(entry));
        slot
    }

    pub fn get(&self, slot: Slot) -> Option<&T> {
        self.entries.get(slot.0 as usize)?.as_ref()
    }

    pub fn remove(&mut self, slot: Slot) -> Option<T> {
        let entry = self.entries.get_mut(slot.0 as usize)?.take()?;
        self.free.push(slot);
        Some(entry)
    }
}

impl Slab<Job> {
    /// Jobs that are not halted, in order of submission.
    pub fn present(&self) -> Vec<Present> {
        let slots = (0..).map(Slot).zip(&self.entries);
        let jobs = slots.filter_map(|(slot, job)| Some((slot, job.as_ref()?)));
        let mut jobs: Vec<_> = jobs.filter(|(_, job)| !job.is_halted()).collect();
        jobs.sort_unstable_by_key(|(_, job)| job.order);
        let present = |(slot, job): (Slot, &Job)| {
            let is_running = matches!(job.state, JobState::Running(_) | JobState::Due);
            Present { job: job.id, slot, is_running }
        };
        jobs.into_iter().map(present).collect()
    }

    /// All jobs of a reservation, in order of submission.
    pub fn of_hold(&self, hold: ReservationId) -> Vec<Slot> {
        let slots = (0..).map(Slot).zip(&self.entries);
        let jobs = slots.filter_map(|(slot, job)| Some((slot, job.as_ref()?)));
        let mut jobs: Vec<_> = jobs.filter(|(_, job)| job.hold == Some(hold)).collect();
        jobs.sort_unstable_by_key(|(_, job)| job.order);
        jobs.into_iter().map(|(slot, _)| slot).collect()
    }

    /// Whether a job still has the placement of this stamp.
    pub fn has(&self, stamp: Stamp, slot: Slot) -> bool {
        self.get(slot).is_some_and(|job| job.stamp == stamp)
    }
}

/// For slots known to be taken.
impl<T> Index<Slot> for Slab<T> {
    type Output = T;

    fn index(&self, slot: Slot) -> &T {
        self.get(slot).expect("a slot in use")
    }
}

impl<T> IndexMut<Slot> for Slab<T> {
    fn index_mut(&mut self, slot: Slot) -> &mut T {
        self.entries[slot.0 as usize].as_mut().expect("a slot in use")
    }
}
