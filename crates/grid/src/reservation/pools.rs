//! Everything that can be reserved, each pool with its calendar.
//!
//! A reservation may need amounts of several pools: they are free in the common parts of the
//! periods in which each is free.

use std::collections::BTreeMap;

use super::book::{Book, common, nearest};
use super::{Period, ReservationSpec};
use crate::grid::ResourceId;

/// Something that is reserved in amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pool {
    /// PEs of a resource.
    Pes(ResourceId),
    /// Bytes of memory of the machine with this number.
    Memory(u32),
    /// Bytes of the disk of the machine with this number.
    Storage(u32),
    /// Bandwidth of the link with this number.
    Link(u32),
}

/// Amounts that one reservation needs, at most one of each pool.
pub(super) type Amounts = Vec<(Pool, u64)>;

/// The calendars of all pools.
#[derive(Debug, Default)]
pub(super) struct Books(BTreeMap<Pool, Book>);

impl Books {
    /// Adds the calendar of a pool of this size, unless there is one.
    pub fn open(&mut self, pool: Pool, size: u64) {
        self.0.entry(pool).or_insert_with(|| Book::new(size));
    }

    fn book(&mut self, pool: Pool) -> &mut Book {
        self.0.get_mut(&pool).expect("one for everything that is reserved")
    }

    /// The period nearest to the requested one in which all amounts are free, not before the
    /// request; `None` if there is none.
    pub fn nearest(&self, amounts: &Amounts, spec: &ReservationSpec) -> Option<Period> {
        let mut gaps = amounts.iter().map(|(pool, amount)| {
            let book = self.0.get(pool).into_iter();
            book.flat_map(|book| book.gaps(*amount)).collect::<Vec<_>>()
        });
        let first = gaps.next()?;
        let all = gaps.fold(first, |all, gaps| common(&all, &gaps));
        nearest(&all, spec.start, spec.duration, spec.requested)
    }

    /// Reserves amounts that are free.
    pub fn add(&mut self, amounts: &Amounts, period: Period) {
        amounts.iter().for_each(|&(pool, amount)| self.book(pool).add(amount, period));
    }

    /// Removes a reservation.
    pub fn remove(&mut self, amounts: &Amounts, period: Period) {
        amounts.iter().for_each(|&(pool, amount)| self.book(pool).remove(amount, period));
    }

    /// Resources whose PEs are reserved at any time.
    pub fn resources(&self) -> impl Iterator<Item = ResourceId> {
        self.0.keys().filter_map(|pool| match pool {
            Pool::Pes(resource) => Some(*resource),
            _ => None,
        })
    }
}
