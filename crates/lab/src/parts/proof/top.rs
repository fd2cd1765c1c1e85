//! The top of a tree, from which parts begin.

use std::time::Instant;

use gridsat_exact::cases::{Piece, explore};
use gridsat_exact::reason::OpenCase;
use gridsat_exact::sat::SolverChoice;
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// The top of a tree while it grows: the case nearest to the root is visited next.
pub(super) struct Top<'a> {
    instance: &'a Instance,
    /// Each with its distance from the root.
    pub pieces: Vec<(Piece, usize)>,
    /// Measured while it grew.
    pub seconds_per_visit: f64,
}

impl<'a> Top<'a> {
    pub fn new(instance: &'a Instance, root: OpenCase) -> Self {
        Self { instance, pieces: vec![(Piece::Open(root), 0)], seconds_per_visit: 0.0 }
    }

    /// Visits cases until this many are open, or none; false if a stop was requested.
    pub fn grow(&mut self, best: &mut Mapping, most: usize, stop: &Stop) -> bool {
        let solver = SolverChoice::Varisat;
        let (begin, mut visits) = (Instant::now(), 0.0);
        loop {
            let is_open = |(piece, _): &&(Piece, usize)| matches!(piece, Piece::Open(_));
            let count = self.pieces.iter().filter(is_open).count();
            let places = self.pieces.iter().enumerate();
            let places = places.filter(|(_, one)| is_open(one));
            let next = places.min_by_key(|&(place, &(_, depth))| (depth, place));
            let Some((place, &(Piece::Open(ref case), depth))) = next.filter(|_| count < most)
            else {
                break;
            };
            let k = best.makespan().saturating_sub(Ticks(1));
            let Some(explored) = explore(self.instance, k, case, 1, (&solver, stop)) else {
                return false;
            };
            if let Some(better) = explored.mapping {
                *best = better;
                continue;
            }
            let below = explored.pieces.into_iter().map(|piece| (piece, depth + 1));
            self.pieces.splice(place..=place, below);
            visits += 1.0;
        }
        self.seconds_per_visit = begin.elapsed().as_secs_f64() / f64::max(visits, 1.0);
        true
    }
}
