//! The rule `fillings`: every accepted claim is true, and both checkers accept the same claims.

use gridsat_exact::solve::Solver;
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::certificate::{Document, FillingNode, Step};
use gridsat_model::{Instance, Mapping, Ticks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cases::verify;

/// A proof by fillings, with the instance and its optimum.
pub struct Proof {
    pub instance: Instance,
    pub mapping: Mapping,
    pub k: Ticks,
    pub nodes: Vec<FillingNode>,
}

/// Proofs of instances with two to three tasks per host, where hosts are not filled evenly. Half of
/// them have hosts of several speeds.
pub fn proofs(rng: &mut ChaCha8Rng, count: usize) -> Vec<Proof> {
    let mut proofs = Vec::new();
    while proofs.len() < count {
        let (hosts, largest) = (rng.random_range(3..7), [12, 40, 200][rng.random_range(0..3)]);
        let tasks = rng.random_range(2 * hosts..3 * hosts);
        let times: Vec<u64> = (0..tasks).map(|_| rng.random_range(largest / 4..largest)).collect();
        let has_speeds = proofs.len() % 2 == 1;
        let slow = |_| if has_speeds { rng.random_range(1..4) } else { 1 };
        let slowness: Vec<u64> = (0..hosts).map(slow).collect();
        let row = |&time: &u64| slowness.iter().map(move |slow| time * slow).collect::<Vec<_>>();
        let instance = Instance::from_rows(times.iter().map(row)).expect("valid");
        let solution = Solver::new().solve(&instance).expect("solved");
        assert!(solution.is_optimal(), "{instance:?}");
        let mapping = solution.mapping().clone();
        let steps = solution.certificate().document().steps.clone();
        if let Some(Step::Fillings { k, nodes }) = steps.into_iter().last() {
            proofs.push(Proof { instance, mapping, k, nodes });
        }
    }
    proofs
}

/// The claim that these nodes refute k, with a mapping that is mostly not the best.
pub fn claim(instance: &Instance, k: Ticks, nodes: Vec<FillingNode>) -> Document {
    let mapping = OnLine::Olb.map(instance);
    Document::new(instance, &mapping, k + Ticks(1), vec![Step::Fillings { k, nodes }])
}

/// The nodes with one change.
fn damaged(nodes: &[FillingNode], rng: &mut ChaCha8Rng) -> Vec<FillingNode> {
    let mut nodes = nodes.to_vec();
    let place = rng.random_range(0..nodes.len());
    match rng.random_range(0..6) {
        0 => drop(nodes.remove(place)),
        1 => nodes.insert(place, nodes[rng.random_range(0..nodes.len())].clone()),
        2 => nodes[place] = FillingNode::Seen {},
        3 => nodes[place] = FillingNode::Work {},
        _ => match &mut nodes[place] {
            FillingNode::Forced { hosts } => *hosts += 1,
            FillingNode::Prices { prices } => change(prices, rng),
            FillingNode::Branch { prices, order } => match rng.random_bool(0.5) {
                true => change(prices, rng),
                false => order.reverse(),
            },
            FillingNode::Work {} | FillingNode::Seen {} => nodes[place] = forced(rng),
        },
    }
    nodes
}

fn forced(rng: &mut ChaCha8Rng) -> FillingNode {
    FillingNode::Forced { hosts: rng.random_range(0..3) }
}

fn change(prices: &mut Vec<u64>, rng: &mut ChaCha8Rng) {
    if prices.is_empty() || rng.random_bool(0.1) {
        prices.push(1);
        return;
    }
    let place = rng.random_range(0..prices.len());
    prices[place] = prices[place] * rng.random_range(0..5) / 2;
}

/// Proofs as they are, for other k, and damaged; with the optimum of each instance.
pub fn claims(seed: u64, proofs_wanted: usize) -> Vec<(Instance, Document, Ticks)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut claims = Vec::new();
    for Proof { instance, mapping, k, nodes } in proofs(&mut rng, proofs_wanted) {
        let optimum = mapping.makespan();
        let makespan = OnLine::Olb.map(&instance).makespan();
        for other in (k.0.saturating_sub(2)..makespan.0.min(k.0 + 6)).map(Ticks) {
            claims.push((instance.clone(), claim(&instance, other, nodes.clone()), optimum));
            for _ in 0..6 {
                let nodes = damaged(&nodes, &mut rng);
                claims.push((instance.clone(), claim(&instance, other, nodes), optimum));
            }
        }
    }
    claims
}

#[test]
fn no_false_bound_is_accepted() {
    let (mut accepted, mut rejected, mut tight) = (0, 0, 0);
    for (instance, claim, optimum) in claims(31, 100) {
        match verify(&instance, &claim) {
            Ok(_) => {
                assert!(claim.lower_bound <= optimum, "{instance:?} {claim:?}");
                accepted += 1;
                tight += u32::from(claim.lower_bound == optimum);
            }
            Err(_) => rejected += 1,
        }
    }
    let counts = format!("{accepted} accepted, {tight} of them tight, {rejected} rejected");
    assert!(accepted > 100 && tight >= 50 && rejected > 1000, "{counts}");
}
