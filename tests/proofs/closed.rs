//! The certificates in `instances/closed`: each proves an optimum, and the checker accepts it where the
//! instance itself, which is not ours to copy, is at hand.

use std::fs;
use std::path::{Path, PathBuf};

use gridsat_check::verify::{proofs_in, verify_certificate};
use gridsat_model::certificate::{Certificate, instance_digest};
use gridsat_model::io::{ReadOptions, read_file};

fn certificates() -> Vec<(PathBuf, Certificate)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances/closed");
    let entries = fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("text");
        let certificate = serde_json::from_str(&text).expect("a certificate");
        (path, certificate)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn each_claims_an_optimum() {
    let all = certificates();
    assert!(all.len() > 20, "only {} certificates", all.len());
    for (path, certificate) in all {
        assert_eq!(certificate.makespan, certificate.lower_bound, "{}", path.display());
    }
}

/// `JobsCorre_221.json` is for `JobsCorre/221.txt`, `u_i_hihi.json` for `u_i_hihi.0`.
#[test]
fn each_is_accepted_where_its_instance_is_at_hand() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let mut checked = 0;
    for (path, certificate) in certificates() {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let file = match name.rsplit_once('_') {
            Some((class, id)) if id.parse::<u32>().is_ok() => {
                data.join(format!("rcmax-fanjul-ruiz/{class}/{id}.txt"))
            }
            _ => data.join(format!("hcsp-512x16/{name}.0")),
        };
        let Ok(instance) = read_file(&file, &ReadOptions::default()) else { continue };
        assert_eq!(instance_digest(&instance), certificate.instance.sha256, "{name}");
        let proofs = proofs_in(path.parent().expect("a folder"));
        let verdict = verify_certificate(&instance, &certificate, &proofs);
        assert!(verdict.is_ok_and(|verdict| verdict.is_optimal()), "{name}");
        checked += 1;
    }
    println!("{checked} checked");
}
