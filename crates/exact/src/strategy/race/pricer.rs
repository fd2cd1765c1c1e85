//! Raises the lower bound by prices, for instances where proofs by cases would take too long.

use super::{News, Start, View, Worker};
use crate::neighbourhood::PriceBound;
use gridsat_model::Stop;

/// The price bound in progress. Each turn takes some price steps; after the last round, turns do
/// nothing.
pub(super) struct Pricer<'a> {
    bound: PriceBound<'a>,
}

impl<'a> Pricer<'a> {
    pub fn new(start: &Start<'a>, view: &View) -> Self {
        let bounds = (view.lower, view.upper());
        Self { bound: PriceBound::new(start.instance, start.weights, bounds) }
    }
}

impl Worker for Pricer<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        if !self.bound.is_open() {
            return None;
        }
        self.bound.turn(view.lower, view.upper(), stop).map(News::Bound)
    }
}
