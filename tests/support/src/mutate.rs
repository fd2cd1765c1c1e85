//! Damage to a file: what a bad cable, a bad editor or a bad person would do.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Bytes that mean something in one of the formats.
const LIKELY: &[u8] = b"0123456789.-+e[]{}<>=\"'#,;:\t\r\n abinf\0\x1b\xff";

/// Words that mean something, or are at the edge of a range.
const WORDS: [&str; 28] = [
    "0",
    "-1",
    "1e999",
    "1e308",
    "1e-308",
    "0.0000000000000001",
    "NaN",
    "inf",
    "18446744073709551615",
    "18446744073709551616",
    "9007199254740993",
    "99999999999",
    "99-23:59:59",
    "null",
    "{}",
    "[[[[",
    "</",
    "/>",
    "&lt;",
    "&#x0;",
    "&x;",
    "<!--",
    "<![CDATA[",
    "<!DOCTYPE x>",
    "|",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{1F980}\0",
];

/// Changes one thing: a byte, a word or a range.
pub fn mutate(bytes: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    let from = rng.random_range(0..=bytes.len());
    let to = rng.random_range(from..=bytes.len().min(from + 40));
    let byte = LIKELY[rng.random_range(0..LIKELY.len())];
    match rng.random_range(0..8) {
        0 if from < bytes.len() => bytes[from] = byte,
        1 => bytes.insert(from, byte),
        2 if from < bytes.len() => drop(bytes.remove(from)),
        3 => drop(bytes.drain(from..to)),
        4 => drop(bytes.splice(to..to, bytes[from..to].to_vec())),
        5 => {
            let moved: Vec<u8> = bytes.drain(from..to).collect();
            let place = rng.random_range(0..=bytes.len());
            bytes.splice(place..place, moved);
        }
        6 => replace_number(bytes, from, rng),
        _ => {
            let word = WORDS[rng.random_range(0..WORDS.len())];
            bytes.splice(from..from, word.bytes());
        }
    }
}

/// Puts another number in the place of the first one after this position.
fn replace_number(bytes: &mut Vec<u8>, from: usize, rng: &mut ChaCha8Rng) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = bytes[from..].iter().position(is_digit).map(|at| from + at) else { return };
    let length = bytes[start..].iter().position(|byte| !byte.is_ascii_digit());
    let end = length.map_or(bytes.len(), |length| start + length);
    let old: u64 =
        std::str::from_utf8(&bytes[start..end]).ok().and_then(|d| d.parse().ok()).unwrap_or(0);
    let new = match rng.random_range(0..5) {
        0 => old.saturating_add(1),
        1 => old.saturating_sub(1),
        2 => old / 2,
        3 => rng.random_range(0..30),
        _ => u64::MAX >> rng.random_range(0..64),
    };
    bytes.splice(start..end, new.to_string().into_bytes());
}
