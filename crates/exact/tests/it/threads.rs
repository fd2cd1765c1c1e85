//! Proofs shared out among threads: the same answers as brute force and as one thread, accepted
//! certificates, and true bounds after an interruption.

use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread;

use gridsat_check::verify::{FileVerdict, verify_certificate, verify_file};
use gridsat_exact::bounds::{Ascent, linear};
use gridsat_exact::cases::{Progress, Tree};
use gridsat_exact::reason::Reason;
use gridsat_exact::solve::{Solution, Solver};
use gridsat_exact::strategy::Event;
use gridsat_heuristics::generate::{EtcClass, EtcSpec, generate};
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::certificate::{Document, Node, Step};
use gridsat_model::{Instance, InstanceParts, Stop, Ticks};
use gridsat_test_support::tiny;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Instances whose proofs need some cases even with the best prices, and the largest k without a
/// mapping.
fn with_cases() -> Vec<(Instance, Ticks)> {
    let made = |(tasks, hosts, seed, k)| {
        let spec = EtcSpec::plain(EtcClass::JobCorrelated, tasks, hosts, seed);
        (generate(&spec).expect("valid"), Ticks(k))
    };
    let all = [(50, 10, 3, 273), (50, 10, 4, 248), (50, 10, 7, 256), (50, 10, 9, 255)];
    all.into_iter().chain([(70, 14, 7, 259), (80, 16, 11, 240)]).map(made).collect()
}

/// The one of them whose proof needs most cases.
fn with_many_cases() -> (Instance, Ticks) {
    with_cases().pop().expect("not empty")
}

/// A tree without a solver, so that its proof is complete.
fn tree<'a>(instance: &'a Instance, k: Ticks, stop: &Stop) -> Tree<'a> {
    let weights = linear(instance, &Stop::never()).weights;
    Tree::new(instance, k, Ascent::new(instance, &weights, k + Ticks(1)), stop)
}

/// Lets the threads visit cases in turns of one until one of them has a mapping or the proof, or
/// the stop is due. Returns what they got.
fn share(tree: &Tree, threads: usize, stop: &Stop) -> Vec<Progress> {
    let ends = Mutex::new(Vec::new());
    let is_over = || stop.is_due() || !ends.lock().expect("no panic").is_empty();
    let work = |number| {
        while !is_over() {
            match tree.run(number, 1) {
                Progress::Open => {}
                Progress::Taken => thread::yield_now(),
                end => ends.lock().expect("no panic").push(end),
            }
        }
    };
    thread::scope(|scope| {
        (0..threads).for_each(|number| drop(scope.spawn(move || work(number))));
    });
    ends.into_inner().expect("no panic")
}

/// The nodes of a proof that does not need a solver.
fn nodes(reason: Reason) -> Vec<Node> {
    let Reason::Tree { nodes, .. } = reason else { unreachable!("asked for a tree") };
    let complete = |node: Node<_>| node.try_map(Err).expect("no solver was given");
    nodes.into_iter().map(complete).collect()
}

fn assert_accepted(instance: &Instance, k: Ticks, nodes: Vec<Node>) {
    let step = Step::Tree { k, nodes };
    let mapping = OnLine::Mct.map(instance);
    let document = Document::new(instance, &mapping, k + Ticks(1), vec![step]);
    let open = |_: &str| Err::<Box<dyn Read>, _>(io::Error::other("no proofs here"));
    let verdict = verify_certificate(instance, &document, &open);
    assert_eq!(verdict.expect("true").lower_bound(), k + Ticks(1));
}

#[test]
fn a_shared_tree_agrees_with_brute_force() {
    let mut refuted = 0;
    for seed in 0..120 {
        let instance = tiny::instance(seed);
        let optimum = tiny::optimum(&instance);
        for k in (optimum.0.saturating_sub(2)..=optimum.0 + 1).map(Ticks) {
            let tree = tree(&instance, k, &Stop::never());
            for end in share(&tree, 3, &Stop::never()) {
                match end {
                    Progress::Found(mapping) => {
                        assert!(mapping.makespan() <= k && k >= optimum);
                    }
                    Progress::Refuted(reason) => {
                        assert!(k < optimum, "{k} {instance:?}");
                        assert_accepted(&instance, k, nodes(reason));
                        refuted += 1;
                    }
                    Progress::Open | Progress::Taken => unreachable!("not an end"),
                }
            }
        }
    }
    assert!(refuted > 100, "too easy: {refuted}");
}

/// Every case is in the proof once, whichever thread visited it.
#[test]
fn the_proof_of_a_shared_tree_is_accepted() {
    let mut visited = 0;
    for (instance, k) in with_cases() {
        let tree = tree(&instance, k, &Stop::never());
        let mut ends = share(&tree, 3, &Stop::never());
        let Some(Progress::Refuted(reason)) = ends.pop() else { panic!("{k}: {ends:?}") };
        assert!(ends.is_empty(), "{k}: {ends:?}");
        visited += tree.visited();
        assert_accepted(&instance, k, nodes(reason));
    }
    assert!(visited > 30, "nothing to share: {visited} cases");
}

#[test]
fn a_shared_tree_finds_the_mapping() {
    for (instance, k) in with_cases().into_iter().take(4) {
        let tree = tree(&instance, k + Ticks(1), &Stop::never());
        let ends = share(&tree, 3, &Stop::never());
        assert!(!ends.is_empty(), "{k}");
        for end in ends {
            assert!(matches!(end, Progress::Found(mapping) if mapping.makespan() <= k + Ticks(1)));
        }
    }
}

#[test]
fn the_proof_of_one_thread_is_always_the_same() {
    let (instance, k) = with_many_cases();
    let proof = |turn: usize| {
        let tree = tree(&instance, k, &Stop::never());
        loop {
            if let Progress::Refuted(reason) = tree.run(0, turn) {
                return reason;
            }
        }
    };
    assert_eq!(proof(1), proof(7));
}

#[test]
fn an_abandoned_tree_ends_undecided() {
    let (instance, k) = with_many_cases();
    let stop = Stop::never();
    let tree = tree(&instance, k, &stop);
    assert!(matches!(tree.run(0, 2), Progress::Open));
    tree.abandon();
    assert!(matches!(tree.run(0, 1000), Progress::Open));
    assert!(!stop.is_due(), "only the tree was abandoned");
}

fn solve(instance: &Instance, threads: usize) -> Solution {
    Solver::new().threads(threads).solve(instance).expect("solvable")
}

fn assert_verified(instance: &Instance, solution: &Solution) {
    let folder = tempfile::tempdir().expect("a writable temporary directory");
    let path = folder.path().join("solution.json");
    solution.certificate().save(&path).expect("writable");
    let verdict = verify_file(instance, &path).expect("accepted");
    assert!(matches!(verdict, FileVerdict::Certificate(verdict) if verdict.is_optimal()));
}

#[test]
fn threads_find_the_same_optimum() {
    for seed in 0..60 {
        let instance = tiny::instance(seed);
        let solution = solve(&instance, 3);
        assert_eq!(solution.mapping().makespan(), tiny::optimum(&instance), "{seed}");
        assert_verified(&instance, &solution);
    }
    for (instance, k) in with_cases() {
        let solution = solve(&instance, 2);
        assert_eq!(solution.mapping().makespan(), k + Ticks(1));
        assert_verified(&instance, &solution);
    }
}

/// The bounds are true wherever the search is interrupted, and certified.
#[test]
fn an_interruption_leaves_true_bounds() {
    let (instance, k) = with_many_cases();
    let optimum = k + Ticks(1);
    let mut open = 0;
    for checks in [1, 30, 300, 1000, 3000] {
        let mut solver = Solver::new().threads(2).stop(Stop::after(checks));
        let solution = solver.solve(&instance).expect("a mapping");
        let accepted = solution.certificate().accepted();
        assert!(accepted.lower_bound() <= optimum, "{checks}");
        assert!(optimum <= accepted.makespan(), "{checks}");
        open += usize::from(!solution.is_optimal());
    }
    assert!(open > 0, "never interrupted");
}

#[test]
fn a_panic_of_the_caller_does_not_hang() {
    let (instance, k) = with_many_cases();
    let watch = |event: &Event| {
        if let Event::Bound { value, .. } = event {
            assert!(*value <= k, "as intended");
        }
    };
    let solve = || Solver::new().threads(2).watch(watch).solve(&instance).is_ok();
    assert!(catch_unwind(AssertUnwindSafe(solve)).is_err());
}

/// Three tasks a host, whose packing needs several turns: bounds of one and of three threads hold
/// for each other.
#[test]
fn equal_hosts_are_packed_by_all_threads() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for number in 0..2 {
        let times = (0..60).map(|_| vec![Some(Ticks(rng.random_range(1000..20_000)))]).collect();
        let parts = InstanceParts { etc: times, ..InstanceParts::default() };
        let instance = Instance::with_equal_hosts(parts, 20).expect("valid");
        let bounds = |threads| {
            let mut solver = Solver::new().threads(threads).stop(Stop::after(4_000));
            let solution = solver.solve(&instance).expect("a mapping");
            let accepted = solution.certificate().accepted();
            (accepted.lower_bound(), accepted.makespan())
        };
        let (one, three) = (bounds(1), bounds(3));
        assert!(one.0 <= three.1 && three.0 <= one.1, "{number}: {one:?} {three:?}");
        assert_eq!(one, bounds(1), "{number}");
    }
}
