//! The lower bound for scenarios: never above any schedule, and sharp where expected.

use std::sync::Arc;

use gridsat_grid::allocation::{AllocationPolicy, Pes};
use gridsat_grid::load::{Average, EvenInLimit, LocalLoad, Randomiser};
use gridsat_grid::{ByHeuristic, Grid, Mode, ResourceSpec, Setup, simulate};
use gridsat_heuristics::Heuristics;
use gridsat_lab::compare::lower_bound;
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random::stream;
use gridsat_workload::{Demand, JobSpec, list};
use itertools::Itertools;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Machines, each given as a number of PEs and their rate.
fn resource(machines: &[(u32, f64)], policy: AllocationPolicy, load: u8) -> ResourceSpec {
    let even = Randomiser::EvenInLimit(EvenInLimit::new(20).expect("narrow"));
    let randomiser = (load > 0).then_some(even);
    let load = LocalLoad::new(Average::Constant(load), randomiser, Some(Ticks(7)));
    let spec = ResourceSpec::new("r", Pes::new(machines).expect("valid"));
    ResourceSpec { policy, qos: 1, load: load.expect("valid"), ..spec }
}

fn job(arrival: Ticks, demand: Demand, qos: u32) -> JobSpec {
    JobSpec { qos, ..JobSpec::new(arrival, demand) }
}

fn ticks() -> Scale {
    Scale::default()
}

/// Up to three resources of all kinds.
fn random_grid(rng: &mut ChaCha8Rng) -> Grid {
    let mut one = || {
        let policy = AllocationPolicy::ALL[rng.random_range(0..4)];
        let machine = (rng.random_range(1..=3), f64::from(rng.random_range(1..=4_u8)));
        let slower = (1, f64::from(rng.random_range(1..=4_u8)));
        let machines = [machine, slower];
        let is_mixed = policy == AllocationPolicy::SpaceShared && rng.random_bool(0.5);
        let load = [0, 30][usize::from(rng.random_bool(0.3))];
        let mut spec = resource(&machines[..1 + usize::from(is_mixed)], policy, load);
        spec.qos = rng.random_range(0..=1);
        spec
    };
    let mut resources = vec![one(), one(), one()];
    resources[0].qos = 1;
    Grid::from(resources)
}

fn random_jobs(rng: &mut ChaCha8Rng, count: usize, resources: usize) -> Vec<JobSpec> {
    let horizon = [0, 10, 300][rng.random_range(0..3)];
    let by_times = rng.random_bool(0.5);
    let mut one = || {
        let mut time = |_| Some(Ticks(rng.random_range(1..60)));
        let times: Vec<_> = (0..resources).map(&mut time).collect();
        let demand = match by_times {
            true => Demand::Times(times.into()),
            false => Demand::Instructions(f64::from(rng.random_range(1..200_u32))),
        };
        let qos = u32::from(rng.random_bool(0.3));
        job(Ticks(rng.random_range(0..=horizon)), demand, qos)
    };
    list((0..count).map(|_| one()).collect()).expect("valid").collect()
}

fn makespan(grid: &Grid, jobs: &[JobSpec], policy: &str, mode: Mode) -> Ticks {
    let count = jobs.len() as u64;
    let mapper = ByHeuristic(Heuristics::built_in().named(policy).expect("known"));
    let mut setup = Setup::new(grid.clone(), mapper, Vec::from(jobs).into_iter());
    setup.schedulers[0].mode = mode;
    (setup.scale, setup.seed) = (ticks(), 1);
    let summary = simulate(setup, &mut ()).expect("simulated");
    assert_eq!(summary.counts.finished, count);
    summary.counts.makespan.0
}

#[test]
fn no_policy_is_below_the_bound() {
    let modes = [Mode::OnLine, Mode::Batch(Ticks(10)), Mode::TimeLimit(Ticks(10)), Mode::WhenFree];
    let mut closest = f64::INFINITY;
    for case in 0..150 {
        let mut rng = stream(case, "bound", 0);
        let grid = random_grid(&mut rng);
        let count = rng.random_range(1..30);
        let jobs = random_jobs(&mut rng, count, 3);
        let bound = lower_bound(&grid, ticks(), &jobs);
        for (heuristic, mode) in Heuristics::built_in().iter().zip(modes.iter().cycle()) {
            let found = makespan(&grid, &jobs, heuristic.name(), *mode);
            assert!(bound <= found, "case {case}, {}: {found} < {bound}", heuristic.name());
            closest = closest.min(found.as_f64() / bound.as_f64());
        }
    }
    assert!(closest < 1.05, "a bound that is never near: {closest}");
}

/// The best of all orders of placing jobs on PEs, each as early as possible.
fn brute_force(resources: &[(u32, u64)], jobs: &[(Ticks, Vec<Ticks>)]) -> Ticks {
    let assignments = jobs.iter().map(|_| 0..resources.len()).multi_cartesian_product();
    let orders = (0..jobs.len()).permutations(jobs.len());
    let ends = assignments.cartesian_product(orders).map(|(hosts, order)| {
        let mut free: Vec<Vec<Ticks>> =
            resources.iter().map(|&(pes, _)| vec![Ticks::ZERO; pes as usize]).collect();
        for j in order {
            let pe = free[hosts[j]].iter_mut().min().expect("a PE");
            *pe = (*pe).max(jobs[j].0) + jobs[j].1[hosts[j]];
        }
        free.concat().into_iter().max().expect("a PE")
    });
    ends.min().expect("a schedule")
}

#[test]
fn brute_force_is_never_below_the_bound() {
    let mut tight = 0;
    for case in 0..60 {
        let mut rng = stream(case, "brute force", 0);
        let resources: Vec<(u32, u64)> =
            (0..2).map(|_| (rng.random_range(1..=2), rng.random_range(1..=3))).collect();
        let count = rng.random_range(1..=4);
        let mut jobs: Vec<(Ticks, Vec<Ticks>)> = (0..count)
            .map(|_| {
                let arrival = Ticks(rng.random_range(0..=8));
                (arrival, (0..2).map(|_| Ticks(rng.random_range(1..12))).collect())
            })
            .collect();
        jobs.sort();
        let specs: Vec<JobSpec> = jobs
            .iter()
            .map(|(arrival, times)| {
                job(*arrival, Demand::Times(Arc::new(times.iter().copied().map(Some).collect())), 0)
            })
            .collect();
        let of = |&(pes, mips)| resource(&[(pes, mips as f64)], AllocationPolicy::SpaceShared, 0);
        let bound =
            lower_bound(&Grid::from(resources.iter().map(of).collect::<Vec<_>>()), ticks(), &specs);
        let best = brute_force(&resources, &jobs);
        assert!(bound <= best, "case {case}: {bound} > {best}, {jobs:?} on {resources:?}");
        tight += usize::from(bound == best);
    }
    assert!(tight >= 20, "only {tight} of 60 are attained");
}

#[test]
fn bounds_by_hand() {
    let two = Grid::from(vec![resource(&[(2, 1.0)], AllocationPolicy::Equal, 0)]);
    let size = |size| Demand::Instructions(size);
    // 5 + 5 + 5 on two PEs.
    let jobs =
        [job(Ticks(0), size(5.0), 0), job(Ticks(0), size(5.0), 0), job(Ticks(0), size(5.0), 0)];
    assert_eq!(lower_bound(&two, ticks(), &jobs), Ticks(8));
    // The long one arrives late.
    let jobs = [job(Ticks(0), size(1.0), 0), job(Ticks(10), size(9.0), 0)];
    assert_eq!(lower_bound(&two, ticks(), &jobs), Ticks(19));
    // Three that arrive late: 20 + 12 / 2.
    let late = || job(Ticks(20), size(4.0), 0);
    let jobs = [job(Ticks(0), size(10.0), 0), late(), late(), late()];
    assert_eq!(lower_bound(&two, ticks(), &jobs), Ticks(26));
    // Only one of two resources offers the level: it takes 6 there, although the grid could do it
    // in 3.
    let mut other = resource(&[(1, 1.0)], AllocationPolicy::SpaceShared, 0);
    other.qos = 0;
    let uneven = Grid::from(vec![resource(&[(1, 1.0)], AllocationPolicy::SpaceShared, 0), other]);
    let jobs = [job(Ticks(0), size(3.0), 1), job(Ticks(0), size(3.0), 1)];
    assert_eq!(lower_bound(&uneven, ticks(), &jobs), Ticks(6));
    assert_eq!(lower_bound(&uneven, ticks(), &[]), Ticks(0));
}

/// Sizes beyond the largest simulated time do not cause a panic.
#[test]
fn endless_jobs_have_a_bound_too() {
    let grid = Grid::from(vec![resource(&[(3, 1e-9)], AllocationPolicy::SpaceShared, 0)]);
    let scale = Scale::new(9).expect("nine");
    let jobs = [Demand::Instructions(1e300), Demand::Instructions(5.0)];
    let jobs = jobs.map(|demand| job(Ticks(1 << 63), demand, 0));
    assert_eq!(lower_bound(&grid, scale, &jobs), Ticks::MAX);
}

/// Resources that differ only in speed: total work divided by total speed.
#[test]
fn many_speeds_are_added_up() {
    let of = |mips: u32| resource(&[(2, f64::from(mips))], AllocationPolicy::SpaceShared, 0);
    let grid = Grid::from((1..=40).map(of).collect::<Vec<_>>());
    let jobs: Vec<JobSpec> =
        (0..400).map(|_| job(Ticks(0), Demand::Instructions(5e7), 0)).collect();
    let ideal = 400.0 * 5e7 / (2.0 * 820.0);
    let bound = lower_bound(&grid, ticks(), &jobs).as_f64();
    assert!(bound > 0.999 * ideal, "{bound} of {ideal}");
}
