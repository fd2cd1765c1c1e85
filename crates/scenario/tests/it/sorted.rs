//! Compares Min-Min on sorted jobs with Min-Min on an instance, decision by decision.

use std::cell::Cell;
use std::rc::Rc;

use gridsat_grid::{Assignment, ByHeuristic, Mapper, MapperError, Sorted, View, simulate};
use gridsat_heuristics::{Heuristic, MaxMin, MinMin, Qgmm, Sufferage};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{command, pick, setup};

/// Calls both and asserts equal decisions.
struct Both {
    quick: Sorted,
    plain: ByHeuristic,
    /// Number of decisions that left jobs waiting, and number of jobs sent.
    seen: Rc<Cell<(usize, usize)>>,
    case: String,
}

impl Both {
    fn of(heuristic: &str, seen: Rc<Cell<(usize, usize)>>, case: String) -> Self {
        let (quick, plain): (_, &'static dyn Heuristic) = match heuristic {
            "minmin" => (Sorted::min_min(), &MinMin),
            "maxmin" => (Sorted::max_min(), &MaxMin),
            "sufferage" => (Sorted::sufferage(), &Sufferage),
            _ => (Sorted::qgmm(), &Qgmm),
        };
        Self { quick, plain: ByHeuristic(plain), seen, case }
    }
}

impl Mapper for Both {
    fn name(&self) -> String {
        self.quick.name()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let quick = self.quick.decide(view)?;
        assert_eq!(quick, self.plain.decide(view)?, "at {:?}\n{}", view.now(), self.case);
        let (partial, sent) = self.seen.get();
        let is_partial = !quick.is_empty() && quick.len() < view.job_count();
        self.seen.set((partial + usize::from(is_partial), sent + quick.len()));
        Ok(quick)
    }
}

/// Runs the comparison: number of decisions that left jobs waiting, and number of jobs sent.
fn compare(text: &str) -> (usize, usize) {
    let seen = Rc::default();
    let mut setup = setup(text);
    for scheduler in &mut setup.schedulers {
        let name = scheduler.mapper.name();
        scheduler.mapper = Box::new(Both::of(&name, Rc::clone(&seen), text.to_owned()));
    }
    simulate(setup, &mut ()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    seen.get()
}

fn scheduler(random: &mut ChaCha8Rng, more: &str) -> String {
    let policies =
        ["tlmm", "tlqmm", "tlmm", "tlqmm", "minmin", "qgmm", "maxmin", "sufferage", "sufferage"];
    let policy = pick(random, &policies);
    let mode = match policy {
        "minmin" | "qgmm" | "maxmin" | "sufferage" => {
            pick(random, &["mode = 'count'\njobs = 7", "mode = 'when-free'", "mode = 'batch'"])
        }
        _ => "",
    };
    let wait = match mode.is_empty() || mode.contains("batch") {
        true => format!("wait = {}", random.random_range(1..80)),
        false => String::new(),
    };
    format!("[[scheduler]]\npolicy = '{policy}'\n{mode}\n{wait}\n{more}\n")
}

/// One scheduler, two that compete, or one above two others.
fn schedulers(random: &mut ChaCha8Rng) -> (String, &'static str) {
    let mut estimator = |all: &[&str]| format!("estimator = '{}'", pick(random, all));
    let known = estimator(&["auto", "shares", "exact"]);
    let told = estimator(&["auto", "shares"]);
    match random.random_range(0..4) {
        0 => {
            let two =
                ["x", "y"].map(|name| scheduler(random, &format!("name = '{name}'\n{known}")));
            (two.concat(), "schedulers = ['x', 'y']\n")
        }
        1 => {
            let mut text = scheduler(random, "name = 'all'\ntargets = ['x', 'y', 'r0']");
            text += &scheduler(random, &format!("name = 'x'\ntargets = ['r0']\n{known}"));
            text += &scheduler(random, &format!("name = 'y'\n{known}"));
            (text, "")
        }
        2 => (scheduler(random, &told) + "[information]\nping = 40\ndelay = 7\n", ""),
        _ => (scheduler(random, &known), ""),
    }
}

fn resource(random: &mut ChaCha8Rng, number: usize) -> String {
    let load = pick(random, &["0", "0", "{ average = 40, randomiser = 'even', limit = 30 }"]);
    let sharing = pick(random, &["space-shared", "space-shared", "time-shared-gsim"]);
    let fails =
        pick(random, &["", "fails = { uniform = [0, 200] }", "fails = { exponential = 90 }"]);
    let failure = match fails {
        "" => String::new(),
        _ => {
            let rule = pick(random, &["resubmit", "migrate", "restart"]);
            let restores = "restores = { uniform = [0, 50] }";
            format!("[resource.failure]\n{fails}\n{restores}\non_failure = '{rule}'\n")
        }
    };
    format!(
        "[[resource]]\nname = 'r{number}'\ncount = {}\npes = {}\nmips = {}\nqos = {}\n\
         policy = '{sharing}'\nload = {load}\n{failure}",
        random.random_range(1..6),
        random.random_range(1..3),
        random.random_range(1.0..4.0),
        if number == 0 { 2 } else { random.random_range(0..3) },
    )
}

fn scenario(seed: u64) -> String {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut text = format!("seed = {seed}\n[stop]\ntime = 3000\n");
    for number in 0..random.random_range(1..5) {
        text += &resource(random, number);
    }
    let (schedulers, turns) = schedulers(random);
    text += &schedulers;
    let size = pick(random, &["60", "{ uniform = [0, 120] }", "{ uniform = [50, 51] }"]);
    text += &format!(
        "[estimates]\nerror = {}\n[[users]]\ncount = 10\ntasks = {}\ngap = {}\nsize = {size}\n\
         qos = 0.5\n{turns}",
        pick(random, &["0", "0", "30"]),
        random.random_range(5..20),
        random.random_range(1..30),
    );
    for _ in 0..random.random_range(0..12) {
        let (at, mi) = (random.random_range(0..300), random.random_range(1..70));
        text += &format!("[[job]]\nat = {at}\nmi = {mi}\nqos = 2\n");
    }
    for _ in 0..random.random_range(0..12) {
        let what = pick(random, &["halt", "resume", "cancel"]);
        let (at, job) = (random.random_range(0..300), random.random_range(0..50));
        text += &command(at, what, job);
    }
    text
}

#[test]
fn decides_as_the_heuristic_does() {
    let all = (0..400).map(|seed| compare(&scenario(seed)));
    let (partial, sent) = all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(partial > 2000 && sent > 10_000, "{partial} {sent}");
}

/// Hosts so fast that jobs of many sizes take the same few nanoseconds.
#[test]
fn times_that_are_equal_by_rounding_are_told_apart_by_place() {
    let mut partial = 0;
    for seed in 0..60 {
        let policy = ["tlmm", "tlqmm", "maxmin", "sufferage"][seed % 4];
        let text = format!(
            "seed = {seed}\n[[resource]]\ncount = 4\nmips = {{ uniform = [1e9, 2e10] }}\nqos = 1\n\
             [[resource]]\ncount = 4\nmips = {{ uniform = [1e9, 2e10] }}\n\
             [[scheduler]]\npolicy = '{policy}'\nwait = 1e-8\n\
             [[users]]\ncount = 10\ntasks = 20\ngap = 1e-8\nsize = {{ uniform = [0, 120] }}\n\
             qos = 0.5\n"
        );
        partial += compare(&text).0;
    }
    assert!(partial > 100, "{partial}");
}

/// Rates of hosts, sizes of jobs, and seconds between decisions: different, few and equal rates,
/// and so fast hosts that rounding decides.
const SPEEDS: [(&str, &str, f64); 4] = [
    ("{ uniform = [100, 1000] }", "{ uniform = [100000, 200000] }", 10.0),
    ("{ uniform = [1e9, 2e10] }", "{ uniform = [0, 120] }", 1e-8),
    ("300", "{ uniform = [100000, 200000] }", 10.0),
    ("{ uniform = [1e9, 1.00000001e9] }", "{ uniform = [1, 40] }", 1e-8),
];

/// So many hosts that Min-Min looks at blocks of them; some are not just a queue.
#[test]
fn min_min_on_many_hosts() {
    let (mut partial, mut sent) = (0, 0);
    for seed in 0..48 {
        let (mips, size, wait) = SPEEDS[seed % 4];
        let policy = ["minmin", "tlmm", "qgmm", "tlqmm"][seed / 4 % 4];
        let text = format!(
            "seed = {seed}\n[[resource]]\ncount = {}\nmips = {mips}\nqos = 1\n\
             [[resource]]\ncount = {}\nmips = {mips}\n\
             [[resource]]\ncount = {}\npes = 2\nmips = {mips}\n\
             [[scheduler]]\npolicy = '{policy}'\nwait = {wait}\n\
             [[users]]\ncount = 12\ntasks = 40\ngap = {wait}\nsize = {size}\nqos = 0.5\n",
            16 + seed,
            20 + seed % 9,
            1 + seed % 5
        );
        let (left, jobs) = compare(&text);
        (partial, sent) = (partial + left, sent + jobs);
    }
    assert!(partial > 100 && sent == 48 * 480, "{partial} {sent}");
}

/// Hosts that are all queues, which Sufferage needs to be fast.
#[test]
fn sufferage_on_queues() {
    let mut sent = 0;
    for seed in 0..80 {
        let (mips, size, wait) = SPEEDS[seed % 4];
        let (hosts, tasks) = (1 + seed % 7, 10 + 3 * seed);
        let text = format!(
            "seed = {seed}\n[[resource]]\ncount = {hosts}\nmips = {mips}\nqos = 1\n\
             [[resource]]\ncount = {}\nmips = {mips}\n\
             [[scheduler]]\npolicy = 'sufferage'\nwait = {wait}\n\
             [[users]]\ncount = 4\ntasks = {tasks}\ngap = {wait}\nsize = {size}\nqos = 0.5\n",
            1 + seed % 5
        );
        sent += compare(&text).1;
    }
    assert!(sent > 30_000, "{sent}");
}
