//! Tiny instances with any options: the makespan is that of brute force, and a second process
//! accepts the certificate.

use gridsat_model::io;
use gridsat_test_support::program::Folder;
use gridsat_test_support::tiny;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::child::{assert_sound, run, words};

const INSTANCES: u64 = 20;

/// At most one of each line is given.
const OPTIONS: [&[&str]; 8] = [
    &[
        "--strategy sat",
        "--strategy thesis",
        "--encoding adder",
        "--strategy sat --encoding window",
        "--strategy sat --encoding bdd",
        "--strategy sat --encoding adder",
        "--strategy sat --encoding totalizer",
        "--strategy sat --encoding counter",
    ],
    &["--at-most-one ladder", "--at-most-one product", "--at-most-one commander"],
    &["--threads 1", "--threads 2"],
    &["--no-symmetry"],
    &["--no-surrogate"],
    &["--search bisect", "--search descend"],
    &["--extract model", "--extract oracle"],
    &["--seed 1", "--seed 2", "--seed 3"],
];

pub fn round(rng: &mut ChaCha8Rng) -> u64 {
    let folder = Folder::default();
    for _ in 0..INSTANCES {
        let instance = tiny::sized(rng.random(), 8, 4);
        let mut text = Vec::new();
        io::write_json(&instance, &mut text).expect("memory has room");
        folder.write("i.json", &text);
        let options = options(rng);
        let what = format!("{} {options:?}", String::from_utf8_lossy(&text));
        let mut command = words("solve i.json --format json --certificate c.json");
        let is_thesis = options.iter().any(|word| word == "thesis");
        command.extend(options);
        let output = run(&folder, &command);
        assert_sound(&output, &what);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let optimum = tiny::optimum(&instance).0;
        let number = |key: &str| answer[key].as_u64().expect("a whole number");
        // That encoding grows with the times, and may be too large to decide anything.
        if is_thesis {
            assert!(number("lower_bound") <= optimum && optimum <= number("makespan"), "{what}");
        } else {
            assert_eq!(answer["status"], "optimal", "{what}");
        }
        let is_right = number("makespan") == optimum && number("lower_bound") == optimum;
        assert_eq!(answer["status"] == "optimal", is_right, "{what}");
        let verdict = run(&folder, &words("verify i.json c.json"));
        assert_eq!(verdict.status.code(), Some(0), "{what}: {verdict:?}");
    }
    INSTANCES
}

fn options(rng: &mut ChaCha8Rng) -> Vec<String> {
    let mut options = Vec::new();
    for choices in OPTIONS {
        if rng.random_bool(0.6) {
            options.extend(words(choices.choose(rng).expect("not empty")));
        }
    }
    options
}
