//! All pairs excluded: `¬a ∨ ¬b` for each pair, `n(n−1)/2` clauses and no fresh variable.

use crate::{ClauseSink, Lit};

pub(super) fn clause_count(n: u64) -> u64 {
    n.saturating_mul(n.saturating_sub(1)) / 2
}

pub(super) fn encode(lits: &[Lit], sink: &mut dyn ClauseSink) {
    for (i, &a) in lits.iter().enumerate() {
        for &b in &lits[i + 1..] {
            sink.add_root_clause(&[!a, !b]);
        }
    }
}
