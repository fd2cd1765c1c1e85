//! Passes a solver's refutation on to the checker clause by clause.

use std::collections::HashMap;
use std::io::{self, Write};

use gridsat_encodings::{Cnf, Lit};

use super::derive::{Derived, literal};
use super::lines::{ConstraintId, Lines, Literal};
use crate::sat::ProofSink;

/// Passes a solver's refutation on to the checker.
pub(super) struct SolverSteps<'a, W> {
    lines: &'a mut Lines<W>,
    guard: Literal,
    literals: Vec<Literal>,
    /// The checker's numbers of the formula's clauses, which the solver numbers from 1.
    formula: Vec<ConstraintId>,
    derived: HashMap<u64, ConstraintId>,
    last: Option<ConstraintId>,
}

impl<'a, W: Write> SolverSteps<'a, W> {
    /// Nothing derived yet from the formula.
    pub fn new(derived: Derived<'a, W>) -> (Cnf, Self) {
        let Derived { lines, guard, literals, formula, ids } = derived;
        let derived = HashMap::new();
        (formula, Self { lines, guard, literals, formula: ids, derived, last: None })
    }

    /// The clause derived last.
    pub fn last(&self) -> Option<ConstraintId> {
        self.last
    }

    fn id(&self, number: u64) -> io::Result<ConstraintId> {
        let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let original = place.and_then(|place| self.formula.get(place));
        let known = original.or_else(|| self.derived.get(&number)).copied();
        let unknown = || io::Error::other(format!("the solver names an unknown clause {number}"));
        known.ok_or_else(unknown)
    }
}

impl<W: Write> ProofSink for SolverSteps<'_, W> {
    fn derive(&mut self, id: u64, clause: &[Lit], hints: &[u64]) -> io::Result<()> {
        let hints: Vec<_> = hints.iter().map(|&hint| self.id(hint)).collect::<Result<_, _>>()?;
        let named = clause.iter().map(|&lit| literal(&self.literals, lit));
        let named: Vec<Literal> = named.chain([self.guard]).collect();
        let line = self.lines.clause(&named, &hints)?;
        self.derived.insert(id, line);
        self.last = Some(line);
        Ok(())
    }

    fn delete(&mut self, ids: &[u64]) -> io::Result<()> {
        let lines: Vec<_> = ids.iter().map(|&id| self.id(id)).collect::<Result<_, _>>()?;
        for id in ids {
            self.derived.remove(id);
        }
        self.lines.delete(&lines)
    }
}
