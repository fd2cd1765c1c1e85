//! What `gridsat experiment claims` says about its way through many experiments: how long it will
//! take, where results go, how much of it is done, and how long it took.
//!
//! The time is estimated from the CPU time of each built-in experiment where it was measured, so
//! other machines may take several times as long or as short.

use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use gridsat_lab::claims::cpu_seconds;
use gridsat_lab::experiment::{BuiltIn, Experiment};

use super::super::args::ExperimentArgs;
use super::super::say::say;
use super::counted;

/// An experiment that claims need.
pub struct Planned {
    pub built_in: &'static BuiltIn,
    pub experiment: Experiment,
    /// The file that its results are written to.
    pub path: PathBuf,
    /// Whether there is a result from an earlier call.
    pub is_done: bool,
}

impl Planned {
    /// Estimated CPU seconds; those of quick versions are overestimated.
    fn seconds(&self) -> f64 {
        let all = cpu_seconds(self.built_in.name, self.experiment.replications);
        if self.is_done { 0.0 } else { all }
    }
}

/// The experiments so far, and all of them.
pub struct Journey<'a> {
    args: &'a ExperimentArgs,
    is_shown: bool,
    folder: PathBuf,
    begun: Instant,
    number: usize,
    of: usize,
    /// Estimated CPU seconds before the present experiment, and of all.
    seconds: (f64, f64),
}

impl<'a> Journey<'a> {
    /// Says how much there is to do, on a terminal or with `--verbose`.
    pub fn begin(args: &'a ExperimentArgs, planned: &[Planned], folder: &Path) -> Self {
        let total = planned.iter().map(Planned::seconds).sum();
        let left: Vec<&Planned> = planned.iter().filter(|one| !one.is_done).collect();
        let runs: usize = left.iter().map(|one| one.experiment.run_count()).sum();
        let experiments = counted(left.len(), "experiment");
        let is_shown = args.verbose > 0 || (!args.output.quiet && std::io::stderr().is_terminal());
        if is_shown {
            let done = match planned.len() - left.len() {
                0 => String::new(),
                done => format!(", {done} more were done before"),
            };
            let (runs, folder) = (counted(runs, "run"), folder.display());
            say(format_args!("{experiments} with {runs}{done}; results in {folder}"));
            if !left.is_empty() {
                let at_most = if args.changes.quick { "at most " } else { "" };
                say(format_args!("this takes {at_most}about {}", wall(total, args)));
            }
        }
        let (begun, of) = (Instant::now(), planned.len());
        Self {
            args,
            is_shown,
            folder: folder.to_owned(),
            begun,
            number: 0,
            of,
            seconds: (0.0, total),
        }
    }

    /// The title of the next experiment, with the share of the work that is done before it.
    pub fn next(&mut self, planned: &Planned) -> String {
        self.number += 1;
        let (done, total) = self.seconds;
        self.seconds.0 += planned.seconds();
        let share = if total > 0.0 { 100.0 * done / total } else { 100.0 };
        format!("{}/{} {} ({share:.0} % of all done)", self.number, self.of, planned.built_in.name)
    }

    /// Says how long all took and where everything is.
    pub fn end(&self) {
        if !self.is_shown {
            return;
        }
        let (taken, folder) = (self.begun.elapsed().as_secs_f64(), self.folder.display());
        let page = self.args.output.output.as_deref().filter(|path| *path != Path::new("-"));
        let page = page.map_or(String::new(), |path| format!(", verdicts in {}", path.display()));
        say(format_args!("{taken:.1} s in all; results in {folder}{page}"));
    }
}

/// The wall-clock time of so many CPU seconds on the cores that are used.
fn wall(seconds: f64, args: &ExperimentArgs) -> String {
    if args.engine.name.is_some() {
        return format!("{} of CPU time", rounded(seconds));
    }
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = if args.threads == 0 { cores } else { args.threads.min(cores) };
    format!("{} with {}", rounded(seconds / threads as f64), counted(threads, "thread"))
}

/// A duration in its natural unit.
fn rounded(seconds: f64) -> String {
    match seconds {
        ..1.0 => "a second".to_owned(),
        ..90.0 => counted(seconds.round() as usize, "second"),
        ..5400.0 => counted((seconds / 60.0).round() as usize, "minute"),
        _ => format!("{:.1} hours", seconds / 3600.0),
    }
}
