//! Jobs sorted by size, then by number.
//!
//! In chunks, so that adding a job between others moves few of them, also if a million wait. Unlike
//! in a tree of the standard library, neighbours are side by side, and few nodes are allocated.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Deref;

/// The largest number of jobs in a chunk.
const CHUNK: usize = 128;

/// A job, ordered by size, then number.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizedJob {
    /// Estimated number of instructions.
    pub size: f64,
    pub number: u64,
}

impl Ord for SizedJob {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.size.total_cmp(&other.size).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for SizedJob {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SizedJob {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for SizedJob {}

/// Some sorted jobs, of which the first is removed without moving the others.
#[derive(Debug, Default)]
struct Chunk {
    jobs: Vec<SizedJob>,
    /// Number of jobs that were removed but are still there, before the others.
    gone: usize,
}

impl Chunk {
    /// One job, with the memory of an empty chunk.
    fn with(job: SizedJob, Self { mut jobs, .. }: Self) -> Self {
        jobs.clear();
        jobs.push(job);
        Self { jobs, gone: 0 }
    }

    fn insert(&mut self, job: SizedJob) {
        let place = self.partition_point(|other| *other < job);
        match self.gone {
            1.. if place == 0 => {
                self.gone -= 1;
                self.jobs[self.gone] = job;
            }
            _ => self.jobs.insert(self.gone + place, job),
        }
    }

    #[inline]
    fn remove(&mut self, place: usize) {
        match place {
            0 => self.gone += 1,
            _ => drop(self.jobs.remove(self.gone + place)),
        }
    }

    /// Leaves the lower half here.
    fn split(&mut self) -> Self {
        let upper = self.jobs.split_off(self.gone + self.len() / 2);
        Self { jobs: upper, gone: 0 }
    }
}

impl Deref for Chunk {
    type Target = [SizedJob];

    #[inline]
    fn deref(&self) -> &[SizedJob] {
        &self.jobs[self.gone..]
    }
}

/// Sorted jobs.
#[derive(Debug, Default)]
pub(super) struct SizedJobs {
    /// None of them is empty.
    chunks: VecDeque<Chunk>,
    /// The jobs of each chunk are not before this one.
    lows: VecDeque<SizedJob>,
    /// The memory of the last chunk that became empty, for the next one.
    spare: Chunk,
}

impl SizedJobs {
    /// The first job.
    #[inline]
    pub fn first(&self) -> Option<SizedJob> {
        self.chunks.front()?.first().copied()
    }

    /// The last job.
    pub fn last(&self) -> Option<SizedJob> {
        self.chunks.back()?.last().copied()
    }

    /// The first job of this size or a larger one.
    pub fn least_from(&self, size: f64) -> Option<SizedJob> {
        self.first_where(|job| job.size.total_cmp(&size).is_lt())
    }

    /// The first job of a larger size.
    #[inline]
    pub fn after_size(&self, size: f64) -> Option<SizedJob> {
        match self.chunks.front()?.get(1) {
            // Mostly asked about the size of the first job.
            Some(second) if second.size > size && self.first()?.size == size => Some(*second),
            _ => self.first_where(|job| job.size.total_cmp(&size).is_le()),
        }
    }

    /// The last job of a smaller size.
    pub fn before_size(&self, size: f64) -> Option<SizedJob> {
        let is_smaller = |job: &SizedJob| job.size.total_cmp(&size).is_lt();
        let chunk = self.chunk_where(is_smaller);
        let place = self.chunks.get(chunk)?.partition_point(is_smaller);
        match place.checked_sub(1) {
            Some(place) => Some(self.chunks[chunk][place]),
            None => self.chunks.get(chunk.checked_sub(1)?)?.last().copied(),
        }
    }

    /// All jobs in order.
    pub fn iter(&self) -> impl Iterator<Item = SizedJob> {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).copied()
    }

    pub fn insert(&mut self, job: SizedJob) {
        let chunk = self.chunk_where(|low| *low <= job);
        let Some(jobs) = self.chunks.get_mut(chunk) else {
            let spare = std::mem::take(&mut self.spare);
            self.chunks.push_back(Chunk::with(job, spare));
            return self.lows.push_back(job);
        };
        if job < self.lows[chunk] {
            self.lows[chunk] = job;
        }
        jobs.insert(job);
        if jobs.len() > CHUNK {
            let upper = jobs.split();
            self.lows.insert(chunk + 1, upper[0]);
            self.chunks.insert(chunk + 1, upper);
        }
    }

    /// Removes the job if it is there.
    pub fn remove(&mut self, job: &SizedJob) {
        let chunk = if self.first() == Some(*job) {
            self.chunks[0].remove(0);
            0
        } else {
            let chunk = self.chunk_where(|low| low <= job);
            let Some(jobs) = self.chunks.get_mut(chunk) else { return };
            if let Ok(place) = jobs.binary_search(job) {
                jobs.remove(place);
            }
            chunk
        };
        if self.chunks[chunk].is_empty() {
            self.lows.remove(chunk);
            self.spare = self.chunks.remove(chunk).unwrap_or_default();
        }
    }

    /// The first job for which `is_before` is false.
    fn first_where(&self, is_before: impl Fn(&SizedJob) -> bool) -> Option<SizedJob> {
        let chunk = self.chunk_where(&is_before);
        let jobs = self.chunks.get(chunk)?;
        let next = || self.chunks.get(chunk + 1)?.first();
        jobs.get(jobs.partition_point(is_before)).or_else(next).copied()
    }

    /// The chunk with the last job for which `is_before` is true, if there is one.
    fn chunk_where(&self, is_before: impl Fn(&SizedJob) -> bool) -> usize {
        match self.lows.len() {
            0 | 1 => 0,
            _ => self.lows.partition_point(is_before).saturating_sub(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    /// Random operations on the chunks and on a tree of the standard library.
    #[test]
    fn does_what_a_tree_does() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (mut jobs, mut tree) = (SizedJobs::default(), BTreeSet::new());
        for step in 0..20_000_u64 {
            let grows = step % 8_000 < 5_000;
            let sizes = if step % 3_000 < 1_000 { 10 } else { 1_000_000 };
            let size = f64::from(random.random_range(0..sizes));
            if random.random_range(0..10) < if grows { 8 } else { 1 } {
                jobs.insert(SizedJob { size, number: step });
                tree.insert(SizedJob { size, number: step });
            } else {
                let gone = match random.random_range(0..4) {
                    0 => tree.last().copied(),
                    1 => tree.range(SizedJob { size, number: 0 }..).next().copied(),
                    _ => tree.first().copied(),
                };
                if let Some(gone) = gone {
                    jobs.remove(&gone);
                    tree.remove(&gone);
                }
            }
            let (low, high) = (SizedJob { size, number: 0 }, SizedJob { size, number: u64::MAX });
            assert_eq!(jobs.first(), tree.first().copied());
            assert_eq!(jobs.last(), tree.last().copied());
            assert_eq!(jobs.least_from(size), tree.range(low..).next().copied());
            assert_eq!(jobs.after_size(size), tree.range(high..).next().copied());
            assert_eq!(jobs.before_size(size), tree.range(..low).next_back().copied());
            if let Some(&first) = tree.first() {
                let high = SizedJob { number: u64::MAX, ..first };
                assert_eq!(jobs.after_size(first.size), tree.range(high..).next().copied());
            }
            if step % 500 == 0 {
                assert!(jobs.iter().eq(tree.iter().copied()), "step {step}");
            }
        }
        assert!(jobs.chunks.len() > 4, "{}", jobs.chunks.len());
    }
}
