//! Lowers the upper bound by large neighbourhoods ([`crate::neighbourhood`]).

use super::{News, Origin, Start, View, Worker};
use crate::neighbourhood::{PriceBound, Search};
use gridsat_model::{Instance, Stop, Ticks};

/// Where to aim is known when the bound is good: the first turn waits until the bound rises by less
/// than one part in so many …
const SLOWLY: u64 = 1000;
/// … but for no more turns of the others than this.
const WAIT: u32 = 15;

/// A turn's work in turns of the price bound, up and down. An item of its knapsacks takes two to six
/// times as long as there, so both get their time until the bound has come to its end.
const TURNS: (u64, u64) = (1, 2);

pub(super) struct Searcher<'a> {
    instance: &'a Instance,
    weights: &'a [u64],
    seed: u64,
    waited: u32,
    /// The lower bound seen last.
    lower: Option<Ticks>,
    search: Option<Search<'a>>,
}

impl<'a> Searcher<'a> {
    pub fn new(start: &Start<'a>, seed: u64) -> Self {
        let (instance, weights) = (start.instance, start.weights);
        Self { instance, weights, seed, waited: 0, lower: None, search: None }
    }

    /// Whether the bound may soon be much better.
    fn is_waiting(&mut self, view: &View) -> bool {
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
        let work = PriceBound::work(self.instance) * TURNS.0 / TURNS.1;
        let mapping = search.run(view.lower, &view.mapping, work, stop)?;
        Some(News::Mapping(mapping, Origin::Neighbourhood))
    }
}
