//! The encoding `window`: implied by the problem whatever the prices, and computed by the checker.

use gridsat_check::formula::Load;
use gridsat_check::formula::{
    CaseHost, Encoding, PairVars, TaskPrices, encode, encode_case, pairs,
};
use gridsat_check::verify::{Rejection, verify_certificate};
use gridsat_encodings::{AtMostOne, Budget, Cnf, Lit};
use gridsat_model::certificate::{Document, RefutedFormula, Step, sha256_hex};
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};
use gridsat_test_support::tiny::{best, worst};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::refuter::{Formula, random_instance};

fn formula(cnf: &Cnf, units: &[Lit]) -> Formula {
    let numbers = |clause: &[Lit]| clause.iter().map(|lit| lit.to_dimacs()).collect();
    let clauses = cnf.clauses().map(numbers);
    let units = units.iter().map(|lit| vec![lit.to_dimacs()]);
    Formula { variables: cnf.variables() as i32, clauses: clauses.chain(units).collect() }
}

fn windows(instance: &Instance, k: Ticks, prices: &[u64]) -> (Cnf, PairVars) {
    let prices = TaskPrices::new(instance, prices.to_vec()).expect("one per task");
    let encoding = Encoding::windows(prices, AtMostOne::Pairwise);
    let encoding = Encoding { symmetry: false, ..encoding };
    let mut cnf = Cnf::new();
    let pairs = encode(instance, k, &encoding, &mut cnf, &mut Budget::default()).expect("tiny");
    (cnf, pairs)
}

/// All mappings, possible or not, as hosts of the tasks.
fn all_mappings(instance: &Instance) -> impl Iterator<Item = Mapping> + '_ {
    let (n, m) = (instance.task_count() as u32, instance.host_count());
    let hosts = move |number: usize| {
        (0..n).map(|t| HostId((number / m.pow(t) % m) as u32)).collect::<Vec<_>>()
    };
    (0..m.pow(n)).filter_map(move |number| Mapping::new(instance, hosts(number)).ok())
}

/// Exhaustive: for every k exactly the mappings that end by k are models, whatever the prices.
#[test]
fn windows_keep_every_mapping_and_no_other() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let (mut inside, mut outside) = (0, 0);
    for round in 0..40 {
        let instance = random_instance(4, 2, &mut rng);
        let most = [1, 3, 20, 1 << 40][round % 4];
        let prices: Vec<u64> = (0..4).map(|_| rng.random_range(0..=most)).collect();
        for k in (0..=worst(&instance).makespan().0 + 1).step_by(1 + round % 3).map(Ticks) {
            let (cnf, pairs) = windows(&instance, k, &prices);
            for mapping in all_mappings(&instance) {
                let hosts = instance.tasks().map(|task| pairs.get(task, mapping.host(task)));
                let selected: Option<Vec<Lit>> = hosts.map(|var| Some(var?.positive())).collect();
                let is_model =
                    selected.is_some_and(|units| formula(&cnf, &units).refute().is_none());
                assert_eq!(is_model, mapping.makespan() <= k, "{k} {prices:?} {mapping:?}");
                *(if is_model { &mut inside } else { &mut outside }) += 1;
            }
        }
    }
    assert!(inside > 1000 && outside > 1000, "one-sided test: {inside} {outside}");
}

/// A step that claims this proof for windows with these prices.
fn claim(instance: &Instance, k: Ticks, prices: &[u64], proof: &str) -> Document {
    let step = Step::Unsat(RefutedFormula {
        k,
        encoding: Load::Window.name().to_owned(),
        at_most_one: AtMostOne::Pairwise.name().to_owned(),
        symmetry: false,
        surrogate: Vec::new(),
        prices: prices.to_vec(),
        proof: "p".to_owned(),
        proof_sha256: sha256_hex(proof.as_bytes()),
    });
    Document::new(instance, &worst(instance), k + Ticks(1), vec![step])
}

fn check(instance: &Instance, certificate: &Document, proof: &str) -> Result<(), Rejection> {
    let proof = proof.as_bytes().to_vec();
    let open = move |_: &str| -> std::io::Result<Box<dyn std::io::Read>> {
        Ok(Box::new(std::io::Cursor::new(proof.clone())))
    };
    verify_certificate(instance, certificate, &open).map(drop)
}

/// The windows at k with the best packings as given: what a forger with wrong values would refute.
fn with_best(
    instance: &Instance,
    k: Ticks,
    prices: &[u64],
    forge: impl Fn(usize, u64) -> u64,
) -> Cnf {
    let pairs = pairs(instance, k, Load::Window);
    let host = |host: HostId| {
        let time = |task: TaskId| {
            pairs.get(task, host).and_then(|_| Some((task, instance.time(task, host)?)))
        };
        let tasks: Vec<(TaskId, Ticks)> = instance.tasks().filter_map(time).collect();
        let room = instance.capacity(host, k).expect("ready");
        let sets = (0..1_u32 << tasks.len()).map(|set| {
            let chosen = || tasks.iter().enumerate().filter(move |(i, _)| set >> i & 1 == 1);
            let time: Ticks = chosen().map(|(_, &(_, time))| time).sum();
            let price: u64 = chosen().map(|(_, &(task, _))| prices[task.index()]).sum();
            if time <= room { price } else { 0 }
        });
        let best = forge(host.index(), sets.max().unwrap_or(0));
        CaseHost { room, tasks, best }
    };
    let hosts: Vec<CaseHost> = instance.hosts().map(host).collect();
    let mut cnf = Cnf::new();
    encode_case(instance, &hosts, prices, &mut cnf, &mut Budget::default()).expect("tiny");
    cnf
}

/// Best packings are not part of the certificate: the checker computes them. A proof made with a
/// value that is one too small, hence with windows that are too narrow, is not accepted.
#[test]
fn wrong_packings_are_rejected() {
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    let (mut honest, mut forged) = (0, 0);
    for _ in 0..200 {
        let instance = random_instance(4, 2, &mut rng);
        let prices: Vec<u64> = (0..4).map(|_| rng.random_range(1..=9)).collect();
        let optimum = best(&instance).makespan();
        if worst(&instance).makespan() == optimum {
            continue;
        }
        // Without forging the formula is that of the checker, clause by clause.
        if optimum > instance.latest_ready() {
            let k = optimum - Ticks(1);
            if let Some(proof) =
                formula(&with_best(&instance, k, &prices, |_, best| best), &[]).refute()
                && !windows(&instance, k, &prices).0.clauses().any(<[Lit]>::is_empty)
            {
                check(&instance, &claim(&instance, k, &prices, &proof), &proof).expect("true");
                honest += 1;
            }
        }
        for host in 0..2 {
            let smaller = |h, best: u64| best.saturating_sub(u64::from(h == host));
            let cnf = with_best(&instance, optimum, &prices, smaller);
            let Some(proof) = formula(&cnf, &[]).refute() else { continue };
            let certificate = claim(&instance, optimum, &prices, &proof);
            check(&instance, &certificate, &proof).expect_err("there is a mapping");
            forged += 1;
        }
    }
    assert!(honest > 50 && forged > 50, "one-sided test: {honest} {forged}");
}

/// A proof for one k or one price vector is rejected for a k that has a mapping, whatever prices
/// the certificate names.
#[test]
fn prices_of_another_k_do_not_refute() {
    let mut rng = ChaCha8Rng::seed_from_u64(43);
    let mut rejected = 0;
    for _ in 0..60 {
        let instance = random_instance(4, 2, &mut rng);
        let optimum = best(&instance).makespan();
        let worst = worst(&instance).makespan();
        let Some(k) = optimum.checked_sub(Ticks(1)) else { continue };
        let mut prices = || -> Vec<u64> { (0..4).map(|_| rng.random_range(0..=9)).collect() };
        let (made_with, named) = (prices(), prices());
        let proof =
            formula(&windows(&instance, k, &made_with).0, &[]).refute().expect("no mapping");
        for (claimed, prices) in
            [(optimum, &made_with), (optimum, &named), (worst - Ticks(1), &named)]
        {
            if (optimum..worst).contains(&claimed) {
                let certificate = claim(&instance, claimed, prices, &proof);
                check(&instance, &certificate, &proof).expect_err("there is a mapping");
                rejected += 1;
            }
        }
    }
    assert!(rejected > 100, "only {rejected} claims");
}
