//! Ends the simulation at Ctrl-C, and prints its progress.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use gridsat_cluster as cluster;
use gridsat_engine::Observer;
use gridsat_engine::time::Time;
use gridsat_grid::{GridEvents, Happening, JobRecord};
use gridsat_model::Scale;
use gridsat_model::Stop;
use gridsat_model::text::printable;

use super::super::args::TimedOutputArgs;
use super::super::progress::Log;
use super::super::say::line;

/// Events between two looks at the clock, which costs more than most events.
const PATIENCE: u32 = 4096;

pub struct Watch {
    log: Log,
    stop: Stop,
    scale: Scale,
    shown: bool,
    start: Instant,
    next: Duration,
    happened: u32,
    arrived: u64,
    left: u64,
}

impl Watch {
    /// Prints nothing with `--quiet`, or if standard error is not a terminal; unless it is to be
    /// verbose.
    pub fn new(stop: Stop, scale: Scale, output: &TimedOutputArgs) -> Self {
        let TimedOutputArgs { verbose, to, .. } = output;
        Self {
            log: Log::new(*verbose),
            stop,
            scale,
            shown: *verbose > 0 || (!to.quiet && io::stderr().is_terminal()),
            start: Instant::now(),
            next: Duration::from_secs(1),
            happened: 0,
            arrived: 0,
            left: 0,
        }
    }

    /// Logs what is about to run.
    pub fn begins(&self, name: &str, seed: u64, policy: &str) {
        self.log.note(&format!("simulating {}: {policy}, seed {seed}", printable(name)));
    }

    /// Logs how it ended.
    pub fn ended(&self, end: &str, events: u64) {
        let Self { arrived, left, .. } = self;
        self.log
            .note(&format!("ended ({end}): {arrived} jobs arrived, {left} left, {events} events"));
    }

    /// Counts one event; `is_arrival` says whether a job arrived.
    fn count(&mut self, now: Time, is_arrival: bool) {
        self.arrived += u64::from(is_arrival);
        self.happened += 1;
        if self.happened == PATIENCE {
            self.happened = 0;
            if self.shown {
                self.look(now);
            }
        }
    }

    fn look(&mut self, now: Time) {
        let elapsed = self.start.elapsed();
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + Duration::from_secs(1);
        let time = now.0 / self.scale.ticks_per_unit();
        line(format_args!(
            "{:8.2} s  simulated {time} s, {} jobs arrived, {} left",
            elapsed.as_secs_f64(),
            self.arrived,
            self.left,
        ));
    }
}

impl Observer<GridEvents> for Watch {
    fn happened(&mut self, now: Time, what: &Happening) {
        self.count(now, matches!(what, Happening::Arrived { .. }));
    }

    fn left(&mut self, _: &JobRecord) {
        self.left += 1;
    }

    fn wants_end(&self) -> bool {
        self.stop.is_requested()
    }

    fn follows_events(&self) -> bool {
        self.shown
    }

    fn follows_jobs(&self) -> bool {
        self.shown
    }
}

impl Observer<cluster::ClusterEvents> for Watch {
    fn happened(&mut self, now: Time, what: &cluster::Happening) {
        self.count(now, matches!(what, cluster::Happening::Arrived { .. }));
    }

    fn left(&mut self, _: &cluster::JobRecord) {
        self.left += 1;
    }

    fn is_watching(&self) -> bool {
        self.shown
    }

    fn wants_end(&self) -> bool {
        self.stop.is_requested()
    }

    fn follows_events(&self) -> bool {
        self.shown
    }
}
