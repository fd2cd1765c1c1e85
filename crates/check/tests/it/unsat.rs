//! Certificates that rest on a formula and its refutation: every encoding, valid and damaged
//! proofs.

use std::fs;
use std::path::Path;

use gridsat_check::formula::{Encoding, HostWeights, Load, TaskPrices, encode};
use gridsat_check::verify::{Accepted, FileVerdict, VerifyError, verify_file};
use gridsat_encodings::{AtMostOne, Budget, Cnf};
use gridsat_model::certificate::{Document, RefutedFormula, Step, sha256_hex};
use gridsat_model::{Instance, Mapping, Ticks};
use gridsat_test_support::lrat;
use gridsat_test_support::tiny::{best, worst};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::certificates;
use crate::refuter::{Formula, random_instance};

fn encodings() -> impl Iterator<Item = Encoding> {
    let engineered = Load::ALL.into_iter().filter(|&load| load != Load::Thesis);
    let options = engineered.flat_map(|load| {
        AtMostOne::ALL.into_iter().flat_map(move |at_most_one| {
            let surrogate = HostWeights::new(&demo(), vec![2, 3]);
            [(false, None), (true, None), (true, surrogate)].map(|(symmetry, surrogate)| {
                let prices = None;
                Encoding { load, at_most_one, symmetry, surrogate, prices }
            })
        })
    });
    options.chain([Encoding::THESIS]).chain(windows())
}

/// Windows for prices of several kinds, one per task of an instance with three.
fn windows() -> impl Iterator<Item = Encoding> {
    let prices = [[1, 1, 1], [3, 3, 4], [2, 9, 5], [0, 7, 0], [1 << 62, 1, 1 << 61]];
    prices.into_iter().flat_map(|prices| {
        let prices = TaskPrices::new(&demo(), prices.to_vec()).expect("one per task");
        let windows = Encoding::windows(prices, AtMostOne::Pairwise);
        [Encoding { symmetry: false, ..windows.clone() }, windows]
    })
}

fn formula(instance: &Instance, k: Ticks, encoding: &Encoding) -> Formula {
    let mut cnf = Cnf::new();
    encode(instance, k, encoding, &mut cnf, &mut Budget::default()).expect("tiny");
    let numbers =
        |clause: &[gridsat_encodings::Lit]| clause.iter().map(|lit| lit.to_dimacs()).collect();
    Formula { variables: cnf.variables() as i32, clauses: cnf.clauses().map(numbers).collect() }
}

/// Writes the proof and a certificate that claims that it refutes k.
fn write(
    directory: &Path,
    instance: &Instance,
    mapping: &Mapping,
    (k, encoding): (Ticks, &Encoding),
    proof: &[u8],
) -> Document {
    let _ = fs::remove_file(directory.join("proof.lrat"));
    fs::write(directory.join("proof.lrat"), proof).expect("temporary file");
    let step = Step::Unsat(RefutedFormula {
        k,
        encoding: encoding.load.name().to_owned(),
        at_most_one: encoding.at_most_one.name().to_owned(),
        symmetry: encoding.symmetry,
        surrogate: encoding.surrogate.as_ref().map_or(Vec::new(), |w| w.as_slice().to_vec()),
        prices: encoding.prices.as_ref().map_or(Vec::new(), |prices| prices.as_slice().to_vec()),
        proof: "proof.lrat".to_owned(),
        proof_sha256: sha256_hex(proof),
    });
    let certificate = Document::new(instance, mapping, k + Ticks(1), vec![step]);
    save(directory, &certificate);
    certificate
}

fn save(directory: &Path, certificate: &Document) {
    let path = directory.join("certificate.json");
    let _ = fs::remove_file(&path);
    let text = serde_json::to_string(certificate).expect("data");
    fs::write(path, text).expect("temporary file");
}

fn check(directory: &Path, instance: &Instance) -> Result<Accepted, VerifyError> {
    let verdict = verify_file(instance, &directory.join("certificate.json"))?;
    let FileVerdict::Certificate(verdict) = verdict else {
        unreachable!("not taken for a certificate: {verdict:?}");
    };
    Ok(verdict)
}

/// Three tasks on two equal hosts with optimum 6; the average load is 5, so only search proves it.
fn demo() -> Instance {
    Instance::from_rows([[3, 3], [3, 3], [4, 4]]).expect("valid")
}

#[test]
fn every_encoding_proves_the_optimum_and_no_more() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let mut rng = ChaCha8Rng::seed_from_u64(30);
    let random = (0..6).map(|_| random_instance(3, 2, &mut rng));
    for instance in std::iter::once(demo()).chain(random) {
        let best = best(&instance);
        let optimum = best.makespan();
        for encoding in &encodings().collect::<Vec<_>>() {
            assert_eq!(formula(&instance, optimum, encoding).refute(), None, "{encoding}");
            let Some(k) = optimum.checked_sub(Ticks(1)) else {
                continue;
            };
            let proof = formula(&instance, k, encoding).refute().expect("below the optimum");
            write(directory.path(), &instance, &best, (k, encoding), proof.as_bytes());
            let verdict = check(directory.path(), &instance).expect("good");
            assert!(verdict.is_optimal(), "{encoding}");
        }
    }
}

/// A proof for one k, encoding or option is rejected for another, unless the formula is the same.
#[test]
fn a_proof_belongs_to_its_formula() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let instance = demo();
    let worst = worst(&instance);
    for encoding in &encodings().collect::<Vec<_>>() {
        let proof = formula(&instance, Ticks(5), encoding).refute().expect("best is 6");
        for k in 6..10 {
            write(directory.path(), &instance, &worst, (Ticks(k), encoding), proof.as_bytes());
            let error = check(directory.path(), &instance).expect_err("false").to_string();
            assert!(error.contains("step 0 (unsat) does not refute"), "{error}");
        }
    }
}

#[test]
fn tampering_is_rejected_with_its_reason() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (instance, encoding) = (demo(), &Encoding::THESIS);
    let proof = formula(&instance, Ticks(5), encoding).refute().expect("best is 6");
    let good = write(
        directory.path(),
        &instance,
        &best(&instance),
        (Ticks(5), encoding),
        proof.as_bytes(),
    );
    check(directory.path(), &instance).expect("good");

    let reason = |edit: &dyn Fn(&mut String, &mut String)| {
        let mut bad = good.clone();
        if let Step::Unsat(refuted) = &mut bad.steps[0] {
            edit(&mut refuted.proof, &mut refuted.proof_sha256);
        }
        save(directory.path(), &bad);
        check(directory.path(), &instance).expect_err("damaged").to_string()
    };
    let hash = reason(&|_, hash| *hash = "ab".to_owned());
    assert!(hash.contains("SHA-256 of proof \"proof.lrat\" is "), "{hash}");
    let absent = reason(&|name, _| *name = "absent".to_owned());
    assert!(absent.contains("cannot read proof \"absent\""), "{absent}");
    let elsewhere = reason(&|name, _| *name = "../proof.lrat".to_owned());
    assert!(elsewhere.contains("is not a plain file name"), "{elsewhere}");

    let cut = &proof[..proof.trim_end().rfind('\n').expect("some lines")];
    write(directory.path(), &instance, &best(&instance), (Ticks(5), encoding), cut.as_bytes());
    let error = check(directory.path(), &instance).expect_err("cut").to_string();
    assert!(error.contains("ends without deriving the empty clause"), "{error}");
}

/// Damaged proofs with the right hash: whatever is accepted is true.
#[test]
fn whatever_is_accepted_is_true() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let all: Vec<_> = encodings().collect();
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..certificates(1_800) / 30 {
        let instance = random_instance(3, 2, &mut rng);
        let optimum = best(&instance).makespan();
        let worst = worst(&instance);
        let encoding = &all[rng.random_range(0..all.len())];
        let Some(k) = optimum.checked_sub(Ticks(1)) else {
            continue;
        };
        let proof = formula(&instance, k, encoding).refute().expect("below the optimum");
        for _ in 0..30 {
            let claim =
                k.saturating_add(Ticks(rng.random_range(0..3))).min(worst.makespan() - Ticks(1));
            let bad = lrat::damage(&proof, &mut rng);
            write(directory.path(), &instance, &worst, (claim, encoding), &bad);
            match check(directory.path(), &instance) {
                Ok(verdict) => {
                    assert!(verdict.lower_bound() <= optimum, "{encoding} {claim} {instance:?}");
                    accepted += 1;
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(accepted > 50 && rejected > 300, "one-sided test: {accepted} {rejected}");
}
