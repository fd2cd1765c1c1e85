//! Thousands of damaged certificates. Those that the checker still accepts are still true: their
//! mapping has its makespan, and their bound is not above the optimum. Each kind of damage is
//! rejected with its own reason.

use gridsat_check::verify::Accepted;
use gridsat_model::certificate::{Document, Node, Step};
use gridsat_model::{HostId, Instance, InstanceParts, Mapping, Ticks};
use gridsat_test_support::tiny::{self, Kind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cases::{hard, verify};
use crate::damage::{damage, honest};

/// Number of damaged certificates, unless `GRIDSAT_DAMAGED` says otherwise, and how many are made
/// of one certificate.
const DAMAGED: u64 = 12_000;
const DAMAGES: u64 = 12;

#[derive(Debug, Default)]
struct Count {
    accepted: usize,
    rejected: usize,
}

/// Damages one certificate several times and compares the checker's verdict with brute force.
fn try_damages(instance: &Instance, rng: &mut ChaCha8Rng, count: &mut Count) {
    let optimum = tiny::optimum(instance);
    let good = honest(instance, optimum, rng);
    let verdict = verify(instance, &good);
    assert_eq!(verdict.map(|v| v.lower_bound()), Ok(optimum), "{good:?}");
    for _ in 0..DAMAGES {
        let mut bad = good.clone();
        let mut held_against = instance.clone();
        for _ in 0..rng.random_range(1..3) {
            held_against = damage(&held_against, &mut bad, rng);
        }
        match verify(&held_against, &bad) {
            Ok(verdict) => {
                assert_true(&held_against, &bad, verdict);
                count.accepted += 1;
            }
            Err(reason) => {
                assert!(!reason.to_string().is_empty());
                count.rejected += 1;
            }
        }
    }
}

fn assert_true(instance: &Instance, certificate: &Document, verdict: Accepted) {
    let optimum = tiny::optimum(instance);
    let hosts = certificate.mapping.iter().map(|&host| HostId(host)).collect();
    let mapping = Mapping::new(instance, hosts).expect("accepted");
    assert_eq!(verdict.makespan(), mapping.makespan(), "{instance:?}\n{certificate:?}");
    assert!(verdict.lower_bound() <= optimum, "{optimum} {instance:?}\n{certificate:?}");
}

#[test]
fn whatever_is_accepted_is_true() {
    let mut rng = ChaCha8Rng::seed_from_u64(30);
    let mut count = Count::default();
    let damaged = std::env::var("GRIDSAT_DAMAGED").ok();
    let damaged = damaged.map_or(DAMAGED, |given| given.parse().expect("a number"));
    for seed in (0..damaged / DAMAGES).filter(|&seed| seed < 10 || Kind::of(seed) != Kind::Huge) {
        let instance = if seed % 4 == 0 { hard(seed) } else { tiny::instance(seed) };
        try_damages(&instance, &mut rng, &mut count);
    }
    let Count { accepted, rejected } = count;
    assert!(accepted + rejected > 5000 && accepted > 500 && rejected > 500, "one-sided: {count:?}");
}

/// 5 tasks of 3 on 2 hosts: one host gets three, so 8 is too short. With two on host 0 the rest
/// does not fit host 1; with one on each, one more fits either; and all five prices exceed the two
/// and one that fit beside task 0.
fn demo() -> (Instance, Document) {
    let etc = vec![vec![Some(Ticks(3)), Some(Ticks(3))]; 5];
    let instance = Instance::new(InstanceParts { etc, ..InstanceParts::default() }).expect("valid");
    let hosts = [0, 0, 0, 1, 1].map(HostId).to_vec();
    let mapping = Mapping::new(&instance, hosts).expect("possible pairs");
    let nodes = vec![
        Node::Branch { task: 0, host: 0 },
        Node::Branch { task: 1, host: 0 },
        Node::Nowhere,
        Node::Prices { prices: vec![9, 9, 1, 1, 1] },
        Node::Fix { prices: vec![1; 5] },
        Node::Nowhere,
    ];
    let certificate =
        Document::new(&instance, &mapping, Ticks(9), vec![Step::Tree { k: Ticks(8), nodes }]);
    (instance, certificate)
}

fn nodes(certificate: &mut Document) -> &mut Vec<Node> {
    match &mut certificate.steps[0] {
        Step::Tree { nodes, .. } => nodes,
        step => panic!("{step:?}"),
    }
}

#[test]
fn each_kind_of_damage_is_rejected_with_its_reason() {
    type Edit = fn(&mut Document);
    let edits: [(Edit, &str); 16] = [
        (|c| nodes(c).truncate(4), "1 cases are not refuted"),
        (|c| nodes(c).clear(), "1 cases are not refuted"),
        (
            |c| nodes(c).push(Node::Nowhere),
            "the cases are refuted after 6 nodes, but there are more",
        ),
        (|c| drop(nodes(c).remove(3)), "1 cases are not refuted"),
        (|c| drop(nodes(c).remove(0)), "node 1: every task still has a host"),
        (|c| nodes(c).insert(0, Node::Nowhere), "node 0: every task still has a host"),
        (|c| nodes(c).swap(3, 5), "node 3: every task still has a host"),
        (|c| nodes(c).swap(0, 3), "node 0: the prices add up to 21, but the hosts can hold 36"),
        (|c| nodes(c)[0] = Node::Branch { task: 5, host: 0 }, "node 0: there is no task 5, only 5"),
        (|c| nodes(c)[1] = Node::Branch { task: 1, host: 2 }, "node 1: there is no host 2, only 2"),
        (|c| nodes(c)[3] = Node::Prices { prices: vec![1; 4] }, "node 3: 4 prices for 5 tasks"),
        (|c| nodes(c)[4] = Node::Fix { prices: vec![1; 6] }, "node 4: 6 prices for 5 tasks"),
        (
            |c| nodes(c)[3] = Node::Prices { prices: vec![7, 7, 0, 1, 1] },
            "node 3: the prices add up to 2, but the hosts can hold 2",
        ),
        (|c| nodes(c)[4] = Node::Fix { prices: vec![0; 5] }, "node 5: every task still has a host"),
        (
            |c| nodes(c)[3] = Node::Prices { prices: vec![u64::MAX; 5] },
            "node 3: the weighted sums exceed 128 bits",
        ),
        (|c| nodes(c)[1] = Node::Nowhere, "node 1: every task still has a host"),
    ];
    let (instance, good) = demo();
    let verdict = verify(&instance, &good).expect("true");
    assert_eq!((verdict.makespan(), verdict.lower_bound()), (Ticks(9), Ticks(9)));
    for (edit, reason) in edits {
        let mut bad = good.clone();
        edit(&mut bad);
        let found = verify(&instance, &bad).expect_err(reason).to_string();
        assert_eq!(found, format!("step 0 (tree) does not refute 8: {reason}"));
    }
}

/// The mapping is poor, so only the steps decide whether such k are refuted.
#[test]
fn another_k_needs_another_proof() {
    let (instance, mut certificate) = demo();
    certificate.mapping = vec![0; 5];
    certificate.makespan = Ticks(15);
    let mut with_k = |k| {
        certificate.lower_bound = k + Ticks(1);
        let Step::Tree { k: refuted, .. } = &mut certificate.steps[0] else { unreachable!() };
        *refuted = k;
        verify(&instance, &certificate).map(|v| v.lower_bound()).map_err(|r| r.to_string())
    };
    // Below 9 ticks a host holds two tasks at most, below 3 none.
    for k in [0, 2, 3, 5, 8].map(Ticks) {
        assert_eq!(with_k(k), Ok(k + Ticks(1)));
    }
    let fits = "node 2: every task still has a host";
    assert_eq!(with_k(Ticks(9)), Err(format!("step 0 (tree) does not refute 9: {fits}")));
    let too_large = "step 0 refutes 15, but the mapping has makespan 15";
    assert!(with_k(Ticks(15)).is_err_and(|reason| reason.starts_with("lower bound 16 exceeds")));
    certificate.lower_bound = Ticks(15);
    assert_eq!(verify(&instance, &certificate).map_err(|r| r.to_string()), Err(too_large.into()));
}

/// Nodes below an empty case are counted, not read.
#[test]
fn what_is_below_an_empty_case_is_passed_over() {
    let (instance, mut certificate) = demo();
    let nonsense = [
        Node::Branch { task: 77, host: 77 },
        Node::Fix { prices: Vec::new() },
        Node::Prices { prices: vec![u64::MAX; 9] },
        Node::Nowhere,
    ];
    nodes(&mut certificate).truncate(5);
    nodes(&mut certificate).extend(nonsense);
    assert!(verify(&instance, &certificate).is_ok());
    nodes(&mut certificate).pop();
    assert!(verify(&instance, &certificate).is_err());
}

/// Sums at the limit of the range: the prices of one host once overflowed.
#[test]
fn the_largest_prices_are_an_answer_not_a_panic() {
    let etc = vec![vec![Some(Ticks(5))], vec![Some(Ticks(6))]];
    let instance = Instance::new(InstanceParts { etc, ..InstanceParts::default() }).expect("valid");
    let mapping = Mapping::new(&instance, vec![HostId(0); 2]).expect("possible pairs");
    for prices in [vec![u64::MAX, 0], vec![1 << 63, 1 << 62], vec![u64::MAX; 2]] {
        for k in [10, 6, 5, 0] {
            let tree = vec![Node::Prices { prices: prices.clone() }];
            let fix = vec![Node::Fix { prices: prices.clone() }, Node::Nowhere];
            for nodes in [tree, fix] {
                let steps = vec![Step::Tree { k: Ticks(k), nodes }];
                let _ = verify(&instance, &Document::new(&instance, &mapping, Ticks(k + 1), steps));
            }
            let steps = vec![Step::Prices { k: Ticks(k), prices: prices.clone() }];
            let _ = verify(&instance, &Document::new(&instance, &mapping, Ticks(k + 1), steps));
        }
    }
}
