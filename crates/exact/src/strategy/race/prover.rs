//! Raises the lower bound by proofs by cases.

use std::sync::Arc;

use super::proofs::Proofs;
use super::{News, Origin, View, Worker};
use crate::cases::{Progress, Tree};
use gridsat_model::Stop;

/// Cases visited per turn, at first and at most. The more cases were visited for one k, the less
/// likely a mapping becomes, and the longer turns get.
const TURN: (usize, usize) = (10, 120);
/// A turn grows by one case per this many cases visited.
const SLOWLY: usize = 10;

/// One thread at work on the proofs of all threads.
pub(super) struct Prover<'a> {
    proofs: Arc<Proofs<'a>>,
    thread: usize,
}

impl<'a> Prover<'a> {
    pub fn new(proofs: Arc<Proofs<'a>>, thread: usize) -> Self {
        Self { proofs, thread }
    }

    /// Works on one tree for one turn.
    fn run(&self, tree: &Tree<'a>) -> Progress {
        tree.run(self.thread, (TURN.0 + tree.visited() / SLOWLY).min(TURN.1))
    }
}

impl Worker for Prover<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        let mut tree = self.proofs.first(view, stop);
        let mut progress = self.run(&tree);
        for others in 0.. {
            if !matches!(progress, Progress::Taken) {
                break;
            }
            tree = self.proofs.other(others, stop)?;
            progress = self.run(&tree);
        }
        match progress {
            Progress::Found(mapping) => Some(News::Mapping(mapping, Origin::Tree)),
            Progress::Refuted(reason) => {
                self.proofs.learn(&tree);
                Some(News::Refuted(reason, tree.time()))
            }
            Progress::Open | Progress::Taken => None,
        }
    }
}
