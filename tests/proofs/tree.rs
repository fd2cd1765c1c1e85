//! Proofs by cases against brute force: the pairs that trees, domains and fixing remove are in no
//! mapping, and the checker accepts the proofs.

use gridsat_exact::bounds::{self, Ascent, Domain, Volume};
use gridsat_exact::cases::{Progress, dive, shrink};
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::certificate::Node;
use gridsat_model::{HostId, Instance, InstanceParts, Mapping, Stop, TaskId, Ticks};
use gridsat_test_support::tiny::{self, Kind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cases::{
    branching, certificate, hard, nodes, poorly_priced, priced, random_prices, tree, verify,
};

fn some_mapping(instance: &Instance) -> Mapping {
    OnLine::Mct.map(instance)
}

/// Checks that the checker accepts the proof.
#[track_caller]
fn accept(instance: &Instance, k: Ticks, nodes: Vec<Node>) {
    let claim = certificate(instance, &some_mapping(instance), k, nodes);
    let verdict = verify(instance, &claim);
    assert!(verdict.is_ok(), "{}, {k}: {verdict:?}\n{:?}", instance.name(), claim.steps);
}

/// Many seeds for kinds with small numbers, few for huge ones, which cost the checker large tables.
fn seeds(few: u64, many: u64) -> impl Iterator<Item = u64> {
    (0..many).filter(move |&seed| seed < few || Kind::of(seed) != Kind::Huge)
}

fn around(optimum: Ticks) -> impl Iterator<Item = Ticks> {
    let below = [optimum / 2, optimum.saturating_sub(Ticks(2)), optimum.saturating_sub(Ticks(1))];
    below.into_iter().filter(move |&k| k < optimum).chain([
        optimum,
        optimum + Ticks(1),
        2 * optimum,
    ])
}

#[test]
fn a_tree_finds_a_mapping_exactly_if_there_is_one() {
    for seed in seeds(60, 2000) {
        let instance = tiny::instance(seed);
        let optimum = tiny::optimum(&instance);
        for k in around(optimum) {
            match tree(&instance, k).run(0, 100_000) {
                Progress::Found(mapping) => assert!(mapping.makespan() <= k, "seed {seed}, {k}"),
                Progress::Refuted(reason) => {
                    assert!(k < optimum, "seed {seed}: {k} is refuted, but {optimum} is reached");
                    accept(&instance, k, nodes(reason));
                }
                Progress::Open | Progress::Taken => panic!("seed {seed}, {k}: not decided"),
            }
        }
    }
}

#[test]
fn poor_prices_and_many_branches_decide_as_well() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut branches = 0;
    for seed in 0..300 {
        let instance = hard(seed);
        let optimum = tiny::optimum(&instance);
        assert!(poorly_priced(&instance, optimum, &mut rng).is_none(), "seed {seed}");
        let proof =
            poorly_priced(&instance, optimum - Ticks(1), &mut rng).expect("below the optimum");
        branches += proof.iter().filter(|node| matches!(node, Node::Branch { .. })).count();
        accept(&instance, optimum - Ticks(1), proof);
    }
    assert!(branches > 250, "only {branches} branches");
}

/// Stopping after every case and continuing gives the same result as not stopping.
#[test]
fn a_tree_can_be_run_in_pieces() {
    for seed in seeds(0, 300) {
        let instance = tiny::instance(seed);
        let Some(k) = tiny::optimum(&instance).checked_sub(Ticks(1)) else { continue };
        let pieces = tree(&instance, k);
        let reason = loop {
            match pieces.run(0, 1) {
                Progress::Refuted(reason) => break reason,
                progress => assert!(matches!(progress, Progress::Open), "seed {seed}"),
            }
        };
        assert_eq!(Some(nodes(reason)), priced(&instance, k), "seed {seed}");
    }
}

fn has_all_pairs(domain: &Domain, mapping: &Mapping) -> bool {
    let mut pairs = (0..).map(TaskId).zip(mapping.hosts());
    pairs.all(|(task, &host)| domain.is_possible(task, host))
}

/// Settling and repeated fixing by prices lose no mapping that ends by k.
#[test]
fn domains_keep_every_mapping() {
    let mut fixed = 0;
    for seed in 0..2000 {
        let instance = tiny::sized(seed, 6, 3);
        let optimum = tiny::optimum(&instance);
        let all = tiny::mappings(&instance);
        let weights = bounds::linear(&instance, &Stop::never()).weights;
        for k in around(optimum) {
            let within = || all.iter().filter(|mapping| mapping.makespan() <= k);
            let Ok(mut domain) = Domain::new(&instance, k) else {
                assert_eq!(within().count(), 0, "seed {seed}, {k}");
                continue;
            };
            let pairs = domain.pairs();
            assert!(within().all(|mapping| has_all_pairs(&domain, mapping)), "seed {seed}, {k}");
            let mut ascent = Ascent::new(&instance, &weights, k + Ticks(1));
            let shrunk = shrink(&mut domain, &mut ascent, (50, 20), &Stop::never());
            assert!(shrunk.is_ok() || k < optimum, "seed {seed}, {k}");
            fixed += usize::from(shrunk.is_ok() && domain.pairs() < pairs);
            let kept = |mapping: &Mapping| shrunk.is_err() || has_all_pairs(&domain, mapping);
            assert!(within().all(kept), "seed {seed}, {k}: a mapping is lost");
        }
    }
    assert!(fixed > 300, "pairs were fixed only {fixed} times");
}

/// The checker's own fixing, at a possible k: whatever the prices, no mapping is lost, because
/// otherwise branching to exactly that mapping could be refuted.
#[test]
fn no_tree_of_any_prices_refutes_a_possible_makespan() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for seed in seeds(20, 2000) {
        let instance = tiny::instance(seed);
        let optimum = tiny::optimum(&instance);
        let worst = OnLine::Olb.map(&instance);
        if worst.makespan() == optimum {
            continue;
        }
        let fix = |rng: &mut ChaCha8Rng| Node::Fix { prices: random_prices(&instance, rng) };
        let prices = random_prices(&instance, &mut rng);
        let mut nodes: Vec<Node> = (0..rng.random_range(1..4)).map(|_| fix(&mut rng)).collect();
        nodes.push(if rng.random() { Node::Nowhere } else { Node::Prices { prices } });
        let claim = certificate(&instance, &worst, optimum, nodes);
        assert!(verify(&instance, &claim).is_err(), "seed {seed}: {:?}", claim.steps);
    }
}

/// The checker may rule out more than the program that wrote the proof; the proof stays valid. Here
/// further prices between the nodes force it to.
#[test]
fn ruling_out_more_keeps_a_proof_valid() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let tiny = seeds(0, 1000).map(|seed| tiny::sized(seed, 6, 3));
    for instance in tiny.chain((0..100).map(hard)) {
        let Some(k) = tiny::optimum(&instance).checked_sub(Ticks(1)) else { continue };
        let plain = branching(&instance, k, &mut rng).expect("nothing ends by k");
        let poor = poorly_priced(&instance, k, &mut rng).expect("nothing ends by k");
        for proof in [plain, poor] {
            for share in [0.01, 0.3] {
                accept(&instance, k, with_more_prices(&instance, &proof, share, &mut rng));
            }
        }
    }
}

fn with_more_prices(
    instance: &Instance,
    proof: &[Node],
    share: f64,
    rng: &mut ChaCha8Rng,
) -> Vec<Node> {
    let mut more = Vec::new();
    for node in proof {
        if rng.random_bool(share) {
            more.push(Node::Fix { prices: random_prices(instance, rng) });
        }
        more.push(node.clone());
    }
    more
}

fn square(n: usize, m: usize, time: impl Fn(usize, usize) -> Ticks) -> Instance {
    let etc = (0..n).map(|t| (0..m).map(|h| Some(time(t, h))).collect()).collect();
    Instance::new(InstanceParts { etc, ..InstanceParts::default() }).expect("valid")
}

/// Edge cases: one task, one host, fewer tasks than hosts, no work, more than 32 bits.
#[test]
fn corners_are_decided() {
    let huge = 1 << 58;
    let corners = [
        (square(1, 1, |_, _| Ticks(7)), 7),
        (square(4, 1, |t, _| Ticks(t as u64 + 1)), 10),
        (square(1, 3, |_, h| Ticks(5 - h as u64)), 3),
        (square(2, 4, |_, _| Ticks(6)), 6),
        (square(3, 2, |_, _| Ticks(1)), 2),
        (square(3, 2, |_, _| Ticks(0)), 0),
        (square(4, 2, |t, _| Ticks(huge + t as u64)), 2 * huge + 3),
        (square(5, 3, |t, h| Ticks(if t % 3 == h { 1 } else { huge })), 2),
    ];
    for (instance, optimum) in corners {
        let found = tree(&instance, Ticks(optimum)).run(0, 100);
        assert!(
            matches!(found, Progress::Found(m) if m.makespan() == Ticks(optimum)),
            "{instance:?}"
        );
        let Some(k) = optimum.checked_sub(1) else { continue };
        let proof = priced(&instance, Ticks(k)).expect("nothing ends by k");
        accept(&instance, Ticks(k), proof);
    }
}

#[test]
fn dives_find_mappings_in_their_domain() {
    let (mut found, mut asked) = (0, 0);
    for seed in 0..1000 {
        let instance = tiny::instance(seed);
        let k = tiny::optimum(&instance);
        let domain = Domain::new(&instance, k).expect("the optimum is possible");
        let mapping = dive(domain, Volume::new(&instance), seed % 5, &Stop::never());
        assert!(mapping.iter().all(|mapping| mapping.makespan() == k), "seed {seed}");
        found += usize::from(mapping.is_some());
        asked += 1;
    }
    assert!(10 * found > 9 * asked, "only {found} of {asked} optima found");
}

/// The tasks of two of three hosts are open; the third keeps its tasks and its excess load.
#[test]
fn a_domain_around_some_hosts_leaves_the_others_alone() {
    for seed in 0..1000 {
        let instance = tiny::instance(seed);
        let mapping = some_mapping(&instance);
        let k = mapping.makespan();
        let hosts: Vec<HostId> = instance.hosts().skip(1).collect();
        let Ok(domain) = Domain::around(&instance, k, &mapping, &hosts) else {
            panic!("seed {seed}: the mapping itself is in the domain")
        };
        let Some(other) = dive(domain, Volume::new(&instance), seed, &Stop::never()) else {
            continue;
        };
        let on_first = |mapping: &Mapping| -> Vec<TaskId> {
            instance.tasks().filter(|&task| mapping.host(task) == HostId(0)).collect()
        };
        assert_eq!(on_first(&other), on_first(&mapping), "seed {seed}");
        assert!(other.makespan() <= k, "seed {seed}");
    }
}
