use super::*;
use crate::bounds;
use crate::solve::Solver;
use gridsat_heuristics::generate::{EtcSpec, generate};
use gridsat_test_support::tiny;

fn filled(instance: &Instance, k: Ticks, effort: u64) -> Option<Mapping> {
    let stop = Stop::never();
    let weights = bounds::linear(instance, &stop).weights;
    let weights: Vec<f64> = weights.iter().map(|&weight| weight as f64).collect();
    Fill::new((instance, &Times::new(instance)), k, &weights, 1)?.go(effort, &stop)
}

#[test]
fn the_optimum_is_reached_and_nothing_below_it() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut reached = 0;
    for case in 0..300 {
        let size = (random.random_range(1..=6), random.random_range(1..=4));
        let instance = tiny::drawn(&mut random, size, (50, 20), 0.2);
        let optimum = tiny::optimum(&instance);
        let makespan = filled(&instance, optimum, 200_000).map(|mapping| mapping.makespan());
        assert!(makespan.is_none_or(|makespan| makespan == optimum), "case {case}");
        reached += usize::from(makespan.is_some());
        let below = optimum.checked_sub(Ticks(1)).and_then(|k| filled(&instance, k, 20_000));
        assert!(below.is_none(), "case {case}");
    }
    // Sets that are worse than the best by more than the depth are never tried.
    assert!(reached > 270, "{reached} of 300");
}

#[test]
fn soft_regrets_count_hosts_and_tend_to_the_least_regret() {
    // Task 0 suits both hosts, task 1 only the first.
    let instance = Instance::from_rows([[7, 7], [5, 9]]).expect("a matrix");
    let costs = Costs::new(&Times::new(&instance), vec![12, 12], &[1.0, 1.0]).expect("a budget");
    let soft = |beta| soft::regrets(&costs, &[0, 1], &[0, 1], (beta, 1_000_000));
    let ticks = |regrets: &[i64]| regrets.iter().map(|&r| costs.ticks(r)).collect::<Vec<f64>>();
    // With both hosts left: −ln 2 / β, and nearly 0. With the second alone: the regret there.
    let both = ticks(&soft(2.0)[0]);
    assert!((both[0] + 2.0_f64.ln() / 2.0).abs() < 0.01 && both[1].abs() < 0.01, "{both:?}");
    assert_eq!(ticks(&soft(2.0)[1]), [0.0, 4.0]);
    assert_eq!(soft(2.0)[2], [1_000_000; 2]);
    assert!(ticks(&soft(1000.0)[0]).iter().all(|soft| soft.abs() < 0.01));
}

#[test]
fn a_larger_budget_means_a_smaller_beta() {
    let instance = generate(&EtcSpec::plain("jobcorr".parse().expect("a class"), 30, 6, 1));
    let times = Times::new(&instance.expect("possible"));
    let costs = |room| Costs::new(&times, vec![room; 6], &[1.0; 6]).expect("a budget");
    let roomy = costs(1000);
    let spare = (roomy.ticks(roomy.budget) / 6.0) as usize;
    let betas = [2, 8, 20].map(|more| soft::beta(&costs(1000 - spare + more)));
    assert!(betas.is_sorted_by(|a, b| a > b), "{betas:?}");
}

/// Where the linear bound is the optimum, hosts waste less than a tick each.
#[test]
fn full_hosts_are_found_where_times_depend_on_the_task() {
    let mut reached = 0;
    for seed in 1..=6 {
        let spec = EtcSpec::plain("jobcorr".parse().expect("a class"), 60, 10, seed);
        let instance = generate(&spec).expect("possible");
        let optimum = Solver::new().solve(&instance).expect("solved").mapping().makespan();
        let mapping = filled(&instance, optimum, 50_000_000);
        assert!(mapping.iter().all(|mapping| mapping.makespan() == optimum), "seed {seed}");
        assert_eq!(filled(&instance, optimum, 50_000_000), mapping, "the same seed");
        reached += usize::from(mapping.is_some());
    }
    assert!(reached >= 5, "{reached} of 6");
}

#[test]
fn hosts_with_too_much_room_are_left_to_others() {
    let instance = Instance::from_rows([[9000, 9000], [9000, 9000]]).expect("a matrix");
    assert_eq!(filled(&instance, Ticks(9000), 1_000_000), None);
}
