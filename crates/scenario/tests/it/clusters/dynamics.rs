//! Failures of nodes and reservations in cluster scenarios.

use super::*;
use gridsat_cluster::{OnFailure, ReservationState};

/// Job 1 loses its work when both nodes fail at 7, and starts again at 10. The two nodes are
/// reserved from 30 to 40 for job 3, at 0.5 per node and second; job 2 would be in the way.
const BOTH: &str = "
[[cluster]]
name = 'a'
nodes = 2
[[failure]]
at = 7
nodes = 2
repair = 3
[[reservation]]
name = 'demo'
nodes = 2
start = 30
duration = 10
price = 0.5
[[job]]
nodes = 2
run = 10
[[job]]
at = 1
run = 15
[[job]]
at = 2
nodes = 2
run = 4
reservation = 'demo'
";

#[test]
fn a_failure_and_a_reservation_by_hand() {
    let jobs = jobs_of(BOTH);
    let times: Vec<_> = jobs.iter().map(|job| (job.start.0.0, job.end.0.0)).collect();
    assert_eq!(times, [(0, 20), (40, 55), (30, 34)]);
    let summary = run(&parse(BOTH));
    let failures = summary.all.jobs.failures;
    assert_eq!((failures.failed, failures.down, failures.lost_work), (2, 6, 14));
    let demo = &summary.reservations[0];
    assert_eq!((demo.state, demo.jobs), (ReservationState::Ended, 1));
    assert_eq!((demo.used, demo.cost), (8, 10_000_000));
    let rule = |recovery: &str| {
        let scenario = parse(&format!("{BOTH}[recovery]\n{recovery}"));
        setup(&scenario).0.failures.expect("there are some").on_failure
    };
    assert_eq!(rule("on_failure = 'lost'"), OnFailure::Lost);
    assert_eq!(rule("on_failure = 'continue'"), OnFailure::Continue);
    let every = OnFailure::Checkpoint { every: Ticks(5) };
    assert_eq!(rule("on_failure = 'checkpoint'\ncheckpoint = 5"), every);
}

/// Random failures: about one every 50 s in each of two clusters, for 20 s, in order of time.
#[test]
fn failures_are_drawn() {
    let text = "
        [[cluster]]
        count = 2
        nodes = 8
        failure = { fails = { exponential = 50 }, restores = { exponential = 20 }, nodes = 2 }
        [[failure]]
        cluster = 'c1'
        at = 100
        repair = 1
        [[job]]
        run = 1";
    let failures = setup(&parse(text)).0.failures.expect("there are some");
    let outages: Vec<_> = failures.outages.take(4000).collect();
    assert!(outages.is_sorted_by_key(|outage| outage.at));
    let end = outages[3999].at.0.as_f64();
    assert!((end / (4000.0 * 25.0) - 1.0).abs() < 0.1, "{end}");
    let repairs: f64 = outages.iter().map(|outage| outage.repair.as_f64()).sum();
    assert!((repairs / 4000.0 - 20.0).abs() < 2.0, "{repairs}");
    let listed: Vec<_> = outages.iter().filter(|outage| outage.nodes == 1).collect();
    assert_eq!((listed.len(), listed[0].at.0, listed[0].cluster.0), (1, Ticks(100), 1));
}

#[test]
fn nonsense_is_refused_in_one_line() {
    let with = |more: &str| error(&format!("[[cluster]]\nnodes = 4\n[[job]]\nrun = 5\n{more}"));
    let ends = |more: &str, expected: &str| {
        let found = with(more);
        assert!(found.ends_with(expected) && !found.contains('\n'), "{found}");
    };
    let reservation = "[[reservation]]\nname = 'r'\n";
    ends(
        &format!("{reservation}nodes = 5\nstart = 1\nduration = 1"),
        "nodes is 5, but cluster \"c0\" has 4",
    );
    ends(
        &format!("{reservation}nodes = 1\nstart = 1\nduration = 0"),
        "duration is 0, must be above 0",
    );
    ends(
        &format!("{reservation}nodes = 1\nstart = 1\nduration = 1\nrequested = 2"),
        "start is 1, before requested, which is 2",
    );
    ends(
        &format!("{reservation}nodes = 1\nstart = 1\nduration = 1\nprice = -1"),
        "price is -1, not a number from 0 to 1e9",
    );
    ends("reservation = 'x'", "reservation \"x\" is unknown");
    ends("[[failure]]\nat = 1\nrepair = 0", "repair is 0, must be above 0");
    ends("[[failure]]\nat = 1\nrepair = 1\ncluster = 'x'", "there is no cluster \"x\"");
    ends("[recovery]\ncheckpoint = 5", "checkpoint is for on_failure = \"checkpoint\" only");
    let unknown = with("[recovery]\non_failure = 'stop'");
    assert!(unknown.contains("on_failure \"stop\" is unknown; "), "{unknown}");
}
