//! Refutations as LRAT text: `id literals 0 hints 0` for a derived clause, `id d ids 0` for a
//! deletion, where `id` is the clause derived last.
//!
//! Deletions are collected until the next derived clause; those after the last one are left out,
//! because no reader needs them. The format is that of Cruz-Filipe, Heule, Hunt, Kaufmann and
//! Schneider-Kamp, *Efficient Certified RAT Verification*, CADE 2017, without its RAT steps.

use std::io::{self, Write};

use gridsat_encodings::{Lit, push_number};

use super::ProofSink;

/// Size in bytes at which the buffer is written.
const FULL: usize = 1 << 16;

/// The size of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LratStatistics {
    /// Number of derived clauses.
    pub derived: u64,
    /// Number of deleted clauses.
    pub deleted: u64,
    /// Total number of hints of all derived clauses.
    pub hints: u64,
    /// Size of the text in bytes.
    pub bytes: u64,
}

/// Writes each step as a line of text, buffered.
#[derive(Debug)]
pub struct LratWriter<W> {
    out: W,
    buffer: Vec<u8>,
    last_id: u64,
    deletions: Vec<u64>,
    statistics: LratStatistics,
}

impl<W: Write> LratWriter<W> {
    /// Starts a proof about a formula of `clauses` clauses, which have the numbers 1 to `clauses`.
    pub fn new(out: W, clauses: u64) -> Self {
        Self {
            out,
            buffer: Vec::with_capacity(FULL),
            last_id: clauses,
            deletions: Vec::new(),
            statistics: LratStatistics::default(),
        }
    }

    /// Writes the rest of the buffer, flushes, and returns the underlying writer.
    pub fn finish(mut self) -> io::Result<(W, LratStatistics)> {
        self.write_buffer()?;
        self.out.flush()?;
        Ok((self.out, self.statistics))
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.statistics.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn push_deletions(&mut self) {
        if self.deletions.is_empty() {
            return;
        }
        push(&mut self.buffer, self.last_id);
        self.buffer.extend_from_slice(b"d ");
        for &id in &self.deletions {
            push(&mut self.buffer, id);
        }
        self.buffer.extend_from_slice(b"0\n");
        self.statistics.deleted += self.deletions.len() as u64;
        self.deletions.clear();
    }
}

impl<W: Write> ProofSink for LratWriter<W> {
    fn derive(&mut self, id: u64, clause: &[Lit], hints: &[u64]) -> io::Result<()> {
        self.push_deletions();
        push(&mut self.buffer, id);
        for lit in clause {
            if lit.is_negative() {
                self.buffer.push(b'-');
            }
            push(&mut self.buffer, lit.var().index() as u64 + 1);
        }
        self.buffer.extend_from_slice(b"0 ");
        for &hint in hints {
            push(&mut self.buffer, hint);
        }
        self.buffer.extend_from_slice(b"0\n");
        self.last_id = id;
        self.statistics.derived += 1;
        self.statistics.hints += hints.len() as u64;
        if self.buffer.len() >= FULL {
            self.write_buffer()?;
        }
        Ok(())
    }

    fn delete(&mut self, ids: &[u64]) -> io::Result<()> {
        self.deletions.extend_from_slice(ids);
        Ok(())
    }
}

/// Appends a number and a space.
fn push(buffer: &mut Vec<u8>, number: u64) {
    push_number(buffer, number);
    buffer.push(b' ');
}

#[cfg(test)]
mod tests {
    use gridsat_encodings::Var;

    use super::*;

    #[test]
    fn writes_steps_as_lines() {
        let mut writer = LratWriter::new(Vec::new(), 4);
        let lit = Var::new(11).negative();
        writer.delete(&[3]).expect("memory");
        writer.derive(5, &[lit, !lit], &[1, 2]).expect("memory");
        writer.delete(&[1]).expect("memory");
        writer.delete(&[2]).expect("memory");
        writer.derive(u64::MAX, &[], &[5]).expect("memory");
        writer.delete(&[5]).expect("memory");
        let (text, statistics) = writer.finish().expect("memory");
        let text = String::from_utf8(text).expect("ASCII");
        assert_eq!(text, "4 d 3 0\n5 -12 12 0 1 2 0\n5 d 1 2 0\n18446744073709551615 0 5 0\n");
        let expected =
            LratStatistics { derived: 2, deleted: 3, hints: 3, bytes: text.len() as u64 };
        assert_eq!(statistics, expected);
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let mut room = [0; 10];
        let mut writer = LratWriter::new(&mut room[..], 0);
        for id in 1..=10 {
            writer.derive(id, &[], &[]).expect("buffered");
        }
        assert!(writer.finish().is_err());
    }
}
