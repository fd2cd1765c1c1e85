//! The jobs in the system, by id.
//!
//! Hundreds of thousands of jobs can be at resources at once, and memory that is touched for the
//! first time is expensive. So a job that is sent to a resource becomes a [`PlainJob`] of 64 bytes
//! if it can, under a new id. If it has to be changed later, it is unpacked: it keeps that id,
//! which leads to where it is then. The ids of jobs that left are used again.

use std::collections::HashMap;
use std::hint::black_box;
use std::ops::{Index, IndexMut};

use super::allocation::{JobId, Slot};
use super::grid::ResourceId;
use super::job::{Job, Place};
use super::scheduler::SchedulerId;
use gridsat_engine::Slab;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::{Demand, JobSpec, Unit};

/// A job at a resource that has an amount of work, an exact estimate, and nothing else: no name,
/// contract, reservation, data, or work from before an interruption.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainJob {
    pub number: u64,
    pub arrival: Time,
    /// Time at which it was sent to its resource.
    pub sent: Time,
    /// First start; [`Time::NEVER`] before.
    started: Time,
    pub amount: f64,
    pub resource: ResourceId,
    pub slot: Slot,
    /// The PE of its first start; [`NO_PE`] without one.
    pe: u32,
    pub user: u32,
    pub application: u32,
    pub qos: u16,
    scheduler: u8,
    pub unit: Unit,
}

const NO_PE: u32 = u32::MAX;

impl PlainJob {
    /// Whether a job is no more than a plain one.
    #[inline]
    pub fn suits(job: &Job) -> bool {
        let spec = &job.spec;
        matches!(spec.demand, Demand::Instructions(_) | Demand::Operations(_))
            && spec.estimate == 1.0
            && spec.name.is_none()
            && spec.contract.is_none()
            && spec.reservation.is_none()
            && spec.data.is_none()
            && job.saved.is_none()
            && job.started.is_none()
            && spec.qos <= u32::from(u16::MAX)
            && job.scheduler.0 <= u32::from(u8::MAX)
    }

    /// A job that [suits](Self::suits) as a plain one, with the resource it was sent to.
    #[inline]
    fn of(job: &Job, resource: ResourceId, slot: Slot) -> Self {
        let spec = &job.spec;
        let (unit, amount) = match spec.demand {
            Demand::Operations(amount) => (Unit::Operations, amount),
            Demand::Instructions(amount) => (Unit::Instructions, amount),
            Demand::Times(_) | Demand::Composite(_) => unreachable!("no plain job"),
        };
        Self {
            number: job.number,
            arrival: Time(spec.arrival),
            sent: job.sent,
            started: Time::NEVER,
            amount,
            resource,
            slot,
            pe: NO_PE,
            user: spec.user,
            application: spec.application,
            qos: spec.qos as u16,
            scheduler: job.scheduler.0 as u8,
            unit,
        }
    }

    /// Records a start, of which the first counts.
    #[inline]
    pub fn start(&mut self, now: Time, pe: Option<u32>) {
        if self.started == Time::NEVER {
            self.started = now;
        }
        if self.pe == NO_PE {
            self.pe = pe.unwrap_or(NO_PE);
        }
    }

    /// First start, and the PE if the policy binds jobs to PEs.
    #[inline]
    pub fn started(&self) -> Option<(Time, Option<u32>)> {
        let pe = Some(self.pe).filter(|&pe| pe != NO_PE);
        (self.started < Time::NEVER).then_some((self.started, pe))
    }

    /// The complete job, with its estimated run time.
    pub fn into_job(self, believed: Ticks) -> Job {
        let scheduler = SchedulerId(u32::from(self.scheduler));
        let spec = JobSpec {
            user: self.user,
            application: self.application,
            qos: u32::from(self.qos),
            ..JobSpec::new(self.arrival.0, self.unit.demand(self.amount))
        };
        Job {
            place: Place::At(self.resource, self.slot),
            sent: self.sent,
            started: self.started(),
            believed,
            ..Job::new(self.number, spec, scheduler)
        }
    }
}

/// Ids of jobs that are or were plain have this bit.
const PLAIN: u32 = 1 << 31;

enum Entry {
    Plain(PlainJob),
    /// The id of the job since it was unpacked.
    Unpacked(JobId),
    /// Not in use; the next unused entry.
    Vacant(Option<JobId>),
}

/// An entry in a cache line of its own: jobs leave in random order, and a second line costs time.
#[repr(align(64))]
struct Line(Entry);

const _: () = assert!(size_of::<Line>() == 64);

/// Entries in a chunk. Chunks do not move when there are more jobs.
const CHUNK: usize = 1024;

/// So many records take more than the first two levels of caches.
const MANY: usize = 1 << 14;

/// For how many entries the first chunk has room at first.
const FIRST: usize = 128;

/// The jobs in the system.
pub(super) struct Jobs {
    /// Jobs that are not plain.
    others: Slab<JobId, Job>,
    /// The entry of a job that became plain, for the next job. On line this saves moving jobs.
    spare: Option<JobId>,
    chunks: Vec<Vec<Line>>,
    /// Number of entries in all chunks.
    lines: u32,
    vacant: Option<JobId>,
    plain: usize,
    /// Jobs that can be found by number, while they are in the system.
    named: HashMap<u64, Option<JobId>>,
}

impl Jobs {
    /// No jobs; those with these numbers can be found once they arrive.
    pub fn new(named: impl Iterator<Item = u64>) -> Self {
        let named = named.map(|number| (number, None)).collect();
        let (others, chunks) = (Slab::default(), Vec::new());
        Self { others, spare: None, chunks, lines: 0, vacant: None, plain: 0, named }
    }

    /// Number of jobs in the system.
    #[inline]
    pub fn len(&self) -> usize {
        self.others.len() - usize::from(self.spare.is_some()) + self.plain
    }

    /// The plain jobs, in no particular order.
    pub fn plain_jobs(&self) -> impl Iterator<Item = &PlainJob> {
        self.chunks.iter().flatten().filter_map(|Line(entry)| match entry {
            Entry::Plain(job) => Some(job),
            _ => None,
        })
    }

    /// The other jobs with ids that lead to them, in no particular order.
    pub fn others(&self) -> impl Iterator<Item = (JobId, &Job)> {
        self.others.pairs().filter(|&(id, _)| Some(id) != self.spare)
    }

    /// The job of a number given to [`Jobs::new`], if it is in the system.
    pub fn find(&self, number: u64) -> Option<JobId> {
        self.named.get(&number).copied().flatten()
    }

    /// Adds a job that has just arrived at a scheduler.
    #[inline]
    pub fn add(&mut self, number: u64, spec: JobSpec, scheduler: SchedulerId) -> JobId {
        let id = match self.spare.take() {
            None => self.others.insert(Job::new(number, spec, scheduler)),
            Some(id) => {
                let job = &mut self.others[id];
                // What else a job has that became plain is as in a new one.
                (job.number, job.spec) = (number, spec);
                (job.place, job.scheduler) = (Place::Waiting(scheduler), scheduler);
                (job.sent, job.believed) = (Time::ZERO, Ticks(0));
                id
            }
        };
        self.rename(number, Some(id));
        id
    }

    /// Whether the job was never plain. One that was keeps its id, so it must stay unpacked.
    #[inline]
    pub fn can_pack(&self, id: JobId) -> bool {
        id.0 < PLAIN
    }

    /// Makes a job plain that is sent to a resource, if it can be; returns its id from now on.
    #[inline]
    pub fn pack(&mut self, id: JobId, resource: ResourceId) -> JobId {
        if !self.can_pack(id) || !PlainJob::suits(&self.others[id]) {
            return id;
        }
        let plain_id = self.next_plain();
        self.replace(id, resource, Slot(0), None);
        plain_id
    }

    /// The id that [`Jobs::replace`] gives to the next job.
    #[inline]
    pub fn next_plain(&self) -> JobId {
        self.vacant.unwrap_or(JobId(PLAIN | self.lines))
    }

    /// Replaces a job that [can be packed](Self::can_pack) and [suits](PlainJob::suits) by a plain
    /// one, which has another id; returns its number. It has this place, and this start if it has
    /// started.
    #[inline]
    pub fn replace(
        &mut self,
        id: JobId,
        resource: ResourceId,
        slot: Slot,
        started: Option<(Time, Option<u32>)>,
    ) -> u64 {
        if let Some(before) = self.spare.replace(id) {
            self.others.discard(before);
        }
        self.plain += 1;
        let place = self.vacant_place();
        let number = self.others[id].number;
        self.rename(number, Some(JobId(PLAIN | place)));
        // Written where it stays: to move a record that was just written takes time.
        let mut job = PlainJob::of(&self.others[id], resource, slot);
        if let Some((now, pe)) = started {
            job.start(now, pe);
        }
        let place = place as usize;
        self.chunks[place / CHUNK][place % CHUNK].0 = Entry::Plain(job);
        number
    }

    /// Whether there are so many plain jobs that they are hardly in the cache.
    #[inline]
    pub fn are_many(&self) -> bool {
        self.plain > MANY
    }

    /// Reads the record of a job that will be looked up soon. If they are not in the cache, reading
    /// several at once takes less time than one after the other.
    #[inline]
    pub fn fetch(&self, id: JobId) {
        if id.0 >= PLAIN {
            black_box(matches!(self.entry(id), Entry::Plain(_)));
        }
    }

    /// From now on the job can be looked up and changed. `believed` gives the estimated run time of
    /// a plain job.
    pub fn unpack(&mut self, id: JobId, believed: impl FnOnce(&PlainJob) -> Ticks) {
        if id.0 >= PLAIN
            && let Entry::Plain(job) = *self.entry(id)
        {
            let unpacked = self.others.insert(job.into_job(believed(&job)));
            *self.entry_mut(id) = Entry::Unpacked(unpacked);
            self.plain -= 1;
        }
    }

    /// Sets the place of a job that is at a resource from now on.
    #[inline]
    pub fn put(&mut self, id: JobId, resource: ResourceId, slot: Slot) {
        match self.plain_mut(id) {
            Some(job) => (job.resource, job.slot) = (resource, slot),
            None => self[id].place = Place::At(resource, slot),
        }
    }

    /// Records that a job started; returns its number.
    #[inline]
    pub fn start(&mut self, id: JobId, now: Time, pe: Option<u32>) -> u64 {
        if let Some(job) = self.plain_mut(id) {
            job.start(now, pe);
            return job.number;
        }
        let job = &mut self[id];
        let (_, first_pe) = job.started.get_or_insert((now, pe));
        *first_pe = first_pe.or(pe);
        job.number
    }

    /// Removes a job if it is plain.
    #[inline]
    pub fn remove_plain(&mut self, id: JobId) -> Option<PlainJob> {
        let job = *self.plain_mut(id)?;
        self.plain -= 1;
        self.vacate(id);
        self.rename(job.number, None);
        Some(job)
    }

    /// Removes a job that is not plain.
    pub fn remove(&mut self, id: JobId) -> Job {
        let job = self.others.remove(self.other(id)).expect("a job leaves once");
        if id.0 >= PLAIN {
            self.vacate(id);
        }
        self.rename(job.number, None);
        job
    }

    /// The place of an entry that is not in use.
    #[inline]
    fn vacant_place(&mut self) -> u32 {
        if let Some(id) = self.vacant
            && let Entry::Vacant(next) = *self.entry(id)
        {
            self.vacant = next;
            return id.0 & !PLAIN;
        }
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            // The first chunk grows as it is needed, for many small simulations.
            let capacity = if self.chunks.is_empty() { FIRST } else { CHUNK };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        self.chunks
            .last_mut()
            .expect("just added if there was none")
            .push(Line(Entry::Vacant(None)));
        self.lines += 1;
        self.lines - 1
    }

    #[inline]
    fn vacate(&mut self, id: JobId) {
        *self.entry_mut(id) = Entry::Vacant(self.vacant.replace(id));
    }

    #[inline]
    fn plain_mut(&mut self, id: JobId) -> Option<&mut PlainJob> {
        if id.0 < PLAIN {
            return None;
        }
        if let Entry::Plain(job) = self.entry_mut(id) { Some(job) } else { None }
    }

    /// Where a job is that is not plain.
    #[inline]
    fn other(&self, id: JobId) -> JobId {
        if id.0 < PLAIN {
            return id;
        }
        match self.entry(id) {
            Entry::Unpacked(id) => *id,
            _ => unreachable!("plain jobs are unpacked before they are looked up"),
        }
    }

    #[inline]
    fn entry(&self, id: JobId) -> &Entry {
        let place = (id.0 & !PLAIN) as usize;
        &self.chunks[place / CHUNK][place % CHUNK].0
    }

    #[inline]
    fn entry_mut(&mut self, id: JobId) -> &mut Entry {
        let place = (id.0 & !PLAIN) as usize;
        &mut self.chunks[place / CHUNK][place % CHUNK].0
    }

    #[inline]
    fn rename(&mut self, number: u64, id: Option<JobId>) {
        if !self.named.is_empty()
            && let Some(named) = self.named.get_mut(&number)
        {
            *named = id;
        }
    }
}

/// Panics if the job is plain or not in the system. A job is plain only at a resource, and only
/// until [`Jobs::unpack`].
impl Index<JobId> for Jobs {
    type Output = Job;

    #[inline]
    fn index(&self, id: JobId) -> &Job {
        &self.others[self.other(id)]
    }
}

impl IndexMut<JobId> for Jobs {
    #[inline]
    fn index_mut(&mut self, id: JobId) -> &mut Job {
        let id = self.other(id);
        &mut self.others[id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A job of user 3 that was sent to resource 2.
    fn sent(jobs: &mut Jobs, number: u64, estimate: f64) -> JobId {
        let demand = Demand::Instructions(7.5);
        let spec = JobSpec { user: 3, qos: 1, estimate, ..JobSpec::new(Ticks(4), demand) };
        let id = jobs.add(number, spec, SchedulerId(1));
        (jobs[id].sent, jobs[id].believed) = (Time(Ticks(6)), Ticks(15));
        id
    }

    #[test]
    fn a_plain_job_is_unpacked_as_it_was() {
        let mut jobs = Jobs::new([8].into_iter());
        let id = sent(&mut jobs, 8, 1.0);
        let mut job = jobs[id].clone();
        (job.place, job.started) =
            (Place::At(ResourceId(2), Slot(5)), Some((Time(Ticks(9)), Some(0))));
        let id = jobs.pack(id, ResourceId(2));
        assert_eq!((jobs.len(), jobs.plain_jobs().count(), jobs.find(8)), (1, 1, Some(id)));
        jobs.put(id, ResourceId(2), Slot(5));
        assert_eq!(jobs.start(id, Time(Ticks(9)), None), 8);
        jobs.start(id, Time(Ticks(11)), Some(0));
        jobs.unpack(id, |_| Ticks(15));
        assert_eq!((jobs.len(), jobs.plain_jobs().count(), jobs.find(8)), (1, 0, Some(id)));
        assert_eq!(format!("{:?}", jobs[id]), format!("{job:?}"));
        assert_eq!((jobs.pack(id, ResourceId(2)), jobs.remove_plain(id).is_none()), (id, true));
        assert_eq!((jobs.remove(id).number, jobs.len(), jobs.find(8)), (8, 0, None));
    }

    #[test]
    fn ids_are_used_again() {
        let mut jobs = Jobs::new(std::iter::empty());
        let mut all = Vec::new();
        for number in 0..3_000 {
            let id = sent(&mut jobs, number, if number % 3 == 0 { 0.5 } else { 1.0 });
            let next = jobs.next_plain();
            all.push(jobs.pack(id, ResourceId(0)));
            assert!(all.last() == Some(&next) || number % 3 == 0);
            if number % 2 == 1 {
                let id = all.remove(all.len() / 2);
                let removed = jobs.remove_plain(id).map(|job| job.number);
                removed.unwrap_or_else(|| jobs.remove(id).number);
            }
            assert_eq!(jobs.len(), all.len());
        }
        assert_eq!(jobs.others().count() + jobs.plain_jobs().count(), all.len());
        assert_eq!(jobs.chunks.len(), 1);
    }
}
