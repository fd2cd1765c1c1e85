//! At most one of these literals is true.
//!
//! All four encodings forbid, by unit propagation, every other literal as soon as one is true; they
//! differ in size. Where a recursive encoding would not be smaller than writing all pairs, it
//! writes all pairs.
//!
//! A fresh variable always stands for "one of these literals is true" and is explained so. The
//! clauses that rest on the constraint itself, rather than on what a variable means, go to
//! [`ClauseSink::add_root_clause`].

mod commander;
mod ladder;
mod pairwise;
mod product;

use crate::{ClauseSink, Lit, Meaning, Term};

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
        match self {
            Self::Pairwise => pairwise::clause_count(n),
            Self::Ladder => ladder::clause_count(n),
            Self::Product => product::clause_count(n),
            Self::Commander => commander::clause_count(n),
        }
    }

    /// Writes the constraint on `lits`, which must be different.
    pub fn encode(self, lits: &[Lit], sink: &mut dyn ClauseSink) {
        match self {
            Self::Pairwise => pairwise::encode(lits, sink),
            Self::Ladder => ladder::encode(lits, sink),
            Self::Product => product::encode(&Member::each(lits), sink),
            Self::Commander => commander::encode(&Member::each(lits), sink),
        }
    }
}

/// A literal of a recursive encoding, and the given literals one of which is true when it is.
struct Member {
    lit: Lit,
    stands_for: Vec<Term>,
}

impl Member {
    /// Every literal standing for itself.
    fn each(lits: &[Lit]) -> Vec<Self> {
        let member = |&lit| Self { lit, stands_for: vec![term(lit)] };
        lits.iter().map(member).collect()
    }

    /// A fresh literal that stands for all of the group and is true when one of them is.
    fn of_group<'a>(
        group: impl Iterator<Item = &'a Self> + Clone,
        sink: &mut dyn ClauseSink,
    ) -> Self {
        let stands_for: Vec<_> = group.clone().flat_map(|m| &m.stands_for).copied().collect();
        let lit = any_of(&stands_for, sink);
        for member in group {
            sink.add_clause(&[!member.lit, lit]);
        }
        Self { lit, stands_for }
    }
}

fn term(lit: Lit) -> Term {
    Term { lit, weight: 1 }
}

/// A fresh literal explained as "one of these is true".
fn any_of(terms: &[Term], sink: &mut dyn ClauseSink) -> Lit {
    let var = sink.new_var();
    sink.explain(var, Meaning::AtLeast { terms, bound: 1 });
    var.positive()
}

fn lits(members: &[Member]) -> Vec<Lit> {
    members.iter().map(|member| member.lit).collect()
}
