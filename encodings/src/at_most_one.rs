//! At most one of these literals is true.

use crate::ClauseSink;
use crate::Lit;

/// The ways to say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtMostOne {
    /// A clause for each pair of literals (the thesis).
    Pairwise,
    /// Sequential counter, also called ladder: one fresh variable a literal.
    Ladder,
    /// Literals in a grid: at most one row, at most one column.
    Product,
    /// Groups with a commander variable each, recursively.
    Commander,
}

impl AtMostOne {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Pairwise, Self::Ladder, Self::Product, Self::Commander];

    /// The name used on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairwise => "pairwise",
            Self::Ladder => "ladder",
            Self::Product => "product",
            Self::Commander => "commander",
        }
    }

    /// How many clauses [`AtMostOne::encode`] writes for `n` literals.
    pub fn clause_count(self, n: usize) -> u64 {
        let n = n as u64;
        n * n.saturating_sub(1) / 2
    }

    /// Writes the constraint on `lits`.
    pub fn encode(self, lits: &[Lit], sink: &mut dyn ClauseSink) {
        for (i, &a) in lits.iter().enumerate() {
            for &b in &lits[i + 1..] {
                sink.add_clause(&[!a, !b]);
            }
        }
    }
}
