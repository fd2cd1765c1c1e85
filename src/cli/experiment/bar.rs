//! A progress bar with the estimated time left, if standard error is a terminal.

use std::io::IsTerminal;
use std::time::Duration;

use gridsat_lab::experiment::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// Prints nothing with `--quiet`, or if standard error is not a terminal.
    pub fn new(name: &str, quiet: bool) -> Self {
        let is_shown = !quiet && std::io::stderr().is_terminal();
        let target =
            if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = "{prefix} {wide_bar} {pos}/{len} runs, {elapsed} elapsed, {eta} left";
        bar.set_style(ProgressStyle::with_template(style).expect("a fixed, tested template"));
        bar.set_prefix(name.to_owned());
        Self { bar }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, done: usize, of: usize) {
        self.bar.set_length(of as u64);
        self.bar.set_position(done as u64);
        // Results from earlier runs must not count in the estimate of the time left.
        self.bar.reset_eta();
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn advance(&self, failure: Option<&str>) {
        if let Some(failure) = failure {
            self.bar.println(format!("failed: {failure}"));
        }
        self.bar.inc(1);
    }
}
