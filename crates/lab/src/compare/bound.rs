//! A lower bound on the makespan of every schedule of a scenario's jobs, on-line or not.
//!
//! The jobs that arrive at time r or later all run after r, so `r + v` is a bound if even the idle
//! grid without local load cannot complete them within v. That is refuted for a k by resource
//! weights w, as in [`gridsat_exact::bounds`], now with resources of several PEs: if every job goes
//! to the resource with its least weighted time, among those whose fastest PE can run it within k,
//! and
//!
//! ```text
//! Σ_j min_i w_i·p_ij  >  k · Σ_i w_i·c_i
//! ```
//!
//! then k is too short. Time p_ij is that on the fastest PE, and c_i is the capacity of the
//! resource in units of its fastest PE. Nothing else is assumed about a resource, so the bound
//! holds for every allocation policy, for halted jobs and for time sharing. (Bounds from packing
//! whole jobs onto PEs would not.) Local load and estimate errors only make jobs slower; true sizes
//! are used.
//!
//! Weights are derived from speeds, and from the linear bound of an instance with times p/c.
//! Floating point is used only to find weights; what they prove is computed in integers. One set of
//! weights gives a bound for every r, so weights are computed for few suffixes only.

use gridsat_exact::bounds;
use gridsat_grid::allocation::Pes;
use gridsat_grid::{Grid, ResourceSpec, Setup};
use gridsat_model::{Instance, InstanceParts, Scale, Stop, Ticks};
use gridsat_workload::{Demand, JobSpec, merge};

/// Capacities are in millionths of a PE.
const PE: u128 = 1_000_000;
/// Largest weight, so that products with hundreds of centuries in nanoseconds fit into 128 bits.
const MAX_WEIGHT: f64 = (1_u64 << 24) as f64;
/// Number of suffixes for which weights are computed.
const SUFFIXES: usize = 8;
/// Number of pairs of a job and a resource for which weights are computed, over all suffixes.
const EFFORT: usize = 1_000_000;
/// A job longer than this, 36 years in nanoseconds, is a sufficient bound by itself; with shorter
/// ones nothing overflows.
const LONGEST: Ticks = Ticks(Instance::MAX_TOTAL.0 / 4);
/// How often weights are computed: by speed, and then again as pairs are excluded.
const ROUNDS: usize = 4;

/// A lower bound on the end of every schedule of these jobs, which are given in order of arrival.
pub fn lower_bound(grid: &Grid, scale: Scale, jobs: &[JobSpec]) -> Ticks {
    let capacities = grid.resources.iter().map(|resource| capacity(&resource.pes)).collect();
    let row = |job| JobTimes::new(job, &grid.resources, scale);
    let table = Table { capacities, rows: jobs.iter().map(row).collect() };
    let alone =
        table.rows.iter().filter_map(|row| Some(row.arrival.saturating_add(row.shortest()?)));
    let mut best = alone.max().unwrap_or(Ticks(0));
    for first in table.suffixes() {
        let suffix = &table.rows[first..];
        let (value, weights) = table.solve(suffix);
        best = best.max(suffix[0].arrival.saturating_add(value)).max(table.all_suffixes(&weights));
    }
    best
}

/// All jobs of a run, in order of arrival, and the lower bound on their makespan, in seconds.
/// `None` if a stop was requested before all of them were known.
pub(crate) fn jobs_and_bound(setup: Setup, stop: &Stop) -> Option<(Vec<JobSpec>, f64)> {
    let Setup { grid, groups, scale, .. } = setup;
    let jobs = merge(groups.into_iter().map(|group| group.source).collect());
    let jobs: Vec<JobSpec> = jobs.take_while(|_| !stop.is_requested()).collect();
    if stop.is_requested() {
        return None;
    }
    let bound = lower_bound(&grid, scale, &jobs);
    Some((jobs, bound.as_f64() / scale.ticks_per_unit().as_f64()))
}

/// Total capacity of the PEs in millionths of the fastest, rounded up.
fn capacity(pes: &Pes) -> u128 {
    let of = |pe| (PE as f64 / pes.slowdown(pe)).ceil() as u128;
    (0..pes.count()).map(of).sum()
}

/// A job: its arrival and its time on the fastest PE of each resource.
struct JobTimes {
    arrival: Ticks,
    times: Vec<Option<Ticks>>,
}

impl JobTimes {
    fn new(job: &JobSpec, resources: &[ResourceSpec], scale: Scale) -> Self {
        let time = |(index, resource): (usize, &ResourceSpec)| {
            let time = time(job, index, resource, scale).filter(|_| job.qos <= resource.qos)?;
            // Times on slower PEs are rounded to the nearest tick.
            Some(if resource.pes.are_alike() { time } else { time.saturating_sub(Ticks(1)) })
        };
        Self { arrival: job.arrival, times: resources.iter().enumerate().map(time).collect() }
    }

    fn shortest(&self) -> Option<Ticks> {
        self.times.iter().flatten().copied().min()
    }

    /// The least weighted time among resources that can run it within k.
    fn cost(&self, weights: &[u128], k: Ticks) -> Option<u128> {
        let pairs = self.times.iter().zip(weights);
        let costs = pairs.filter_map(|(time, weight)| {
            time.filter(|&time| time <= k).map(|time| weight * u128::from(time))
        });
        costs.min()
    }
}

/// Rounded down, whereas the simulator rounds to the nearest tick.
fn time(job: &JobSpec, index: usize, resource: &ResourceSpec, scale: Scale) -> Option<Ticks> {
    if !resource.serves.can_serve(&job.demand) {
        return None;
    }
    let amount_time = |size: f64| {
        let unit = scale.ticks_per_unit().as_f64();
        Ticks::truncated(size * (unit / resource.pes.fastest()))
    };
    match &job.demand {
        Demand::Instructions(size) | Demand::Operations(size) => Some(amount_time(*size)),
        Demand::Composite(job) => Some(amount_time(job.amount())),
        Demand::Times(times) => times.get(index).copied().flatten(),
    }
}

struct Table {
    capacities: Vec<u128>,
    rows: Vec<JobTimes>,
}

impl Table {
    /// Starts of the suffixes for which weights are computed: the first, and others evenly spaced
    /// among the jobs, each at the first job of its arrival time.
    fn suffixes(&self) -> Vec<usize> {
        let n = self.rows.len();
        let pairs = (n * self.capacities.len()).max(1);
        // On average a suffix has half of the jobs.
        let count = (2 * EFFORT / pairs).clamp(1, SUFFIXES);
        let first = |i: usize| {
            let arrival = self.rows[i * n / count].arrival;
            self.rows.partition_point(|row| row.arrival < arrival)
        };
        let mut firsts: Vec<usize> = (0..count.min(n)).map(first).collect();
        firsts.dedup();
        firsts
    }

    /// The best bound found for these jobs from their start on, and its weights.
    fn solve(&self, rows: &[JobTimes]) -> (Ticks, Vec<u128>) {
        let longest = rows.iter().filter_map(JobTimes::shortest).max().unwrap_or(Ticks(0));
        let (mut value, mut weights) = (longest, vec![1; self.capacities.len()]);
        for round in 0..ROUNDS {
            let before = value;
            if before > LONGEST {
                break;
            }
            let found =
                if round == 0 { Some(self.by_speed(rows)) } else { self.linear(rows, before) };
            let Some(found) = found else { break };
            value = self.first_not_refuted(rows, &found, before);
            if value > before {
                weights = found;
            } else if round > 0 {
                break;
            }
        }
        (value, weights)
    }

    /// Proportional to speed, which is optimal if resources differ in nothing else.
    fn by_speed(&self, rows: &[JobTimes]) -> Vec<u128> {
        let speed = |host: usize| {
            let times: Vec<Ticks> = rows.iter().filter_map(|row| row.times[host]).collect();
            let total: f64 = times.iter().map(|&time| time.as_f64()).sum();
            times.len() as f64 / total.max(1.0)
        };
        rounded(&(0..self.capacities.len()).map(speed).collect::<Vec<_>>())
    }

    /// The weights of the linear bound, given that no schedule is shorter than k.
    fn linear(&self, rows: &[JobTimes], k: Ticks) -> Option<Vec<u128>> {
        let merged = |(time, capacity): (&Option<Ticks>, &u128)| {
            let shared = |time| Ticks((u128::from(time) * PE / capacity) as u64);
            time.filter(|&time| time <= k).map(shared)
        };
        let row = |row: &JobTimes| row.times.iter().zip(&self.capacities).map(merged).collect();
        let can_run = rows.iter().filter(|row| row.shortest().is_some());
        let etc = can_run.map(row).collect();
        let instance = Instance::new(InstanceParts { etc, ..InstanceParts::default() }).ok()?;
        // An exact bound can take minutes if resources differ in speed only.
        let weights = bounds::linear_roughly(&instance, &Stop::never()).weights;
        let shares = weights.iter().zip(&self.capacities);
        Some(rounded(&shares.map(|(&w, &c)| w as f64 / c as f64).collect::<Vec<_>>()))
    }

    /// `Σ_i w_i·c_i`, in millionths.
    fn room(&self, weights: &[u128]) -> u128 {
        weights.iter().zip(&self.capacities).map(|(weight, capacity)| weight * capacity).sum()
    }

    /// Whether the weights prove that these jobs cannot be completed within k; monotone in k.
    fn refutes(&self, rows: &[JobTimes], weights: &[u128], k: Ticks) -> bool {
        let costs = rows.iter().map(|row| row.cost(weights, k).unwrap_or(0));
        let sum = costs.into_iter().try_fold(0_u128, |sum, cost| sum.checked_add(cost));
        let work = sum.and_then(|sum| sum.checked_mul(PE));
        let room = self.room(weights).checked_mul(u128::from(k));
        // If a product exceeds 128 bits, nothing is proven.
        work.zip(room).is_some_and(|(work, room)| work > room)
    }

    /// The least k, at least `from`, that the weights do not refute.
    fn first_not_refuted(&self, rows: &[JobTimes], weights: &[u128], from: Ticks) -> Ticks {
        let refutes = |k| self.refutes(rows, weights, k);
        let (mut low, mut step) = (from, 0_u64);
        let mut high = low;
        while refutes(high) {
            // Beyond the largest simulated time.
            let Some(next) = high.checked_add(Ticks(1)) else { return high };
            (low, step) = (next, (2 * step).clamp(1, (Ticks::MAX / 4).0));
            high = low.saturating_add(Ticks(step));
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if refutes(middle) {
                low = middle + Ticks(1);
            } else {
                high = middle;
            }
        }
        low
    }

    /// The best bound that the weights give for the jobs from each arrival on, with all pairs.
    fn all_suffixes(&self, weights: &[u128]) -> Ticks {
        let room = self.room(weights).max(1);
        let (mut sum, mut best) = (0_u128, 0);
        for row in self.rows.iter().rev() {
            sum = sum.saturating_add(row.cost(weights, Ticks::MAX).unwrap_or(0));
            let Some(work) = sum.checked_mul(PE) else { break };
            best = best.max(u128::from(row.arrival) + work.div_ceil(room));
        }
        Ticks::try_from(best).unwrap_or(Ticks(0))
    }
}

/// Integer weights with the same proportions.
fn rounded(weights: &[f64]) -> Vec<u128> {
    let largest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    weights.iter().map(|weight| (weight / largest * MAX_WEIGHT).round() as u128).collect()
}
