//! Commander encoding of Klieber and Kwon (2007), groups of three.
//!
//! A true literal makes the commander of its group true. Within a group all pairs are excluded. At
//! most one commander may be true, which is the same constraint on a third of the literals: about
//! `n/2` variables and `3n` clauses. The converse, that a commander needs a true literal in its
//! group, is not written, because at-most-one does not need it.

use super::{Member, lits, pairwise};
use crate::ClauseSink;

/// Size of a group; three is best according to the paper.
const GROUP: usize = 3;

/// From this many literals on, groups need fewer clauses than all pairs.
const SMALLEST: usize = 6;

pub(super) fn clause_count(n: u64) -> u64 {
    if n < SMALLEST as u64 {
        return pairwise::clause_count(n);
    }
    let group = GROUP as u64;
    let (full, rest) = (n / group, n % group);
    let inside = full * pairwise::clause_count(group) + pairwise::clause_count(rest);
    inside + n + clause_count(n.div_ceil(group))
}

pub(super) fn encode(members: &[Member], sink: &mut dyn ClauseSink) {
    if members.len() < SMALLEST {
        return pairwise::encode(&lits(members), sink);
    }
    let command = |group: &[Member]| {
        pairwise::encode(&lits(group), sink);
        Member::of_group(group.iter(), sink)
    };
    let commanders: Vec<_> = members.chunks(GROUP).map(command).collect();
    encode(&commanders, sink);
}
