//! Jobs in order of arrival, of which any one can be removed in O(1): each knows its neighbours.
//!
//! Several chains share one table of neighbours, because a job is on one of them at most.

use super::Slot;

/// No job.
const NONE: Slot = Slot(u32::MAX);

/// The neighbours of all jobs.
#[derive(Clone, Debug, Default)]
pub(super) struct Links(Vec<Link>);

#[derive(Clone, Copy, Debug)]
struct Link {
    before: Slot,
    after: Slot,
}

/// Jobs in order of arrival.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    first: Slot,
    last: Slot,
}

impl Chain {
    pub const EMPTY: Self = Self { first: NONE, last: NONE };

    pub fn first(&self) -> Option<Slot> {
        Some(self.first).filter(|&slot| slot != NONE)
    }

    pub fn second(&self, links: &Links) -> Option<Slot> {
        let after = links.0[self.first()?.index()].after;
        Some(after).filter(|&slot| slot != NONE)
    }

    /// Adds a job that is on no chain.
    #[inline]
    pub fn push(&mut self, slot: Slot, links: &mut Links) {
        let all = &mut links.0;
        if all.len() <= slot.index() {
            all.resize(slot.index() + 1, Link { before: NONE, after: NONE });
        }
        all[slot.index()] = Link { before: self.last, after: NONE };
        match self.last {
            NONE => self.first = slot,
            last => all[last.index()].after = slot,
        }
        self.last = slot;
    }

    /// Removes a job that is on this chain.
    #[inline]
    pub fn remove(&mut self, slot: Slot, links: &mut Links) {
        let all = &mut links.0;
        let Link { before, after } = all[slot.index()];
        match before {
            NONE => self.first = after,
            before => all[before.index()].after = after,
        }
        match after {
            NONE => self.last = before,
            after => all[after.index()].before = before,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn two_chains_do_what_two_vectors_do() {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let (mut links, mut chains) = (Links::default(), [Chain::EMPTY; 2]);
        let mut models = [Vec::new(), Vec::new()];
        for _ in 0..10_000 {
            let (which, slot) = (random.random_range(0..2), Slot(random.random_range(0..40)));
            match models.iter().position(|model: &Vec<Slot>| model.contains(&slot)) {
                Some(on) => {
                    chains[on].remove(slot, &mut links);
                    models[on].retain(|&other| other != slot);
                }
                None => {
                    chains[which].push(slot, &mut links);
                    models[which].push(slot);
                }
            }
            for (chain, model) in chains.iter().zip(&models) {
                assert_eq!(chain.first(), model.first().copied());
                assert_eq!(chain.second(&links), model.get(1).copied());
            }
        }
    }
}
