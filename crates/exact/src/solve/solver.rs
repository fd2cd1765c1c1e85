//! The entry point: options are set one by one, then [`Solver::solve`] is called.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::certify::{self, CertifyError};
use super::{Outcome, Solution};
use crate::strategy::{self, Event, Options, Strategy, StrategyError};
use gridsat_model::certificate::instance_digest;
use gridsat_model::{Instance, Mapping, MappingError, Stop};

/// Why there is no mapping at all.
///
/// ```
/// use gridsat_exact::solve::{SolveError, Solver};
/// use gridsat_model::{HostId, Instance, Mapping};
///
/// let (one, two) = (Instance::from_rows([[3, 5]])?, Instance::from_rows([[3, 5]; 2])?);
/// let of_another = Mapping::new(&one, vec![HostId(0)])?;
/// let error = Solver::new().start_from(of_another).solve(&two).unwrap_err();
/// assert!(matches!(error, SolveError::Start(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Error)]
pub enum SolveError {
    /// The mapping to start from does not belong to the instance.
    #[error("cannot start from the mapping: {0}")]
    Start(#[from] MappingError),
    /// The search failed.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// A certificate of a bound without a solver failed, which is a bug.
    #[error("cannot certify: {0}")]
    Certify(#[from] CertifyError),
}

/// Searches for an optimal mapping, certifies the result and has it checked.
///
/// ```
/// use std::time::Duration;
///
/// let instance = gridsat_model::Instance::from_rows([[3, 5]; 3])?;
/// let mut solver = gridsat_exact::solve::Solver::new().time_limit(Duration::from_secs(60));
/// assert!(solver.solve(&instance)?.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver<'w> {
    options: Options,
    stop: Stop,
    time_limit: Option<Duration>,
    watch: Box<dyn FnMut(&Event<'_>) + 'w>,
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Self::with(Options::default())
    }
}

impl<'w> Solver<'w> {
    /// Default options: strategy `auto`, no limits, until the optimum is proven.
    pub fn new() -> Self {
        Self::default()
    }

    /// A solver with these options.
    pub fn with(options: Options) -> Self {
        Self { options, stop: Stop::never(), time_limit: None, watch: Box::new(|_| {}) }
    }

    /// Sets which methods may be used.
    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.options.strategy = strategy;
        self
    }

    /// Stops when `(makespan − lower bound) / makespan` is at most this. The default 0 means
    /// optimal.
    #[must_use]
    pub fn gap(mut self, gap: f64) -> Self {
        self.options.gap = gap;
        self
    }

    /// Sets the seed of the random search for mappings.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = seed;
        self
    }

    /// Sets the number of threads; with one thread the result is the same every time.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.options.threads = threads;
        self
    }

    /// Stops this long after [`Solver::solve`] was called, with the best mapping and bound found by
    /// then.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Stops when `stop` is due, with the best mapping and bound found by then.
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// Starts from this mapping, for example the result of an earlier run.
    #[must_use]
    pub fn start_from(mut self, mapping: Mapping) -> Self {
        self.options.start = Some(mapping);
        self
    }

    /// Calls `watch` with every event of the search.
    #[must_use]
    pub fn watch<'v>(self, watch: impl FnMut(&Event<'_>) + 'v) -> Solver<'v> {
        Solver { watch: Box::new(watch), ..self }
    }

    /// The best mapping found, with a certificate of its lower bound that the checker has accepted.
    pub fn solve(&mut self, instance: &Instance) -> Result<Solution, SolveError> {
        let start = Instant::now();
        let stop =
            self.time_limit.map_or_else(|| self.stop.clone(), |limit| self.stop.within(limit));
        // The certificate needs it; computed now, it does not delay the result after a stop.
        instance_digest(instance);
        if let Some(mapping) = &self.options.start {
            Mapping::new(instance, mapping.hosts().to_vec())?;
        }
        let mut found = strategy::run(instance, &self.options, &stop, &mut self.watch)?;
        if let Some(reason) = found.lower_bound.reason().filter(|reason| reason.needs_sat()) {
            (self.watch)(&Event::Certifying { k: reason.k() });
        }
        let mut failure = None;
        let Options { ref solver, threads, .. } = self.options;
        let certificate = match certify::certify(instance, &found, (solver, threads), &stop) {
            Ok(certificate) => certificate,
            Err(error) => {
                failure = Some(error);
                found.fall_back();
                certify::certify(instance, &found, (solver, threads), &stop)?
            }
        };
        Ok(Solution {
            outcome: Outcome::new(found.mapping, certificate),
            scale: instance.scale(),
            names: instance.names().clone(),
            bound: found.lower_bound,
            found_by: found.mapping_by,
            encoding: found.encoding,
            decisions: found.decisions,
            oracle_calls: found.oracle_calls,
            note: found.note,
            failure,
            time: start.elapsed(),
        })
    }
}
