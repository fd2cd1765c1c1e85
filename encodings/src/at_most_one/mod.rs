//! At most one of these literals is true.
//!
//! In all four encodings unit propagation makes every other literal false as soon as one is true;
//! they differ in size. Where a recursive encoding would not be smaller than excluding all pairs,
//! it excludes all pairs.
//!
//! A fresh variable always means "one of these literals is true" and is explained so. Clauses that
//! need the constraint itself, rather than only the meaning of variables, go to
//! [`ClauseSink::add_root_clause`].

mod commander;
mod ladder;
mod pairwise;
mod product;

use crate::{ClauseSink, Lit, Meaning, Term};

/// The encodings of "at most one".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtMostOne {
    /// One clause for each pair of literals, as in Rhodes' thesis.
    Pairwise,
    /// Sequential counter, also called ladder: one fresh variable per literal.
    Ladder,
    /// Literals in a grid: at most one row and at most one column is true.
    Product,
    /// Groups with one commander variable each, recursively.
    Commander,
}

impl AtMostOne {
    /// All encodings.
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

    /// Number of clauses that [`AtMostOne::encode`] writes for `n` literals.
    pub fn clause_count(self, n: usize) -> u64 {
        let n = n as u64;
        match self {
            Self::Pairwise => pairwise::clause_count(n),
            Self::Ladder => ladder::clause_count(n),
            Self::Product => product::clause_count(n),
            Self::Commander => commander::clause_count(n),
        }
    }

    /// Writes the constraint on `lits`, which must be distinct.
    pub fn encode(self, lits: &[Lit], sink: &mut dyn ClauseSink) {
        match self {
            Self::Pairwise => pairwise::encode(lits, sink),
            Self::Ladder => ladder::encode(lits, sink),
            Self::Product => product::encode(&Member::each(lits), sink),
            Self::Commander => commander::encode(&Member::each(lits), sink),
        }
    }
}

/// A literal of a recursive encoding, and the input literals one of which is true when it is.
struct Member {
    lit: Lit,
    stands_for: Vec<Term>,
}

impl Member {
    /// Every input literal as a member that stands for itself.
    fn each(lits: &[Lit]) -> Vec<Self> {
        let member = |&lit| Self { lit, stands_for: vec![term(lit)] };
        lits.iter().map(member).collect()
    }

    /// A fresh literal that stands for a whole group and is true when one of its literals is.
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

/// A fresh literal with the meaning "one of these is true".
fn any_of(terms: &[Term], sink: &mut dyn ClauseSink) -> Lit {
    let var = sink.new_var();
    sink.explain(var, Meaning::AtLeast { terms, bound: 1 });
    var.positive()
}

fn lits(members: &[Member]) -> Vec<Lit> {
    members.iter().map(|member| member.lit).collect()
}
