//! Waiting jobs by level of service, each level sorted by size, then by number.

use super::super::plain_jobs::{Order, PlainJob};
use super::super::{JobIndex, View};
use super::sized::{SizedJob, SizedJobs};
use gridsat_model::Ticks;

/// Jobs by level, highest level first.
#[derive(Default)]
pub(super) struct Lists(pub Vec<List>);

impl Order for Lists {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn add(&mut self, _: &View<'_>, PlainJob { size, qos, number }: PlainJob) {
        let place = self.0.binary_search_by(|list| qos.cmp(&list.qos));
        let place = place.unwrap_or_else(|place| {
            self.0.insert(place, List { qos, jobs: SizedJobs::default() });
            place
        });
        self.0[place].jobs.insert(SizedJob { size, number });
    }
}

impl Lists {
    /// Removes a job that was added.
    pub fn remove(&mut self, view: &View<'_>, job: JobIndex) {
        let Some(PlainJob { size, qos, number }) = PlainJob::of(view.job(job)) else { return };
        if let Ok(place) = self.0.binary_search_by(|list| qos.cmp(&list.qos)) {
            self.0[place].jobs.remove(&SizedJob { size, number });
        }
    }
}

/// Jobs of one level.
pub(super) struct List {
    pub qos: u32,
    pub jobs: SizedJobs,
}

/// The first jobs of a list.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub first: SizedJob,
    /// The first job of the next size.
    next: Option<SizedJob>,
}

impl List {
    pub fn head(&self) -> Option<Head> {
        let first = self.jobs.first()?;
        Some(Head { first, next: self.jobs.after_size(first.size) })
    }

    /// The job with the shortest time, and among these the one with the lowest number.
    #[inline]
    pub fn first(
        &self,
        head: Head,
        time: impl Fn(f64) -> Option<Ticks>,
    ) -> Option<(Ticks, SizedJob)> {
        let (mut first, mut next) = (head.first, head.next);
        let shortest = time(first.size)?;
        while let Some(job) = next.filter(|job| time(job.size) == Some(shortest)) {
            if job.number < first.number {
                first = job;
            }
            next = self.jobs.after_size(job.size);
        }
        Some((shortest, first))
    }
}
