//! Lowers the upper bound by large neighbourhoods ([`crate::neighbourhood`]).

use super::{News, Origin, Start, View, Worker};
use crate::neighbourhood::{PriceBound, Search, has_many_tasks};
use gridsat_model::{Instance, Stop, Ticks};

/// The search needs a good lower bound to choose its first makespan. It starts when the lower bound
/// has risen since the last turn, but by less than one part in this many …
const SLOWLY: u64 = 1000;
/// … and in this turn at the latest.
const WAIT: u32 = 15;

/// The work of a turn as a fraction of the work of a turn of the price bound: numerator and
/// denominator. An item of a knapsack takes two to six times as long here as in the price bound, so
/// with half the work this worker gets one to three times the time of the price bound.
const TURNS: (u64, u64) = (1, 2);
/// The same with many tasks per host, where an item takes about twenty times as long.
const MANY_TURNS: (u64, u64) = (1, 10);

/// The search, and before it starts, what its start depends on.
pub(super) struct Searcher<'a> {
    instance: &'a Instance,
    /// Of the linear bound, one per host.
    weights: &'a [u64],
    seed: u64,
    /// Turns counted before the search starts; [`WAIT`] once the lower bound rises slowly.
    waited: u32,
    /// The lower bound at the last turn.
    lower: Option<Ticks>,
    /// `None` before the search starts.
    search: Option<Search<'a>>,
}

impl<'a> Searcher<'a> {
    pub fn new(start: &Start<'a>, seed: u64) -> Self {
        let (instance, weights) = (start.instance, start.weights);
        Self { instance, weights, seed, waited: 0, lower: None, search: None }
    }

    /// Whether to wait another turn because the lower bound may soon be much better. With many
    /// tasks per host it is good from the start.
    fn is_waiting(&mut self, view: &View) -> bool {
        if has_many_tasks(self.instance) {
            return false;
        }
        let before = self.lower.replace(view.lower);
        let rise = before.map(|before| view.lower.saturating_sub(before));
        let is_slow = rise.is_some_and(|rise| rise > Ticks(0) && rise < view.lower / SLOWLY);
        self.waited = if is_slow { WAIT } else { self.waited + 1 };
        self.waited < WAIT
    }
}

impl Worker for Searcher<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        if self.search.is_none() && self.is_waiting(view) {
            return None;
        }
        let bounds = (view.lower, view.upper());
        let new = || Search::new(self.instance, self.weights, bounds, self.seed);
        let search = self.search.get_or_insert_with(new);
        let turns = if has_many_tasks(self.instance) { MANY_TURNS } else { TURNS };
        let work = PriceBound::work(self.instance) * turns.0 / turns.1;
        let mapping = search.run(view.lower, &view.mapping, work, stop)?;
        Some(News::Mapping(mapping, Origin::Neighbourhood))
    }
}
