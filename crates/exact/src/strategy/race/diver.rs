//! Lowers the upper bound by dives.

use super::{News, Origin, View, Worker};
use crate::bounds::{Ascent, Domain, Volume};
use crate::cases::{dive, shrink};
use gridsat_heuristics as heuristics;
use gridsat_model::{Instance, Stop, Ticks};

/// Steps of the ascent that shrinks the domain: at first, and after pairs were removed.
const SHRINK: (usize, usize) = (200, 40);
/// Steps of the volume algorithm after the domain has shrunk.
const STEPS: usize = 200;
/// Dives at one k before its domain is shrunk, because shrinking often takes longer than they do.
const EAGER: usize = 4;

/// Dives at the lower bound, where the optimum is most likely, and in every other turn above it.
pub(super) struct Diver<'a> {
    instance: &'a Instance,
    ascent: Ascent,
    seed: u64,
    turns: u64,
    /// Starting points of dives, one for each k tried and still open.
    roots: Vec<Root<'a>>,
}

#[derive(Clone)]
struct Root<'a> {
    k: Ticks,
    domain: Domain<'a>,
    volume: Volume,
    dives: usize,
}

impl<'a> Diver<'a> {
    pub fn new(instance: &'a Instance, ascent: Ascent, seed: u64) -> Self {
        Self { instance, ascent, seed, turns: 0, roots: Vec::new() }
    }

    fn target(&self, view: &View) -> Ticks {
        let (lower, highest) = (view.lower, view.upper() - Ticks(1));
        match self.turns % 4 {
            1 => lower + (highest - lower) / 2,
            3 => highest - (highest - lower) / 8,
            _ => lower,
        }
    }

    /// The starting point of a dive at k; `None` if there is no mapping.
    fn root(&mut self, k: Ticks, view: &View, stop: &Stop) -> Option<Root<'a>> {
        self.roots.retain(|root| (view.lower..view.upper()).contains(&root.k));
        let old = self.roots.iter().position(|root| root.k == k);
        let mut root = match old {
            Some(old) => self.roots.swap_remove(old),
            None => {
                let domain = Domain::new(self.instance, k).ok()?;
                Root { k, domain, volume: Volume::new(self.instance), dives: 0 }
            }
        };
        if root.dives == EAGER {
            shrink(&mut root.domain, &mut self.ascent.clone(), SHRINK, stop).ok()?;
            root.volume.climb(&root.domain, STEPS, stop);
        }
        root.dives += 1;
        self.roots.push(root.clone());
        Some(root)
    }
}

impl Worker for Diver<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        let k = self.target(view);
        let seed = self.seed.wrapping_add(self.turns);
        self.turns += 1;
        let Root { domain, volume, .. } = self.root(k, view, stop)?;
        let mapping = dive(domain, volume, seed, stop)?;
        let polished = heuristics::improve(self.instance, mapping, stop);
        Some(News::Mapping(polished, Origin::Dive))
    }
}
