//! Experiments that are killed at any time and run again give the bytes of an undisturbed run.

use std::time::{Duration, Instant};

use gridsat_test_support::program::Folder;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::child::{assert_sound, run, start, words};

const KILLS: u64 = 4;

pub fn round(rng: &mut ChaCha8Rng) -> u64 {
    let threads = rng.random_range(1..=2);
    let replications = rng.random_range(20..60);
    let command =
        words(&format!("experiment sweep.toml -r {replications} --threads {threads} --quiet"));
    let whole = Folder::with("sweep.toml");
    let begin = Instant::now();
    assert_sound(&run(&whole, &command), "undisturbed");
    let time = begin.elapsed();

    let folder = Folder::with("sweep.toml");
    for _ in 0..KILLS {
        let mut child = start(&folder, &command);
        std::thread::sleep(time.mul_f64(rng.random_range(0.0..0.8)));
        child.kill().expect("a child of ours");
        child.wait().expect("a child of ours");
        // Whatever else the machine does, the rest is not done by a child that was killed.
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_sound(&run(&folder, &command), "after the kills");
    assert_eq!(folder.list(), whole.list(), "nothing else is left");
    assert!(folder.read("sweep.jsonl") == whole.read("sweep.jsonl"), "other bytes");
    KILLS
}
