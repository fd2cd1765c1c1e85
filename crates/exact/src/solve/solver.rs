//! The entry point: options are set one by one, then [`Solver::solve`] is called.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::certify::{self, CertifyError};
use super::{Certificate, Outcome, Solution};
use crate::strategy::{self, Event, Found, Options, Origin, Strategy, StrategyError};
use crate::then::{self, Then};
use gridsat_model::certificate::instance_digest;
use gridsat_model::{Instance, Mapping, MappingError, Stop, Time};

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
    then: Option<Then>,
    /// Whether the mapping to start from is the result, whatever else is found.
    is_judge: bool,
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
        let (then, is_judge, time_limit) = (None, false, None);
        let watch = Box::new(|_: &Event<'_>| {});
        Self { options, then, is_judge, stop: Stop::never(), time_limit, watch }
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

    /// Judges this mapping: it is the result, whatever else is found, and a fixed amount of work
    /// goes into a lower bound. [`Solution::better`] says whether a shorter mapping was met.
    ///
    /// ```
    /// use gridsat_exact::solve::Solver;
    /// use gridsat_model::{HostId, Instance, Mapping};
    ///
    /// let instance = Instance::from_rows([[3, 5]; 3])?;
    /// let mine = Mapping::new(&instance, vec![HostId(0); 3])?;
    /// let judged = Solver::new().judge(mine).solve(&instance)?;
    /// assert_eq!(judged.makespan().to_string(), "9");
    /// assert_eq!(judged.better.map(|time| time.to_string()), Some("6".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn judge(mut self, mapping: Mapping) -> Self {
        self.options.rounds = Some(0);
        self.is_judge = true;
        self.start_from(mapping)
    }

    /// Among the mappings that end no later than the one found, chooses one that this makes small.
    /// The first stage stays as it is, and what the certificate proves with it; see
    /// [`Solution::second`]. Without a time limit the second stage does a fixed amount of work.
    ///
    /// ```
    /// use gridsat_exact::solve::{Solver, Then};
    ///
    /// let instance = gridsat_model::Instance::from_rows([[9, 9, 9], [2, 2, 6], [3, 3, 8]])?;
    /// let solution = Solver::new().then(Then::TotalTime).solve(&instance)?;
    /// let second = solution.second.as_ref().expect("asked for");
    /// assert!(solution.is_optimal() && second.is_optimal());
    /// assert_eq!(second.value, 14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn then(mut self, then: Then) -> Self {
        self.then = Some(then);
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
        let given = self.options.start.iter().chain(self.then.as_ref().and_then(Then::from));
        for mapping in given {
            Mapping::new(instance, mapping.hosts().to_vec())?;
        }
        let mut found = strategy::run(instance, &self.options, &stop, &mut self.watch)?;
        let better = self.judged(instance, &mut found);
        let (mut certificate, failure) = self.certified(instance, &mut found, &stop)?;
        let second = match self.then.clone() {
            None => None,
            Some(then) => {
                let (mapping, second) = then::choose(instance, &found.mapping, then, &stop);
                if mapping != found.mapping {
                    certificate.exchange(instance, &mapping).map_err(CertifyError::from)?;
                    found.mapping = mapping;
                }
                Some(second)
            }
        };
        Ok(Solution {
            outcome: Outcome::new(found.mapping, certificate),
            scale: instance.scale(),
            names: instance.names().clone(),
            bound: found.lower_bound,
            found_by: found.mapping_by,
            better,
            second,
            encoding: found.encoding,
            decisions: found.decisions,
            oracle_calls: found.oracle_calls,
            note: found.note,
            failure,
            time: start.elapsed(),
        })
    }

    /// Puts the mapping to be judged back; the makespan of a shorter one that was met.
    fn judged(&self, instance: &Instance, found: &mut Found) -> Option<Time> {
        let given = self.options.start.as_ref().filter(|_| self.is_judge)?;
        let met = std::mem::replace(&mut found.mapping, given.clone()).makespan();
        found.mapping_by = Origin::Given;
        (met < given.makespan()).then(|| instance.scale().display(met))
    }

    /// The certificate of the bound; if that cannot be proven, of the best one that needs no
    /// solver, and why.
    fn certified(
        &mut self,
        instance: &Instance,
        found: &mut Found,
        stop: &Stop,
    ) -> Result<(Certificate, Option<CertifyError>), CertifyError> {
        if let Some(reason) = found.lower_bound.reason().filter(|reason| reason.needs_sat()) {
            (self.watch)(&Event::Certifying { k: reason.k() });
        }
        let Options { ref solver, threads, .. } = self.options;
        match certify::certify(instance, found, (solver, threads), stop) {
            Ok(certificate) => Ok((certificate, None)),
            Err(failure) => {
                found.fall_back();
                let certificate = certify::certify(instance, found, (solver, threads), stop)?;
                Ok((certificate, Some(failure)))
            }
        }
    }
}
