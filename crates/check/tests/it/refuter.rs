//! Shared by the tests of certificates: a slow and simple source of LRAT proofs, and instances.
//!
//! The refuter is DPLL without learning. Where the decisions D and unit propagation make a clause
//! false, the clause ¬D follows with the propagating clauses as hints; from ¬D ∨ v and ¬D ∨
//! ¬v follows ¬D. At the root D is empty, and so is the derived clause.

use std::fmt::Write;

use gridsat_model::{Instance, InstanceParts, Scale, Ticks};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A formula in DIMACS numbers.
#[derive(Clone, Debug)]
pub struct Formula {
    pub variables: i32,
    pub clauses: Vec<Vec<i32>>,
}

impl Formula {
    /// Whether any assignment satisfies the formula; tries all.
    pub fn is_satisfiable(&self) -> bool {
        let is_true = |bits: u32, lit: i32| (bits >> (lit.abs() - 1) & 1 == 1) == (lit > 0);
        let holds = |bits, clause: &Vec<i32>| clause.iter().any(|&lit| is_true(bits, lit));
        (0..1 << self.variables).any(|bits| self.clauses.iter().all(|clause| holds(bits, clause)))
    }

    pub fn random_3_sat(variables: i32, clauses: usize, rng: &mut ChaCha8Rng) -> Self {
        let mut literal = || {
            let variable = rng.random_range(1..=variables);
            if rng.random() { variable } else { -variable }
        };
        let clauses = (0..clauses).map(|_| (0..3).map(|_| literal()).collect());
        let clauses = clauses.collect();
        Self { variables, clauses }
    }

    /// A refutation in LRAT; `None` if the formula is satisfiable.
    pub fn refute(&self) -> Option<String> {
        let mut refuter =
            Refuter { formula: self, last_id: self.clauses.len(), proof: String::new() };
        refuter.refute(&mut Vec::new())?;
        Some(refuter.proof)
    }
}

struct Refuter<'a> {
    formula: &'a Formula,
    last_id: usize,
    proof: String,
}

impl Refuter<'_> {
    /// Derives the negation of the decisions and returns its number.
    fn refute(&mut self, decisions: &mut Vec<i32>) -> Option<usize> {
        let variable = match propagate(self.formula, decisions) {
            Err(hints) => return Some(self.derive(decisions, &hints)),
            Ok(values) => (1..).zip(&values[1..]).find(|(_, value)| value.is_none())?.0,
        };
        let mut branch = |literal| {
            decisions.push(literal);
            let id = self.refute(decisions);
            decisions.pop();
            id
        };
        let (first, second) = (branch(-variable)?, branch(variable)?);
        let id = self.derive(decisions, &[first, second]);
        if !decisions.is_empty() {
            writeln!(self.proof, "{id} d {first} {second} 0").expect("memory");
        }
        Some(id)
    }

    fn derive(&mut self, decisions: &[i32], hints: &[usize]) -> usize {
        self.last_id += 1;
        let literals: String = decisions.iter().map(|lit| format!("{} ", -lit)).collect();
        let hints: String = hints.iter().map(|hint| format!("{hint} ")).collect();
        writeln!(self.proof, "{} {literals}0 {hints}0", self.last_id).expect("memory");
        self.last_id
    }
}

/// The values at the fixed point, or the clauses that lead to a contradiction.
pub fn propagate(formula: &Formula, decisions: &[i32]) -> Result<Vec<Option<bool>>, Vec<usize>> {
    let mut values = vec![None; formula.variables as usize + 1];
    for &lit in decisions {
        values[lit.unsigned_abs() as usize] = Some(lit > 0);
    }
    let mut hints = Vec::new();
    loop {
        let before = hints.len();
        for (id, clause) in (1..).zip(&formula.clauses) {
            let value = |lit: i32| values[lit.unsigned_abs() as usize].map(|v| v == (lit > 0));
            if clause.iter().any(|&lit| value(lit) == Some(true)) {
                continue;
            }
            let open: Vec<i32> =
                clause.iter().copied().filter(|&lit| value(lit).is_none()).collect();
            let Some(&lit) = open.first() else {
                hints.push(id);
                return Err(hints);
            };
            if open.iter().all(|&other| other == lit) {
                values[lit.unsigned_abs() as usize] = Some(lit > 0);
                hints.push(id);
            }
        }
        if hints.len() == before {
            return Ok(values);
        }
    }
}

/// A few tasks on a few hosts, some pairs forbidden.
pub fn random_instance(tasks: usize, hosts: usize, rng: &mut ChaCha8Rng) -> Instance {
    let mut row = || -> Vec<Option<Ticks>> {
        let mut row: Vec<_> = (0..hosts).map(|_| Some(Ticks(rng.random_range(0..12)))).collect();
        if rng.random_bool(0.2) {
            row[rng.random_range(0..hosts)] = None;
        }
        row[rng.random_range(0..hosts)].get_or_insert(Ticks(5));
        row
    };
    let mut etc: Vec<_> = (0..tasks).map(|_| row()).collect();
    for row in &mut etc {
        if row.iter().all(Option::is_none) {
            row[0] = Some(Ticks(5));
        }
    }
    let parts = InstanceParts {
        etc,
        ready: (0..hosts).map(|_| Ticks(rng.random_range(0..4))).collect(),
        scale: Scale::new(rng.random_range(0..3)).expect("small"),
        ..InstanceParts::default()
    };
    Instance::new(parts).expect("valid")
}
