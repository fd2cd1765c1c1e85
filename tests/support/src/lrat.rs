//! Damages LRAT proofs.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Changes a proof a little: a line, a word or a byte.
pub fn damage(proof: &str, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut lines: Vec<String> = proof.lines().map(str::to_owned).collect();
    let i = rng.random_range(0..lines.len());
    let j = rng.random_range(0..lines.len());
    match rng.random_range(0..7) {
        0 => drop(lines.remove(i)),
        1 => lines.swap(i, j),
        2 => lines.insert(j, lines[i].clone()),
        3 => lines.truncate(i),
        4 => {
            let mut bytes = proof.as_bytes().to_vec();
            let at = rng.random_range(0..bytes.len());
            bytes[at] = rng.random();
            return bytes;
        }
        kind => {
            let mut words: Vec<String> = lines[i].split(' ').map(str::to_owned).collect();
            let at = rng.random_range(0..words.len());
            match kind {
                5 => drop(words.remove(at)),
                _ => words[at] = damage_word(&words[at], rng),
            }
            lines[i] = words.join(" ");
        }
    }
    lines.join("\n").into_bytes()
}

fn damage_word(word: &str, rng: &mut ChaCha8Rng) -> String {
    let number: i64 = word.parse().unwrap_or(1);
    let changed = [0, -number, number + 1, number - 1, i64::MIN, rng.random_range(-9..60)];
    changed[rng.random_range(0..changed.len())].to_string()
}
