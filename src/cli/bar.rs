//! A progress bar with the estimated time left, if standard error is a terminal.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::Duration;

use gridsat_lab::parts::engine::Watch;
use gridsat_lab::parts::{PartsError, Plan};
use gridsat_model::text::printable;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::panics;
use super::progress::Log;

/// A bar for parts that an engine works on, or lines of a log.
pub struct Bar {
    bar: ProgressBar,
    log: Log,
    name: String,
    /// What was last shown: done, running, failed.
    last: Cell<(usize, usize, usize)>,
}

impl Bar {
    /// Prints nothing with `--quiet`, or if standard error is not a terminal.
    pub fn new(name: &str, quiet: bool, verbose: u8) -> Self {
        let is_shown = !quiet && verbose == 0 && std::io::stderr().is_terminal();
        let target =
            if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = "{prefix} {wide_bar} {pos}/{len} parts, {msg}, {elapsed} elapsed, {eta} left";
        bar.set_style(ProgressStyle::with_template(style).expect("a fixed, tested template"));
        bar.set_prefix(printable(name));
        let last = Cell::new((usize::MAX, 0, 0));
        Self { bar, log: Log::new(verbose), name: name.to_owned(), last }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Bar {
    fn parts(&self, done: usize, running: usize, failed: usize, of: usize) {
        let before = self.last.replace((done, running, failed));
        if before == (done, running, failed) {
            return;
        }
        self.bar.set_message(format!("{running} running, {failed} failed"));
        self.bar.set_length(of as u64);
        self.bar.set_position(done as u64);
        if before.0 == usize::MAX {
            // Parts of earlier runs must not count in the estimate of the time left.
            self.bar.reset_eta();
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
        let line = format!(
            "{}: {done} of {of} parts are done, {running} running, {failed} failed",
            self.name
        );
        // A tenth of all is often enough, unless everything is asked for.
        let tenth = |done: usize| done.saturating_mul(10) / of.max(1);
        match tenth(before.0) != tenth(done) || before.2 != failed {
            true => self.log.note(&line),
            false => self.log.detail(&line),
        }
    }

    fn done(&self, _: &Plan, part: usize) -> Result<(), PartsError> {
        panics::inject(&format!("part {part}"));
        Ok(())
    }

    fn say(&self, text: &str) {
        self.bar.println(printable(text));
        self.log.note(&format!("{}: {text}", self.name));
    }
}
