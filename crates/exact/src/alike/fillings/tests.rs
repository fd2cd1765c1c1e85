//! Decisions by fillings beside brute force and the checker.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::tests::{equal_hosts, optimum, optimum_at, random_speeds, with_speeds};
use super::*;
use gridsat_check::verify;
use gridsat_model::certificate::{Document, Step};

const EFFORT: Effort = Effort { work: 1_000_000_000, may_branch: true };

const ONLY_FORCED: Effort = Effort { work: 1_000_000_000, may_branch: false };

/// The certificate of a bound by these nodes is accepted.
fn is_accepted(instance: &Instance, mapping: &Mapping, k: Ticks, nodes: Vec<FillingNode>) -> bool {
    let steps = vec![Step::Fillings { k, nodes }];
    let document = Document::new(instance, mapping, k + Ticks(1), steps);
    let open: verify::OpenProof = &|_| Ok(Box::new(std::io::empty()));
    verify::verify_certificate(instance, &document, open).is_ok()
}

#[test]
fn every_makespan_is_decided_as_by_brute_force_and_proven() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut kinds = [0; 5];
    let mut open = Vec::new();
    for _ in 0..400 {
        let (n, m) = (rng.random_range(2..10), rng.random_range(2..5));
        let times: Vec<u64> = (0..n).map(|_| rng.random_range(5..30)).collect();
        let instance = equal_hosts(&times, m);
        let alike = Alike::of(&instance).expect("equal hosts");
        let best = optimum(&times, m);
        let start = alike.start(&instance);
        let fillings = Fillings::new(&alike);
        for k in best.saturating_sub(6)..best + 2 {
            match fillings.decide(&instance, Ticks(k), EFFORT, &Stop::never()) {
                Answer::Mapping(mapping) => {
                    assert!(mapping.makespan().0 <= k && best <= k, "{times:?} on {m}");
                }
                Answer::Refuted(nodes) => {
                    assert!(k < best, "{times:?} on {m}: {k} is refuted, but {best} is possible");
                    nodes.iter().for_each(|node| kinds[kind(node)] += 1);
                    assert!(is_accepted(&instance, &start, Ticks(k), nodes), "{times:?} on {m}");
                }
                Answer::Open => open.push((times.clone(), m, k)),
            }
        }
    }
    assert!(open.is_empty(), "open: {open:?}");
    let [forced, _, prices, work, _] = kinds;
    assert!(forced > 50 && prices > 50 && work > 50, "{kinds:?}");
}

#[test]
fn every_makespan_of_hosts_with_speeds_is_decided_and_proven() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut kinds = [0; 5];
    let mut open = Vec::new();
    for _ in 0..400 {
        let (works, slowness, ready) = random_speeds(&mut rng);
        let instance = with_speeds(&works, &slowness, &ready);
        let alike = Alike::of(&instance).expect("alike");
        let best = optimum_at(&works, &slowness, &ready);
        let (start, fillings) = (alike.start(&instance), Fillings::new(&alike));
        let latest = instance.latest_ready().0;
        for k in latest.max(best.saturating_sub(8))..best + 2 {
            match fillings.decide(&instance, Ticks(k), EFFORT, &Stop::never()) {
                Answer::Mapping(mapping) => assert!(mapping.makespan().0 <= k && best <= k),
                Answer::Refuted(nodes) => {
                    assert!(k < best, "{works:?} on {slowness:?} {ready:?}: {k}, not {best}");
                    nodes.iter().for_each(|node| kinds[kind(node)] += 1);
                    assert!(is_accepted(&instance, &start, Ticks(k), nodes), "{works:?}");
                }
                Answer::Open => open.push((works.clone(), slowness.clone(), ready.clone(), k)),
            }
        }
    }
    assert!(open.is_empty(), "open: {open:?}");
    let [forced, branch, prices, work, _] = kinds;
    assert!(forced > 50 && branch > 5 && prices > 50 && work > 50, "{kinds:?}");
}

/// Bin packings that need more hosts than the linear program says, rounded up, are rare: three
/// among three million random ones.
#[test]
fn cases_that_prices_cannot_refute_are_divided() {
    let known: [(&[u64], u64); 3] = [
        (&[10, 12, 5, 7, 7, 5, 12, 7, 13, 12, 12, 5, 11, 11, 4], 27),
        (&[12, 23, 18, 25, 3, 4, 14, 18, 20, 22, 20, 20], 40),
        (&[20, 2, 20, 15, 2, 16, 18, 6, 6, 13, 7, 15, 7, 7, 16], 34),
    ];
    let scaled = known.iter().flat_map(|&(times, k)| (1..5).map(move |scale| (times, k, scale)));
    for (times, k, scale) in scaled {
        let times: Vec<u64> = times.iter().map(|time| time * scale).collect();
        let instance = equal_hosts(&times, 5);
        let alike = Alike::of(&instance).expect("equal hosts");
        let start = alike.start(&instance);
        let fillings = Fillings::new(&alike);
        let last = Ticks(k * scale + scale - 1);
        let answer = fillings.decide(&instance, last, EFFORT, &Stop::never());
        let nodes = if let Answer::Refuted(nodes) = answer { nodes } else { Vec::new() };
        assert!(nodes.iter().any(|node| matches!(node, FillingNode::Branch { .. })), "{nodes:?}");
        assert!(is_accepted(&instance, &start, last, nodes), "{times:?}");
        let none = fillings.decide(&instance, last, ONLY_FORCED, &Stop::never());
        assert!(matches!(none, Answer::Open), "{times:?}: refuted without cases");
    }
}

fn kind(node: &FillingNode) -> usize {
    match node {
        FillingNode::Forced { .. } => 0,
        FillingNode::Branch { .. } => 1,
        FillingNode::Prices { .. } => 2,
        FillingNode::Work {} => 3,
        FillingNode::Seen {} => 4,
    }
}

#[test]
fn planted_packings_are_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..5 {
        // Three tasks per host fill it exactly.
        let (hosts, room) = (12, 1000);
        let mut times = Vec::new();
        for _ in 0..hosts {
            let first = rng.random_range(250..500);
            let second = rng.random_range(200..room - first - 150);
            times.extend([first, second, room - first - second]);
        }
        let instance = equal_hosts(&times, hosts);
        let alike = Alike::of(&instance).expect("equal hosts");
        let answer = Fillings::new(&alike).decide(&instance, Ticks(room), EFFORT, &Stop::never());
        assert!(matches!(answer, Answer::Mapping(_)), "{times:?}");
    }
}
