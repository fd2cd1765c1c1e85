//! The information service: decisions on reported states, computed by hand; current information
//! equals none, and old information does harm; late registration; and pings do not prolong a
//! simulation.

use gridsat_model::Ticks;

use gridsat_engine::End;
use gridsat_engine::time::Time;
use gridsat_grid::{Estimator, Information, Pings, SimError, Summary, simulate};
use gridsat_scenario::TEMPLATES;

use crate::grid::{run, setup, whole_log};

/// Log lines of jobs sent and finished, and the summary.
fn log(text: &str) -> (Vec<String>, Summary) {
    let (mut log, summary) = whole_log(text);
    log.retain(|line| line.contains(" sent job") || line.contains(" finished "));
    (log, summary)
}

/// Where jobs were sent, and when.
fn sent(text: &str) -> Vec<String> {
    let is_sent = |line: &str| line.contains(" sent ");
    log(text).0.into_iter().filter(|line| is_sent(line)).collect()
}

const GRID: &str = "[[resource]]\nname = 'a'\nmips = 1\n[[resource]]\nname = 'b'\nmips = 0.5\n";
const COMPETITORS: &str = "[[scheduler]]\nname = 'x'\n[[scheduler]]\nname = 'y'\n";
const PINGS: &str = "[information]\nping = 60\ndelay = 5\n";

fn job(at: f64, mi: u32, scheduler: &str) -> String {
    format!("[[job]]\nat = {at}\nmi = {mi}\nscheduler = '{scheduler}'\n")
}

/// y assumes that a is idle, as it was at the ping, while a runs a job of x until 110.
#[test]
fn decides_on_what_was_told() {
    let jobs = [(10.0, 100, "x"), (20.0, 10, "y"), (62.0, 10, "y"), (66.0, 10, "y")];
    let jobs: String = jobs.map(|(at, mi, scheduler)| job(at, mi, scheduler)).concat();
    let (told, _) = log(&format!("{GRID}{COMPETITORS}{PINGS}{jobs}"));
    let expected = [
        "10 sent job=0 resource=a",
        "20 sent job=1 resource=a",
        // As far as y knows, its job has ended by now.
        "62 sent job=2 resource=a",
        // It received the ping of 60 at 65, which does not count job 2; y remembers that one.
        "66 sent job=3 resource=b",
        "86 finished job=3 resource=b",
        "110 finished job=0 resource=a",
        "120 finished job=1 resource=a",
        "130 finished job=2 resource=a",
    ];
    assert_eq!(told, expected);
    let (seen, summary) = log(&format!("{GRID}{COMPETITORS}{jobs}"));
    assert_eq!(seen[1], "20 sent job=1 resource=b");
    assert_eq!(summary.counts.makespan, Time(Ticks(110_000_000_000)));
}

#[test]
fn remembers_its_own_jobs_or_not() {
    let jobs = [(20.0, 10), (21.0, 15), (22.0, 10)].map(|(at, mi)| job(at, mi, "main")).concat();
    let third = |more: &str| {
        let main = "[[scheduler]]\nname = 'main'\n";
        sent(&format!("{GRID}{main}{PINGS}{more}{jobs}")).pop()
    };
    // On a 45 - 22 + 10 = 33 seconds, on b 20.
    assert_eq!(third("").as_deref(), Some("22 sent job=2 resource=b"));
    assert_eq!(third("own_jobs = false\n").as_deref(), Some("22 sent job=2 resource=a"));
}

#[test]
fn jobs_wait_until_something_is_known() {
    let jobs = "[[job]]\nmi = 10\n".repeat(2);
    let (log, _) = log(&format!("{GRID}{PINGS}{jobs}"));
    assert_eq!(log[..2], ["5 sent job=0 resource=a", "5 sent job=1 resource=a"]);
}

/// The counts of equations 4.4 and 4.5, and delays of several PEs, with the same two competitors.
#[test]
fn every_estimator_is_told() {
    for (policy, estimator, pes) in [
        ("time-shared", "auto", 1),
        ("time-shared-gsim", "shares", 1),
        ("space-shared", "delay", 2),
    ] {
        let resource = |name: &str, mips: f64| {
            format!(
                "[[resource]]\nname = '{name}'\nmips = {mips}\npes = {pes}\npolicy = '{policy}'\n"
            )
        };
        let scheduler =
            |name| format!("[[scheduler]]\nname = '{name}'\nestimator = '{estimator}'\n");
        let grid = resource("a", 1.0) + &resource("b", 0.6) + &scheduler("x") + &scheduler("y");
        // Enough jobs to make a the worse choice for a scheduler that knows of them, but none of y.
        let busy = job(10.0, 100, "x").repeat(pes);
        let text =
            |more: &str| format!("{grid}{more}{busy}{}{}", job(20.0, 30, "y"), job(70.0, 30, "y"));
        let last = |log: Vec<String>| log[pes..].to_vec();
        let number = |job: usize| pes + job;
        let told = last(sent(&text(PINGS)));
        let expected = [
            format!("20 sent job={} resource=a", number(0)),
            format!("70 sent job={} resource=b", number(1)),
        ];
        assert_eq!(told, expected, "{policy}");
        let seen = last(sent(&text("")));
        assert_eq!(seen[0], format!("20 sent job={} resource=b", number(0)), "{policy}");
    }
}

/// Two brokers over eight machines, with jobs of a few minutes that arrive every few seconds.
fn competition(seed: u64, information: &str) -> String {
    format!(
        "seed = {seed}\n{information}{COMPETITORS}\
         [[resource]]\ncount = 8\nmips = {{ uniform = [1, 4] }}\n\
         [[users]]\ncount = 40\ntasks = 5\ngap = 75\nsize = {{ uniform = [50, 400] }}\n\
         schedulers = ['x', 'y']\n"
    )
}

fn flow(text: &str) -> f64 {
    let summary = run(text, &mut ());
    assert_eq!((summary.counts.finished, summary.left), (200, 0), "{text}");
    summary.counts.flow.mean() / 1e9
}

/// Mean flow time over all seeds.
fn mean_flow(information: &str) -> f64 {
    (0..20).map(|seed| flow(&competition(seed, information))).sum::<f64>() / 20.0
}

#[test]
fn stale_data_does_harm() {
    let pings = |ping: f64| mean_flow(&format!("[information]\nping = {ping}\n"));
    let (now, all) = (mean_flow(""), [1.0, 60.0, 300.0, 1200.0].map(pings));
    assert!((all[0] / now - 1.0).abs() < 0.02, "{now} immediate, {all:?}");
    let grows = all.windows(2).all(|pair| pair[0] < pair[1]);
    assert!(grows && all[3] > 1.2 * now, "{now} immediate, {all:?}");
    let forgetful = mean_flow("[information]\nping = 300\nown_jobs = false\n");
    assert!(forgetful > all[2], "{forgetful} without own jobs, {all:?}");
    let late = mean_flow("[information]\nping = 300\ndelay = 300\n");
    assert!(late > all[2], "{late} with a delay, {all:?}");
}

/// A single scheduler that remembers its jobs and knows their run times lacks no information on a
/// dedicated grid.
#[test]
fn a_single_scheduler_needs_no_news() {
    for seed in 0..10 {
        let run = |information: &str| {
            let text = competition(seed, information)
                .replace(COMPETITORS, "")
                .replace("schedulers = ['x', 'y']\n", "");
            log(&text).0
        };
        assert_eq!(run(""), run("[information]\nping = 500\n"), "seed {seed}");
    }
}

#[test]
fn a_resource_that_registers_late_gets_no_jobs_before() {
    let grid = GRID.replace("name = 'a'\n", "name = 'a'\nregisters = 100\n");
    let jobs: String =
        [0.0, 99.0, 100.5, 130.0].map(|at| format!("[[job]]\nat = {at}\nmi = 10\n")).concat();
    let to = |log: Vec<String>| -> String {
        log.iter().filter_map(|line| line.chars().last()).collect()
    };
    assert_eq!(to(sent(&format!("{grid}{jobs}"))), "bbaa");
    // First pinged at 120, reported at 125.
    assert_eq!(to(sent(&format!("{grid}{PINGS}{jobs}"))), "bbba");
}

/// What the service receives and reports is in the event log, with the resources it found to be up.
#[test]
fn registrations_pings_and_tellings_are_logged() {
    let changes =
        "[resource.failure]\nchanges = [{ at = 30, down = true }, { at = 62, up = true }]\n";
    let grid = format!("{GRID}{changes}").replace("name = 'a'\n", "name = 'a'\nregisters = 60\n");
    let job = "[[job]]\nat = 64\nmi = 50\n";
    let service = |text: &str| {
        let is_service = |line: &String| {
            [" registered ", " pinged ", " told "].iter().any(|what| line.contains(what))
        };
        whole_log(text).0.into_iter().filter(is_service).collect::<Vec<_>>()
    };
    let expected = [
        "0 pinged resources=1 up=1",
        "5 told resources=1 up=1",
        "60 registered resource=a",
        "60 pinged resources=2 up=1",
        "65 told resources=2 up=1",
        "120 pinged resources=2 up=2",
        "125 told resources=2 up=2",
    ];
    let log = service(&format!("{grid}{PINGS}{job}"));
    assert_eq!(log[..7], expected);
    // At 70 it has not registered yet; registrations at time 0 are not logged.
    let late = grid.replace("registers = 60", "registers = 70");
    let log = service(&format!("{late}{PINGS}{job}"));
    assert_eq!(log[4..6], ["120 registered resource=a", "120 pinged resources=2 up=2"]);
    assert_eq!(service(&format!("{late}{job}")), ["70 registered resource=a"]);
    assert!(service(&format!("{GRID}{job}")).is_empty());
}

/// Jobs wait in every mode if there is no other resource.
#[test]
fn jobs_wait_for_the_first_registration() {
    let modes = [
        ("policy = 'mct'", "100", "125"),
        ("policy = 'fcfs'", "100", "125"),
        ("policy = 'minmin'\nmode = 'count'\njobs = 7", "100", "125"),
        ("policy = 'sufferage'\nwait = 30", "120", "150"),
        ("policy = 'sat'\nwait = 30", "120", "150"),
    ];
    for (scheduler, seen, told) in modes {
        let text = format!(
            "[[resource]]\nname = 'a'\nmips = 1\nregisters = 100\n[[job]]\nmi = 10\n\
             [[scheduler]]\nname = 's'\n{scheduler}\n"
        );
        assert_eq!(sent(&text), [format!("{seen} sent job=0 resource=a")], "{scheduler}");
        let text = text + PINGS;
        assert_eq!(sent(&text), [format!("{told} sent job=0 resource=a")], "{scheduler}");
    }
    let fixed = "[[resource]]\nname = 'a'\nmips = 1\nregisters = 100\n[[resource]]\nmips = 1\n\
                 [etc]\nmatrix = [[10, 10]]\nmapping = [0]\n";
    assert_eq!(sent(fixed), ["100 sent job=0 resource=a"]);
}

/// A metascheduler receives information about a site at the same times as the site's scheduler.
#[test]
fn metaschedulers_are_told_as_well() {
    let sites = "[[scheduler]]\nname = 'meta'\ntargets = ['north', 'south']\n\
                 [[scheduler]]\nname = 'north'\ntargets = ['a']\n\
                 [[scheduler]]\nname = 'south'\ntargets = ['b']\n\
                 [[scheduler]]\nname = 'x'\ntargets = ['a']\n";
    let jobs = job(10.0, 100, "x") + &job(20.0, 10, "meta") + &job(66.0, 10, "meta");
    let expected =
        ["10 sent job=0 resource=a", "20 sent job=1 resource=a", "66 sent job=2 resource=b"];
    assert_eq!(sent(&format!("{GRID}{sites}{PINGS}{jobs}")), expected);
    let late = GRID.replace("name = 'b'\n", "name = 'b'\nregisters = 70\n");
    assert_eq!(sent(&format!("{late}{sites}{jobs}"))[2], "66 sent job=2 resource=a");
}

#[test]
fn jobs_are_sent_to_what_is_down_until_the_next_ping() {
    let grid = GRID.replace(
        "mips = 1\n",
        "mips = 1\nfailure = { changes = [{ at = 30, down = true }, { at = 500, up = true }] }\n",
    );
    let jobs = [40.0, 64.0, 65.5].map(|at| format!("[[job]]\nat = {at}\nmi = 10\n")).concat();
    let (told, summary) = log(&format!("{grid}{PINGS}{jobs}"));
    let expected = [
        "40 sent job=0 resource=a",
        "64 sent job=1 resource=a",
        "65.5 sent job=2 resource=b",
        "85.5 finished job=2 resource=b",
        "510 finished job=0 resource=a",
        "520 finished job=1 resource=a",
    ];
    assert_eq!(told, expected);
    assert_eq!((summary.end, summary.left), (End::NoEvents, 0));
    let seen = sent(&format!("{grid}{jobs}"));
    assert!(seen.iter().all(|line| line.ends_with('b')), "{seen:?}");
}

/// Loads, failures and users of all templates, with delayed information.
#[test]
fn no_job_vanishes_and_work_adds_up() {
    for template in TEMPLATES {
        let pings = "[information]\nping = 900\ndelay = 60\n";
        // Policies that need current information are rejected with delayed information.
        let text = template.text.replace("\"exact\"", "\"auto\"");
        let summary = run(&format!("{text}\n{pings}"), &mut ());
        assert!(summary.counts.finished > 0 && summary.stuck.is_none(), "{}", template.name);
    }
}

#[test]
fn pings_keep_nothing_alive() {
    let stops = [
        // All jobs have finished at 15.
        ("[[job]]\nmi = 10\n", 15, 0),
        // The job is halted and never resumed; the pings at 60 and 120 find no other pending event.
        ("[[job]]\nmi = 10\n[[command]]\nat = 7\nhalt = 0\n", 120, 1),
    ];
    for (jobs, end, left) in stops {
        let (_, summary) = log(&format!("{GRID}{PINGS}{jobs}"));
        assert_eq!((summary.end, summary.left), (End::NoEvents, left), "{jobs}");
        assert_eq!(summary.end_time, Time(Ticks(end * 1_000_000_000)), "{jobs}");
        assert_eq!(summary.stuck.is_some(), left > 0, "{jobs}");
    }
    // Down for ever: one job is sent there, one waits.
    let grid = "[[resource]]\nmips = 1\nfailure = { changes = [{ at = 30, down = true }] }\n";
    let jobs = "[[job]]\nat = 40\nmi = 10\n[[job]]\nat = 70\nmi = 10\n";
    let (_, summary) = log(&format!("{grid}{PINGS}{jobs}"));
    let stuck = summary.stuck.expect("two jobs are left");
    assert!(stuck.contains("1 jobs wait at schedulers, 1 are at resources"), "{stuck}");
}

#[test]
fn impossible_pings_are_refused_by_the_library_too() {
    assert_eq!(
        [Pings::new(Ticks(0), Ticks(0), true), Pings::new(Ticks(5), Ticks(6), true)],
        [None, None]
    );
    let mut exact = setup(&format!("{GRID}[[job]]\nmi = 1\n"));
    exact.information =
        Information::Delayed(Pings::new(Ticks(5), Ticks(5), true).expect("possible"));
    exact.schedulers[0].estimator = Estimator::Exact;
    assert!(matches!(simulate(exact, &mut ()), Err(SimError::Exact(_))));
}
