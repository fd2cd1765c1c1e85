//! The weight of the true literals is at most a bound.

pub mod thesis;

use crate::{Budget, ClauseSink, Lit, OverBudget};

/// A literal and what it weighs when true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The literal.
    pub lit: Lit,
    /// Its weight.
    pub weight: u64,
}

/// The engineered encodings of `Σ weight·lit ≤ bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadEncoding {
    /// Binary adders in a tree, then a comparator. Size grows with the digits of the bound.
    Adder,
    /// Reduced ordered binary decision diagram.
    Bdd,
    /// Generalized totalizer.
    Totalizer,
    /// Sequential weight counter.
    Counter,
}

impl LoadEncoding {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Adder, Self::Bdd, Self::Totalizer, Self::Counter];

    /// The name used on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adder => "adder",
            Self::Bdd => "bdd",
            Self::Totalizer => "totalizer",
            Self::Counter => "counter",
        }
    }

    /// Writes `Σ terms ≤ bound` as a hard constraint.
    pub fn encode(
        self,
        _terms: &[Term],
        _bound: u64,
        _sink: &mut dyn ClauseSink,
        _budget: &mut Budget,
    ) -> Result<(), OverBudget> {
        todo!()
    }

    /// Writes what is needed to later limit `Σ terms` to any bound up to `max_bound`, which itself
    /// is enforced at once.
    pub fn incremental(
        self,
        _terms: &[Term],
        _max_bound: u64,
        _sink: &mut dyn ClauseSink,
        _budget: &mut Budget,
    ) -> Result<LoadBound, OverBudget> {
        todo!()
    }
}

/// A load whose bound can be lowered, each time behind a guard literal.
#[derive(Clone, Debug)]
pub struct LoadBound {}

impl LoadBound {
    /// Adds clauses so that `guard` implies `Σ terms ≤ bound`. The bound must not exceed the
    /// maximum the load was made for.
    pub fn limit(
        &mut self,
        _bound: u64,
        _guard: Lit,
        _sink: &mut dyn ClauseSink,
        _budget: &mut Budget,
    ) -> Result<(), OverBudget> {
        todo!()
    }
}
