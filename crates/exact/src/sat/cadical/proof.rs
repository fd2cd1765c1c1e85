//! Refutations from CaDiCaL.
//!
//! CaDiCaL owns its proof tracer, so a tracer cannot borrow the caller's [`ProofSink`]. The solver
//! therefore runs in a separate thread and sends its steps, in batches, through a bounded channel
//! to the caller's thread, which feeds the sink: memory stays bounded and the steps keep their
//! order. CaDiCaL numbers the clauses of the formula and derived clauses in one sequence, so
//! clauses derived while the formula is still being added take numbers in between. All are
//! renumbered.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, SyncSender};

use cadical_sys::{ProofTracer, Status, Terminator};
use gridsat_encodings::{Cnf, Lit};

use super::super::{Answer, Answered, InternalFault, ProofSink, SolverError};
use super::{add, name, silent};
use gridsat_model::Stop;

/// Steps sent at a time: enough that waking the receiver costs little in comparison.
const BATCH: usize = 256;
/// Batches the channel holds before the solver has to wait.
const AHEAD: usize = 16;

/// See [`SatSolver::refute`](super::SatSolver::refute).
pub(super) fn refute(formula: &Cnf, sink: &mut dyn ProofSink, stop: &Stop) -> Answered {
    if stop.is_due() {
        return Ok(Answer::Unknown);
    }
    let mut refutation = Refutation::new(formula, sink);
    let (sender, receiver) = mpsc::sync_channel(AHEAD);
    let status = std::thread::scope(|scope| {
        let solver = scope.spawn(|| run(formula, sender, stop));
        refutation.take(receiver)?;
        solver.join().map_err(|_| failed(InternalFault::Panicked))
    })?;
    match status {
        Status::SATISFIABLE => Ok(Answer::Sat),
        Status::UNKNOWN => Ok(Answer::Unknown),
        Status::UNSATISFIABLE if refutation.done => Ok(Answer::Unsat),
        Status::UNSATISFIABLE => Err(failed(InternalFault::NoEmptyClause)),
    }
}

fn failed(fault: InternalFault) -> SolverError {
    SolverError::Internal { solver: name(), fault }
}

fn run(formula: &Cnf, sender: SyncSender<Vec<Step>>, stop: &Stop) -> Status {
    let mut solver = silent();
    let unheard = Rc::new(Cell::new(false));
    let tracer = Tracer { sender, batch: Vec::with_capacity(BATCH), unheard: Rc::clone(&unheard) };
    solver.connect_proof_tracer1(tracer, true, false);
    solver.connect_terminator(Halt { stop: stop.clone(), unheard });
    for clause in formula.clauses() {
        add(&mut solver, clause);
    }
    solver.solve()
}

/// Ends the search when the stop is due, or when the receiver has hung up.
struct Halt {
    stop: Stop,
    unheard: Rc<Cell<bool>>,
}

impl Terminator for Halt {
    fn terminated(&mut self) -> bool {
        self.unheard.get() || self.stop.is_due()
    }
}

/// One proof step, in CaDiCaL's clause numbers.
enum Step {
    Input {
        id: i64,
    },
    Derive {
        id: i64,
        clause: Vec<i32>,
        hints: Vec<i64>,
    },
    Delete {
        id: i64,
    },
    /// A step that is not unit propagation, which this program cannot pass on.
    Foreign,
}

struct Tracer {
    sender: SyncSender<Vec<Step>>,
    batch: Vec<Step>,
    unheard: Rc<Cell<bool>>,
}

impl Tracer {
    fn push(&mut self, step: Step) {
        self.batch.push(step);
        if self.batch.len() == BATCH {
            self.send();
        }
    }

    fn send(&mut self) {
        let batch = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
        if !self.unheard.get() && self.sender.send(batch).is_err() {
            self.unheard.set(true);
        }
    }
}

/// The solver drops its tracer when it is done; the last batch is sent then.
impl Drop for Tracer {
    fn drop(&mut self) {
        self.send();
    }
}

impl ProofTracer for Tracer {
    fn add_original_clause(&mut self, id: i64, _: bool, _: &[i32], restored: bool) {
        self.push(if restored { Step::Foreign } else { Step::Input { id } });
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _: bool,
        witness: i32,
        clause: &[i32],
        hints: &[i64],
    ) {
        self.push(if witness == 0 {
            Step::Derive { id, clause: clause.to_vec(), hints: hints.to_vec() }
        } else {
            Step::Foreign
        });
    }

    fn delete_clause(&mut self, id: i64, _: bool, _: &[i32]) {
        self.push(Step::Delete { id });
    }

    // The other callbacks concern assumptions, repeated calls of solve, and other proof formats.
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}

/// Renumbers steps and feeds the sink until the empty clause.
struct Refutation<'a> {
    sink: &'a mut dyn ProofSink,
    numbers: HashMap<i64, u64>,
    next_input: u64,
    next_derived: u64,
    done: bool,
}

impl<'a> Refutation<'a> {
    fn new(formula: &Cnf, sink: &'a mut dyn ProofSink) -> Self {
        Self {
            sink,
            numbers: HashMap::new(),
            next_input: 1,
            next_derived: formula.len() as u64 + 1,
            done: false,
        }
    }

    fn take(&mut self, receiver: Receiver<Vec<Step>>) -> Result<(), SolverError> {
        for step in receiver.into_iter().flatten() {
            if !self.done {
                self.step(step)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, step: Step) -> Result<(), SolverError> {
        match step {
            Step::Input { id } => {
                self.numbers.insert(id, self.next_input);
                self.next_input += 1;
                Ok(())
            }
            Step::Derive { id, clause, hints } => self.derive(id, &clause, &hints),
            Step::Delete { id } => {
                let number = self.numbers.remove(&id);
                let number = number.ok_or_else(|| failed(InternalFault::UnknownDeletion))?;
                Ok(self.sink.delete(&[number])?)
            }
            Step::Foreign => Err(failed(InternalFault::BeyondPropagation)),
        }
    }

    fn derive(&mut self, id: i64, clause: &[i32], hints: &[i64]) -> Result<(), SolverError> {
        let lits: Option<Vec<_>> = clause.iter().map(|&lit| Lit::from_dimacs(lit)).collect();
        let lits = lits.ok_or_else(|| failed(InternalFault::LiteralZero))?;
        let hints: Option<Vec<_>> =
            hints.iter().map(|hint| self.numbers.get(hint).copied()).collect();
        let hints = hints.ok_or_else(|| failed(InternalFault::UnknownHint))?;
        let number = self.next_derived;
        self.next_derived += 1;
        self.numbers.insert(id, number);
        self.done = lits.is_empty();
        Ok(self.sink.derive(number, &lits, &hints)?)
    }
}
