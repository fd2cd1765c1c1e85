//! Lowers the upper bound by dives.

use super::{News, View, Worker};
use crate::bounds::{Ascent, Domain, Volume};
use crate::heuristics;
use crate::kernel::{Dived, dive, shrink};
use crate::model::{Instance, Ticks};
use crate::sat::Stop;

/// Steps of the ascent at the root of a dive.
const STEPS: (usize, usize) = (200, 40);

/// Dives at the lower bound, where the optimum is most likely, and now and then above it.
pub(super) struct Diver<'a> {
    instance: &'a Instance,
    ascent: Ascent,
    seed: u64,
    turns: u64,
    /// Where dives start, for the values of k dived at of late.
    roots: Vec<(Ticks, Domain<'a>, Volume)>,
}

impl<'a> Diver<'a> {
    pub fn new(instance: &'a Instance, ascent: Ascent, seed: u64) -> Self {
        Self { instance, ascent, seed, turns: 0, roots: Vec::new() }
    }

    fn target(&self, view: &View) -> Ticks {
        let (lower, highest) = (view.lower, view.upper() - 1);
        match self.turns % 4 {
            1 => lower + (highest - lower) / 2,
            3 => highest - (highest - lower) / 8,
            _ => lower,
        }
    }

    /// Prices and possible pairs at k; `None` if there are none.
    fn root(&mut self, k: Ticks, view: &View, stop: &Stop) -> Option<(Domain<'a>, Volume)> {
        self.roots.retain(|root| (view.lower..view.upper()).contains(&root.0));
        if let Some((_, domain, volume)) = self.roots.iter().find(|root| root.0 == k) {
            return Some((domain.clone(), volume.clone()));
        }
        let mut domain = Domain::new(self.instance, k).ok()?;
        let mut ascent = self.ascent.clone();
        shrink(&mut domain, &mut ascent, STEPS, &|| stop.is_due()).ok()?;
        if std::env::var("V").is_ok() {
            eprintln!("root {k} {} pairs {} unplaced", domain.pairs(), domain.unplaced());
        }
        let volume = ascent.volume();
        self.roots.push((k, domain.clone(), volume.clone()));
        Some((domain, volume))
    }
}

impl Worker for Diver<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        let k = self.target(view);
        let (domain, volume) = self.root(k, view, stop)?;
        let seed = if self.turns == 0 { 0 } else { self.seed.wrapping_add(self.turns) };
        self.turns += 1;
        let mapping = match dive(domain, volume, seed, &|| stop.is_due()) {
            Dived::Found(mapping) => mapping,
            _ => return None,
        };
        let polished = heuristics::improve(self.instance, mapping, &|| stop.is_due());
        Some(News::Mapping(polished, "dive"))
    }
}
