//! Runs a scenario, from file to job records, in one call.

use thiserror::Error;

use super::{Changes, Scenario, ScenarioError};
pub use gridsat_grid::Run;
use gridsat_grid::SimError;

/// Why a scenario could not be run; `E` is the error of its simulator.
#[derive(Debug, Error)]
pub enum RunError<E = SimError> {
    /// The seed or the policy does not work with the scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The simulation ended with an error.
    #[error(transparent)]
    Simulation(E),
}

impl Scenario {
    /// Simulates the scenario and keeps a record of every job. [`Changes`] may replace the policy,
    /// also by one that you write.
    ///
    /// ```
    /// use gridsat_grid::{Assignment, Mapper, MapperError, View};
    /// use gridsat_scenario::{Changes, Policy, Scenario, When, template};
    ///
    /// /// Sends every job to the host that runs it fastest, even if that host is busy.
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
