//! Any program that reads DIMACS CNF and answers with `s` and `v` lines.
//!
//! Each call writes all clauses, and the assumptions as unit clauses, to a temporary file and runs
//! the program once: nothing is learnt between calls, and the core is always all assumptions. A
//! model is accepted only after every clause was evaluated to true. "Unsatisfiable" is accepted
//! only from an answer line, never from the exit code, which a crash could imitate.
//!
//! Proofs written by programs are not used.

mod answer;
mod command_line;
mod process;

use std::io::{self, BufWriter, Read};
use std::path::Path;

use gridsat_encodings::{ClauseSink, Cnf, Counter, DimacsWriter, Lit, Var};
use gridsat_files::Temporary;

use self::answer::Reply;
pub use self::answer::Unusable;
use self::command_line::CommandLine;
pub use self::command_line::split as split_command;
use self::process::Finished;
use super::{
    Answer, AnswerFault, Answered, CommandFault, ProofSink, SatSolver, SolverError, Witness,
};
use gridsat_model::Stop;

/// A program, called by its command line, as a solver.
pub(super) struct External {
    command: CommandLine,
    formula: Cnf,
    witness: Witness,
}

impl External {
    pub(super) fn new(command: &str) -> Result<Self, SolverError> {
        let command = CommandLine::parse(command)?;
        Ok(Self { command, formula: Cnf::new(), witness: Witness::default() })
    }

    /// Runs the program once; `None` if it was stopped.
    fn ask(
        &self,
        assumptions: &[Lit],
        variables: usize,
        stop: &Stop,
    ) -> Result<Option<Reply>, SolverError> {
        let cannot_run = |error| self.command.cannot_run(CommandFault::Io(error));
        let cnf = Temporary::elsewhere(".cnf").map_err(cannot_run)?;
        self.write(&cnf, assumptions, variables).map_err(cannot_run)?;
        let out = self.command.wants_out().then(|| Temporary::elsewhere(".out")).transpose();
        let out = out.map_err(cannot_run)?;
        let out = out.as_ref().map(Temporary::path);
        let command = self.command.with_files(cnf.path(), out);
        let finished = process::run(command, answer_room(variables), stop).map_err(cannot_run)?;
        finished.map(|finished| self.read(&finished, out, variables)).transpose()
    }

    fn write(&self, cnf: &Temporary, assumptions: &[Lit], variables: usize) -> io::Result<()> {
        let counts = Counter {
            variables: variables as u64,
            clauses: (self.formula.len() + assumptions.len()) as u64,
            literals: 0,
        };
        let mut writer = DimacsWriter::new(BufWriter::new(cnf.as_file()), counts, [])?;
        for clause in self.formula.clauses() {
            writer.add_clause(clause);
        }
        for &lit in assumptions {
            writer.add_clause(&[lit]);
        }
        writer.finish().map(drop)
    }

    fn read(
        &self,
        finished: &Finished,
        out: Option<&Path>,
        variables: usize,
    ) -> Result<Reply, SolverError> {
        let ending = || finished.ending();
        let reply = match out {
            None if finished.overlong => Err(Unusable::TooLong),
            None => answer::from_lines(&finished.answer, variables),
            Some(path) => {
                let text = read_start(path, answer_room(variables)).map_err(|error| {
                    self.bad(AnswerFault::Unreadable { error, ending: ending() })
                })?;
                answer::from_file(&text, variables)
            }
        };
        reply
            .and_then(|reply| reply.agreeing_with(finished.status.code()))
            .map_err(|answer| self.bad(AnswerFault::Unusable { answer, ending: ending() }))
    }

    /// Keeps the model if it satisfies all clauses and assumptions.
    fn accept(&mut self, model: Vec<bool>, assumptions: &[Lit]) -> Result<(), SolverError> {
        let holds = |lit: &Lit| {
            let value = model.get(lit.var().index()).copied().unwrap_or(false);
            value != lit.is_negative()
        };
        let mut clauses = self.formula.clauses();
        if let Some(index) = clauses.position(|clause| !clause.iter().any(holds)) {
            let clause = self.formula.clauses().nth(index).unwrap_or_default().to_vec();
            return Err(self.bad(AnswerFault::BreaksClause { number: index + 1, clause }));
        }
        if let Some(&lit) = assumptions.iter().find(|lit| !holds(lit)) {
            return Err(self.bad(AnswerFault::BreaksAssumption(lit)));
        }
        self.witness.model = model;
        Ok(())
    }

    fn bad(&self, fault: AnswerFault) -> SolverError {
        SolverError::BadAnswer { command: self.command.to_string(), fault }
    }
}

/// Most bytes a model can take: `v`, sign, ten digits and white space for each variable, if each
/// has its own line, and some more for the other lines.
fn answer_room(variables: usize) -> usize {
    4096 + 16 * variables
}

fn read_start(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(limit as u64).read_to_end(&mut text)?;
    Ok(text)
}

impl ClauseSink for External {
    fn new_var(&mut self) -> Var {
        self.formula.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.formula.add_clause(clause);
    }
}

impl SatSolver for External {
    fn name(&self) -> String {
        self.command.to_string()
    }

    fn solve(&mut self, assumptions: &[Lit], stop: &Stop) -> Answered {
        self.witness.clear();
        if stop.is_due() {
            return Ok(Answer::Unknown);
        }
        let lits = self.formula.clauses().flatten().chain(assumptions);
        let used = lits.map(|lit| lit.var().index() + 1).max().unwrap_or(0);
        let variables = used.max(self.formula.variables());
        match self.ask(assumptions, variables, stop)? {
            Some(Reply::Sat(model)) => {
                self.accept(model, assumptions)?;
                Ok(Answer::Sat)
            }
            Some(Reply::Unsat) => {
                self.witness.core.extend_from_slice(assumptions);
                Ok(Answer::Unsat)
            }
            Some(Reply::Unknown) | None => Ok(Answer::Unknown),
        }
    }

    fn witness(&self) -> &Witness {
        &self.witness
    }

    fn refute(&self, _: &Cnf, _: &mut dyn ProofSink, _: &Stop) -> Answered {
        Err(SolverError::NoProofs { solver: self.name() })
    }
}
