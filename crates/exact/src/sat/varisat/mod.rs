//! varisat: the embedded solver in pure Rust, always available.
//!
//! varisat cannot be interrupted. It does give up when its proof cannot be written, so it gets a
//! proof writer that keeps nothing and fails once the [`Stop`] is due; the writer is called after
//! every few kilobytes of proof, that is, every few dozen conflicts. A limit on conflicts becomes a
//! limit on the length of that proof. Of varisat's proof formats only the native one allows
//! assumptions. A solver that gave up cannot be used again, so all clauses are kept here as well,
//! and the next call starts a fresh solver. Learnt clauses are lost then; answers stay correct.

mod proof;

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use gridsat_encodings::{ClauseSink, Cnf, Lit, Var};
use varisat::{ExtendFormula, ProofFormat};

use super::{Answer, Answered, InternalFault, ProofSink, SatSolver, SolverError, Witness};
use gridsat_model::Stop;

const NAME: &str = "varisat 0.2.2";

/// Approximate bytes of proof per conflict.
const BYTES_PER_CONFLICT: u64 = 100;

/// Incremental solving with varisat.
#[derive(Default)]
pub(super) struct Varisat {
    formula: Cnf,
    live: Option<Live>,
    witness: Witness,
}

/// A varisat solver and how many of the formula's clauses it has been given.
struct Live {
    solver: varisat::Solver<'static>,
    limit: Rc<RefCell<Limit>>,
    loaded: usize,
    cores_are_suspect: bool,
}

impl Live {
    fn new() -> Self {
        let limit = Rc::new(RefCell::new(Limit { stop: Stop::never(), bytes: u64::MAX }));
        let mut solver = varisat::Solver::new();
        let writer = Interrupter(Rc::clone(&limit));
        solver.write_proof(writer, ProofFormat::Varisat);
        Self { solver, limit, loaded: 0, cores_are_suspect: false }
    }

    fn load(&mut self, formula: &Cnf) {
        let mut lits = Vec::new();
        for clause in formula.clauses().skip(self.loaded) {
            translate(clause, &mut lits);
            self.solver.add_clause(&lits);
        }
        self.loaded = formula.len();
    }

    /// Solves in the live solver. `Err` means that it gave up.
    fn solve(
        &mut self,
        assumptions: &[Lit],
        limit: Limit,
    ) -> Result<bool, varisat::solver::SolverError> {
        self.limit.replace(limit);
        let mut lits = Vec::new();
        translate(assumptions, &mut lits);
        self.solver.assume(&lits);
        self.solver.solve()
    }

    fn model(&self) -> Vec<bool> {
        let lits = self.solver.model().unwrap_or_default();
        let count = lits.iter().map(|lit| lit.index() + 1).max().unwrap_or(0);
        let mut model = vec![false; count];
        for lit in lits {
            model[lit.index()] = lit.is_positive();
        }
        model
    }

    /// varisat marks variables while it looks for a core and does not unmark an assumption that
    /// contradicts a unit clause; a later variable that reuses the slot can then end the search too
    /// early. Such an assumption is a core by itself; after the first one, cores are not narrowed.
    fn core(&mut self, assumptions: &[Lit]) -> Vec<Lit> {
        let core = self.solver.failed_core().unwrap_or_default();
        let narrowed = match core.len() {
            0 => Vec::new(),
            _ if self.cores_are_suspect => assumptions.to_vec(),
            _ => core.iter().copied().map(from_varisat).collect(),
        };
        self.cores_are_suspect |= core.len() == 1;
        narrowed
    }
}

/// When to give up: when the stop is due, or when the proof exceeds its length.
struct Limit {
    stop: Stop,
    bytes: u64,
}

impl Limit {
    fn is_due(&self) -> bool {
        self.bytes == 0 || self.stop.is_due()
    }
}

/// A proof writer that keeps nothing and fails when it is time to stop.
struct Interrupter(Rc<RefCell<Limit>>);

impl io::Write for Interrupter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut limit = self.0.borrow_mut();
        if limit.is_due() {
            return Err(io::Error::other("stopped"));
        }
        limit.bytes = limit.bytes.saturating_sub(bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Varisat {
    fn solve_within(&mut self, assumptions: &[Lit], limit: Limit) -> Answered {
        self.witness.clear();
        if limit.is_due() {
            return Ok(Answer::Unknown);
        }
        check_size(&self.formula)?;
        let mut live = self.live.take().unwrap_or_else(Live::new);
        live.load(&self.formula);
        let answer = match live.solve(assumptions, limit) {
            Ok(true) => {
                self.witness.model = live.model();
                Answer::Sat
            }
            Ok(false) => {
                self.witness.core = live.core(assumptions);
                Answer::Unsat
            }
            Err(_) if live.limit.borrow().is_due() => return Ok(Answer::Unknown),
            Err(error) => return Err(failed(error)),
        };
        self.live = Some(live);
        Ok(answer)
    }
}

impl ClauseSink for Varisat {
    fn new_var(&mut self) -> Var {
        self.formula.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.formula.add_clause(clause);
    }
}

impl SatSolver for Varisat {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn solve(&mut self, assumptions: &[Lit], stop: &Stop) -> Answered {
        self.solve_within(assumptions, Limit { stop: stop.clone(), bytes: u64::MAX })
    }

    fn solve_briefly(&mut self, conflicts: u64, stop: &Stop) -> Answered {
        let bytes = conflicts.saturating_mul(BYTES_PER_CONFLICT);
        self.solve_within(&[], Limit { stop: stop.clone(), bytes })
    }

    fn witness(&self) -> &Witness {
        &self.witness
    }

    fn refute(&self, formula: &Cnf, proof: &mut dyn ProofSink, stop: &Stop) -> Answered {
        check_size(formula)?;
        proof::refute(formula, proof, stop)
    }
}

/// varisat reserves four bits of a variable's number and does not check for overflow.
fn check_size(formula: &Cnf) -> Result<(), SolverError> {
    let (count, limit) = (formula.variables(), varisat::Var::max_count());
    match count <= limit {
        true => Ok(()),
        false => Err(failed(InternalFault::TooManyVariables { count, limit })),
    }
}

fn failed(fault: impl Into<InternalFault>) -> SolverError {
    SolverError::Internal { solver: NAME.to_owned(), fault: fault.into() }
}

/// Both sides number literals `2·var + sign`.
fn translate(clause: &[Lit], lits: &mut Vec<varisat::Lit>) {
    lits.clear();
    lits.extend(clause.iter().map(|lit| varisat::Lit::from_code(lit.code())));
}

fn from_varisat(lit: varisat::Lit) -> Lit {
    let var = Var::new(lit.index());
    if lit.is_negative() { var.negative() } else { var.positive() }
}
