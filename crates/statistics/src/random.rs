//! Independent random streams from one seed.
//!
//! Every consumer of random numbers uses a separate stream, identified by name and index. Numbers
//! drawn from one stream never shift another, and two runs that differ in one parameter share the
//! randomness of everything else (common random numbers).
//!
//! A stream is ChaCha with 8 rounds, keyed with the SHA-256 of: the seed (8 bytes, little-endian),
//! the index (likewise), the name in UTF-8. This definition must never change, because published
//! results depend on it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The stream with this name and index under a seed.
pub fn stream(seed: u64, name: &str, index: u64) -> ChaCha8Rng {
    let hash = Sha256::new().chain_update(seed.to_le_bytes()).chain_update(index.to_le_bytes());
    ChaCha8Rng::from_seed(hash.chain_update(name).finalize().into())
}

/// A seed for a part that takes a seed of its own: the first 64 bits of the stream.
pub fn seed(seed: u64, name: &str, index: u64) -> u64 {
    stream(seed, name, index).next_u64()
}

/// A uniform number in [0, 1): the upper 53 bits of the next 64, as a fraction.
pub fn unit(random: &mut ChaCha8Rng) -> f64 {
    let bits = random.next_u64() >> 11;
    bits as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values were computed with another implementation of SHA-256 and ChaCha.
    #[test]
    fn streams_never_change() {
        assert_eq!(seed(0, "", 0), 0x624d_36fb_bac5_ae22);
        assert_eq!(seed(42, "workload/sizes", 7), 0xbe9d_83e3_8335_3ef4);
        assert_eq!(unit(&mut stream(42, "workload/sizes", 7)), 0.744_590_991_063_167_1);
    }

    #[test]
    fn seed_name_and_index_each_make_another_stream() {
        let all = [seed(1, "a", 0), seed(2, "a", 0), seed(1, "b", 0), seed(1, "a", 1)];
        for (i, value) in all.iter().enumerate() {
            assert!(!all[..i].contains(value), "{all:?}");
        }
    }
}
