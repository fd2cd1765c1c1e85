//! Progress of the search on standard error, one line per event, if it is a terminal.

use std::io::{self, IsTerminal};
use std::time::Instant;

use gridsat_exact::sat::Answer;
use gridsat_exact::strategy::Event;
use gridsat_model::text::printable;
use gridsat_model::{Instance, Scale, Ticks, gap};

use super::say::line;

/// Prints bounds, gap and decisions as they are found.
pub struct Progress {
    start: Instant,
    scale: Scale,
    lower: Ticks,
    upper: Option<Ticks>,
    shown: Shown,
}

/// How much is printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Nothing,
    /// Results: mappings, bounds, decisions.
    Results,
    /// Also what is about to be done.
    Everything,
}

impl Progress {
    /// Prints nothing with `--quiet`, or if standard error is not a terminal, unless `--verbose` is
    /// given.
    pub fn new(scale: Scale, quiet: bool, verbose: u8) -> Self {
        let shown = match verbose {
            0 if quiet || !io::stderr().is_terminal() => Shown::Nothing,
            1 => Shown::Results,
            _ => Shown::Everything,
        };
        Self { start: Instant::now(), scale, lower: Ticks(0), upper: None, shown }
    }

    /// Prints a description of the instance.
    pub fn log_instance(&self, instance: &Instance) {
        if self.shown > Shown::Nothing {
            let (n, m) = (instance.task_count(), instance.host_count());
            let notes = instance.notes().iter().map(|note| format!("; {note}"));
            let notes: String = notes.filter(|_| self.shown == Shown::Everything).collect();
            let name = printable(instance.name());
            self.print(&format!("read {name}: {n} tasks on {m} hosts{notes}"));
        }
    }

    /// Prints one event.
    pub fn show(&mut self, event: &Event<'_>) {
        let text = match event {
            Event::Mapping { makespan, by } => {
                self.upper = Some(*makespan);
                format!("mapping by {by}")
            }
            Event::Bound { value, by } => {
                self.lower = *value;
                format!("lower bound by {by}")
            }
            Event::Deciding { k } => format!("makespan <= {}?", self.scale.display(*k)),
            Event::Decided(decision) => format!(
                "makespan <= {}: {} ({:.2} s, {})",
                self.scale.display(decision.k),
                match decision.answer {
                    Answer::Sat => "yes",
                    Answer::Unsat => "no",
                    Answer::Unknown => "stopped",
                },
                decision.time.as_secs_f64(),
                decision.by
            ),
            Event::Certifying { k } => {
                format!("writing the proof that {} is impossible", self.scale.display(*k))
            }
        };
        let least = match event {
            Event::Deciding { .. } | Event::Certifying { .. } => Shown::Everything,
            _ => Shown::Results,
        };
        if self.shown >= least {
            self.print(&text);
        }
    }

    fn print(&self, text: &str) {
        let upper =
            self.upper.map_or("-".to_owned(), |upper| self.scale.display(upper).to_string());
        let gap = self.upper.map_or(1.0, |upper| gap(self.lower, upper));
        line(format_args!(
            "{:8.2} s  [{} .. {upper}]  gap {:.3} %  {text}",
            self.start.elapsed().as_secs_f64(),
            self.scale.display(self.lower),
            100.0 * gap,
        ));
    }
}

/// What `-v` and `-vv` print of commands that have no search: lines on standard error with the time
/// since the start.
pub struct Log {
    start: Instant,
    verbose: u8,
}

impl Log {
    /// Prints with `-v` (1) what is done, with `-vv` (2 or more) also what begins.
    pub fn new(verbose: u8) -> Self {
        Self { start: Instant::now(), verbose }
    }

    /// A line of `-v`.
    pub fn note(&self, text: &str) {
        self.print(1, text);
    }

    /// A line of `-vv`.
    pub fn detail(&self, text: &str) {
        self.print(2, text);
    }

    fn print(&self, least: u8, text: &str) {
        if self.verbose >= least {
            let seconds = self.start.elapsed().as_secs_f64();
            line(format_args!("{seconds:8.2} s  {text}"));
        }
    }
}
