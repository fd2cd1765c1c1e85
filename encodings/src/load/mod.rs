//! The weight of the true literals is at most a bound.
//!
//! Every encoding except that of the thesis builds a *network* over the terms, whose fresh
//! variables depend on the inputs only, and then *limits* it: `Σ ≤ bound`, unconditionally or
//! under a guard literal. First, for all of them: terms of weight 0 are dropped, a literal heavier
//! than the bound is forbidden, and nothing is written for a bound that cannot be exceeded.
//!
//! Terms are sorted by decreasing weight: this keeps diagrams small and joins equal weights early.

mod adder;
mod bdd;
mod counter;
pub mod thesis;
mod totalizer;
mod tree;

use std::cmp::Reverse;

use crate::{Budget, ClauseSink, Lit, OverBudget};

use adder::Adder;
use bdd::Diagram;
use tree::{Outputs, Root};

/// The sink for an encoding, and the budget for it.
struct Out<'a, 'b> {
    sink: &'a mut dyn ClauseSink,
    budget: &'a mut Budget<'b>,
}

/// The result of writing, unless it exceeds the budget.
type Written<T = ()> = Result<T, OverBudget>;

/// A literal and its weight, which counts when the literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The literal that adds the weight when true.
    pub lit: Lit,
    /// Its weight; 0 is allowed.
    pub weight: u64,
}

/// The encodings of `Σ weight·lit ≤ bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadEncoding {
    /// Binary adders in a tree, then a comparator. Size grows with the number of digits of the
    /// bound.
    Adder,
    /// Reduced ordered binary decision diagram.
    Bdd,
    /// Generalized totalizer.
    Totalizer,
    /// Sequential weight counter.
    Counter,
}

impl LoadEncoding {
    /// All encodings.
    pub const ALL: [Self; 4] = [Self::Adder, Self::Bdd, Self::Totalizer, Self::Counter];

    /// Bounds must be below this, so that no sum inside an encoder overflows.
    pub const BOUND_LIMIT: u64 = 1 << 62;

    /// The name used on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adder => "adder",
            Self::Bdd => "bdd",
            Self::Totalizer => "totalizer",
            Self::Counter => "counter",
        }
    }

    /// Writes `Σ terms ≤ bound` as a hard constraint. No variable may occur twice in `terms`.
    ///
    /// # Panics
    /// If the terms together weigh more than `bound` and `bound` is not below
    /// [`LoadEncoding::BOUND_LIMIT`].
    pub fn encode(
        self,
        terms: &[Term],
        bound: u64,
        sink: &mut dyn ClauseSink,
        budget: &mut Budget,
    ) -> Result<(), OverBudget> {
        let out = &mut Out { sink, budget };
        let load = Load::within(terms, bound, out)?;
        if load.can_exceed(bound) {
            self.network(load.terms, bound, Root::Fixed, out)?.limit(bound, None, out)?;
        }
        Ok(())
    }

    /// Writes what is needed to limit `Σ terms` later to any bound up to `max_bound`, which is
    /// itself enforced at once.
    ///
    /// # Panics
    /// As [`LoadEncoding::encode`], and if the terms no heavier than `max_bound` weigh
    /// [`LoadEncoding::BOUND_LIMIT`] or more without exceeding `max_bound`.
    pub fn incremental(
        self,
        terms: &[Term],
        max_bound: u64,
        sink: &mut dyn ClauseSink,
        budget: &mut Budget,
    ) -> Result<LoadBound, OverBudget> {
        let out = &mut Out { sink, budget };
        let load = Load::within(terms, max_bound, out)?;
        let can_exceed = load.can_exceed(max_bound);
        let max = load.total.min(max_bound);
        let mut network = self.network(load.terms, max, Root::Lowered, out)?;
        if can_exceed {
            network.limit(max, None, out)?;
        }
        Ok(LoadBound { max, network })
    }

    /// `terms` must be sorted, each with a weight from 1 to `max`.
    fn network(self, terms: Vec<Term>, max: u64, root: Root, out: &mut Out) -> Written<Network> {
        assert!(max < Self::BOUND_LIMIT, "bound {max} out of range");
        Ok(match self {
            Self::Adder => Network::Adder(Adder::build(&terms, max, out)?),
            Self::Bdd => Network::Bdd(Diagram::new(terms)),
            Self::Totalizer => Network::Sums(totalizer::build(&terms, max, root, out)?),
            Self::Counter => Network::Sums(counter::build(&terms, max, root, out)?),
        })
    }
}

/// A load whose bound can be lowered, each time under a guard literal.
#[derive(Clone, Debug)]
pub struct LoadBound {
    /// Loads above this are already impossible.
    max: u64,
    network: Network,
}

impl LoadBound {
    /// Adds clauses so that `guard` implies `Σ terms ≤ bound`. A bound above the maximum of this
    /// load has the effect of that maximum.
    pub fn limit(
        &mut self,
        bound: u64,
        guard: Lit,
        sink: &mut dyn ClauseSink,
        budget: &mut Budget,
    ) -> Result<(), OverBudget> {
        if bound >= self.max {
            return Ok(());
        }
        self.network.limit(bound, Some(guard), &mut Out { sink, budget })
    }
}

#[derive(Clone, Debug)]
enum Network {
    Adder(Adder),
    Bdd(Diagram),
    Sums(Outputs),
}

impl Network {
    fn limit(&mut self, bound: u64, guard: Option<Lit>, out: &mut Out) -> Written {
        match self {
            Self::Adder(adder) => adder.limit(bound, guard, out),
            Self::Bdd(diagram) => diagram.limit(bound, guard, out),
            Self::Sums(outputs) => outputs.limit(bound, guard, out),
        }
    }
}

/// The terms to encode, heaviest first.
struct Load {
    terms: Vec<Term>,
    /// Their total weight; `u64::MAX` if it is larger.
    total: u64,
}

impl Load {
    /// The terms with a weight from 1 to the bound; heavier ones are forbidden.
    fn within(terms: &[Term], bound: u64, out: &mut Out) -> Written<Self> {
        let too_heavy = |term: &&Term| term.weight > bound;
        out.budget.charge(terms.iter().filter(too_heavy).count() as u64, true)?;
        for term in terms.iter().filter(too_heavy) {
            out.sink.add_root_clause(&[!term.lit]);
        }
        let fits = |term: &Term| (1..=bound).contains(&term.weight);
        let mut terms: Vec<_> = terms.iter().copied().filter(fits).collect();
        terms.sort_by_key(|term| Reverse(term.weight));
        let total = terms.iter().fold(0, |sum: u64, t| sum.saturating_add(t.weight));
        Ok(Self { terms, total })
    }

    fn can_exceed(&self, bound: u64) -> bool {
        self.total > bound
    }
}

/// Writes a clause that follows from `Σ ≤ bound`, under the guard if there is one.
fn add_limit_clause(clause: &[Lit], guard: Option<Lit>, sink: &mut dyn ClauseSink) {
    let guarded: Vec<_> = guard.map(|guard| !guard).into_iter().collect();
    sink.add_root_clause(&[&guarded, clause].concat());
}
