//! What a mapper has proven about the batches it mapped.

/// Counts of mapped batches, and how far the worst may be from its optimum.
///
/// A batch counts as proven only if a certificate of its optimum was made and accepted by the
/// checker. Gaps are those of accepted certificates too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proofs {
    /// Batches that were mapped.
    pub batches: u64,
    /// Of these, batches whose mapping is certified optimal.
    pub proven: u64,
    /// The largest `(makespan − lower bound) / makespan` of a batch, from 0 to 1.
    pub largest_gap: f64,
}

impl Proofs {
    /// Adds a batch with this certified gap; `is_optimal` if a certificate says so.
    pub fn add(&mut self, is_optimal: bool, gap: f64) {
        self.merge(Self { batches: 1, proven: u64::from(is_optimal), largest_gap: gap });
    }

    /// Adds the batches of another mapper.
    pub fn merge(&mut self, other: Self) {
        self.batches += other.batches;
        self.proven += other.proven;
        self.largest_gap = self.largest_gap.max(other.largest_gap);
    }

    /// The share of proven batches, from 0 to 1; `None` if there were no batches.
    pub fn share(&self) -> Option<f64> {
        (self.batches > 0).then(|| self.proven as f64 / self.batches as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_batches_of_which_two_are_proven() {
        let mut proofs = Proofs::default();
        assert_eq!(proofs.share(), None);
        for (is_optimal, gap) in [(true, 0.0), (false, 0.25), (true, 0.0)] {
            proofs.add(is_optimal, gap);
        }
        assert_eq!(proofs, Proofs { batches: 3, proven: 2, largest_gap: 0.25 });
        assert_eq!(proofs.share(), Some(2.0 / 3.0));
        let mut both = Proofs { batches: 1, proven: 0, largest_gap: 0.5 };
        both.merge(proofs);
        assert_eq!(both, Proofs { batches: 4, proven: 2, largest_gap: 0.5 });
    }
}
