//! Proofs by cases, found with poor prices and with the full search.

use gridsat_check::verify::{Accepted, Rejection, verify_certificate};
use gridsat_exact::bounds::{self, Ascent, Domain};
use gridsat_exact::cases::{Progress, Tree};
use gridsat_exact::reason::Reason;
use gridsat_model::certificate::{Document, Node, Step};
use gridsat_model::{Instance, InstanceParts, Mapping, Stop, TaskId, Ticks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// More than any tree of a tiny instance needs.
const CASES: usize = 100_000;

/// 8 to 10 tasks on 4 hosts that are nearly equal, where poor prices leave many branches. Every
/// third instance has ready times, every third forbidden pairs.
pub fn hard(seed: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (n, m) = (rng.random_range(8..=10), 4);
    let spread = rng.random_range(0..3);
    let mut etc = Vec::new();
    for _ in 0..n {
        let time: Ticks = Ticks(rng.random_range(10..30));
        etc.push(
            (0..m).map(|_| Some(time + Ticks(rng.random_range(0..=spread)))).collect::<Vec<_>>(),
        );
    }
    if seed % 3 == 1 {
        etc.iter_mut().for_each(|row| row[rng.random_range(0..m)] = None);
    }
    let ready = if seed % 3 == 2 { (0..4).map(Ticks).collect() } else { Vec::new() };
    let name = format!("hard-{seed}");
    Instance::new(InstanceParts { name, etc, ready, ..InstanceParts::default() }).expect("valid")
}

/// A tree that starts from the prices of the linear bound.
pub fn tree(instance: &Instance, k: Ticks) -> Tree<'_> {
    let weights = bounds::linear(instance, &Stop::never()).weights;
    Tree::new(instance, k, Ascent::new(instance, &weights, k + Ticks(1)), &Stop::never())
}

/// The proof of [`tree`]; `None` if there is a mapping.
pub fn priced(instance: &Instance, k: Ticks) -> Option<Vec<Node>> {
    decide(&tree(instance, k), instance)
}

fn decide(tree: &Tree<'_>, instance: &Instance) -> Option<Vec<Node>> {
    match tree.run(0, CASES) {
        Progress::Refuted(reason) => Some(nodes(reason)),
        Progress::Found(_) => None,
        Progress::Open | Progress::Taken => panic!("{} is not decided", instance.name()),
    }
}

/// The nodes of a proof by a tree that had no solver.
pub fn nodes(reason: Reason) -> Vec<Node> {
    let Reason::Tree { nodes, .. } = reason else { unreachable!("a tree") };
    let proven = nodes.into_iter().map(|node| node.try_map(|_| Err("a solver's word")));
    proven.collect::<Result<_, _>>().expect("no solver")
}

/// Like [`priced`], but from poor prices that are not improved, because with good prices tiny
/// instances need no branches.
pub fn poorly_priced(instance: &Instance, k: Ticks, rng: &mut ChaCha8Rng) -> Option<Vec<Node>> {
    let weights: Vec<u64> = instance.hosts().map(|_| rng.random_range(1..5)).collect();
    let ascent = Ascent::new(instance, &weights, k + Ticks(1));
    let tree = Tree::new(instance, k, ascent, &Stop::never()).with_steps(0);
    decide(&tree, instance)
}

/// A proof that branches at random until nothing is left; `None` if there is a mapping.
pub fn branching(instance: &Instance, k: Ticks, rng: &mut ChaCha8Rng) -> Option<Vec<Node>> {
    let mut proof = Vec::new();
    branch(instance, Domain::new(instance, k).ok(), rng, &mut proof)?;
    Some(proof)
}

fn branch(
    instance: &Instance,
    case: Option<Domain>,
    rng: &mut ChaCha8Rng,
    proof: &mut Vec<Node>,
) -> Option<()> {
    let Some(domain) = case else {
        proof.push(Node::Nowhere);
        return Some(());
    };
    let open: Vec<TaskId> = instance.tasks().filter(|&t| domain.placed(t).is_none()).collect();
    let task = *open.get(rng.random_range(0..open.len().max(1)))?;
    let hosts = instance.times(task).filter(|&(host, _)| domain.is_possible(task, host));
    let hosts: Vec<_> = hosts.collect();
    let (host, _) = hosts[rng.random_range(0..hosts.len())];
    proof.push(Node::Branch { task: task.0, host: host.0 });
    let (mut on, mut off) = (domain.clone(), domain);
    on.force(task, host);
    off.forbid(task, host);
    for mut case in [on, off] {
        let case = case.settle().is_ok().then_some(case);
        branch(instance, case, rng, proof)?;
    }
    Some(())
}

/// Random prices, half of the time in the order of the tasks' times.
pub fn random_prices(instance: &Instance, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let by_time = rng.random_bool(0.5);
    let price = |task| match by_time {
        true => instance.shortest(task).0 % 1000 + rng.random_range(0..3),
        false => rng.random_range(0..20),
    };
    instance.tasks().map(price).collect()
}

/// A certificate whose bound is proven by one tree.
pub fn certificate(instance: &Instance, mapping: &Mapping, k: Ticks, nodes: Vec<Node>) -> Document {
    Document::new(instance, mapping, k + Ticks(1), vec![Step::Tree { k, nodes }])
}

/// Checks a certificate that has no proof file.
pub fn verify(instance: &Instance, certificate: &Document) -> Result<Accepted, Rejection> {
    verify_certificate(instance, certificate, &|_| Err(std::io::Error::other("no proofs here")))
}
