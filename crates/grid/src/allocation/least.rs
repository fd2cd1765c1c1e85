//! The least of some keys that change one by one, such as the PE with the fewest jobs.
//!
//! A tournament: leaf `i` of `n` is at place `n + i`, and each inner place has the lesser of its
//! two successors, so that the least of all is at place 1. One array without pointers; a change
//! takes O(log n), and less if the lesser ones stay.

/// Keys with the least of them; at least one key.
#[derive(Clone, Debug)]
pub(super) struct Least<K>(Vec<K>);

impl<K: Ord + Copy> Least<K> {
    /// These keys; panics if there are none.
    pub fn new(keys: impl ExactSizeIterator<Item = K>) -> Self {
        let (count, mut keys) = (keys.len(), keys.peekable());
        let &first = keys.peek().expect("at least one key");
        let mut all = vec![first; count];
        all.extend(keys);
        for place in (1..count).rev() {
            all[place] = all[2 * place].min(all[2 * place + 1]);
        }
        Self(all)
    }

    /// Changes all keys, given in order.
    pub fn set_all(&mut self, keys: impl Iterator<Item = K>) {
        let count = self.0.len() / 2;
        self.0[count..].iter_mut().zip(keys).for_each(|(place, key)| *place = key);
        for place in (1..count).rev() {
            self.0[place] = self.0[2 * place].min(self.0[2 * place + 1]);
        }
    }

    /// The least key.
    #[inline]
    pub fn first(&self) -> K {
        self.0[1]
    }

    /// Changes a key.
    #[inline]
    pub fn set(&mut self, index: usize, key: K) {
        let mut place = self.0.len() / 2 + index;
        self.0[place] = key;
        while place > 1 {
            place /= 2;
            let lesser = self.0[2 * place].min(self.0[2 * place + 1]);
            if self.0[place] == lesser {
                return;
            }
            self.0[place] = lesser;
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
    fn does_what_a_search_does() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for count in 1..40 {
            let mut keys: Vec<u32> = (0..count).map(|_| random.random_range(0..50)).collect();
            let mut least = Least::new(keys.iter().copied());
            for step in 0..200 {
                assert_eq!(Some(&least.first()), keys.iter().min());
                let index = random.random_range(0..keys.len());
                keys[index] = random.random_range(0..50);
                least.set(index, keys[index]);
                if step % 20 == 0 {
                    keys.iter_mut().for_each(|key| *key = random.random_range(0..50));
                    least.set_all(keys.iter().copied());
                }
            }
        }
    }
}
