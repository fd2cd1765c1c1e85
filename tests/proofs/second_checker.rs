//! The two checkers agree: `verify`, and `gridsat-check.py`, which shares no code with it.
//!
//! Skipped, with a note, if there is no `python3`.

use gridsat_model::Ticks;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use gridsat_check::verify::{VerifyError, rounded_decimals, verify_file};
use gridsat_exact::solve::Solver;
use gridsat_exact::strategy::Strategy;
use gridsat_heuristics::generate::{EtcSpec, generate};
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::Instance;
use gridsat_model::certificate::{Document, Node, Step};
use gridsat_model::io::{Precision, ReadOptions, read_file, write_json};
use gridsat_test_support::outside::installed;
use gridsat_test_support::program::{Folder, Run};
use gridsat_test_support::project;
use gridsat_test_support::tiny::{self, Kind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cases::{certificate, hard, poorly_priced, priced};
use crate::damage::{damage, honest};
use crate::search::options;
use crate::{fillings, part, speeds};

/// Runs the second checker for each pair of arguments in one process, because starting Python takes
/// most of the time.
const DRIVER: &str = "
import sys
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location('check', sys.argv[1])
check = module_from_spec(spec)
spec.loader.exec_module(check)
files = sys.argv[2:]
for pair in zip(files[::2], files[1::2]):
    print(check.main(list(pair)))
";

/// Both checkers, on files in a folder.
struct Checkers {
    python: PathBuf,
    folder: Folder,
}

/// The first checker's verdict, with the reason if it rejects, and the second one's exit code.
type Verdicts = (Result<(), String>, i32);

impl Checkers {
    fn find() -> Option<Self> {
        Some(Self { python: installed("python3")?, folder: Folder::default() })
    }

    /// Python with only what the checker needs; writes no compiled files.
    fn python(&self) -> Command {
        let mut command = Command::new(&self.python);
        command.args(["-S", "-E", "-B"]);
        command
    }

    fn second(&self, instance: &Path, certificate: &Path) -> Run {
        let script = project("gridsat-check.py");
        Run::of(self.python().arg(script).arg(instance).arg(certificate))
    }

    /// The verdicts of both checkers on each certificate.
    fn both(&self, claims: &[(Instance, Document)]) -> Vec<Verdicts> {
        let mut command = self.python();
        command.args(["-c", DRIVER]).arg(project("gridsat-check.py"));
        let mut first = Vec::new();
        for (index, (instance, certificate)) in claims.iter().enumerate() {
            let (instance, certificate) = self.write(index, instance, certificate);
            first.push(first_checker(&instance, &certificate));
            command.arg(instance).arg(certificate);
        }
        let run = Run::of(&mut command).ends(0);
        let codes = run.out.lines().filter_map(|line| line.parse().ok());
        let verdicts: Vec<_> = first.into_iter().zip(codes).collect();
        assert_eq!(verdicts.len(), claims.len(), "{run:?}");
        verdicts
    }

    fn write(&self, index: usize, instance: &Instance, claim: &Document) -> (PathBuf, PathBuf) {
        let names = (format!("instance{index}.json"), format!("certificate{index}.json"));
        let mut text = Vec::new();
        write_json(instance, &mut text).expect("memory");
        self.folder.write(&names.0, text);
        self.folder.write(&names.1, serde_json::to_string(claim).expect("data"));
        (self.folder.path(&names.0), self.folder.path(&names.1))
    }

    #[track_caller]
    fn accept(&self, claims: &[(Instance, Document)]) {
        for (verdicts, claim) in self.both(claims).into_iter().zip(claims) {
            assert_eq!(verdicts, (Ok(()), 0), "{claim:?}");
        }
    }

    /// Solves the instance and has both checkers check the result. Returns whether it contains a
    /// tree.
    fn solve(&self, path: &Path) -> bool {
        let instance = read_file(path, &ReadOptions::default()).expect("readable");
        let written = self.folder.path("solved.json");
        let solution = Solver::with(options(Strategy::Auto)).solve(&instance);
        let solution = solution.expect("nothing to fail at");
        solution.certificate().save(&written).expect("writable");
        let steps = &solution.certificate().document().steps;
        assert_eq!(first_checker(path, &written), Ok(()), "{}", path.display());
        let second = self.second(path, &written);
        assert_eq!(second.code, Some(0), "{}: {second:?}", path.display());
        steps.iter().any(|step| matches!(step, Step::Tree { .. }))
    }
}

fn first_checker(instance: &Path, certificate: &Path) -> Result<(), String> {
    let precision = rounded_decimals(certificate).map(Precision::Decimals).unwrap_or_default();
    let options = ReadOptions { precision, ..ReadOptions::default() };
    let instance = read_file(instance, &options).expect("readable");
    match verify_file(&instance, certificate) {
        Ok(_) => Ok(()),
        Err(VerifyError::Rejected { reason, .. }) => Err(reason.to_string()),
        Err(error) => panic!("{error}"),
    }
}

/// A certificate with the bound that the nodes prove.
fn claim(instance: Instance, nodes: Vec<Node>) -> (Instance, Document) {
    let mapping = OnLine::Mct.map(&instance);
    let k = tiny::optimum(&instance) - Ticks(1);
    let claim = certificate(&instance, &mapping, k, nodes);
    (instance, claim)
}

#[test]
fn what_solve_writes_is_accepted_by_both() {
    let Some(checkers) = Checkers::find() else { return };
    let folder = fs::read_dir(project("instances/reference")).expect("there");
    let files = folder.map(|entry| entry.expect("readable").path());
    let is_small = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with("_9x3.json") || name.ends_with("_16x4.json")
    };
    let mut files: Vec<PathBuf> = files.filter(is_small).collect();
    files.extend(["jobcorr_12x4.txt", "braun-demo.json"].map(|n| project("instances").join(n)));
    let trees = files.iter().filter(|path| checkers.solve(path)).count();
    assert!(files.len() > 15 && trees > 0, "{trees} trees in {} files", files.len());
}

/// Both round the file's times as the certificate says; otherwise the times would not fit.
#[test]
fn measured_times_are_rounded_alike_by_both() {
    let Some(checkers) = Checkers::find() else { return };
    let text = r#"{"etc": [[137.43642441124012, 41000.1234567890123], [7.1e1, 3.00000000000000001],
        [12.345678901234567, null]], "ready": [0.00000000000000001, 1]}"#;
    checkers.folder.write("measured.json", text);
    checkers.solve(&checkers.folder.path("measured.json"));
}

#[test]
fn generated_instances_are_accepted_by_both() {
    let Some(checkers) = Checkers::find() else { return };
    for (class, tasks, hosts) in [("jobcorr", 30, 5), ("maccorr", 24, 4), ("u_i_lolo", 20, 4)] {
        let class = class.parse().expect("known");
        let (decimals, forbidden_percent, ready_max, seed) = (1, 10, 20, 3);
        let spec = EtcSpec {
            class,
            tasks,
            hosts,
            decimals,
            forbidden_percent,
            ready_max,
            qos: None,
            seed,
        };
        let instance = generate(&spec).expect("possible");
        let path = checkers.folder.path("generated.json");
        write_json(&instance, &mut File::create(&path).expect("writable")).expect("writable");
        checkers.solve(&path);
    }
}

#[test]
fn trees_with_branches_are_accepted_by_both() {
    let Some(checkers) = Checkers::find() else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(40);
    let (mut claims, mut branches) = (Vec::new(), 0);
    for instance in (0..100).map(hard) {
        let k = tiny::optimum(&instance) - Ticks(1);
        let nodes = poorly_priced(&instance, k, &mut rng).expect("below the optimum");
        branches += nodes.iter().filter(|node| matches!(node, Node::Branch { .. })).count();
        claims.push(claim(instance, nodes));
    }
    checkers.accept(&claims);
    assert!(branches > 100, "only {branches} branches");
}

#[test]
fn huge_times_are_accepted_by_both() {
    let Some(checkers) = Checkers::find() else { return };
    let huge = (0..10).map(|n| 10 * n + 6).map(tiny::instance);
    let proven = huge.map(|instance| {
        let nodes =
            priced(&instance, tiny::optimum(&instance) - Ticks(1)).expect("below the optimum");
        claim(instance, nodes)
    });
    checkers.accept(&proven.collect::<Vec<_>>());
}

/// Whether the first checker rejected because of a limit on numbers, which Python does not have.
fn is_a_limit(reason: &str) -> bool {
    reason.contains("exceed 128 bits") || reason.contains("would need a table")
}

#[test]
fn damaged_ones_are_judged_alike() {
    let Some(checkers) = Checkers::find() else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let mut claims = Vec::new();
    for seed in (0..1200).filter(|&seed| Kind::of(seed) != Kind::Huge) {
        let instance = if seed % 4 == 0 { hard(seed) } else { tiny::instance(seed) };
        let mut bad = honest(&instance, tiny::optimum(&instance), &mut rng);
        claims.push((damage(&instance, &mut bad, &mut rng), bad));
    }
    let (mut accepted, mut rejected) = (0, 0);
    for ((first, second), claim) in checkers.both(&claims).into_iter().zip(&claims) {
        let expected = i32::from(first.is_err());
        let is_a_limit = first.as_ref().is_err_and(|reason| is_a_limit(reason));
        assert!(second == expected || is_a_limit, "{second}, but {first:?}\n{claim:?}");
        (accepted, rejected) = (accepted + 1 - expected, rejected + expected);
    }
    assert!(accepted > 100 && rejected > 300, "one-sided test: {accepted} {rejected}");
}

#[test]
fn both_checkers_agree_on_parts_of_equal_hosts() {
    let Some(checkers) = Checkers::find() else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(29);
    let mut claims = Vec::new();
    while claims.len() < 400 {
        let instance = part::equal_hosts(&mut rng);
        let some = part::claims(&instance).into_iter().filter(|_| rng.random_bool(0.1));
        claims.extend(some.map(|claim| (instance.clone(), claim)));
    }
    let verdicts = checkers.both(&claims);
    for ((first, second), claim) in verdicts.iter().zip(&claims) {
        assert_eq!(first.is_ok(), *second == 0, "{first:?} {claim:?}");
    }
    let accepted = verdicts.iter().filter(|(first, _)| first.is_ok()).count();
    assert!((50..350).contains(&accepted), "{accepted} accepted");
}

#[test]
fn both_checkers_agree_on_fillings_of_equal_hosts() {
    let Some(checkers) = Checkers::find() else { return };
    let claims: Vec<(Instance, Document)> = fillings::claims(37, 12)
        .into_iter()
        .map(|(instance, claim, _)| (instance, claim))
        .collect();
    let verdicts = checkers.both(&claims);
    for ((first, second), claim) in verdicts.iter().zip(&claims) {
        assert_eq!(first.is_ok(), *second == 0, "{first:?} {claim:?}");
    }
    let accepted = verdicts.iter().filter(|(first, _)| first.is_ok()).count();
    assert!(accepted >= 12 && claims.len() > 3 * accepted, "{accepted} of {}", claims.len());
}

/// Proofs in ticks that are no decimals, and damaged ones.
#[test]
fn both_checkers_agree_on_rational_speeds() {
    let Some(checkers) = Checkers::find() else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(44);
    let good = speeds::solved(&mut rng, 60);
    let in_parts = good.iter().filter(|(instance, _)| instance.scale().parts() > 1).count();
    assert!(in_parts > 40, "{in_parts} of {} in parts", good.len());
    checkers.accept(&good);
    let damaged = speeds::damaged(&good, &mut rng);
    let claims: Vec<_> =
        damaged.iter().map(|(instance, bad, _)| (instance.clone(), bad.clone())).collect();
    for ((first, second), (_, bad, is_wrong)) in checkers.both(&claims).iter().zip(&damaged) {
        assert_eq!(first.is_ok(), *second == 0, "{first:?} {bad:?}");
        assert!(first.is_err() || !is_wrong, "{bad:?}");
    }
}

#[test]
fn the_second_checker_cannot_read_just_anything() {
    let Some(checkers) = Checkers::find() else { return };
    let instance = hard(0);
    let mapping = OnLine::Mct.map(&instance);
    let good = Document::new(&instance, &mapping, Ticks(0), Vec::new());
    let text = serde_json::to_string(&good).expect("data");
    let (instance, path) = checkers.write(0, &instance, &good);
    let said = |certificate: String| {
        fs::write(&path, certificate).expect("writable");
        let run = checkers.second(&instance, &path);
        assert!(!run.err.contains("Traceback"), "{run:?}");
        run.code
    };
    assert_eq!(said(text.clone()), Some(0));
    assert_eq!(said(text.replace("\"version\":1", "\"version\":2")), Some(1));
    let broken = [
        String::new(),
        "[".repeat(100_000),
        "{}".to_owned(),
        text.replace("\"lower_bound\":0", "\"lower_bound\":0.0"),
        text.replace("\"lower_bound\":0", "\"lower_bound\":-1"),
        text.replace("\"lower_bound\":0", "\"lower_bound\":false"),
        text.replace("\"lower_bound\":0", "\"lower_bound\":0,\"lower_bound\":0"),
        text.replace("\"lower_bound\":0", "\"lower_bound\":0,\"more\":0"),
        text.replace("\"lower_bound\":0,", ""),
        text.replace("\"steps\":[]", "\"steps\":[{\"rule\":\"magic\",\"k\":0}]"),
    ];
    for certificate in broken {
        assert_eq!(said(certificate.clone()), Some(2), "{certificate:.100}");
    }
}
