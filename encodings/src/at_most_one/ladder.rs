//! Sequential counter of Sinz (2005), also known as the ladder.
//!
//! `s_i` means that one of `x_0 … x_i` is true; then `x_{i+1}` must be false. The first prefix is
//! `x_0` itself and the last needs no variable: `n−2` variables, `3n−5` clauses.

use super::{any_of, pairwise, term};
use crate::{ClauseSink, Lit};

/// From this many literals on, the ladder needs at most one clause more than all pairs.
const SMALLEST: usize = 5;

pub(super) fn clause_count(n: u64) -> u64 {
    if n < SMALLEST as u64 {
        return pairwise::clause_count(n);
    }
    3 * n - 5
}

pub(super) fn encode(lits: &[Lit], sink: &mut dyn ClauseSink) {
    let [first, middle @ .., last] = lits else {
        return;
    };
    if lits.len() < SMALLEST {
        return pairwise::encode(lits, sink);
    }
    let terms: Vec<_> = lits.iter().copied().map(term).collect();
    let mut prefix = *first;
    for (i, &lit) in middle.iter().enumerate() {
        let longer = any_of(&terms[..i + 2], sink);
        sink.add_clause(&[!prefix, longer]);
        sink.add_clause(&[!lit, longer]);
        sink.add_root_clause(&[!prefix, !lit]);
        prefix = longer;
    }
    sink.add_root_clause(&[!prefix, !*last]);
}
