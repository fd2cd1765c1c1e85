//! Valid scenario files: tables of the literature, golden summaries, every organisation of
//! schedulers, every policy.
//!
//! Invalid files are in `bad.rs`.

use gridsat_model::Ticks;
use std::fs;
use std::path::Path;

use gridsat_engine::End;
use gridsat_engine::time::Time;
use gridsat_grid::{GridEvents, Happening, JobRecord, Observer, Outcome, Setup, Summary, simulate};
use gridsat_heuristics::Heuristics;
use gridsat_model::io::{ReadOptions, read_file};
use gridsat_scenario::{Changes, Policies, Policy, Scenario, Syntax, TEMPLATES, template};
use gridsat_test_support::project;

use crate::grid::parse;

fn text_of(name: &str) -> &'static str {
    template(name).expect("a template").text
}

/// The summary, and the jobs sorted by number.
fn run_with(scenario: &Scenario, changes: &Changes) -> (Summary, Vec<JobRecord>) {
    let run = scenario.run(changes).unwrap_or_else(|error| panic!("{error}"));
    (run.summary, run.jobs)
}

fn run(text: &str) -> (Summary, Vec<JobRecord>) {
    run_with(&parse(text), &Changes::default())
}

/// The time at which each job left, in seconds.
fn ends(jobs: &[JobRecord]) -> Vec<f64> {
    jobs.iter().map(|job| job.end.0.as_f64() / 1e9).collect()
}

fn assert_all_finished(what: &str, summary: &Summary, jobs: u64) {
    let counts = &summary.counts;
    assert_eq!((counts.submitted, counts.finished, summary.left), (jobs, jobs, 0), "{what}");
    assert_eq!((summary.end, &summary.stuck), (End::NoEvents, &None), "{what}");
}

/// Table 5.1 of the GridSim paper, both halves.
#[test]
fn gridsim_table() {
    let text = text_of("gridsim-table");
    assert_eq!(ends(&run(text).1), [10.0, 14.0, 18.0]);
    let space = text.replace("\"time-shared-gridsim\"", "\"space-shared\"");
    assert_eq!(ends(&run(&space).1), [10.0, 12.5, 19.5]);
}

/// Table 3.1 of the thesis, both halves, with the 13 MI it was made with and the 14 MI it prints
/// (E9).
#[test]
fn gsim_table() {
    let text = text_of("gsim-table");
    let space = |text: &str| text.replace("\"time-shared-gsim\"", "\"space-shared\"");
    let printed = text.replace("mi = 13.0", "mi = 14.0");
    assert_eq!(ends(&run(text).1), [17.0, 7.0, 16.0, 21.0]);
    assert_eq!(ends(&run(&space(text)).1), [13.0, 7.0, 17.0, 21.0]);
    assert_eq!(ends(&run(&printed).1), [18.0, 7.0, 16.0, 21.0]);
    assert_eq!(ends(&run(&space(&printed)).1), [14.0, 7.0, 17.0, 22.0]);
}

/// Golden values: computed once and changed only by a commit that says why. Times in seconds.
const GOLDEN: [(&str, &str); 4] = [
    (
        "wwg",
        "2000 jobs, makespan 20578.126053199, flow 11688.905284, wait 6412.719592, \
         56.350431 jobs a host, 0.875879 busy, 3848 events, 1080 decisions",
    ),
    (
        "gsim-base",
        "1000 jobs, makespan 32303.927295327, flow 14091.196587, wait 13773.036583, \
         2.819035 jobs a host, 0.984896 busy, 4205 events, 3105 decisions",
    ),
    (
        "gridsim-table",
        "3 jobs, makespan 18, flow 10.333333, wait 0.000000, \
         1.722222 jobs a host, 0.777778 busy, 6 events, 3 decisions",
    ),
    (
        "gsim-table",
        "4 jobs, makespan 21, flow 11.000000, wait 0.000000, \
         2.095238 jobs a host, 0.857143 busy, 8 events, 4 decisions",
    ),
];

fn digest(summary: &Summary) -> String {
    let counts = &summary.counts;
    let (flow, wait) = (counts.flow.mean() / 1e9, counts.wait.mean() / 1e9);
    format!(
        "{} jobs, makespan {}, flow {flow:.6}, wait {wait:.6}, \
         {:.6} jobs a host, {:.6} busy, {} events, {} decisions",
        counts.finished,
        summary.scale.display(counts.makespan.0),
        summary.mean_jobs(),
        summary.utilisation,
        summary.events,
        summary.decisions,
    )
}

#[test]
fn golden_summaries() {
    // Those of DSiDE are in failures.rs, the one with prices in economy.rs, the one with files in
    // data.rs, and that with jobs on several PEs in machines.rs.
    let others =
        ["dside-desktop", "dside-tornado", "data-grid", "gridsim-economy", "gridsim-gridlets"];
    let names: Vec<&str> = GOLDEN.iter().map(|&(name, _)| name).chain(others).collect();
    assert_eq!(TEMPLATES.map(|template| template.name)[..], names);
    for (name, expected) in GOLDEN {
        let (summary, _) = run(text_of(name));
        assert_eq!(digest(&summary), expected, "{name}");
        assert_all_finished(name, &summary, summary.counts.submitted);
    }
}

#[test]
fn json_means_the_same() {
    for (name, expected) in GOLDEN {
        let value: serde_json::Value = toml::from_str(text_of(name)).expect("valid");
        let json = serde_json::to_string_pretty(&value).expect("JSON");
        let parsed = Scenario::parse(&json, Syntax::Json, "test.json", Path::new(""));
        let scenario = parsed.unwrap_or_else(|error| panic!("{error}\n{json}"));
        assert_eq!(scenario.name(), name);
        assert_eq!(digest(&run_with(&scenario, &Changes::default()).0), expected, "{name}");
    }
}

#[test]
fn files_are_read_by_their_names() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let text = "[[resource]]\nmips = 1\n[[job]]\nmi = 2\n";
    let json = r#"{ "resource": [{ "mips": 1 }], "job": [{ "mi": 2 }], "seed": 7 }"#;
    fs::write(folder.path().join("a.toml"), text).expect("writable");
    fs::write(folder.path().join("b.json"), json).expect("writable");
    let read = |name: &str| Scenario::read(folder.path().join(name)).expect(name);
    let (a, b) = (read("a.toml"), read("b.json"));
    assert_eq!((a.name(), a.seed(), a.own_policies()), ("a", 1, vec!["mct".to_owned()]));
    assert_eq!((b.name(), b.seed()), ("b", 7));
}

/// The grid and all jobs, as text.
fn contents(setup: Setup) -> (String, Vec<String>) {
    let jobs = setup.groups.into_iter().flat_map(|group| group.source);
    (format!("{:?}", setup.grid), jobs.map(|job| format!("{job:?}")).collect())
}

#[test]
fn a_policy_changes_neither_the_grid_nor_the_jobs() {
    let scenario = parse(text_of("gsim-base"));
    let with = |policy: Option<&Policy>, seed| {
        let changes = Changes { policy: policy.cloned(), seed, ..Changes::default() };
        contents(scenario.setup(&changes).expect("valid"))
    };
    let (grid, jobs) = with(None, None);
    assert_eq!(jobs.len(), 1000);
    for policy in Policies::built_in().iter().filter(|policy| !policy.is_fixed()) {
        assert_eq!(with(Some(policy), None), (grid.clone(), jobs.clone()), "{}", policy.name);
    }
    let (other_grid, other_jobs) = with(None, Some(2));
    assert!(other_grid != grid && other_jobs != jobs);
}

#[test]
fn users_do_not_change_the_grid_nor_it_them() {
    let text = text_of("gsim-base");
    let of = |text: &str| contents(parse(text).setup(&Changes::default()).expect("valid"));
    let (grid, jobs) = of(text);
    let users = text.replace("count = 100", "count = 7").replace("qos = 0.5", "qos = 0.9");
    assert_eq!(of(&users).0, grid);
    let rates = text.replace("[100, 1000]", "[50, 60]");
    let more = rates.replace("count = 5 ", "count = 9 ");
    assert_eq!(of(&more).1, jobs);
    assert_ne!(of(&more).0, grid);
}

const SMALL: &str = r#"
    [[resource]]
    name = "fast"
    mips = 100
    qos = 1
    [[resource]]
    name = "shared"
    policy = "time-shared"
    pes = 2
    mips = 80
    load = 25
    [[resource]]
    name = "cluster"
    machines = [{ pes = 2, mips = 30 }, { mips = { uniform = [40, 50] } }]
    [[users]]
    count = 3
    gap = { constant = 5 }
    tasks = 4
    size = { normal = [1000, 200] }
    weights = [2, 1]
    [estimates]
    less = 0.1
    more = 0.2
"#;

#[test]
fn every_policy_finishes_every_job() {
    let scenario = parse(SMALL);
    for policy in Policies::built_in().iter().filter(|policy| !policy.is_fixed()) {
        let changes = Changes { policy: Some(policy.clone()), ..Changes::default() };
        let (summary, _) = run_with(&scenario, &changes);
        assert_all_finished(policy.name, &summary, 12);
    }
}

#[test]
fn every_mode_and_estimator_finishes_every_job() {
    let modes = [
        "mode = \"on-line\"",
        "mode = \"batch\"\nwait = 3.5",
        "mode = \"count\"\njobs = 5",
        "mode = \"time-limit\"\nwait = 2",
        "mode = \"when-free\"",
    ];
    for mode in modes {
        for estimator in ["auto", "shares", "exact"] {
            let scheduler = format!(
                "[[scheduler]]\npolicy = \"sufferage\"\n{mode}\nestimator = \"{estimator}\"\n"
            );
            let (summary, _) = run(&format!("{SMALL}{scheduler}"));
            assert_all_finished(&scheduler, &summary, 12);
        }
    }
}

const SITES: &str = r#"
    [[resource]]
    name = "east"
    site = "e"
    count = 3
    mips = { uniform = [100, 200] }
    [[resource]]
    name = "west"
    site = "w"
    count = 2
    pes = 2
    mips = 150
    qos = 1
    policy = "time-shared-gsim"
    [[users]]
    count = 10
    gap = 3
    applications = 2
    tasks = 5
    size = { exponential = 2000 }
    qos = 0.3
"#;

#[test]
fn a_metascheduler_over_site_schedulers() {
    let text = r#"
        [[scheduler]]
        name = "meta"
        policy = "mct"
        targets = ["of-e", "of-w"]
        [[scheduler]]
        name = "of-e"
        policy = "fjfr"
        targets = ["site:e"]
        [[scheduler]]
        name = "of-w"
        policy = "tlmm"
        targets = ["west"]
    "#;
    let scenario = parse(&format!("{SITES}{text}"));
    let (summary, jobs) = run_with(&scenario, &Changes::default());
    assert_all_finished("hierarchy", &summary, 100);
    let used: Vec<u64> = summary.resources.iter().map(|resource| resource.completed).collect();
    assert!(used[..3].iter().sum::<u64>() > 0 && used[3..].iter().sum::<u64>() > 0, "{used:?}");
    let is_west = |job: &JobRecord| job.sent.is_some_and(|(resource, _)| resource.index() >= 3);
    assert!(jobs.iter().all(|job| job.qos == 0 || is_west(job)));
    // The new policy applies to schedulers that send jobs to resources.
    let changes =
        Changes { policy: Some(scenario.policy("maxmin").expect("known")), ..Changes::default() };
    let setup = scenario.setup(&changes).expect("valid");
    let names: Vec<String> = setup.schedulers.iter().map(|one| one.policy.clone()).collect();
    assert_eq!(names, ["mct", "maxmin", "maxmin"]);
}

#[test]
fn competing_schedulers_over_the_same_resources() {
    let text = r#"
        schedulers = ["one", "two"]
        [[scheduler]]
        name = "one"
        policy = "minmin"
        [[scheduler]]
        name = "two"
        policy = "fcfs"
        targets = ["*"]
    "#;
    struct Arrivals(Vec<u32>);
    impl Observer<GridEvents> for Arrivals {
        fn happened(&mut self, _: Time, what: &Happening) {
            if let Happening::Arrived { scheduler, .. } = what {
                self.0.push(scheduler.0);
            }
        }
    }
    let scenario = parse(&format!("{SITES}{text}"));
    let (summary, _) = run_with(&scenario, &Changes::default());
    assert_all_finished("decentralised", &summary, 100);
    let mut arrivals = Arrivals(Vec::new());
    simulate(scenario.setup(&Changes::default()).expect("valid"), &mut arrivals).expect("runs");
    let expected: Vec<u32> = (0..20).flat_map(|turn| [turn % 2; 5]).collect();
    assert_eq!(arrivals.0, expected);
}

#[test]
fn explicit_jobs_go_to_their_schedulers() {
    let text = r#"
        [[resource]]
        name = "a"
        mips = 1
        [[resource]]
        name = "b"
        mips = 1
        [[users]]
        count = 1
        gap = { constant = 100 }
        tasks = 1
        size = 1
        schedulers = ["to-b"]
        [[job]]
        mi = 4
        scheduler = "to-b"
        [[job]]
        mi = 3
        [[job]]
        at = 1.5
        mi = 2
        scheduler = "to-b"
        [[scheduler]]
        name = "to-a"
        targets = ["a"]
        [[scheduler]]
        name = "to-b"
        targets = ["b"]
    "#;
    let (_, jobs) = run(text);
    let sent: Vec<_> = jobs.iter().map(|job| job.sent.map(|(resource, _)| resource.0)).collect();
    assert_eq!(sent, [Some(1), Some(0), Some(1), Some(1)]);
    assert_eq!(ends(&jobs), [4.0, 3.0, 6.0, 101.0]);
}

#[test]
fn commands_are_obeyed() {
    let text = |last: &str| {
        format!(
            "[[resource]]\nmips = 1\n[[job]]\nmi = 10\n[[job]]\nmi = 5\n[[job]]\nmi = 5\n\
             [[command]]\nat = 2\nhalt = 0\n[[command]]\nat = 4\nresume = 0\n\
             [[command]]\nat = 1\ncancel = 2\n{last}"
        )
    };
    // Job 0 loses its PE to job 1 and then has 8 seconds left.
    let (summary, jobs) = run(&text(""));
    assert_eq!(ends(&jobs), [15.0, 7.0, 1.0]);
    assert_eq!(jobs[2].outcome, Outcome::Cancelled);
    assert_eq!((summary.counts.finished, summary.counts.cancelled), (2, 1));
    let (summary, jobs) = run(&text("[[command]]\nat = 8\nend = true\n"));
    assert_eq!(
        (summary.end, summary.end_time, summary.left),
        (End::Asked, Time(Ticks(8_000_000_000)), 1)
    );
    assert_eq!(jobs.len(), 2);
}

#[test]
fn stop_rules_are_obeyed() {
    let of = |rule: &str| run(&format!("{SMALL}[stop]\n{rule}\n")).0;
    let summary = of("jobs = 4");
    assert!(summary.end == End::JobLimit && summary.counts.finished >= 4);
    let summary = of("time = 12.5");
    assert!(summary.end == End::TimeLimit && summary.end_time < Time(Ticks(12_500_000_000)));
    let lazy = "[[resource]]\nmips = 1\n\
        load = { average = 50, randomiser = \"binomial\", period = 9 }\n\
                [[job]]\nmi = 1\n[[job]]\nat = 1000\nmi = 1\n[stop]\ninactivity = 100\n";
    assert_eq!(run(lazy).0.end, End::Inactivity);
}

/// Estimate errors change either what schedulers assume (`error`) or the true sizes (`less`,
/// `more`).
#[test]
fn estimates_are_wrong_on_request() {
    let of = |text: &str| {
        let jobs = contents(parse(text).setup(&Changes::default()).expect("valid")).1;
        jobs.iter().map(|job| job.contains("estimate: 1.0,")).collect::<Vec<_>>()
    };
    let text = text_of("gridsim-table");
    assert_eq!(of(text), [true; 3]);
    assert_eq!(of(&format!("{text}[estimates]\nerror = 10\n")), [false; 3]);
    assert_eq!(of(&format!("{text}[estimates]\nmore = 0.5\n")), [false; 3]);
}

const MATRIX: &str = r#"
    [[resource]]
    count = 3
    mips = 1
    [etc]
    matrix = [[1, 2.5, "inf"], [3, "0.123456789", 4], [inf, 7e-9, 12]]
    at = 0.5
"#;

#[test]
fn a_matrix_is_simulated_to_the_tick() {
    let (_, jobs) = run(MATRIX);
    let ticks: Vec<u64> = jobs.iter().map(|job| job.end.0.0 - 500_000_000).collect();
    assert_eq!(ticks, [1_000_000_000, 123_456_789, 123_456_796]);
    let (_, jobs) = run(&format!("{MATRIX}mapping = [0, 2, 1]"));
    let ticks: Vec<u64> = jobs.iter().map(|job| job.end.0.0 - 500_000_000).collect();
    assert_eq!(ticks, [1_000_000_000, 4_000_000_000, 7]);
}

/// On dedicated hosts a replayed mapping takes exactly its makespan.
#[test]
fn a_replayed_mapping_has_its_makespan() {
    let path = project("instances/braun-demo.json");
    let instance = read_file(&path, &ReadOptions::default()).expect("readable");
    for heuristic in Heuristics::built_in().iter() {
        let mapping = heuristic.map(&instance);
        let hosts: Vec<u32> = mapping.hosts().iter().map(|host| host.0).collect();
        let text = format!(
            "[[resource]]\ncount = 4\nmips = 1\n[etc]\nfile = \"braun-demo.json\"\n\
             mapping = {hosts:?}\n"
        );
        let folder = project("instances");
        let scenario = Scenario::parse(&text, Syntax::Toml, "x.toml", &folder).expect("valid");
        assert_eq!(scenario.own_policies(), ["fixed"]);
        let (summary, _) = run_with(&scenario, &Changes::default());
        let shown = summary.scale.display(summary.counts.makespan.0).to_string();
        assert_eq!(shown, instance.scale().display(mapping.makespan()).to_string());
    }
}

#[test]
fn outputs_are_those_of_the_file() {
    let text = format!("{SMALL}[output]\njobs = \"a.csv\"\nevents = \"log\"\n");
    let scenario = parse(&text);
    let outputs = scenario.outputs();
    assert_eq!(outputs.jobs.as_deref(), Some(Path::new("a.csv")));
    assert_eq!(outputs.events.as_deref(), Some(Path::new("log")));
    assert_eq!(outputs.gantt, None);
}

/// Jobs of a file are those that the scenario could list itself, in both formats.
#[test]
fn jobs_of_a_file_are_those_of_the_list() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let jobs: Vec<(f64, u32, u32)> =
        (0..200).map(|job| (f64::from(job) * 0.125, 10 + job * 7 % 31, job % 2)).collect();
    let listed: String = jobs
        .iter()
        .map(|(at, mi, qos)| format!("[[job]]\nat = {at}\nmi = {mi}.5\nqos = {qos}\n"))
        .collect();
    let csv: String = jobs.iter().map(|(at, mi, qos)| format!("{qos},{at},{mi}.5\n")).collect();
    let lines: String = jobs
        .iter()
        .map(|(at, mi, qos)| format!("{{\"at\": {at}, \"mi\": {mi}.5, \"qos\": {qos}}}\n"))
        .collect();
    let write = |name: &str, text: String| {
        std::fs::write(folder.path().join(name), text).expect("writable");
    };
    write("jobs.csv", format!("qos,at,mi\n{csv}"));
    write("jobs.jsonl", lines);
    let run = |jobs: &str| {
        let text = format!(
            "[[resource]]\ncount = 3\nmips = 7\nqos = 1\n[[resource]]\nmips = 9\n\
             [[scheduler]]\npolicy = 'mct'\n[estimates]\nerror = 20\n{jobs}"
        );
        let scenario = Scenario::parse(&text, Syntax::Toml, "x.toml", folder.path());
        let run = scenario.expect("valid").run(&Changes::default()).expect("runs");
        let records = run.jobs.iter();
        records.map(|job| (job.number, job.arrival, job.sent, job.end)).collect::<Vec<_>>()
    };
    let expected = run(&listed);
    assert_eq!(expected.len(), 200);
    assert_eq!(run("[[job_file]]\nfile = 'jobs.csv'\n"), expected);
    assert_eq!(run("[[job_file]]\nfile = 'jobs.jsonl'\n"), expected);
}

/// So are jobs that need several PEs, memory, or operations and instructions.
#[test]
fn composite_jobs_of_a_file_are_those_of_the_list() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("writable");
    };
    let listed = "[[job]]\nmi = 10\nmemory = 6\n[[job]]\nat = 1\nmi = 5\npes = 2\n\
                  [[job]]\nat = 2\nmi = 3\nio = 4\nmemory = 5\n[[job]]\nat = 3\nio = 2\n";
    write("jobs.csv", "memory,at,mi,io,pes\n6,0,10,,\n,1,5,,2\n5,2,3,4,1\n,3,,2,\n");
    write(
        "jobs.jsonl",
        "{\"at\": 0, \"mi\": 10, \"memory\": 6}\n{\"at\": 1, \"mi\": 5, \"pes\": 2}\n\
         {\"at\": 2, \"mi\": 3, \"io\": 4, \"memory\": 5}\n{\"at\": 3, \"io\": 2}\n",
    );
    let run = |jobs: &str| {
        let text = format!(
            "[[resource]]\npes = 2\nmips = 1\nmemory = 10\nio = 2\n\
             policy = 'space-shared-backfill'\n{jobs}"
        );
        let scenario = Scenario::parse(&text, Syntax::Toml, "x.toml", folder.path());
        let run = scenario.expect("valid").run(&Changes::default()).expect("runs");
        run.jobs.iter().map(|job| (job.number, job.started, job.end)).collect::<Vec<_>>()
    };
    let expected = run(listed);
    assert_eq!(expected.len(), 4);
    assert_eq!(run("[[job_file]]\nfile = 'jobs.csv'\n"), expected);
    assert_eq!(run("[[job_file]]\nfile = 'jobs.jsonl'\n"), expected);
}

#[test]
fn wrong_lines_of_a_file_of_jobs_are_named() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let error = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("writable");
        let scenario = format!("[[resource]]\nmips = 1\n[[job_file]]\nfile = '{name}'\n");
        let error = Scenario::parse(&scenario, Syntax::Toml, "x.toml", folder.path()).err();
        let error = error.unwrap_or_else(|| panic!("accepted: {text}")).to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    };
    for (name, text, expected) in [
        ("a.csv", "", "has no jobs"),
        ("a.csv", "at,mi\n", "has no jobs"),
        ("a.csv", "mi\n1\n", "a.csv:1: column at is missing"),
        ("a.csv", "at,size\n", "a.csv:1: column \"size\" is unknown"),
        ("a.csv", "at,at\n", "a.csv:1: column at is there twice"),
        ("a.csv", "at,mi\n\n1,5\n0.5,5\n", "a.csv:4: at is 0.5, before the 1 of the job above it"),
        ("a.csv", "at,mi\n1\n", "a.csv:2: 1 fields, but 2 columns"),
        ("a.csv", "at,mi\n1,2,3\n", "a.csv:2: more than 2 fields"),
        ("a.csv", "at,mi\n1,x\n", "a.csv:2: mi is \"x\", not a number"),
        ("a.csv", "at,mi\n1,0\n", "a.csv:2: mi is 0, must be above 0"),
        ("a.csv", "at,mi\n1,\n", "a.csv:2: mi or io is missing"),
        ("a.csv", "at,mi,name\n1,2,\"a\"\n", "a.csv:2: quotes are not supported"),
        ("a.csv", "at,mi,qos\n1,2,-1\n", "a.csv:2: qos is \"-1\", not a whole number"),
        ("a.csv", "at,mi,qos\n1,2,1\n", "job_file[0]: needs QoS 1"),
        ("a.csv", "at,mi,pes\n1,2,2\n", "job_file[0]: needs 2 PEs at once"),
        ("a.csv", "at,mi,pes\n1,2,1.5\n", "pes is \"1.5\", not a whole number"),
        ("a.csv", "at,mi,pes\n1,2,0\n", "pes is 0"),
        ("a.csv", "at,mi,memory\n1,2,-1\n", "memory is -1"),
        ("a.jsonl", "{\"at\": 1, \"mi\": 2, \"io\": 3}\n", "needs instructions and io"),
        ("a.jsonl", "{\"at\": 1, \"mi\": 1, \"no\": 1}\n", "a.jsonl:1: not a job: unknown field"),
        ("a.jsonl", "{\"mi\": 1}\n", "a.jsonl:1: at is missing"),
        ("a.jsonl", "{\"at\": -1, \"mi\": 1}\n", "a.jsonl:1: at is -1, not a number of seconds"),
    ] {
        let error = error(name, text);
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    let text = "[[resource]]\nmips = 1\n[[job_file]]\nfile = 'none.csv'\n";
    let error = Scenario::parse(text, Syntax::Toml, "x.toml", folder.path()).err();
    assert!(error.expect("missing").to_string().contains("cannot read"), "no such file");
}

/// A file that loses jobs between check and run ends the run with an error.
#[test]
fn a_file_of_jobs_that_changes_is_an_error() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let path = folder.path().join("jobs.csv");
    std::fs::write(&path, "at,mi\n0,5\n1,5\n").expect("writable");
    let text = "[[resource]]\nmips = 1\n[[job_file]]\nfile = 'jobs.csv'\n";
    let scenario = Scenario::parse(text, Syntax::Toml, "x.toml", folder.path()).expect("valid");
    for text in ["at,mi\n0,5\n", "at,mi\n"] {
        std::fs::write(&path, text).expect("writable");
        let error = scenario.run(&Changes::default()).expect_err("changed").to_string();
        assert!(error.contains("has changed since it was read: it has fewer jobs"), "{error}");
    }
}
