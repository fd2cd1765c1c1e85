//! Solvers that lie, babble, crash or hang: no false optimum or bound is printed.

use std::time::Duration;

use gridsat_model::io;
use gridsat_test_support::program::Folder;
use gridsat_test_support::tiny;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::child::{Interrupt, assert_sound, start, words};

const LIES: u64 = 15;

/// Shell scripts; the formula is `$1`.
const SOLVERS: [&str; 10] = [
    "exit 0",
    "echo 's UNSATISFIABLE'; exit 20",
    "echo 's SATISFIABLE'; exit 10",
    "echo 's SATISFIABLE'; seq -s ' ' -f '-%.0f' 1 500 | sed 's/^/v /; s/$/ 0/'; exit 10",
    "echo 's SATISFIABLE'; seq -s ' ' 1 500 | sed 's/^/v /; s/$/ 0/'; exit 10",
    "echo 's SATISFIABLE'; echo 'v 99999999999999999999 0'; exit 10",
    "head -c 3000000 /dev/urandom",
    "kill -SEGV $$",
    "cat \"$1\"",
    "sleep 100",
];

const PATIENCE: Interrupt =
    Interrupt { signal: "-TERM", after: Duration::from_secs(5), late: Duration::from_secs(5) };

pub fn round(rng: &mut ChaCha8Rng) -> u64 {
    let folder = Folder::default();
    for _ in 0..LIES {
        let instance = tiny::sized(rng.random(), 8, 4);
        let mut text = Vec::new();
        io::write_json(&instance, &mut text).expect("memory has room");
        folder.write("i.json", &text);
        let solver = SOLVERS.choose(rng).expect("not empty");
        folder.write("liar", solver);
        let what = format!("{solver} {}", String::from_utf8_lossy(&text));
        let mut command =
            words("solve i.json --strategy sat --time-limit 1 --format json --solver");
        command.push("sh liar {cnf}".to_owned());
        let ended = PATIENCE.wait(start(&folder, &command));
        let output = ended.unwrap_or_else(|late| panic!("late by {late:?}: {what}")).output;
        // A solver that fails is an error of its own.
        let code = output.status.code();
        if matches!(code, Some(1 | 2)) {
            let err = String::from_utf8_lossy(&output.stderr);
            assert!(err.contains("solver") && err.lines().count() == 1, "{what}: {err}");
            continue;
        }
        assert_sound(&output, &what);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let optimum = tiny::optimum(&instance).0;
        let number = |key: &str| answer[key].as_u64().expect("a whole number");
        assert!(number("lower_bound") <= optimum && optimum <= number("makespan"), "{what}");
        let is_optimal = answer["status"] == "optimal";
        assert_eq!(is_optimal, code == Some(0), "{what}");
        assert!(!is_optimal || number("makespan") == optimum, "{what}");
    }
    LIES
}
