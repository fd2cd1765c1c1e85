//! Which values of k are being refuted, by all threads together.
//!
//! The threads share the cases of the *first* tree. A thread that finds none there, because the
//! others are at work on all of them, turns to the trees of other values of k.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Start, View};
use crate::bounds::Ascent;
use crate::cases::Tree;
use crate::sat::SolverChoice;
use gridsat_model::{Instance, Stop, Ticks};

/// If at most this many values of k are left, the smallest is refuted first.
const FEW: Ticks = Ticks(8);
/// Cases visited for one k before a smaller one is tried, at first.
const LIMIT: usize = 100;

/// The trees in progress. The first refutes the lower bound itself if few values of k are left.
/// Otherwise it tries the middle of the interval and, if that takes long, values closer and closer
/// to the lower bound, then all of them again for longer.
pub(super) struct Proofs<'a> {
    instance: &'a Instance,
    ascent: Ascent,
    solver: &'a SolverChoice,
    /// Number of trees beside the first.
    others: usize,
    plan: Mutex<Plan<'a>>,
}

struct Plan<'a> {
    /// The bounds that the trees were chosen by. A view can be older.
    lower: Ticks,
    upper: Ticks,
    first: Option<Arc<Tree<'a>>>,
    others: Vec<Arc<Tree<'a>>>,
    limit: usize,
    halvings: u32,
}

impl<'a> Proofs<'a> {
    pub fn new(start: &Start<'a>, view: &View) -> Self {
        let plan = Plan {
            lower: view.lower,
            upper: view.upper(),
            first: None,
            others: Vec::new(),
            limit: LIMIT,
            halvings: 1,
        };
        Self {
            instance: start.instance,
            ascent: start.ascent.clone(),
            solver: start.solver,
            others: start.threads.saturating_sub(1),
            plan: Mutex::new(plan),
        }
    }

    /// The tree that all threads work on: the present one if its k still matters, else a new one.
    pub fn first(&self, view: &View, stop: &Stop) -> Arc<Tree<'a>> {
        let mut plan = self.plan();
        plan.update(view);
        if let Some(tree) = plan.first.take() {
            let is_useful = plan.is_open(tree.k());
            if is_useful && plan.is_worthwhile(&tree) {
                plan.first = Some(Arc::clone(&tree));
                return tree;
            }
            if is_useful {
                plan.halvings += 1;
            }
            plan.others.push(tree);
            plan.drop_others(self.others);
        }
        if plan.target() == plan.lower && !plan.has_few() {
            (plan.halvings, plan.limit) = (1, 2 * plan.limit);
        }
        let k = plan.target();
        let present = plan.others.iter().position(|tree| tree.k() == k);
        let tree = match present {
            Some(index) => plan.others.swap_remove(index),
            None => self.tree(k, stop),
        };
        plan.first = Some(Arc::clone(&tree));
        tree
    }

    /// The tree with this number beside the first; a new one if there is room for it and a k that
    /// has none.
    pub fn other(&self, number: usize, stop: &Stop) -> Option<Arc<Tree<'a>>> {
        let mut plan = self.plan();
        if let Some(tree) = plan.others.get(number) {
            return Some(Arc::clone(tree));
        }
        if plan.others.len() >= self.others {
            return None;
        }
        let tree = self.tree(plan.another_k()?, stop);
        plan.others.push(Arc::clone(&tree));
        Some(tree)
    }

    /// Abandons all trees that no longer matter.
    pub fn update(&self, view: &View) {
        let mut plan = self.plan();
        plan.update(view);
        if let Some(tree) = plan.first.as_ref().filter(|tree| !plan.is_open(tree.k())) {
            tree.abandon();
        }
        plan.drop_others(self.others);
    }

    fn tree(&self, k: Ticks, stop: &Stop) -> Arc<Tree<'a>> {
        let tree = Tree::new(self.instance, k, self.ascent.clone(), stop);
        Arc::new(tree.with_solver(self.solver))
    }

    fn plan(&self) -> MutexGuard<'_, Plan<'a>> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Plan<'_> {
    fn update(&mut self, view: &View) {
        self.lower = self.lower.max(view.lower);
        self.upper = self.upper.min(view.upper());
    }

    fn is_open(&self, k: Ticks) -> bool {
        (self.lower..self.upper).contains(&k)
    }

    /// The largest k that is open.
    fn highest(&self) -> Ticks {
        self.upper.saturating_sub(Ticks(1)).max(self.lower)
    }

    fn has_few(&self) -> bool {
        self.highest() - self.lower <= FEW
    }

    /// Whether to continue with the first tree.
    fn is_worthwhile(&self, tree: &Tree) -> bool {
        tree.k() == self.lower || !self.has_few() && tree.visited() < self.limit
    }

    /// The k of the first tree.
    fn target(&self) -> Ticks {
        let left = self.highest() - self.lower;
        if self.has_few() { self.lower } else { self.lower + Ticks(left.0 >> self.halvings) }
    }

    /// The middle of the longest range of open values without a tree, of several the highest:
    /// refuting that gains most.
    fn another_k(&self) -> Option<Ticks> {
        let trees = self.first.iter().chain(&self.others);
        let mut ends: Vec<u64> = trees.map(|tree| tree.k().0).collect();
        ends.sort_unstable();
        ends.push(self.highest().0 + 1);
        let mut from = self.lower.0;
        let mut longest: Option<(u64, u64)> = None;
        for end in ends {
            let length = end.saturating_sub(from);
            if length > 0 && longest.is_none_or(|(most, _)| length >= most) {
                longest = Some((length, from + length / 2));
            }
            from = end + 1;
        }
        longest.map(|(_, k)| Ticks(k))
    }

    /// Abandons trees beside the first that do not matter, and the oldest of more than `most`.
    fn drop_others(&mut self, most: usize) {
        let (lower, upper) = (self.lower, self.upper);
        let too_many = |others: &[Arc<Tree>]| others.len().saturating_sub(most);
        self.others.retain(|tree| {
            let is_open = (lower..upper).contains(&tree.k());
            if !is_open {
                tree.abandon();
            }
            is_open
        });
        self.others.drain(..too_many(&self.others)).for_each(|tree| tree.abandon());
    }
}
