//! A worker that joins late.

use super::{News, View, Worker};
use gridsat_model::Stop;

/// Lets its worker work only after some turns: for means that take long and are needed only where
/// others have come to their end.
pub(super) struct Late<W> {
    pub turns: u32,
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
