//! Queued jobs that are decided on again, and running jobs that migrate because of load.

use gridsat_engine::End;
use gridsat_engine::time::Time;
use gridsat_grid::{GridEvents, JobRecord, Observer};

use crate::grid::{command, log, run};

/// Machine b comes up at 10; three jobs of 20 seconds wait at a.
fn two(keys: &str) -> Vec<String> {
    let text = format!(
        "[[resource]]\nname = 'a'\nmips = 1\n[[resource]]\nname = 'b'\nmips = 1\n\
         [resource.failure]\n\
         changes = [ {{ at = 0, down = true }}, {{ at = 10, up = true }} ]\n{}[[scheduler]]\n{keys}\n",
        "[[job]]\nat = 1\nmi = 20\n".repeat(3)
    );
    log(&text).0
}

#[test]
fn queued_jobs_are_reconsidered_when_something_changes() {
    let expected = [
        "0 down resource=b",
        "1 sent job=0 resource=a",
        "1 started job=0 resource=a pe=0",
        "1 sent job=1 resource=a",
        "1 sent job=2 resource=a",
        "10 up resource=b",
        "10 returned job=1 scheduler=s0",
        "10 returned job=2 scheduler=s0",
        "10 sent job=1 resource=b",
        "10 started job=1 resource=b pe=0",
        "10 sent job=2 resource=a",
        "21 finished job=0 resource=a",
        "21 started job=2 resource=a pe=0",
        "30 finished job=1 resource=b",
        "41 finished job=2 resource=a",
        "41 end reason=no-events",
    ];
    assert_eq!(two("reschedule = 'event'"), expected);
    assert_eq!(two("").last().map(String::as_str), Some("61 end reason=no-events"));
}

/// The first job is sent at 1, so that rounds are at 16, 31 and so on.
#[test]
fn queued_jobs_are_reconsidered_at_every_period() {
    let log = two("reschedule = 'period'\nperiod = 15");
    let starts: Vec<&String> = log.iter().filter(|line| line.contains("started")).collect();
    let expected = [
        "1 started job=0 resource=a pe=0",
        "16 started job=1 resource=b pe=0",
        "21 started job=2 resource=a pe=0",
    ];
    assert_eq!(starts, expected);
    assert_eq!(log.last().map(String::as_str), Some("41 end reason=no-events"));
}

/// Machine a has 80 % load from 3600 on, when 3600 of the job's 7200 seconds are left.
fn loaded(keys: &str) -> (Vec<String>, [f64; 3]) {
    let day = ", 80".repeat(23);
    let text = format!(
        "[[resource]]\nname = 'a'\nmips = 1\nload = {{ weekdays = [0{day}] }}\n\
         [[resource]]\nname = 'b'\nmips = 0.5\n[[job]]\nmi = 7200\n[[scheduler]]\n{keys}\n"
    );
    let (log, summary) = log(&text);
    let work = summary.accounts;
    (log, [work.useful, work.overhead, work.lost].map(|work| work.in_ticks() / 1e9))
}

#[test]
fn running_jobs_migrate_because_of_load() {
    let (stays, _) = loaded("");
    assert_eq!(stays[stays.len() - 2], "21600 finished job=0 resource=a");
    // 100 seconds for the move, and 3600 MI at half a MIPS.
    let (moves, work) = loaded("reschedule = 'event'\nmigration_cost = 100");
    let expected = [
        "3600 load resource=a percent=80",
        "3600 interrupted job=0 resource=a",
        "3600 sent job=0 resource=b",
        "3600 started job=0 resource=b pe=0",
        "10900 finished job=0 resource=b",
        "10900 end reason=no-events",
    ];
    assert_eq!(moves[moves.len() - 6..], expected);
    assert_eq!(work, [3600.0 + 7200.0, 100.0, 0.0]);
    // At 18000 - 7200 seconds the move is not worth while.
    for keys in ["migration_cost = 10800", "migration_load = 81", ""] {
        let (stays, _) = loaded(&format!("reschedule = 'event'\n{keys}"));
        assert_eq!(stays[stays.len() - 2], "21600 finished job=0 resource=a", "{keys}");
    }
    // Rounds every 1000 seconds: the job moves at 4000, when 3600 - 0.2 · 400 are left.
    let (moves, _) = loaded("reschedule = 'period'\nperiod = 1000\nmigration_cost = 100");
    assert!(moves[moves.len() - 2].starts_with("11140"), "{moves:#?}");
}

#[derive(Default)]
struct Ends(Vec<(u64, Option<Time>, Time)>);

impl Observer<GridEvents> for Ends {
    fn left(&mut self, job: &JobRecord) {
        self.0.push((job.number, job.started.map(|(start, _)| start), job.end));
    }
}

/// MCT decides again as it did before if all happens as estimated: reconsidering changes nothing.
#[test]
fn without_surprises_mct_decides_again_as_before() {
    let mut returned = 0;
    for seed in 0..30 {
        let ends = |keys: &str| {
            let text = format!(
                "seed = {seed}\n[[resource]]\ncount = 3\nmips = {{ uniform = [1, 5] }}\n\
                 pes = 2\n[[users]]\ncount = 30\ngap = 9\ntasks = 5\n\
                 size = {{ uniform = [1, 70] }}\n[[scheduler]]\n{keys}\n"
            );
            let mut ends = Ends::default();
            run(&text, &mut ends);
            returned += log(&text).0.iter().filter(|line| line.contains("returned")).count();
            ends.0.sort_unstable();
            ends.0
        };
        let mut ends = ends;
        let once = ends("");
        assert_eq!(once, ends("reschedule = 'event'"), "seed {seed}");
        assert_eq!(once, ends("reschedule = 'period'\nperiod = 3"), "seed {seed}");
    }
    assert!(returned > 10_000, "{returned}");
}

/// Reconsidering jobs that can never run is no activity.
#[test]
fn rounds_do_not_keep_a_hopeless_simulation_alive() {
    let text =
        "[[resource]]\nname = 'a'\nmips = 1\n[[job]]\nat = 1\nmi = 20\n[[job]]\nat = 1\nmi = 5\n\
        [[scheduler]]\nreschedule = 'period'\nperiod = 10\n[stop]\ninactivity = 1000\n"
            .to_owned()
            + &command(2, "halt", 0)
            + "[[reservation]]\nname = 'r'\nresource = 'a'\npes = 1\nstart = 3\nduration = 1e6\n";
    let summary = run(&text, &mut ());
    assert_eq!((summary.end, summary.left), (End::Inactivity, 2));
}
