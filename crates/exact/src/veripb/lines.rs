//! The lines of a VeriPB 3 proof, and the numbers the checker gives to constraints.

use std::fmt::Display;
use std::io::{self, Write};

use gridsat_encodings::{Lit, Term};

/// The checker's number of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConstraintId(u64);

impl Display for ConstraintId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Writes the lines of a proof and counts the constraints.
pub struct Lines<W> {
    out: W,
    last: u64,
    /// The name of each formula variable in the proof.
    names: Vec<String>,
}

impl<W: Write> Lines<W> {
    /// Starts a proof about a formula of this many constraints.
    pub fn new(mut out: W, constraints: u64) -> io::Result<Self> {
        writeln!(out, "pseudo-Boolean proof version 3.0")?;
        writeln!(out, "f {constraints} ;")?;
        Ok(Self { out, last: constraints, names: Vec::new() })
    }

    /// The formula's n-th constraint, from 0.
    pub fn input(n: u64) -> ConstraintId {
        ConstraintId(n + 1)
    }

    /// Gives the next formula variable a name.
    pub fn name_next(&mut self, name: String) {
        self.names.push(name);
    }

    fn literal(&self, lit: Lit) -> String {
        let name = &self.names[lit.var().index()];
        if lit.is_negative() { format!("~{name}") } else { name.clone() }
    }

    /// Writes one line that adds a constraint; returns its number.
    pub fn step(&mut self, line: &str) -> io::Result<ConstraintId> {
        writeln!(self.out, "{line} ;")?;
        self.last += 1;
        Ok(ConstraintId(self.last))
    }

    /// The number of a constraint that the checker adds by itself.
    pub fn implicit(&mut self) -> ConstraintId {
        self.last += 1;
        ConstraintId(self.last)
    }

    /// Adds up constraints, each multiplied by a factor.
    pub fn sum(&mut self, parts: &[(ConstraintId, u64)]) -> io::Result<ConstraintId> {
        self.step(&format!("pol {}", polish_sum(parts)))
    }

    /// Adds up constraints and literals, which are at least 0, and divides the sum.
    pub fn divided_sum(
        &mut self,
        parts: &[(ConstraintId, u128)],
        literals: &[(Lit, u128)],
        divisor: u128,
    ) -> io::Result<ConstraintId> {
        let mut line = format!("pol {}", polish_sum(parts));
        for &(lit, factor) in literals {
            line.push_str(&format!(" {} {factor} * +", self.literal(lit)));
        }
        if divisor > 1 {
            line.push_str(&format!(" {divisor} d"));
        }
        self.step(&line)
    }

    /// Writes a clause that follows by unit propagation over the hints, in their order.
    pub fn clause(&mut self, clause: &[Lit], hints: &[ConstraintId]) -> io::Result<ConstraintId> {
        let mut line = String::from("rup");
        for &lit in clause {
            line.push_str(" +1 ");
            line.push_str(&self.literal(lit));
        }
        line.push_str(" >= 1 : ~");
        for hint in hints {
            line.push_str(&format!(" {hint}"));
        }
        self.step(&line)
    }

    /// Defines a fresh variable that is true exactly when the terms weigh at least `bound`. Returns
    /// the constraint that holds when it is true, and the one that holds when it is false.
    pub fn define(
        &mut self,
        fresh: Lit,
        terms: &[Term],
        bound: u64,
    ) -> io::Result<(ConstraintId, ConstraintId)> {
        let total: u128 = terms.iter().map(|term| u128::from(term.weight)).sum();
        let missing = total + 1 - u128::from(bound);
        let weighted = |negate: bool| {
            let sign = |lit: Lit| if negate { !lit } else { lit };
            let term = |term: &Term| format!("+{} {} ", term.weight, self.literal(sign(term.lit)));
            terms.iter().map(term).collect::<String>()
        };
        let name = self.literal(fresh);
        let enough = format!("red {}+{bound} ~{name} >= {bound} : {name} -> 0", weighted(false));
        let too_little =
            format!("red {}+{missing} {name} >= {missing} : {name} -> 1", weighted(true));
        Ok((self.step(&enough)?, self.step(&too_little)?))
    }

    /// Deletes constraints.
    pub fn delete(&mut self, ids: &[ConstraintId]) -> io::Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        write!(self.out, "del id")?;
        ids.iter().try_for_each(|id| write!(self.out, " {id}"))?;
        writeln!(self.out, " ;")
    }

    /// Writes a line that adds no constraint.
    pub fn note(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Flushes the output and returns it.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// A sum of constraints in reverse Polish notation.
pub fn polish_sum<N: Display + PartialEq + From<u8>>(parts: &[(ConstraintId, N)]) -> String {
    let mut text = String::new();
    for (i, (id, factor)) in parts.iter().enumerate() {
        let times = if *factor == N::from(1) { String::new() } else { format!(" {factor} *") };
        let plus = if i == 0 { "" } else { " +" };
        let blank = if i == 0 { "" } else { " " };
        text.push_str(&format!("{blank}{id}{times}{plus}"));
    }
    text
}
