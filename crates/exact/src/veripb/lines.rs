//! The lines of a VeriPB 3 proof, and the numbers the checker gives to constraints.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::ops::Not;

use super::VeripbError;
use gridsat_model::Stop;

/// The checker's number of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintId(u64);

impl ConstraintId {
    /// The number after this one.
    pub fn next(self) -> Self {
        self.after(1)
    }

    /// The number that is larger by this much.
    pub fn after(self, more: u64) -> Self {
        Self(self.0 + more)
    }
}

impl Display for ConstraintId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A variable of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Name {
    /// A variable of the problem, by its number in the OPB file.
    Problem(u32),
    /// A variable that the proof introduces.
    Fresh(u32),
}

/// A variable of the proof or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    name: Name,
    is_negative: bool,
}

impl Literal {
    /// The variable of the OPB file with this number.
    pub fn problem(number: u32) -> Self {
        Self { name: Name::Problem(number), is_negative: false }
    }

    /// The literal's variable.
    pub fn positive(self) -> Self {
        Self { is_negative: false, ..self }
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self { is_negative: !self.is_negative, ..self }
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative { "~" } else { "" };
        match self.name {
            Name::Problem(number) => write!(f, "{sign}x{number}"),
            Name::Fresh(number) => write!(f, "{sign}v{number}"),
        }
    }
}

/// A literal with its weight in a sum.
pub type Weighted = (Literal, u64);

/// The two constraints that define a fresh variable by a sum.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The variable: true exactly when the sum reaches its bound.
    pub literal: Literal,
    /// Bounds the sum from below if the variable is true.
    pub when_true: ConstraintId,
    /// Bounds the sum from above if the variable is false.
    pub when_false: ConstraintId,
}

/// Writes the lines of a proof and counts the constraints.
pub struct Lines<W> {
    out: W,
    last: u64,
    fresh: u32,
    stop: Stop,
}

impl<W: Write> Lines<W> {
    /// Starts a proof about a formula of this many constraints.
    pub fn new(mut out: W, constraints: u64, stop: Stop) -> io::Result<Self> {
        writeln!(out, "pseudo-Boolean proof version 3.0")?;
        writeln!(out, "f {constraints} ;")?;
        Ok(Self { out, last: constraints, fresh: 0, stop })
    }

    /// Fails if a stop is requested; for steps that take long before they write anything.
    pub fn go_on(&self) -> Result<(), VeripbError> {
        if self.stop.is_requested() { Err(VeripbError::Stopped) } else { Ok(()) }
    }

    /// The formula's n-th constraint, from 0.
    pub fn input(n: u64) -> ConstraintId {
        ConstraintId(n + 1)
    }

    /// A variable that occurs nowhere yet.
    pub fn fresh(&mut self) -> Literal {
        self.fresh += 1;
        Literal { name: Name::Fresh(self.fresh), is_negative: false }
    }

    /// The number that the next constraint will get.
    pub fn next(&self) -> ConstraintId {
        ConstraintId(self.last + 1)
    }

    fn short(&self, id: ConstraintId) -> Short {
        Short { id, last: self.last }
    }

    /// The number of variables introduced so far.
    pub fn names(&self) -> u32 {
        self.fresh
    }

    /// Deletes what is left of the constraints from `first` on, up to but without `end`, and
    /// introduces the variables after this many anew. No other constraint may have them.
    pub fn forget(
        &mut self,
        (first, names): (ConstraintId, u32),
        end: ConstraintId,
    ) -> io::Result<()> {
        self.fresh = names;
        self.delete_range(first, end)
    }

    /// Writes one line that adds a constraint; returns its number.
    pub fn step(&mut self, line: impl Display) -> io::Result<ConstraintId> {
        self.step_after(0, line)
    }

    /// Writes the end of lines that add this many constraints, which the checker deletes again, and
    /// then one that stays; returns its number.
    pub fn step_after(&mut self, deleted: u64, line: impl Display) -> io::Result<ConstraintId> {
        writeln!(self.out, "{line} ;")?;
        self.last += deleted + 1;
        Ok(ConstraintId(self.last))
    }

    /// Adds up constraints, each multiplied by a factor above 0.
    pub fn sum(&mut self, parts: &[(ConstraintId, u128)]) -> io::Result<ConstraintId> {
        let last = self.last;
        self.step(format_args!("pol{}", Sum { parts, last }))
    }

    /// Adds up constraints and literals, which are at least 0, and divides the sum.
    pub fn divided_sum(
        &mut self,
        parts: &[(ConstraintId, u128)],
        literals: &[(Literal, u128)],
        divisor: u128,
    ) -> io::Result<ConstraintId> {
        let mut line = format!("pol{}", Sum { parts, last: self.last });
        for (lit, factor) in literals {
            line.push_str(&format!(" {lit} {factor} * +"));
        }
        if divisor > 1 {
            line.push_str(&format!(" {divisor} d"));
        }
        self.step(line)
    }

    /// The constraint without these variables, plus other constraints, each multiplied by a
    /// factor.
    pub fn reduced(
        &mut self,
        constraint: ConstraintId,
        without: &[Literal],
        plus: &[(ConstraintId, u128)],
    ) -> io::Result<ConstraintId> {
        write!(self.out, "pol {}", self.short(constraint))?;
        without.iter().try_for_each(|lit| write!(self.out, " {} w", lit.positive()))?;
        for (id, factor) in plus {
            write!(self.out, " {} {factor} * +", self.short(*id))?;
        }
        self.step("")
    }

    /// Writes a clause that follows by unit propagation over the hints, in their order.
    pub fn clause(
        &mut self,
        clause: &[Literal],
        hints: &[ConstraintId],
    ) -> io::Result<ConstraintId> {
        write!(self.out, "rup")?;
        clause.iter().try_for_each(|lit| write!(self.out, " 1 {lit}"))?;
        write!(self.out, " >= 1 : ~")?;
        hints.iter().try_for_each(|&hint| write!(self.out, " {}", self.short(hint)))?;
        self.step("")
    }

    /// Adds a clause that holds if its first literal, of a fresh variable, is made true.
    pub fn clause_by(&mut self, clause: &[Literal]) -> io::Result<ConstraintId> {
        write!(self.out, "red")?;
        clause.iter().try_for_each(|lit| write!(self.out, " 1 {lit}"))?;
        let value = u8::from(!clause[0].is_negative);
        self.step(format_args!(" >= 1 : {} -> {value}", clause[0].positive()))
    }

    /// Defines a fresh variable that is true exactly when the terms weigh at least `bound`, which
    /// is above 0 and at most the weight of all terms.
    pub fn define(&mut self, terms: &[Weighted], bound: u128) -> io::Result<Definition> {
        let literal = self.fresh();
        self.define_as(literal, terms, bound)
    }

    /// The same for a variable that is already named.
    pub fn define_as(
        &mut self,
        literal: Literal,
        terms: &[Weighted],
        bound: u128,
    ) -> io::Result<Definition> {
        let total: u128 = terms.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let missing = (total + 1).saturating_sub(bound);
        write!(self.out, "red")?;
        terms.iter().try_for_each(|(lit, weight)| write!(self.out, " {weight} {lit}"))?;
        let enough = format_args!(" {bound} {} >= {bound} : {literal} -> 0", !literal).to_string();
        let when_true = self.step(enough)?;
        write!(self.out, "red")?;
        terms.iter().try_for_each(|&(lit, weight)| write!(self.out, " {weight} {}", !lit))?;
        let too_little =
            format_args!(" {missing} {literal} >= {missing} : {literal} -> 1").to_string();
        let when_false = self.step(too_little)?;
        Ok(Definition { literal, when_true, when_false })
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

    /// Deletes what is left of the constraints from `first` on, up to but without `end`.
    pub fn delete_range(&mut self, first: ConstraintId, end: ConstraintId) -> io::Result<()> {
        if first < end { writeln!(self.out, "del range {first} {end} ;") } else { Ok(()) }
    }

    /// Writes a line that adds no constraint.
    pub fn note(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Flushes the output and returns it.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The number of a constraint, or how far it is behind the end of the proof if that is shorter.
struct Short {
    id: ConstraintId,
    last: u64,
}

impl Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id: ConstraintId(id), last } = *self;
        // The last constraint is -1; the sign takes the place of one digit.
        let behind = last + 1 - id;
        if behind * 10 < id { write!(f, "-{behind}") } else { id.fmt(f) }
    }
}

/// A sum of constraints in reverse Polish notation.
struct Sum<'a> {
    parts: &'a [(ConstraintId, u128)],
    last: u64,
}

impl Display for Sum<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, &(id, factor)) in self.parts.iter().enumerate() {
            write!(f, " {}", Short { id, last: self.last })?;
            if factor != 1 {
                write!(f, " {factor} *")?;
            }
            if i > 0 {
                f.write_str(" +")?;
            }
        }
        Ok(())
    }
}
