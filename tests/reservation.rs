//! Advance reservation: by hand, by chance with everything that can go wrong, and what is wrong in files.

#![allow(clippy::panic, reason = "that is how a test says what it found")]

mod support;

use std::collections::BTreeMap;

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
use support::grid::{assert_adds_up, error, setup};
use support::program::Folder;

const SECOND: u64 = 1_000_000_000;

/// Log lines but for those of schedulers, of jobs that are sent, and of what is offered and committed to.
fn log(text: &str) -> (Vec<String>, Summary) {
    let (mut log, summary) = support::grid::log(text);
    let hidden = [" sent ", "state=offered", "state=committed"];
    log.retain(|line| !hidden.iter().any(|what| line.contains(what)));
    (log, summary)
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
    format!(
        "[[reservation]]\nname = 'R'\nresource = 'a'\npes = 1\nstart = 40\nduration = 20\n{more}\n"
    )
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

/// The job that began first is back first, and gets the fastest PE.
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
        // Too late, so behind job 2 like anybody else.
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

/// Its jobs go to the head of the queue, and nobody gives way.
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
    Period { start: Time(start * SECOND), end: Time(end * SECOND) }
}

/// An offer holds PEs, an expired one does not.
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
    let states: Vec<State> = summary.reservations.iter().map(|one| one.state).collect();
    let expected = [
        State::Expired(period(40, 60)),
        State::Refused { nearest: Some(period(60, 80)) },
        State::Finished(period(60, 80)),
        State::Finished(period(40, 60)),
        State::Cancelled(period(80, 100)),
    ];
    assert_eq!(states, expected, "{log:#?}");
    assert_eq!(summary.reservations[2].asked, period(55, 75));
}

/// A fast resource that is reserved, and a slow one.
fn fast_and_slow(pes: u32, duration: u32, scheduler: &str) -> String {
    format!(
        "[[resource]]\nname = 'a'\npes = {pes}\nmips = 2\n[[resource]]\nname = 'b'\nmips = 1\n\
         [[reservation]]\nname = 'R'\nresource = 'a'\npes = {pes}\nstart = 0\nduration = {duration}\n\
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
        // The number of PEs, and not when they are back.
        ("policy = 'mct'\nestimator = 'shares'", 'b'),
        ("policy = 'fcfs'", 'b'),
        ("policy = 'fcfs'\nestimator = 'exact'", 'b'),
        (delayed, 'a'),
        (delayed_shares, 'b'),
    ];
    for pes in [1, 2] {
        for (scheduler, soon) in schedulers {
            // Free at 100, or at 12 and done at 17; the slow one is done at 20.
            for (duration, expected) in [(100, 'b'), (12, soon)] {
                let (log, _) = log(&fast_and_slow(pes, duration, scheduler));
                let sent = format!("finished job=0 resource={expected}");
                assert!(log.iter().any(|line| line.ends_with(&sent)), "{scheduler}\n{log:#?}");
            }
        }
    }
}

/// A machine that is down from 45 to 50: what was reserved is so, up or down. The suspended job keeps its
/// 40 s, and the one that ran does not.
#[test]
fn a_failure_does_not_end_a_reservation() {
    let of = |rule: &str| {
        let failure = format!(
            "[resource.failure]\nchanges = [ {{ at = 45, down = true }}, {{ at = 50, up = true }} ]\n\
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
    // Both are ordinary jobs now, and wait until the reservation is over.
    let expected = [
        "60 started job=0 resource=a pe=0",
        "70 finished job=0 resource=a",
        "70 started job=1 resource=a pe=0",
        "78 finished job=1 resource=a",
    ];
    assert_eq!(log[log.len() - 5..log.len() - 1], expected);
    assert_eq!(came_to, ("finished", 5.0, 15.0));
}

/// Down when it starts, and until after its end.
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
    let command = |at, what, job| format!("[[command]]\nat = {at}\n{what} = {job}\n");
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

/// Data that take until 45 leave PEs idle; those that take until 65 make an ordinary job of it.
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

/// The end of one is the start of the next: the job that gave way stays where it is.
#[test]
fn one_after_the_other() {
    let next = reservation("").replace("'R'", "'S'").replace("start = 40", "start = 60");
    // The later one is first in the file.
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

/// What a picture of the PEs shows, kept exactly: who runs where, and for how long.
struct Watch {
    /// Jobs that name a reservation, by number, while it is not over.
    reserved: BTreeMap<u64, usize>,
    /// The job of each PE, and since when.
    running: BTreeMap<(ResourceId, u32), (u64, Time)>,
    /// PEs of active reservations.
    active: BTreeMap<usize, (ResourceId, u32)>,
    specs: Vec<ReservationSpec>,
    pes: Vec<u32>,
    given: BTreeMap<u64, u64>,
    used: Vec<u128>,
    finished: Vec<JobRecord>,
    suspended: u64,
    now: Time,
    text: String,
}

impl Watch {
    fn new(setup: &Setup, reserved: BTreeMap<u64, usize>, text: &str) -> Self {
        Self {
            reserved,
            running: BTreeMap::new(),
            active: BTreeMap::new(),
            specs: setup.reservations.clone(),
            pes: setup.grid.resources.iter().map(|spec| spec.pes.count()).collect(),
            given: BTreeMap::new(),
            used: vec![0; setup.reservations.len()],
            finished: Vec::new(),
            suspended: 0,
            now: Time(0),
            text: text.to_owned(),
        }
    }

    fn stop(&mut self, job: u64, now: Time) {
        let at = self.running.iter().find(|(_, (other, _))| *other == job).map(|(&at, _)| at);
        let Some(at) = at else { return };
        let (_, since) = self.running.remove(&at).expect("just found");
        *self.given.entry(job).or_default() += now - since;
        if let Some(&reservation) = self.reserved.get(&job) {
            self.used[reservation] += u128::from(now - since);
        }
    }

    /// What holds between any two moments: reserved PEs run jobs of their reservation and no others.
    fn check(&self) {
        for (index, &pes) in self.pes.iter().enumerate() {
            let id = ResourceId(index as u32);
            let here = self.running.iter().filter(|((at, _), _)| *at == id);
            let mut ordinary = 0;
            let mut of = BTreeMap::<usize, u32>::new();
            for (_, (job, _)) in here {
                match self.reserved.get(job) {
                    Some(&reservation) => *of.entry(reservation).or_default() += 1,
                    None => ordinary += 1,
                }
            }
            let held = self.active.values().filter(|(at, _)| *at == id);
            let held: u32 = held.map(|&(_, pes)| pes).sum();
            assert!(
                ordinary + held <= pes,
                "at {:?}: {ordinary} + {held}\n{}",
                self.now,
                self.text
            );
            for (reservation, count) in of {
                let (_, pes) = self.active.get(&reservation).copied().unwrap_or((id, 0));
                assert!(count <= pes, "at {:?}: {count} of {pes}\n{}", self.now, self.text);
            }
        }
    }
}

impl Observer for Watch {
    fn happened(&mut self, now: Time, what: &Happening) {
        if now > self.now {
            self.check();
            self.now = now;
        }
        match *what {
            Happening::Started { job, resource, pe: Some(pe) } => {
                let before = self.running.insert((resource, pe), (job, now));
                assert_eq!(before, None, "two jobs on PE {pe}\n{}", self.text);
            }
            Happening::Finished { job, .. }
            | Happening::Ran { job, .. }
            | Happening::Halted { job }
            | Happening::Interrupted { job, .. }
            | Happening::Lost { job, .. }
            | Happening::Cancelled { job } => self.stop(job, now),
            Happening::Suspended { job, .. } => {
                self.suspended += 1;
                self.stop(job, now);
            }
            Happening::Returned { job, .. } => drop(self.reserved.remove(&job)),
            Happening::Reservation { reservation, resource, state } => {
                let index = reservation.index();
                if let State::Active(_) = state {
                    self.active.insert(index, (resource, self.specs[index].pes));
                }
                if state.is_over() {
                    self.active.remove(&index);
                    // They stop in a moment; what they did until now is of the reservation.
                    let of = |job: &u64| self.reserved.get(job) == Some(&index);
                    let jobs = self.running.values().map(|&(job, _)| job).filter(of);
                    jobs.collect::<Vec<_>>().into_iter().for_each(|job| self.stop(job, now));
                    self.reserved.retain(|_, of| *of != index);
                }
            }
            _ => {}
        }
    }

    fn left(&mut self, job: &JobRecord) {
        if job.outcome == Outcome::Finished {
            self.finished.push(job.clone());
        }
    }
}

fn pick<'a>(random: &mut ChaCha8Rng, from: &[&'a str]) -> &'a str {
    from[random.random_range(0..from.len())]
}

/// A grid with reservations in which about everything else can happen, stopped at some time. Of the calm
/// ones nothing fails, halts or slows down.
fn chaos(seed: u64, is_calm: bool) -> (String, BTreeMap<u64, usize>) {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let stop = if is_calm { 100_000 } else { random.random_range(1..800) };
    let mut text = format!("seed = {seed}\n[stop]\ntime = {stop}\n");
    let resources = random.random_range(1..3);
    for index in 0..resources {
        let pes = if !is_calm && random.random() {
            "machines = [ { pes = 3, mips = 1 }, { mips = 2.7 } ]".to_owned()
        } else {
            "pes = 4\nmips = 1".to_owned()
        };
        text += &format!("[[resource]]\nname = 'r{index}'\n{pes}\n");
        if is_calm {
            continue;
        }
        text += pick(
            random,
            &[
                "",
                "",
                "load = 30\n",
                "load = { average = 40, randomiser = 'even', limit = 30, period = 7 }\n",
            ],
        );
        let when = pick(
            random,
            &[
                "fails = { uniform = [0, 200] }\nrestores = { uniform = [0, 50] }",
                "changes = [ { at = 3, capacity = 50 }, { at = 33.3, down = true }, \
                 { at = 77, up = true }, { at = 99, down = true }, { at = 99, up = true } ]",
            ],
        );
        let rule = pick(
            random,
            &[
                "'lost'",
                "'restart'",
                "'resubmit'",
                "'checkpoint'\ncheckpoint = 7\ncheckpoint_cost = 0.3",
                "'checkpoint'\ncheckpoint = 0.7\ncheckpoint_cost = 1\nstay = true",
                "'migrate'\nmigration_cost = 2.5",
            ],
        );
        if random.random() {
            text += &format!("[resource.failure]\n{when}\non_failure = {rule}\n");
        }
    }
    let reservations = random.random_range(1..9);
    for index in 0..reservations {
        let requested = random.random_range(0..100);
        let start = requested + random.random_range(0..100);
        let (resource, pes) = (random.random_range(0..resources), random.random_range(1..5));
        let duration = random.random_range(1..80);
        text += &format!(
            "[[reservation]]\nname = 'R{index}'\nresource = 'r{resource}'\npes = {pes}\n\
             requested = {requested}\nstart = {start}\nduration = {duration}\n"
        );
        text += pick(random, &["", "on_conflict = 'move'\n"]);
        match random.random_range(0..6) {
            0 => text += &format!("cancel = {}\n", requested + random.random_range(0..150)),
            1 => text += &format!("commit = {}\n", requested + random.random_range(0..80)),
            2 => {
                text +=
                    &format!("commit = {}\ntimeout = 20\n", requested + random.random_range(0..40))
            }
            _ => {}
        }
    }
    // Listed jobs alone, so that their numbers are known: those of one time are in order.
    let (mut reserved, mut at) = (BTreeMap::new(), 0);
    let jobs = random.random_range(1..60);
    let has_data = !is_calm && random.random();
    if has_data {
        text += "[network]\nmodel = 'baud-rate'\nhosts = ['desk']\nbaud = 8000\n";
    }
    for number in 0..jobs {
        at += random.random_range(0..9);
        text += &format!("[[job]]\nat = {at}\nmi = {}\n", random.random_range(1..90));
        if random.random_range(0..3) == 0 {
            let reservation = random.random_range(0..reservations);
            text += &format!("reservation = 'R{reservation}'\n");
            reserved.insert(number, reservation);
        }
        if has_data && random.random() {
            let (input, output) = (random.random_range(0..40_000), random.random_range(0..9_000));
            text += &format!("home = 'desk'\ninput = {input}\noutput = {output}\n");
        }
    }
    let policy = pick(random, &["mct", "olb", "minmin", "fcfs", "fjbr", "tlmm", "sufferage"]);
    let estimator = pick(random, &["auto", "shares", "exact"]);
    let error = if is_calm { 0 } else { 20 };
    text += &format!(
        "[[scheduler]]\npolicy = '{policy}'\nestimator = '{estimator}'\n[estimates]\nerror = {error}\n"
    );
    if !is_calm && estimator != "exact" && random.random() {
        text += "[information]\nping = 30\ndelay = 10\n";
    }
    for _ in 0..if is_calm { 0 } else { random.random_range(0..12) } {
        let what = pick(random, &["halt", "resume", "cancel"]);
        let (at, job) = (random.random_range(0..300), random.random_range(0..jobs));
        text += &format!("[[command]]\nat = {at}\n{what} = {job}\n");
    }
    (text, reserved)
}

fn run(seed: u64, is_calm: bool) -> (Summary, Watch) {
    let (text, reserved) = chaos(seed, is_calm);
    let setup = setup(&text);
    let mut watch = Watch::new(&setup, reserved, &text);
    let summary = simulate(setup, &mut watch).unwrap_or_else(|error| panic!("{error}\n{text}"));
    watch.check();
    let running: Vec<u64> = watch.running.values().map(|&(job, _)| job).collect();
    running.into_iter().for_each(|job| watch.stop(job, summary.end_time));
    assert_adds_up(&summary, &text);
    for (reservation, used) in summary.reservations.iter().zip(&watch.used) {
        assert_eq!(reservation.used, *used, "{}\n{text}", reservation.name);
    }
    (summary, watch)
}

#[test]
fn whatever_happens_and_whenever_it_stops_all_adds_up() {
    let (mut finished, mut suspended, mut progress) = (0, 0, 0);
    let mut states = BTreeMap::<&str, u64>::new();
    for seed in 0..600 {
        let (summary, watch) = run(seed, false);
        finished += summary.counts.finished;
        suspended += watch.suspended;
        progress += u64::from(summary.left > 0);
        for reservation in &summary.reservations {
            *states.entry(reservation.state.name()).or_default() += 1;
        }
    }
    assert!(
        finished > 5000 && suspended > 500 && progress > 100,
        "{finished} {suspended} {progress}"
    );
    assert!(states.len() == 8 && states.values().all(|&count| count > 20), "{states:?}");
}

/// Nothing but reservations: a job runs for exactly as long as it is, and what was given is what was used.
#[test]
fn jobs_get_the_pe_time_they_need_and_no_more() {
    let mut suspended = 0;
    for seed in 0..300 {
        let (summary, watch) = run(seed, true);
        assert_eq!(summary.left, 0, "{}", watch.text);
        for job in &watch.finished {
            let gridsat::workload::Demand::Instructions(mi) = job.demand else { panic!("no size") };
            assert_eq!(
                watch.given[&job.number],
                mi as u64 * SECOND,
                "{}\n{}",
                job.number,
                watch.text
            );
        }
        let given: u64 = watch.given.values().sum();
        assert_eq!(summary.accounts.given.whole_ticks(), given);
        for reservation in &summary.reservations {
            if let State::Finished(Period { start, end }) = reservation.state {
                let had = u128::from(end - start) * u128::from(reservation.pes);
                assert_eq!(reservation.used + reservation.unused, had, "{}", watch.text);
            }
        }
        suspended += watch.suspended;
    }
    assert!(suspended > 300, "{suspended}");
}

#[test]
fn impossible_ones_are_refused_by_the_library_too() {
    let good = ReservationSpec {
        name: "R".to_owned(),
        resource: ResourceId(0),
        pes: 2,
        start: Time(40),
        duration: 20,
        requested: Time(0),
        commit: Time(0),
        timeout: None,
        cancel: None,
        on_conflict: OnConflict::Refuse,
    };
    let error = |spec: ReservationSpec| {
        let mut setup =
            setup(&(two("") + "[[resource]]\nname = 't'\nmips = 1\npolicy = 'time-shared'\n"));
        setup.reservations = vec![spec];
        match simulate(setup, &mut Nobody) {
            Ok(_) => None,
            Err(SimError::Reservation { error, .. }) => Some(error),
            Err(other) => panic!("{other}"),
        }
    };
    let resource = "a".to_owned();
    let (at, pes) = (|id| ResourceId(id), |pes| ReservationSpec { pes, ..good.clone() });
    let unknown = ReservationSpec { resource: at(7), ..good.clone() };
    assert_eq!(error(unknown), Some(ReservationError::Resource(at(7))));
    let shared = ReservationSpec { resource: at(1), ..good.clone() };
    assert_eq!(error(shared), Some(ReservationError::Shared("t".to_owned())));
    let most = ReservationError::Pes { pes: 3, resource, have: 2 };
    assert_eq!((error(pes(3)), error(pes(0)).is_some()), (Some(most), true));
    let endless = ReservationSpec { duration: u64::MAX, ..good.clone() };
    assert_eq!(error(endless), Some(ReservationError::Duration(u64::MAX)));
    let late = ReservationSpec { requested: Time(41), ..good.clone() };
    assert_eq!(error(late), Some(ReservationError::Late));
    assert_eq!(error(good), None);
}

#[test]
fn wrong_reservations_in_one_line() {
    let grid = "[[resource]]\nname = 'a'\npes = 2\nmips = 1\nqos = 1\n\
        [[resource]]\nname = 'c'\ncount = 3\nmips = 1\n\
        [[resource]]\nname = 't'\nmips = 1\npolicy = 'time-shared'\nqos = 2\n\
        [[resource]]\nname = 'f'\nmips = 1\nload = 100\n";
    let job = "[[job]]\nmi = 1\n";
    let of = |change: (&str, &str)| reservation("").replace(change.0, change.1);
    let cases = [
        (of(("'a'", "'x'")), "resource \"x\" is unknown"),
        (of(("'a'", "'c'")), "resource \"c\" has 3 copies, needs one of them, such as \"c-0\""),
        (
            of(("'a'", "'t'")),
            "resource \"t\" is time-shared, and only space-shared ones can be reserved",
        ),
        (of(("pes = 1", "pes = 3")), "pes is 3, but resource \"a\" has 2"),
        (of(("pes = 1", "pes = 0")), "pes is 0, must be above 0"),
        (of(("start = 40", "start = -1")), "start is -1, not a number of seconds from 0"),
        (of(("duration = 20", "duration = 0")), "duration is 0, must be at least a nanosecond"),
        (
            of(("duration = 20", "duration = 18446744060")),
            "the end is 1.84467441e10 seconds; the clock ends after 584 years, 1.845e10 seconds",
        ),
        (reservation("requested = 41"), "start is 40, before requested, which is 41"),
        (reservation("requested = 9\ncommit = 8"), "commit is 8, before requested, which is 9"),
        (reservation("requested = 9\ncancel = 8"), "cancel is 8, before requested, which is 9"),
        (reservation("timeout = -2"), "timeout is -2, not a number of seconds from 0"),
        (reservation("on_conflict = 'x'"), "on_conflict \"x\" is unknown; known: refuse, move"),
    ];
    for (text, expected) in cases {
        let found = error(&format!("{grid}{job}{text}"));
        assert_eq!(found, format!("x.toml: reservation[0] \"R\": {expected}"));
    }
    let twice = error(&format!("{grid}{job}{}", reservation("").repeat(2)));
    assert_eq!(twice, "x.toml: reservation[1] \"R\": the name is used twice");
    let lost = error(&format!("{grid}{job}{}", reservation("starts = 3")));
    assert!(lost.contains("unknown field `starts`"), "{lost}");
    let jobs = [
        ("reservation = 'S'", "reservation \"S\" is unknown"),
        (
            "reservation = 'R'\nqos = 2",
            "QoS 2 is asked for, but the resource of reservation \"R\" does not offer it",
        ),
        (
            "reservation = 'F'",
            "never starts, the resource of reservation \"F\" has a load of 100 %",
        ),
    ];
    let device = format!("{grid}{}[[job]]\nio = 1\nreservation = 'R'\n", reservation(""));
    let expected = "x.toml: job[0]: reservation is for jobs with mi: it has PEs, and no devices";
    assert_eq!(error(&device), expected);
    let full = of(("'R'", "'F'")).replace("'a'", "'f'");
    for (keys, expected) in jobs {
        let text = format!("{grid}{}{full}{job}{keys}\n", reservation(""));
        assert_eq!(error(&text), format!("x.toml: job[0]: {expected}"));
    }
}

/// The program tells of them, and of nothing if there are none.
#[test]
fn the_program_reports_reservations() {
    let folder = Folder::new();
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
        "state": "finished", "jobs": 1, "used": 15, "unused": 5,
    });
    let second = json!({
        "name": "S", "resource": "a", "pes": 2, "asked": asked, "nearest": nearest,
        "state": "refused", "jobs": 0, "used": 0, "unused": 0,
    });
    assert_eq!(json["reservations"], json!([first, second]));
    let none = folder.run("simulate none.toml").ends(0).out;
    assert!(!none.contains("reservation"), "{none}");
    let none = folder.run("simulate none.toml --format json").ends(0).json();
    assert_eq!(none.get("reservations"), None);
    folder.write("bad.toml", two(&reservation("requested = 50")));
    let bad = folder.run("simulate bad.toml");
    let why = "bad.toml: reservation[0] \"R\": start is 40, before requested, which is 50";
    assert_eq!((bad.code, bad.err), (Some(2), format!("gridsat: {why}\n")));
}
