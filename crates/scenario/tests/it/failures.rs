//! Failures: treatment of jobs computed by hand, accounts of work that balance whenever a run
//! stops, and the two grids of DSiDE.

use gridsat_model::Ticks;

use gridsat_engine::End;
use gridsat_engine::time::Time;
use gridsat_grid::work::Work;
use gridsat_grid::{
    ByHeuristic, GridEvents, Happening, JobRecord, Observer, Outcome, Setup, Summary, simulate,
};
use gridsat_heuristics::List;
use gridsat_scenario::{Changes, Scenario, Syntax, template};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{FAILURE_RULES, command, log, pick, run, setup};

/// Useful work, lost work, overhead and total work given, in seconds.
fn work(summary: &Summary) -> [f64; 4] {
    let work = summary.accounts;
    [work.useful, work.lost, work.overhead, work.given].map(|work| work.in_ticks() / 1e9)
}

/// One machine of 1 MIPS that is down from 40 to 50, followed by the given text.
fn one(on_failure: &str, more: &str) -> String {
    format!(
        "[[resource]]\nname = 'a'\nmips = 1\n[resource.failure]\n\
         changes = [ {{ at = 40, down = true }}, {{ at = 50, up = true }} ]\n{on_failure}\n{more}"
    )
}

const JOB: &str = "[[job]]\nmi = 100\n";

#[test]
fn lost_jobs_and_those_behind_them() {
    let (log, summary) = log(&one("on_failure = 'lost'", &JOB.repeat(2)));
    let expected = [
        "0 sent job=0 resource=a",
        "0 started job=0 resource=a pe=0",
        "0 sent job=1 resource=a",
        "40 down resource=a",
        "40 lost job=0 resource=a",
        "50 up resource=a",
        "50 started job=1 resource=a pe=0",
        "150 finished job=1 resource=a",
        "150 end reason=no-events",
    ];
    assert_eq!(log, expected);
    assert_eq!((summary.counts.lost, summary.counts.finished), (1, 1));
    assert_eq!(work(&summary), [100.0, 40.0, 0.0, 140.0]);
    assert_eq!(summary.downtime, 10.0 / 150.0);
    assert_eq!(summary.utilisation, 140.0 / 150.0);
}

#[test]
fn restarted_jobs_begin_from_zero() {
    let (log, summary) = log(&one("on_failure = 'restart'", JOB));
    let expected = [
        "0 sent job=0 resource=a",
        "0 started job=0 resource=a pe=0",
        "40 down resource=a",
        "40 interrupted job=0 resource=a",
        "50 up resource=a",
        "50 started job=0 resource=a pe=0",
        "150 finished job=0 resource=a",
        "150 end reason=no-events",
    ];
    assert_eq!(log, expected);
    assert_eq!(work(&summary), [100.0, 40.0, 0.0, 140.0]);
}

/// A second machine, twice as fast, and down at first so that the other one gets the job.
const FAST: &str = "[[resource]]\nname = 'b'\nmips = 2\n[resource.failure]\n\
    changes = [ { at = 0, down = true }, { at = 1, up = true } ]\n";

fn late(mi: u32) -> String {
    format!("{FAST}[[job]]\nat = 0.5\nmi = {mi}\n")
}

#[test]
fn resubmitted_jobs_begin_from_zero_elsewhere() {
    let (log, summary) = log(&one("on_failure = 'resubmit'", &late(100)));
    let expected = [
        "0 down resource=b",
        "0.5 sent job=0 resource=a",
        "0.5 started job=0 resource=a pe=0",
        "1 up resource=b",
        "40 down resource=a",
        "40 interrupted job=0 resource=a",
        "40 returned job=0 scheduler=main",
        "40 sent job=0 resource=b",
        "40 started job=0 resource=b pe=0",
        "50 up resource=a",
        "90 finished job=0 resource=b",
        "90 end reason=no-events",
    ];
    assert_eq!(log, expected);
    assert_eq!(work(&summary), [50.0, 39.5, 0.0, 89.5]);
}

/// Queued jobs that come back and are sent again have nothing but an amount of work, as new jobs
/// do, and are followed by new jobs.
#[test]
fn queued_jobs_that_come_back_are_sent_again_among_new_ones() {
    let jobs = JOB.repeat(3) + "[[job]]\nat = 41\nmi = 10\n" + "[[job]]\nat = 42\nmi = 10\n";
    let more = format!("[[resource]]\nname = 'b'\nmips = 0.1\n{jobs}");
    let (log, summary) = log(&one("on_failure = 'resubmit'", &more));
    assert_eq!((summary.counts.finished, summary.left), (5, 0), "{log:#?}");
    let returned = log.iter().filter(|line| line.contains("returned")).count();
    assert_eq!(returned, 3, "{log:#?}");
}

#[test]
fn migrated_jobs_keep_all_and_pay() {
    let rule = "on_failure = 'migrate'\nmigration_cost = 10";
    let (log, summary) = log(&one(rule, &late(79)));
    // 39.5 of 79 are done; the rest takes half of 39.5 seconds on the fast machine, after 10.
    assert_eq!(log[log.len() - 2], "69.75 finished job=0 resource=b");
    assert_eq!(work(&summary), [39.5 + 19.75, 0.0, 10.0, 69.25]);
}

#[test]
fn checkpoints_keep_what_they_hold() {
    let rule = "on_failure = 'checkpoint'\ncheckpoint = 30\ncheckpoint_cost = 5\nstay = true";
    let (log, summary) = log(&one(rule, JOB));
    // 30, a checkpoint, 5 that are lost; then 30, a checkpoint, 30, a checkpoint, 10.
    assert_eq!(log[log.len() - 2], "130 finished job=0 resource=a");
    assert_eq!(work(&summary), [100.0, 5.0, 15.0, 120.0]);
    let rule = rule.replace("stay = true", "");
    let (log, summary) = self::log(&one(&rule, &late(100)));
    // 39.5 on the first; the remaining 70 take 35 on the second, which makes no checkpoints.
    assert_eq!(log[log.len() - 2], "75 finished job=0 resource=b");
    assert_eq!(work(&summary), [65.0, 4.5, 5.0, 74.5]);
}

#[test]
fn capacity_is_speed() {
    let text = "[[resource]]\nname = 'a'\nmips = 1\nload = 50\n[resource.failure]\n\
        changes = [ { at = 20, capacity = 50 }, { at = 60, capacity = 100 } ]\n[[job]]\nmi = 50\n";
    let (log, summary) = log(text);
    let expected = [
        "0 load resource=a percent=50",
        "0 sent job=0 resource=a",
        "0 started job=0 resource=a pe=0",
        "20 capacity resource=a percent=50",
        "60 capacity resource=a percent=100",
        "120 finished job=0 resource=a",
        "120 end reason=no-events",
    ];
    assert_eq!(log, expected);
    assert_eq!((work(&summary), summary.downtime), ([50.0, 0.0, 0.0, 50.0], 0.0));
}

#[test]
fn a_job_done_at_the_moment_of_the_failure_is_done() {
    let (log, _) = log(&one("on_failure = 'lost'", "[[job]]\nmi = 40\n"));
    assert_eq!(log[2..4], ["40 finished job=0 resource=a", "40 down resource=a"]);
}

/// In all modes schedulers wait for a resource, and keep their jobs.
#[test]
fn schedulers_wait_until_a_resource_is_back() {
    let modes = ["on-line", "when-free", "batch", "time-limit", "count"];
    for (mode, policy) in modes.iter().zip(["mct", "fcfs", "minmin", "tlmm", "maxmin"]) {
        let jobs = if *mode == "count" { "jobs = 2\n" } else { "" };
        let job = "[[job]]\nat = 45\nmi = 10\n".repeat(3);
        let scheduler =
            format!("{job}[[scheduler]]\npolicy = '{policy}'\nmode = '{mode}'\n{jobs}wait = 10\n");
        let (log, summary) = log(&one("on_failure = 'resubmit'", &scheduler));
        assert_eq!(summary.counts.finished, 3, "{mode}\n{log:#?}");
        let sent = log.iter().position(|line| line.contains(" sent ")).expect("sent");
        let up = log.iter().position(|line| line.contains(" up ")).expect("up");
        assert!(sent > up, "{mode}\n{log:#?}");
    }
}

/// A given mapping is followed even onto a resource that is down; jobs wait there.
#[test]
fn jobs_sent_to_a_resource_that_is_down_wait_there() {
    let more = "[etc]\nmatrix = [[10]]\nmapping = [0]\nat = 45\n";
    let (log, summary) = log(&one("on_failure = 'lost'", more));
    assert_eq!(
        log[1..4],
        ["45 sent job=0 resource=a", "50 up resource=a", "50 started job=0 resource=a pe=0"]
    );
    assert_eq!((summary.counts.finished, summary.utilisation), (1, 10.0 / 60.0));
}

#[test]
fn commands_reach_jobs_at_a_resource_that_is_down() {
    let commands = [
        command(20, "halt", 0),   // runs
        command(42, "resume", 0), // down: begins at 50 behind the others
        command(43, "halt", 1),   // down
        command(60, "resume", 1),
        command(44, "cancel", 2), // down
    ];
    let (log, summary) = log(&one("", &(JOB.repeat(3) + &commands.concat())));
    let ends: Vec<&String> = log.iter().filter(|line| line.contains("finished")).collect();
    // Job 0 has 80 left, job 1 all of its 100.
    assert_eq!(ends, ["130 finished job=0 resource=a", "230 finished job=1 resource=a"]);
    assert_eq!((summary.counts.finished, summary.counts.cancelled), (2, 1));
    assert_eq!(work(&summary), [200.0, 20.0, 0.0, 220.0]);
}

/// A job that was halted and resumed, and waits for its PE when the resource fails, keeps its work,
/// which is on disk.
#[test]
fn work_of_resumed_jobs_survives_a_failure() {
    let commands = "[[command]]\nat = 10\nhalt = 0\n[[command]]\nat = 20\nresume = 0\n";
    for rule in ["restart", "resubmit", "migrate"] {
        let rule = format!("on_failure = '{rule}'");
        let (log, summary) = log(&one(&rule, &(JOB.repeat(2) + commands)));
        let is_last = |line: &&String| line.contains("finished");
        let lost = if rule.contains("migrate") { 0.0 } else { 30.0 };
        assert_eq!(work(&summary), [200.0, lost, 0.0, 200.0 + lost], "{rule}\n{log:#?}");
        let end = 210.0 + lost;
        let last = log.iter().rfind(is_last).expect("both finish");
        assert!(last.starts_with(&format!("{end} ")), "{rule}\n{log:#?}");
    }
}

#[test]
fn hopeless_jobs_end_by_inactivity_or_stuck() {
    let text = "[stop]\ninactivity = 1000\n[[resource]]\nmips = 1\n[resource.failure]\n\
        fails = 50\nrestores = 1\n[[job]]\nmi = 100\n";
    let summary = run(text, &mut ());
    assert_eq!((summary.end, summary.left), (End::Inactivity, 1));
    let text = one("", "[[job]]\nmi = 100\n").replace(", { at = 50, up = true }", "");
    let summary = run(&text, &mut ());
    assert!(summary.stuck.is_some_and(|why| why.contains("1 are at resources")));
}

#[derive(Default)]
struct Seen {
    outages: Vec<(Time, Happening)>,
    jobs: Vec<JobRecord>,
}

impl Observer<GridEvents> for Seen {
    fn happened(&mut self, now: Time, what: &Happening) {
        if matches!(what, Happening::Down { .. } | Happening::Up { .. }) {
            self.outages.push((now, *what));
        }
    }

    fn left(&mut self, job: &JobRecord) {
        self.jobs.push(job.clone());
    }
}

/// Policies, rules and users do not influence when resources fail.
#[test]
fn everybody_meets_the_same_failures() {
    let text = |rule: &str, policy: &str, users: u32| {
        format!(
            "[stop]\ntime = 5000\n[[resource]]\ncount = 3\nmips = 1\n[resource.failure]\n\
             fails = {{ weibull = [0.7, 400] }}\nrestores = {{ lognormal = [4, 1] }}\n\
             on_failure = '{rule}'\n[[users]]\ncount = {users}\ngap = 10\ntasks = 100\n\
             size = {{ gamma = [2, 50] }}\n[[scheduler]]\npolicy = '{policy}'\n"
        )
    };
    let outages = |text: &str| {
        let mut seen = Seen::default();
        run(text, &mut seen);
        seen.outages
    };
    let first = outages(&text("lost", "mct", 3));
    assert!(first.len() > 20, "{first:?}");
    for (rule, policy, users) in
        [("restart", "mct", 4), ("migrate", "fcfs", 5), ("resubmit", "minmin", 3)]
    {
        assert_eq!(outages(&text(rule, policy, users)), first, "{rule} {policy}");
    }
}

/// A random grid with almost all features, stopped at a random time.
fn chaos(seed: u64) -> String {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut text = format!("seed = {seed}\n[stop]\ntime = {}\n", random.random_range(1..2000));
    for _ in 0..random.random_range(1..4) {
        let sharing = pick(
            random,
            &["space-shared", "time-shared", "time-shared-gsim", "time-shared-gridsim"],
        );
        let load = pick(
            random,
            &["0", "30", "{ average = 40, randomiser = 'even', limit = 30, period = 7 }"],
        );
        let count = random.random_range(1..3);
        let pes = if sharing == "space-shared" && random.random() {
            "machines = [ { pes = 2, mips = 1 }, { mips = 2.7 } ]".to_owned()
        } else {
            format!("pes = {}\nmips = {}", random.random_range(1..4), random.random_range(1..4))
        };
        let when = pick(
            random,
            &[
                "fails = { uniform = [0, 200] }\nrestores = { uniform = [0, 50] }",
                "fails = { exponential = 90 }\nrestores = { gamma = [0.5, 30] }",
                "changes = [ { at = 3, capacity = 50 }, { at = 33.3, down = true }, \
                 { at = 40, capacity = 20 }, { at = 77, up = true }, { at = 99, capacity = 100 }, \
                 { at = 99, down = true }, { at = 99, up = true }, { at = 400, down = true } ]",
            ],
        );
        let rule = pick(random, &FAILURE_RULES);
        text += &format!(
            "[[resource]]\ncount = {count}\n{pes}\npolicy = '{sharing}'\n\
             load = {load}\n[resource.failure]\n{when}\non_failure = {rule}\n"
        );
    }
    let policy = pick(
        random,
        &["mct", "met", "olb", "minmin", "fcfs", "fjbr", "maxmax", "tlmm", "sufferage"],
    );
    text += &format!("[[scheduler]]\npolicy = '{policy}'\n[estimates]\nerror = 20\n");
    let tasks = random.random_range(1..20);
    text += &format!(
        "[[users]]\ncount = 5\ntasks = {tasks}\ngap = 20\nsize = {{ uniform = [0, 120] }}\n"
    );
    for _ in 0..random.random_range(0..12) {
        let what = pick(random, &["halt", "resume", "cancel"]);
        let (at, job) = (random.random_range(0..300), random.random_range(0..5 * tasks));
        text += &command(at, what, job);
    }
    text
}

#[test]
fn accounts_add_up_whenever_it_stops() {
    let (mut finished, mut lost, mut overhead, mut progress) = (0, 0, 0, 0);
    for seed in 0..400 {
        let text = chaos(seed);
        let mut seen = Seen::default();
        let summary = run(&text, &mut seen);
        let outcomes = |of| seen.jobs.iter().filter(|job| job.outcome == of).count() as u64;
        assert_eq!(summary.counts.finished, outcomes(Outcome::Finished), "{text}");
        assert_eq!(summary.counts.lost, outcomes(Outcome::Lost), "{text}");
        finished += summary.counts.finished;
        lost += summary.counts.lost;
        overhead += u64::from(summary.accounts.overhead > Work::NONE);
        progress += u64::from(summary.accounts.in_progress > Work::NONE);
    }
    assert!(finished > 5000 && lost > 100 && overhead > 100 && progress > 100);
}

/// Checks the accounts against another measure: at full speed on equal PEs, the work given is
/// exactly the time in which PEs were busy, which is counted by numbers of jobs and not by their
/// progress.
#[test]
fn what_was_given_is_the_time_pes_were_at_work() {
    let loads = ["load = 30", "load = {", "capacity = 50", "capacity = 20"];
    let mut checked = 0;
    for text in (0..400).map(chaos) {
        if loads.iter().any(|load| text.contains(load)) || text.contains("machines") {
            continue;
        }
        let summary = run(&text, &mut ());
        let span = summary.counts.makespan.0.as_f64();
        let busy =
            |(resource, spec): (&gridsat_grid::ResourceSummary, &gridsat_grid::ResourceSpec)| {
                resource.utilisation * span * f64::from(spec.pes.count())
            };
        let grid = setup(&text).grid;
        let busy: f64 = summary.resources.iter().zip(&grid.resources).map(busy).sum();
        let given = summary.accounts.given.in_ticks();
        // Time sharing rounds every completion up to a tick.
        let close = 1e-9 * given + summary.counts.finished as f64;
        assert!(span == 0.0 || (busy - given).abs() <= close, "{busy} {given}\n{text}");
        checked += u64::from(span > 0.0);
    }
    assert!(checked > 10, "{checked}");
}

/// The fast implementation of the list policies decides as the lists do.
#[test]
fn lists_onto_free_hosts_are_those_of_the_heuristics() {
    let lists: [&'static List; 5] =
        [&List::Fcfs, &List::Fjfr, &List::Fjbr, &List::MinMax, &List::MaxMax];
    for (seed, list) in (0..100).zip(lists.into_iter().cycle()) {
        let mut text = chaos(seed);
        let at = text.find("[[scheduler]]").expect("one");
        let end = at + text[at..].find("[estimates]").expect("after it");
        let name = gridsat_heuristics::Heuristic::name(list);
        let estimator = ["auto", "shares", "exact"][seed as usize % 3];
        let scheduler = format!("[[scheduler]]\npolicy = '{name}'\nestimator = '{estimator}'\n");
        text.replace_range(at..end, &scheduler);
        let ends = |setup: Setup| {
            let mut seen = Seen::default();
            simulate(setup, &mut seen).unwrap_or_else(|error| panic!("{error}"));
            seen.jobs.iter().map(|job| (job.number, job.end, job.sent)).collect::<Vec<_>>()
        };
        let mut slow = setup(&text);
        slow.schedulers[0].mapper = Box::new(ByHeuristic(list));
        assert_eq!(ends(setup(&text)), ends(slow), "{text}");
    }
}

#[test]
fn a_trace_drives_resources() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let trace =
        "# header\n0 0 7 3 n 1 1000 1040 N\n1 0 7 3 n 0 1040 1050 N\n0 0 8 3 m 0 900 1010 N\n";
    std::fs::write(folder.path().join("event_trace.tab"), trace).expect("writable");
    let text = |count: u32, more: &str| {
        format!(
            "[[resource]]\nname = 'n'\ncount = {count}\nmips = 1\n[resource.failure]\n\
             trace = 'event_trace.tab'\n{more}\n[etc]\nmatrix = [[100{}]]\nmapping = [0]\n",
            ", 100".repeat(count as usize - 1)
        )
    };
    let parse = |text: &str| Scenario::parse(text, Syntax::Toml, "x.toml", folder.path());
    let scenario = parse(&text(2, "trace_start = 1000")).expect("valid");
    let setup = scenario.setup(&Changes::default()).expect("valid");
    let mut seen = Seen::default();
    let summary = simulate(setup, &mut seen).expect("runs");
    let times: Vec<u64> = seen.outages.iter().map(|(time, _)| time.0.0 / 1_000_000_000).collect();
    assert_eq!(
        (times, summary.counts.makespan),
        (vec![0, 10, 40, 50], Time(Ticks(150_000_000_000)))
    );
    let error = parse(&text(2, "trace_node = 1")).err().expect("too few").to_string();
    assert!(error.ends_with(": 2 nodes are needed from number 1 on, but there are 2"), "{error}");
    std::fs::write(folder.path().join("event_trace.tab"), "1 2 3\n").expect("writable");
    let error = parse(&text(1, "")).err().expect("no trace").to_string();
    assert!(error.contains("event_trace.tab\": line 1: 3 fields;"), "{error}");
}

/// Golden values: computed once and changed only by a commit that says why. The jobs, and the
/// percentages of work lost and of downtime.
#[test]
fn the_grids_of_dside() {
    let golden = [
        (
            "dside-desktop",
            "16717 jobs, 16073 finished, 641 lost, 3 left; work lost 1.92, down 7.37",
        ),
        (
            "dside-tornado",
            "474000 jobs, 463435 finished, 10565 lost, 0 left; work lost 1.17, down 9.97",
        ),
    ];
    for (name, expected) in golden {
        let summary = run(template(name).expect("a template").text, &mut ());
        let (counts, work) = (&summary.counts, &summary.accounts);
        let digest = format!(
            "{} jobs, {} finished, {} lost, {} left; work lost {:.2}, down {:.2}",
            counts.submitted,
            counts.finished,
            counts.lost,
            summary.left,
            100.0 * work.lost.in_ticks() / work.given.in_ticks(),
            100.0 * summary.downtime,
        );
        assert_eq!((digest.as_str(), summary.end), (expected, End::TimeLimit), "{name}");
    }
}
