//! Which column of the matrix each host has: hosts with equal times share one.
//!
//! Test shards and most clusters are many equal hosts. Their times are kept once, so that n tasks
//! on m equal hosts take memory for n + m numbers, not for n·m. Columns are numbered in the order
//! of the first host that has them, so equal instances have equal columns however they were made.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use crate::matrix::Matrix;

/// Rows that are compared before whole columns are.
const FIRST_ROWS: usize = 8;

/// The column of each host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Columns {
    /// No two hosts are alike: host h has column h of this many.
    Own(usize),
    /// Host h has the column in entry h of `of`.
    Shared {
        /// The number of columns.
        width: usize,
        of: Arc<[u32]>,
    },
}

impl Columns {
    /// Each host has its entry of the list, one of `width` columns.
    pub fn shared(width: usize, of: Vec<u32>) -> Self {
        Self::Shared { width, of: of.into() }
    }

    /// Hosts of the same kind share a column; also the first host of each column.
    pub fn by_kind<K: Eq + Hash>(kinds: impl Iterator<Item = K>) -> (Self, Vec<usize>) {
        let mut number_of = HashMap::new();
        let mut first = Vec::new();
        let mut number = |(host, kind)| {
            let number = *number_of.entry(kind).or_insert(first.len());
            if number == first.len() {
                first.push(host);
            }
            number as u32
        };
        let of: Vec<u32> = kinds.enumerate().map(&mut number).collect();
        let is_own = first.len() == of.len();
        (if is_own { Self::Own(of.len()) } else { Self::shared(first.len(), of) }, first)
    }

    /// The number of hosts.
    pub fn hosts(&self) -> usize {
        match self {
            Self::Own(hosts) => *hosts,
            Self::Shared { of, .. } => of.len(),
        }
    }

    /// The number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        match self {
            Self::Own(hosts) => *hosts,
            Self::Shared { width, .. } => *width,
        }
    }

    /// The column of a host.
    #[inline]
    pub fn of(&self, host: usize) -> usize {
        match self {
            Self::Own(_) => host,
            Self::Shared { of, .. } => of[host] as usize,
        }
    }
}

/// The matrix with equal columns merged, and the column of each host. `columns` says which column
/// of the given matrix each host has.
pub(crate) fn merged(etc: Matrix, width: usize, columns: Columns) -> (Matrix, Columns) {
    let Some(first_alike) = alike(&etc, width) else {
        return (etc, columns);
    };
    let mut kept: Vec<usize> = Vec::new();
    let mut number_of = |column: usize| {
        let column = first_alike[column];
        let number = kept.iter().position(|&other| other == column);
        number.unwrap_or_else(|| {
            kept.push(column);
            kept.len() - 1
        }) as u32
    };
    let numbers: Vec<u32> = (0..columns.hosts()).map(|h| number_of(columns.of(h))).collect();
    (etc.with_columns(width, &kept), Columns::shared(kept.len(), numbers))
}

/// For each column the first one that equals it; `None` if no two are equal.
fn alike(etc: &Matrix, width: usize) -> Option<Vec<usize>> {
    let rows = etc.len() / width;
    let start = |column: usize| {
        let row = move |row: usize| etc.time(row * width + column);
        (0..rows.min(FIRST_ROWS)).map(row).collect::<Vec<_>>()
    };
    let mut sorted: Vec<usize> = (0..width).collect();
    let starts: Vec<_> = sorted.iter().map(|&column| start(column)).collect();
    sorted.sort_by(|&a, &b| starts[a].cmp(&starts[b]).then(a.cmp(&b)));
    let mut first: Vec<usize> = (0..width).collect();
    for group in sorted.chunk_by(|&a, &b| starts[a] == starts[b]).filter(|group| group.len() > 1) {
        let mut distinct: Vec<usize> = Vec::new();
        for &column in group {
            match distinct.iter().find(|&&other| etc.have_equal_columns(width, other, column)) {
                Some(&other) => first[column] = other,
                None => distinct.push(column),
            }
        }
    }
    let any_alike = first.iter().enumerate().any(|(column, &other)| column != other);
    any_alike.then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ticks;

    fn matrix(rows: &[&[u64]]) -> Matrix {
        let mut matrix = Matrix::default();
        rows.iter().flat_map(|row| row.iter()).for_each(|&time| matrix.push(Some(Ticks(time))));
        matrix
    }

    #[test]
    fn equal_columns_are_kept_once() {
        let etc = matrix(&[&[5, 4, 5, 4, 5], &[1, 2, 1, 3, 1]]);
        let (etc, columns) = merged(etc, 5, Columns::Own(5));
        assert_eq!(etc, matrix(&[&[5, 4, 4], &[1, 2, 3]]));
        assert_eq!(columns, Columns::shared(3, vec![0, 1, 0, 2, 0]));
        assert_eq!((columns.hosts(), columns.width()), (5, 3));
    }

    #[test]
    fn different_columns_stay() {
        let etc = matrix(&[&[5, 4], &[1, 1]]);
        let (same, columns) = merged(etc.clone(), 2, Columns::Own(2));
        assert_eq!((same, columns), (etc, Columns::Own(2)));
    }

    #[test]
    fn columns_that_differ_late_are_told_apart() {
        let mut rows = vec![vec![7, 7, 7]; 20];
        rows[19] = vec![7, 8, 7];
        let rows: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
        let (_, columns) = merged(matrix(&rows), 3, Columns::Own(3));
        assert_eq!(columns, Columns::shared(2, vec![0, 1, 0]));
    }
}
