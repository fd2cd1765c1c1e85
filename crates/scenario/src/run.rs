//! A scenario from file to records in one call.

use thiserror::Error;

use super::{Changes, Scenario, ScenarioError};
pub use gridsat_grid::Run;
use gridsat_grid::SimError;

/// Why a scenario could not be run; `E` is what ends a simulation of its kind.
#[derive(Debug, Error)]
pub enum RunError<E = SimError> {
    /// It cannot be drawn with this seed, or not run with this policy.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// It ended before its time.
    #[error(transparent)]
    Simulation(E),
}

impl Scenario {
    /// Simulates it, with a policy of one's own if [`Changes`] have one, and keeps a record of
    /// every job.
    ///
    /// ```
    /// use gridsat_grid::{Assignment, Mapper, MapperError, View};
    /// use gridsat_scenario::{Changes, Policy, Scenario, When, template};
    ///
    /// /// Sends every job to the host that runs it fastest, however busy it is.
    /// struct Fastest;
    ///
    /// impl Mapper for Fastest {
    ///     fn name(&self) -> String {
    ///         "fastest".to_owned()
    ///     }
    ///
    ///     fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
    ///         let host = |job| view.times(job).min_by_key(|&(_, time)| time);
    ///         let send = |job| Some(Assignment { job, host: host(job)?.0 });
    ///         Ok(view.jobs().filter_map(send).collect())
    ///     }
    /// }
    ///
    /// let scenario: Scenario = template("gsim-base").expect("built in").text.parse()?;
    /// let own = Policy::new("fastest", "Fastest host", When::OnLine, |_| Box::new(Fastest));
    /// for policy in [own, scenario.policy("minmin")?] {
    ///     let run = scenario.run(&Changes::policy(policy))?;
    ///     assert_eq!(run.jobs.len() as u64, run.summary.counts.finished);
    /// }
    /// # Ok::<(), gridsat_scenario::RunError>(())
    /// ```
    pub fn run(&self, changes: &Changes) -> Result<Run, RunError> {
        self.setup(changes)?.run().map_err(RunError::Simulation)
    }
}
