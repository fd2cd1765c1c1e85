//! Valid certificates are accepted, damaged ones are accepted only if they are still true.

use std::fs;
use std::path::Path;

use gridsat_check::verify::{
    Accepted, Claim, FileVerdict, LratChecker, Rejection, VerifyError, rounded_decimals,
    verify_certificate, verify_file,
};
use gridsat_encodings::{ClauseSink, Lit};
use gridsat_model::certificate::{Document, Node, RefutedFormula, Step};
use gridsat_model::{Instance, InstanceParts, Mapping, Scale, Ticks};
use gridsat_test_support::outside::data;
use gridsat_test_support::tiny::{best, mappings, worst};
use gridsat_test_support::{braun, lrat};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::refuter::{Formula, random_instance};

fn certificate(instance: &Instance, mapping: &Mapping, steps: Vec<Step>) -> Document {
    let lower_bound = steps.last().map_or(Ticks::ZERO, |step| step.k() + Ticks(1));
    Document::new(instance, mapping, lower_bound, steps)
}

fn verify(instance: &Instance, certificate: &Document) -> Result<Accepted, Rejection> {
    verify_certificate(instance, certificate, &|_| Err(std::io::Error::other("no proofs here")))
}

/// Valid steps of each kind, found with the checker itself; weights are random.
fn honest_steps(instance: &Instance, rng: &mut ChaCha8Rng) -> Vec<Step> {
    let best = best(instance);
    let mut steps = Vec::new();
    for k in (0..best.makespan().0).map(Ticks) {
        let weights = instance.hosts().map(|_| rng.random_range(0..5)).collect();
        let tries = [
            Step::Ready { k, host: rng.random_range(0..instance.host_count() as u32) },
            Step::LongestTask { k, task: rng.random_range(0..instance.task_count() as u32) },
            Step::Weights { k, weights },
        ];
        let holds = |step: &Step| {
            verify(instance, &certificate(instance, &best, vec![step.clone()])).is_ok()
        };
        steps.extend(tries.into_iter().filter(holds));
    }
    steps
}

/// Four tasks on two equal hosts with optimum 12, which the weights prove.
fn demo() -> (Instance, Document) {
    let times = [0.7, 0.5, 0.6, 0.6].map(|time| [time; 2]);
    let instance = Instance::from_rows(times).expect("valid");
    let steps = vec![
        Step::LongestTask { k: Ticks(6), task: 0 },
        Step::Weights { k: Ticks(11), weights: vec![1, 1] },
    ];
    let certificate = certificate(&instance, &best(&instance), steps);
    (instance, certificate)
}

#[test]
fn a_good_certificate_is_accepted() {
    let (instance, certificate) = demo();
    let verdict = verify(&instance, &certificate).expect("good");
    assert_eq!((verdict.makespan(), verdict.lower_bound()), (Ticks(12), Ticks(12)));
    assert!(verdict.is_optimal());
}

#[test]
fn a_bound_below_the_makespan_is_accepted_as_such() {
    let (instance, mut certificate) = demo();
    certificate.steps.pop();
    certificate.lower_bound = Ticks(7);
    let verdict = verify(&instance, &certificate).expect("good");
    assert_eq!((verdict.makespan(), verdict.lower_bound()), (Ticks(12), Ticks(7)));
    assert!(!verdict.is_optimal());
    certificate.steps.clear();
    certificate.lower_bound = Ticks(0);
    assert_eq!(verify(&instance, &certificate).map(|v| v.lower_bound()), Ok(Ticks::ZERO));
}

#[test]
fn each_kind_of_tampering_is_rejected_with_its_reason() {
    type Edit = fn(&mut Document);
    let edits: [(Edit, &str); 21] = [
        (|c| c.format = "x".into(), r#"format is "x", expected "gridsat-certificate""#),
        (|c| c.version = 2, "format version is 2, this program reads version 1"),
        (|c| c.instance.tasks = 5, "certificate is for tasks 5, the instance has 4"),
        (|c| c.instance.hosts = 1, "certificate is for hosts 1, the instance has 2"),
        (|c| c.instance.decimals = 0, "certificate is for decimals 0, the instance has 1"),
        (|c| c.instance.sha256 = "ab".into(), "certificate is for SHA-256 ab, the instance has "),
        (|c| c.mapping.truncate(3), "mapping has 3 tasks, the instance 4"),
        (|c| c.mapping[1] = 2, "task 1 is mapped to host 2, but there are only 2 hosts"),
        (|c| c.mapping = vec![0; 4], "makespan is claimed to be 12, but the mapping's is 24"),
        (|c| c.makespan = Ticks(11), "makespan is claimed to be 11, but the mapping's is 12"),
        (|c| c.lower_bound = Ticks(13), "lower bound 13 exceeds the makespan 12 of the mapping"),
        (
            |c| c.lower_bound = Ticks(11),
            "lower bound is claimed to be 11, but the steps are for 12",
        ),
        (|c| c.lower_bound = Ticks(0), "lower bound is claimed to be 0, but the steps are for 12"),
        (|c| c.steps.truncate(1), "lower bound is claimed to be 12, but the steps are for 7"),
        (|c| c.steps.clear(), "lower bound is claimed to be 12, but the steps are for 0"),
        (|c| c.steps.reverse(), "lower bound is claimed to be 12, but the steps are for 7"),
        (
            |c| c.steps[0] = Step::LongestTask { k: Ticks(u64::MAX), task: 0 },
            "step 0 refutes 18446744073709551615, but the mapping has makespan 12",
        ),
        (
            |c| c.steps[1] = Step::Weights { k: Ticks(12), weights: vec![1, 1] },
            "step 1 refutes 12, but the mapping has makespan 12",
        ),
        (
            |c| c.steps[0] = Step::LongestTask { k: Ticks(6), task: 1 },
            "step 0 (longest-task) does not refute 6: task 1 ends in time on host 0, at 5",
        ),
        (
            |c| c.steps[0] = Step::Ready { k: Ticks(6), host: 1 },
            "step 0 (ready) does not refute 6: host 1 is ready at 0, in time",
        ),
        (
            |c| c.steps[1] = Step::Weights { k: Ticks(11), weights: vec![1, 2] },
            "step 1 (weights) does not refute 11: the weighted work 24 does not exceed the \
             weighted room 33",
        ),
    ];
    let (instance, good) = demo();
    for (edit, reason) in edits {
        let mut bad = good.clone();
        edit(&mut bad);
        let found = verify(&instance, &bad).expect_err(reason).to_string();
        assert!(found.starts_with(reason), "{found}\n{reason}");
    }
}

#[test]
fn unsat_steps_must_name_known_things() {
    let (instance, mut certificate) = demo();
    let tasks = instance.task_count();
    let mut reason = |encoding: &str, at_most_one: &str, prices: &[u64], proof: &str| {
        certificate.steps[1] = Step::Unsat(RefutedFormula {
            k: Ticks(11),
            encoding: encoding.into(),
            at_most_one: at_most_one.into(),
            symmetry: true,
            surrogate: Vec::new(),
            prices: prices.to_vec(),
            proof: proof.into(),
            proof_sha256: String::new(),
        });
        let prefix = "step 1 (unsat) does not refute 11: ";
        let reason = verify(&instance, &certificate).expect_err("unknown").to_string();
        reason.strip_prefix(prefix).expect(prefix).to_owned()
    };
    assert!(reason("magic", "ladder", &[], "p").starts_with(r#"unknown encoding "magic""#));
    let at_most_one = reason("adder", "magic", &[], "p");
    assert!(at_most_one.starts_with(r#"unknown at-most-one encoding "magic""#), "{at_most_one}");
    let unused = reason("adder", "ladder", &vec![1; tasks], "p");
    assert_eq!(unused, r#"prices belong to the encoding "window" only"#);
    for prices in [vec![1; tasks + 1], vec![u64::MAX; tasks]] {
        let wrong = reason("window", "ladder", &prices, "p");
        assert!(wrong.contains("one per task, that add up to less than 2^64"), "{wrong}");
    }
    let name = reason("adder", "ladder", &[], "../p");
    assert_eq!(name, r#""../p" is not a plain file name"#);
    let missing = reason("adder", "ladder", &[], "p");
    assert_eq!(missing, r#"cannot read proof "p": no proofs here"#);
}

/// A certificate applies to one instance; if any number of the instance changes, it is rejected.
#[test]
fn a_certificate_is_bound_to_its_instance() {
    let (instance, certificate) = demo();
    let parts = |scale, time, ready| InstanceParts {
        etc: instance
            .tasks()
            .map(|t| instance.hosts().map(|h| instance.time(t, h).map(|p| p + time)).collect())
            .collect(),
        ready: vec![ready, Ticks(0)],
        scale: Scale::new(scale).expect("small"),
        ..InstanceParts::default()
    };
    let check = |parts| verify(&Instance::new(parts).expect("valid"), &certificate);
    assert!(check(parts(1, Ticks(0), Ticks(0))).is_ok(), "names do not count");
    for other in
        [parts(2, Ticks(0), Ticks(0)), parts(1, Ticks(1), Ticks(0)), parts(1, Ticks(0), Ticks(1))]
    {
        assert!(matches!(check(other), Err(Rejection::OtherInstance { .. })));
    }
}

/// Every rule at every k around the optimum, together with the worst mapping, so that only the rule
/// itself can reject a false claim.
#[test]
fn no_rule_refutes_a_possible_k() {
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    let (mut accepted, mut tight) = (0, 0);
    for _ in 0..300 {
        let (tasks, hosts) = (rng.random_range(1..5), rng.random_range(1..4));
        let instance = random_instance(tasks, hosts, &mut rng);
        let optimum = best(&instance).makespan();
        let worst = worst(&instance);
        for k in (0..worst.makespan().0).map(Ticks) {
            let mut steps: Vec<_> = (0..hosts as u32).map(|host| Step::Ready { k, host }).collect();
            steps.extend((0..tasks as u32).map(|task| Step::LongestTask { k, task }));
            for largest in [2, 2, 2, 4, 9] {
                let weights = (0..hosts).map(|_| rng.random_range(0..largest)).collect();
                steps.push(Step::Weights { k, weights });
            }
            for step in steps {
                if verify(&instance, &certificate(&instance, &worst, vec![step.clone()])).is_ok() {
                    assert!(k < optimum, "{step:?} {instance:?}");
                    accepted += 1;
                    tight += u32::from(k + Ticks(1) == optimum);
                }
            }
        }
    }
    assert!(accepted > 1000 && tight > 300, "one-sided test: {accepted} {tight}");
}

/// The main test: of thousands of damaged certificates, those still accepted are still true.
#[test]
fn whatever_is_accepted_is_true() {
    let mut rng = ChaCha8Rng::seed_from_u64(20);
    let directory = tempfile::tempdir().expect("temporary directory");
    let path = directory.path().join("certificate.json");
    let (mut accepted, mut rejected, mut unreadable) = (0, 0, 0);
    for round in 0..150 {
        let (tasks, hosts) = (rng.random_range(1..6), rng.random_range(1..4));
        let instance = random_instance(tasks, hosts, &mut rng);
        let optimum = best(&instance).makespan();
        let steps = honest_steps(&instance, &mut rng);
        // A poor mapping leaves a range for false bounds between optimum and makespan.
        let all = mappings(&instance);
        let mapping = &all[rng.random_range(0..all.len())];
        let good = serde_json::to_value(certificate(&instance, mapping, steps)).expect("data");
        assert!(check(&instance, optimum, &path, &good).is_ok(), "round {round}: {good}");
        for _ in 0..40 {
            let mut bad = good.clone();
            for _ in 0..rng.random_range(1..4) {
                damage(&mut bad, &mut rng);
            }
            match check(&instance, optimum, &path, &bad) {
                Ok(_) => accepted += 1,
                Err(VerifyError::Rejected { .. }) => rejected += 1,
                Err(_) => unreadable += 1,
            }
        }
    }
    let counts = [accepted, rejected, unreadable];
    assert!(counts.iter().all(|&count| count > 300), "one-sided test: {counts:?}");
}

fn check(
    instance: &Instance,
    optimum: Ticks,
    path: &Path,
    file: &Value,
) -> Result<FileVerdict, VerifyError> {
    // Some file systems flush a file that is truncated and rewritten, but not a new one.
    let _ = fs::remove_file(path);
    fs::write(path, file.to_string()).expect("temporary file");
    let verdict = verify_file(instance, path)?;
    assert!(verdict.makespan() >= optimum, "{file}");
    if let FileVerdict::Certificate(verdict) = verdict {
        assert!(verdict.lower_bound() <= optimum, "{file}");
    }
    Ok(verdict)
}

/// Changes one value somewhere in a JSON document, usually a leaf.
fn damage(value: &mut Value, rng: &mut ChaCha8Rng) {
    let descend = rng.random_bool(0.85);
    match value {
        Value::Object(map) if descend && !map.is_empty() => {
            let at = rng.random_range(0..map.len());
            damage(map.values_mut().nth(at).expect("in range"), rng);
        }
        Value::Array(list) if descend && !list.is_empty() => {
            let at = rng.random_range(0..list.len());
            damage(&mut list[at], rng);
        }
        Value::Object(map) => {
            let key = map.keys().nth(rng.random_range(0..map.len())).cloned();
            key.and_then(|key| map.remove(&key));
        }
        Value::Array(list) if !list.is_empty() => {
            let (i, j) = (rng.random_range(0..list.len()), rng.random_range(0..list.len()));
            match rng.random_range(0..3) {
                0 => drop(list.remove(i)),
                1 => list.swap(i, j),
                _ => list.insert(i, list[j].clone()),
            }
        }
        Value::Number(number) => {
            let old = number.as_u64().unwrap_or(0);
            let new =
                [old.saturating_add(1), old.saturating_sub(1), rng.random_range(0..40), u64::MAX];
            let new = new[rng.random_range(0..new.len())];
            *value = if rng.random_bool(0.03) { (-1).into() } else { new.into() };
        }
        Value::String(text) if rng.random() => text.push('0'),
        Value::String(text) => drop(text.pop()),
        other => *other = Value::Bool(rng.random()),
    }
}

/// The same for proofs: damaged proofs of damaged formulas, most of which are satisfiable.
#[test]
fn no_satisfiable_formula_is_refuted() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let (mut accepted, mut satisfiable) = (0, 0);
    for _ in 0..400 {
        let variables = rng.random_range(3..7);
        let formula = Formula::random_3_sat(variables, 8 * variables as usize, &mut rng);
        let Some(proof) = formula.refute() else {
            assert!(formula.is_satisfiable());
            continue;
        };
        assert_eq!(lrat(&formula, proof.as_bytes()), Ok(()), "{formula:?}\n{proof}");
        for _ in 0..20 {
            let mut weaker = formula.clone();
            for _ in 0..rng.random_range(0..20) {
                let at = rng.random_range(0..weaker.clauses.len());
                weaker.clauses[at] = vec![1, -1]; // a tautology, so the numbering stays
            }
            let bad = lrat::damage(&proof, &mut rng);
            let is_satisfiable = weaker.is_satisfiable();
            satisfiable += u32::from(is_satisfiable);
            for proof in [proof.as_bytes(), &bad] {
                let is_accepted = lrat(&weaker, proof).is_ok();
                accepted += u32::from(is_accepted);
                let shown = String::from_utf8_lossy(proof);
                assert!(!(is_accepted && is_satisfiable), "{weaker:?}\n{shown}");
            }
        }
    }
    assert!(accepted > 300 && satisfiable > 300, "one-sided test: {accepted} {satisfiable}");
}

fn lrat(formula: &Formula, proof: &[u8]) -> Result<(), String> {
    let mut checker = LratChecker::new();
    for _ in 0..formula.variables {
        checker.new_var();
    }
    for clause in &formula.clauses {
        let lits = clause.iter().filter_map(|&number| Lit::from_dimacs(number));
        checker.add_clause(&lits.collect::<Vec<_>>());
    }
    checker.check(proof).map_err(|error| error.to_string())
}

/// Random bytes of all kinds give an error, never a panic.
#[test]
fn garbage_is_an_error() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    let formula = Formula::random_3_sat(4, 6, &mut rng);
    for _ in 0..3000 {
        let length = rng.random_range(0..60);
        let alphabet = b"0123456789 -d\n\0\xff";
        let word = |_| alphabet[rng.random_range(0..alphabet.len())];
        let bytes: Vec<u8> = (0..length).map(word).collect();
        assert!(lrat(&formula, &bytes).is_err());
    }
}

struct Files {
    directory: tempfile::TempDir,
    instance: Instance,
}

impl Files {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("temporary directory");
        let (instance, _) = demo();
        Self { directory, instance }
    }

    fn verify(&self, name: &str, content: impl AsRef<[u8]>) -> Result<FileVerdict, VerifyError> {
        let path = self.directory.path().join(name);
        fs::write(&path, content).expect("temporary file");
        verify_file(&self.instance, &path)
    }

    fn accepts(&self, content: &str) {
        let verdict = self.verify("file", content).expect(content);
        assert_eq!(verdict, FileVerdict::Mapping { makespan: Ticks(12) });
    }

    fn rejects(&self, content: &str, expected: &str) {
        let error = self.verify("file", content).expect_err(content);
        let VerifyError::Rejected { reason, .. } = &error else { panic!("{error:?}") };
        assert_eq!(reason.to_string(), expected);
    }

    fn cannot_read(&self, content: impl AsRef<[u8]>, expected: &str) {
        let error = self.verify("file", content).expect_err(expected);
        assert!(
            matches!(&error, VerifyError::Unreadable { reason, .. }
                if reason.to_string().starts_with(expected)),
            "{error:?}"
        );
    }
}

#[test]
fn mappings_are_recognised_in_all_their_forms() {
    let files = Files::new();
    files.accepts("[0, 0, 1, 1]");
    files.accepts("0\n0\r\n1\n1\n\n");
    files.accepts("0 0 1 1");
    files.accepts("h0\nh0\nh1\nh1\n");
    files.accepts(r#"["h0", "h0", "h1", 1]"#);
    files.accepts("task,host\nt3,h1\n0,h0\n1,0\nt2,1\n");
    files.accepts(r#" {"mapping": [0, 0, 1, 1]}"#);
    files.accepts(r#"{"status": "optimal", "makespan": 1.2, "mapping": [0, 0, 1, 1]}"#);
    files.accepts(r#"{"makespan": 0.120e1, "mapping": [0, 0, 1, 1]}"#);
    files.accepts(r#"{"makespan": null, "mapping": [0, 0, 1, 1]}"#);
}

/// What can be said of a file before it is checked.
#[test]
fn claims_name_their_rules_and_how_times_were_rounded() {
    let claim = |text: &str| Claim::of(Path::new("file"), text.to_owned());
    let (_, certificate) = demo();
    let text = serde_json::to_string(&certificate).expect("JSON");
    assert_eq!(claim(&text).rules(), ["longest-task", "weights"]);
    assert_eq!(claim(&text).certificate(), Some(certificate));
    let files = Files::new();
    let rounded = |text: &str| {
        let path = files.directory.path().join("file");
        fs::write(&path, text).expect("temporary file");
        rounded_decimals(&path)
    };
    let result = r#"{"decimals": 2, "rounded": true, "instance": "a", "mapping": [0, 0, 1, 1]}"#;
    assert_eq!((rounded(&text), rounded(result)), (None, Some(2)));
    let inner = r#"{"instance": {"decimals": 3, "rounded": true}}"#;
    assert_eq!(rounded(inner), Some(3));
    assert!(claim(result).rules().is_empty() && claim(result).certificate().is_none());
}

#[test]
fn false_mappings_are_rejected() {
    let files = Files::new();
    files.rejects("[0, 0, 1]", "mapping has 3 tasks, the instance 4");
    files.rejects("0\n0\n1\n2\n", "task 3 is mapped to host 2, but there are only 2 hosts");
    for claimed in ["12", "1.3", "1.2000000000000000001", "-1.2"] {
        let answer = format!(r#"{{"makespan": {claimed}, "mapping": [0, 0, 1, 1]}}"#);
        let reason = format!("makespan is claimed to be {claimed}, but the mapping's is 1.2");
        files.rejects(&answer, &reason);
    }
    files.rejects(
        r#"{"format": "gridsat-certificate", "version": 2, "new": []}"#,
        "format version is 2, this program reads version 1",
    );
    // Results of commands name their format, too. They are read as mappings.
    let result = |makespan| {
        format!(
            r#"{{"format": "gridsat-solution 1", "makespan": {makespan}, "mapping": [0, 0, 1, 1]}}"#
        )
    };
    files.rejects(&result("1.3"), "makespan is claimed to be 1.3, but the mapping's is 1.2");
    files.accepts(&result("1.2"));
    files.rejects(
        r#"{"format": "other", "version": 1, "mapping": [0, 0, 1, 1]}"#,
        r#"format is "other", expected "gridsat-certificate""#,
    );
}

#[test]
fn a_verdict_is_one_line_whatever_the_file_names() {
    let files = Files::new();
    for (content, expected) in [
        (
            "{\"format\": \"gridsat-certificate\", \"version\": 1, \"a\\nb\": 1}",
            "unknown field `a\\nb`",
        ),
        (
            "{\"format\": \"gridsat-certificate\", \"version\": 1, \"\\u001b[2J\": 1}",
            "`\\u{1b}[2J`",
        ),
    ] {
        let message = files.verify("file", content).expect_err(content).to_string();
        assert!(message.contains(expected), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn other_files_are_unreadable() {
    let files = Files::new();
    files.cannot_read("0\n0\nx1\n1\n", r#"line 3: "x1" is neither the number nor the name"#);
    files.cannot_read("0\n-1\n", r#"line 2: "-1" is neither the number nor the name"#);
    let half = "invalid type: floating point `1.5`, expected the number or the name of a host";
    files.cannot_read("[0, 0, 1, 1.5]", half);
    files.cannot_read(r#"[0, 0, 1, "x"]"#, r#""x" is not the name of exactly one host"#);
    files.cannot_read("task,host\n0,0\n1,9z\n", "line 3: there is no host '9z'");
    files.cannot_read(r#"{"results": []}"#, "'results' is empty: there is no mapping");
    files.cannot_read("[0, 0, 1, 1", "EOF while parsing a list");
    files.cannot_read("{}", "neither 'format' nor 'mapping' in the object");
    files.cannot_read(r#"{"mapping": null}"#, "neither 'format' nor 'mapping' in the object");
    files.cannot_read(r#"{"mapping": 7}"#, "'mapping' is not a list of hosts");
    let words = r#"{"makespan": "1.2", "mapping": [0, 0, 1, 1]}"#;
    files.cannot_read(words, "'makespan' is not a number");
    files.cannot_read(r#"{"format": "gridsat-certificate", "version": 1}"#, "missing field");
    files.cannot_read(b"\xff\xfe\x00", "neither a certificate nor a mapping: not UTF-8");
    files.cannot_read("[".repeat(1 << 20), "invalid type: sequence");
    files.cannot_read(r#"{"a":"#.repeat(1 << 20), "EOF while parsing a value");
    let missing = verify_file(&files.instance, Path::new("no such file"));
    assert!(matches!(missing, Err(VerifyError::Unreadable { .. })));
}

#[test]
fn unknown_and_repeated_fields_are_refused() {
    let (instance, certificate) = demo();
    let files = Files { instance, ..Files::new() };
    let text = serde_json::to_string(&certificate).expect("data");
    let accepted = files.verify("file", &text).expect("good");
    assert!(matches!(accepted, FileVerdict::Certificate(verdict) if verdict.is_optimal()));
    let with = |old: &str, new: &str| text.replacen(old, new, 1);
    files.cannot_read(with(r#""makespan""#, r#""x":1,"makespan""#), "unknown field `x`");
    let twice = with(r#""lower_bound""#, r#""lower_bound":0,"lower_bound""#);
    files.cannot_read(twice, "duplicate field `lower_bound`");
    files.cannot_read(with(r#""k":"#, r#""x":1,"k":"#), "unknown field `x`");
    files.cannot_read(with(r#""k":"#, r#""k":1,"k":"#), "duplicate field `k`");
    files.cannot_read(with(r#""longest-task""#, r#""magic""#), "unknown variant `magic`");
    files.cannot_read(with(r#""makespan":12"#, r#""makespan":12.0"#), "invalid type");
}

#[test]
fn unknown_fields_of_nodes_are_refused() {
    let (instance, mut certificate) = demo();
    let nodes = vec![Node::Fix { prices: vec![7, 5, 6, 6] }, Node::Nowhere];
    certificate.steps[1] = Step::Tree { k: Ticks(11), nodes };
    let files = Files { instance, ..Files::new() };
    let text = serde_json::to_string(&certificate).expect("data");
    assert!(files.verify("file", &text).is_ok());
    let with = |old: &str, new: &str| text.replacen(old, new, 1);
    files.cannot_read(with(r#""nowhere""#, r#""nowhere","x":1"#), "unknown field `x`");
    files.cannot_read(with(r#""fix""#, r#""fix","task":1"#), "unknown field `task`");
    files.cannot_read(with(r#""fix""#, r#""magic""#), "unknown variant `magic`");
}

/// Errors in parts of the text that are read later have their place in the whole text.
#[test]
fn places_are_those_in_the_file() {
    let (instance, mut certificate) = demo();
    let nodes = vec![Node::Fix { prices: vec![7, 5, 6, 6] }, Node::Nowhere];
    certificate.steps[1] = Step::Tree { k: Ticks(11), nodes };
    let files = Files { instance, ..Files::new() };
    for text in [serde_json::to_string(&certificate), serde_json::to_string_pretty(&certificate)] {
        let text = text.expect("data");
        let unknown = text.replacen("\"nowhere\"", "\"nowhere\", \"x\": 1", 1);
        let word = text.replacen("11", "nil", 1);
        let start = text[..text.find("\"nowhere\"").expect("there")].rfind('{').expect("there");
        let fault = text.find("11").expect("there") + 1;
        for (text, at) in [(unknown, start), (word, fault)] {
            let line = 1 + text[..at].matches('\n').count();
            let column = at + 1 - text[..at].rfind('\n').map_or(0, |end| end + 1);
            let error = files.verify("file", &text).expect_err("not a certificate").to_string();
            assert!(error.ends_with(&format!(" at line {line} column {column}")), "{error}");
        }
    }
}

/// Below an empty case: each node takes the same time, however many cases are open. With a look at
/// all open cases per node this would take an hour.
#[test]
fn a_million_open_cases_take_no_longer_each() {
    let (instance, mut certificate) = demo();
    let branch = Node::Branch { task: 0, host: 0 };
    let mut nodes = vec![Node::Fix { prices: vec![7, 5, 6, 6] }];
    nodes.extend(std::iter::repeat_n(branch, 1 << 20));
    nodes.extend(std::iter::repeat_n(Node::Nowhere, 1 << 20));
    certificate.steps[1] = Step::Tree { k: Ticks(11), nodes };
    let fault = verify(&instance, &certificate).expect_err("one case is left").to_string();
    assert!(fault.ends_with("1 cases are not refuted"), "{fault}");
    let Step::Tree { nodes, .. } = &mut certificate.steps[1] else { unreachable!() };
    nodes.push(Node::Nowhere);
    assert!(verify(&instance, &certificate).is_ok());
}

/// Lists that no instance of this size needs are not read.
#[test]
fn huge_lists_are_refused_unread() {
    let (instance, certificate) = demo();
    let files = Files { instance, ..Files::new() };
    let text = serde_json::to_string(&certificate).expect("data");
    let zeros = vec!["0"; 1 << 21].join(",");
    let step = format!(r#""steps":[{{"rule":"prices","k":0,"prices":[{zeros}]}},"#);
    let many = text.replacen(r#""steps":["#, &step, 1);
    files.cannot_read(many, "a step or node of 2097154 values, more than the instance can need");
    let mapping = text.replacen(r#""mapping":["#, &format!(r#""mapping":[{zeros},"#), 1);
    files.rejects(&mapping, "mapping has 2097156 tasks, the instance 4");
}

#[test]
fn veripb_proofs_are_left_to_veripb() {
    let files = Files::new();
    for (name, content) in [("a.pbp", ""), ("a", "pseudo-Boolean proof version 3.0\n")] {
        let error = files.verify(name, content).expect_err("not ours").to_string();
        assert!(error.contains("run `veripb "), "{error}");
    }
}

/// The file names of the published solutions contain the makespan.
#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn published_solutions_have_the_published_makespan() {
    let instance = braun::instance("u_c_lolo.0");
    let mut checked = 0;
    for entry in fs::read_dir(data("hcsp-512x16/solutions")).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        if let Some(rest) = name.strip_prefix("u_c_lolo.0_") {
            let published = rest.split('_').nth(1).expect("makespan").trim_end_matches(".sol");
            let makespan = verify_file(&instance, &path).expect("valid").makespan();
            let found: f64 =
                instance.scale().display(makespan).to_string().parse().expect("decimal");
            assert_eq!(format!("{found:.1}").replace('.', ","), published);
            checked += 1;
        }
    }
    assert!(checked > 0, "no solution of u_c_lolo.0");
}
