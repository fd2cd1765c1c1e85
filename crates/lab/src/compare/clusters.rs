//! Policies on the same clusters with the same jobs, side by side.
//!
//! With several replications, seed after seed, every policy meets each of those workloads; measures
//! are means over them. A trace is the same under every seed, unless estimates or homes are drawn.

use thiserror::Error;

use super::{Mean, OWN};
use crate::until::Until;
use gridsat_cluster::{ClusterError, QueuePolicy, Summary, simulate};
use gridsat_engine::End;
use gridsat_model::Stop;
use gridsat_model::names::is_same;
use gridsat_scenario::ScenarioError;
use gridsat_scenario::clusters::{ClusterChanges, ClusterScenario};

/// Compared with the scenario's own if nothing else is asked for: the simplest, the best simple
/// ones, and those that protect waiting jobs.
const USUAL: [&str; 7] = [
    "fcfs",
    "fcfs-scan",
    "sjf-scan",
    "ljf-scan",
    "fcfs-scan-no-starvation",
    "easy",
    "conservative",
];

/// What to compare, and how thoroughly.
#[derive(Clone, Debug, Default)]
pub struct ClusterOptions {
    /// Which policies, or [`OWN`]; all usual ones if there are none.
    pub policies: Vec<String>,
    /// The first seed; the scenario's if there is none.
    pub seed: Option<u64>,
    /// How many seeds, one after the other; at least 1.
    pub replications: u32,
    /// An interrupt: policies that are not done by then are left out.
    pub stop: Stop,
}

/// Why policies cannot be compared.
#[derive(Debug, Error)]
pub enum ClusterPolicyError {
    /// The scenario, or a policy it does not know.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A simulation failed.
    #[error("{0}")]
    Cluster(#[from] ClusterError),
}

/// The policies, side by side.
#[derive(Debug)]
pub struct ClusterPolicies {
    /// One a policy, in order.
    pub rows: Vec<ClusterRow>,
    /// Policies that an interrupt left no time for.
    pub not_run: Vec<String>,
    /// Jobs that arrive, with the first seed.
    pub jobs: u64,
    /// The first seed.
    pub seed: u64,
}

/// One policy. Times in seconds.
#[derive(Debug)]
pub struct ClusterRow {
    /// Its name.
    pub policy: String,
    /// Whether it is what the scenario says.
    pub is_own: bool,
    /// Submission to first start, mean over jobs.
    pub wait: Mean,
    /// The longest.
    pub max_wait: Mean,
    /// Time in the system over run time of at least the threshold.
    pub bounded_slowdown: Mean,
    /// Jobs that wait, mean over time.
    pub queue_depth: Mean,
    /// Share of the nodes' time that they were at work.
    pub utilisation: Mean,
    /// When the last job ended.
    pub makespan: Mean,
    /// Jobs that did not do all their work, with the first seed: refused, killed, not done in time.
    pub undone: u64,
}

/// Runs everything.
pub fn clusters(
    scenario: &ClusterScenario,
    options: &ClusterOptions,
) -> Result<ClusterPolicies, ClusterPolicyError> {
    let seed = options.seed.unwrap_or(scenario.seed());
    let own = scenario.policy(None)?.name();
    let others = USUAL.iter().filter(|name| **name != own).copied();
    let policies = match options.policies.is_empty() {
        true => [OWN].into_iter().chain(others).map(str::to_owned).collect::<Vec<_>>(),
        false => options.policies.clone(),
    };
    // A misspelt policy is noticed before the first one has run for hours.
    let policies: Vec<String> =
        policies.iter().map(|name| name_of(scenario, name)).collect::<Result<_, _>>()?;
    let mut rows = Vec::with_capacity(policies.len());
    let (mut jobs, mut not_run) = (0, Vec::new());
    for policy in &policies {
        let name = if policy == OWN { &own } else { policy };
        let Some(runs) = runs(scenario, policy, seed, options)? else {
            not_run.push(name.clone());
            continue;
        };
        jobs = runs[0].all.jobs.submitted;
        rows.push(row(name, policy == OWN, &runs));
    }
    Ok(ClusterPolicies { rows, not_run, jobs, seed })
}

/// What the policy is called in files, however it was written.
fn name_of(scenario: &ClusterScenario, name: &str) -> Result<String, ScenarioError> {
    if is_same(name, OWN) {
        return Ok(OWN.to_owned());
    }
    scenario.policy(Some(name)).map(QueuePolicy::name)
}

/// `None` if a stop was requested before the last of them was done.
fn runs(
    scenario: &ClusterScenario,
    policy: &str,
    first: u64,
    options: &ClusterOptions,
) -> Result<Option<Vec<Summary>>, ClusterPolicyError> {
    let stop = &options.stop;
    let run = |seed| {
        if stop.is_requested() {
            return Ok(None);
        }
        let policy = (policy != OWN).then(|| scenario.policy(Some(policy))).transpose()?;
        let (setup, _) = scenario.setup(&ClusterChanges { seed: Some(seed), policy })?;
        let summary = simulate(setup, &mut Until(stop))?;
        Ok((summary.end != End::Interrupted).then_some(summary))
    };
    let seeds = (0..options.replications.max(1)).map(|i| first.wrapping_add(i.into()));
    seeds.map(run).collect()
}

fn row(policy: &str, is_own: bool, runs: &[Summary]) -> ClusterRow {
    let mean =
        |measure: &dyn Fn(&Summary) -> f64| Mean::of(&runs.iter().map(measure).collect::<Vec<_>>());
    let unit = |run: &Summary| run.scale.ticks_per_unit().as_f64();
    let jobs = &runs[0].all.jobs;
    ClusterRow {
        policy: policy.to_owned(),
        is_own,
        wait: mean(&|run| run.all.jobs.wait.mean() / unit(run)),
        max_wait: mean(&|run| run.all.jobs.wait.most() as f64 / unit(run)),
        bounded_slowdown: mean(&|run| run.all.jobs.bounded_slowdown.mean()),
        queue_depth: mean(&|run| run.all.queue_depth),
        utilisation: mean(&|run| run.all.utilisation),
        makespan: mean(&|run| run.makespan.0.as_f64() / unit(run)),
        undone: jobs.submitted - jobs.finished,
    }
}
