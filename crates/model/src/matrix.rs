//! The times of all tasks, one row per task, in one allocation. Hosts with equal times share a
//! column ([`Columns`]).
//!
//! A time takes 4 bytes if all times of the instance fit, else 8: large instances take half the
//! memory, and a pass over all pairs, which waits for memory, half the time.

use std::iter::Enumerate;
use std::slice;

use crate::columns::Columns;
use crate::{HostId, Ticks};

/// A time in the matrix.
pub(crate) trait Cell: Copy + Eq {
    /// Where the task cannot run; larger than any time.
    const FORBIDDEN: Self;

    fn ticks(self) -> Ticks;

    fn time(self) -> Option<Ticks> {
        (self != Self::FORBIDDEN).then(|| self.ticks())
    }
}

impl Cell for u32 {
    const FORBIDDEN: Self = Self::MAX;

    #[inline]
    fn ticks(self) -> Ticks {
        Ticks(self.into())
    }
}

impl Cell for u64 {
    const FORBIDDEN: Self = Self::MAX;

    #[inline]
    fn ticks(self) -> Ticks {
        Ticks(self)
    }
}

/// Times in the order in which they were pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Matrix {
    /// All times are below `u32::MAX`.
    Narrow(Vec<u32>),
    /// Some time is not.
    Wide(Vec<u64>),
}

impl Default for Matrix {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl Matrix {
    /// The number of times.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(cells) => cells.len(),
            Self::Wide(cells) => cells.len(),
        }
    }

    /// Adds a time; `None` if the task cannot run there.
    pub fn push(&mut self, time: Option<Ticks>) {
        match (&mut *self, time) {
            (Self::Narrow(cells), None) => cells.push(u32::FORBIDDEN),
            (Self::Wide(cells), None) => cells.push(u64::FORBIDDEN),
            // Such a large time is rejected later, but it is not a pair that cannot run.
            (Self::Wide(cells), Some(time)) => cells.push(time.0.min(u64::FORBIDDEN - 1)),
            (Self::Narrow(cells), Some(time)) => match u32::try_from(time.0) {
                Ok(time) if time != u32::FORBIDDEN => cells.push(time),
                _ => {
                    self.widen();
                    self.push(Some(time));
                }
            },
        }
    }

    /// Multiplies all times; `None` if one becomes too large.
    pub fn scale_up(&mut self, factor: u64) -> Option<()> {
        let widest = u64::from(u32::FORBIDDEN - 1) / factor;
        if let Self::Narrow(cells) = self {
            let times = cells.iter().filter(|&&cell| cell != u32::FORBIDDEN);
            if times.clone().all(|&cell| u64::from(cell) <= widest) {
                let times = cells.iter_mut().filter(|cell| **cell != u32::FORBIDDEN);
                times.for_each(|cell| *cell *= factor as u32);
                return Some(());
            }
            self.widen();
        }
        let Self::Wide(cells) = self else { return None };
        for cell in cells.iter_mut().filter(|cell| **cell != u64::FORBIDDEN) {
            *cell = cell.checked_mul(factor).filter(|&cell| cell != u64::FORBIDDEN)?;
        }
        Some(())
    }

    /// Gives back memory that pushing reserved.
    pub fn shrink(&mut self) {
        match self {
            Self::Narrow(cells) => cells.shrink_to_fit(),
            Self::Wide(cells) => cells.shrink_to_fit(),
        }
    }

    /// The time with this index.
    #[inline]
    pub fn time(&self, index: usize) -> Option<Ticks> {
        match self {
            Self::Narrow(cells) => cells[index].time(),
            Self::Wide(cells) => cells[index].time(),
        }
    }

    /// The times of the task whose row starts at this index, on the hosts with these columns.
    #[inline]
    pub fn row<'a>(&'a self, start: usize, columns: &'a Columns) -> Times<'a> {
        match (self, columns) {
            (Self::Narrow(cells), Columns::Own(hosts)) => {
                Times::Narrow(cells[start..start + hosts].iter().enumerate())
            }
            (Self::Wide(cells), Columns::Own(hosts)) => {
                Times::Wide(cells[start..start + hosts].iter().enumerate())
            }
            (Self::Narrow(cells), Columns::Shared { of, .. }) => {
                Times::NarrowShared(&cells[start..], of.iter().enumerate())
            }
            (Self::Wide(cells), Columns::Shared { of, .. }) => {
                Times::WideShared(&cells[start..], of.iter().enumerate())
            }
        }
    }

    /// Whether two of `width` columns have the same times.
    pub fn have_equal_columns(&self, width: usize, a: usize, b: usize) -> bool {
        fn equal<C: Cell>(cells: &[C], width: usize, a: usize, b: usize) -> bool {
            cells.chunks_exact(width).all(|row| row[a] == row[b])
        }
        match self {
            Self::Narrow(cells) => equal(cells, width, a, b),
            Self::Wide(cells) => equal(cells, width, a, b),
        }
    }

    /// The matrix with only these of its `width` columns, in this order.
    pub fn with_columns(&self, width: usize, columns: &[usize]) -> Self {
        fn picked<C: Cell>(cells: &[C], width: usize, columns: &[usize]) -> Vec<C> {
            cells.chunks_exact(width).flat_map(|row| columns.iter().map(|&c| row[c])).collect()
        }
        match self {
            Self::Narrow(cells) => Self::Narrow(picked(cells, width, columns)),
            Self::Wide(cells) => Self::Wide(picked(cells, width, columns)),
        }
    }

    fn widen(&mut self) {
        let wide = |&cell: &u32| cell.time().map_or(u64::FORBIDDEN, |time| time.0);
        if let Self::Narrow(cells) = self {
            *self = Self::Wide(cells.iter().map(wide).collect());
        }
    }
}

/// The hosts that can run a task, with its times there.
#[derive(Clone, Debug)]
pub(crate) enum Times<'a> {
    Narrow(Enumerate<slice::Iter<'a, u32>>),
    Wide(Enumerate<slice::Iter<'a, u64>>),
    /// The times from the row's start on, and the columns of the hosts.
    NarrowShared(&'a [u32], Enumerate<slice::Iter<'a, u32>>),
    WideShared(&'a [u64], Enumerate<slice::Iter<'a, u32>>),
}

#[inline]
fn pair<C: Cell>((host, &cell): (usize, &C)) -> Option<(HostId, Ticks)> {
    cell.time().map(|time| (HostId(host as u32), time))
}

#[inline]
fn shared_pair<C: Cell>(cells: &[C], (host, &column): (usize, &u32)) -> Option<(HostId, Ticks)> {
    pair((host, &cells[column as usize]))
}

impl Iterator for Times<'_> {
    type Item = (HostId, Ticks);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Narrow(cells) => cells.find_map(pair),
            Self::Wide(cells) => cells.find_map(pair),
            Self::NarrowShared(cells, hosts) => hosts.find_map(|host| shared_pair(cells, host)),
            Self::WideShared(cells, hosts) => hosts.find_map(|host| shared_pair(cells, host)),
        }
    }

    /// Decides once, not for every pair, how wide the times are.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, f: F) -> B {
        match self {
            Self::Narrow(cells) => cells.filter_map(pair).fold(init, f),
            Self::Wide(cells) => cells.filter_map(pair).fold(init, f),
            Self::NarrowShared(cells, hosts) => {
                hosts.filter_map(|host| shared_pair(cells, host)).fold(init, f)
            }
            Self::WideShared(cells, hosts) => {
                hosts.filter_map(|host| shared_pair(cells, host)).fold(init, f)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(times: &[Option<u64>]) -> Matrix {
        let mut matrix = Matrix::default();
        times.iter().for_each(|&time| matrix.push(time.map(Ticks)));
        matrix
    }

    fn times(matrix: &Matrix) -> Vec<Option<u64>> {
        (0..matrix.len()).map(|index| matrix.time(index).map(|time| time.0)).collect()
    }

    #[test]
    fn times_are_narrow_as_long_as_all_fit() {
        let widest = u64::from(u32::MAX) - 1;
        let narrow = [Some(0), None, Some(widest)];
        assert!(matches!(matrix(&narrow), Matrix::Narrow(_)));
        assert_eq!(times(&matrix(&narrow)), narrow);
        for more in [widest + 1, widest + 2, u64::MAX - 1] {
            let wide = [Some(0), None, Some(widest), Some(more), None];
            assert!(matches!(matrix(&wide), Matrix::Wide(_)));
            assert_eq!(times(&matrix(&wide)), wide);
        }
    }

    #[test]
    fn scaling_widens_only_where_it_must() {
        let scaled = |times: &[Option<u64>], factor| {
            let mut scaled = matrix(times);
            scaled.scale_up(factor).map(|()| scaled)
        };
        let times = [Some(429_496_729), None];
        assert_eq!(scaled(&times, 1), Some(matrix(&times)));
        assert_eq!(scaled(&times, 10), Some(matrix(&[Some(4_294_967_290), None])));
        assert_eq!(scaled(&times, 100), Some(matrix(&[Some(42_949_672_900), None])));
        assert_eq!(scaled(&[Some(u64::MAX / 5), None], 5), None);
        assert_eq!(scaled(&[Some(u64::MAX / 5), None], 6), None);
    }

    #[test]
    fn rows_list_the_possible_hosts() {
        for large in [7, u64::MAX / 2] {
            let matrix = matrix(&[None, Some(large), Some(2), None, Some(0)]);
            let own = Columns::Own(3);
            let row = || matrix.row(1, &own);
            let expected = [(HostId(0), Ticks(large)), (HostId(1), Ticks(2))];
            assert_eq!(row().collect::<Vec<_>>(), expected);
            let mut one_by_one = row();
            assert_eq!([one_by_one.next(), one_by_one.next()], expected.map(Some));
            assert_eq!(one_by_one.next(), None);
            let shared = Columns::shared(2, vec![1, 0, 1]);
            let expected =
                [(HostId(0), Ticks(2)), (HostId(1), Ticks(large)), (HostId(2), Ticks(2))];
            assert_eq!(matrix.row(1, &shared).collect::<Vec<_>>(), expected);
        }
    }
}
