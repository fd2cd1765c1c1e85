//! The solvers available on this machine.

use gridsat_exact::sat::SolverChoice;

/// A solver and its name in tables.
#[derive(Clone, Debug)]
pub struct NamedSolver {
    pub name: &'static str,
    pub choice: SolverChoice,
}

impl NamedSolver {
    /// Whether it reports its number of conflicts.
    pub fn tells_conflicts(&self) -> bool {
        self.choice == SolverChoice::Cadical
    }
}

/// The embedded solvers, then the programs.
pub fn all() -> Vec<NamedSolver> {
    let mut all = built_in();
    all.extend(installed());
    all
}

/// The programs that are installed.
pub fn installed() -> Vec<NamedSolver> {
    let known = [("minisat", "minisat (program)"), ("cadical", "cadical (program)")];
    let found = known.into_iter().filter(|(program, _)| is_installed(program));
    // The argument distinguishes the program from the compiled-in solver of the same name.
    let command = |program| SolverChoice::External(format!("{program} {{cnf}}"));
    found.map(|(program, name)| NamedSolver { name, choice: command(program) }).collect()
}

/// The solvers that can write proofs.
pub fn built_in() -> Vec<NamedSolver> {
    let mut solvers = vec![NamedSolver { name: "varisat", choice: SolverChoice::Varisat }];
    if cfg!(feature = "cadical") {
        solvers.push(NamedSolver { name: "cadical", choice: SolverChoice::Cadical });
    }
    solvers
}

/// The solver that finds the optima to ask about.
pub fn reference() -> SolverChoice {
    if cfg!(feature = "cadical") { SolverChoice::Cadical } else { SolverChoice::Varisat }
}

/// The names of all solvers, for the head of a report.
pub fn describe() -> String {
    all().iter().map(|solver| solver.name).collect::<Vec<_>>().join(", ")
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
