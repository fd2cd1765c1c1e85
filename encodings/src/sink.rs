//! Receivers of clauses.
//!
//! An encoder calls [`ClauseSink::new_var`] and [`ClauseSink::add_clause`] and does not know
//! whether a solver, a file or a counter receives them. It also states what each fresh variable
//! *means* ([`ClauseSink::explain`]) and which clauses need the encoded constraint itself
//! ([`ClauseSink::add_root_clause`]). Most sinks ignore both; a proof writer turns them into a
//! derivation of every clause, so that the encoder need not be trusted.

use crate::{Lit, Term, Var};

/// The meaning of a fresh variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning<'a> {
    /// True exactly when the weight of the true literals among `terms` is at least `bound`.
    AtLeast {
        /// The literals with their weights.
        terms: &'a [Term],
        /// The threshold, at least 1.
        bound: u64,
    },
    /// True exactly when at least two of the two or three `inputs` are: the carry of an adder.
    Carry {
        /// Two inputs (half adder) or three (full adder).
        inputs: &'a [Lit],
    },
    /// `Σ inputs − 2·carry`: the sum bit of an adder whose carry was explained just before.
    Sum {
        /// The same inputs as the carry's.
        inputs: &'a [Lit],
        /// The carry of the same adder.
        carry: Var,
        /// The weight of the inputs in the constraint being encoded: a power of two.
        weight: u64,
    },
}

/// A receiver of variables and clauses.
pub trait ClauseSink {
    /// A new variable.
    fn new_var(&mut self) -> Var;

    /// Adds one clause, a disjunction of literals. The empty clause makes the formula
    /// unsatisfiable.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Adds a clause that follows from the meanings of its variables *and the constraint being
    /// encoded*, not from the meanings alone.
    fn add_root_clause(&mut self, clause: &[Lit]) {
        self.add_clause(clause);
    }

    /// States the meaning of a fresh variable, before the first clause with it.
    fn explain(&mut self, _var: Var, _meaning: Meaning<'_>) {}
}

/// A formula in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    variables: usize,
    literals: Vec<Lit>,
    ends: Vec<usize>,
}

impl Cnf {
    /// An empty formula.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clauses, in the order in which they were added.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.literals[start..end])
    }
}

impl ClauseSink for Cnf {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var::new(self.variables - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }
}

/// A sink that only counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Number of variables.
    pub variables: u64,
    /// Number of clauses.
    pub clauses: u64,
    /// Total number of literals in all clauses.
    pub literals: u64,
}

impl ClauseSink for Counter {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var::new(self.variables as usize - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        self.literals += clause.len() as u64;
    }
}
