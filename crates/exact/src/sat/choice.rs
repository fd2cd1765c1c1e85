//! The choice of a SAT solver, by name.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use super::external::External;
use super::varisat::Varisat;
use super::{SatSolver, SolverError};

/// A SAT solver: embedded or an external program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverChoice {
    /// The embedded solver in pure Rust, always available.
    Varisat,
    /// CaDiCaL: compiled in, or else the program `cadical` in the search path.
    Cadical,
    /// A command line that reads DIMACS and answers with `s` and `v` lines.
    External(String),
}

impl SolverChoice {
    /// Creates the solver. Fails if CaDiCaL is not available, or if a command line cannot be run.
    pub fn build(&self) -> Result<Box<dyn SatSolver>, SolverError> {
        match self {
            Self::Varisat => Ok(Box::new(Varisat::default())),
            Self::Cadical => cadical(),
            Self::External(command) => Ok(Box::new(External::new(command)?)),
        }
    }
}

#[cfg(feature = "cadical")]
fn cadical() -> Result<Box<dyn SatSolver>, SolverError> {
    Ok(Box::new(super::cadical::Cadical::new()))
}

#[cfg(not(feature = "cadical"))]
fn cadical() -> Result<Box<dyn SatSolver>, SolverError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&path).any(|folder| folder.join("cadical").is_file()) {
        return Ok(Box::new(External::new("cadical")?));
    }
    Err(SolverError::NotCompiledIn { solver: "cadical" })
}

impl FromStr for SolverChoice {
    type Err = Infallible;

    /// The name of an embedded solver; any other text is a command line.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "varisat" => Self::Varisat,
            "cadical" => Self::Cadical,
            command => Self::External(command.to_owned()),
        })
    }
}

impl fmt::Display for SolverChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Varisat => "varisat",
            Self::Cadical => "cadical",
            Self::External(command) => command,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for (text, choice) in [
            ("varisat", SolverChoice::Varisat),
            ("cadical", SolverChoice::Cadical),
            ("kissat -q", SolverChoice::External("kissat -q".to_owned())),
        ] {
            assert_eq!(text.parse(), Ok(choice.clone()));
            assert_eq!(choice.to_string(), text);
        }
    }

    #[test]
    fn a_broken_command_line_is_refused() {
        assert!(SolverChoice::External("'".to_owned()).build().is_err());
        assert!(SolverChoice::External(String::new()).build().is_err());
    }
}
