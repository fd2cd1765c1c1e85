//! Advance reservation: cases computed by hand, random cases with disturbances, and invalid files.

mod amounts;
mod chance;
mod foresight;
mod wrong;

use gridsat_model::Ticks;
use std::collections::BTreeMap;

use gridsat_engine::time::Time;
use gridsat_grid::reservation::{
    Period, ReservationError, ReservationSpec, ReservationState, ReservationSummary,
};
use gridsat_grid::{
    GridEvents, Happening, JobRecord, Observer, Outcome, ResourceId, Setup, SimError, Summary,
    simulate,
};
use gridsat_test_support::program::Folder;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use crate::grid::{assert_adds_up, command, pick, setup};

const SECOND: u64 = 1_000_000_000;

/// Log lines except those of schedulers, of jobs that are sent, and of offers and commits.
fn log(text: &str) -> (Vec<String>, Summary) {
    let (mut log, summary) = crate::grid::log(text);
    let hidden = [" sent ", "state=offered", "state=committed"];
    log.retain(|line| !hidden.iter().any(|what| line.contains(what)));
    (log, summary)
}

/// Two PEs of 1 MIPS with two jobs of 100 s and one of 10 s in the queue, followed by the given
/// text.
fn two(more: &str) -> String {
    format!(
        "[[resource]]\nname = 'a'\npes = 2\nmips = 1\n\
         [[job]]\nmi = 100\n[[job]]\nmi = 100\n[[job]]\nmi = 10\n{more}"
    )
}

/// A reservation of one PE from 40 to 60.
fn reservation(more: &str) -> String {
    format!(
        "[[reservation]]\nname = 'R'\nresource = 'a'\npes = 1\nstart = 40\nduration = 20\n{more}\n"
    )
}

fn reserved(at: u32, mi: u32) -> String {
    format!("[[job]]\nat = {at}\nmi = {mi}\nreservation = 'R'\n")
}

/// The final state, and used and unused PE time in seconds.
fn came_to(reservation: &ReservationSummary) -> (&'static str, f64, f64) {
    let seconds = |ticks: u128| ticks as f64 / SECOND as f64;
    (reservation.state.name(), seconds(reservation.used), seconds(reservation.unused))
}

#[test]
fn the_job_that_began_last_gives_way_and_goes_on_before_queued_ones() {
    let (log, summary) = log(&two(&(reserved(10, 15) + &reservation(""))));
    let expected = [
        "0 started job=0 resource=a pe=0",
        "0 started job=1 resource=a pe=1",
        "40 reservation name=R resource=a state=active start=40 end=60",
        "40 suspended job=1 resource=a",
        "40 started job=3 resource=a pe=1",
        "55 finished job=3 resource=a",
        "60 reservation name=R resource=a state=finished start=40 end=60",
        "60 started job=1 resource=a pe=1",
        "100 finished job=0 resource=a",
        "100 started job=2 resource=a pe=0",
        "110 finished job=2 resource=a",
        "120 finished job=1 resource=a",
        "120 end reason=no-events",
    ];
    assert_eq!(log, expected);
    assert_eq!(came_to(&summary.reservations[0]), ("finished", 15.0, 5.0));
    assert_eq!(summary.reservations[0].jobs, 1);
    // 225 s of jobs on two PEs in 120 s.
    assert_eq!(summary.utilisation, 225.0 / 240.0);
}

#[test]
fn what_is_unfinished_waits_behind_those_that_gave_way() {
    let (log, summary) = log(&two(&(reserved(10, 30) + &reservation(""))));
    let expected = [
        "60 reservation name=R resource=a state=finished start=40 end=60",
        "60 suspended job=3 resource=a",
        "60 started job=1 resource=a pe=1",
        "100 finished job=0 resource=a",
        "100 started job=3 resource=a pe=0",
        "110 finished job=3 resource=a",
        "110 started job=2 resource=a pe=0",
        "120 finished job=1 resource=a",
        "120 finished job=2 resource=a",
        "120 end reason=no-events",
    ];
    assert_eq!(log[5..], expected);
    assert_eq!(came_to(&summary.reservations[0]), ("finished", 20.0, 0.0));
}

#[test]
fn idle_pes_are_taken_first_the_fastest_of_them() {
    let text = "[[resource]]\nname = 'a'\nmachines = [ { mips = 1 }, { mips = 2 }, { mips = 4 } ]\n\
        [[job]]\nmi = 400\n[[job]]\nat = 50\nmi = 8\nreservation = 'R'\n";
    let (log, summary) = log(&format!("{text}{}", reservation("")));
    let expected = [
        "0 started job=0 resource=a pe=2",
        "40 reservation name=R resource=a state=active start=40 end=60",
        "50 started job=1 resource=a pe=1",
        "54 finished job=1 resource=a",
        "60 reservation name=R resource=a state=finished start=40 end=60",
        "100 finished job=0 resource=a",
        "100 end reason=no-events",
    ];
    assert_eq!(log, expected);
    assert_eq!(came_to(&summary.reservations[0]), ("finished", 4.0, 16.0));
}

/// The job that started first resumes first, and gets the fastest PE.
#[test]
fn a_whole_resource_is_reserved() {
    let text = "[[resource]]\nname = 'a'\nmachines = [ { mips = 1 }, { mips = 2 } ]\n\
        [[job]]\nmi = 100\n[[job]]\nat = 10\nmi = 20\n";
    let all = format!("{text}{}", reservation("").replace("pes = 1", "pes = 2"));
    let (log, _) = log(&all.replace("start = 40", "start = 20"));
    let expected = [
        "0 started job=0 resource=a pe=1",
        "10 started job=1 resource=a pe=0",
        "20 reservation name=R resource=a state=active start=20 end=40",
        "20 suspended job=1 resource=a",
        "20 suspended job=0 resource=a",
        "40 reservation name=R resource=a state=finished start=20 end=40",
        "40 started job=0 resource=a pe=1",
        "40 started job=1 resource=a pe=0",
        "50 finished job=1 resource=a",
        "70 finished job=0 resource=a",
        "70 end reason=no-events",
    ];
    assert_eq!(log, expected);
}

#[test]
fn jobs_of_a_reservation_wait_for_it_and_for_each_other() {
    let jobs = reserved(5, 4) + &reserved(5, 5) + &reserved(41, 6) + &reserved(70, 7);
    let (log, summary) = log(&(two("") + &jobs + &reservation("")));
    let of_them = |line: &&String| (3..7).any(|job| line.contains(&format!("job={job}")));
    let expected = [
        "40 started job=3 resource=a pe=1",
        "44 finished job=3 resource=a",
        "44 started job=4 resource=a pe=1",
        "49 finished job=4 resource=a",
        "49 started job=5 resource=a pe=1",
        "55 finished job=5 resource=a",
        // Too late for the reservation, so it queues behind job 2.
        "110 started job=6 resource=a pe=0",
        "117 finished job=6 resource=a",
    ];
    assert_eq!(log.iter().filter(of_them).collect::<Vec<_>>(), expected);
    assert_eq!(came_to(&summary.reservations[0]), ("finished", 15.0, 5.0));
    assert_eq!(summary.reservations[0].jobs, 4);
}

#[test]
fn a_cancelled_one_gives_its_pes_back() {
    let (log, summary) = log(&two(&(reserved(10, 30) + &reservation("cancel = 50"))));
    let expected = [
        "50 reservation name=R resource=a state=cancelled start=40 end=60",
        "50 suspended job=3 resource=a",
        "50 started job=1 resource=a pe=1",
        "100 finished job=0 resource=a",
        "100 started job=3 resource=a pe=0",
    ];
    assert_eq!(log[5..10], expected);
    assert_eq!(came_to(&summary.reservations[0]), ("cancelled", 10.0, 0.0));
}

/// Its jobs go to the head of the queue, and no running job is suspended.
#[test]
fn one_that_never_begins_leaves_its_jobs() {
    let cases = [
        ("cancel = 40", "40", "cancelled start=40 end=60"),
        ("commit = 30\ntimeout = 25", "25", "expired start=40 end=60"),
        ("commit = 41", "40", "expired start=40 end=60"),
    ];
    for (more, time, state) in cases {
        let (log, summary) = log(&two(&(reserved(10, 30) + &reservation(more))));
        let expected = [
            &format!("{time} reservation name=R resource=a state={state}"),
            "100 finished job=0 resource=a",
            "100 started job=3 resource=a pe=0",
            "100 finished job=1 resource=a",
            "100 started job=2 resource=a pe=1",
        ];
        assert_eq!(log[2..7], expected, "{more}");
        assert_eq!((summary.reservations[0].used, summary.reservations[0].unused), (0, 0));
    }
}

fn period(start: u64, end: u64) -> Period {
    Period { start: Time(Ticks(start * SECOND)), end: Time(Ticks(end * SECOND)) }
}

/// An offer blocks PEs, an expired offer does not.
#[test]
fn conflicts_are_refused_with_the_nearest_slot_or_moved_there() {
    let one = |name: &str, pes: u32, start: u32, more: &str| {
        format!(
            "[[reservation]]\nname = '{name}'\nresource = 'a'\npes = {pes}\nstart = {start}\n\
             duration = 20\n{more}\n"
        )
    };
    let all = [
        one("first", 1, 40, "commit = 30\ntimeout = 25"),
        one("refused", 2, 45, "requested = 10"),
        one("moved", 2, 55, "requested = 10\non_conflict = 'move'"),
        one("beside", 1, 40, "requested = 10"),
        // The first has expired by then, but 26 to 40 is too short.
        one("between", 2, 30, "requested = 26\non_conflict = 'move'\ncancel = 84"),
    ];
    let (log, summary) = log(&two(&all.concat()));
    let states: Vec<ReservationState> = summary.reservations.iter().map(|one| one.state).collect();
    let expected = [
        ReservationState::Expired(period(40, 60)),
        ReservationState::Refused { nearest: Some(period(60, 80)) },
        ReservationState::Finished(period(60, 80)),
        ReservationState::Finished(period(40, 60)),
        ReservationState::Cancelled(period(80, 100)),
    ];
    assert_eq!(states, expected, "{log:#?}");
    assert_eq!(summary.reservations[2].spec.asked(), period(55, 75));
}

/// A fast resource that is reserved, and a slow one.
fn fast_and_slow(pes: u32, duration: u32, scheduler: &str) -> String {
    format!(
        "[[resource]]\nname = 'a'\npes = {pes}\nmips = 2\n[[resource]]\nname = 'b'\nmips = 1\n\
         [[reservation]]\nname = 'R'\nresource = 'a'\npes = {pes}\nstart = 0\n\
         duration = {duration}\n\
         [[job]]\nat = 10\nmi = 10\n[[scheduler]]\n{scheduler}\n"
    )
}

#[test]
fn schedulers_do_not_take_reserved_pes_for_free() {
    let delayed = "policy = 'mct'\n[information]\nping = 5";
    let delayed_shares = "policy = 'mct'\nestimator = 'shares'\n[information]\nping = 5";
    let schedulers = [
        ("policy = 'mct'", 'a'),
        ("policy = 'mct'\nestimator = 'exact'", 'a'),
        // This estimator counts PEs, not the time when they become free.
        ("policy = 'mct'\nestimator = 'shares'", 'b'),
        ("policy = 'fcfs'", 'b'),
        ("policy = 'fcfs'\nestimator = 'exact'", 'b'),
        (delayed, 'a'),
        (delayed_shares, 'b'),
    ];
    for pes in [1, 2] {
        for (scheduler, soon) in schedulers {
            // Free at 100, or at 12 and done at 17; the slow resource is done at 20.
            for (duration, expected) in [(100, 'b'), (12, soon)] {
                let (log, _) = log(&fast_and_slow(pes, duration, scheduler));
                let sent = format!("finished job=0 resource={expected}");
                assert!(log.iter().any(|line| line.ends_with(&sent)), "{scheduler}\n{log:#?}");
            }
        }
    }
}

/// A machine that is down from 45 to 50: the reservation holds during the failure. The suspended
/// job keeps its 40 s, and the running one loses its work.
#[test]
fn a_failure_does_not_end_a_reservation() {
    let of = |rule: &str| {
        let failure = format!(
            "[resource.failure]\n\
             changes = [ {{ at = 45, down = true }}, {{ at = 50, up = true }} ]\n\
             on_failure = '{rule}'\n"
        );
        let jobs = "[[job]]\nmi = 50\n".to_owned() + &reserved(10, 8);
        let (log, summary) =
            log(&format!("[[resource]]\nname = 'a'\nmips = 1\n{failure}{jobs}{}", reservation("")));
        (log, came_to(&summary.reservations[0]))
    };
    let (log, came_to) = of("restart");
    let expected = [
        "40 suspended job=0 resource=a",
        "40 started job=1 resource=a pe=0",
        "45 down resource=a",
        "45 interrupted job=1 resource=a",
        "50 up resource=a",
        "50 started job=1 resource=a pe=0",
        "58 finished job=1 resource=a",
        "60 reservation name=R resource=a state=finished start=40 end=60",
        "60 started job=0 resource=a pe=0",
        "70 finished job=0 resource=a",
        "70 end reason=no-events",
    ];
    assert_eq!(log[2..], expected);
    assert_eq!(came_to, ("finished", 13.0, 7.0));
    let (log, came_to) = of("resubmit");
    // Both are ordinary jobs now, and wait until the reservation has ended.
    let expected = [
        "60 started job=0 resource=a pe=0",
        "70 finished job=0 resource=a",
        "70 started job=1 resource=a pe=0",
        "78 finished job=1 resource=a",
    ];
    assert_eq!(log[log.len() - 5..log.len() - 1], expected);
    assert_eq!(came_to, ("finished", 5.0, 15.0));
}

/// The resource is down when the reservation starts, and until after its end.
#[test]
fn a_reservation_of_what_is_down_is_idle() {
    let failure =
        "[resource.failure]\nchanges = [ { at = 30, down = true }, { at = 70, up = true } ]\n";
    let text = format!(
        "[[resource]]\nname = 'a'\nmips = 1\n{failure}{}",
        reserved(35, 8) + &reservation("")
    );
    let (log, summary) = log(&text);
    let expected = [
        "60 reservation name=R resource=a state=finished start=40 end=60",
        "70 up resource=a",
        "70 started job=0 resource=a pe=0",
        "78 finished job=0 resource=a",
        "78 end reason=no-events",
    ];
    assert_eq!(log[2..], expected);
    assert_eq!(came_to(&summary.reservations[0]), ("finished", 0.0, 20.0));
}

#[test]
fn commands_reach_jobs_of_reservations_and_suspended_ones() {
    let commands = [
        command(42, "halt", 3), // runs in the reservation, 13 left
        command(45, "resume", 3),
        command(50, "halt", 1), // suspended, 60 left
        command(80, "resume", 1),
        command(55, "cancel", 4), // waits in the reservation
    ];
    let jobs = reserved(10, 15) + &reserved(11, 20);
    let (log, summary) = log(&two(&(jobs + &commands.concat() + &reservation(""))));
    let expected = [
        "40 suspended job=1 resource=a",
        "40 started job=3 resource=a pe=1",
        "42 halted job=3",
        "42 started job=4 resource=a pe=1",
        "45 resumed job=3",
        "50 halted job=1",
        "55 cancelled job=4",
        "55 started job=3 resource=a pe=1",
        "60 reservation name=R resource=a state=finished start=40 end=60",
        "60 suspended job=3 resource=a",
        "60 started job=3 resource=a pe=1",
        "68 finished job=3 resource=a",
        "68 started job=2 resource=a pe=1",
        "78 finished job=2 resource=a",
        "80 resumed job=1",
        "80 started job=1 resource=a pe=1",
        "100 finished job=0 resource=a",
        "140 finished job=1 resource=a",
        "140 end reason=no-events",
    ];
    assert_eq!(log[3..], expected);
    assert_eq!(came_to(&summary.reservations[0]), ("finished", 20.0, 0.0));
}

/// If data arrive at 45, PEs are idle until then; if they arrive at 65, the job becomes an ordinary
/// one.
#[test]
fn jobs_of_a_reservation_wait_for_their_data() {
    let of = |seconds: u32| {
        let network = "[network]\nmodel = 'baud-rate'\nhosts = ['desk']\nbaud = 8000\n";
        let data = format!("home = 'desk'\ninput = {}\n", 1000 * seconds);
        let jobs = reserved(0, 10) + &data + "[[job]]\nmi = 100\n";
        let grid = "[[resource]]\nname = 'a'\nmips = 1\n".to_owned();
        let (log, summary) = log(&(grid + network + &jobs + &reservation("")));
        let of_it = log.iter().filter(|line| line.contains("job=0")).cloned();
        (of_it.collect::<Vec<_>>(), came_to(&summary.reservations[0]))
    };
    let lines = |start: u32| {
        let started = format!("{start} started job=0 resource=a pe=0");
        vec![started, format!("{} finished job=0 resource=a", start + 10)]
    };
    assert_eq!(of(45), (lines(45), ("finished", 10.0, 10.0)));
    assert_eq!(of(65), (lines(120), ("finished", 0.0, 20.0)));
}

/// One reservation ends when the next starts: the suspended job stays suspended.
#[test]
fn one_after_the_other() {
    let next = reservation("").replace("'R'", "'S'").replace("start = 40", "start = 60");
    // The later reservation comes first in the file.
    let (log, _) = log(&two(&(next + &reservation(""))));
    let expected = [
        "40 reservation name=R resource=a state=active start=40 end=60",
        "40 suspended job=1 resource=a",
        "60 reservation name=R resource=a state=finished start=40 end=60",
        "60 reservation name=S resource=a state=active start=60 end=80",
        "80 reservation name=S resource=a state=finished start=60 end=80",
        "80 started job=1 resource=a pe=1",
    ];
    assert_eq!(log[2..8], expected);
}

/// The program reports reservations if there are any.
#[test]
fn the_program_reports_reservations() {
    let folder = Folder::default();
    let refused = reservation("").replace("'R'", "'S'").replace("pes = 1", "pes = 2");
    let text = two(&(reserved(10, 15) + &reservation("") + &refused));
    folder.write("r.toml", text).write("none.toml", two(""));
    let table = folder.run("simulate r.toml").ends(0).out;
    for part in ["40 to 60", "finished", "refused", "nearest 20 to 40"] {
        assert!(table.contains(part), "no '{part}' in {table}");
    }
    let json = folder.run("simulate r.toml --format json").ends(0).json();
    let (asked, nearest) = (json!({ "start": 40, "end": 60 }), json!({ "start": 20, "end": 40 }));
    let first = json!({
        "name": "R", "resource": "a", "pes": 1, "asked": asked, "given": asked,
        "state": "finished", "jobs": 1, "used": 15, "unused": 5, "cost": 0,
    });
    let second = json!({
        "name": "S", "resource": "a", "pes": 2, "asked": asked, "nearest": nearest,
        "state": "refused", "jobs": 0, "used": 0, "unused": 0, "cost": 0,
    });
    assert_eq!(json["reservations"], json!([first, second]));
    let none = folder.run("simulate none.toml").ends(0).out;
    assert!(!none.contains("reservation"), "{none}");
    let none = folder.run("simulate none.toml --format json").ends(0).json();
    assert_eq!(none.get("reservations"), None);
    folder.write("bad.toml", two(&reservation("requested = 50")));
    let bad = folder.run("simulate bad.toml");
    let why = "bad.toml:15:9: reservation[0] \"R\": start is 40, before requested, which is 50";
    assert_eq!((bad.code, bad.err), (Some(2), format!("gridsat: {why}\n")));
}
