//! The jobs that wait at a scheduler, in the order in which it considers them.
//!
//! Mappers may keep computed results between decisions. Between two decisions a queue mostly grows
//! at its end, and a decision removes the jobs it sent. All other changes are counted, so that a
//! mapper knows when to start from scratch.

use std::collections::VecDeque;
use std::ops::Deref;

use super::super::allocation::JobId;
use super::Assignment;

/// A queue of jobs, with the reading methods of `VecDeque`.
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
    /// Appends a job.
    pub(in super::super) fn push(&mut self, job: JobId) {
        self.jobs.push_back(job);
    }

    /// Inserts a job between others.
    pub(in super::super) fn insert(&mut self, place: usize, job: JobId) {
        self.upsets += 1;
        self.jobs.insert(place, job);
    }

    /// Keeps only the jobs that `stays` selects; the others leave without being sent.
    pub(in super::super) fn retain(&mut self, stays: impl FnMut(&JobId) -> bool) {
        self.upsets += 1;
        self.jobs.retain(stays);
    }

    /// Number of changes other than jobs that were appended or sent.
    pub(super) fn upsets(&self) -> u64 {
        self.upsets
    }

    /// Removes the assigned jobs and returns them in order of assignment.
    pub(in super::super) fn send(&mut self, assignments: &[Assignment]) -> VecDeque<JobId> {
        let sent = assignments.len();
        if assignments.iter().enumerate().all(|(index, assignment)| assignment.job.index() == index)
        {
            // First come, first served from a long queue: the remaining jobs are not moved.
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

    /// Reuses the memory of a queue that was sent, which saves one allocation per job on line.
    pub(in super::super) fn reuse(&mut self, mut sent: VecDeque<JobId>) {
        if self.jobs.capacity() == 0 {
            sent.clear();
            self.jobs = sent;
        }
    }
}
