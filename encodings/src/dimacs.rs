//! A sink that streams DIMACS CNF text.
//!
//! The header must give the counts before the first clause, so the formula is encoded twice: first
//! into a [`Counter`](crate::Counter), then here. Only the output buffer is held in memory.

use std::io::{self, Write};

use crate::{ClauseSink, Counter, Lit, Var};

/// Writes each clause as a line. The first write error is kept and returned by
/// [`DimacsWriter::finish`]; later clauses are then dropped.
pub struct DimacsWriter<W> {
    out: W,
    counts: Counter,
    line: Vec<u8>,
    error: Option<io::Error>,
}

impl<W: Write> DimacsWriter<W> {
    /// Writes the comments, each on its own `c` line, and the header for a formula of these counts.
    pub fn new<'a>(
        mut out: W,
        counts: Counter,
        comments: impl IntoIterator<Item = &'a str>,
    ) -> io::Result<Self> {
        for comment in comments {
            writeln!(out, "c {comment}")?;
        }
        writeln!(out, "p cnf {} {}", counts.variables, counts.clauses)?;
        Ok(Self { out, counts: Counter::default(), line: Vec::new(), error: None })
    }

    /// Flushes and returns the counts of what was written, or the first error.
    pub fn finish(mut self) -> io::Result<Counter> {
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.counts),
        }
    }
}

impl<W: Write> ClauseSink for DimacsWriter<W> {
    fn new_var(&mut self) -> Var {
        self.counts.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        if self.error.is_some() {
            return;
        }
        self.counts.add_clause(clause);
        self.line.clear();
        for lit in clause {
            if lit.is_negative() {
                self.line.push(b'-');
            }
            push_number(&mut self.line, lit.var().index() as u64 + 1);
            self.line.push(b' ');
        }
        self.line.extend_from_slice(b"0\n");
        self.error = self.out.write_all(&self.line).err();
    }
}

/// Appends a decimal number. Formulas and proofs are mostly numbers, and formatting them through
/// `write!` took most of the time of an export.
pub fn push_number(line: &mut Vec<u8>, number: u64) {
    let mut rest = number;
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    line.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_header_comments_and_clauses() {
        let mut text = Vec::new();
        let counts = Counter { variables: 12, clauses: 1, literals: 2 };
        let mut sink = DimacsWriter::new(&mut text, counts, ["hello"]).expect("memory");
        let first = sink.new_var();
        for _ in 1..12 {
            sink.new_var();
        }
        sink.add_clause(&[first.negative(), Var::new(11).positive()]);
        assert_eq!(sink.finish().expect("memory"), counts);
        assert_eq!(String::from_utf8_lossy(&text), "c hello\np cnf 12 1\n-1 12 0\n");
    }
}
