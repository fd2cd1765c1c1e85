//! Advance reservation: by hand, by chance with everything that can go wrong, and what is wrong in files.

#![allow(clippy::panic, reason = "that is how a test says what it found")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use gridsat::report::{Chart, Description, Events, Everybody};
use gridsat::scenario::{Changes, Scenario, Syntax};
use gridsat::sim::reservation::{
    OnConflict, Period, ReservationError, ReservationSpec, ReservationSummary, State,
};
use gridsat::sim::time::Time;
use gridsat::sim::{
    Happening, JobRecord, Nobody, Observer, Outcome, ResourceId, Setup, SimError, Summary, simulate,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use support::program::Folder;

const SECOND: u64 = 1_000_000_000;

fn setup(text: &str) -> Setup {
    let scenario = Scenario::parse(text, Syntax::Toml, "test.toml", Path::new(""));
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}\n{text}"));
    scenario.setup(&Changes::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_adds_up(summary: &Summary, case: &str) {
    let (counts, work) = (&summary.counts, &summary.accounts);
    let left = counts.submitted - counts.finished - counts.lost - counts.cancelled;
    assert_eq!(summary.left, left, "{counts:?}\n{case}");
    let sum = work.useful + work.lost + work.overhead + work.in_progress;
    assert_eq!(work.given, sum, "{work:?}\n{case}");
}

/// Log lines but for those of schedulers, and of jobs that arrive or are sent.
fn log(text: &str) -> (Vec<String>, Summary) {
    let setup = setup(text);
    let description = Description::of("test", &setup);
    let mut events = Events::new(&description, Vec::new());
    let mut chart = Chart::new(&description);
    let mut everybody = Everybody(vec![&mut events, &mut chart]);
    let summary = simulate(setup, &mut everybody).unwrap_or_else(|error| panic!("{error}"));
    assert_adds_up(&summary, text);
    assert!(chart.svg(&summary).ends_with("</svg>\n"));
    let log = String::from_utf8(events.finish(&summary).expect("memory is enough")).expect("text");
    let hidden = [" decided ", " arrived ", " sent ", "state=offered", "state=committed"];
    let is_shown = |line: &&str| !hidden.iter().any(|what| line.contains(what));
    (log.lines().filter(is_shown).map(str::to_owned).collect(), summary)
}

/// Two PEs of 1 MIPS with two jobs of 100 s, one of 10 s in the queue, and more.
fn two(more: &str) -> String {
    format!(
        "[[resource]]\nname = 'a'\npes = 2\nmips = 1\n\
         [[job]]\nmi = 100\n[[job]]\nmi = 100\n[[job]]\nmi = 10\n{more}"
    )
}

/// One PE from 40 to 60.
fn reservation(more: &str) -> String {
    format!("[[reservation]]\nname = 'R'\nresource = 'a'\npes = 1\nstart = 40\nduration = 20\n{more}\n")
}

fn reserved(at: u32, mi: u32) -> String {
    format!("[[job]]\nat = {at}\nmi = {mi}\nreservation = 'R'\n")
}

/// State, and used and unused PE time in seconds.
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
