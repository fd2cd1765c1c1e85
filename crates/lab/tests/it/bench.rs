//! The benchmark set: files, recipes and certificates are as stated in the manifest, and a wrong
//! manifest is rejected.

use gridsat_model::{Stop, Ticks};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gridsat_heuristics::generate::EtcClass;
use gridsat_heuristics::search::Budget;
use gridsat_heuristics::{Heuristic, Heuristics, MinMin};
use gridsat_lab::bench::{Algorithm, Options, Set, SetError, overall, run};
use gridsat_test_support::outside::data;
use gridsat_test_support::project;

fn folder() -> std::path::PathBuf {
    project("instances/bench")
}

fn set() -> Set {
    Set::read(&folder().join("manifest.json"), None).expect("a manifest")
}

#[test]
fn the_small_ones_are_as_stated_and_all_proven() {
    let set = set();
    let small: Vec<_> = set.entries.iter().filter(|entry| entry.file.is_some()).collect();
    assert!(small.len() > 100, "only {}", small.len());
    for entry in small {
        set.check(entry).expect("as stated");
        assert!(entry.is_closed(), "{}", entry.name);
    }
}

/// The others take longer; `gridsat bench --check --set instances/bench/manifest.json` checks all.
#[test]
fn a_large_one_is_as_stated() {
    let set = set();
    let large = set.entries.iter().find(|entry| entry.tasks == 512 && entry.certificate.is_some());
    set.check(large.expect("one with a certificate")).expect("as stated");
}

#[test]
fn every_class_is_there_at_every_size() {
    let set = set();
    let names: BTreeSet<_> = set.entries.iter().map(|entry| &entry.name).collect();
    assert_eq!(names.len(), set.entries.len(), "names repeat");
    let sizes: BTreeSet<_> = set.entries.iter().map(|entry| (entry.tasks, entry.hosts)).collect();
    assert_eq!(Vec::from_iter(sizes), [(16, 4), (32, 4), (64, 8), (128, 8), (512, 16), (1024, 32)]);
    for class in EtcClass::all().iter().map(ToString::to_string) {
        let sizes: BTreeSet<_> = set
            .entries
            .iter()
            .filter(|entry| entry.class == class)
            .map(|entry| entry.tasks)
            .collect();
        assert_eq!(sizes.len(), 6, "{class}");
    }
}

#[test]
fn no_file_of_the_folder_is_forgotten() {
    let set = set();
    let stated: BTreeSet<_> =
        set.entries.iter().flat_map(|entry| entry.file.iter().chain(&entry.certificate)).collect();
    for (below, prefix) in [("", ""), ("certificates", "certificates/")] {
        for file in fs::read_dir(folder().join(below)).expect("a folder") {
            let name = file.expect("an entry").file_name().to_string_lossy().into_owned();
            let is_instance = name.ends_with(".json") && name.contains("x");
            let path = Path::new(prefix).join(&name);
            assert!(!is_instance || stated.contains(&path), "{name} is not in the manifest");
        }
    }
}

#[test]
fn what_is_compiled_in_is_the_same() {
    assert_eq!(Set::all().entries, set().entries);
    assert!(Set::small().entries.iter().all(|entry| entry.tasks <= 64));
}

#[test]
fn false_statements_are_refused() {
    let set = set();
    let entry = &set.entries[0];
    let refused = |change: &dyn Fn(&mut gridsat_lab::bench::SetInstance)| {
        let mut changed = entry.clone();
        change(&mut changed);
        set.check(&changed).expect_err("refused").to_string()
    };
    assert!(refused(&|entry| entry.seed = Some(99)).contains("SHA-256"));
    assert!(refused(&|entry| entry.tasks = 17).contains("SHA-256 is"));
    assert!(refused(&|entry| entry.lower_bound -= Ticks(1)).contains("certified lower bound"));
    assert!(refused(&|entry| entry.makespan -= Ticks(1)).contains("exceeds"));
    assert!(refused(&|entry| entry.class = "none".into()).contains("none"));
    assert!(refused(&|entry| entry.file = Some("absent.json".into())).contains("absent.json"));
    let other = set.entries[1].file.clone();
    assert!(refused(&|entry| entry.file.clone_from(&other)).contains("SHA-256"));
}

#[test]
fn a_manifest_of_ones_own() {
    let folder = tempfile::tempdir().expect("writable");
    let path = folder.path().join("own.json");
    let write = |text: &str| fs::write(&path, text).expect("writable");
    for (text, part) in [
        ("{", "line 1"),
        (r#"{"format": "x", "version": 1, "instances": []}"#, "format is \"x\""),
        (r#"{"format": "gridsat-bench", "version": 1, "instances": [{"name": "a"}]}"#, "class"),
    ] {
        write(text);
        let error = Set::read(&path, None).expect_err("refused").to_string();
        assert!(error.contains(part) && error.contains("own.json"), "{error}");
    }
    let sha = &set().entries[0].sha256;
    write(&format!(
        r#"{{"format": "gridsat-bench", "version": 1, "instances": [{{"name": "a", "class": "mine",
        "tasks": 16, "hosts": 4, "sha256": "{sha}", "lower_bound": 1, "makespan": 2,
        "file": "u_c_hihi_16x4_1.json"}}]}}"#
    ));
    let missing = Set::read(&path, None).expect("a manifest");
    assert!(matches!(missing.load(&missing.entries[0]), Err(SetError::Read { .. })));
    let elsewhere = Set::read(&path, Some(&self::folder())).expect("a manifest");
    elsewhere.check(&elsewhere.entries[0]).expect("found in the other folder");
}

/// Any heuristic can be measured without being registered, and no makespan is below a lower bound.
#[test]
fn outcomes_are_checked() {
    struct Mine;
    impl Heuristic for Mine {
        fn name(&self) -> &'static str {
            "mine"
        }
        fn title(&self) -> &'static str {
            "Mine"
        }
        fn assign(
            &self,
            problem: &gridsat_heuristics::Problem,
        ) -> Vec<(gridsat_model::TaskId, gridsat_model::HostId)> {
            MinMin.assign(problem)
        }
    }
    let mut set = Set::small();
    set.entries.truncate(2);
    let heuristics = Heuristics::built_in().with(&Mine);
    let algorithms = Algorithm::choose("mine,ga", &heuristics).expect("known");
    let budget = Budget { evaluations: Some(500), time: None };
    let options = Options { seed: 3, runs: 2, budget };
    let go = |set: &Set| run(set, &algorithms, &options, &Stop::never(), &mut |_| {});
    let outcomes = go(&set).expect("all fine");
    assert_eq!(outcomes.len(), 2 * (1 + 2));
    let tally = overall(&set, &outcomes, Some(0));
    assert_eq!(tally.instances, 2);
    // The search starts from Min-Min.
    assert!(tally.rows[1].versus.expect("asked").mean <= 0.0);
    set.entries[0].lower_bound = Ticks(u64::MAX);
    let error = go(&set).expect_err("too good to be true").to_string();
    assert!(error.contains("mine") && error.contains("below the lower bound"), "{error}");
}

/// Min-Min gives the published makespans, and the manifest of the twelve instances is correct.
#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn the_twelve_of_braun() {
    let set = Set::read(&folder().join("braun-2001.json"), Some(&data("hcsp-512x16")));
    let set = set.expect("a manifest");
    assert_eq!(set.entries.len(), 12);
    let published = [("u_c_hihi.0", 8_460_675_003_000_u64), ("u_i_lolo.0", 2_785_645_000)];
    for (name, makespan) in published {
        let entry = set.entries.iter().find(|entry| entry.name == name).expect("there");
        let found = MinMin.map(&set.load(entry).expect(name)).makespan();
        assert!(found.abs_diff(Ticks(makespan)) <= Ticks(500), "{name}: {found}");
    }
}
