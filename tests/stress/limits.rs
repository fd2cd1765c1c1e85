//! Commands at awkward sizes, with a time limit or a signal at any moment: they end within half a
//! second, and the time that one pass over the data takes.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use gridsat_test_support::program::Folder;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::child::{Interrupt, assert_sound, run, start, words};

const LATE: Duration = Duration::from_millis(500);

/// Commands without an end of their own within a second, with the file of which one pass is
/// allowed.
const COMMANDS: [(&str, &str); 34] = [
    ("solve flat.csv", "flat.csv"),
    ("solve wide.csv", "wide.csv"),
    ("solve wide.csv --strategy sat", "wide.csv"),
    ("solve wide.csv --threads 2", "wide.csv"),
    ("solve hard.json --strategy thesis", "hard.json"),
    ("solve equal.json", "equal.json"),
    ("decide wide.csv -k 200000", "wide.csv"),
    ("map wide.csv -a all", "wide.csv"),
    ("map flat.csv -a minmin,maxmin,sufferage,ga,tabu,aco", "flat.csv"),
    ("map flat.csv -a ga", "flat.csv"),
    ("compare wide.csv -r 3", "wide.csv"),
    ("verify wide.csv wide.cert.json", "wide.csv"),
    ("split durations.json --shards 20 --format json", "flat.csv"),
    ("etc-from a=durations.json b=durations.json --output o.json", "flat.csv"),
    ("report many.jsonl -o report.html", "flat.csv"),
    ("export wide.csv -k 200000 --output o.cnf", "wide.csv"),
    ("export flat.csv --format mps --output o.mps", "flat.csv"),
    ("decode flat.csv answer.sol", "flat.csv"),
    ("convert flat.csv o.json", "flat.csv"),
    ("simulate endless.toml", "hard.json"),
    ("simulate endless.toml --jobs j.csv --events e.log", "hard.json"),
    ("compare endless.toml --policy mct,minmin", "hard.json"),
    ("simulate jobs.swf --nodes 128 --policy conservative", "jobs.swf"),
    ("simulate jobs.swf --nodes 128 --policy easy --jobs j.csv", "jobs.swf"),
    ("generate etc --tasks 100000 --hosts 100 --output g.json", "hard.json"),
    ("generate workload --jobs 3000000 --output g.swf", "hard.json"),
    ("bench --set all -a searches", "hard.json"),
    ("experiment wait-time --result r.jsonl --quiet", "hard.json"),
    ("experiment many.toml --result m.jsonl --fresh --quiet", "flat.csv"),
    ("plan experiment wait-time --out fresh --parts 3", "hard.json"),
    ("plan proof hard.json --out fresh", "hard.json"),
    ("work planned --part 0", "hard.json"),
    ("merge planned --engine local", "hard.json"),
    ("campaign hard.json wide.csv --out c.jsonl --quiet --time-limit 100", "wide.csv"),
];

/// Those of the commands that take one for the whole command, not for each of its runs.
const WITH_LIMIT: [&str; 3] = ["solve", "decide", "map flat.csv -a ga"];

/// A hundred thousand runs of next to nothing.
const MANY: &str = "title = 'Many runs'
replications = 10000
algorithms = ['mct']
metrics = ['makespan']
[base]
scenario = 'single.toml'
[[sweep]]
key = 'job.mi'
range = { from = 1, to = 10, count = 10 }
";
const SINGLE: &str = "[[resource]]\nmips = 1\n[[scheduler]]\npolicy = 'mct'\n[[job]]\nmi = 8\n";

struct Data {
    folder: Folder,
}

/// The large files, made once.
fn data() -> &'static Data {
    static DATA: OnceLock<Data> = OnceLock::new();
    DATA.get_or_init(|| {
        let folder = Folder::with("endless.toml");
        folder.write("many.toml", MANY);
        folder.write("single.toml", SINGLE);
        for command in [
            "generate etc --class u_i_hihi --tasks 30000 --hosts 20 --format csv --output flat.csv",
            "generate etc --class u_s_lolo --tasks 1500 --hosts 150 --format csv --output wide.csv",
            "generate etc --class jobcorr --tasks 60 --hosts 6 --output hard.json",
            "generate workload --jobs 50000 --nodes 128 --output jobs.swf",
            "solve wide.csv --time-limit 0 --certificate wide.cert.json",
            "experiment many.toml --quiet",
            "plan experiment wait-time -r 5000 --parts 2 --out planned",
        ] {
            assert_sound(&run(&folder, &words(command)), command);
        }
        let test =
            |t: u64| format!("\"test {t}\": {}", (t * t * 37 % 9_973) as f64 / 1000.0 + 0.01);
        let tests: Vec<String> = (0..50_000).map(test).collect();
        folder.write("durations.json", format!("{{{}}}", tests.join(",")));
        let pair = |task: u32| format!("x_{task}_{} 1\n", task % 20);
        folder.write("answer.sol", (0..30_000).map(pair).collect::<String>());
        let times: Vec<String> =
            (0..600).map(|t| (100_003 + t * t * 37 % 99_991).to_string()).collect();
        folder.write("equal.json", format!("{{\"tasks\": [{}], \"hosts\": 97}}", times.join(",")));
        Data { folder }
    })
}

pub fn round(rng: &mut ChaCha8Rng) -> u64 {
    let (command, file) = COMMANDS.choose(rng).expect("not empty");
    let folder = &data().folder;
    let with_limit = WITH_LIMIT.iter().any(|start| command.starts_with(start)) && rng.random();
    let after = Duration::from_millis(rng.random_range(0..1500));
    let (command, interrupt) = if with_limit {
        let seconds = after.as_secs_f64();
        // Signal 0 only asks whether the program is there.
        let none = Interrupt { signal: "-0", after, late: Duration::from_secs(60) };
        (format!("{command} --time-limit {seconds}"), none)
    } else {
        let signal = ["-INT", "-TERM"].choose(rng).expect("not empty");
        ((*command).to_owned(), Interrupt { signal, after, late: Duration::from_secs(60) })
    };
    // What else the machine does may delay a run once, but hardly twice.
    let first = overrun(folder, &command, file, &interrupt);
    if first > Duration::ZERO {
        let second = overrun(folder, &command, file, &interrupt);
        assert!(second.is_zero(), "gridsat {command}: late by {first:?}, then {second:?}");
    }
    1
}

/// How much later than allowed the command ends, on the clock and by its own work.
fn overrun(folder: &Folder, command: &str, file: &str, interrupt: &Interrupt) -> Duration {
    let pass = pass(folder, file);
    // Plans are made in a folder that is not there yet.
    let _ = std::fs::remove_dir_all(folder.path("fresh"));
    let ended = interrupt.wait(start(folder, &words(command)));
    let ended = ended.unwrap_or_else(|late| panic!("gridsat {command}: no end, {late:?}"));
    let output = ended.output;
    // A signal before the program listens ends it as the system does, and so does one while it
    // only writes a file.
    if !matches!(output.status.code(), None | Some(130 | 143)) {
        assert_sound(&output, command);
    }
    ended.late.min(ended.busy).saturating_sub(LATE + pass)
}

/// The time to read a file once and to write it.
fn pass(folder: &Folder, file: &str) -> Duration {
    let begin = Instant::now();
    if file.ends_with(".swf") {
        run(folder, &words(&format!("simulate {file} --policy fcfs --format json --output pass")));
    } else {
        run(folder, &words(&format!("convert {file} pass.json")));
    }
    begin.elapsed()
}
