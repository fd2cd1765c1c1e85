//! Price bounds and the rule `prices` against brute force on tiny instances of all kinds.

use gridsat_check::verify::verify_certificate;
use gridsat_exact::bounds::{self, Ascent, Domain, refutes};
use gridsat_exact::reason::{LowerBound, Reason};
use gridsat_heuristics::generate::{EtcClass, EtcSpec, generate};
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::certificate::{Document, Step};
use gridsat_model::{Instance, Mapping, Stop, Ticks};
use gridsat_test_support::tiny;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn price_bound(instance: &Instance, mapping: &Mapping) -> Option<LowerBound> {
    let linear = bounds::linear(instance, &Stop::never());
    let (mut low, mut high) = (linear.bound.value(), mapping.makespan());
    let mut ascent = Ascent::new(instance, &linear.weights, high);
    let mut best = None;
    while low < high {
        let k = low + (high - low) / 2;
        match bounds::refute_by_prices(instance, &mut ascent, k..high, 400, &Stop::never()) {
            Some(bound) => {
                low = bound.value();
                best = Some(bound);
            }
            None => high = k,
        }
    }
    best
}

fn certificate(instance: &Instance, mapping: &Mapping, k: Ticks, prices: Vec<u64>) -> Document {
    Document::new(instance, mapping, k + Ticks(1), vec![Step::Prices { k, prices }])
}

fn verify(instance: &Instance, certificate: &Document) -> Result<Ticks, String> {
    let open = |_: &str| Err(std::io::Error::other("no proofs here"));
    let verdict = verify_certificate(instance, certificate, &open);
    verdict.map(|verdict| verdict.lower_bound()).map_err(|reason| reason.to_string())
}

#[test]
fn price_bounds_hold_and_are_accepted() {
    let mut raised = 0;
    for seed in 0..3000 {
        let instance = tiny::instance(seed);
        let mapping = OnLine::Met.map(&instance);
        let Some(bound) = price_bound(&instance, &mapping) else { continue };
        raised += 1;
        assert!(bound.value() <= tiny::optimum(&instance), "seed {seed}: {bound:?}");
        let k = bound.value() - Ticks(1);
        let reason = bound.reason().expect("above 0");
        assert!(refutes(&instance, reason, k), "seed {seed}");
        let Reason::Prices { prices, .. } = reason else { unreachable!("asked for prices") };
        let accepted = verify(&instance, &certificate(&instance, &mapping, k, prices.clone()));
        assert_eq!(accepted, Ok(bound.value()), "seed {seed}");
    }
    assert!(raised > 300, "prices were better than the linear bound only {raised} times");
}

/// Whatever the prices, neither the search's own check nor the checker refutes a makespan that some
/// mapping reaches.
#[test]
fn no_prices_refute_a_possible_makespan() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut refuted = 0;
    for seed in 0..3000 {
        let instance = tiny::instance(seed);
        let optimum = tiny::optimum(&instance);
        let mapping = OnLine::Met.map(&instance);
        let prices: Vec<u64> = instance.tasks().map(|_| random.random_range(0..40)).collect();
        for k in [optimum, optimum + Ticks(1), optimum / 2]
            .into_iter()
            .filter(|&k| k < mapping.makespan())
        {
            let reason = Reason::Prices { k, prices: prices.clone() };
            let by_search = refutes(&instance, &reason, k);
            let by_verify = verify(&instance, &certificate(&instance, &mapping, k, prices.clone()));
            assert!(k < optimum || (!by_search && by_verify.is_err()), "seed {seed}, k {k}");
            if k >= instance.latest_ready() {
                assert_eq!(by_search, by_verify.is_ok(), "seed {seed}, k {k}: {by_verify:?}");
                refuted += usize::from(by_search);
            }
        }
    }
    assert!(refuted > 100, "random prices refuted only {refuted} times");
}

#[test]
fn tampering_is_rejected_with_its_reason() {
    let instance = tiny::instance(1);
    let worst = OnLine::Met.map(&instance);
    let reason = |k: Ticks, prices: Vec<u64>| {
        let claim = certificate(&instance, &worst, k, prices);
        verify(&instance, &claim).expect_err("false")
    };
    let k = worst.makespan() - Ticks(1);
    let tasks = instance.task_count();
    assert!(
        reason(k, vec![1; tasks + 1]).contains(&format!("{} prices for {tasks} tasks", tasks + 1))
    );
    assert!(reason(k, vec![0; tasks]).contains("the prices add up to 0, but the hosts can hold 0"));
    assert!(reason(k, vec![u64::MAX; tasks]).contains("bits"));
}

/// Where k leaves exactly as many places as tasks, equal prices have the gap 0 and nothing nearby
/// is better. They say nothing about which tasks go where, so the ascent must not end there.
#[test]
fn prices_stay_apart_where_places_are_fixed() {
    let class: EtcClass = "U100-200".parse().expect("a class");
    let instance = generate(&EtcSpec::plain(class, 100, 10, 3)).expect("an instance");
    let stop = Stop::never();
    let weights = bounds::linear(&instance, &stop).weights;
    let fixes = |k: &u64| Domain::new(&instance, Ticks(*k)).is_ok_and(|d| d.fixes_counts());
    let k = Ticks((1000..1200).filter(fixes).max().expect("places for exactly 100 tasks"));
    let domain = Domain::new(&instance, k).expect("room for all");
    let mut ascent = Ascent::new(&instance, &weights, k);
    ascent.climb(&domain, 200, &stop);
    let mut prices = ascent.prices();
    prices.sort_unstable();
    prices.dedup();
    assert!(prices.len() > 10, "{} different prices of 100", prices.len());
}
