//! The meanings that encoders state are true.
//!
//! Every input assignment is extended by the values that the meanings imply. Clauses of
//! [`ClauseSink::add_clause`] must then always hold, root clauses whenever the constraint does.

use std::collections::HashMap;

use crate::support::{assignments, constraints, inputs, weight_of, weighted};
use gridsat_encodings::{AtMostOne, Budget, ClauseSink, Lit, LoadEncoding, Meaning, Term, Var};

enum Owned {
    AtLeast(Vec<Term>, u64),
    Carry(Vec<Lit>),
    Sum(Vec<Lit>, Var),
}

/// Records everything, and checks that meanings are stated before they are used.
#[derive(Default)]
struct Recorder {
    variables: usize,
    inputs: usize,
    meanings: Vec<(Var, Owned)>,
    clauses: Vec<Vec<Lit>>,
    root_clauses: Vec<Vec<Lit>>,
}

impl Recorder {
    fn check_explained(&self, lits: &[Lit]) {
        for lit in lits {
            let index = lit.var().index();
            assert!(index < self.inputs + self.meanings.len(), "unexplained {lit:?}");
        }
    }
}

impl ClauseSink for Recorder {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var::new(self.variables - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.check_explained(clause);
        self.clauses.push(clause.to_vec());
    }

    fn add_root_clause(&mut self, clause: &[Lit]) {
        self.check_explained(clause);
        self.root_clauses.push(clause.to_vec());
    }

    fn explain(&mut self, var: Var, meaning: Meaning<'_>) {
        assert_eq!(var.index(), self.inputs + self.meanings.len(), "explained in order");
        let owned = match meaning {
            Meaning::AtLeast { terms, bound } => {
                assert!(bound >= 1);
                assert!(terms.iter().all(|term| term.lit.var().index() < self.inputs));
                Owned::AtLeast(terms.to_vec(), bound)
            }
            Meaning::Carry { inputs } => Owned::Carry(inputs.to_vec()),
            Meaning::Sum { inputs, carry, weight } => {
                assert!(weight.is_power_of_two());
                assert_eq!(carry.index() + 1, var.index());
                Owned::Sum(inputs.to_vec(), carry)
            }
        };
        self.meanings.push((var, owned));
    }
}

/// Values of all variables, those of fresh ones as explained.
struct Values(HashMap<Var, bool>);

impl Values {
    fn extend(true_lits: &[Lit], meanings: &[(Var, Owned)]) -> Self {
        let values = true_lits.iter().map(|lit| (lit.var(), !lit.is_negative()));
        let mut values = Self(values.collect());
        for (var, meaning) in meanings {
            let value = values.of_meaning(meaning);
            values.0.insert(*var, value);
        }
        values
    }

    fn of_meaning(&self, meaning: &Owned) -> bool {
        let count = |lits: &[Lit]| lits.iter().filter(|&&lit| self.holds(lit)).count();
        match meaning {
            Owned::AtLeast(terms, bound) => {
                let chosen = terms.iter().filter(|term| self.holds(term.lit));
                chosen.map(|term| term.weight).sum::<u64>() >= *bound
            }
            Owned::Carry(inputs) => count(inputs) >= 2,
            Owned::Sum(inputs, carry) => count(inputs) - 2 * usize::from(self.0[carry]) == 1,
        }
    }

    fn holds(&self, lit: Lit) -> bool {
        self.0[&lit.var()] != lit.is_negative()
    }

    fn satisfy(&self, clause: &[Lit]) -> bool {
        clause.iter().any(|&lit| self.holds(lit))
    }
}

/// Checks all clauses against the meanings; `allowed` is the constraint on input assignments.
fn check(recorder: &Recorder, lits: &[Lit], allowed: impl Fn(usize) -> bool) {
    for (true_lits, mask) in assignments(lits) {
        let values = Values::extend(&true_lits, &recorder.meanings);
        for clause in &recorder.clauses {
            assert!(values.satisfy(clause), "{clause:?} does not follow from the meanings");
        }
        let root = recorder.root_clauses.iter().all(|clause| values.satisfy(clause));
        assert_eq!(root, allowed(mask), "root clauses and constraint differ on {mask:b}");
    }
}

#[test]
fn load_encodings_explain_their_variables() {
    for encoding in LoadEncoding::ALL {
        for (weights, bound) in constraints() {
            let mut recorder = Recorder::default();
            let lits = inputs(weights.len(), &mut recorder);
            recorder.inputs = lits.len();
            let terms = weighted(&lits, &weights);
            let mut budget = Budget::default();
            encoding.encode(&terms, bound, &mut recorder, &mut budget).expect("small");
            check(&recorder, &lits, |mask| weight_of(mask, &weights) <= bound);
        }
    }
}

#[test]
fn lowered_bounds_explain_their_variables() {
    for encoding in LoadEncoding::ALL {
        for (weights, max) in constraints() {
            let mut recorder = Recorder::default();
            let lits = inputs(weights.len() + 1, &mut recorder);
            recorder.inputs = lits.len();
            let (guard, terms) = (lits[weights.len()], weighted(&lits, &weights));
            let mut budget = Budget::default();
            let load = encoding.incremental(&terms, max, &mut recorder, &mut budget);
            let bound = max * 2 / 3;
            load.and_then(|mut load| load.limit(bound, guard, &mut recorder, &mut budget))
                .expect("small");
            check(&recorder, &lits, |mask| {
                let bound = if mask >> weights.len() == 1 { bound } else { max };
                weight_of(mask, &weights) <= bound
            });
        }
    }
}

#[test]
fn at_most_one_encodings_explain_their_variables() {
    for encoding in AtMostOne::ALL {
        for n in 0..=14 {
            let mut recorder = Recorder::default();
            let lits = inputs(n, &mut recorder);
            recorder.inputs = n;
            encoding.encode(&lits, &mut recorder);
            check(&recorder, &lits, |mask| mask.count_ones() <= 1);
        }
    }
}
