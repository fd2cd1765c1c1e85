//! One implied constraint over all hosts, which clause learning would hardly find by itself.
//!
//! For host weights w the loads give `Σ w_h·p_th·x[t,h] ≤ Σ_h w_h·(k − ready_h)`. Every
//! task costs at least as much as its cheapest pair, `μ_t = min_h w_h·p_th`, so the excess over
//! that must fit into the rest:
//!
//! `Σ (w_h·p_th − μ_t)·x[t,h] ≤ Σ_h w_h·(k − ready_h) − Σ_t μ_t`
//!
//! With the weights of the linear bound the right side is small and excludes many pairs at once.
//! Both sides are divided by a unit and rounded down, which keeps the constraint implied and its
//! diagram small. It is implied by the problem, so it is valid for any weights and every k.

use gridsat_encodings::{Budget, ClauseSink, Lit, LoadBound, LoadEncoding, OverBudget, Term};

use super::PairVars;
use gridsat_model::{Instance, TaskId, Ticks};

/// The right side is at most this many units.
const MAX_UNITS: u128 = 1000;
/// Limit on units times pairs: with many pairs there are fewer units, to keep the diagram small.
const MAX_NODES: u128 = 200_000;

const ENCODING: LoadEncoding = LoadEncoding::Counter;

/// Host weights, each at most [`HostWeights::MAX`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostWeights(Vec<u64>);

impl HostWeights {
    /// Largest weight. Up to this no sum here can overflow.
    pub const MAX: u64 = 1 << 40;

    /// `None` if a weight is above [`HostWeights::MAX`], or if there is not one per host.
    pub fn new(instance: &Instance, weights: Vec<u64>) -> Option<Self> {
        let fits = weights.len() == instance.host_count();
        (fits && weights.iter().all(|&weight| weight <= Self::MAX)).then_some(Self(weights))
    }

    /// One weight per host.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }
}

/// The constraint on the pairs that have a variable.
pub struct Surrogate<'a> {
    instance: &'a Instance,
    weights: &'a HostWeights,
    /// `μ_t` of each task.
    least: Vec<u128>,
    /// The excess cost of each pair over its task's `μ_t`.
    costs: Vec<(Lit, u128)>,
    unit: u128,
}

impl<'a> Surrogate<'a> {
    /// `None` if some task has no pair left, so that there is nothing to add.
    pub fn new(
        instance: &'a Instance,
        pairs: &PairVars,
        max_k: Ticks,
        weights: &'a HostWeights,
    ) -> Option<Self> {
        let mut costs: Vec<(Lit, u128)> = Vec::new();
        let mut least = Vec::new();
        for task in instance.tasks() {
            let row = weighted(instance, pairs, weights, task);
            let cheapest = row.iter().map(|&(_, cost)| cost).min()?;
            least.push(cheapest);
            costs.extend(row.into_iter().map(|(lit, cost)| (lit, cost - cheapest)));
        }
        let units = (MAX_NODES / costs.len() as u128).clamp(1, MAX_UNITS);
        let mut surrogate = Self { instance, weights, least, costs, unit: 1 };
        surrogate.unit = (surrogate.room(max_k).unwrap_or(0) / units).max(1);
        Some(surrogate)
    }

    /// `μ_t` of each task.
    pub fn least(&self) -> &[u128] {
        &self.least
    }

    /// The divisor of both sides.
    pub fn unit(&self) -> u128 {
        self.unit
    }

    /// The part of each pair's cost that rounding down removes, before the division.
    pub fn remainders(&self) -> impl Iterator<Item = (Lit, u128)> + '_ {
        self.costs.iter().map(|&(lit, cost)| (lit, cost % self.unit))
    }

    fn terms(&self) -> Vec<Term> {
        let scaled = |&(lit, cost): &(Lit, u128)| {
            let weight = u64::try_from(cost / self.unit).unwrap_or(u64::MAX);
            (weight > 0).then_some(Term { lit, weight })
        };
        self.costs.iter().filter_map(scaled).collect()
    }

    /// The right side before rounding; `None` if it is negative, so that k is impossible.
    fn room(&self, k: Ticks) -> Option<u128> {
        let mut capacity = 0;
        for (host, &weight) in self.instance.hosts().zip(self.weights.as_slice()) {
            capacity += u128::from(weight) * u128::from(self.instance.capacity(host, k)?);
        }
        capacity.checked_sub(self.least.iter().sum())
    }

    /// The right side in units; `None` if it is negative, so that k is impossible.
    pub fn bound(&self, k: Ticks) -> Option<u64> {
        self.room(k).map(|room| u64::try_from(room / self.unit).unwrap_or(u64::MAX))
    }

    /// Writes the constraint for one k.
    pub fn encode(
        &self,
        k: Ticks,
        sink: &mut dyn ClauseSink,
        budget: &mut Budget,
    ) -> Result<(), OverBudget> {
        match self.bound(k) {
            Some(bound) => ENCODING.encode(&self.terms(), bound, sink, budget),
            None => {
                sink.add_root_clause(&[]);
                Ok(())
            }
        }
    }

    /// Writes the constraint for the largest k of interest; it can be tightened later.
    pub fn incremental(
        &self,
        max_k: Ticks,
        sink: &mut dyn ClauseSink,
        budget: &mut Budget,
    ) -> Result<Option<LoadBound>, OverBudget> {
        match self.bound(max_k) {
            Some(bound) => ENCODING.incremental(&self.terms(), bound, sink, budget).map(Some),
            None => {
                sink.add_root_clause(&[]);
                Ok(None)
            }
        }
    }
}

/// The task's pairs with their weighted times.
fn weighted(
    instance: &Instance,
    pairs: &PairVars,
    weights: &HostWeights,
    task: TaskId,
) -> Vec<(Lit, u128)> {
    let cost = |(host, var): (gridsat_model::HostId, gridsat_encodings::Var)| {
        let time = instance.time(task, host)?;
        let weight = weights.as_slice()[host.index()];
        Some((var.positive(), u128::from(weight) * u128::from(time)))
    };
    pairs.of_task(task).filter_map(cost).collect()
}
