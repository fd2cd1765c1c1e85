//! Valid certificates, and ways to damage them.

use gridsat_model::certificate::{Document, Node, RefutedCase, Step, instance_digest};
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};
use gridsat_test_support::tiny;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::cases::{branching, poorly_priced, priced, random_prices, verify};

/// A random mapping: a poor one leaves a range for false bounds.
fn random_mapping(instance: &Instance, rng: &mut ChaCha8Rng) -> Mapping {
    let mut hosts = Vec::new();
    for task in instance.tasks() {
        let choices: Vec<HostId> = instance.times(task).map(|(host, _)| host).collect();
        hosts.push(*choices.choose(rng).expect("every task can run somewhere"));
    }
    Mapping::new(instance, hosts).expect("possible pairs")
}

/// A certificate with valid steps up to the optimum.
pub fn honest(instance: &Instance, optimum: Ticks, rng: &mut ChaCha8Rng) -> Document {
    let mapping = random_mapping(instance, rng);
    let mut steps = Vec::new();
    if let Some(k) = optimum.checked_sub(Ticks(1)) {
        let proof = match rng.random_range(0..3) {
            0 => branching(instance, k, rng),
            1 => poorly_priced(instance, k, rng),
            _ => priced(instance, k),
        };
        let nodes = proof.expect("nothing ends before the optimum");
        // Prices that refute the settled tasks need not refute all tasks.
        if let [Node::Prices { prices }] = &nodes[..] {
            let step = Step::Prices { k, prices: prices.clone() };
            let alone = Document::new(instance, &mapping, optimum, vec![step.clone()]);
            steps.extend(verify(instance, &alone).is_ok().then_some(step));
        }
        steps.push(Step::Tree { k, nodes });
    }
    Document::new(instance, &mapping, optimum, steps)
}

fn any<'a, T>(list: &'a mut [T], rng: &mut ChaCha8Rng) -> Option<&'a mut T> {
    let at = rng.random_range(0..list.len().max(1));
    list.get_mut(at)
}

/// A value near the old one, or far from it.
fn changed(old: u64, rng: &mut ChaCha8Rng) -> u64 {
    match rng.random_range(0..6) {
        0 => old.saturating_add(1),
        1 => old.saturating_sub(1),
        2 => old / 2,
        3 => rng.random_range(0..50),
        4 => old.saturating_mul(3),
        _ => u64::MAX >> rng.random_range(0..40),
    }
}

fn damage_node(node: &mut Node, rng: &mut ChaCha8Rng) {
    match node {
        Node::Fix { prices }
        | Node::Prices { prices }
        | Node::Unsat(RefutedCase { prices, .. }) => {
            if rng.random_bool(0.05) {
                prices.pop();
            } else if let Some(price) = any(prices, rng) {
                *price = changed(*price, rng);
            }
        }
        Node::Branch { task, host } => {
            let number = if rng.random() { task } else { host };
            *number = rng.random_range(0..6);
        }
        Node::Nowhere => *node = Node::Branch { task: 0, host: 0 },
    }
}

fn damage_nodes(instance: &Instance, nodes: &mut Vec<Node>, rng: &mut ChaCha8Rng) {
    let (i, j) = (rng.random_range(0..nodes.len()), rng.random_range(0..nodes.len()));
    let prices = random_prices(instance, rng);
    match rng.random_range(0..8) {
        0 if nodes.len() > 1 => drop(nodes.remove(i)),
        1 => nodes.insert(i, nodes[j].clone()),
        2 => nodes.swap(i, j),
        3 => nodes[i] = Node::Nowhere,
        4 => nodes[i] = Node::Prices { prices },
        5 => nodes.insert(i, Node::Fix { prices }),
        _ => damage_node(&mut nodes[i], rng),
    }
}

fn damage_step(instance: &Instance, step: &mut Step, rng: &mut ChaCha8Rng) {
    match step {
        Step::Tree { nodes, .. } if rng.random_bool(0.85) => damage_nodes(instance, nodes, rng),
        Step::Prices { prices, .. } if rng.random_bool(0.85) => {
            if let Some(price) = any(prices, rng) {
                *price = changed(*price, rng);
            }
        }
        Step::Tree { k, .. } | Step::Prices { k, .. } => *k = Ticks(changed(k.0, rng)),
        _ => {}
    }
}

/// Changes one thing; returns the instance against which the certificate is then checked.
pub fn damage(instance: &Instance, bad: &mut Document, rng: &mut ChaCha8Rng) -> Instance {
    match rng.random_range(0..20) {
        0 => bad.makespan = Ticks(changed(bad.makespan.0, rng)),
        1 => bad.lower_bound = Ticks(changed(bad.lower_bound.0, rng)),
        2 => bad.mapping[0] = rng.random_range(0..6),
        3 => bad.instance.sha256.replace_range(0..1, "g"),
        4 => drop(bad.steps.pop()),
        5 => raise(instance, bad, rng),
        6 | 7 => return other_instance(instance, bad, rng),
        _ => {
            if let Some(step) = any(&mut bad.steps, rng) {
                damage_step(instance, step, rng);
            }
        }
    }
    instance.clone()
}

/// Raises the claim consistently, so that only the steps can be the reason for rejection.
fn raise(instance: &Instance, bad: &mut Document, rng: &mut ChaCha8Rng) {
    let more = rng.random_range(1..4);
    bad.lower_bound = bad.lower_bound.saturating_add(Ticks(more));
    let nodes = vec![Node::Prices { prices: random_prices(instance, rng) }];
    match bad.steps.last_mut() {
        Some(Step::Tree { k, .. } | Step::Prices { k, .. }) => *k = k.saturating_add(Ticks(more)),
        _ => bad.steps.push(Step::Tree { k: bad.lower_bound - Ticks(1), nodes }),
    }
}

/// The instance with one time changed. Half of the time the certificate is adapted to it.
fn other_instance(instance: &Instance, bad: &mut Document, rng: &mut ChaCha8Rng) -> Instance {
    let task = TaskId(rng.random_range(0..instance.task_count() as u32));
    let (host, time) = instance.times(task).next().expect("every task can run somewhere");
    let time = if rng.random() { time + Ticks(1) } else { time / 2 };
    let other = tiny::with_time(instance, task, host, time);
    if rng.random() {
        bad.instance.sha256 = instance_digest(&other);
        let hosts = bad.mapping.iter().map(|&host| HostId(host)).collect();
        bad.makespan = Mapping::new(&other, hosts).map_or(bad.makespan, |m| m.makespan());
    }
    other
}
