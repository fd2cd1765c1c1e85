//! Clauses of an encoder, each with its derivation.
//!
//! The encoder states the meaning of every fresh variable. The sink defines the variable in the
//! proof with that meaning, and derives each clause from the definitions:
//!
//! * thresholds (`v ⇔ Σ w·l ≥ b`): the definitions that hold when the clause is false, plus
//!   the constraint being encoded where the encoder says so, add up to a contradiction;
//! * adders: unit propagation over the definitions of sum and carry is enough. The sum of
//!   `2·carry + sum ≤ Σ inputs` over all adders turns the constraint on the inputs into one on
//!   the output bits, from which the comparator's clauses follow.
//!
//! Nothing here needs to be trusted: a wrong meaning or clause makes the checker reject the proof.

use std::io::{self, Write};

use gridsat_encodings::{ClauseSink, Cnf, Lit, Meaning, Term, Var};

use super::lines::{ConstraintId, Lines};

#[derive(Clone, Copy)]
struct Definition {
    when_true: ConstraintId,
    when_false: ConstraintId,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Threshold,
    Carry,
    Sum { carry: Var },
}

/// Collects the formula and the checker's number of each clause, and writes the derivation of each.
pub struct DerivingSink<'a, W> {
    lines: &'a mut Lines<W>,
    /// Names of the first variables, those of the problem itself.
    names: std::vec::IntoIter<String>,
    formula: Cnf,
    ids: Vec<ConstraintId>,
    definitions: Vec<Option<Definition>>,
    row: Option<ConstraintId>,
    /// Adders not yet summed into `row`, with their weights.
    adders: Vec<(ConstraintId, u64)>,
    error: Option<io::Error>,
}

impl<'a, W: Write> DerivingSink<'a, W> {
    /// A sink with no clause yet, whose first variables are those the problem calls `names`.
    pub fn new(lines: &'a mut Lines<W>, names: Vec<String>) -> Self {
        Self {
            lines,
            names: names.into_iter(),
            formula: Cnf::new(),
            ids: Vec::new(),
            definitions: Vec::new(),
            row: None,
            adders: Vec::new(),
            error: None,
        }
    }

    /// A clause that follows by unit propagation from `hints`.
    pub fn add_hinted(&mut self, clause: &[Lit], hints: &[ConstraintId]) {
        let id = self.lines.clause(clause, hints);
        self.keep(clause, id);
    }

    /// From here on, root clauses are derived from this constraint.
    pub fn set_row(&mut self, row: ConstraintId) {
        self.row = Some(row);
        self.adders.clear();
    }

    /// The proof, for adding further lines.
    pub fn lines(&mut self) -> &mut Lines<W> {
        self.lines
    }

    /// The formula, the number of each clause, and the lines for the rest of the proof.
    pub fn finish(self) -> io::Result<(Cnf, Vec<ConstraintId>, &'a mut Lines<W>)> {
        match self.error {
            Some(error) => Err(error),
            None => Ok((self.formula, self.ids, self.lines)),
        }
    }

    fn keep(&mut self, clause: &[Lit], id: io::Result<ConstraintId>) {
        match id {
            Ok(id) => {
                self.formula.add_clause(clause);
                self.ids.push(id);
            }
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
    }

    fn derive(&mut self, clause: &[Lit], row: Option<ConstraintId>) -> io::Result<ConstraintId> {
        let defined = |lit: &Lit| Some((*lit, self.definitions[lit.var().index()]?));
        let used: Vec<(Lit, Definition)> = clause.iter().filter_map(defined).collect();
        if used.iter().any(|(_, definition)| definition.kind == Kind::Threshold) {
            return self.derive_by_sum(clause, row, &used);
        }
        let mut hints: Vec<ConstraintId> = row.into_iter().collect();
        for (_, definition) in &used {
            if let Kind::Sum { carry } = definition.kind {
                let carry = self.definitions[carry.index()].expect("explained before its sum");
                hints.extend([carry.when_true, carry.when_false]);
            }
            hints.extend([definition.when_true, definition.when_false]);
        }
        self.lines.clause(clause, &hints)
    }

    fn derive_by_sum(
        &mut self,
        clause: &[Lit],
        row: Option<ConstraintId>,
        used: &[(Lit, Definition)],
    ) -> io::Result<ConstraintId> {
        let falsified = |(lit, definition): &(Lit, Definition)| {
            if lit.is_negative() { definition.when_true } else { definition.when_false }
        };
        let parts: Vec<_> = row.into_iter().chain(used.iter().map(falsified)).collect();
        let sum = self.lines.sum(&parts.iter().map(|&id| (id, 1)).collect::<Vec<_>>())?;
        let id = self.lines.clause(clause, &[sum])?;
        self.lines.delete(&[sum])?;
        Ok(id)
    }

    /// The encoded constraint with all adders so far applied to it.
    fn current_row(&mut self) -> io::Result<Option<ConstraintId>> {
        if let (Some(row), false) = (self.row, self.adders.is_empty()) {
            let mut parts = vec![(row, 1)];
            parts.append(&mut self.adders);
            self.row = Some(self.lines.sum(&parts)?);
        }
        Ok(self.row)
    }

    fn define(&mut self, var: Var, meaning: Meaning<'_>) -> io::Result<()> {
        let unit = |&lit: &Lit| Term { lit, weight: 1 };
        let fresh = var.positive();
        let (kind, (when_true, when_false)) = match meaning {
            Meaning::AtLeast { terms, bound } => {
                (Kind::Threshold, self.lines.define(fresh, terms, bound)?)
            }
            Meaning::Carry { inputs } => {
                let terms: Vec<_> = inputs.iter().map(unit).collect();
                (Kind::Carry, self.lines.define(fresh, &terms, 2)?)
            }
            Meaning::Sum { inputs, carry, .. } => {
                let mut terms: Vec<_> = inputs.iter().map(unit).collect();
                terms.push(Term { lit: carry.negative(), weight: 2 });
                (Kind::Sum { carry }, self.lines.define(fresh, &terms, 3)?)
            }
        };
        self.definitions[var.index()] = Some(Definition { when_true, when_false, kind });
        if let Meaning::Sum { carry, weight, .. } = meaning {
            let carry = self.definitions[carry.index()].expect("explained before its sum");
            // Σ + 2·¬carry ≥ 2 and Σ + 2·¬carry + 3·¬sum ≥ 3 give Σ ≥ 2·carry +
            // sum.
            let line = format!("pol {} 2 * {} + 3 d", carry.when_true, when_true);
            let adder = self.lines.step(&line)?;
            self.adders.push((adder, weight));
        }
        Ok(())
    }
}

impl<W: Write> ClauseSink for DerivingSink<'_, W> {
    fn new_var(&mut self) -> Var {
        let fresh = || format!("v{}", self.definitions.len());
        let name = self.names.next().unwrap_or_else(fresh);
        self.lines.name_next(name);
        self.definitions.push(None);
        self.formula.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let id = self.derive(clause, None);
        self.keep(clause, id);
    }

    fn add_root_clause(&mut self, clause: &[Lit]) {
        let id = self.current_row().and_then(|row| self.derive(clause, row));
        self.keep(clause, id);
    }

    fn explain(&mut self, var: Var, meaning: Meaning<'_>) {
        if let Err(error) = self.define(var, meaning) {
            self.error.get_or_insert(error);
        }
    }
}
