//! Brute force against every method: `heuristic ≥ optimum ≥ bound`, the search finds the
//! optimum, and each formula is satisfiable at the optimum and unsatisfiable one tick below.
//!
//! Instances come from numbered seeds; a failure prints the seed of `tiny::instance(seed)`.

use std::io;

use gridsat_check::formula::Encoding;
use gridsat_check::verify::{FileVerdict, verify_certificate, verify_file};
use gridsat_encodings::{AtMostOne, LoadEncoding};
use gridsat_exact::bounds;
use gridsat_exact::sat::Answer;
use gridsat_exact::solve::{Solution, Solver};
use gridsat_exact::strategy::{
    self, EncodingChoice, Extract, Found, Options, Order, Origin, Strategy,
};
use gridsat_heuristics::{Heuristics, improve};
use gridsat_model::Stop;
use gridsat_model::certificate::{Document, Step};
use gridsat_model::{Instance, Ticks};
use gridsat_test_support::tiny::{self, Kind};

use crate::search::{decide, encodings, options};

/// Number of instances for the two main strategies.
const MANY: u64 = 10_000;

fn found(instance: &Instance, options: &Options) -> Found {
    strategy::run(instance, options, &Stop::never(), &mut |_| {}).expect("nothing to fail at")
}

fn solved(instance: &Instance, options: Options) -> Solution {
    Solver::with(options).solve(instance).expect("nothing to fail at")
}

/// This many seeds, each with a strategy. The formula of the thesis grows with the times
/// themselves, so that strategy gets no huge times.
fn strategies_in_turn(count: u64) -> impl Iterator<Item = (u64, Strategy)> {
    let strategies = [Strategy::Auto, Strategy::Sat, Strategy::Thesis];
    let all = (0..count).map(move |seed| (seed, strategies[seed as usize % 3]));
    all.filter(|&(seed, strategy)| strategy != Strategy::Thesis || Kind::of(seed) != Kind::Huge)
}

/// Every encoding with this many seeds; the thesis encoding again without huge times.
fn encodings_and_seeds(count: u64) -> impl Iterator<Item = (Encoding, u64)> {
    let seeds = move |(encoding, number): (Encoding, u64)| {
        (0..count).map(move |seed| (encoding.clone(), 1000 * number + seed))
    };
    let all = encodings().into_iter().zip(0..).flat_map(seeds);
    all.filter(|(encoding, seed)| *encoding != Encoding::THESIS || Kind::of(*seed) != Kind::Huge)
}

/// Whether the certificate can be checked without a proof file.
fn stands_alone(certificate: &Document) -> bool {
    !certificate.steps.iter().any(|step| matches!(step, Step::Unsat(_)))
}

fn check_solved(seed: u64, strategy: Strategy) {
    let instance = tiny::instance(seed);
    let optimum = tiny::optimum(&instance);
    let solution = solved(&instance, options(strategy));
    assert!(solution.failure.is_none(), "seed {seed}: {:?}", solution.failure);
    assert_eq!(solution.mapping().makespan(), optimum, "seed {seed}");
    assert!(solution.is_optimal(), "seed {seed}");
    let certificate = solution.certificate().document();
    assert_eq!((certificate.makespan, certificate.lower_bound), (optimum, optimum), "seed {seed}");
    if stands_alone(certificate) {
        let no_proof = |_: &str| Err(io::Error::other("needs no proof"));
        let verdict = verify_certificate(&instance, certificate, &no_proof);
        assert!(verdict.is_ok_and(|verdict| verdict.is_optimal()), "seed {seed}");
    }
}

#[test]
fn auto_finds_the_optimum() {
    (0..MANY).for_each(|seed| check_solved(seed, Strategy::Auto));
}

#[test]
fn sat_finds_the_optimum() {
    (0..MANY).for_each(|seed| check_solved(seed, Strategy::Sat));
}

#[test]
fn heuristics_are_above_and_bounds_below_the_optimum() {
    for seed in 0..MANY {
        let instance = tiny::instance(seed);
        let optimum = tiny::optimum(&instance);
        for heuristic in Heuristics::built_in().iter() {
            let mapping = heuristic.map(&instance);
            assert!(mapping.makespan() >= optimum, "seed {seed}: {}", heuristic.name());
            let improved = improve(&instance, mapping, &Stop::never());
            assert!(improved.makespan() >= optimum, "seed {seed}: {} improved", heuristic.name());
        }
        let counting = bounds::counting(&instance, &Stop::never()).value();
        let linear = bounds::linear(&instance, &Stop::never()).bound.value();
        assert!(counting <= optimum && linear <= optimum, "seed {seed}: {counting}, {linear}");
    }
}

#[test]
fn certificates_in_files_are_accepted() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let path = folder.path().join("certificate.json");
    let mut with_proof = 0;
    for (seed, strategy) in strategies_in_turn(400) {
        let instance = tiny::instance(seed);
        let solution = solved(&instance, options(strategy));
        solution.certificate().save(&path).expect("writable");
        with_proof += u32::from(!stands_alone(solution.certificate().document()));
        let verdict = verify_file(&instance, &path).expect("accepted");
        let FileVerdict::Certificate(verdict) = verdict else { panic!("seed {seed}") };
        assert_eq!(verdict.makespan(), tiny::optimum(&instance), "seed {seed}");
        assert!(verdict.is_optimal(), "seed {seed}");
    }
    assert!(with_proof > 100, "only {with_proof} certificates had a proof");
}

/// However early a search ends, the optimum is between its bounds and the checker agrees.
#[test]
fn unfinished_searches_keep_their_word() {
    let mut unfinished = 0;
    for seed in 0..1500 {
        let instance = tiny::instance(seed);
        let optimum = tiny::optimum(&instance);
        let strategy = [Strategy::Auto, Strategy::Sat][seed as usize % 2];
        let gap = [0.0, 0.01, 0.1, 0.3, 1.0][seed as usize % 5];
        let options = Options { gap, ..options(strategy) };
        let stop = Stop::never();
        if seed % 3 == 0 {
            stop.request();
        }
        let solution =
            Solver::with(options).stop(stop.clone()).solve(&instance).expect("a mapping");
        let (lower, upper) = (solution.lower_bound().ticks(), solution.makespan().ticks());
        assert!(lower <= optimum && optimum <= upper, "seed {seed}: {lower}, {upper}");
        assert_eq!(solution.certificate().document().lower_bound, lower, "seed {seed}");
        assert!(stop.is_due() || (upper - lower).as_f64() <= gap * upper.as_f64(), "seed {seed}");
        unfinished += u32::from(lower < upper);
    }
    assert!(unfinished > 100, "only {unfinished} ended early");
}

/// Satisfiable at the optimum with a mapping of that makespan, unsatisfiable one tick below.
fn check_decisions(seed: u64, instance: &Instance, encoding: &Encoding) {
    let optimum = tiny::optimum(instance);
    let (answer, mapping) = decide(instance, optimum, encoding);
    assert_eq!(answer, Answer::Sat, "seed {seed}, {encoding}, k = {optimum}");
    let makespan = mapping.expect("a yes has a mapping").makespan();
    assert_eq!(makespan, optimum, "seed {seed}, {encoding}");
    let Some(below) = optimum.checked_sub(Ticks(1)) else { return };
    let (answer, mapping) = decide(instance, below, encoding);
    assert_eq!(answer, Answer::Unsat, "seed {seed}, {encoding}, k = {below}");
    assert!(mapping.is_none());
}

/// More than 3,300 instances; every encoding gets every kind.
#[test]
fn every_encoding_decides_both_ways() {
    for (encoding, seed) in encodings_and_seeds(100) {
        check_decisions(seed, &tiny::instance(seed), &encoding);
    }
}

/// For few literals all at-most-one encodings are pairwise, so this needs more hosts than above.
#[test]
fn every_encoding_decides_both_ways_with_many_hosts() {
    for (encoding, seed) in encodings_and_seeds(20) {
        check_decisions(seed, &tiny::sized(seed, 5, 9), &encoding);
    }
}

/// The incremental formula, which only the search uses, in every encoding and both orders.
#[test]
fn both_orders_find_the_optimum_in_every_encoding() {
    for (encoding, seed) in encodings_and_seeds(20) {
        let instance = tiny::instance(seed);
        let encoding = EncodingChoice {
            load: Some(encoding.load),
            at_most_one: encoding.at_most_one,
            symmetry: encoding.symmetry,
            surrogate: seed / 1000 % 2 == 0,
        };
        let makespan = |order| {
            let encoding = encoding.clone();
            let options = Options { order, encoding, ..options(Strategy::Sat) };
            let found = found(&instance, &options);
            assert!(found.is_closed(), "seed {seed}");
            found.mapping.makespan()
        };
        // Descending tick by tick from a mapping of huge times would take too long.
        let descended = (Kind::of(seed) != Kind::Huge).then(|| makespan(Order::Descend));
        let bisected = makespan(Order::Bisect);
        assert_eq!(bisected, tiny::optimum(&instance), "seed {seed}");
        assert_eq!(descended.unwrap_or(bisected), bisected, "seed {seed}");
    }
}

#[test]
fn oracle_extraction_gives_an_optimal_mapping() {
    for (seed, strategy) in strategies_in_turn(600) {
        let instance = tiny::instance(seed);
        let options = Options { extract: Extract::Oracle, ..options(strategy) };
        let found = found(&instance, &options);
        assert_eq!(found.mapping.makespan(), tiny::optimum(&instance), "seed {seed}");
        assert_eq!(found.mapping_by, Origin::Oracle, "seed {seed}");
        let pairs = instance.task_count() * instance.host_count();
        assert!((instance.task_count()..=pairs).contains(&found.oracle_calls), "seed {seed}");
    }
}

/// ⌈log₂ x⌉ for x ≥ 1.
fn ceil_log2(x: Ticks) -> usize {
    x.0.next_power_of_two().trailing_zeros() as usize
}

/// An upper bound on the length of any schedule: n·E_max.
fn longest(instance: &Instance) -> Ticks {
    let times = instance.tasks().flat_map(|t| instance.times(t).map(|(_, time)| time));
    Ticks(instance.task_count() as u64) * times.max().expect("a pair").0
}

/// The published number of decisions, ⌈log₂(n·E_max)⌉, does not count 0, which is a makespan
/// too when times may be 0: n·E_max + 1 values need ⌈log₂(n·E_max + 1)⌉ decisions. The two
/// differ only where n·E_max is a power of two, and it matters only where it is 1.
#[test]
fn the_thesis_search_asks_no_more_than_published() {
    let mut most_used = 0.0_f64;
    for seed in 0..3000 {
        let instance = tiny::instance(seed);
        if Kind::of(seed) == Kind::Huge || instance.latest_ready() > Ticks(0) {
            continue;
        }
        let found = found(&instance, &options(Strategy::Thesis));
        assert_eq!(found.mapping.makespan(), tiny::optimum(&instance), "seed {seed}");
        assert!(found.is_closed(), "seed {seed}");
        let (asked, longest) = (found.decisions.len(), longest(&instance));
        let published = ceil_log2(longest.max(Ticks(1)));
        let allowed = if longest == Ticks(1) { 1 } else { published };
        assert!(asked <= allowed, "seed {seed}: {asked} decisions, published {published}");
        most_used = most_used.max(asked as f64 / allowed.max(1) as f64);
    }
    assert_eq!(most_used, 1.0, "the published number is attained");
}

#[test]
fn the_thesis_search_refuses_huge_times_with_a_note() {
    let seed = Kind::ALL.iter().position(|&kind| kind == Kind::Huge).expect("listed") as u64;
    let found = found(&tiny::instance(seed), &options(Strategy::Thesis));
    let note = found.note.as_deref().expect("a note");
    assert!(note.contains("more than the limit of 2000000"), "{note}");
    assert!(!found.is_closed());
}

/// Equal tasks on equal hosts: breaking symmetries must not change the answers.
#[test]
fn breaking_symmetry_loses_no_optimum() {
    for (n, m) in [(1, 4), (4, 1), (5, 3), (6, 4), (7, 3)] {
        for time in [0, 1, 3] {
            let parts = gridsat_model::InstanceParts {
                etc: vec![vec![Some(Ticks(time)); m]; n],
                ..Default::default()
            };
            let instance = Instance::new(parts).expect("valid");
            for load in LoadEncoding::ALL {
                let encoding = Encoding::engineered(load, AtMostOne::Pairwise);
                check_decisions(0, &instance, &encoding);
                let optimum = time * Ticks(n.div_ceil(m) as u64);
                assert_eq!(tiny::optimum(&instance), optimum);
            }
        }
    }
}
