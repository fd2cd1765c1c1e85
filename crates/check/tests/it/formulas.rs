//! What formulas say: a mapping satisfies the one for k exactly if its makespan is at most k.

use std::collections::HashSet;

use gridsat_check::formula::{Encoding, HostWeights, IncrementalFormula, Load, PairVars, encode};
use gridsat_encodings::{AtMostOne, Budget, Cnf, Lit};
use gridsat_model::{HostId, Instance, Mapping, Ticks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::refuter::{Formula, propagate, random_instance};

const CASES: u64 = 40;

/// All mappings of a tiny instance.
fn mappings(instance: &Instance) -> Vec<Mapping> {
    let (tasks, hosts) = (instance.task_count(), instance.host_count());
    let host = |code: usize, task: usize| HostId((code / hosts.pow(task as u32) % hosts) as u32);
    let codes = 0..hosts.pow(tasks as u32);
    let hosts = codes.map(|code| (0..tasks).map(|task| host(code, task)).collect());
    hosts.filter_map(|hosts| Mapping::new(instance, hosts).ok()).collect()
}

/// Whether the clauses allow these literals to be true. They give every pair a value, and all other
/// variables follow from these, so that unit propagation finds every contradiction.
fn allows(cnf: &Cnf, literals: impl Iterator<Item = Lit>) -> bool {
    let numbers = |clause: &[Lit]| clause.iter().map(|lit| lit.to_dimacs()).collect();
    let mut clauses: Vec<Vec<i32>> = cnf.clauses().map(numbers).collect();
    clauses.extend(literals.map(|lit| vec![lit.to_dimacs()]));
    propagate(&Formula { variables: cnf.variables() as i32, clauses }, &[]).is_ok()
}

/// No symmetry is broken, so that every mapping counts.
fn encoding(load: Load, instance: &Instance, rng: &mut ChaCha8Rng) -> Encoding {
    let at_most_one = AtMostOne::ALL[rng.random_range(0..AtMostOne::ALL.len())];
    // Large weights are divided by a unit, and rounded.
    let most = [3, HostWeights::MAX][rng.random_range(0..2)];
    let weights = instance.hosts().map(|_| rng.random_range(0..=most)).collect();
    let surrogate = HostWeights::new(instance, weights).filter(|_| rng.random());
    Encoding { load, at_most_one, symmetry: false, surrogate, prices: None }
}

/// Nothing but this encoding of loads.
fn plain(load: Load) -> Encoding {
    let at_most_one = AtMostOne::Pairwise;
    Encoding { load, at_most_one, symmetry: false, surrogate: None, prices: None }
}

fn instances() -> impl Iterator<Item = (Instance, ChaCha8Rng)> {
    (0..CASES).map(|seed| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (tasks, hosts) = (rng.random_range(1..4), rng.random_range(1..4));
        (random_instance(tasks, hosts, &mut rng), rng)
    })
}

/// Every makespan, and the next smaller one.
fn interesting(mappings: &[Mapping]) -> Vec<Ticks> {
    let makespans = mappings.iter().map(Mapping::makespan);
    let mut all: Vec<Ticks> =
        makespans.flat_map(|k| [Some(k), k.checked_sub(Ticks(1))]).flatten().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The mapping is read back from a model that has just its pairs.
fn assert_read_back(pairs: &PairVars, instance: &Instance, mapping: &Mapping) {
    let chosen: Vec<Lit> = pairs.select(mapping).collect();
    let is_true = |var: gridsat_encodings::Var| chosen.contains(&var.positive());
    let read = pairs.read_model(instance, is_true).expect("a host for every task");
    assert_eq!(read.hosts(), mapping.hosts());
}

#[test]
fn a_formula_allows_the_mappings_within_k_and_no_others() {
    for (instance, mut rng) in instances() {
        let mappings = mappings(&instance);
        // The comparator of the thesis does not propagate; the tests of refutations have it.
        for load in Load::ALL.into_iter().filter(|&load| load != Load::Thesis) {
            let encoding = encoding(load, &instance, &mut rng);
            for k in interesting(&mappings) {
                let mut cnf = Cnf::new();
                let pairs = encode(&instance, k, &encoding, &mut cnf, &mut Budget::default());
                let pairs = pairs.expect("tiny");
                for mapping in &mappings {
                    let expected = mapping.makespan() <= k;
                    let found = allows(&cnf, pairs.select(mapping));
                    assert_eq!(found, expected, "{encoding} {k:?} {mapping:?} {instance:?}");
                    if expected {
                        assert_read_back(&pairs, &instance, mapping);
                    }
                }
            }
        }
    }
}

/// The name of an encoding stands for these clauses and no others.
#[test]
fn every_encoding_of_loads_has_clauses_of_its_own() {
    let instance = Instance::from_rows([[3, 5], [4, 2], [6, 7], [2, 2]]).expect("valid");
    let clauses: HashSet<Vec<Vec<Lit>>> = Load::ALL
        .into_iter()
        .map(|load| {
            let mut cnf = Cnf::new();
            let encoding = plain(load);
            encode(&instance, Ticks(8), &encoding, &mut cnf, &mut Budget::default()).expect("tiny");
            cnf.clauses().map(<[Lit]>::to_vec).collect()
        })
        .collect();
    assert_eq!(clauses.len(), Load::ALL.len());
}

#[test]
fn weights_above_the_limit_are_refused() {
    let instance = Instance::from_rows([[3, 5], [4, 2]]).expect("valid");
    let weights = |first| HostWeights::new(&instance, vec![first, 1]).is_some();
    assert!(weights(HostWeights::MAX) && !weights(HostWeights::MAX + 1));
    assert!(HostWeights::new(&instance, vec![1]).is_none());
}

#[test]
fn an_incremental_formula_allows_the_same_for_every_limit() {
    for (instance, mut rng) in instances() {
        let mappings = mappings(&instance);
        let ks = interesting(&mappings);
        let most = ks[rng.random_range(0..ks.len())];
        for load in Load::ALL {
            let Load::Engineered(inner) = load else { continue };
            let encoding = encoding(load, &instance, &mut rng);
            let (mut cnf, mut budget) = (Cnf::new(), Budget::default());
            let formula =
                IncrementalFormula::new(&instance, most, &encoding, inner, &mut cnf, &mut budget);
            let mut formula = formula.expect("tiny");
            // Limits are asked for in any order, and stay without effect unless assumed.
            let limits: Vec<(Ticks, Option<Lit>)> = ks
                .iter()
                .rev()
                .filter(|&&k| k < most)
                .map(|&k| (k, Some(formula.limit(k, &mut cnf, &mut budget).expect("tiny"))))
                .collect();
            for (k, guard) in limits.into_iter().chain([(most, None)]) {
                for mapping in &mappings {
                    let expected = mapping.makespan() <= k;
                    let literals = formula.pairs().select(mapping).chain(guard);
                    let found = allows(&cnf, literals);
                    assert_eq!(found, expected, "{encoding} {k:?} {mapping:?} {instance:?}");
                }
            }
        }
    }
}
