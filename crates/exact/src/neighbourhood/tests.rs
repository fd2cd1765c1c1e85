use super::*;
use crate::bounds;
use crate::large;
use crate::solve::Solver;
use gridsat_heuristics::generate::{EtcClass, EtcSpec, generate};
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::{Mapping, Stop, Ticks};
use gridsat_test_support::tiny;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn drawn(class: &str, tasks: usize, hosts: usize) -> Instance {
    let class: EtcClass = class.parse().expect("a class");
    let (forbidden_percent, ready_max) = (10, 1000);
    let spec = EtcSpec {
        class,
        tasks,
        hosts,
        decimals: 0,
        forbidden_percent,
        ready_max,
        qos: None,
        seed: 1,
    };
    generate(&spec).expect("possible")
}

/// Host weights, the value of the linear bound, and a mapping to start from.
fn start(instance: &Instance) -> (Vec<u64>, Ticks, Mapping) {
    let mapping = OnLine::Mct.map(instance);
    let linear = large::weigh(instance, mapping.makespan(), &Stop::never());
    let level = large::level(instance, &linear.weights, &Stop::never());
    (linear.weights, linear.bound.value(), level)
}

#[test]
fn bounds_are_true_and_proven_on_tiny_instances() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for case in 0..200 {
        let size = (rng.random_range(1..=6), rng.random_range(1..=9));
        let instance = tiny::drawn(&mut rng, size, (50, 20), 0.2);
        let (weights, lower, mapping) = start(&instance);
        let upper = mapping.makespan();
        let mut bound = PriceBound::new(&instance, &weights, (lower, upper));
        while bound.is_open() {
            let Some(proven) = bound.turn(lower, upper, &Stop::never()) else { continue };
            assert!(proven.value() <= tiny::optimum(&instance), "case {case}: {proven:?}");
            let reason = proven.reason().into_iter();
            assert!(reason.clone().all(|r| bounds::refutes(&instance, r, r.k())), "case {case}");
        }
    }
}

#[test]
fn mappings_are_better_than_the_one_given_on_tiny_instances() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for case in 0..200 {
        let size = (rng.random_range(1..=6), rng.random_range(1..=9));
        let instance = tiny::drawn(&mut rng, size, (50, 20), 0.2);
        let (weights, lower, mapping) = start(&instance);
        let mut search = Search::new(&instance, &weights, (lower, mapping.makespan()), 1);
        if let Some(found) = search.run(lower, &mapping, 20_000, &Stop::never()) {
            assert!(found.makespan() < mapping.makespan(), "case {case}");
            assert!(found.makespan() >= tiny::optimum(&instance), "case {case}");
        }
    }
}

#[test]
fn prices_and_neighbourhoods_nearly_meet() {
    let few = ["u_i_hihi", "u_c_hihi", "u_s_lolo"].map(|class| (class, 300, 0.01));
    let many = ["u_i_hihi", "u_c_hihi"].map(|class| (class, 1300, 0.002));
    for (class, tasks, most) in few.into_iter().chain(many) {
        let instance = drawn(class, tasks, 20);
        assert_eq!(has_many_tasks(&instance), tasks > 1000);
        let (weights, mut lower, mapping) = start(&instance);
        let upper = mapping.makespan();
        let mut bound = PriceBound::new(&instance, &weights, (lower, upper));
        while bound.is_open() {
            let proven = bound.turn(lower, upper, &Stop::never());
            lower = proven.map_or(lower, |proven| proven.value());
        }
        let mut search = Search::new(&instance, &weights, (lower, upper), 1);
        let found = search.run(lower, &mapping, 5_000_000, &Stop::never()).unwrap_or(mapping);
        assert!(lower <= found.makespan(), "{class}");
        let gap = gridsat_model::gap(lower, found.makespan());
        assert!(gap <= most, "{class} {tasks}: {gap}");
    }
}

#[test]
fn the_same_seed_finds_the_same_mapping() {
    let instance = drawn("u_s_hihi", 200, 20);
    let (weights, lower, mapping) = start(&instance);
    let run = || {
        let mut search = Search::new(&instance, &weights, (lower, mapping.makespan()), 7);
        search.run(lower, &mapping, 10_000_000, &Stop::never())
    };
    let found = run();
    assert!(found.is_some());
    assert_eq!(found, run());
}

#[test]
fn a_stop_is_heard_at_every_question() {
    let instance = drawn("u_i_hihi", 200, 20);
    let (weights, lower, mapping) = start(&instance);
    for questions in [0, 1, 10, 100, 1000] {
        let stop = Stop::after(questions);
        let mut bound = PriceBound::new(&instance, &weights, (lower, mapping.makespan()));
        assert!(bound.turn(lower, mapping.makespan(), &Stop::after(questions.min(30))).is_none());
        let mut search = Search::new(&instance, &weights, (lower, mapping.makespan()), 1);
        search.run(lower, &mapping, u64::MAX / 2, &stop);
        assert!(stop.is_due());
    }
}

#[test]
fn certificates_by_these_bounds_are_accepted() {
    let instance = drawn("u_i_hihi", 400, 80);
    assert!(suits(&instance));
    // Long enough for the price bound, which takes its turns before large neighbourhoods.
    let solution = Solver::new().stop(Stop::after(3000)).solve(&instance).expect("a mapping");
    assert!(solution.failure.is_none(), "{:?}", solution.failure);
    let (_, linear, _) = start(&instance);
    assert!(solution.lower_bound().ticks() >= linear);
    assert!(solution.lower_bound().ticks() <= solution.mapping().makespan());
}
