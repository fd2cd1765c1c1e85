//! Damaged files for every reader: each is read or refused in one line, and nothing takes long.

use std::fs;
use std::time::Duration;

use gridsat_test_support::mutate::mutate;
use gridsat_test_support::program::Folder;
use gridsat_test_support::project;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::child::{Interrupt, assert_sound, start, words};

const FILES: u64 = 25;

/// A file may ask for much work, which then ends at a signal.
const PATIENCE: Interrupt =
    Interrupt { signal: "-INT", after: Duration::from_secs(1), late: Duration::from_secs(10) };

const CERTIFICATE: &str = "instances/bench/certificates/U1-100_16x4_1.cert.json";
const CERTIFIED: &str = "instances/bench/U1-100_16x4_1.json";

/// A sample of a format with the command that reads it as `f`; `demo.json` and
/// `instance.json` are beside it.
const READERS: [(&str, &str); 33] = [
    ("instances/braun-demo.json", "solve f --time-limit 0.2 --format csv"),
    ("instances/braun-demo.csv", "solve f --time-limit 0.2"),
    ("instances/braun-demo.csv", "map f --time-limit 0.2 -a all"),
    ("instances/jobcorr_12x4.txt", "convert f o.csv"),
    ("instances/u_c_hilo_10x4.hcsp", "export f --format mps --output o.mps"),
    ("instances/reference/ready_9x3.json", "decide f -k 80 --time-limit 0.2"),
    ("instances/reference/sparse_9x3.json", "compare f --time-limit 0.2 -r 1"),
    ("instances/reference/decimal_9x3.json", "convert f o.hcsp"),
    ("instances/reference/maccorr_9x3.json", "solve f --time-limit 0.2 --explain"),
    ("tests/data/mapping.csv", "solve demo.json --start f --time-limit 0"),
    ("tests/data/qos.toml", "experiment f --quick -r 1 --result r.jsonl --quiet"),
    ("tests/data/small.toml", "simulate f --jobs j.csv --events e.log"),
    ("tests/data/grid.json", "simulate f --gantt g.svg"),
    ("tests/data/wide.toml", "experiment f --quick -r 1 --result r.jsonl --quiet"),
    ("tests/data/lublin.toml", "simulate f --view v.html"),
    ("tests/data/small.toml", "compare f --policy mct,minmin"),
    ("tests/data/sweep.toml", "experiment f --quick -r 1 --result r.jsonl --quiet"),
    ("tests/data/x.swf", "simulate f --nodes 16 --swf o.swf"),
    ("tests/data/x.swf", "simulate f --lenient"),
    ("tests/data/answers/kissat.txt", "decode demo.json -k 9 f"),
    ("tests/data/answers/scip-mps.sol", "decode demo.json f"),
    ("tests/data/answers/highs-raw.sol", "decode demo.json f"),
    ("tests/data/answers/cbc.sol", "decode demo.json f"),
    ("tests/data/logs/gradle-junit4.xml", "split f --shards 2"),
    ("tests/data/logs/pytest.xml", "split f --target 10 --format json"),
    ("tests/data/logs/hyperfine.json", "split f --shards 3"),
    ("tests/data/logs/joblog", "etc-from f"),
    ("tests/data/logs/nextflow-trace.txt", "etc-from a=f b=f"),
    ("tests/data/logs/sacct.txt", "split f --shards 2 --emit make --command true --emit-to m"),
    ("tests/data/logs/sacct.json", "split f --shards 2"),
    ("tests/data/logs/snakemake.tsv", "etc-from f --missing forbid"),
    ("tests/data/logs/test_durations", "split f --shards 4"),
    (CERTIFICATE, "verify instance.json f"),
];

pub fn round(rng: &mut ChaCha8Rng) -> u64 {
    let folder = Folder::with("demo.json");
    folder.copy(CERTIFIED, "instance.json");
    for _ in 0..FILES {
        let (sample, command) = READERS.choose(rng).expect("not empty");
        let path = project(sample);
        let mut bytes = fs::read(&path).unwrap_or_else(|error| panic!("{sample}: {error}"));
        for _ in 0..rng.random_range(1..=4) {
            mutate(&mut bytes, rng);
        }
        folder.write("f", &bytes);
        let what = format!("gridsat {command}\n{}", String::from_utf8_lossy(&bytes));
        let child = start(&folder, &words(&format!("--memory-limit 1G {command}")));
        let ended = PATIENCE.wait(child).unwrap_or_else(|late| panic!("late by {late:?}: {what}"));
        assert_sound(&ended.output, &what);
    }
    FILES
}
