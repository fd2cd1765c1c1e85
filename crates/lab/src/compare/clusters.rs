//! Comparison of policies on the same clusters with the same jobs.
//!
//! With several replications every policy is simulated with each seed; measures are means over
//! them. A trace is the same under every seed, unless estimates or homes are random.

use thiserror::Error;

use super::{Mean, OWN, Turn};
use crate::until::Until;
use gridsat_cluster::{ClusterError, QueuePolicy, Summary, simulate};
use gridsat_engine::End;
use gridsat_model::Stop;
use gridsat_model::names::is_same;
use gridsat_scenario::ScenarioError;
use gridsat_scenario::clusters::{ClusterChanges, ClusterScenario};

/// The default policies to compare with the one of the scenario: the simplest, the best simple
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

/// Settings of a comparison.
#[derive(Clone, Debug, Default)]
pub struct ClusterOptions {
    /// The policies, or [`OWN`]; if empty, the default ones.
    pub policies: Vec<String>,
    /// User-defined policies, by whose names `policies` may refer to them.
    pub defined: Vec<QueuePolicy>,
    /// The first seed; by default that of the scenario.
    pub seed: Option<u64>,
    /// Number of consecutive seeds, at least 1.
    pub replications: u32,
    /// An interrupt: policies that are not finished by then are left out.
    pub stop: Stop,
}

/// Why policies cannot be compared.
#[derive(Debug, Error)]
pub enum ClusterPolicyError {
    /// The scenario is invalid, or does not know a policy.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A simulation failed.
    #[error("{0}")]
    Cluster(#[from] ClusterError),
}

/// The compared policies.
#[derive(Debug)]
pub struct ClusterPolicies {
    /// One row per policy, in order.
    pub rows: Vec<ClusterRow>,
    /// Policies that were not run because of an interrupt.
    pub not_run: Vec<String>,
    /// Number of jobs that arrive, with the first seed.
    pub jobs: u64,
    /// The first seed.
    pub seed: u64,
}

/// Results of one policy. Times in seconds.
#[derive(Debug)]
pub struct ClusterRow {
    /// Name of the policy.
    pub policy: String,
    /// Whether it is the policy of the scenario.
    pub is_own: bool,
    /// Time from submission to first start, mean over jobs.
    pub wait: Mean,
    /// The longest wait.
    pub max_wait: Mean,
    /// Bounded slowdown: time in the system divided by the run time, which counts as at least the
    /// threshold.
    pub bounded_slowdown: Mean,
    /// Number of waiting jobs, mean over time.
    pub queue_depth: Mean,
    /// Fraction of the nodes' time in which they were busy, from 0 to 1.
    pub utilisation: Mean,
    /// Time at which the last job ended.
    pub makespan: Mean,
    /// Number of jobs that did not complete their work, with the first seed: refused, killed, or
    /// not finished.
    pub undone: u64,
}

/// Runs the comparison; `watch` is called when a policy begins and ends.
pub fn clusters(
    scenario: &ClusterScenario,
    options: &ClusterOptions,
    watch: &mut dyn FnMut(Turn<'_>),
) -> Result<ClusterPolicies, ClusterPolicyError> {
    let seed = options.seed.unwrap_or(scenario.seed());
    let own = scenario.policy(None)?.name();
    let others = USUAL.iter().filter(|name| **name != own).copied();
    let policies = match options.policies.is_empty() {
        true => [OWN].into_iter().chain(others).map(str::to_owned).collect::<Vec<_>>(),
        false => options.policies.clone(),
    };
    // A misspelt policy is reported before the first one has run for hours.
    let policies: Vec<String> =
        policies.iter().map(|name| name_of(scenario, options, name)).collect::<Result<_, _>>()?;
    let mut rows = Vec::with_capacity(policies.len());
    let (mut jobs, mut not_run) = (0, Vec::new());
    for policy in &policies {
        let name = if policy == OWN { &own } else { policy };
        watch(Turn::Begins(name));
        let Some(runs) = runs(scenario, policy, seed, options)? else {
            not_run.push(name.clone());
            continue;
        };
        watch(Turn::Ends(name));
        jobs = runs[0].all.jobs.submitted;
        rows.push(row(name, policy == OWN, &runs));
    }
    Ok(ClusterPolicies { rows, not_run, jobs, seed })
}

/// The name of the policy in files.
fn name_of(
    scenario: &ClusterScenario,
    options: &ClusterOptions,
    name: &str,
) -> Result<String, ScenarioError> {
    if is_same(name, OWN) {
        return Ok(OWN.to_owned());
    }
    policy_of(scenario, options, name).map(QueuePolicy::name)
}

/// The policy of this name, user-defined or known to the scenario.
fn policy_of(
    scenario: &ClusterScenario,
    options: &ClusterOptions,
    name: &str,
) -> Result<QueuePolicy, ScenarioError> {
    let defined = options.defined.iter().copied().find(|policy| policy.name() == name);
    defined.map_or_else(|| scenario.policy(Some(name)), Ok)
}

/// `None` if a stop was requested before the last of them was finished.
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
        let policy = (policy != OWN).then(|| policy_of(scenario, options, policy)).transpose()?;
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
