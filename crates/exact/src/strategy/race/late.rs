//! A worker that joins the race after some turns.

use super::{News, View, Worker};
use gridsat_model::Stop;

/// Skips some turns before its worker starts. For slow methods that are needed only after the
/// others have stopped making progress.
pub(super) struct Late<W> {
    /// Turns still to skip.
    pub turns: u32,
    /// The worker of all later turns.
    pub worker: W,
}

impl<W: Worker> Worker for Late<W> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        match self.turns.checked_sub(1) {
            Some(left) => {
                self.turns = left;
                None
            }
            None => self.worker.turn(view, stop),
        }
    }
}
