//! Digests that tie a certificate to its instance and its proof files.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

use crate::Instance;

/// With more pairs than this, times of hosts that are alike are in the digest once.
const MANY_PAIRS: usize = 10_000_000;

/// SHA-256 of the instance in a canonical form, in hexadecimal: the same instance gives the same
/// digest whatever file format it came from. Names are not included.
///
/// The form is text: a line `gridsat-instance 1`, a line `n m decimals`, a line with the m ready
/// times, then one line per task with its m times, `-` where it cannot run. All times are in ticks,
/// separated by single blanks; every line ends with a newline. If `10^−decimals` of the unit is not
/// a tick but several ones, their number is the fourth of the second line.
///
/// With more than 10,000,000 pairs of which some hosts have equal times, the first line ends in 2,
/// a line after the ready times gives the number of each host's column, from 0 in order of first
/// hosts, and each task has one time per column.
///
/// It is computed once and kept with the instance.
pub fn instance_digest(instance: &Instance) -> String {
    instance.digest_or_else(|instance| digest(instance, MANY_PAIRS)).to_owned()
}

fn digest(instance: &Instance, many: usize) -> String {
    let (n, m) = (instance.task_count(), instance.host_count());
    let first = instance.first_hosts();
    let is_short = first.len() < m && n.saturating_mul(m) > many;
    let form = if is_short { 2 } else { 1 };
    let mut text = Text { hash: Sha256::new(), line: String::new() };
    let (decimals, parts) = (instance.scale().decimals(), instance.scale().parts());
    let parts = if parts == 1 { String::new() } else { format!(" {parts}") };
    text.hash.update(format!("gridsat-instance {form}\n{n} {m} {decimals}{parts}\n"));
    text.row(instance.hosts().map(|host| Some(instance.ready(host).0)));
    if is_short {
        text.row(instance.hosts().map(|host| Some(instance.column(host) as u64)));
    }
    for task in instance.tasks() {
        let time = |host| instance.time(task, host).map(|time| time.0);
        match is_short {
            true => text.row(first.iter().map(|&host| time(host))),
            false => text.row(instance.hosts().map(time)),
        }
    }
    hex(&text.hash.finalize())
}

/// Text that is hashed line by line.
struct Text {
    hash: Sha256,
    line: String,
}

impl Text {
    fn row(&mut self, numbers: impl Iterator<Item = Option<u64>>) {
        let mut digits = itoa::Buffer::new();
        self.line.clear();
        for number in numbers {
            match number {
                Some(number) => self.line.push_str(digits.format(number)),
                None => self.line.push('-'),
            }
            self.line.push(' ');
        }
        // Replaces the last blank.
        self.line.pop();
        self.line.push('\n');
        self.hash.update(&self.line);
    }
}

/// SHA-256 of some bytes, in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A reader or writer that hashes all bytes that pass through it.
pub struct Hashing<T> {
    inner: T,
    hash: Sha256,
}

impl<T> Hashing<T> {
    /// Nothing has been hashed yet.
    pub fn new(inner: T) -> Self {
        let hash = Sha256::new();
        Self { inner, hash }
    }

    /// SHA-256 of all bytes that passed, in hexadecimal.
    pub fn finish(self) -> String {
        hex(&self.hash.finalize())
    }
}

impl<T: Read> Read for Hashing<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}

impl<T: Write> Write for Hashing<T> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digest() {
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn hashes_what_passes_in_either_direction() {
        let mut reader = Hashing::new(&b"abc"[..]);
        io::copy(&mut reader, &mut io::sink()).expect("memory");
        let mut writer = Hashing::new(Vec::new());
        writer.write_all(b"ab").expect("memory");
        writer.write_all(b"c").expect("memory");
        assert_eq!(reader.finish(), sha256_hex(b"abc"));
        assert_eq!(writer.finish(), sha256_hex(b"abc"));
    }

    #[test]
    fn the_digest_is_that_of_the_documented_text() {
        let text = r#"{"etc": [[14, null], [3, 8]], "ready": [0, 4]}"#;
        let instance: Instance = text.parse().expect("valid");
        let text = b"gridsat-instance 1\n2 2 0\n0 4\n14 -\n3 8\n";
        assert_eq!(instance_digest(&instance), sha256_hex(text));
    }

    #[test]
    fn parts_of_a_unit_are_in_it() {
        let text = r#"{"tasks": [1, 2], "hosts": [{"speed": 3, "ready": 0.5}, {"speed": 1}]}"#;
        let instance: Instance = text.parse().expect("valid");
        let text = b"gridsat-instance 1\n2 2 0 6\n3 0\n2 6\n4 12\n";
        assert_eq!(instance_digest(&instance), sha256_hex(text));
    }

    #[test]
    fn many_pairs_of_hosts_alike_are_in_it_once() {
        let text = r#"{"etc": [[14, 3, 14], [3, 8, 3]], "ready": [0, 4, 1]}"#;
        let instance: Instance = text.parse().expect("valid");
        let text = b"gridsat-instance 2\n2 3 0\n0 4 1\n0 1 0\n14 3\n3 8\n";
        assert_eq!(digest(&instance, 5), sha256_hex(text));
        assert_eq!(digest(&instance, 6), instance_digest(&instance));
    }

    #[test]
    fn many_pairs_of_unlike_hosts_are_all_in_it() {
        let instance = Instance::from_rows([[3, 5], [4, 4]]).expect("valid");
        assert_eq!(digest(&instance, 0), instance_digest(&instance));
    }
}
