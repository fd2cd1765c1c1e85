//! The jobs that wait at a scheduler, in the order in which it looks at them.
//!
//! Mappers may keep what they worked out between decisions. Between two decisions a queue mostly
//! gets longer at its end, and a decision takes away what it sent; whatever else happens to it is
//! counted, so that a mapper knows when to begin anew.

use std::collections::VecDeque;
use std::ops::Deref;

use super::super::allocation::JobId;
use super::Assignment;

/// A queue of jobs. All that reads a `VecDeque` reads it.
#[derive(Debug, Default)]
pub(in super::super) struct Waiting {
    jobs: VecDeque<JobId>,
    upsets: u64,
}

impl Deref for Waiting {
    type Target = VecDeque<JobId>;

    fn deref(&self) -> &VecDeque<JobId> {
        &self.jobs
    }
}

impl Waiting {
    /// A job comes last.
    pub(in super::super) fn push(&mut self, job: JobId) {
        self.jobs.push_back(job);
    }

    /// A job comes between others.
    pub(in super::super) fn insert(&mut self, place: usize, job: JobId) {
        self.upsets += 1;
        self.jobs.insert(place, job);
    }

    /// Jobs leave without having been sent.
    pub(in super::super) fn retain(&mut self, stays: impl FnMut(&JobId) -> bool) {
        self.upsets += 1;
        self.jobs.retain(stays);
    }

    /// How often something happened other than that jobs came last or were sent.
    pub(super) fn upsets(&self) -> u64 {
        self.upsets
    }

    /// Takes out the jobs that were assigned, in that order.
    pub(in super::super) fn send(&mut self, assignments: &[Assignment]) -> VecDeque<JobId> {
        let sent = assignments.len();
        if assignments.iter().enumerate().all(|(index, assignment)| assignment.job.index() == index)
        {
            // First come first served, from a long queue: what stays is not moved.
            return match sent == self.jobs.len() {
                true => std::mem::take(&mut self.jobs),
                false => self.jobs.drain(..sent).collect(),
            };
        }
        let jobs = assignments.iter().map(|assignment| self.jobs[assignment.job.index()]).collect();
        if sent == self.jobs.len() {
            self.jobs.clear();
            return jobs;
        }
        let mut places: Vec<usize> =
            assignments.iter().map(|assignment| assignment.job.index()).collect();
        places.sort_unstable();
        let (mut place, mut next) = (0, places.into_iter().peekable());
        self.jobs.retain(|_| {
            place += 1;
            next.next_if_eq(&(place - 1)).is_none()
        });
        jobs
    }

    /// Gives the memory of a queue that was sent back, which saves an allocation for every job on
    /// line.
    pub(in super::super) fn reuse(&mut self, mut sent: VecDeque<JobId>) {
        if self.jobs.capacity() == 0 {
            sent.clear();
            self.jobs = sent;
        }
    }
}
