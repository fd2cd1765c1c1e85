//! Digests that tie a certificate to its instance and its proof files.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

use crate::{Instance, Ticks};

/// SHA-256 of the instance in a canonical form, in hexadecimal: the same instance gives the same
/// digest whatever file format it came from. Names are not included.
///
/// The form is text: a line `gridsat-instance 1`, a line `n m decimals`, a line with the m ready
/// times, then one line per task with its m times, `-` where it cannot run. All times are in ticks,
/// separated by single blanks; every line ends with a newline.
///
/// It is computed once and kept with the instance, because it takes a pass over all pairs.
pub fn instance_digest(instance: &Instance) -> String {
    instance.digest_or_else(computed).to_owned()
}

fn computed(instance: &Instance) -> String {
    let mut hash = Sha256::new();
    let (n, m) = (instance.task_count(), instance.host_count());
    hash.update(format!("gridsat-instance 1\n{n} {m} {}\n", instance.scale().decimals()));
    let (mut line, mut digits) = (String::new(), itoa::Buffer::new());
    let mut row = |times: &mut dyn Iterator<Item = Option<Ticks>>| {
        line.clear();
        for time in times {
            match time {
                Some(time) => line.push_str(digits.format(time.0)),
                None => line.push('-'),
            }
            line.push(' ');
        }
        // Replaces the last blank.
        line.pop();
        line.push('\n');
        hash.update(&line);
    };
    row(&mut instance.hosts().map(|host| Some(instance.ready(host))));
    for task in instance.tasks() {
        row(&mut instance.hosts().map(|host| instance.time(task, host)));
    }
    hex(&hash.finalize())
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
}
