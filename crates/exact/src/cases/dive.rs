//! A mapping by following the prices: place the tasks on which the averaged packings agree, compute
//! new prices for the rest, and repeat.
//!
//! A dive that meets a contradiction takes its last placement back and rules it out; after a few
//! contradictions it gives up. Dives differ by their seed: in how many tasks they place at a time
//! and in the noise added to the averaged packings. Many short dives find more mappings than one
//! long one.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bounds::{Climb, Contradiction, Domain, Volume};
use gridsat_model::{HostId, Mapping, Stop, TaskId};

/// Steps of the volume algorithm between placements.
const STEPS: usize = 5;
/// A dive places one in this many open tasks at a time; successive seeds take the entries in turn.
const SHARES: [usize; 4] = [12, 50, 6, 24];
/// Only pairs with at least this agreement among the packings are placed; the best pair always is.
const AGREED: f64 = 0.8;
/// Noise changes the agreement on a pair by at most this much. The dive with seed 0 has no noise.
const NOISE: f64 = 0.1;
/// Contradictions after which a dive gives up.
const PATIENCE: usize = 8;

/// A mapping in the domain, if the dive finds one.
pub fn dive(mut domain: Domain, mut volume: Volume, seed: u64, stop: &Stop) -> Option<Mapping> {
    let mut dive = Dive::new(seed);
    let mut before: Vec<(Domain, Volume, TaskId, HostId)> = Vec::new();
    for _ in 0..PATIENCE {
        loop {
            if let Some(mapping) = domain.mapping() {
                return Some(mapping);
            }
            let Some(pairs) = dive.next(&domain, &mut volume, stop) else { break };
            let &(task, host) = pairs.first()?;
            before.push((domain.clone(), volume.clone(), task, host));
            if place(&mut domain, &pairs, stop).is_err() {
                break;
            }
        }
        if stop.is_due() {
            break;
        }
        (domain, volume) = back(&mut before)?;
    }
    None
}

struct Dive {
    share: usize,
    noise: f64,
    random: ChaCha8Rng,
}

impl Dive {
    fn new(seed: u64) -> Self {
        let share = SHARES[(seed % SHARES.len() as u64) as usize];
        let noise = if seed == 0 { 0.0 } else { NOISE };
        Self { share, noise, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// The pairs to place next, the best first; `None` if the domain is refuted.
    fn next(
        &mut self,
        domain: &Domain,
        volume: &mut Volume,
        stop: &Stop,
    ) -> Option<Vec<(TaskId, HostId)>> {
        let climb = volume.climb(domain, STEPS, stop);
        if climb.refuted || stop.is_due() {
            return None;
        }
        let mut pairs = self.ranked(domain, &climb);
        let agreed = pairs.iter().take_while(|pair| pair.0 >= AGREED).count();
        pairs.truncate(agreed.min(domain.unplaced().div_ceil(self.share)).max(1));
        Some(pairs.into_iter().map(|(_, task, host)| (task, host)).collect())
    }

    /// Pairs with their agreement, highest first.
    fn ranked(&mut self, domain: &Domain, climb: &Climb) -> Vec<(f64, TaskId, HostId)> {
        let m = domain.instance().host_count();
        let mut pairs = Vec::new();
        for host in domain.instance().hosts() {
            for &(task, _) in domain.open(host) {
                let agreement = climb.average[task.index() * m + host.index()];
                if agreement > 0.0 {
                    let noise = self.noise * self.random.random_range(-1.0..1.0);
                    pairs.push((agreement + noise, task, host));
                }
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        pairs
    }
}

/// Places the tasks; pairs that no longer fit are ruled out. If stopped, only some are placed.
fn place(
    domain: &mut Domain,
    pairs: &[(TaskId, HostId)],
    stop: &Stop,
) -> Result<(), Contradiction> {
    for &(task, host) in pairs.iter().take_while(|_| !stop.is_due()) {
        if domain.placed(task).is_some() {
            continue;
        }
        let mut with = domain.clone();
        with.force(task, host);
        if with.settle().is_ok() {
            *domain = with;
        } else {
            domain.forbid(task, host);
            domain.settle()?;
        }
    }
    Ok(())
}

/// Goes back to the last placement that can be taken back, and rules it out.
fn back<'a>(
    before: &mut Vec<(Domain<'a>, Volume, TaskId, HostId)>,
) -> Option<(Domain<'a>, Volume)> {
    loop {
        let (mut domain, volume, task, host) = before.pop()?;
        domain.forbid(task, host);
        if domain.settle().is_ok() {
            return Some((domain, volume));
        }
    }
}
