//! The same input and seed give the same bytes: with other threads, in another folder, time zone,
//! language, and width of the terminal.

use std::process::{Command, Stdio};

use gridsat_test_support::program::Folder;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::child::words;

/// Commands with what they write.
const COMMANDS: [(&str, &[&str]); 14] = [
    (
        "solve i.json --format json --no-times --certificate c.json --gantt g.svg",
        &["c.json", "g.svg"],
    ),
    ("solve i.json --strategy sat --no-times --certificate c.json", &["c.json"]),
    ("map i.json --format csv --no-times", &[]),
    ("export i.json -k 900 --output o.cnf", &["o.cnf"]),
    ("convert i.json o.csv", &["o.csv"]),
    (
        "simulate small.toml --no-times --jobs j.csv --events e.log --gantt g.svg",
        &["j.csv", "e.log", "g.svg"],
    ),
    ("simulate grid.toml --no-times --jobs j.csv", &["j.csv"]),
    ("simulate small.toml --policy sufferage --no-times --format json --jobs j.csv", &["j.csv"]),
    ("simulate lublin.toml --no-times --swf o.swf --view v.html", &["o.swf", "v.html"]),
    ("experiment sweep.toml -r 3 --quiet THREADS", &["sweep.jsonl"]),
    ("compare small.toml --policy mct,minmin,sufferage -r 3 --no-times", &[]),
    ("generate etc --class u_s_hilo --tasks 50 --hosts 9 --seed 4", &[]),
    ("generate workload --jobs 300 --seed 4", &[]),
    ("split durations --shards 3 --format json", &[]),
];

const SETTINGS: [(&str, &[&str]); 6] = [
    ("TZ", &["UTC", "Asia/Tokyo", "America/St_Johns", "nonsense"]),
    ("LC_ALL", &["C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG"]),
    ("LANG", &["C", "fr_FR.UTF-8"]),
    ("COLUMNS", &["1", "40", "500"]),
    ("HOME", &["/", "/nonexistent"]),
    ("TERM", &["dumb", "xterm-256color"]),
];

/// What a run printed and wrote.
#[derive(PartialEq, Eq)]
struct Written {
    printed: Vec<u8>,
    files: Vec<String>,
}

pub fn round(rng: &mut ChaCha8Rng) -> u64 {
    let (command, files) = COMMANDS.choose(rng).expect("not empty");
    let first = result(command, files, rng);
    for _ in 0..3 {
        assert!(result(command, files, rng) == first, "{command}: other bytes");
    }
    3
}

fn result(text: &str, files: &[&str], rng: &mut ChaCha8Rng) -> Written {
    let folder = Folder::with("small.toml grid.toml lublin.toml sweep.toml");
    folder.copy("instances/reference/U100-200_16x4.json", "i.json");
    folder.copy("tests/data/logs/test_durations", "durations");
    let threads = format!("--threads {}", rng.random_range(1..=3));
    let mut command: Command = folder.command("");
    command.args(words(&text.replace("THREADS", &threads))).stdin(Stdio::null());
    for (name, values) in SETTINGS {
        command.env(name, values.choose(rng).expect("not empty"));
    }
    let output = command.output().expect("the program starts");
    let printed = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{text}: {}", String::from_utf8_lossy(&printed));
    let files = files.iter().map(|name| folder.read(name)).collect();
    Written { printed, files }
}
