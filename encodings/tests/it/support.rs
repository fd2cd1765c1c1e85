//! Unit propagation, an independent solver, and constraints to try.

use gridsat_encodings::{ClauseSink, Cnf, Lit, LoadEncoding, Term};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Values of literals, by their code.
#[derive(Clone)]
pub struct Assignment(Vec<Option<bool>>);

impl Assignment {
    pub fn of(variables: usize, true_lits: &[Lit]) -> Self {
        let mut values = Self(vec![None; 2 * variables]);
        true_lits.iter().for_each(|&lit| values.set(lit));
        values
    }

    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.0[lit.code()]
    }

    pub fn set(&mut self, lit: Lit) {
        self.0[lit.code()] = Some(true);
        self.0[(!lit).code()] = Some(false);
    }
}

/// Unit propagation until nothing changes; `None` on a conflict.
pub fn propagate(cnf: &Cnf, mut values: Assignment) -> Option<Assignment> {
    loop {
        let mut changed = false;
        for clause in cnf.clauses() {
            if clause.iter().any(|&lit| values.value(lit) == Some(true)) {
                continue;
            }
            let mut open = clause.iter().filter(|&&lit| values.value(lit).is_none());
            match (open.next(), open.next()) {
                (None, _) => return None,
                (Some(&lit), None) => {
                    values.set(lit);
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return Some(values);
        }
    }
}

/// Decides whether clauses have a model with given literals true.
pub struct Oracle(varisat::Solver<'static>);

impl Oracle {
    pub fn new(cnf: &Cnf) -> Self {
        let mut solver = varisat::Solver::new();
        // Some inputs occur in no clause.
        for _ in 0..cnf.variables() {
            varisat::ExtendFormula::new_var(&mut solver);
        }
        for clause in cnf.clauses() {
            varisat::ExtendFormula::add_clause(&mut solver, &solver_lits(clause));
        }
        Self(solver)
    }

    pub fn satisfiable(&mut self, true_lits: &[Lit]) -> bool {
        self.0.assume(&solver_lits(true_lits));
        self.0.solve().expect("nothing interrupts it")
    }
}

fn solver_lits(lits: &[Lit]) -> Vec<varisat::Lit> {
    let lits = lits.iter().map(|lit| varisat::Lit::from_dimacs(lit.to_dimacs() as isize));
    lits.collect()
}

/// Fresh variables as inputs, every third literal negated.
pub fn inputs(n: usize, sink: &mut dyn ClauseSink) -> Vec<Lit> {
    let input = |i| {
        let var = sink.new_var();
        if i % 3 == 1 { var.negative() } else { var.positive() }
    };
    (0..n).map(input).collect()
}

pub fn weighted(lits: &[Lit], weights: &[u64]) -> Vec<Term> {
    let term = |(&lit, &weight)| Term { lit, weight };
    lits.iter().zip(weights).map(term).collect()
}

/// All assignments of the literals: the literals that hold, and a mask of the given literals that
/// are true.
pub fn assignments(lits: &[Lit]) -> impl Iterator<Item = (Vec<Lit>, usize)> + '_ {
    (0..1_usize << lits.len()).map(move |mask| {
        let holds = |(i, &lit): (usize, &Lit)| if mask >> i & 1 == 1 { lit } else { !lit };
        (lits.iter().enumerate().map(holds).collect(), mask)
    })
}

pub fn weight_of(mask: usize, weights: &[u64]) -> u64 {
    let chosen = weights.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
    chosen.map(|(_, weight)| weight).sum()
}

/// Small constraints: edge cases by hand, then random ones with a fixed seed.
pub fn constraints() -> Vec<(Vec<u64>, u64)> {
    let chosen: [&[u64]; 9] = [
        &[],
        &[0],
        &[3],
        &[0, 2, 5],
        &[1, 1, 1, 1, 1],
        &[2, 3, 5, 7, 11],
        &[8, 4, 2, 1, 16],
        &[9, 0, 9, 9, 1, 1],
        &[6, 6, 6, 4, 4, 4],
    ];
    let mut all = Vec::new();
    for weights in chosen {
        let total: u64 = weights.iter().sum();
        all.extend((0..=total + 1).map(|bound| (weights.to_vec(), bound)));
    }
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for largest in [2, 5, 20, 1000, 1 << 40] {
        for _ in 0..40 {
            let n = random.random_range(2..=6);
            let weights: Vec<u64> = (0..n).map(|_| random.random_range(0..=largest)).collect();
            let total: u64 = weights.iter().sum();
            all.push((weights, random.random_range(0..=total)));
        }
    }
    all
}

/// The encodings whose unit propagation is complete.
pub const PROPAGATING: [LoadEncoding; 3] =
    [LoadEncoding::Bdd, LoadEncoding::Totalizer, LoadEncoding::Counter];
