//! A makespan that no schedule of a scenario's jobs can beat, on-line or not.
//!
//! The jobs that arrive at time r or later all run after r, so `r + v` is a bound if no grid, empty
//! and without local load, gets them done within v. That is refuted for a k by resource weights w,
//! as in [`gridsat_exact::bounds`], now with resources of several PEs: if a job goes wherever its
//! weighted time is least, among the resources whose fastest PE can do it within k, and
//!
//! ```text
//! Σ_j min_i w_i·p_ij  >  k · Σ_i w_i·c_i
//! ```
//!
//! then k is too short. Time p_ij is that on the fastest PE and c_i what the resource does in a
//! tick, in fastest PEs; nothing else is said about what happens inside a resource, so it holds for
//! every allocation policy, for jobs that are halted, and for time sharing. (Bounds by packing
//! whole jobs onto PEs would not.) Local load and estimate errors only make things slower: true
//! sizes count.
//!
//! Weights come from speeds, and from the linear bound of an instance with times p/c; floats guide,
//! and what the weights prove is computed in integers. One set of weights proves something about
//! every r, so few suffixes need weights of their own.

use gridsat_exact::bounds;
use gridsat_grid::allocation::Pes;
use gridsat_grid::{Grid, ResourceSpec, Setup};
use gridsat_model::{Instance, InstanceParts, Scale, Stop, Ticks};
use gridsat_workload::{Demand, JobSpec, merge};

/// Capacities are counted in millionths of a PE.
const PE: u128 = 1_000_000;
/// Weights end here, so that products of hundreds of centuries in nanoseconds are within 128 bits.
const MAX_WEIGHT: f64 = (1_u64 << 24) as f64;
/// Suffixes with weights of their own.
const SUFFIXES: usize = 8;
/// Pairs of a job and a resource to find weights for, over all suffixes.
const EFFORT: usize = 1_000_000;
/// Jobs longer than this, 36 years in nanoseconds, are a bound of their own that will do; with
/// shorter ones nothing overflows.
const LONGEST: Ticks = Ticks(Instance::MAX_TOTAL.0 / 4);
/// How often weights are looked for: by speed, and then again as pairs fall away.
const ROUNDS: usize = 4;

/// No schedule of these jobs, given in order of arrival, ends before this.
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

/// All jobs of a run, in order of arrival, and what no schedule of them can beat, in seconds.
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

/// What the PEs do together, in millionths of the fastest; rounded up.
fn capacity(pes: &Pes) -> u128 {
    let of = |pe| (PE as f64 / pes.slowdown(pe)).ceil() as u128;
    (0..pes.count()).map(of).sum()
}

/// A job: its arrival and its time on each resource's fastest PE.
struct JobTimes {
    arrival: Ticks,
    times: Vec<Option<Ticks>>,
}

impl JobTimes {
    fn new(job: &JobSpec, resources: &[ResourceSpec], scale: Scale) -> Self {
        let time = |(index, resource): (usize, &ResourceSpec)| {
            let time = time(job, index, resource, scale).filter(|_| job.qos <= resource.qos)?;
            // Slower PEs round times to the nearest tick.
            Some(if resource.pes.are_alike() { time } else { time.saturating_sub(Ticks(1)) })
        };
        Self { arrival: job.arrival, times: resources.iter().enumerate().map(time).collect() }
    }

    fn shortest(&self) -> Option<Ticks> {
        self.times.iter().flatten().copied().min()
    }

    /// The least weighted time among resources that can do it within k.
    fn cost(&self, weights: &[u128], k: Ticks) -> Option<u128> {
        let pairs = self.times.iter().zip(weights);
        let costs = pairs.filter_map(|(time, weight)| {
            time.filter(|&time| time <= k).map(|time| weight * u128::from(time))
        });
        costs.min()
    }
}

/// Rounded down, where the simulator rounds to the nearest tick.
fn time(job: &JobSpec, index: usize, resource: &ResourceSpec, scale: Scale) -> Option<Ticks> {
    if !resource.serves.can_serve(&job.demand) {
        return None;
    }
    match &job.demand {
        Demand::Instructions(size) | Demand::Operations(size) => {
            let unit = scale.ticks_per_unit().as_f64();
            Some(Ticks::truncated(size * (unit / resource.pes.fastest())))
        }
        Demand::Times(times) => times.get(index).copied().flatten(),
    }
}

struct Table {
    capacities: Vec<u128>,
    rows: Vec<JobTimes>,
}

impl Table {
    /// Where the suffixes begin that get weights of their own: the first, and others evenly among
    /// the jobs, each at the first job of its arrival.
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

    /// The best bound found for these jobs from their start on, and the weights behind it.
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

    /// In proportion to speed, the best there are if that is the only difference between resources.
    fn by_speed(&self, rows: &[JobTimes]) -> Vec<u128> {
        let speed = |host: usize| {
            let times: Vec<Ticks> = rows.iter().filter_map(|row| row.times[host]).collect();
            let total: f64 = times.iter().map(|&time| time.as_f64()).sum();
            times.len() as f64 / total.max(1.0)
        };
        rounded(&(0..self.capacities.len()).map(speed).collect::<Vec<_>>())
    }

    /// Those of the linear bound, given that nothing is done within less than k.
    fn linear(&self, rows: &[JobTimes], k: Ticks) -> Option<Vec<u128>> {
        let merged = |(time, capacity): (&Option<Ticks>, &u128)| {
            let shared = |time| Ticks((u128::from(time) * PE / capacity) as u64);
            time.filter(|&time| time <= k).map(shared)
        };
        let row = |row: &JobTimes| row.times.iter().zip(&self.capacities).map(merged).collect();
        let can_run = rows.iter().filter(|row| row.shortest().is_some());
        let etc = can_run.map(row).collect();
        let instance = Instance::new(InstanceParts { etc, ..InstanceParts::default() }).ok()?;
        // The last digits can take minutes where resources differ in speed only.
        let weights = bounds::linear_roughly(&instance, &Stop::never()).weights;
        let shares = weights.iter().zip(&self.capacities);
        Some(rounded(&shares.map(|(&w, &c)| w as f64 / c as f64).collect::<Vec<_>>()))
    }

    /// `Σ_i w_i·c_i`, in millionths.
    fn room(&self, weights: &[u128]) -> u128 {
        weights.iter().zip(&self.capacities).map(|(weight, capacity)| weight * capacity).sum()
    }

    /// Whether these jobs cannot be done within k; monotone in k.
    fn refutes(&self, rows: &[JobTimes], weights: &[u128], k: Ticks) -> bool {
        let costs = rows.iter().map(|row| row.cost(weights, k).unwrap_or(0));
        let sum = costs.into_iter().try_fold(0_u128, |sum, cost| sum.checked_add(cost));
        let work = sum.and_then(|sum| sum.checked_mul(PE));
        let room = self.room(weights).checked_mul(u128::from(k));
        // Beyond 128 bits nothing is claimed.
        work.zip(room).is_some_and(|(work, room)| work > room)
    }

    /// The least k that the weights do not refute, `from` or later.
    fn first_not_refuted(&self, rows: &[JobTimes], weights: &[u128], from: Ticks) -> Ticks {
        let refutes = |k| self.refutes(rows, weights, k);
        let (mut low, mut step) = (from, 0_u64);
        let mut high = low;
        while refutes(high) {
            // Later than the clock can tell.
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

    /// The best of what the weights say about the jobs from each arrival on, with all pairs.
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

/// Integers in proportion.
fn rounded(weights: &[f64]) -> Vec<u128> {
    let largest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    weights.iter().map(|weight| (weight / largest * MAX_WEIGHT).round() as u128).collect()
}
