//! Open cases as formulas: against brute force, inside the tree, and as leaves of certificates,
//! valid and damaged.

use std::io::{self, Read};

use gridsat_check::verify::{Accepted, Rejection, verify_certificate};
use gridsat_encodings::Cnf;
use gridsat_exact::bounds::{Ascent, linear};
use gridsat_exact::cases::{self, Progress, Tree};
use gridsat_exact::reason::OpenCase;
use gridsat_exact::sat::{Answer, LratWriter, SolverChoice};
use gridsat_model::Stop;
use gridsat_model::certificate::{Document, Node, RefutedCase, Step, sha256_hex};
use gridsat_model::{Instance, Mapping, Ticks};
use gridsat_test_support::lrat;
use gridsat_test_support::tiny::{self, best};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A certificate whose tree is one leaf, and its proof.
struct Claim {
    k: Ticks,
    prices: Vec<u64>,
    hosts: Vec<Vec<u32>>,
    proof: Vec<u8>,
}

impl Claim {
    fn check(&self, instance: &Instance, mapping: &Mapping) -> Result<Accepted, Rejection> {
        let leaf = Node::Unsat(RefutedCase {
            prices: self.prices.clone(),
            hosts: self.hosts.clone(),
            proof: "p".to_owned(),
            proof_sha256: sha256_hex(&self.proof),
        });
        let step = Step::Tree { k: self.k, nodes: vec![leaf] };
        let certificate = Document::new(instance, mapping, self.k + Ticks(1), vec![step]);
        let open = |_: &str| Ok(Box::new(io::Cursor::new(self.proof.clone())) as Box<dyn Read>);
        verify_certificate(instance, &certificate, &open)
    }
}

fn everywhere(instance: &Instance) -> Vec<Vec<u32>> {
    vec![(0..instance.host_count() as u32).collect(); instance.task_count()]
}

fn random_prices(instance: &Instance, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let shortest = instance.tasks().map(|task| instance.shortest(task).0.min(1000) * 4);
    shortest.map(|time| time + rng.random_range(0..=1 + time / 8)).collect()
}

fn formula(instance: &Instance, k: Ticks, prices: &[u64], hosts: &[Vec<u32>]) -> Option<Cnf> {
    let case = OpenCase { prices: prices.to_vec(), hosts: hosts.to_vec() };
    cases::formula(instance, k, &case, &Stop::never())
}

fn prove(formula: &Cnf) -> (Answer, Vec<u8>) {
    let solver = SolverChoice::Varisat.build().expect("built in");
    let mut proof = LratWriter::new(Vec::new(), formula.len() as u64);
    let answer = solver.prove(formula, &mut proof, &Stop::never()).expect("memory");
    (answer, proof.finish().expect("memory").0)
}

/// A random subset of the possible pairs; each is likely to be included.
fn random_hosts(instance: &Instance, rng: &mut ChaCha8Rng) -> Vec<Vec<u32>> {
    let mut hosts = everywhere(instance);
    hosts.iter_mut().for_each(|list| list.retain(|_| rng.random_bool(0.8)));
    hosts
}

#[test]
fn a_formula_has_a_model_exactly_if_there_is_a_mapping() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut yes, mut no) = (0, 0);
    for seed in 0..200 {
        let instance = tiny::sized(seed, 6, 3);
        let mappings = tiny::mappings(&instance);
        let hosts = random_hosts(&instance, &mut rng);
        let is_listed =
            |m: &Mapping| m.hosts().iter().zip(&hosts).all(|(h, list)| list.contains(&h.0));
        let k = mappings[rng.random_range(0..mappings.len())].makespan();
        for k in [k.saturating_sub(Ticks(1)), k, tiny::optimum(&instance)] {
            let exists = mappings.iter().any(|m| m.makespan() <= k && is_listed(m));
            let prices = random_prices(&instance, &mut rng);
            let formula = formula(&instance, k, &prices, &hosts);
            let has_model = formula.is_some_and(|formula| prove(&formula).0 == Answer::Sat);
            assert_eq!(has_model, exists, "{k} {prices:?} {hosts:?} {instance:?}");
            *(if exists { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 100 && no > 100, "one-sided test: {yes} {no}");
}

/// A true claim one tick below the optimum, if a case is left open there.
fn claim(instance: &Instance, rng: &mut ChaCha8Rng) -> Option<Claim> {
    let k = tiny::optimum(instance).checked_sub(Ticks(1))?;
    let (prices, hosts) = (random_prices(instance, rng), everywhere(instance));
    let (answer, proof) = prove(&formula(instance, k, &prices, &hosts)?);
    assert_eq!(answer, Answer::Unsat);
    Some(Claim { k, prices, hosts, proof })
}

#[test]
fn leaves_are_accepted() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut accepted = 0;
    for seed in 0..300 {
        let instance = tiny::sized(seed, 6, 3);
        let Some(claim) = claim(&instance, &mut rng) else { continue };
        let verdict = claim.check(&instance, &best(&instance));
        assert_eq!(verdict.map(Accepted::is_optimal), Ok(true), "{instance:?}");
        accepted += 1;
    }
    assert!(accepted > 50, "{accepted}");
}

fn demo() -> Instance {
    Instance::from_rows([[5, 6]; 5]).expect("valid")
}

#[test]
fn the_reason_for_a_rejection_is_told() {
    let instance = demo();
    let reason = |edit: &dyn Fn(&mut Claim)| {
        // Three tasks on one host end at 15.
        let (prices, hosts) = (vec![10; 5], everywhere(&instance));
        let (_, proof) = prove(&formula(&instance, Ticks(14), &prices, &hosts).expect("open"));
        let mut claim = Claim { k: Ticks(14), prices, hosts, proof };
        edit(&mut claim);
        let verdict = claim.check(&instance, &best(&instance));
        verdict.err().map_or("accepted".to_owned(), |error| error.to_string())
    };
    let tells = |edit: &dyn Fn(&mut Claim), what: &str| {
        let reason = reason(edit);
        assert!(reason.contains(what), "{reason}");
    };
    tells(&|_| {}, "accepted");
    tells(&|claim| claim.hosts[3].truncate(1), "task 3 may be on host 1, which the formula");
    tells(&|claim| claim.hosts.truncate(4), "4 lists of hosts for 5 tasks");
    tells(&|claim| claim.hosts[2].push(9), "accepted");
    tells(&|claim| claim.prices.truncate(4), "4 prices for 5 tasks");
    tells(&|claim| claim.proof.truncate(1), "proof \"p\", line 1");
    tells(&|claim| claim.proof.clear(), "ends without deriving the empty clause");
}

/// The case at a leaf may be smaller than the one its proof is about, never larger.
#[test]
fn a_leaf_speaks_of_its_case() {
    let instance = demo();
    let proven = |hosts: Vec<Vec<u32>>| {
        let prices = vec![10; 5];
        let formula = formula(&instance, Ticks(14), &prices, &hosts).expect("open");
        (hosts, prove(&formula).1)
    };
    let with = |list: Vec<u32>| {
        let mut hosts = everywhere(&instance);
        hosts[0] = list;
        proven(hosts)
    };
    let verdict = |leaves: [&(Vec<Vec<u32>>, Vec<u8>); 2]| {
        let leaf = |i: usize| {
            Node::Unsat(RefutedCase {
                prices: vec![10; 5],
                hosts: leaves[i].0.clone(),
                proof: i.to_string(),
                proof_sha256: sha256_hex(&leaves[i].1),
            })
        };
        let nodes = vec![Node::Branch { task: 0, host: 0 }, leaf(0), leaf(1)];
        let steps = vec![Step::Tree { k: Ticks(14), nodes }];
        let certificate = Document::new(&instance, &best(&instance), Ticks(15), steps);
        let open = |name: &str| {
            let proof = leaves[name.parse::<usize>().expect("a number")].1.clone();
            Ok(Box::new(io::Cursor::new(proof)) as Box<dyn Read>)
        };
        verify_certificate(&instance, &certificate, &open).map(Accepted::is_optimal)
    };
    let (on, off, both) = (with(vec![0]), with(vec![1]), with(vec![0, 1]));
    assert_eq!(verdict([&on, &off]), Ok(true));
    assert_eq!(verdict([&both, &off]), Ok(true));
    assert_eq!(verdict([&both, &both]), Ok(true));
    assert!(verdict([&off, &on]).is_err());
    assert!(verdict([&on, &on]).is_err());
}

/// Damaged leaves with the right hash, for true and false claims: the checker accepts only true
/// ones.
#[test]
fn whatever_is_accepted_is_true() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..100 {
        let instance = tiny::sized(seed, 5, 3);
        let optimum = tiny::optimum(&instance);
        let worst = tiny::worst(&instance);
        for _ in 0..30 {
            let Some(mut claim) = claim(&instance, &mut rng) else { continue };
            damage(&mut claim, &mut rng);
            if claim.k >= worst.makespan() {
                continue;
            }
            match claim.check(&instance, &worst) {
                Ok(_) => {
                    assert!(claim.k < optimum, "{} {:?} {instance:?}", claim.k, claim.hosts);
                    accepted += 1;
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(accepted > 50 && rejected > 300, "one-sided test: {accepted} {rejected}");
}

fn damage(claim: &mut Claim, rng: &mut ChaCha8Rng) {
    let task = rng.random_range(0..claim.prices.len());
    match rng.random_range(0..4) {
        0 => {
            let proof = String::from_utf8(claim.proof.clone()).expect("text");
            claim.proof = lrat::damage(&proof, rng);
        }
        1 => claim.prices[task] = rng.random_range(0..100),
        2 => drop(claim.hosts[task].pop()),
        _ => {}
    }
    claim.k += Ticks(rng.random_range(0..3));
}

/// Times that vary more between tasks than between hosts.
fn correlated(seed: u64, tasks: usize, hosts: usize) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let row = |_| {
        let length = rng.random_range(1..100_u64);
        (0..hosts).map(|_| length + rng.random_range(1..20)).collect::<Vec<_>>()
    };
    Instance::from_rows((0..tasks).map(row)).expect("valid")
}

fn tree(instance: &Instance, k: Ticks) -> Tree<'_> {
    let weights = linear(instance, &Stop::never()).weights;
    let ascent = Ascent::new(instance, &weights, k + Ticks(1));
    Tree::new(instance, k, ascent, &Stop::never()).with_solver(&SolverChoice::Varisat)
}

#[test]
fn a_tree_with_a_solver_is_right() {
    for seed in 0..60 {
        let instance = if seed % 2 == 0 { tiny::instance(seed) } else { correlated(seed, 9, 3) };
        let optimum = tiny::optimum(&instance);
        for k in (optimum.0.saturating_sub(3)..=optimum.0 + 1).map(Ticks) {
            match tree(&instance, k).run(0, 10_000) {
                Progress::Found(mapping) => assert!(mapping.makespan() <= k && k >= optimum),
                Progress::Refuted(_) => assert!(k < optimum, "{k} {instance:?}"),
                Progress::Open | Progress::Taken => unreachable!("tiny"),
            }
        }
    }
}

#[test]
fn a_tree_has_leaves_by_a_solver() {
    let instance = correlated(17, 24, 8);
    let progress = tree(&instance, Ticks(153)).run(0, 100);
    assert!(matches!(progress, Progress::Refuted(reason) if reason.needs_sat()));
}
