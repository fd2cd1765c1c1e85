//! The calendar of one resource: how many of its PEs are reserved, and when.
//!
//! Stored as the changes of that number, in order of time. Whether PEs are free is determined by a
//! sum over the changes until the end of the period; the nearest free period is found by one sweep
//! over all changes. O(n) each, with n reservations that have not ended.

use std::collections::BTreeMap;

use super::Period;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// The reservations of a resource over time.
#[derive(Clone, Debug)]
pub struct Book {
    pes: u32,
    /// Net change of reserved PEs at each time; entries are never 0.
    changes: BTreeMap<Time, i64>,
}

impl Book {
    /// A calendar without reservations, for this many PEs.
    pub fn new(pes: u32) -> Self {
        Self { pes, changes: BTreeMap::new() }
    }

    /// Reserves PEs; the caller must have checked that they are free.
    pub fn add(&mut self, pes: u32, period: Period) {
        self.change(period.start, i64::from(pes));
        self.change(period.end, -i64::from(pes));
    }

    /// Removes a reservation.
    pub fn remove(&mut self, pes: u32, period: Period) {
        self.change(period.start, -i64::from(pes));
        self.change(period.end, i64::from(pes));
    }

    fn change(&mut self, time: Time, by: i64) {
        let change = self.changes.entry(time).or_default();
        *change += by;
        if *change == 0 {
            self.changes.remove(&time);
        }
    }

    /// Whether this many PEs are unreserved for the whole period.
    pub fn is_free(&self, pes: u32, period: Period) -> bool {
        self.gaps(pes).any(|gap| gap.start <= period.start && period.end <= gap.end)
    }

    /// The free period of this length whose start is nearest to `wanted`, of two the earlier one,
    /// but not before `earliest`. `None` if this many PEs are never free, or the period would end
    /// after the last tick.
    pub fn nearest(
        &self,
        pes: u32,
        wanted: Time,
        duration: Ticks,
        earliest: Time,
    ) -> Option<Period> {
        let start_in = |gap: Period| {
            let first = gap.start.max(earliest);
            let last = Time(gap.end.0.checked_sub(duration)?);
            (first <= last).then(|| wanted.clamp(first, last))
        };
        let starts = self.gaps(pes).filter_map(start_in);
        let start = starts.min_by_key(|&start| (start.0.abs_diff(wanted.0), start))?;
        Period::new(start, duration)
    }

    /// The longest periods in which this many PEs are free, in order of time.
    fn gaps(&self, pes: u32) -> impl Iterator<Item = Period> {
        let most = i64::from(self.pes) - i64::from(pes);
        let end = (Time(Time::NEVER.0 - Ticks(1)), i64::MAX / 2);
        let changes = self.changes.iter().map(|(&time, &by)| (time, by));
        let (mut promised, mut since) = (0, (most >= 0).then_some(Time::ZERO));
        changes.chain([end]).filter_map(move |(time, by)| {
            promised += by;
            if promised <= most {
                since.get_or_insert(time);
                return None;
            }
            let start = since.take()?;
            (start < time).then_some(Period { start, end: time })
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn period(start: u64, end: u64) -> Period {
        Period { start: Time(Ticks(start)), end: Time(Ticks(end)) }
    }

    /// The period in which `pes` PEs are free for `length`, nearest to `wanted` and not before
    /// `earliest`.
    fn nearest(book: &Book, pes: u32, length: u64, wanted: u64, earliest: u64) -> Option<Period> {
        book.nearest(pes, Time(Ticks(wanted)), Ticks(length), Time(Ticks(earliest)))
    }

    #[test]
    fn the_nearest_by_hand() {
        let mut book = Book::new(4);
        book.add(3, period(10, 20));
        book.add(2, period(20, 30));
        assert!(book.is_free(1, period(0, 99)) && book.is_free(2, period(20, 99)));
        assert!(!book.is_free(2, period(19, 21)) && !book.is_free(5, period(0, 1)));
        let five = |pes, wanted| nearest(&book, pes, 5, wanted, 2);
        assert_eq!(five(2, 12), Some(period(5, 10)), "7 back, 8 ahead");
        assert_eq!(five(2, 13), Some(period(20, 25)), "8 back, 7 ahead");
        assert_eq!(five(3, 18), Some(period(30, 35)), "13 back, 12 ahead");
        assert_eq!(five(4, 1), Some(period(2, 7)), "never before it is asked for");
        assert_eq!(five(5, 1), None);
        assert_eq!(nearest(&book, 4, 5, 17, 6), Some(period(30, 35)), "6 to 10 is short");
        assert_eq!(nearest(&Book::new(1), 1, u64::MAX, 9, 0), None);
        book.remove(3, period(10, 20));
        book.remove(2, period(20, 30));
        assert!(book.changes.is_empty());
    }

    #[test]
    fn of_two_as_near_the_earlier_one() {
        let mut book = Book::new(1);
        book.add(1, period(10, 20));
        assert_eq!(nearest(&book, 1, 4, 13, 0), Some(period(6, 10)));
    }

    /// Compares with a table of every tick, and a search over every start.
    #[test]
    fn as_counted_tick_by_tick() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for case in 0..500 {
            let (mut book, mut table) = (Book::new(4), [0_u32; 100]);
            let free = |table: &[u32; 100], pes: u32, period: Period| {
                let ticks = period.start.0.0 as usize..period.end.0.0 as usize;
                table[ticks].iter().all(|promised| promised + pes <= 4)
            };
            for _ in 0..12 {
                let pes = random.random_range(1..5);
                let (wanted, duration) = (random.random_range(0..40), random.random_range(1..9));
                let asked = period(wanted, wanted + duration);
                assert_eq!(book.is_free(pes, asked), free(&table, pes, asked), "case {case}");
                let earliest = random.random_range(0..=wanted);
                let starts = (earliest..90).map(|start| period(start, start + duration));
                let all = starts.filter(|&at| free(&table, pes, at));
                let expected = all.min_by_key(|at| (at.start.0.abs_diff(Ticks(wanted)), at.start));
                let found = nearest(&book, pes, duration, wanted, earliest);
                assert_eq!(found, expected, "case {case}: {book:?}");
                let taken = found.expect("the end is free");
                if taken.start.0 < Ticks(60) {
                    book.add(pes, taken);
                    let ticks = taken.start.0.0 as usize..taken.end.0.0 as usize;
                    table[ticks].iter_mut().for_each(|promised| *promised += pes);
                }
            }
        }
    }
}
