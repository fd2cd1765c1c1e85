//! The numbers of jobs of PEs that differ by at most one: all have the same level, and some of them
//! one job more.
//!
//! One bit per PE tells which have one more, so the first PE with the fewest or the most jobs is
//! found without comparing numbers, 64 PEs at a time.

/// PEs by their numbers of jobs, which differ by at most one.
#[derive(Clone, Debug)]
pub(super) struct Even {
    pes: u32,
    /// PEs that have one job more than the others, as bits. Never all of them.
    more: Vec<u64>,
    /// Number of these bits.
    count: u32,
}

impl Even {
    /// This many PEs, at least one, each with the same number of jobs.
    pub fn new(pes: u32) -> Self {
        Self { pes, more: vec![0; pes.div_ceil(u64::BITS) as usize], count: 0 }
    }

    /// The first PE with the fewest jobs.
    #[inline]
    pub fn first_with_fewest(&self) -> u32 {
        let with_fewest = self.more.iter().map(|&more| !more);
        first_of(with_fewest).expect("not all have one more")
    }

    /// Adds a job to a PE with the fewest.
    #[inline]
    pub fn add(&mut self, pe: u32) {
        self.more[word(pe)] |= bit(pe);
        self.count += 1;
        if self.count == self.pes {
            self.more.fill(0);
            self.count = 0;
        }
    }

    /// Removes a job from a PE. If others now have two more, the first of them gives it one and is
    /// returned; the numbers are right then.
    #[inline]
    pub fn remove(&mut self, pe: u32) -> Option<u32> {
        if self.more[word(pe)] & bit(pe) != 0 {
            self.clear(pe);
            return None;
        }
        let giver = first_of(self.more.iter().copied());
        match giver {
            Some(giver) => self.clear(giver),
            None => self.all_but(pe),
        }
        giver
    }

    #[inline]
    fn clear(&mut self, pe: u32) {
        self.more[word(pe)] &= !bit(pe);
        self.count -= 1;
    }

    /// From now on all but this one have one more.
    fn all_but(&mut self, pe: u32) {
        self.more.fill(u64::MAX);
        self.count = self.pes;
        self.clear(pe);
        // Bits without a PE are not set.
        if let (Some(last), rest @ 1..) = (self.more.last_mut(), self.pes % u64::BITS) {
            *last &= (1 << rest) - 1;
        }
    }
}

#[inline]
fn word(pe: u32) -> usize {
    (pe / u64::BITS) as usize
}

#[inline]
fn bit(pe: u32) -> u64 {
    1 << (pe % u64::BITS)
}

/// The place of the first bit.
#[inline]
fn first_of(words: impl Iterator<Item = u64>) -> Option<u32> {
    let mut first = (0..).zip(words).filter(|&(_, bits)| bits != 0);
    first.next().map(|(word, bits)| word * u64::BITS + bits.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn does_what_counting_does() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for pes in (1..70).chain([127, 128, 129, 300]) {
            let (mut even, mut counts) = (Even::new(pes), vec![0_u32; pes as usize]);
            for step in 0..600 {
                let grows = if step < 300 { 7 } else { 3 };
                if random.random_range(0..10) < grows {
                    let pe = even.first_with_fewest();
                    let first = (0..pes).min_by_key(|&pe| counts[pe as usize]);
                    assert_eq!(Some(pe), first, "of {pes}, step {step}");
                    even.add(pe);
                    counts[pe as usize] += 1;
                    continue;
                }
                let pe = random.random_range(0..pes);
                let Some(left) = counts[pe as usize].checked_sub(1) else { continue };
                counts[pe as usize] = left;
                let giver = (0..pes).rev().max_by_key(|&pe| counts[pe as usize]);
                let giver = giver.filter(|&from| counts[from as usize] >= left + 2);
                if let Some(from) = giver {
                    counts[from as usize] -= 1;
                    counts[pe as usize] += 1;
                }
                assert_eq!(even.remove(pe), giver, "of {pes}, step {step}");
            }
        }
    }
}
