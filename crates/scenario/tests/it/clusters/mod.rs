//! Cluster scenarios: cases computed by hand, golden summaries of the templates, logs that read
//! back, real traces, and invalid files with their messages.

mod dynamics;
mod terms;
mod wrong;

use gridsat_model::Ticks;
use std::fs;
use std::path::{Path, PathBuf};

use gridsat_cluster::{
    ClusterError, JobRecord, NodeChoice, Outcome, QueueOrder, QueuePolicy, Setup, Summary, simulate,
};
use gridsat_model::Scale;
use gridsat_scenario::clusters::{
    CLUSTER_TEMPLATES, ClusterChanges, ClusterScenario, SwfLog, TraceOptions, TraceTally,
};
use gridsat_scenario::{Syntax, template};
use gridsat_statistics::random;
use gridsat_test_support::outside::data;
use rand::RngExt;
use tempfile::TempDir;

fn parse_in(text: &str, folder: &Path) -> ClusterScenario {
    let parsed = ClusterScenario::parse(text, Syntax::Toml, "test.toml", folder);
    parsed.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn parse(text: &str) -> ClusterScenario {
    parse_in(text, Path::new(""))
}

/// The error message of an invalid scenario.
pub fn error(text: &str) -> String {
    let parsed = ClusterScenario::parse(text, Syntax::Toml, "x.toml", Path::new(""));
    parsed.map(|_| text).expect_err("something is wrong").to_string()
}

fn setup(scenario: &ClusterScenario) -> (Setup, TraceTally) {
    scenario.setup(&ClusterChanges::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn run(scenario: &ClusterScenario) -> Summary {
    simulate(setup(scenario).0, &mut ()).unwrap_or_else(|error| panic!("{error}"))
}

/// The jobs, sorted by number.
fn jobs_of(text: &str) -> Vec<JobRecord<'static>> {
    let run = parse(text).run(&ClusterChanges::default());
    run.unwrap_or_else(|error| panic!("{error}")).jobs
}

const TWO: &str = "
overrun = 'kill'
[penalty]
fixed = 1
per_node = 1
[[cluster]]
name = 'a'
nodes = 4
[[cluster]]
name = 'b'
groups = [{ nodes = 1, speed = 2.0 }, { nodes = 1, speed = 2.0 }]
";

/// Every kind of request; expected times computed by hand.
#[test]
fn requests_by_hand() {
    let text = format!(
        "{TWO}
        [[job]]
        nodes = 3
        run = 10
        [[job]]
        at = 1
        nodes = 3
        run = 10
        [[job]]
        at = 2
        request = 'ordered'
        components = [4, 0]
        run = 5
        [[job]]
        at = 3
        request = 'unordered'
        components = [1, 2]
        home = 'b'
        run = 4
        [[job]]
        at = 4
        nodes = 2
        request = 'single'
        home = 'b'
        run = 8
        [[job]]
        name = 'molded'
        at = 5
        run = 12
        moldable = {{ most = 4, amdahl = 0.0 }}
        [[job]]
        at = 50
        nodes = 6
        run = 9
        estimate = 7
        "
    );
    let jobs = jobs_of(&text);
    let ends: Vec<_> = jobs.iter().map(|job| (job.start.0.0, job.end.0.0)).collect();
    // The second pays 1 + 2 for two nodes of b, the fourth and fifth for two of a, the sixth 1 + 1
    // on a node of b, which is twice as fast. The last may take 7 + 3.
    assert_eq!(ends, [(0, 10), (1, 14), (14, 19), (19, 26), (19, 30), (19, 27), (50, 60)]);
    let parts: Vec<u32> = jobs[6].parts.iter().map(|part| part.nodes).collect();
    assert_eq!((jobs[6].outcome, parts), (Outcome::Killed, vec![4, 1, 1]));
}

#[test]
fn keys_become_what_they_say() {
    let text = "
        seed = 7
        decimals = 2
        threshold = 0.5
        [[cluster]]
        name = 'x'
        count = 2
        nodes = 3
        [scheduler]
        policy = 'FCFS_SCANNoStarvation'
        queue = 'local'
        choice = 'nearest-fit'
        max_hops = 3
        delay_percent = 40
        keeps_work = false
        [stop]
        time = 12.25
        jobs = 9
        [[job]]
        run = 1";
    let scenario = parse(text);
    let (setup, _) = setup(&scenario);
    let names: Vec<_> = setup.clusters.iter().map(|cluster| cluster.name.as_str()).collect();
    assert_eq!((names, scenario.seed()), (vec!["x-0", "x-1"], 7));
    assert_eq!((setup.scale, setup.threshold), (Scale::new(2).expect("small"), Ticks(50)));
    assert_eq!((setup.stop.time.map(|time| time.0), setup.stop.jobs), (Some(Ticks(1225)), Some(9)));
    assert_eq!(setup.schedulers.len(), 2);
    assert_eq!(setup.schedulers[1].choice, NodeChoice::NearestFit);
    assert_eq!(setup.schedulers[1].policy, QueuePolicy::NoStarvation { max_hops: 3 });
    // The parameters are available to other policies too.
    let policy = |name| scenario.policy(Some(name)).expect("known");
    assert_eq!(policy("fcfs-scan-backfill-var"), QueuePolicy::Backfill { delay_percent: 40 });
    assert_eq!(policy("preemptive"), QueuePolicy::Preemptive { keeps_work: false });
    assert_eq!(policy("ljf-scan"), QueuePolicy::Scan(QueueOrder::Ljf));
    assert_eq!(policy("fcfs-scan-backfill"), QueuePolicy::Backfill { delay_percent: 0 });
}

#[test]
fn estimates_are_replaced() {
    let with = |estimates: &str| {
        let text =
            format!("{estimates}\n[[cluster]]\nnodes = 1\n[jobs]\nmodel = 'beosim'\ncount = 500\n");
        let source = setup(&parse(&text)).0.source;
        let jobs = source.map(|job| job.expect("drawn").rigid);
        jobs.map(|job| job.estimate.as_f64() / job.run.as_f64()).collect::<Vec<_>>()
    };
    assert!(
        with("").iter().chain(&with("estimates = { exact = true }")).all(|&ratio| ratio == 1.0)
    );
    let drawn = with("estimates = { factor = [2, 4] }");
    assert!(drawn.iter().all(|ratio| (2.0..=5.0).contains(ratio)), "{drawn:?}");
    assert!(drawn.iter().any(|&ratio| ratio < 2.5) && drawn.iter().any(|&ratio| ratio > 3.5));
}

#[test]
fn homes_of_model_jobs() {
    let homes = |more: &str| {
        let text = format!("[[cluster]]\ncount = 4\nnodes = 200\n[jobs]\ncount = 400\n{more}");
        let mut counts = [0; 4];
        for job in setup(&parse(&text)).0.source {
            counts[job.expect("drawn").home.index()] += 1;
        }
        counts
    };
    assert_eq!(homes("model = 'beosim'"), [100; 4]);
    assert_eq!(homes("model = 'lublin'\nhome = 'c2'"), [0, 0, 400, 0]);
    let random = homes("model = 'lublin'\nhome = 'random'");
    assert!(random.iter().all(|count| (70..130).contains(count)), "{random:?}");
    let uneven = homes("model = 'wang-zhang'\nset = { alpha = 3, schedulers = 3 }");
    assert!(uneven[3] == 0 && uneven.iter().max() > Some(&200), "{uneven:?}");
}

#[test]
fn json_means_the_same() {
    for template in &CLUSTER_TEMPLATES[..3] {
        let json = toml::from_str::<serde_json::Value>(template.text).expect("valid").to_string();
        let read = ClusterScenario::parse(&json, Syntax::Json, "test.json", Path::new(""));
        let read = read.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(run(&read), run(&parse(template.text)), "{}", template.name);
    }
}

/// The template whose jobs are in a trace that is not in the repository.
const OF_A_TRACE: &str = "swf-kth";

/// Golden values: computed once and changed only by a commit that says why.
const GOLDEN: [(&str, &str); 4] = [
    (
        "beosim-100",
        "20000 of 20000 jobs, makespan 99983402, wait 48864.318, bounded slowdown 37.338886, \
         queue 9.774486, 0.771482 busy, 40000 events",
    ),
    (
        "beosim-grid",
        "20000 of 20000 jobs, makespan 26002233, wait 15461.907, bounded slowdown 10.862286, \
         queue 11.892753, 0.639860 busy, 40000 events",
    ),
    (
        "wang-zhang",
        "10000 of 10000 jobs, makespan 8913756, wait 19931.370, bounded slowdown 33.725963, \
         queue 22.360237, 0.334281 busy, 20000 events",
    ),
    (
        "swf-kth",
        "28489 of 28489 jobs, makespan 29363626, wait 6852.129, bounded slowdown 91.449316, \
         queue 6.648031, 0.689499 busy, 57491 events",
    ),
];

fn digest(summary: &Summary) -> String {
    let all = &summary.all;
    format!(
        "{} of {} jobs, makespan {}, wait {:.3}, bounded slowdown {:.6}, queue {:.6}, {:.6} busy, \
         {} events",
        all.jobs.finished,
        all.jobs.submitted,
        summary.makespan.0,
        all.jobs.wait.mean(),
        all.jobs.bounded_slowdown.mean(),
        all.queue_depth,
        all.utilisation,
        summary.events,
    )
}

#[test]
fn golden_summaries() {
    assert_eq!(CLUSTER_TEMPLATES.map(|one| one.name), GOLDEN.map(|(name, _)| name));
    for (name, expected) in GOLDEN.iter().filter(|(name, _)| *name != OF_A_TRACE) {
        assert_golden(name, expected, Path::new(""));
    }
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn the_golden_summary_of_a_trace() {
    let (name, expected) = GOLDEN.iter().find(|(name, _)| *name == OF_A_TRACE).expect("there");
    assert_golden(name, expected, &data("swf"));
}

#[track_caller]
fn assert_golden(name: &str, expected: &str, folder: &Path) {
    let text = template(name).expect("a template").text;
    assert_eq!(digest(&run(&parse_in(text, folder))), expected, "{name}");
}

fn log(scenario: &ClusterScenario, policy: &str) -> String {
    let changes =
        ClusterChanges { seed: None, policy: Some(scenario.policy(Some(policy)).expect("known")) };
    let (setup, _) = scenario.setup(&changes).unwrap_or_else(|error| panic!("{error}"));
    let mut log = SwfLog::new(Vec::new(), &setup).expect("memory");
    simulate(setup, &mut log).unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8(log.finish().expect("memory")).expect("text")
}

/// Writes a file in a new temporary folder.
fn written(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("writable");
    (folder, path)
}

#[test]
fn a_log_simulated_again_is_the_same_log() {
    let text = "
        decimals = 1
        [[cluster]]
        nodes = 64
        [jobs]
        model = 'lublin'
        count = 3000
        [estimates]
        factor = [1, 5]";
    for policy in ["fcfs", "easy", "conservative", "sjf-scan"] {
        let first = log(&parse(text), policy);
        assert_eq!(first.lines().count(), 3005, "{policy}");
        let (folder, _) = written("log.swf", &first);
        let again = "decimals = 1\n[[cluster]]\nnodes = 64\n[jobs]\ntrace = 'log.swf'\n";
        assert!(first == log(&parse_in(again, folder.path()), policy), "{policy}");
    }
    let whole = text.replace("decimals = 1", "");
    let first = log(&parse(&whole), "easy");
    let (_folder, path) = written("log.swf", &first);
    let alone = ClusterScenario::of_trace(&path, TraceOptions::default()).expect("a trace");
    assert!(first == log(&alone, "easy"));
}

/// With nodes of several speeds, penalties, priorities and homes, each of which has a field in the
/// log.
#[test]
fn a_log_of_a_grid_simulated_again_is_the_same_log() {
    let grid = template("beosim-grid").expect("a template").text.replace("20000", "2000");
    let first = log(&parse(&grid), "easy");
    let (folder, _) = written("log.swf", &first);
    let (head, _) = grid.split_once("[jobs]").expect("jobs");
    let jobs = "trace = 'log.swf'\nrun_time = 'cpu'\npriority = 'queue'\n\
                request = 'unordered'\ncomponent = 16\n";
    let again = parse_in(&format!("{head}[jobs]\n{jobs}"), folder.path());
    assert!(first == log(&again, "easy"));
    // With wall-clock run times, slow nodes slow the jobs down twice.
    let wall = parse_in(&format!("{head}[jobs]\n{}", jobs.replace("cpu", "wall")), folder.path());
    assert!(first != log(&wall, "easy"));
}

/// Jobs that were rejected, killed, or not finished at the end of the simulation.
#[test]
fn a_log_tells_every_end() {
    let text = "
        overrun = 'kill'
        stop = { time = 40 }
        [[cluster]]
        nodes = 2
        [[job]]
        nodes = 3
        run = 5
        [[job]]
        run = 9
        estimate = 4
        user = 8
        [[job]]
        at = 1
        nodes = 2
        run = 100
        priority = 2
        [[job]]
        at = 2
        run = 1";
    let log = log(&parse(text), "fcfs-scan");
    let lines: Vec<&str> = log.lines().filter(|line| !line.starts_with(';')).collect();
    let expected = [
        "1 0 -1 5 -1 -1 -1 3 5 -1 5 -1 -1 -1 0 -1 -1 -1",
        "2 0 0 4 1 4 -1 1 4 -1 0 8 -1 -1 0 -1 -1 -1",
        "3 1 -1 100 -1 -1 -1 2 100 -1 -1 -1 -1 -1 2 -1 -1 -1",
        "4 2 0 1 1 1 -1 1 1 -1 1 -1 -1 -1 0 -1 -1 -1",
    ];
    assert_eq!(lines, expected);
}

/// The four traces replay. The sizes of the sites of LCG are unknown: it runs as one pool of all
/// 24,515 processors, and as 170 clusters of equal size with one queue each.
#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn real_traces_replay() {
    let folder = data("swf");
    let replay = |text: &str| {
        let scenario = parse_in(text, &folder);
        let (setup, tally) = setup(&scenario);
        let summary = simulate(setup, &mut ()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(summary.all.jobs.finished, summary.all.jobs.submitted, "{text}");
        (summary.all.jobs.finished, tally.get().expect("a trace").skipped())
    };
    let on = |nodes: u32, file: &str, more: &str| {
        replay(&format!("[[cluster]]\nnodes = {nodes}\n[jobs]\ntrace = '{file}'\n{more}"))
    };
    let scheduler = |policy: &str| format!("[scheduler]\npolicy = '{policy}'\n");
    assert_eq!(on(100, "KTH-SP2-1996-2.swf", &scheduler("conservative")), (28_489, 0));
    assert_eq!(on(128, "NASA-iPSC-1993-3.1-cln.swf", &scheduler("easy")), (18_239, 0));
    assert_eq!(on(24_515, "LCG-2005-1.swf.gz", ""), (188_041, 0));
    let sites = "[[cluster]]\ncount = 170\nnodes = 144\n[scheduler]\nqueue = 'local'\n\
                 [jobs]\ntrace = 'LCG-2005-1.swf.gz'\n";
    assert_eq!(replay(sites), (188_041, 0));
    let metacentrum = "[[cluster]]\nnodes = 1600\n[[cluster]]\nnodes = 576\n\
                       [jobs]\ntrace = 'metacentrum-wagap-2013.swf.gz'\nlenient = true\n\
                       start = 'first-job'\nrequest = 'single'\nhome = 'c0'\n";
    assert_eq!(replay(metacentrum), (17_898, 2));
}
