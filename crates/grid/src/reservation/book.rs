//! The calendar of one pool, such as the PEs of a resource or the memory of a machine: how much of
//! it is reserved, and when.
//!
//! Stored as the changes of that amount, in order of time. The periods in which enough is free are
//! found by one sweep over all changes; the nearest free period of several pools by a sweep over
//! the common parts of these. O(n) each, with n reservations that have not ended.

use std::collections::BTreeMap;

use super::Period;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// The reservations of a pool over time.
#[derive(Clone, Debug)]
pub struct Book {
    size: u64,
    /// Net change of the reserved amount at each time; entries are never 0.
    changes: BTreeMap<Time, i128>,
}

impl Book {
    /// A calendar without reservations, for a pool of this size.
    pub fn new(size: u64) -> Self {
        Self { size, changes: BTreeMap::new() }
    }

    /// Reserves an amount; the caller must have checked that it is free.
    pub fn add(&mut self, amount: u64, period: Period) {
        self.change(period.start, i128::from(amount));
        self.change(period.end, -i128::from(amount));
    }

    /// Removes a reservation.
    pub fn remove(&mut self, amount: u64, period: Period) {
        self.change(period.start, -i128::from(amount));
        self.change(period.end, i128::from(amount));
    }

    fn change(&mut self, time: Time, by: i128) {
        let change = self.changes.entry(time).or_default();
        *change += by;
        if *change == 0 {
            self.changes.remove(&time);
        }
    }

    /// Whether this amount is unreserved for the whole period.
    pub fn is_free(&self, amount: u64, period: Period) -> bool {
        self.gaps(amount).any(|gap| gap.start <= period.start && period.end <= gap.end)
    }

    /// The longest periods in which this amount is free, in order of time.
    pub fn gaps(&self, amount: u64) -> impl Iterator<Item = Period> {
        let most = i128::from(self.size) - i128::from(amount);
        let end = (Time(Time::NEVER.0 - Ticks(1)), i128::MAX / 2);
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

/// The longest periods that lie in one of each list, in order of time; as are both lists.
pub(super) fn common(a: &[Period], b: &[Period]) -> Vec<Period> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut both = Vec::new();
    while let (Some(one), Some(other)) = (a.peek(), b.peek()) {
        let (start, end) = (one.start.max(other.start), one.end.min(other.end));
        both.extend((start < end).then_some(Period { start, end }));
        if one.end < other.end {
            a.next()
        } else {
            b.next()
        };
    }
    both
}

/// The period of this length in one of the gaps whose start is nearest to `wanted`, of two the
/// earlier one, but not before `earliest`. `None` if no gap is long enough.
pub(super) fn nearest(
    gaps: &[Period],
    wanted: Time,
    duration: Ticks,
    earliest: Time,
) -> Option<Period> {
    let start_in = |gap: &Period| {
        let first = gap.start.max(earliest);
        let last = Time(gap.end.0.checked_sub(duration)?);
        (first <= last).then(|| wanted.clamp(first, last))
    };
    let starts = gaps.iter().filter_map(start_in);
    let start = starts.min_by_key(|&start| (start.0.abs_diff(wanted.0), start))?;
    Period::new(start, duration)
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
    fn nearest(book: &Book, pes: u64, length: u64, wanted: u64, earliest: u64) -> Option<Period> {
        let gaps: Vec<Period> = book.gaps(pes).collect();
        super::nearest(&gaps, Time(Ticks(wanted)), Ticks(length), Time(Ticks(earliest)))
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
            let (mut book, mut table) = (Book::new(4), [0_u64; 100]);
            let free = |table: &[u64; 100], pes: u64, period: Period| {
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

    #[test]
    fn common_parts_are_those_of_a_table() {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        for case in 0..300 {
            let mut list = || {
                let (mut now, mut list) = (0, Vec::new());
                while now < 80 {
                    let start = now + random.random_range(0..9);
                    now = start + random.random_range(1..9);
                    list.push(period(start, now));
                    now += 1;
                }
                list
            };
            let (a, b) = (list(), list());
            let is_in = |list: &[Period], tick: u64| {
                list.iter().any(|one| one.start.0.0 <= tick && tick < one.end.0.0)
            };
            let both = common(&a, &b);
            for tick in 0..100 {
                let expected = is_in(&a, tick) && is_in(&b, tick);
                assert_eq!(is_in(&both, tick), expected, "case {case}, tick {tick}");
            }
        }
    }
}
