//! Output during a simulation: the first write error is kept, and ends the simulation.

use std::io;

pub(super) struct Sink<W> {
    out: W,
    failure: Option<io::Error>,
}

impl<W> Sink<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, failure: None }
    }

    /// Writes with `fill`, unless there was an error before.
    pub(super) fn write(&mut self, fill: impl FnOnce(&mut W) -> io::Result<()>) {
        if self.failure.is_none() {
            self.failure = fill(&mut self.out).err();
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns the output, or the first error.
    pub(super) fn finish(self) -> io::Result<W> {
        self.failure.map_or(Ok(self.out), Err)
    }
}
