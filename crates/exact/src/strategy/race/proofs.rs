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

/// If at most this many values of k are left, the smallest is refuted first, or the largest if a
/// tree has refuted a smaller k already: then the optimum is more likely at the upper end, and one
/// tree refutes all values at once.
const FEW: Ticks = Ticks(8);
/// Cases visited for one k before a smaller one is tried, at first.
const LIMIT: usize = 100;
/// How often the interval is halved before all values of k are tried again for longer. Smaller
/// values are hardly easier to refute, and gain little.
const HALVINGS: u32 = 3;

/// The trees in progress. The first refutes one end of the interval if few values of k are left.
/// Otherwise it tries the middle of the interval and, if that takes long, two values closer to the
/// lower bound, then all of them again for longer.
pub(super) struct Proofs<'a> {
    instance: &'a Instance,
    solver: &'a SolverChoice,
    /// Number of trees beside the first that threads without cases may begin.
    others: usize,
    plan: Mutex<Plan<'a>>,
}

struct Plan<'a> {
    /// The bounds that the trees were chosen by. A view can be older.
    lower: Ticks,
    upper: Ticks,
    first: Option<Arc<Tree<'a>>>,
    others: Vec<Arc<Tree<'a>>>,
    /// Prices for the next tree.
    ascent: Ascent,
    limit: usize,
    halvings: u32,
    /// Whether a tree has refuted a k.
    has_refuted: bool,
}

impl<'a> Proofs<'a> {
    pub fn new(start: &Start<'a>, view: &View) -> Self {
        let plan = Plan {
            lower: view.lower,
            upper: view.upper(),
            first: None,
            others: Vec::new(),
            ascent: start.ascent.clone(),
            limit: LIMIT,
            halvings: 1,
            has_refuted: false,
        };
        Self {
            instance: start.instance,
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
            plan.drop_others(self.others.max(HALVINGS as usize));
        }
        if plan.halvings > HALVINGS && !plan.has_few() {
            (plan.halvings, plan.limit) = (1, 2 * plan.limit);
        }
        let k = plan.target();
        let present = plan.others.iter().position(|tree| tree.k() == k);
        let tree = match present {
            Some(index) => plan.others.swap_remove(index),
            None => self.tree(&plan, k, stop),
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
        let k = plan.another_k()?;
        if let Some(ascent) = plan.first.as_ref().and_then(|tree| tree.ascent()) {
            plan.ascent = ascent;
        }
        let tree = self.tree(&plan, k, stop);
        plan.others.push(Arc::clone(&tree));
        Some(tree)
    }

    /// Notes that this tree has refuted its k. With several threads later trees start from the
    /// prices that its root ended with; a single thread starts all of them from the same prices, so
    /// that its results do not change.
    pub fn learn(&self, tree: &Tree) {
        let mut plan = self.plan();
        plan.has_refuted = true;
        if let Some(ascent) = tree.ascent().filter(|_| self.others > 0) {
            plan.ascent = ascent;
        }
    }

    /// Abandons all trees that no longer matter.
    pub fn update(&self, view: &View) {
        let mut plan = self.plan();
        plan.update(view);
        if let Some(tree) = plan.first.as_ref().filter(|tree| !plan.is_open(tree.k())) {
            tree.abandon();
        }
        plan.drop_others(self.others.max(HALVINGS as usize));
    }

    fn tree(&self, plan: &Plan, k: Ticks, stop: &Stop) -> Arc<Tree<'a>> {
        let tree = Tree::new(self.instance, k, plan.ascent.clone(), stop);
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
        if self.has_few() { tree.k() == self.target() } else { tree.visited() < self.limit }
    }

    /// The k of the first tree.
    fn target(&self) -> Ticks {
        let left = self.highest() - self.lower;
        match (self.has_few(), self.has_refuted) {
            (true, true) => self.highest(),
            (true, false) => self.lower,
            (false, _) => self.lower + Ticks(left.0 >> self.halvings),
        }
    }

    /// A k for another tree. `None` if all open values have one.
    fn another_k(&self) -> Option<Ticks> {
        let trees = self.first.iter().chain(&self.others).map(|tree| tree.k());
        middle_of_longest(self.lower, self.upper, trees.collect())
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

/// The middle of the longest range from `lower` to below `upper` that contains none of the values
/// given; of several such ranges the highest, because refuting that gains most.
fn middle_of_longest(lower: Ticks, upper: Ticks, mut values: Vec<Ticks>) -> Option<Ticks> {
    values.retain(|value| (lower..upper).contains(value));
    values.sort_unstable();
    values.push(upper);
    let (mut from, mut longest) = (lower, None);
    for end in values {
        let length = end.saturating_sub(from);
        if length > Ticks(0) && longest.is_none_or(|(most, _)| length >= most) {
            longest = Some((length, from + length / 2));
        }
        from = end + Ticks(1);
    }
    longest.map(|(_, k)| k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_k_halves_the_longest_range() {
        let of = |taken: &[u64]| {
            let taken = taken.iter().copied().map(Ticks).collect();
            middle_of_longest(Ticks(10), Ticks(20), taken).map(|k| k.0)
        };
        assert_eq!(of(&[]), Some(15));
        assert_eq!(of(&[10]), Some(15));
        assert_eq!(of(&[15, 10]), Some(18));
        assert_eq!(of(&[10, 15, 18]), Some(13));
        assert_eq!(of(&[5, 25]), Some(15), "values outside do not matter");
        assert_eq!(of(&(10..20).collect::<Vec<_>>()), None);
        assert_eq!(middle_of_longest(Ticks(10), Ticks(10), vec![Ticks(10)]), None);
    }
}
