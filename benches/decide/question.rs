//! Instances with known optimum, and one timed decision.

use std::time::Duration;

use anyhow::Result;
use gridsat_check::formula::{self, Encoding};
use gridsat_encodings::{Budget, Counter};
use gridsat_exact::bounds;
use gridsat_exact::sat::{Answer, SolverChoice};
use gridsat_exact::strategy::{self, EncodingChoice, Extract, Options, Order, Strategy};
use gridsat_heuristics::generate::{EtcSpec, generate};
use gridsat_model::{Instance, Mapping, Stop, Ticks};

use crate::common::{CpuClock, Effort, Record};
use crate::limit::within;
use crate::solvers;

/// Formulas with more clauses are not given to a solver here.
pub const BUDGET: u64 = 2_000_000;

/// Added before a geometric mean and subtracted afterwards, so that times near the clock's
/// resolution do not dominate it.
const SHIFT: Duration = Duration::from_millis(10);

/// Time allowed for one decision.
pub fn limit(effort: Effort) -> Duration {
    match effort {
        Effort::Smoke | Effort::Quick => Duration::from_secs(1),
        Effort::Full => Duration::from_secs(10),
    }
}

/// An instance of a named class.
pub fn instance(class: &str, tasks: usize, hosts: usize, seed: u64) -> Result<Instance> {
    Ok(generate(&EtcSpec::plain(class.parse()?, tasks, hosts, seed))?)
}

/// An instance, its optimum, a mapping that attains it, and the weights of its linear bound.
pub struct Question {
    pub instance: Instance,
    pub optimum: Ticks,
    pub best: Mapping,
    pub weights: Vec<u64>,
}

impl Question {
    /// `None` if the optimum is not found within half the limit.
    pub fn new(instance: Instance, limit: Duration) -> Result<Option<Self>> {
        let options = search_options(Strategy::Auto, Order::Bisect, solvers::reference());
        let found =
            within(limit / 2, |stop| strategy::run(&instance, &options, stop, &mut |_| {}))?;
        let weights = bounds::linear(&instance, &Stop::never()).weights;
        let optimum = found.mapping.makespan();
        let is_closed = found.is_closed();
        Ok(is_closed.then_some(Self { instance, optimum, best: found.mapping, weights }))
    }

    /// The encoding for one k.
    pub fn encoding(&self, choice: &EncodingChoice, k: Ticks) -> Encoding {
        choice.at(&self.instance, k, &self.weights, &Stop::never())
    }
}

/// Default options except for these.
pub fn search_options(strategy: Strategy, order: Order, solver: SolverChoice) -> Options {
    Options {
        strategy,
        solver,
        order,
        extract: Extract::Model,
        seed: 1,
        budget: Budget::clauses(BUDGET),
        ..Options::default()
    }
}

/// The result of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Decided(Answer),
    OutOfTime,
    TooLarge,
}

/// A decision and its cost.
#[derive(Clone, Copy, Debug)]
pub struct Decided {
    pub ended: Ended,
    /// CPU time; the limit if there was no answer.
    pub time: Duration,
    pub size: Counter,
    /// Number of conflicts; zero where the solver does not report it.
    pub conflicts: u64,
}

impl Decided {
    pub fn is_solved(&self) -> bool {
        matches!(self.ended, Ended::Decided(_))
    }

    /// A decision that was not worth trying.
    pub fn given_up(limit: Duration) -> Self {
        let size = Counter::default();
        Self { ended: Ended::OutOfTime, time: limit, size, conflicts: 0 }
    }

    pub fn record(&self, record: &mut Record, place: [&str; 3]) -> Result<()> {
        record.put(place, "answer", format!("{:?}", self.ended))?;
        record.put(place, "time", self.time.as_secs_f64())?;
        record.put(place, "variables", self.size.variables)?;
        record.put(place, "clauses", self.size.clauses)?;
        record.put(place, "conflicts", self.conflicts)
    }
}

/// Decides one k in a fresh solver.
pub fn decide(
    question: &Question,
    k: Ticks,
    choice: &EncodingChoice,
    solver: &SolverChoice,
    limit: Duration,
) -> Result<Decided> {
    let clock = CpuClock::start();
    let encoding = question.encoding(choice, k);
    let budget = Budget::clauses(BUDGET);
    let mut solver = solver.build()?;
    let instance = &question.instance;
    let written = formula::encode(instance, k, &encoding, &mut *solver, &mut budget.clone());
    if written.is_err() {
        let size = Counter::default();
        return Ok(Decided { ended: Ended::TooLarge, time: limit, size, conflicts: 0 });
    }
    let answer = within(limit, |stop| solver.solve(&[], stop))?;
    let time = clock.elapsed();
    let mut size = Counter::default();
    formula::encode(instance, k, &encoding, &mut size, &mut budget.clone())?;
    let conflicts = solver.statistics().conflicts;
    Ok(match answer {
        Answer::Unknown => Decided { ended: Ended::OutOfTime, time: limit, size, conflicts },
        answer => Decided { ended: Ended::Decided(answer), time: time.min(limit), size, conflicts },
    })
}

/// The shifted geometric mean.
pub fn mean(times: impl IntoIterator<Item = Duration>) -> Duration {
    let shifted = times.into_iter().map(|time| (time + SHIFT).as_secs_f64().ln());
    let (sum, count) = shifted.fold((0.0, 0), |(sum, count), log| (sum + log, count + 1));
    let mean = (sum / f64::from(count.max(1))).exp();
    Duration::from_secs_f64(mean).saturating_sub(SHIFT)
}
