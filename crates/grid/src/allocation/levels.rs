//! Jobs by the level of work at which they are complete, lowest first.
//!
//! Thousands of jobs often arrive at once and then leave one by one. So jobs are collected, and
//! put into a heap when one is taken. If the heap has most of the jobs then, these are sorted into
//! a list, from whose end jobs leave in O(1) and without touching memory in random order. A merge
//! costs as much as the heap has jobs, so all operations but [`Levels::retain`] take amortised
//! O(log n).

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::JobId;
use crate::work::Work;

/// Sequence number of a submission or resumption.
pub(super) type Order = u64;

/// Bits of an [`Order`]. That many jobs take weeks to simulate.
const ORDER_BITS: u32 = 43;

/// A job, its level, and its order, by which jobs of equal levels leave. Two words for the key,
/// because a `u128` would be aligned to 16 bytes and the entry would take 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level<I = JobId> {
    high: u64,
    low: u64,
    pub job: I,
}

impl<I: Copy> Level<I> {
    /// Levels have at most 85 bits: both the work served and that of a job are below 2^64 ticks of
    /// 10^6 units.
    #[inline]
    pub fn new(until: Work, order: Order, job: I) -> Self {
        assert!(order >> ORDER_BITS == 0, "so many jobs take weeks");
        let key = until.0 << ORDER_BITS | u128::from(order);
        Self { high: (key >> 64) as u64, low: key as u64, job }
    }

    #[inline]
    fn key(&self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    #[inline]
    pub fn until(&self) -> Work {
        Work(self.key() >> ORDER_BITS)
    }

    #[inline]
    pub fn order(&self) -> Order {
        self.low & ((1 << ORDER_BITS) - 1)
    }
}

impl<I: Copy + Eq> PartialOrd for Level<I> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<I: Copy + Eq> Ord for Level<I> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// Up to this many jobs stay in the heap.
const FEW: usize = 32;

/// How many jobs [`Levels::soon`] names at a time.
const AHEAD: usize = 16;

/// Jobs by level.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    /// Jobs that came since one was taken, in no order.
    new: Vec<Reverse<Level>>,
    /// The lowest level among them.
    lowest_new: Option<Level>,
    heap: BinaryHeap<Reverse<Level>>,
    /// The lowest level is the last.
    sorted: Vec<Reverse<Level>>,
}

impl Levels {
    #[inline]
    pub fn len(&self) -> usize {
        self.new.len() + self.heap.len() + self.sorted.len()
    }

    #[inline]
    pub fn push(&mut self, level: Level) {
        if self.lowest_new.is_none_or(|lowest| level < lowest) {
            self.lowest_new = Some(level);
        }
        self.new.push(Reverse(level));
    }

    /// The job with the lowest level.
    #[inline]
    pub fn first(&self) -> Option<Level> {
        match (self.lowest_new, self.first_old()) {
            (Some(new), Some(old)) => Some(new.min(old)),
            (new, old) => new.or(old),
        }
    }

    #[inline]
    fn first_old(&self) -> Option<Level> {
        match (self.heap.peek(), self.sorted.last()) {
            (Some(&Reverse(new)), Some(&Reverse(old))) => Some(new.min(old)),
            (new, old) => new.or(old).map(|&Reverse(level)| level),
        }
    }

    /// Removes the job with the lowest level, if that is at most this.
    #[inline]
    pub fn pop(&mut self, until: Work) -> Option<Level> {
        let first = self.first().filter(|first| first.until() <= until)?;
        if self.lowest_new.take().is_some() {
            self.take_in_new();
        }
        if !self.heap.is_empty() {
            if self.heap.len() > FEW.max(self.sorted.len()) {
                let new = std::mem::take(&mut self.heap).into_vec();
                self.merge(new);
            } else if self.heap.peek() == Some(&Reverse(first)) {
                self.heap.pop();
                return Some(first);
            }
        }
        self.sorted.pop();
        Some(first)
    }

    /// Calls a function with the jobs that come next in the list, once for each.
    #[inline]
    pub fn soon(&self, mut next: impl FnMut(JobId)) {
        if self.sorted.len().is_multiple_of(AHEAD) {
            self.sorted.iter().rev().take(AHEAD).for_each(|Reverse(level)| next(level.job));
        }
    }

    /// Puts the new jobs into the heap, or with those of the heap into the list.
    fn take_in_new(&mut self) {
        if self.new.len() + self.heap.len() <= FEW.max(self.sorted.len()) {
            self.heap.extend(self.new.drain(..));
        } else {
            self.new.extend(self.heap.drain());
            let new = std::mem::take(&mut self.new);
            self.merge(new);
        }
    }

    /// Moves jobs into the list.
    fn merge(&mut self, new: Vec<Reverse<Level>>) {
        let old = std::mem::replace(&mut self.sorted, by_level(new));
        if !old.is_empty() {
            self.sorted.extend(old);
            // This sort recognises two sorted lists, one behind the other, and merges them.
            self.sorted.sort();
        }
    }

    /// Keeps only jobs for which the condition holds, in O(n).
    pub fn retain(&mut self, stays: impl Fn(&Level) -> bool) {
        self.new.retain(|Reverse(level)| stays(level));
        self.lowest_new = self.new.iter().map(|&Reverse(level)| level).min();
        self.heap.retain(|Reverse(level)| stays(level));
        self.sorted.retain(|Reverse(level)| stays(level));
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// All jobs, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Level> {
        self.new.iter().chain(&self.heap).chain(&self.sorted).map(|Reverse(level)| level)
    }
}

/// Most buckets of [`by_level`]: the places at which they end fit into the first-level cache.
const BUCKETS: usize = 1 << 12;

/// Sorts jobs, the lowest level last. Levels of jobs that arrive together are spread over some
/// range, so each of its equal parts has few of them: putting jobs into these buckets takes less
/// time than comparing them. If most are in one bucket, it is as fast as sorting without.
fn by_level(mut jobs: Vec<Reverse<Level>>) -> Vec<Reverse<Level>> {
    let keys = || jobs.iter().map(|Reverse(level)| level.key());
    let (Some(low), Some(high)) = (keys().min(), keys().max()) else { return jobs };
    let buckets = (jobs.len() / 4).clamp(1, BUCKETS).next_power_of_two();
    let range = u128::BITS - (high - low).leading_zeros();
    let shift = range.saturating_sub(buckets.ilog2());
    let bucket = |&Reverse(level): &Reverse<Level>| ((high - level.key()) >> shift) as usize;
    if buckets == 1 || shift >= u128::BITS {
        jobs.sort_unstable();
        return jobs;
    }
    let mut ends = vec![0_u32; buckets + 1];
    jobs.iter().for_each(|job| ends[bucket(job) + 1] += 1);
    (1..=buckets).for_each(|next| ends[next] += ends[next - 1]);
    let mut sorted = jobs.clone();
    for job in &jobs {
        let place = &mut ends[bucket(job)];
        sorted[*place as usize] = *job;
        *place += 1;
    }
    let mut start = 0;
    for &end in &ends[..buckets] {
        let end = end as usize;
        if end - start > 1 {
            sorted[start..end].sort_unstable();
        }
        start = end;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn does_what_an_ordered_set_does() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let (mut levels, mut model) = (Levels::default(), BTreeSet::new());
        let mut was_sorted = false;
        for step in 0..20_000_u32 {
            // Mostly arrivals for some time, then mostly departures.
            let arrivals = if step / 1_000 % 2 == 0 { 8 } else { 3 };
            if random.random_range(0..10) < arrivals {
                let until = Work(random.random_range(0..500));
                let level = Level::new(until, u64::from(step), JobId(step));
                assert_eq!((level.until(), level.order()), (until, u64::from(step)));
                levels.push(level);
                model.insert(level);
            } else if random.random_range(0..50) == 0 {
                let left = random.random_range(0..7);
                levels.retain(|level| level.job.0 % 7 != left);
                model.retain(|level| level.job.0 % 7 != left);
            } else {
                let until = Work(random.random_range(0..1_000));
                let first = model.first().copied().filter(|first| first.until() <= until);
                assert_eq!(levels.pop(until), first, "step {step}");
                first.map(|first| model.remove(&first));
            }
            was_sorted |= levels.sorted.len() > FEW;
            assert_eq!((levels.first(), levels.len()), (model.first().copied(), model.len()));
            assert_eq!(levels.iter().count(), model.len());
        }
        assert!(was_sorted);
    }

    #[test]
    fn buckets_sort_as_comparing_does() {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        for count in [0, 1, 2, 7, 8, 100, 5_000, 40_000_u64] {
            for range in [1, 2, 1_000, 1 << 40, 1 << 84] {
                let mut level = |order| {
                    // One in a hundred is far above the others, which then share few buckets.
                    let range = if order % 100 == 99 { 1 << 84 } else { range };
                    Reverse(Level::new(Work(random.random_range(0..range)), order, JobId(0)))
                };
                let jobs: Vec<_> = (0..count).map(&mut level).collect();
                let mut compared = jobs.clone();
                compared.sort_unstable();
                assert_eq!(by_level(jobs), compared, "{count} jobs below {range}");
            }
        }
    }
}
