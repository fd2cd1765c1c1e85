//! The program under faults, load and hostile files, for as long as wanted.
//!
//! ```text
//! cargo test --release --test stress                                  a short run, for all tests
//! cargo test --release --test stress -- --seconds 3600 --seed 7       a long one
//! cargo test --release --test stress -- --seconds 600 files liars     only these checks
//! cargo test --release --test stress -- --seed 7 --round 12 files     one round of one check again
//! ```
//!
//! Each check is a function that runs one round of about a second. A round is determined by the
//! seed, the name of the check and its number; only when a signal arrives is up to the machine.

#![allow(clippy::panic, reason = "a round reports what it found that way")]
#![cfg_attr(not(unix), allow(dead_code, reason = "signals and shell scripts are for Unix"))]

mod child;
mod files;
mod forged;
mod kills;
mod liars;
mod limits;
mod optima;
mod options;
mod same;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use options::Options;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// One round; returns how many things were tried, and panics at the first that went wrong.
type Round = fn(&mut ChaCha8Rng) -> u64;

struct Check {
    name: &'static str,
    what: &'static str,
    round: Round,
    rounds: u64,
    tried: u64,
    time: Duration,
    failed: Vec<u64>,
}

fn checks() -> Vec<Check> {
    let check = |name, what, round| {
        let (rounds, tried, time, failed) = (0, 0, Duration::ZERO, Vec::new());
        Check { name, what, round, rounds, tried, time, failed }
    };
    let mut checks = vec![
        check(
            "optima",
            "tiny instances with any options, beside brute force",
            optima::round as Round,
        ),
        check("forged", "damaged certificates: what is accepted is true", forged::round),
        check("files", "damaged files for every reader", files::round),
        check(
            "same",
            "the same bytes with other threads, folders, time zones, languages",
            same::round,
        ),
    ];
    if cfg!(unix) {
        checks.extend([
            check("kills", "experiments killed and run again", kills::round as Round),
            check("liars", "solvers that lie, babble, crash or hang", liars::round),
            check("limits", "commands with a limit or a signal at any time", limits::round),
        ]);
    }
    checks
}

impl Check {
    /// Runs one round in a thread of its own, so that a panic ends only that.
    fn run(&mut self, seed: u64, number: u64) {
        let mut rng = random(seed, self.name, number);
        let round = self.round;
        let start = Instant::now();
        match std::thread::spawn(move || round(&mut rng)).join() {
            Ok(tried) => self.tried += tried,
            Err(_) => self.failed.push(number),
        }
        self.rounds += 1;
        self.time += start.elapsed();
    }
}

/// The random numbers of a round.
fn random(seed: u64, check: &str, number: u64) -> ChaCha8Rng {
    let name = check.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(257) + u64::from(byte));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(name ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    rng
}

fn main() -> ExitCode {
    let options = match Options::of(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("stress: {message}");
            return ExitCode::from(2);
        }
    };
    let mut checks = checks();
    checks.retain(|check| options.wants(check.name));
    if checks.is_empty() || options.idle {
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    match options.round {
        Some(number) => checks.iter_mut().for_each(|check| check.run(options.seed, number)),
        None => {
            checks.iter_mut().for_each(|check| check.run(options.seed, 0));
            // The check that had the least time goes next.
            while start.elapsed() < options.time
                && let Some(next) = checks.iter_mut().min_by_key(|check| check.time)
            {
                next.run(options.seed, next.rounds);
            }
        }
    }
    report(&options, &checks, start.elapsed())
}

fn report(options: &Options, checks: &[Check], time: Duration) -> ExitCode {
    let version = env!("CARGO_PKG_VERSION");
    println!("gridsat {version}, stress, seed {}, {:.0} s", options.seed, time.as_secs_f64());
    println!("{:<8} {:>8} {:>10} {:>8}  what", "check", "rounds", "tried", "failed");
    for Check { name, what, rounds, tried, failed, .. } in checks {
        println!("{name:<8} {rounds:>8} {tried:>10} {:>8}  {what}", failed.len());
    }
    let mut code = ExitCode::SUCCESS;
    for check in checks {
        for number in check.failed.iter().take(10) {
            let again = format!("--seed {} --round {number} {}", options.seed, check.name);
            println!("again: cargo test --release --test stress -- {again}");
            code = ExitCode::FAILURE;
        }
    }
    code
}
