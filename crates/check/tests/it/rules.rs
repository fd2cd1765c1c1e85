//! Random certificates of every rule but formulas: the checker accepts exactly those that hold by
//! the rules as written ([`plain`]), and none whose bound is above the optimum. The same
//! certificates with damaged bytes are accepted only if they are still true.
//!
//! `GRIDSAT_CERTIFICATES` says how many of each are tried.

use std::io;
use std::path::Path;

use gridsat_check::formula::{CaseHost, encode_case};
use gridsat_check::verify::{Claim, FileVerdict, explain, verify_certificate};
use gridsat_encodings::{Budget, Cnf, Lit};
use gridsat_model::certificate::{
    Document, FillingNode, Node, RefutedCase, RefutedFormula, Step, sha256_hex,
};
use gridsat_model::{HostId, Instance, InstanceParts, Mapping, TaskId, Ticks};
use gridsat_test_support::mutate::mutate;
use gridsat_test_support::tiny;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::refuter::Formula;
use crate::{certificates, plain};

/// Certificates per test, unless `GRIDSAT_CERTIFICATES` says otherwise.
const COUNT: u64 = 12_000;

/// How hosts differ.
#[derive(Clone, Copy, PartialEq)]
enum Hosts {
    Equal,
    /// In speed and ready time, possibly rounded.
    Speeds,
    Unrelated,
}

/// The same with speeds that make times no decimal numbers; ticks are parts of the unit.
fn with_speeds(rng: &mut ChaCha8Rng) -> Instance {
    const SPEEDS: [&str; 6] = ["1", "2", "3", "3/2", "2/3", "7/5"];
    let (n, m) = (rng.random_range(1..=5), rng.random_range(1..=3));
    let works: Vec<u64> = (0..n).map(|_| rng.random_range(0..=6)).collect();
    let hosts = (0..m).map(|_| {
        let (speed, ready) = (SPEEDS[rng.random_range(0..6)], rng.random_range(0..3) / 2);
        format!("{{\"speed\": \"{speed}\", \"ready\": {ready}}}")
    });
    let hosts = hosts.collect::<Vec<_>>().join(", ");
    format!("{{\"tasks\": {works:?}, \"hosts\": [{hosts}]}}").parse().expect("valid")
}

/// Up to five tasks on up to three hosts, which are often equal or differ in speed only.
fn instance(rng: &mut ChaCha8Rng) -> Instance {
    if rng.random_bool(0.1) {
        return with_speeds(rng);
    }
    let (n, m) = (rng.random_range(1..=5), rng.random_range(1..=3));
    let hosts =
        [Hosts::Equal, Hosts::Equal, Hosts::Speeds, Hosts::Unrelated][rng.random_range(0..4)];
    let slowness: Vec<u64> = (0..m).map(|_| [2, 2, 3, 4, 6][rng.random_range(0..5)]).collect();
    let most = rng.random_range(2..=12);
    let mut row = || -> Vec<Option<Ticks>> {
        let first = rng.random_range(0..=most);
        let mut time = |host: usize| match hosts {
            Hosts::Equal => Some(Ticks(first)),
            Hosts::Speeds => Some(Ticks((first * slowness[host]).div_ceil(2))),
            Hosts::Unrelated => rng.random_bool(0.85).then(|| Ticks(rng.random_range(0..=most))),
        };
        let mut row: Vec<_> = (0..m).map(&mut time).collect();
        row[0].get_or_insert(Ticks(first));
        row
    };
    let etc = (0..n).map(|_| row()).collect();
    let first = rng.random_range(0..3);
    let ready = |_| Ticks(if hosts == Hosts::Equal { first } else { rng.random_range(0..4) });
    let ready = (0..m).map(ready).collect();
    Instance::new(InstanceParts { etc, ready, ..InstanceParts::default() }).expect("valid")
}

/// A random step for this k, often one that holds.
struct Maker<'a> {
    instance: &'a Instance,
    k: Ticks,
    rng: &'a mut ChaCha8Rng,
}

impl Maker<'_> {
    fn step(&mut self) -> Step {
        let k = self.k;
        let (n, m) = (self.instance.task_count(), self.instance.host_count());
        match self.rng.random_range(0..12) {
            0 => Step::Ready { k, host: self.below(m + 1) },
            1 => Step::LongestTask { k, task: self.below(n + 1) },
            2 | 3 => Step::Weights { k, weights: self.list(m, |rng| rng.random_range(0..4)) },
            4 => Step::Part {
                k,
                hosts: self.below(m + 2),
                tasks: self.below(n + 2),
                sums: self.rng.random(),
            },
            5 | 6 => Step::Prices { k, prices: self.prices() },
            7 | 8 => Step::Fillings { k, nodes: self.fillings() },
            _ => Step::Tree { k, nodes: self.nodes() },
        }
    }

    fn below(&mut self, end: usize) -> u32 {
        self.rng.random_range(0..end as u32)
    }

    /// A list of this length, rarely of another one.
    fn list(&mut self, usual: usize, one: impl Fn(&mut ChaCha8Rng) -> u64) -> Vec<u64> {
        let length =
            if self.rng.random_bool(0.03) { self.below(usual + 2) as usize } else { usual };
        (0..length).map(|_| one(self.rng)).collect()
    }

    /// About as much as each task takes, which often refutes.
    fn prices(&mut self) -> Vec<u64> {
        let prices = self.list(self.instance.task_count(), |rng| rng.random_range(0..3));
        let factor = self.rng.random_range(0..4);
        let task = |i: usize| TaskId(i.min(self.instance.task_count() - 1) as u32);
        let shortest = |i: usize| self.instance.shortest(task(i)).0;
        (0..).zip(prices).map(|(i, more)| factor * shortest(i) + more).collect()
    }

    /// Nodes in depth-first order; sometimes one is missing or too many.
    fn nodes(&mut self) -> Vec<Node> {
        let (n, m) = (self.instance.task_count(), self.instance.host_count());
        let (mut nodes, mut open) = (Vec::new(), vec![0]);
        while let Some(depth) = open.pop() {
            let node = match self.rng.random_range(0..6) {
                _ if depth == 0 && self.rng.random_bool(0.4) => Node::Fix { prices: self.prices() },
                0 | 1 if depth < 4 => {
                    // Rarely the first task or host that is not there.
                    let more = usize::from(self.rng.random_bool(0.05));
                    Node::Branch { task: self.below(n + more), host: self.below(m + more) }
                }
                2 if depth < 4 => Node::Fix { prices: self.prices() },
                3 | 4 => Node::Prices { prices: self.prices() },
                _ => Node::Nowhere,
            };
            match node {
                Node::Branch { .. } => open.extend([depth + 1; 2]),
                Node::Fix { .. } => open.push(depth + 1),
                _ => {}
            }
            nodes.push(node);
        }
        match self.rng.random_range(0..30) {
            0 => drop(nodes.pop()),
            1 => nodes.push(Node::Nowhere),
            2 => nodes.push(Node::Branch { task: self.below(n + 2), host: self.below(m + 2) }),
            _ => {}
        }
        nodes
    }

    fn fillings(&mut self) -> Vec<FillingNode> {
        let length = self.rng.random_range(1..5);
        (0..length).map(|_| self.filling()).collect()
    }

    fn filling(&mut self) -> FillingNode {
        let mut times: Vec<u64> =
            self.instance.tasks().map(|task| self.instance.shortest(task).0).collect();
        times.retain(|&time| time > 0);
        times.sort_unstable_by(|a, b| b.cmp(a));
        times.dedup();
        // After some hosts are filled, fewer times are left.
        let left = times.len().saturating_sub(self.rng.random_range(0..2));
        let more = self.rng.random_range(0..2);
        let prices: Vec<u64> =
            times[..left].iter().map(|time| time + more * self.rng.random_range(0..2)).collect();
        match self.rng.random_range(0..7) {
            0 => FillingNode::Work {},
            1 => FillingNode::Seen {},
            2 => FillingNode::Prices { prices },
            3 => FillingNode::Forced { hosts: self.below(3) },
            _ => {
                let mut order: Vec<u32> = (0..self.below(4)).collect();
                if self.rng.random_bool(0.3) {
                    order.reverse();
                }
                FillingNode::Branch { prices, order }
            }
        }
    }
}

/// An instance, a certificate with one step that refutes some k, and the optimum.
fn certificate(rng: &mut ChaCha8Rng) -> Option<(Instance, Document, Ticks)> {
    let instance = instance(rng);
    let (optimum, worst) = (tiny::optimum(&instance), tiny::worst(&instance));
    let k = (optimum + Ticks(2)).checked_sub(Ticks(rng.random_range(0..7)))?;
    if k >= worst.makespan() {
        return None;
    }
    let step = Maker { instance: &instance, k, rng }.step();
    let certificate = Document::new(&instance, &worst, k + Ticks(1), vec![step]);
    Some((instance, certificate, optimum))
}

fn no_proofs(_: &str) -> io::Result<Box<dyn io::Read>> {
    Err(io::ErrorKind::NotFound.into())
}

#[test]
fn exactly_what_holds_by_the_rules_is_accepted() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut verdicts = std::collections::BTreeMap::new();
    for _ in 0..certificates(COUNT) {
        let Some((instance, certificate, optimum)) = certificate(&mut rng) else { continue };
        let step = &certificate.steps[0];
        let expected = plain::holds(&instance, step);
        let found = verify_certificate(&instance, &certificate, &no_proofs);
        assert_eq!(found.is_ok(), expected, "{found:?} {instance:?} {step:?}");
        assert!(!expected || step.k() < optimum, "the rule is wrong: {instance:?} {step:?}");
        assert_eq!(explain(&instance, &certificate).len(), 2);
        *verdicts.entry((step.rule(), expected)).or_insert(0) += 1;
    }
    for rule in ["ready", "longest-task", "weights", "part", "prices", "fillings", "tree"] {
        for expected in [false, true] {
            let seen = verdicts.get(&(rule, expected)).copied().unwrap_or(0);
            assert!(seen > 20, "{rule} {expected}: {verdicts:?}");
        }
    }
}

#[test]
fn damaged_text_is_accepted_only_if_it_is_true() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..certificates(COUNT) {
        let Some((instance, certificate, optimum)) = certificate(&mut rng) else { continue };
        let mut bytes = serde_json::to_vec(&certificate).expect("data");
        for _ in 0..rng.random_range(1..3) {
            mutate(&mut bytes, &mut rng);
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        match Claim::of(Path::new("damaged.json"), text).verify(&instance) {
            Ok(verdict) => {
                accepted += 1;
                assert!(verdict.makespan() >= optimum, "{instance:?} {certificate:?}");
                if let FileVerdict::Certificate(proven) = verdict {
                    assert!(proven.lower_bound() <= optimum, "{instance:?} {certificate:?}");
                }
            }
            Err(error) => {
                rejected += 1;
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        }
    }
    assert!(accepted > 20 && rejected > 1000, "{accepted} accepted, {rejected} rejected");
}

/// The node `unsat`: accepted exactly if its lists have all pairs of the case and its formula is
/// refuted. The case may have lost one pair by a branch, and one list may lack some hosts.
#[test]
fn leaves_with_formulas_hold_for_listed_pairs_only() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let (mut accepted, mut not_listed, mut with_model) = (0, 0, 0);
    for _ in 0..certificates(COUNT) / 8 {
        let instance = instance(&mut rng);
        let (n, m) = (instance.task_count(), instance.host_count());
        let worst = tiny::worst(&instance);
        let optimum = tiny::optimum(&instance);
        let k = (optimum + Ticks(1)).saturating_sub(Ticks(rng.random_range(0..5)));
        if n > 4 || k >= worst.makespan() {
            continue;
        }
        let pair = (rng.random_range(0..n as u32), rng.random_range(0..m as u32));
        let pair = rng.random_bool(0.5).then_some(pair);
        let mut hosts: Vec<Vec<u32>> = vec![(0..m as u32).collect(); n];
        let other = rng.random_range(0..n);
        hosts[other].retain(|_| rng.random_bool(0.7));
        let prices: Vec<u64> = (0..n).map(|_| rng.random_range(0..9)).collect();
        let refuted = plain::listed(&instance, k, &hosts, &prices)
            .map_or(Some(String::new()), |listed| refutation(&instance, &listed, &prices));
        let proof = refuted.clone().unwrap_or_default();
        let leaf = RefutedCase {
            prices,
            hosts: hosts.clone(),
            proof: "p".to_owned(),
            proof_sha256: sha256_hex(proof.as_bytes()),
        };
        let branch = pair.map(|(task, host)| [Node::Branch { task, host }, Node::Nowhere]);
        let mut nodes: Vec<Node> = branch.into_iter().flatten().collect();
        nodes.push(Node::Unsat(leaf));
        let is_right = plain::is_listed(&instance, k, pair, &hosts) && refuted.is_some();
        let expected = plain::holds_but_second(&instance, k, pair, is_right);
        let steps = vec![Step::Tree { k, nodes }];
        let certificate = Document::new(&instance, &worst, k + Ticks(1), steps);
        let open = |_: &str| Ok(Box::new(io::Cursor::new(proof.clone())) as Box<dyn io::Read>);
        let found = verify_certificate(&instance, &certificate, &open);
        assert_eq!(found.is_ok(), expected, "{found:?} {instance:?} {certificate:?}");
        match (&found, is_right) {
            (Ok(_), _) => accepted += 1,
            (Err(_), false) if refuted.is_some() => not_listed += 1,
            (Err(_), _) => with_model += 1,
        }
    }
    let seen = (accepted, not_listed, with_model);
    assert!(accepted > 20 && not_listed > 20 && with_model > 20, "{seen:?}");
}

/// A refutation of the formula of these hosts, if it has no model.
fn refutation(instance: &Instance, hosts: &[CaseHost], prices: &[u64]) -> Option<String> {
    let mut cnf = Cnf::new();
    encode_case(instance, hosts, prices, &mut cnf, &mut Budget::default()).expect("tiny");
    let numbers = |clause: &[Lit]| clause.iter().map(|lit| lit.to_dimacs()).collect();
    let clauses = cnf.clauses().map(numbers).collect();
    Formula { variables: cnf.variables() as i32, clauses }.refute()
}

/// The words about a tree have its numbers.
#[test]
fn trees_are_explained_with_their_numbers() {
    let instance = Instance::from_rows([[5, 5], [5, 5], [4, 4], [9, 2]]).expect("valid");
    let nodes = vec![
        Node::Fix { prices: vec![1, 1, 0, 0] },
        Node::Branch { task: 0, host: 0 },
        Node::Prices { prices: vec![1; 4] },
        Node::Nowhere,
    ];
    let mapping = Mapping::new(&instance, vec![HostId(0); 4]).expect("possible pairs");
    let steps = vec![Step::Tree { k: Ticks(8), nodes }];
    let words = explain(&instance, &Document::new(&instance, &mapping, Ticks(9), steps));
    assert!(words[0].ends_with("Its largest load is 23, that of host h0."), "{words:?}");
    assert_eq!(
        words[1],
        "Step 1 of 1: no mapping has makespan ≤ 8, by branch-and-bound tree. At first 3 tasks have \
         more than one host on which they fit, in 6 pairs. The first prices rule out 2 of them. \
         Nodes: 1 branches on whether a task is on a host, at most 1 below each other; 1 times \
         prices rule out pairs of task and host. The 2 cases that remain are refuted: 1 by prices, \
         1 because a task has no host left."
    );
}

/// So do those about hosts, prices, fillings and formulas.
#[test]
fn steps_are_explained_with_their_numbers() {
    let instance = Instance::new(InstanceParts {
        etc: vec![vec![Some(Ticks(5)); 2]; 3],
        ready: vec![Ticks(4), Ticks(0)],
        ..InstanceParts::default()
    })
    .expect("valid");
    let fillings = vec![
        FillingNode::Forced { hosts: 2 },
        FillingNode::Branch { prices: vec![1], order: vec![2, 0, 1] },
        FillingNode::Prices { prices: vec![1] },
        FillingNode::Work {},
        FillingNode::Seen {},
    ];
    let steps = vec![
        Step::Ready { k: Ticks(3), host: 0 },
        Step::Weights { k: Ticks(9), weights: vec![2, 2] },
        Step::Prices { k: Ticks(8), prices: vec![1; 3] },
        Step::Fillings { k: Ticks(8), nodes: fillings },
        Step::Unsat(RefutedFormula {
            k: Ticks(8),
            encoding: "adder".to_owned(),
            at_most_one: "pairwise".to_owned(),
            symmetry: true,
            surrogate: vec![1, 1],
            prices: vec![],
            proof: "p.lrat".to_owned(),
            proof_sha256: String::new(),
        }),
    ];
    let mapping = Mapping::new(&instance, vec![HostId(1); 3]).expect("possible pairs");
    let words = explain(&instance, &Document::new(&instance, &mapping, Ticks(9), steps));
    let ends = [
        "Its largest load is 15, that of host h1.",
        "Host h0 is busy until 4.",
        "The time of each host is multiplied by its weight (h0 2, h1 2). With every task on the \
         host where its weighted time is smallest, all take 30 ticks; until then all hosts have \
         28, which is 2 less.",
        "Every task has a price; all prices add up to 3. The dearest tasks that fit a host until \
         then are worth: h0 0, h1 1. That is 1 together, 2 less.",
        "Hosts are filled one after the other; faster ones have more room. 1 times one host is \
         filled in all ways that matter, 3 together; 2 hosts are filled without a choice. 1 cases \
         are refuted by prices, 1 because the tasks left take longer than the hosts left have, 1 \
         because the same case was refuted before.",
        "The formula that says there is one (encoding adder+pairwise, equal tasks and hosts in \
         order, one constraint over all hosts) was built from the instance, and the LRAT proof \
         p.lrat refutes it.",
    ];
    assert_eq!(words.len(), ends.len());
    for (words, end) in words.iter().zip(ends) {
        assert!(words.ends_with(end), "{words}");
    }
}

/// A step that refutes what the mapping achieves is named, whatever follows it.
#[test]
fn no_step_refutes_the_makespan_of_the_mapping() {
    let instance = Instance::from_rows([[3, 3]; 3]).expect("valid");
    let mapping = tiny::best(&instance);
    let step = |k| Step::Weights { k: Ticks(k), weights: vec![1, 1] };
    let certificate = Document::new(&instance, &mapping, Ticks(5), vec![step(6), step(4)]);
    let found = verify_certificate(&instance, &certificate, &no_proofs).map_err(|e| e.to_string());
    assert_eq!(found, Err("step 0 refutes 6, but the mapping has makespan 6".to_owned()));
}

/// Numbers near the ends of their range, where sums could wrap.
#[test]
fn extreme_numbers_are_never_accepted_falsely() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut accepted = 0;
    for _ in 0..certificates(COUNT) / 4 {
        let shift = rng.random_range(0..20);
        let mut large = || Ticks((1 << 62 >> shift >> 3) - rng.random_range(0..3));
        let etc = vec![vec![Some(large()), Some(large())]; 3];
        let instance = Instance::new(InstanceParts { etc, ..InstanceParts::default() });
        let instance = instance.expect("valid");
        let mapping = Mapping::new(&instance, vec![HostId(0); 3]).expect("possible pairs");
        let optimum = tiny::optimum(&instance);
        let near = |value: Ticks, rng: &mut ChaCha8Rng| {
            Ticks(value.0.saturating_add(rng.random_range(0..4)).saturating_sub(2))
        };
        let k = near(optimum, &mut rng);
        let number = |rng: &mut ChaCha8Rng| match rng.random_range(0..4) {
            0 => u64::MAX - rng.random_range(0..3),
            1 => rng.random_range(0..3),
            2 => 1 << rng.random_range(0..64),
            _ => k.0 / 2,
        };
        let mut list =
            |length: usize| -> Vec<u64> { (0..length).map(|_| number(&mut rng)).collect() };
        let steps = [
            Step::Weights { k, weights: list(2) },
            Step::Prices { k, prices: list(3) },
            Step::Tree { k, nodes: vec![Node::Prices { prices: list(3) }] },
            Step::Tree { k, nodes: vec![Node::Fix { prices: list(3) }, Node::Nowhere] },
            Step::Fillings { k, nodes: vec![FillingNode::Prices { prices: list(1) }] },
            Step::Part { k, hosts: 1, tasks: 3, sums: false },
        ];
        for step in steps {
            let certificate = Document::new(&instance, &mapping, k + Ticks(1), vec![step]);
            if let Ok(verdict) = verify_certificate(&instance, &certificate, &no_proofs) {
                accepted += 1;
                assert!(verdict.lower_bound() <= optimum, "{certificate:?}");
            }
        }
    }
    assert!(accepted > 0);
}
