//! Queued jobs and jobs in transit that are lost with their resource.

use gridsat_grid::Summary;

use crate::grid::{log, run};

/// Useful and lost work in seconds, and the number of lost jobs.
fn losses(summary: &Summary) -> (f64, f64, u64) {
    let seconds = |work: gridsat_grid::work::Work| work.in_ticks() / 1e9;
    let accounts = &summary.accounts;
    (seconds(accounts.useful), seconds(accounts.lost), summary.counts.lost)
}

/// One machine of 1 MIPS that is down from 40 to 50 and loses these jobs, then the given text. The
/// network needs a second for a byte.
fn one(also: &str, more: &str) -> String {
    format!(
        "[[resource]]\nname = 'a'\nmips = 1\n[resource.failure]\non_failure = 'lost'\n\
         changes = [ {{ at = 40, down = true }}, {{ at = 50, up = true }} ]\n{also}\n\
         [network]\nmodel = 'baud-rate'\nbaud = 8\nhosts = ['desk']\n{more}"
    )
}

#[test]
fn queued_jobs_are_lost_with_the_running_one() {
    let jobs = "[[job]]\nmi = 100\n".repeat(3) + "[[job]]\nat = 60\nmi = 5\n";
    let (log, summary) = log(&one("also_lost = ['queued']", &jobs));
    let expected = [
        "0 sent job=0 resource=a",
        "0 started job=0 resource=a pe=0",
        "0 sent job=1 resource=a",
        "0 sent job=2 resource=a",
        "40 down resource=a",
        "40 lost job=0 resource=a",
        "40 lost job=1 resource=a",
        "40 lost job=2 resource=a",
        "50 up resource=a",
        "60 sent job=3 resource=a",
        "60 started job=3 resource=a pe=0",
        "65 finished job=3 resource=a",
        "65 end reason=no-events",
    ];
    assert_eq!(log, expected);
    assert_eq!(losses(&summary), (5.0, 40.0, 3));
}

/// The work of a queued job that ran before, and was halted, is lost too.
#[test]
fn queued_jobs_lose_what_they_had_done() {
    let jobs = "[[job]]\nmi = 100\n".repeat(2);
    let commands = "[[command]]\nat = 10\nhalt = 0\n[[command]]\nat = 20\nresume = 0\n";
    let (_, summary) = log(&one("also_lost = ['queued']", &(jobs + commands)));
    assert_eq!(losses(&summary), (0.0, 40.0, 2));
}

/// Job 0 has run until 30 and sends 20 bytes home until 50; job 1 receives 25 bytes from 20 on.
const MOVING: &str = "[[job]]\nmi = 30\nhome = 'desk'\noutput = 20\n\
                      [[job]]\nat = 20\nmi = 1\nhome = 'desk'\ninput = 25\n";

#[test]
fn jobs_in_transit_are_lost_if_they_are_said_to_be() {
    let (kept, summary) = log(&one("", MOVING));
    assert!(kept.contains(&"50 finished job=0 resource=a".to_owned()), "{kept:#?}");
    assert!(kept.contains(&"51 finished job=1 resource=a".to_owned()), "{kept:#?}");
    assert_eq!(losses(&summary), (31.0, 0.0, 0));
    let (lost, summary) = log(&one("also_lost = ['transit']", MOVING));
    let expected = [
        "30 ran job=0 resource=a",
        "30 moving from=a to=desk bytes=20",
        "40 down resource=a",
        "40 lost job=1 resource=a",
        "40 lost job=0 resource=a",
        "40 end reason=no-events",
    ];
    assert_eq!(lost[lost.len() - 6..], expected);
    assert_eq!(losses(&summary), (0.0, 30.0, 2));
    assert_eq!((summary.resources[0].completed, summary.resources[0].lost), (0, 2));
    // Jobs in transit are not queued.
    assert_eq!(losses(&log(&one("also_lost = ['queued']", MOVING)).1), (31.0, 0.0, 0));
}

/// A file that a lost job has written stays on its machine; the next job finds it there.
#[test]
fn files_of_lost_jobs_stay_where_they_were_written() {
    let text = "[[file]]\nname = 'f'\nsize = 20\n\
                [[job]]\nmi = 30\nhome = 'desk'\noutputs = ['f']\n\
                [[job]]\nat = 45\nmi = 1\ninputs = ['f']\n";
    let (log, summary) = log(&one("also_lost = ['transit']", text));
    assert_eq!(log[log.len() - 2], "51 finished job=1 resource=a");
    assert_eq!(losses(&summary), (1.0, 30.0, 1));
}

/// All of n jobs of length L wait at a machine that fails after T, uniform from 0 to a. If queued
/// jobs are lost, jobs finish as long as they fit before T: Σ_{k=1}^{n} (1 − k·L/a) on average.
/// Otherwise one is lost per failure.
#[test]
fn the_mean_loss_of_a_full_queue_is_that_of_the_formula() {
    let (machines, jobs, length, longest) = (400.0, 12.0, 10.0, 200.0);
    let text = |also: &str| {
        format!(
            "[[resource]]\ncount = 400\nmips = 1\n[resource.failure]\nfails = {{ uniform = [0, \
             200] }}\nrestores = 1000\non_failure = 'lost'\n{also}\n[[users]]\ncount = 1\n\
             tasks = 4800\ngap = 0\nsize = 10\n[stop]\ntime = 900\n"
        )
    };
    let finished = |also| run(&text(also), &mut ()).counts.finished as f64;
    let mean: f64 = (1..=12).map(|k| 1.0 - f64::from(k) * length / longest).sum();
    // Var of min(⌊T/L⌋, n) is at most n²/4, so that 4 standard deviations are below this.
    let four = 4.0 * (machines * jobs * jobs / 4.0_f64).sqrt();
    let found = finished("also_lost = ['queued']");
    assert!((found - machines * mean).abs() < four, "{found} for {}", machines * mean);
    let counts = run(&text(""), &mut ()).counts;
    assert!(counts.lost <= 400 && finished("") == found, "{counts:?}");
}
