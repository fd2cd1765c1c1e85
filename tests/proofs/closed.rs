//! The certificates in `instances/closed`: each proves an optimum, and the checker accepts it.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use gridsat_check::verify::{proofs_in, verify_certificate};
use gridsat_model::Instance;
use gridsat_model::certificate::Document;
use gridsat_model::io::{Format, ReadOptions, parse};
use gridsat_test_support::project;

fn certificates() -> Vec<PathBuf> {
    let entries = fs::read_dir(project("instances/closed")).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".json") || name.ends_with(".json.gz")
    });
    paths.sort();
    paths
}

/// What is in a file, which may be compressed.
fn text(path: &Path) -> Vec<u8> {
    let name = path.display();
    let file = File::open(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut text = Vec::new();
    match path.extension().is_some_and(|extension| extension == "gz") {
        true => GzDecoder::new(file).read_to_end(&mut text).expect("gzip"),
        false => BufReader::new(file).read_to_end(&mut text).expect("readable"),
    };
    text
}

/// The instance next to a certificate.
fn instance(certificate: &Path) -> Instance {
    let certificate = match certificate.extension() {
        Some(ending) if ending == "gz" => certificate.with_extension(""),
        _ => certificate.to_owned(),
    };
    let formats = [("txt", Format::Rcmax), ("hcsp", Format::Hcsp), ("pcmax", Format::Pcmax)];
    let packed =
        formats.map(|(name, format)| (certificate.with_extension(format!("{name}.gz")), format));
    let there = packed.into_iter().find(|(path, _)| path.exists());
    let (path, format) = there.unwrap_or_else(|| panic!("{}: no instance", certificate.display()));
    let name = path.display().to_string();
    parse(&text(&path), &name, format, &ReadOptions::default()).expect("valid")
}

#[test]
fn each_is_accepted_and_proves_an_optimum() {
    let all = certificates();
    assert!(all.len() > 95, "only {} certificates", all.len());
    for path in all {
        let name = path.display();
        let certificate: Document = serde_json::from_slice(&text(&path)).expect("a certificate");
        assert_eq!(certificate.makespan, certificate.lower_bound, "{name}");
        let proofs = proofs_in(path.parent().expect("a folder"));
        let verdict = verify_certificate(&instance(&path), &certificate, &proofs);
        assert!(verdict.is_ok_and(|verdict| verdict.is_optimal()), "{name}");
    }
}
