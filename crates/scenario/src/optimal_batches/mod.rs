//! The optimum as a scheduling policy: every batch is mapped by [`gridsat_exact::solve`], with a
//! checked certificate, given the current delays of the hosts. It shows how far heuristics are from
//! the best possible mapping of each batch, not only from another heuristic.
//!
//! In batch mode this is the policy `sat`; in time-limit mode `tlsat`: the whole batch is mapped,
//! but only the jobs are sent that start before the next decision. The others wait and are mapped
//! again, starting from their previous plan.
//!
//! A resource with several PEs is modelled as that many hosts. Time-shared resources are treated as
//! space-shared ones whose PEs are all free at the earliest time the estimator gives.
//!
//! A mapping of a batch is optimal if its last job ends as early as possible, which leaves much
//! freedom: if one host is busy for long anyway, almost any mapping of the rest is optimal. Later
//! batches depend on the choice, so the mapping is smoothed without increasing its makespan.

mod plan;
mod smooth;

use std::time::Duration;

use gridsat_exact::solve::Solver;
use gridsat_exact::strategy::Options;
use gridsat_grid::{Assignment, Mapper, MapperError, View, instance};
use gridsat_model::Stop;
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};
use plan::Plan;

/// Rounds of dives and proofs by cases per batch, unless the exact optimum is required. Few batches
/// need any, and then mostly the first rounds help.
const ROUNDS: usize = 4;

/// A mapper that maps each batch optimally.
pub struct OptimalBatches {
    gap: f64,
    limit: Duration,
    stop: Stop,
    plan: Plan,
    batches: u64,
    proven: u64,
    worst_gap: f64,
}

impl OptimalBatches {
    /// `gap` is the relative gap at which the search stops. If it is above 0, a long search also
    /// stops after a fixed amount of work, with a larger gap. `limit` is the time per batch; if a
    /// batch reaches it, the result of the simulation depends on the speed of the computer.
    pub fn new(gap: f64, limit: Duration, stop: Stop) -> Self {
        let plan = Plan::default();
        Self { gap, limit, stop, plan, batches: 0, proven: 0, worst_gap: 0.0 }
    }

    /// Maps a batch, starting from a mapping that may already be good.
    fn map(&mut self, instance: &Instance, start: Option<Mapping>) -> Result<Mapping, MapperError> {
        let rounds = (self.gap > 0.0).then_some(ROUNDS);
        let options = Options { gap: self.gap, rounds, start: start.clone(), ..Options::default() };
        let mut solver = Solver::with(options).stop(self.stop.clone()).time_limit(self.limit);
        let solution = solver.solve(instance).map_err(|error| MapperError(error.to_string()))?;
        self.batches += 1;
        self.proven += u64::from(solution.is_optimal());
        self.worst_gap = self.worst_gap.max(solution.gap());
        let found = solution.mapping();
        Ok(match start.as_ref() == Some(found) {
            true => smooth::smoothed(instance, found, found.makespan()),
            false => smooth::best(instance, found),
        })
    }
}

impl Mapper for OptimalBatches {
    fn name(&self) -> String {
        "sat".to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let seats = seats(view);
        let until = view.until().unwrap_or(Ticks::MAX);
        if seats.iter().all(|&(_, ready)| ready > until) {
            return Ok(Vec::new());
        }
        let Some((instance, jobs)) = instance(view, &seats)? else { return Ok(Vec::new()) };
        let numbers: Vec<u64> = jobs.iter().map(|&job| view.job(job).number).collect();
        let start = self.plan.start(&instance, &numbers, &seats);
        let mapping = self.map(&instance, start)?;
        self.plan.keep(&mapping, &numbers, &seats);
        let mut starts = starts(&instance, &mapping);
        starts.retain(|&(start, ..)| start <= until);
        starts.sort_unstable();
        let assignment = |&(_, task, host): &(Ticks, TaskId, HostId)| Assignment {
            job: jobs[task.index()],
            host: seats[host.index()].0,
        };
        Ok(starts.iter().map(assignment).collect())
    }

    fn note(&self) -> Option<String> {
        let (batches, proven) = (self.batches, self.proven);
        let gap = 100.0 * self.worst_gap;
        Some(format!("{proven} of {batches} batches proven optimal, largest gap {gap:.3} %"))
    }
}

/// The PEs that become free at some time: the host each belongs to, and when.
fn seats(view: &View<'_>) -> Vec<(HostId, Ticks)> {
    let of = |host| view.delays(host).into_iter().map(move |ready| (host, ready));
    let all = view.hosts().flat_map(of);
    all.filter(|&(_, ready)| ready < Ticks::MAX).collect()
}

/// Start time of each task if the tasks of a host run in order.
fn starts(instance: &Instance, mapping: &Mapping) -> Vec<(Ticks, TaskId, HostId)> {
    let mut free: Vec<Ticks> = instance.hosts().map(|host| instance.ready(host)).collect();
    let start = |task| {
        let host = mapping.host(task);
        let start = free[host.index()];
        free[host.index()] += instance.time(task, host).expect("mapped to hosts that can run it");
        (start, task, host)
    };
    instance.tasks().map(start).collect()
}
