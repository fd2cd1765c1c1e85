//! `price`, `deadline`, `budget`, `d_factor`, `b_factor`: costs, budgets and deadlines of jobs.

use super::error::{Fault, ensure};
use super::number::{scale, ticks};
use gridsat_engine::time::Time;
use gridsat_grid::Grid;
use gridsat_grid::economy::{Extremes, Money, Terms};
use gridsat_model::Ticks;
use gridsat_workload::JobSpec;

/// Higher prices are rejected as typing errors.
const MAX_PRICE: f64 = 1e9;
const MAX_BUDGET: f64 = 1e15;
const MAX_FACTOR: f64 = 1e6;

/// The keys of users and jobs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DemandKeys {
    pub deadline: Option<f64>,
    pub budget: Option<f64>,
    pub d_factor: Option<f64>,
    pub b_factor: Option<f64>,
}

/// An absolute amount, or a fraction of the way from the least to the most that an application
/// needs.
#[derive(Clone, Copy, Debug)]
enum Limit<T> {
    Absolute(T),
    Factor(f64),
}

/// Budget and deadline that users set for each of their applications.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demands {
    deadline: Option<Limit<Ticks>>,
    budget: Option<Limit<Money>>,
}

impl Demands {
    /// `None` if there is neither budget nor deadline.
    pub fn check(given: DemandKeys) -> Result<Option<Self>, Fault> {
        let deadline = given.deadline.map(|seconds| ticks("deadline", seconds)).transpose()?;
        let budget = given.budget.map(|units| money("budget", units, MAX_BUDGET)).transpose()?;
        let deadline = limit(("deadline", deadline), ("d_factor", given.d_factor))?;
        let budget = limit(("budget", budget), ("b_factor", given.b_factor))?;
        let is_any = deadline.is_some() || budget.is_some();
        Ok(is_any.then_some(Self { deadline, budget }))
    }

    /// Budget and deadline of an application with these jobs, submitted together, on the resources
    /// it can use.
    pub fn terms(&self, jobs: &[JobSpec], grid: &Grid, is_usable: &[bool]) -> Terms {
        let is_relative = matches!(self.deadline, Some(Limit::Factor(_)))
            || matches!(self.budget, Some(Limit::Factor(_)));
        let extremes = is_relative.then(|| Extremes::of(jobs, grid, is_usable, scale()));
        let extremes = extremes.unwrap_or_default();
        let arrival = Time(jobs.first().map_or(Ticks(0), |job| job.arrival));
        let deadline = self.deadline.map(|limit| match limit {
            Limit::Absolute(ticks) => ticks,
            Limit::Factor(factor) => extremes.deadline(factor),
        });
        let budget = self.budget.map(|limit| match limit {
            Limit::Absolute(money) => money,
            Limit::Factor(factor) => extremes.budget(factor),
        });
        Terms { deadline: deadline.map(|ticks| arrival + ticks), budget }
    }
}

/// The price per PE-second.
pub(super) fn price(units: Option<f64>) -> Result<Money, Fault> {
    units.map_or(Ok(Money::ZERO), |units| money("price", units, MAX_PRICE))
}

/// The price per second of what a reservation has beside PEs.
pub(super) fn fee(units: Option<f64>) -> Result<Money, Fault> {
    units.map_or(Ok(Money::ZERO), |units| money("fee", units, MAX_PRICE))
}

fn money(key: &str, units: f64, most: f64) -> Result<Money, Fault> {
    let money = Money::of(units, most);
    money.ok_or_else(|| Fault::new(format!("{key} is {units}, not a number from 0 to {most:e}")))
}

fn limit<T>(
    (key, absolute): (&'static str, Option<T>),
    (factor_key, factor): (&'static str, Option<f64>),
) -> Result<Option<Limit<T>>, Fault> {
    match (absolute, factor) {
        (Some(_), Some(_)) => Err(Fault::Exclusive { one: key, other: factor_key }),
        (None, Some(factor)) => {
            ensure((0.0..=MAX_FACTOR).contains(&factor), || {
                format!("{factor_key} is {factor}, not a number from 0 to {MAX_FACTOR:e}")
            })?;
            Ok(Some(Limit::Factor(factor)))
        }
        (absolute, None) => Ok(absolute.map(Limit::Absolute)),
    }
}
