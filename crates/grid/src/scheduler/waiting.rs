//! The jobs that wait at a scheduler, in the order in which it considers them.
//!
//! Mappers may keep computed results between decisions. Between two decisions a queue mostly grows
//! at its end, and a decision removes the jobs it sent. All other changes are counted, so that a
//! mapper knows when to start from scratch.
//!
//! The queue consists of chunks, with the place at which each begins. So a job is found in
//! O(log n), and removing one between others moves only its chunk and the starts of later chunks,
//! also if a million jobs wait. Numbers of jobs are kept beside their ids, because a job is often
//! found by its number, and a look at other jobs each time would miss the cache.

use std::collections::VecDeque;
use std::ops::Index;

use super::super::allocation::JobId;
use super::Assignment;

/// The largest number of jobs in a chunk.
const CHUNK: usize = 1024;

/// A job with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    number: u64,
    job: JobId,
}

/// A queue of jobs.
#[derive(Debug, Default)]
pub(in super::super) struct Waiting {
    /// None of them is empty, except that the only one may be.
    chunks: VecDeque<VecDeque<Entry>>,
    /// The place of the first job of each chunk.
    starts: VecDeque<usize>,
    /// The number of the first job of each chunk; of an empty one that of an earlier first job.
    firsts: VecDeque<u64>,
    len: usize,
    upsets: u64,
    /// Reused to save allocations.
    places: Vec<usize>,
}

impl Waiting {
    /// Number of jobs.
    #[inline]
    pub(in super::super) fn len(&self) -> usize {
        self.len
    }

    /// Whether no jobs wait.
    #[inline]
    pub(in super::super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The jobs in order.
    pub(in super::super) fn iter(&self) -> impl Iterator<Item = &JobId> {
        self.chunks.iter().flatten().map(|entry| &entry.job)
    }

    /// The number of jobs with lower numbers, if the jobs are in order of their numbers.
    pub(in super::super) fn place_of(&self, number: u64) -> usize {
        match self.firsts.partition_point(|&first| first < number).checked_sub(1) {
            None => 0,
            Some(chunk) => {
                let (start, jobs) = (self.starts[chunk], &self.chunks[chunk]);
                // Mostly none is missing between the first one and this one.
                let likely = (number - self.firsts[chunk]) as usize;
                if jobs.get(likely).is_some_and(|entry| entry.number == number) {
                    return start + likely;
                }
                start + jobs.partition_point(|entry| entry.number < number)
            }
        }
    }

    /// Appends a job with its number.
    #[inline]
    pub(in super::super) fn push(&mut self, job: JobId, number: u64) {
        self.append(Entry { number, job });
    }

    #[inline]
    fn append(&mut self, entry: Entry) {
        self.len += 1;
        match self.chunks.back_mut() {
            Some(last) if last.len() < CHUNK => {
                if last.is_empty() {
                    self.firsts[0] = entry.number;
                }
                last.push_back(entry);
            }
            _ => {
                self.starts.push_back(self.len - 1);
                self.firsts.push_back(entry.number);
                self.chunks.push_back(VecDeque::from([entry]));
            }
        }
    }

    /// Inserts a job between others.
    pub(in super::super) fn insert(&mut self, place: usize, job: JobId, number: u64) {
        self.upsets += 1;
        let mut all = self.take_all();
        all.insert(place, Entry { number, job });
        all.into_iter().for_each(|entry| self.append(entry));
    }

    /// Inserts jobs with their numbers, each before the first job of a higher number.
    pub(in super::super) fn merge(&mut self, mut jobs: Vec<(u64, JobId)>) {
        if jobs.is_empty() {
            return;
        }
        self.upsets += 1;
        jobs.sort_unstable_by_key(|&(number, _)| number);
        let mut new = jobs.into_iter().map(|(number, job)| Entry { number, job }).peekable();
        for entry in self.take_all() {
            while let Some(first) = new.next_if(|first| first.number < entry.number) {
                self.append(first);
            }
            self.append(entry);
        }
        new.for_each(|entry| self.append(entry));
    }

    /// Keeps only the jobs that `stays` selects; the others leave without being sent.
    pub(in super::super) fn retain(&mut self, stays: impl FnMut(&JobId) -> bool) {
        self.upsets += 1;
        self.keep(stays);
    }

    fn keep(&mut self, mut stays: impl FnMut(&JobId) -> bool) {
        let mut all = self.take_all();
        all.retain(|entry| stays(&entry.job));
        all.into_iter().for_each(|entry| self.append(entry));
    }

    fn take_all(&mut self) -> VecDeque<Entry> {
        self.len = 0;
        self.starts.clear();
        self.firsts.clear();
        self.chunks.drain(..).flatten().collect()
    }

    /// Number of changes other than jobs that were appended or sent.
    pub(super) fn upsets(&self) -> u64 {
        self.upsets
    }

    /// Removes the job if there is only one.
    #[inline]
    pub(in super::super) fn take_only(&mut self) -> Option<JobId> {
        if self.len != 1 {
            return None;
        }
        self.len = 0;
        self.chunks.front_mut()?.pop_front().map(|entry| entry.job)
    }

    /// Removes the assigned jobs and appends them to `sent`, in order of assignment.
    pub(in super::super) fn send(&mut self, assignments: &[Assignment], sent: &mut Vec<JobId>) {
        if let &[Assignment { job, .. }] = assignments {
            return sent.push(self.remove(job.index()));
        }
        sent.extend(assignments.iter().map(|assignment| self[assignment.job.index()]));
        if assignments.len() == self.len {
            return self.clear();
        }
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        places.extend(assignments.iter().map(|assignment| assignment.job.index()));
        places.sort_unstable();
        if places.len() > CHUNK {
            let (mut place, mut next) = (0, places.iter().peekable());
            self.keep(|_| {
                place += 1;
                next.next_if_eq(&&(place - 1)).is_none()
            });
        } else {
            // From last to first, so that the places before stay as they are.
            for &place in places.iter().rev() {
                self.remove(place);
            }
        }
        self.places = places;
    }

    /// Removes all jobs, but keeps memory for new ones.
    fn clear(&mut self) {
        self.len = 0;
        self.chunks.truncate(1);
        self.starts.truncate(1);
        self.firsts.truncate(1);
        self.chunks.iter_mut().for_each(VecDeque::clear);
    }

    fn remove(&mut self, place: usize) -> JobId {
        let chunk = self.chunk_of(place);
        let removed = self.chunks[chunk].remove(place - self.starts[chunk]);
        self.len -= 1;
        self.starts.iter_mut().skip(chunk + 1).for_each(|start| *start -= 1);
        match self.chunks[chunk].front() {
            Some(first) => self.firsts[chunk] = first.number,
            None if self.chunks.len() > 1 => {
                self.chunks.remove(chunk);
                self.starts.remove(chunk);
                self.firsts.remove(chunk);
            }
            None => {}
        }
        removed.expect("there is a job at this place").job
    }

    #[inline]
    fn chunk_of(&self, place: usize) -> usize {
        if self.chunks.len() == 1 {
            return 0;
        }
        self.starts.partition_point(|&start| start <= place) - 1
    }
}

/// Panics if there are fewer jobs.
impl Index<usize> for Waiting {
    type Output = JobId;

    #[inline]
    fn index(&self, place: usize) -> &JobId {
        let chunk = self.chunk_of(place);
        &self.chunks[chunk][place - self.starts[chunk]].job
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::super::JobIndex;
    use super::*;
    use gridsat_model::HostId;

    /// Random operations on the queue and on a plain vector.
    #[test]
    fn does_what_a_vector_does() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let (mut queue, mut model, mut next) = (Waiting::default(), Vec::new(), 0);
        for step in 0..400 {
            let grows = if step < 200 { 200 } else { 20 };
            for _ in 0..random.random_range(0..grows) {
                queue.push(JobId(next), u64::from(next));
                model.push(JobId(next));
                next += 2;
            }
            match random.random_range(0..10) {
                0 if !model.is_empty() => {
                    let place = random.random_range(0..model.len());
                    let job = JobId(model[place].0 + 1);
                    let found = queue.place_of(u64::from(job.0));
                    queue.insert(found, job, u64::from(job.0));
                    model.insert(place + 1, job);
                    assert_eq!(found, place + 1);
                    queue.retain(|&other| other != job);
                    model.retain(|&other| other != job);
                }
                1 => assert_eq!(queue.take_only(), (model.len() == 1).then(|| model.remove(0))),
                _ => {
                    let most = if step % 50 == 49 { model.len() } else { model.len().min(40) };
                    let mut places: Vec<usize> = (0..model.len()).collect();
                    for place in 0..most {
                        let other = random.random_range(place..model.len());
                        places.swap(place, other);
                    }
                    places.truncate(most);
                    let assign = |&place: &usize| Assignment {
                        job: JobIndex(place as u32),
                        host: HostId(0),
                    };
                    let made: Vec<Assignment> = places.iter().map(assign).collect();
                    let mut sent = Vec::new();
                    queue.send(&made, &mut sent);
                    let expected: Vec<JobId> = places.iter().map(|&place| model[place]).collect();
                    assert_eq!(sent, expected);
                    model.retain(|job| !sent.contains(job));
                }
            }
            let jobs: Vec<JobId> = (0..queue.len()).map(|place| queue[place]).collect();
            assert_eq!(jobs, model, "step {step}");
            assert_eq!(queue.is_empty(), model.is_empty());
            let number = random.random_range(0..=u64::from(next));
            let before = model.iter().filter(|job| u64::from(job.0) < number).count();
            assert_eq!(queue.place_of(number), before, "step {step}");
        }
    }
}
