//! Raises the lower bound by proofs by cases.

use std::time::{Duration, Instant};

use super::{News, Origin, Start, View, Worker};
use crate::bounds::Ascent;
use crate::cases::{Progress, Tree};
use crate::sat::SolverChoice;
use gridsat_model::{Instance, Stop, Ticks};

/// Cases visited per turn, at first and at most. The more cases were visited for one k, the less
/// likely a mapping becomes, and the longer turns get.
const TURN: (usize, usize) = (10, 120);
/// A turn grows by one case per this many cases visited.
const SLOWLY: usize = 10;
/// If at most this many values of k are left, the smallest is refuted first.
const FEW: Ticks = Ticks(8);
/// Cases visited for one k before a smaller one is tried, at first.
const LIMIT: usize = 100;

/// Refutes the lower bound itself if few values of k are left. Otherwise it tries the middle of the
/// interval and, if that takes long, values closer and closer to the lower bound, then all of them
/// again for longer.
pub(super) struct Prover<'a> {
    instance: &'a Instance,
    ascent: Ascent,
    solver: &'a SolverChoice,
    tree: Option<(Ticks, Tree<'a>)>,
    /// Time spent on the current tree.
    time: Duration,
    limit: usize,
    halvings: u32,
}

impl<'a> Prover<'a> {
    pub fn new(start: &Start<'a>) -> Self {
        let (ascent, solver) = (start.ascent.clone(), start.solver);
        Self {
            instance: start.instance,
            ascent,
            solver,
            tree: None,
            time: Duration::ZERO,
            limit: LIMIT,
            halvings: 1,
        }
    }

    fn target(&self, view: &View) -> Ticks {
        let left = view.upper() - Ticks(1) - view.lower;
        if left <= FEW { view.lower } else { view.lower + Ticks(left.0 >> self.halvings) }
    }

    /// The tree to continue with: the current one if its k still matters, else a new one.
    fn tree(&mut self, view: &View, stop: &Stop) -> (Ticks, Tree<'a>) {
        let is_few = view.upper() - Ticks(1) - view.lower <= FEW;
        if let Some((k, tree)) = self.tree.take() {
            let is_useful = (view.lower..view.upper()).contains(&k);
            if is_useful && (k == view.lower || !is_few && tree.visited() < self.limit) {
                return (k, tree);
            }
            if is_useful {
                self.halvings += 1;
            }
        }
        if self.target(view) == view.lower && !is_few {
            (self.halvings, self.limit) = (1, 2 * self.limit);
        }
        let k = self.target(view);
        self.time = Duration::ZERO;
        let tree = Tree::new(self.instance, k, self.ascent.clone());
        (k, tree.with_solver(self.solver, stop))
    }
}

impl Worker for Prover<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        let start = Instant::now();
        let (k, mut tree) = self.tree(view, stop);
        let cases = (TURN.0 + tree.visited() / SLOWLY).min(TURN.1);
        let progress = tree.run(cases, stop);
        self.time += start.elapsed();
        match progress {
            Progress::Found(mapping) => Some(News::Mapping(mapping, Origin::Tree)),
            Progress::Refuted => Some(News::Refuted(tree.into_reason(), self.time)),
            Progress::Open => {
                self.tree = Some((k, tree));
                None
            }
        }
    }
}
