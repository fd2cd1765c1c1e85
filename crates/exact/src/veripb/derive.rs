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

use gridsat_encodings::{ClauseSink, Cnf, Lit, Meaning, Var};

use super::lines::{ConstraintId, Definition, Lines, Literal, Weighted};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Threshold,
    Carry,
    Sum { carry: Var },
}

/// The derived formula.
pub struct Derived<'a, W> {
    /// The proof, for adding further lines.
    pub lines: &'a mut Lines<W>,
    /// In every clause in addition to its literals.
    pub guard: Literal,
    /// The literal of each variable.
    pub literals: Vec<Literal>,
    /// The clauses, without the guard.
    pub formula: Cnf,
    /// The checker's number of each clause.
    pub ids: Vec<ConstraintId>,
}

/// A literal of the formula as one of the proof.
pub fn literal(literals: &[Literal], lit: Lit) -> Literal {
    let literal = literals[lit.var().index()];
    if lit.is_negative() { !literal } else { literal }
}

/// Collects the formula and the checker's number of each clause, and writes the derivation of each.
pub struct DerivingSink<'a, W> {
    lines: &'a mut Lines<W>,
    /// Holds outside of the case that the formula is about; every clause gets it.
    guard: Literal,
    /// The first variables, those of the problem itself.
    problem: std::vec::IntoIter<Literal>,
    /// The literal of each variable so far.
    literals: Vec<Literal>,
    formula: Cnf,
    ids: Vec<ConstraintId>,
    definitions: Vec<Option<(Definition, Kind)>>,
    row: Option<ConstraintId>,
    /// Adders not yet summed into `row`, with their weights.
    adders: Vec<(ConstraintId, u128)>,
    error: Option<io::Error>,
}

impl<'a, W: Write> DerivingSink<'a, W> {
    /// A sink with no clause yet, whose first variables are these of the problem.
    pub fn new(lines: &'a mut Lines<W>, guard: Literal, problem: Vec<Literal>) -> Self {
        Self {
            lines,
            guard,
            problem: problem.into_iter(),
            literals: Vec::new(),
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
        let id = self.write(clause, hints);
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

    /// The formula with all that is needed to write the rest of the proof.
    pub fn finish(self) -> io::Result<Derived<'a, W>> {
        let Self { lines, guard, literals, formula, ids, error, .. } = self;
        error.map_or(Ok(Derived { lines, guard, literals, formula, ids }), Err)
    }

    /// The variable's literal in the proof.
    pub fn literal(&self, lit: Lit) -> Literal {
        literal(&self.literals, lit)
    }

    fn write(&mut self, clause: &[Lit], hints: &[ConstraintId]) -> io::Result<ConstraintId> {
        let named = clause.iter().map(|&lit| self.literal(lit));
        let named: Vec<Literal> = named.chain([self.guard]).collect();
        self.lines.clause(&named, hints)
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
        let used: Vec<(Lit, (Definition, Kind))> = clause.iter().filter_map(defined).collect();
        if used.iter().any(|(_, (_, kind))| *kind == Kind::Threshold) {
            return self.derive_by_sum(clause, row, &used);
        }
        let mut hints: Vec<ConstraintId> = row.into_iter().collect();
        for (_, (definition, kind)) in &used {
            if let Kind::Sum { carry } = *kind {
                let (carry, _) = self.definitions[carry.index()].expect("explained before its sum");
                hints.extend([carry.when_true, carry.when_false]);
            }
            hints.extend([definition.when_true, definition.when_false]);
        }
        self.write(clause, &hints)
    }

    fn derive_by_sum(
        &mut self,
        clause: &[Lit],
        row: Option<ConstraintId>,
        used: &[(Lit, (Definition, Kind))],
    ) -> io::Result<ConstraintId> {
        let falsified = |(lit, (definition, _)): &(Lit, (Definition, Kind))| {
            if lit.is_negative() { definition.when_true } else { definition.when_false }
        };
        let parts: Vec<_> = row.into_iter().chain(used.iter().map(falsified)).collect();
        let sum = self.lines.sum(&parts.iter().map(|&id| (id, 1)).collect::<Vec<_>>())?;
        let id = self.write(clause, &[sum])?;
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
        let unit = |&lit: &Lit| (self.literal(lit), 1);
        let fresh = self.literal(var.positive());
        let (kind, terms, bound): (_, Vec<Weighted>, _) = match meaning {
            Meaning::AtLeast { terms, bound } => {
                let terms = terms.iter().map(|term| (self.literal(term.lit), term.weight));
                (Kind::Threshold, terms.collect(), u128::from(bound))
            }
            Meaning::Carry { inputs } => (Kind::Carry, inputs.iter().map(unit).collect(), 2),
            Meaning::Sum { inputs, carry, .. } => {
                let mut terms: Vec<_> = inputs.iter().map(unit).collect();
                terms.push((self.literal(carry.negative()), 2));
                (Kind::Sum { carry }, terms, 3)
            }
        };
        let definition = self.lines.define_as(fresh, &terms, bound)?;
        self.definitions[var.index()] = Some((definition, kind));
        if let Meaning::Sum { carry, weight, .. } = meaning {
            let (carry, _) = self.definitions[carry.index()].expect("explained before its sum");
            // Σ + 2·¬carry ≥ 2 and Σ + 2·¬carry + 3·¬sum ≥ 3 give Σ ≥ 2·carry +
            // sum.
            let line = format!("pol {} 2 * {} + 3 d", carry.when_true, definition.when_true);
            let adder = self.lines.step(line)?;
            self.adders.push((adder, u128::from(weight)));
        }
        Ok(())
    }
}

impl<W: Write> ClauseSink for DerivingSink<'_, W> {
    fn new_var(&mut self) -> Var {
        let literal = self.problem.next().unwrap_or_else(|| self.lines.fresh());
        self.literals.push(literal);
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
