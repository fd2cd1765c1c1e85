//! Well-formed certificates with arbitrary steps, for arbitrary small instances. What is accepted
//! must be true by brute force.
#![no_main]

use std::io;

use gridsat_check::verify::{explain, verify_certificate};
use gridsat_model::certificate::{
    Document, FillingNode, Node, RefutedCase, RefutedFormula, Step, sha256_hex,
};
use gridsat_model::{HostId, Instance, InstanceParts, Mapping, Ticks};

/// Numbers made of the input, and zeros after its end.
struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl Numbers<'_> {
    fn below(&mut self, end: u64) -> u64 {
        u64::from(self.0.next().copied().unwrap_or(0)) % end
    }

    /// Mostly small, sometimes near the end of the range.
    fn price(&mut self) -> u64 {
        match self.below(16) {
            15 => u64::MAX >> self.below(40),
            _ => self.below(24),
        }
    }

    fn list<T>(&mut self, usual: usize, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let length = if self.below(16) == 15 { self.below(6) as usize } else { usual };
        (0..length).map(|_| one(self)).collect()
    }
}

/// Up to four tasks on up to three hosts; half of them are equal hosts.
fn instance(numbers: &mut Numbers) -> Option<Instance> {
    let (n, m) = (1 + numbers.below(4) as usize, 1 + numbers.below(3) as usize);
    let is_equal = numbers.below(2) == 0;
    let mut etc = Vec::new();
    for _ in 0..n {
        let time = |numbers: &mut Numbers| match numbers.below(12) {
            11 => None,
            time => Some(Ticks(time)),
        };
        let first = time(numbers);
        let row = (0..m).map(|_| if is_equal { first } else { time(numbers) });
        etc.push(row.collect());
    }
    let ready = (0..m).map(|_| Ticks(if is_equal { 0 } else { numbers.below(4) })).collect();
    Instance::new(InstanceParts { etc, ready, ..InstanceParts::default() }).ok()
}

/// All makespans, by trying all mappings; the first mapping of the smallest.
fn best(instance: &Instance) -> Mapping {
    let (n, m) = (instance.task_count() as u32, instance.host_count() as u32);
    let hosts = |code: u32| (0..n).map(move |task| HostId(code / m.pow(task) % m)).collect();
    let all = (0..m.pow(n)).filter_map(|code| Mapping::new(instance, hosts(code)).ok());
    all.min_by_key(Mapping::makespan).expect("every task can run somewhere")
}

fn node(numbers: &mut Numbers, n: usize, m: usize, proof: &[u8]) -> Node {
    let prices = |numbers: &mut Numbers| numbers.list(n, Numbers::price);
    match numbers.below(8) {
        0 | 1 => Node::Fix { prices: prices(numbers) },
        2 | 3 => Node::Branch { task: numbers.below(5) as u32, host: numbers.below(4) as u32 },
        4 | 5 => Node::Prices { prices: prices(numbers) },
        6 => Node::Nowhere,
        _ => Node::Unsat(RefutedCase {
            prices: prices(numbers),
            hosts: numbers.list(n, |numbers| numbers.list(m, |numbers| numbers.below(4) as u32)),
            proof: "p".to_owned(),
            proof_sha256: sha256_hex(proof),
        }),
    }
}

fn filling(numbers: &mut Numbers, n: usize) -> FillingNode {
    match numbers.below(5) {
        0 => FillingNode::Forced { hosts: numbers.below(4) as u32 },
        1 => FillingNode::Branch {
            prices: numbers.list(n, Numbers::price),
            order: numbers.list(2, |numbers| numbers.below(3) as u32),
        },
        2 => FillingNode::Prices { prices: numbers.list(n, Numbers::price) },
        3 => FillingNode::Work {},
        _ => FillingNode::Seen {},
    }
}

fn step(numbers: &mut Numbers, instance: &Instance, k: Ticks, proof: &[u8]) -> Step {
    let (n, m) = (instance.task_count(), instance.host_count());
    match numbers.below(9) {
        0 => Step::Ready { k, host: numbers.below(4) as u32 },
        1 => Step::LongestTask { k, task: numbers.below(5) as u32 },
        2 => Step::Weights { k, weights: numbers.list(m, Numbers::price) },
        3 => {
            let (hosts, tasks) = (numbers.below(5) as u32, numbers.below(6) as u32);
            Step::Part { k, hosts, tasks, sums: numbers.below(2) == 0 }
        }
        4 => Step::Prices { k, prices: numbers.list(n, Numbers::price) },
        5 => Step::Fillings { k, nodes: numbers.list(3, |numbers| filling(numbers, n)) },
        6 | 7 => Step::Tree { k, nodes: numbers.list(3, |numbers| node(numbers, n, m, proof)) },
        _ => {
            let loads = ["thesis", "window", "adder", "bdd", "totalizer", "counter"];
            let encoding = loads[numbers.below(6) as usize].to_owned();
            Step::Unsat(RefutedFormula {
                k,
                prices: if encoding == "window" { numbers.list(n, Numbers::price) } else { vec![] },
                encoding,
                at_most_one: "pairwise".to_owned(),
                symmetry: numbers.below(2) == 0,
                surrogate: numbers.list(0, Numbers::price),
                proof: "p".to_owned(),
                proof_sha256: sha256_hex(proof),
            })
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (structure, proof) = bytes.split_at(bytes.len().min(96));
    let mut numbers = Numbers(structure.iter());
    let Some(instance) = instance(&mut numbers) else { return };
    let mapping = best(&instance);
    let optimum = mapping.makespan();
    // A poor mapping leaves room for false bounds.
    let Ok(poor) = Mapping::new(&instance, vec![HostId(0); instance.task_count()]) else { return };
    let k = Ticks(numbers.below(40));
    let mut steps = numbers.list(0, |numbers| step(numbers, &instance, k, proof));
    steps.push(step(&mut numbers, &instance, k, proof));
    for mapping in [mapping, poor] {
        let certificate = Document::new(&instance, &mapping, k + Ticks(1), steps.clone());
        let open = |_: &str| Ok(Box::new(io::Cursor::new(proof.to_vec())) as Box<dyn io::Read>);
        match verify_certificate(&instance, &certificate, &open) {
            Ok(accepted) => assert!(accepted.lower_bound() <= optimum, "{certificate:?}"),
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
        assert!(explain(&instance, &certificate).len() > 1);
    }
});
