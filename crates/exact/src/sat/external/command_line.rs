//! A command line split into words, without a shell.
//!
//! White space separates words. Single and double quotes protect it; a backslash outside single
//! quotes protects the next character. `{cnf}` stands for the formula's file, which otherwise
//! becomes the last argument; `{out}` stands for a file to which the program writes its answer, as
//! MiniSat does.

use std::fmt;
use std::path::Path;
use std::process::Command;

use super::super::{CommandFault, SolverError};

const CNF: &str = "{cnf}";
const OUT: &str = "{out}";

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    text: String,
    program: String,
    arguments: Vec<String>,
}

impl CommandLine {
    pub(super) fn parse(text: &str) -> Result<Self, SolverError> {
        let refused = |fault| SolverError::Command { command: text.to_owned(), fault };
        let mut words = split(text).map_err(refused)?.into_iter();
        let program = words.next().ok_or_else(|| refused(CommandFault::Empty))?;
        let mut arguments: Vec<_> = words.collect();
        if !arguments.iter().any(|word| word.contains(CNF)) {
            arguments.push(CNF.to_owned());
        }
        if is_minisat(&program) && !arguments.iter().any(|word| word.contains(OUT)) {
            arguments.push(OUT.to_owned());
        }
        Ok(Self { text: text.trim().to_owned(), program, arguments })
    }

    /// The error of this command with this fault.
    pub(super) fn cannot_run(&self, fault: CommandFault) -> SolverError {
        SolverError::Command { command: self.to_string(), fault }
    }

    /// Whether the program writes its answer to a file.
    pub(super) fn wants_out(&self) -> bool {
        self.arguments.iter().any(|word| word.contains(OUT))
    }

    /// The command for these files.
    pub(super) fn with_files(&self, cnf: &Path, out: Option<&Path>) -> Command {
        let cnf = cnf.to_string_lossy();
        let out = out.map(Path::to_string_lossy).unwrap_or_default();
        let mut command = Command::new(&self.program);
        for word in &self.arguments {
            command.arg(word.replace(CNF, &cnf).replace(OUT, &out));
        }
        command
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// MiniSat prints no model; it needs a result file as argument.
fn is_minisat(program: &str) -> bool {
    let name = Path::new(program).file_stem();
    name.is_some_and(|name| name.to_string_lossy().starts_with("minisat"))
}

/// The words of a command line.
pub fn split(text: &str) -> Result<Vec<String>, CommandFault> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let next = letters.next().ok_or(CommandFault::Backslash)?;
                word.get_or_insert_default().push(next);
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        Some(_) => Err(CommandFault::Quote),
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_like_a_shell() {
        for (text, words) in [
            ("", vec![]),
            ("  a  b ", vec!["a", "b"]),
            (r#"a 'b c' "d \" e" f\ g '' h'i'j"#, vec!["a", "b c", "d \" e", "f g", "", "hij"]),
            (r"'\'", vec![r"\"]),
        ] {
            assert_eq!(split(text).expect(text), words);
        }
        assert!(split("a 'b").is_err());
        assert!(split(r"a\").is_err());
    }

    fn arguments(text: &str) -> Vec<String> {
        let line = CommandLine::parse(text).expect(text);
        let command = line.with_files(Path::new("F"), Some(Path::new("O")));
        command.get_args().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn files_take_their_places() {
        assert_eq!(arguments("solver -q"), ["-q", "F"]);
        assert_eq!(arguments("solver --in={cnf} -q"), ["--in=F", "-q"]);
        assert_eq!(arguments("/opt/minisat"), ["F", "O"]);
        assert_eq!(arguments("minisat -r={out} {cnf}"), ["-r=O", "F"]);
    }

    #[test]
    fn an_empty_command_is_refused() {
        assert!(CommandLine::parse("  ").is_err());
    }
}
