//! Product encoding of Chen (2010).
//!
//! The literals are arranged row by row in a grid about `√n` wide. A true literal makes its row
//! and its column true. At most one row and at most one column may be true, which is the same
//! constraint on about `√n` literals each, so `2n + 4√n + O(n^¼)` clauses.

use super::{Member, lits, pairwise};
use crate::ClauseSink;

/// From this many literals on, a grid needs fewer clauses than all pairs.
const SMALLEST: usize = 7;

/// Number of columns of the grid: that of the smallest square that holds all literals.
fn columns(n: u64) -> u64 {
    let root = n.isqrt();
    root + u64::from(root * root < n)
}

pub(super) fn clause_count(n: u64) -> u64 {
    if n < SMALLEST as u64 {
        return pairwise::clause_count(n);
    }
    let columns = columns(n);
    2 * n + clause_count(n.div_ceil(columns)) + clause_count(columns)
}

pub(super) fn encode(members: &[Member], sink: &mut dyn ClauseSink) {
    if members.len() < SMALLEST {
        return pairwise::encode(&lits(members), sink);
    }
    let width = columns(members.len() as u64) as usize;
    let rows: Vec<_> =
        members.chunks(width).map(|row| Member::of_group(row.iter(), sink)).collect();
    let columns: Vec<_> = (0..width)
        .map(|column| Member::of_group(members[column..].iter().step_by(width), sink))
        .collect();
    encode(&rows, sink);
    encode(&columns, sink);
}
