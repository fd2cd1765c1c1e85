//! CaDiCaL, compiled in with the feature `cadical`.
//!
//! Bounded variable addition (`factor`) stays off: it introduces variables, which would require all
//! variables to be declared here and would add proof steps beyond unit propagation.

mod proof;

use cadical_sys::{CaDiCal, Status, Terminator};
use gridsat_encodings::{ClauseSink, Cnf, Lit, Var};

use super::{Answer, Answered, ProofSink, SatSolver, Statistics, Witness};
use gridsat_model::Stop;

/// Incremental solving with CaDiCaL.
pub(super) struct Cadical {
    solver: CaDiCal,
    variables: usize,
    witness: Witness,
}

impl Cadical {
    pub(super) fn new() -> Self {
        Self { solver: silent(), variables: 0, witness: Witness::default() }
    }
}

/// A solver that prints nothing and adds no variables.
fn silent() -> CaDiCal {
    let mut solver = CaDiCal::new();
    solver.set("quiet", 1);
    solver.set("factor", 0);
    solver
}

fn name() -> String {
    format!("CaDiCaL {}", CaDiCal::version())
}

fn add(solver: &mut CaDiCal, clause: &[Lit]) {
    for lit in clause {
        solver.add(lit.to_dimacs());
    }
    solver.add(0);
}

struct Due(Stop);

impl Terminator for Due {
    fn terminated(&mut self) -> bool {
        self.0.is_due()
    }
}

impl ClauseSink for Cadical {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var::new(self.variables - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        add(&mut self.solver, clause);
    }
}

impl SatSolver for Cadical {
    fn name(&self) -> String {
        name()
    }

    fn solve(&mut self, assumptions: &[Lit], stop: &Stop) -> Answered {
        self.witness.clear();
        if stop.is_due() {
            return Ok(Answer::Unknown);
        }
        self.solver.connect_terminator(Due(stop.clone()));
        for lit in assumptions {
            self.solver.assume(lit.to_dimacs());
        }
        let status = self.solver.solve();
        self.solver.disconnect_terminator();
        Ok(match status {
            Status::SATISFIABLE => {
                let solver = &mut self.solver;
                let values = (1..=solver.vars()).map(|number| solver.val(number) > 0);
                self.witness.model.extend(values);
                Answer::Sat
            }
            Status::UNSATISFIABLE => {
                let failed = |lit: &&Lit| self.solver.failed(lit.to_dimacs());
                self.witness.core.extend(assumptions.iter().filter(failed));
                Answer::Unsat
            }
            Status::UNKNOWN => Answer::Unknown,
        })
    }

    fn solve_briefly(&mut self, conflicts: u64, stop: &Stop) -> Answered {
        // CaDiCaL applies this limit to the next call only.
        self.solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        self.solve(&[], stop)
    }

    fn witness(&self) -> &Witness {
        &self.witness
    }

    fn statistics(&self) -> Statistics {
        let conflicts = self.solver.get_statistic_value("conflicts");
        Statistics { conflicts: u64::try_from(conflicts).unwrap_or(0) }
    }

    fn refute(&self, formula: &Cnf, proof: &mut dyn ProofSink, stop: &Stop) -> Answered {
        proof::refute(formula, proof, stop)
    }
}
