//! Bounds against the optimum by brute force, and against each other.

use gridsat_exact::bounds::{
    Explanation, average_load, latest_ready, longest_task, lower_bound, refutes,
};
use gridsat_exact::reason::{LowerBound, Reason};
use gridsat_heuristics::{Heuristic, MinMin, map_by_weights};
use gridsat_model::{Instance, InstanceParts, Stop, Ticks};
use gridsat_test_support::braun;
use gridsat_test_support::tiny::{self, optimum};
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random_instance(seed: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (n, m) = (rng.random_range(1..=6), rng.random_range(1..=3));
    let longest = [0, 3, 30, 1_000_000, 1 << 55][rng.random_range(0..5)];
    let latest = [0, longest][rng.random_range(0..2)];
    let forbidden = [0.0, 0.3][rng.random_range(0..2)];
    tiny::drawn(&mut rng, (n, m), (longest, latest), forbidden)
}

/// Checks that the reason refutes exactly the values below its bound, near it and at random.
fn check_reason(instance: &Instance, bound: &LowerBound, rng: &mut ChaCha8Rng) {
    let value = bound.value();
    let Some(reason) = bound.reason() else { return assert_eq!(value, Ticks::ZERO) };
    assert!(!refutes(instance, reason, value));
    assert!(refutes(instance, reason, value - Ticks(1)));
    assert!(refutes(instance, reason, Ticks(rng.random_range(0..value.0))));
    assert!(!refutes(instance, reason, Ticks(rng.random_range(value.0..1 << 62))));
}

#[test]
fn never_above_the_optimum_and_refuting_all_below() {
    let mut tight = 0;
    for seed in 0..4000 {
        let instance = random_instance(seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let optimum = optimum(&instance);
        let simple = [
            latest_ready(&instance),
            longest_task(&instance),
            average_load(&instance, &Stop::never()),
        ];
        let best = lower_bound(&instance, &Stop::never());
        for bound in simple.iter().chain([&best]) {
            assert!(bound.value() <= optimum, "seed {seed}: {bound:?} > {optimum}");
            assert!(bound.value() <= best.value(), "seed {seed}: {bound:?}");
            check_reason(&instance, bound, &mut rng);
        }
        tight += usize::from(best.value() == optimum);
    }
    // Most of these instances are small enough that the relaxation is exact.
    assert!(tight > 2000, "only {tight} tight");
}

/// With one more host, no mapping by brute force is below the stated bound; shares add up to one.
#[test]
fn explanations_claim_no_more_than_is_true() {
    let mut tight = 0;
    for seed in 0..1000 {
        let instance = random_instance(seed);
        let explanation = Explanation::new(&instance, &Stop::never());
        assert_eq!(explanation.bound, lower_bound(&instance, &Stop::never()), "seed {seed}");
        for shares in [
            explanation.hosts.iter().map(|(_, share)| *share).collect::<Vec<f64>>(),
            explanation.tasks.iter().map(|(_, share)| *share).collect(),
        ] {
            let sum: f64 = shares.iter().sum();
            assert!(shares.is_empty() || (sum - 1.0).abs() < 1e-9, "seed {seed}: {sum}");
            assert!(shares.is_sorted_by(|a, b| a >= b), "seed {seed}: {shares:?}");
        }
        for &(like, bound) in &explanation.one_more {
            let row = |task| {
                let own = instance.hosts().chain([like]);
                own.map(|host| instance.time(task, host)).collect()
            };
            let ready = instance.hosts().map(|host| instance.ready(host)).chain([Ticks(0)]);
            let larger = Instance::new(InstanceParts {
                etc: instance.tasks().map(row).collect(),
                ready: ready.collect(),
                ..InstanceParts::default()
            });
            let best = optimum(&larger.expect("valid"));
            assert!(bound <= best, "seed {seed}, one more like {like:?}: {bound} > {best}");
            tight += usize::from(bound == best);
        }
    }
    assert!(tight > 300, "only {tight} tight");
}

#[test]
fn stopping_at_once_leaves_a_valid_bound() {
    for seed in 0..200 {
        let instance = random_instance(seed);
        let stopped = lower_bound(&instance, &Stop::after(0));
        assert!(stopped.value() >= longest_task(&instance).value());
        assert!(stopped.value() <= lower_bound(&instance, &Stop::never()).value());
    }
}

#[test]
fn hand_computed_cases() {
    // Two equal tasks, one host twice as fast. Split freely, both end at 8/3, rounded up to 3. But
    // neither fits host b by 3 (4 > 3), so both go to a: 4.
    let equal = Instance::from_rows([[2, 4]; 2]).expect("valid");
    assert_eq!(longest_task(&equal).value(), Ticks(2));
    assert_eq!(average_load(&equal, &Stop::never()).value(), Ticks(2));
    assert_eq!(lower_bound(&equal, &Stop::never()).value(), Ticks(4));

    let ready: Instance = r#"{"etc": [[1, null]], "ready": [0, 9]}"#.parse().expect("valid");
    let bound = lower_bound(&ready, &Stop::never());
    assert_eq!(bound.value(), Ticks(9));
    assert_eq!(bound.reason(), Some(&Reason::Ready { k: Ticks(8), host: 1 }));
}

#[test]
fn nonsense_weights_refute_nothing() {
    let instance = Instance::from_rows([[5, 5]; 4]).expect("valid");
    let refuted = |weights: Vec<u64>, k| refutes(&instance, &Reason::Weights { k, weights }, k);
    assert!(refuted(vec![1, 1], Ticks(9)));
    assert!(!refuted(vec![1, 1], Ticks(10)));
    assert!(!refuted(vec![1], Ticks(9)));
    assert!(!refuted(vec![1, 0], Ticks(9)));
    assert!(!refuted(vec![0, 0], Ticks(9)));
    assert!(refuted(vec![u64::MAX, u64::MAX], Ticks(9)));
    assert!(!refuted(vec![u64::MAX, u64::MAX], Ticks(10)));
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn the_linear_bound_reaches_the_published_one() {
    let best = braun::published("best_known");
    for ((name, published), (_, best)) in
        braun::published("lower_bound_recomputed").into_iter().zip(best)
    {
        let bound = lower_bound(&braun::instance(&name), &Stop::never()).value();
        // Published with three decimals, so it may be off by half a thousandth.
        assert!(bound + Ticks(500) >= published, "{name}");
        assert!(bound <= best, "{name}");
    }
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn weights_of_the_bound_give_good_mappings() {
    for (name, _) in braun::published("lower_bound_recomputed") {
        let instance = braun::instance(&name);
        let bound = lower_bound(&instance, &Stop::never());
        let Some(Reason::Weights { weights, .. }) = bound.reason() else {
            panic!("{name}: the linear bound is best here")
        };
        let mapping = map_by_weights(&instance, weights, &Stop::never());
        let gap = mapping.makespan().as_f64() / bound.value().as_f64() - 1.0;
        assert!(gap < 0.014, "{name}: {gap}");
    }
}

/// The linear relaxation solved as one program with all pairs.
fn relaxation_solved_whole(instance: &Instance) -> f64 {
    let unit = 1e3;
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let weights: Vec<_> = instance
        .hosts()
        .map(|h| problem.add_var(instance.ready(h).as_f64() / unit, (0.0, 1.0)))
        .collect();
    for task in instance.tasks() {
        let price = problem.add_var(1.0, (0.0, f64::INFINITY));
        for (host, time) in instance.times(task) {
            let row = [(price, 1.0), (weights[host.index()], -time.as_f64() / unit)];
            problem.add_constraint(row, ComparisonOp::Le, 0.0);
        }
    }
    let sum: Vec<_> = weights.iter().map(|&w| (w, 1.0)).collect();
    problem.add_constraint(&sum, ComparisonOp::Eq, 1.0);
    let outcome = problem.solve().expect("solvable");
    outcome.solution().expect("no limit").objective() * unit
}

#[test]
fn never_weaker_than_the_relaxation_solved_whole() {
    for seed in 0..60 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (n, m) = (rng.random_range(1..=60), rng.random_range(1..=12));
        let forbidden = [0.0, 0.5, 0.9][rng.random_range(0..3)];
        let latest = [0, 1000, 10_000][rng.random_range(0..3)];
        let instance = tiny::drawn(&mut rng, (n, m), (1000, latest), forbidden);
        let whole = relaxation_solved_whole(&instance);
        let bound = lower_bound(&instance, &Stop::never());
        let missing = whole - bound.value().as_f64();
        assert!(missing < 1e-6 * whole, "seed {seed}: {missing} below {whole}");
    }
}

#[test]
fn extreme_spreads_do_not_upset_the_search_for_weights() {
    for seed in 0..300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (n, m) = (rng.random_range(1..=40), rng.random_range(1..=12));
        let bits = rng.random_range(1..=56);
        let mut any_size = || {
            let size: u64 = 1 << rng.random_range(0..=bits);
            Ticks(rng.random_range(0..=size))
        };
        let mut row = || -> Vec<Option<Ticks>> { (0..m).map(|_| Some(any_size())).collect() };
        let etc = (0..n).map(|_| row()).collect();
        let ready = (0..m).map(|_| any_size()).collect();
        let parts = InstanceParts { etc, ready, ..InstanceParts::default() };
        let instance = Instance::new(parts).expect("valid");
        let bound = lower_bound(&instance, &Stop::never());
        check_reason(&instance, &bound, &mut rng);
        for simple in [longest_task(&instance), average_load(&instance, &Stop::never())] {
            assert!(bound.value() >= simple.value(), "seed {seed}");
        }
        let upper = MinMin.map(&instance).makespan();
        assert!(bound.value() <= upper, "seed {seed}");
    }
}
