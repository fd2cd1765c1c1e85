//! Simulations of grids: a scenario, perhaps a policy of one's own, and what became of the jobs.
//!
//! A [`Scenario`] is a TOML or JSON file (`docs/scenarios.md` says what can be in it) or one of [`TEMPLATES`].
//! A [`Policy`] is built in ([`Scenario::policy`]), a heuristic ([`Policy::of`]), or a [`Mapper`] of one's own
//! ([`Policy::new`]).

pub use gridsat_grid::{
    Assignment, HostView, JobRecord, Mapper, MapperError, Outcome, SimError, Summary, View,
};
pub use gridsat_scenario::{Means, TEMPLATES, Template, When, template};

use gridsat_grid::{GridEvents, Observer};
use gridsat_model::Time;
use gridsat_scenario::Changes;
use thiserror::Error;

use crate::{Policy, Scenario, ScenarioError};

/// One run of a scenario, set up step by step.
///
/// ```
/// use gridsat::simulate::{Simulation, template};
/// use gridsat::{Policy, Scenario, heuristics};
///
/// let template = template("gsim-base").ok_or("no such template")?;
/// let scenario: Scenario = template.text.parse()?;
/// let as_in_the_file = Simulation::new(&scenario).run()?;
/// let built_in = Simulation::new(&scenario).policy(scenario.policy("tlqmm")?).run()?;
/// let heuristic = Simulation::new(&scenario).policy(Policy::of(&heuristics::MinMin)).seed(2).run()?;
/// assert_eq!(heuristic.summary.counts.finished, 1000);
/// assert!(built_in.makespan().ticks() < as_in_the_file.makespan().ticks());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing happens before it is run"]
pub struct Simulation<'a> {
    scenario: &'a Scenario,
    changes: Changes,
}

impl<'a> Simulation<'a> {
    /// As the scenario says.
    pub fn new(scenario: &'a Scenario) -> Self {
        Self { scenario, changes: Changes::default() }
    }

    /// With this policy instead of the scenario's, for all schedulers that send jobs to resources.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.changes.policy = Some(policy);
        self
    }

    /// With another seed, hence another grid and other jobs where the scenario draws them.
    pub fn seed(mut self, seed: u64) -> Self {
        self.changes.seed = Some(seed);
        self
    }

    /// Runs it to its end. The same scenario, policy and seed give the same run.
    pub fn run(self) -> Result<Run, SimulateError> {
        let mut records = Records(Vec::new());
        let summary = gridsat_grid::simulate(self.scenario.setup(&self.changes)?, &mut records)?;
        Ok(Run { summary, jobs: records.0 })
    }
}

/// What a simulation comes to.
pub struct Run {
    /// Means, sums and shares.
    pub summary: Summary,
    /// All jobs that left, in the order in which they did.
    pub jobs: Vec<JobRecord>,
}

impl Run {
    /// When the last job was finished, in seconds.
    pub fn makespan(&self) -> Time {
        self.summary.scale.display(self.summary.counts.makespan.0)
    }
}

/// Why there is no run.
#[derive(Debug, Error)]
pub enum SimulateError {
    /// The scenario cannot be run like this.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] SimError),
}

/// Keeps all jobs that left.
struct Records(Vec<JobRecord>);

impl Observer<GridEvents> for Records {
    fn left(&mut self, job: &JobRecord) {
        self.0.push(job.clone());
    }
}
