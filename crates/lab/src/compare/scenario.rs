//! Comparison of policies in one scenario: the same jobs on the same grid under the same loads.
//!
//! With several replications every policy is simulated with each seed; measures are means over
//! them. A ratio is the makespan divided by a lower bound for every schedule of the same jobs
//! ([`super::lower_bound`]), so the excess over 1 limits what any policy could still gain.
//! There is no ratio if jobs were not finished.

use thiserror::Error;

use super::{Turn, jobs_and_bound};
use crate::until::Until;
use gridsat_grid::economy::Economy;
use gridsat_grid::{Proofs, SimError, Summary, simulate};
use gridsat_model::Stop;
use gridsat_model::names::is_same;
use gridsat_scenario::{Changes, Scenario, ScenarioError};
use gridsat_statistics as statistics;

/// The scenario as it is, with its policies and modes.
pub const OWN: &str = "own";

/// The default policies to compare with those of the scenario.
const USUAL: [&str; 6] = ["mct", "minmin", "qgmm", "tlmm", "tlqmm", "sat"];
/// Policies that equal Min-Min and TLMM if no job requests a QoS level.
const FOR_LEVELS: [&str; 2] = ["qgmm", "tlqmm"];

/// Settings of a comparison.
#[derive(Clone, Debug, Default)]
pub struct ScenarioOptions {
    /// The policies, or [`OWN`]; if empty, the default ones.
    pub policies: Vec<String>,
    /// The first seed; by default that of the scenario.
    pub seed: Option<u64>,
    /// Number of consecutive seeds, at least 1.
    pub replications: u32,
    /// Evaluations per batch of policies that are searches; by default as in the scenario.
    pub evaluations: Option<u64>,
    /// An interrupt: policies that are not finished by then are left out.
    pub stop: Stop,
}

/// Why policies cannot be compared.
#[derive(Debug, Error)]
pub enum PolicyError {
    /// The scenario is invalid, or does not know a policy.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A simulation failed.
    #[error("policy '{policy}', seed {seed}: {error}")]
    Sim {
        /// Id of the policy under which it failed.
        policy: String,
        /// Seed of the replication that failed.
        seed: u64,
        /// Why the simulation ended without a result.
        error: SimError,
    },
}

/// The compared policies.
#[derive(Debug)]
pub struct Policies {
    /// One row per policy, in order.
    pub rows: Vec<PolicyRow>,
    /// Policies that were not run because of an interrupt.
    pub not_run: Vec<String>,
    /// `None` if it was interrupted before all jobs were known.
    pub known: Option<Known>,
    /// The first seed.
    pub seed: u64,
}

/// Values that do not depend on the policy.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Number of jobs that arrive, with the first seed.
    pub jobs: usize,
    /// The lower bound on the makespan, in seconds.
    pub bound: Mean,
}

/// Results of one policy. Times in seconds.
#[derive(Debug)]
pub struct PolicyRow {
    /// Its name, or [`OWN`].
    pub policy: String,
    /// Time at which the last job finished.
    pub makespan: Mean,
    /// The makespan divided by the lower bound; `None` if jobs were not finished.
    pub ratio: Option<Mean>,
    /// Time from arrival to end of a job.
    pub flow: Mean,
    /// Fraction of the PEs' time until the makespan in which they were busy, from 0 to 1.
    pub utilisation: Mean,
    /// Mean number of jobs at a resource, from its first to its last.
    pub mean_jobs: Mean,
    /// Computing time of the schedulers in wall-clock time.
    pub scheduling: Mean,
    /// Money and deadlines, if the scenario has any.
    pub economy: Option<EconomyMeans>,
    /// Proofs about batches, if the policy makes any.
    pub proofs: Option<ProofMeans>,
    /// Remarks of schedulers other than proofs, and problems, with the first seed.
    pub notes: Vec<String>,
}

/// What a policy has proven about its batches, over all replications.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofMeans {
    /// The share of batches certified optimal, from 0 to 1.
    pub proven: Mean,
    /// The largest gap of any batch of any replication, from 0 to 1.
    pub largest_gap: f64,
}

impl ProofMeans {
    /// `None` if there was no batch, or nothing is ever proven.
    fn of(runs: &[Summary]) -> Option<Self> {
        let runs: Vec<Proofs> = runs.iter().map(Summary::all_proofs).collect::<Option<_>>()?;
        let shares: Vec<f64> = runs.iter().filter_map(Proofs::share).collect();
        let largest_gap = runs.iter().map(|run| run.largest_gap).fold(0.0, f64::max);
        (!shares.is_empty()).then(|| Self { proven: Mean::of(&shares), largest_gap })
    }
}

/// Means of money and deadlines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EconomyMeans {
    /// Amount paid for finished jobs.
    pub spent: Mean,
    /// Number of jobs that were sent but not finished by their deadline.
    pub missed: Mean,
    /// Number of jobs that were never sent because budget or deadline did not permit it.
    pub not_affordable: Mean,
}

impl EconomyMeans {
    /// `None` if there is neither money nor a deadline.
    fn of(runs: &[Summary]) -> Option<Self> {
        let runs: Vec<Economy> = runs.iter().map(|run| run.economy).collect::<Option<_>>()?;
        let mean = |of: fn(&Economy) -> f64| Mean::of(&runs.iter().map(of).collect::<Vec<_>>());
        Some(Self {
            spent: mean(|run| run.spent.as_f64()),
            missed: mean(|run| run.missed as f64),
            not_affordable: mean(|run| run.not_affordable as f64),
        })
    }
}

/// A mean over replications.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// Arithmetic mean, in the unit of the values.
    pub mean: f64,
    /// The standard deviation, dividing by n − 1; `None` for one value.
    pub deviation: Option<f64>,
}

impl Mean {
    /// The mean of at least one value.
    pub(super) fn of(values: &[f64]) -> Self {
        let statistics::Summary { mean, deviation, .. } = statistics::Summary::of(values);
        Self { mean, deviation }
    }
}

/// The jobs of one seed, and the lower bound on their makespan.
struct World {
    seed: u64,
    jobs: usize,
    /// Whether any job requests a QoS level.
    has_levels: bool,
    /// Lower bound in seconds.
    bound: f64,
}

/// Runs the comparison; `watch` is called when a policy begins and ends.
pub fn scenario(
    scenario: &Scenario,
    options: &ScenarioOptions,
    watch: &mut dyn FnMut(Turn<'_>),
) -> Result<Policies, PolicyError> {
    let first = options.seed.unwrap_or(scenario.seed());
    // A misspelt policy is reported before the first one has run for hours.
    let given: Vec<String> =
        options.policies.iter().map(|name| name_of(scenario, name)).collect::<Result<_, _>>()?;
    let seeds = (0..options.replications.max(1)).map(|i| first.wrapping_add(i.into()));
    let worlds = seeds.map(|seed| world(scenario, seed, &options.stop));
    let worlds = worlds.collect::<Result<Option<Vec<World>>, ScenarioError>>()?;
    let policies = match given.is_empty() {
        true => usual(scenario, worlds.as_ref().is_none_or(|worlds| worlds[0].has_levels)),
        false => given,
    };
    let Some(worlds) = worlds else {
        return Ok(Policies { rows: Vec::new(), not_run: policies, known: None, seed: first });
    };
    let (mut rows, mut not_run) = (Vec::new(), Vec::new());
    for policy in policies {
        watch(Turn::Begins(&policy));
        match runs(scenario, &policy, &worlds, options)? {
            Some(runs) => {
                watch(Turn::Ends(&policy));
                rows.push(row(policy, &runs, &worlds));
            }
            None => not_run.push(policy),
        }
    }
    Ok(Policies {
        rows,
        not_run,
        known: Some(Known {
            jobs: worlds[0].jobs,
            bound: Mean::of(&worlds.iter().map(|world| world.bound).collect::<Vec<_>>()),
        }),
        seed: first,
    })
}

/// The name of the policy in files.
fn name_of(scenario: &Scenario, name: &str) -> Result<String, ScenarioError> {
    Ok(if is_same(name, OWN) { OWN } else { scenario.policy(name)?.name }.to_owned())
}

/// The policies of the scenario, and the default ones that differ from each other.
fn usual(scenario: &Scenario, has_levels: bool) -> Vec<String> {
    let own = scenario.own_policies();
    let is_other = |policy: &&str| !own.iter().all(|one| one == policy);
    let others = USUAL.into_iter().filter(is_other);
    let others = others.filter(|policy| has_levels || !FOR_LEVELS.contains(policy));
    [OWN].into_iter().chain(others).map(str::to_owned).collect()
}

fn changes(
    scenario: &Scenario,
    policy: &str,
    seed: u64,
    options: &ScenarioOptions,
) -> Result<Changes, ScenarioError> {
    let policy = (policy != OWN).then(|| scenario.policy(policy)).transpose()?;
    let ScenarioOptions { evaluations, ref stop, .. } = *options;
    Ok(Changes { seed: Some(seed), policy, evaluations, stop: stop.clone(), certificates: None })
}

/// `None` if a stop was requested before all its jobs were known.
fn world(scenario: &Scenario, seed: u64, stop: &Stop) -> Result<Option<World>, ScenarioError> {
    let setup = scenario.setup(&Changes { seed: Some(seed), ..Changes::default() })?;
    let Some((jobs, bound)) = jobs_and_bound(setup, stop) else { return Ok(None) };
    let has_levels = jobs.iter().any(|job| job.qos > 0);
    Ok(Some(World { seed, jobs: jobs.len(), has_levels, bound }))
}

/// `None` if a stop was requested before the last of them was finished.
fn runs(
    scenario: &Scenario,
    policy: &str,
    worlds: &[World],
    options: &ScenarioOptions,
) -> Result<Option<Vec<Summary>>, PolicyError> {
    let stop = &options.stop;
    let run = |world: &World| {
        if stop.is_requested() {
            return Ok(None);
        }
        let mut setup = scenario.setup(&changes(scenario, policy, world.seed, options)?)?;
        setup.timing = true;
        let summary = simulate(setup, &mut Until(stop)).map_err(|error| PolicyError::Sim {
            policy: policy.to_owned(),
            seed: world.seed,
            error,
        })?;
        // Schedulers that were stopped may have decided well before the next event.
        Ok((!stop.is_requested()).then_some(summary))
    };
    worlds.iter().map(run).collect()
}

fn row(policy: String, runs: &[Summary], worlds: &[World]) -> PolicyRow {
    let mean =
        |measure: &dyn Fn(&Summary) -> f64| Mean::of(&runs.iter().map(measure).collect::<Vec<_>>());
    let ratios: Option<Vec<f64>> = runs.iter().zip(worlds).map(ratio).collect();
    PolicyRow {
        makespan: mean(&makespan),
        ratio: ratios.map(|ratios| Mean::of(&ratios)),
        flow: mean(&|run| run.counts.flow.mean() / unit(run)),
        utilisation: mean(&|run| run.utilisation),
        mean_jobs: mean(&Summary::mean_jobs),
        scheduling: mean(&|run| run.scheduling.unwrap_or_default().as_secs_f64()),
        economy: EconomyMeans::of(runs),
        proofs: ProofMeans::of(runs),
        notes: notes(&runs[0], &worlds[0]),
        policy,
    }
}

fn unit(run: &Summary) -> f64 {
    run.scale.ticks_per_unit().as_f64()
}

fn makespan(run: &Summary) -> f64 {
    run.counts.makespan.0.as_f64() / unit(run)
}

/// `None` unless all jobs were finished.
fn ratio((run, world): (&Summary, &World)) -> Option<f64> {
    let is_complete = run.counts.finished == world.jobs as u64 && world.bound > 0.0;
    is_complete.then(|| makespan(run) / world.bound)
}

fn notes(run: &Summary, world: &World) -> Vec<String> {
    let undone = world.jobs as u64 - run.counts.finished;
    let undone = (undone > 0).then(|| format!("{undone} of {} jobs not done", world.jobs));
    // Proofs have columns of their own, over all seeds.
    let is_proof = |name: &str| run.proofs.iter().any(|(other, _)| other == name);
    let said: Vec<_> = run.notes.iter().filter(|(name, _)| !is_proof(name)).collect();
    let said = match said.as_slice() {
        [(_, note)] => vec![note.clone()],
        notes => notes.iter().map(|(name, note)| format!("{name}: {note}")).collect(),
    };
    undone.into_iter().chain(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_by_hand() {
        assert_eq!(Mean::of(&[3.0]), Mean { mean: 3.0, deviation: None });
        assert_eq!(Mean::of(&[1.0, 3.0]), Mean { mean: 2.0, deviation: Some(2.0_f64.sqrt()) });
    }
}
